"""Uploads: in chunks, hashed, resumed after an interruption, the same file once."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from dataclasses import dataclass
from typing import Any, cast

from ._file_like import FileLike
from ._follow import report
from ._io import NoAnswerError, Request
from ._transport import NO_DEADLINE, Call, Deadline, Transport, backoff, rest, send_for_json
from .errors import ConnectionError, FileError, NotFoundError
from .types import FILE_INPUTS, Asset, AssetType, Upload, UploadChunks

_CHUNKS_AT_ONCE = 4
_CHUNK_TRIES_MAX = 5
_CHUNK_SECONDS_MAX = 60.0
_HASH_BYTES = 1 << 20
_FILE_BYTES_MAX = 200 * 1024 * 1024
# Files whose assets are remembered.
_REMEMBERED_MAX = 1_000


@dataclass(frozen=True)
class Source:
    size: int
    sha256: str
    # `size` bytes from a position; can be called from several threads at once.
    read: Callable[[int, int], bytes]


def is_file_like(value: object) -> bool:
    is_data = isinstance(value, (bytes, bytearray, memoryview, os.PathLike))
    return is_data or (not isinstance(value, str) and hasattr(value, "read"))


def open_source(file: FileLike) -> Source:
    """A file that can be read again and again."""
    if isinstance(file, os.PathLike):
        return _open_path(os.fspath(file))
    if isinstance(file, (bytes, bytearray, memoryview)):
        data = bytes(file)
    else:
        start = file.tell() if file.seekable() else None
        data = file.read()
        if start is not None:
            file.seek(start)  # the same file may be given again
        if not isinstance(data, bytes):
            raise FileError(
                "The file is open as text. Open it in binary mode: open(path, 'rb').", code="file_unreadable"
            )
    _check_size(len(data))
    return Source(len(data), hashlib.sha256(data).hexdigest(), lambda at, size: data[at : at + size])


def _check_size(size: int) -> None:
    if size == 0:
        raise FileError("The file is empty.", code="file_empty")
    if size > _FILE_BYTES_MAX:
        raise FileError("The file has more than 200 MB.", code="file_too_large")


def _open_path(path: str) -> Source:
    digest = hashlib.sha256()
    size = 0
    with open(path, "rb") as opened:
        _check_size(os.fstat(opened.fileno()).st_size)
        while block := opened.read(_HASH_BYTES):
            digest.update(block)
            size += len(block)

    def read(at: int, length: int) -> bytes:
        with open(path, "rb") as again:
            again.seek(at)
            return again.read(length)

    return Source(size, digest.hexdigest(), read)


@dataclass(frozen=True)
class UploadPlan:
    type: AssetType
    name: str | None = None
    upload_id: str | None = None
    on_progress: Callable[[float], object] | None = None
    deadline: Deadline = NO_DEADLINE


async def upload_source(transport: Transport, source: Source, plan: UploadPlan) -> Asset:
    """Sends a file in chunks and answers the asset, which is processed from then on."""
    upload = await _open_upload(transport, source, plan)
    upload_id = upload["uploadId"]
    try:
        if upload["asset"] is None and not await _send_chunks(transport, source, upload, plan):
            # Links are valid for an hour: the second round has fresh ones.
            upload = await _read_upload(transport, upload_id, plan.deadline)
            if not await _send_chunks(transport, source, upload, plan):
                raise FileError("The chunks of the upload are refused.", code="chunk_refused")
        # The service answers the same asset again, however often it is asked.
        path, body = "/api/v1/assets/uploads/complete", {"uploadId": upload_id}
        call = Call("POST", path, body=body, is_safe=True, deadline=plan.deadline)
        return cast(Asset, await send_for_json(transport, call))
    except NoAnswerError as cause:
        message = "The upload was interrupted. Resume it with its upload_id."
        raise ConnectionError(message, code="upload_interrupted", upload_id=upload_id) from cause
    except ConnectionError as error:
        error.upload_id = upload_id
        raise


async def _open_upload(transport: Transport, source: Source, plan: UploadPlan) -> Upload:
    if plan.upload_id is not None:
        with suppress(NotFoundError):  # it has expired
            return await _read_upload(transport, plan.upload_id, plan.deadline)
    body: dict[str, Any] = {"type": plan.type, "size": source.size, "sha256": source.sha256}
    if plan.name is not None:
        body["name"] = plan.name
    # Nothing comes of an upload that is opened twice: one of them expires.
    call = Call("POST", "/api/v1/assets/uploads", body=body, is_safe=True, deadline=plan.deadline)
    return cast(Upload, await send_for_json(transport, call))


async def _read_upload(transport: Transport, upload_id: str, deadline: Deadline) -> Upload:
    call = Call("GET", "/api/v1/assets/uploads", {"uploadId": upload_id}, deadline=deadline)
    return cast(Upload, await send_for_json(transport, call))


async def _send_chunks(transport: Transport, source: Source, upload: Upload, plan: UploadPlan) -> bool:
    """Whether all of them were taken."""
    total = max(1, -(-source.size // upload["chunkBytes"]))
    arrived = total - len(upload["chunks"])
    is_complete = True

    def job(chunk: UploadChunks) -> Callable[[], Any]:
        start = chunk["number"] * upload["chunkBytes"]
        return lambda: _send_chunk(transport, source, chunk, start, plan.deadline)

    jobs = [job(one) for one in upload["chunks"]]
    async with aclosing(transport.io.in_parallel(jobs, _CHUNKS_AT_ONCE)) as sent:
        async for _, is_taken in sent:
            is_complete = is_complete and is_taken
            if is_taken:
                arrived += 1
                await report(plan.on_progress, arrived / total)
    return is_complete


async def _send_chunk(
    transport: Transport, source: Source, chunk: UploadChunks, start: int, deadline: Deadline
) -> bool:
    data = await transport.io.compute(lambda: source.read(start, chunk["size"]))
    request = Request(chunk["method"], chunk["url"], {}, data)  # these links need no key
    for attempt in range(1, _CHUNK_TRIES_MAX + 1):
        try:
            answer = await transport.io.exchange(request, deadline.left(_CHUNK_SECONDS_MAX))
        except NoAnswerError:
            if attempt == _CHUNK_TRIES_MAX:
                raise
        else:
            if 200 <= answer.status < 300:
                return True
            if answer.status < 500 and answer.status != 429:
                return False
        await rest(transport, backoff(attempt), deadline)
    return False


class FileMemory:
    """The assets of files: the same file is uploaded once, also by calls at the same time."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._assets: dict[tuple[AssetType, str], Asset] = {}
        self._locks: dict[tuple[AssetType, str], AbstractAsyncContextManager[Any]] = {}

    async def upload(self, file: FileLike, type: AssetType, deadline: Deadline) -> Asset:
        source = await self._transport.io.compute(lambda: open_source(file))
        key = (type, source.sha256)
        async with self._locks.setdefault(key, self._transport.io.lock()):
            known = self._assets.get(key)
            if known is not None:
                with suppress(NotFoundError):  # it was deleted elsewhere
                    return await _read_asset(self._transport, known["assetId"], deadline)
            asset = await upload_source(self._transport, source, UploadPlan(type, deadline=deadline))
            self._assets[key] = asset
            if len(self._assets) > _REMEMBERED_MAX:
                oldest = next(iter(self._assets))
                self._assets.pop(oldest, None)
                self._locks.pop(oldest, None)
            return asset

    def forget(self, upstream_asset_id: str) -> None:
        for key, asset in list(self._assets.items()):
            if asset["upstreamAssetId"] == upstream_asset_id:
                self._assets.pop(key, None)

    async def take_files(self, inputs: Mapping[str, Any], deadline: Deadline) -> dict[str, Any]:
        """The inputs with every file replaced by the asset that it was uploaded as."""
        taken = {name: list(value) if name in FILE_INPUTS else value for name, value in inputs.items()}
        places = [
            (name, index)
            for name in taken.keys() & FILE_INPUTS.keys()
            for index, value in enumerate(taken[name])
            if is_file_like(value)
        ]

        def job(name: str, index: int) -> Callable[[], Any]:
            return lambda: self._reviewed(taken[name][index], FILE_INPUTS[name], deadline)

        jobs = [job(name, index) for name, index in places]
        async with aclosing(self._transport.io.in_parallel(jobs, _CHUNKS_AT_ONCE)) as uploaded:
            async for done, url in uploaded:
                name, index = places[done]
                taken[name][index] = url
        return taken

    async def _reviewed(self, file: FileLike, type: AssetType, deadline: Deadline) -> str:
        asset = await wait_for_asset(self._transport, await self.upload(file, type, deadline), deadline)
        if asset["status"] == "FAILED":
            self.forget(asset["upstreamAssetId"])
            reason = asset["failReason"] or "no reason was given"
            raise FileError(f"The file was refused: {reason}", code="file_refused")
        return f"asset://{asset['upstreamAssetId']}"


async def wait_for_asset(transport: Transport, asset: Asset, deadline: Deadline) -> Asset:
    """Until its review is over."""
    delay = 0.5
    while asset["status"] == "PROCESSING":
        await rest(transport, delay, deadline)
        asset = await _read_asset(transport, asset["assetId"], deadline)
        delay = min(delay * 1.5, 10.0)
    return asset


async def _read_asset(transport: Transport, asset_id: int, deadline: Deadline) -> Asset:
    call = Call("GET", "/api/v1/assets/status", {"assetId": asset_id}, deadline=deadline)
    return cast(Asset, await send_for_json(transport, call))
