"""Uploads: in chunks, hashed, resumed after an interruption, the same file once."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from dataclasses import dataclass
from typing import Any, Literal, cast

from ._file_like import FileLike, Made, name_of_made
from ._follow import report
from ._io import NoAnswerError, Request
from ._progress import file_progress
from ._transport import NO_DEADLINE, Call, Deadline, Transport, backoff, rest, send_for_json
from .errors import ConnectionError, FileError, NotFoundError
from .types import FILE_INPUTS, Asset, AssetType, DeclarationInput, Upload, UploadChunks

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
    type: AssetType | Literal["DOCUMENT"]
    name: str | None = None
    upload_id: str | None = None
    on_progress: Callable[[float], object] | None = None
    deadline: Deadline = NO_DEADLINE
    # About a real person who is shown.
    declaration: DeclarationInput | None = None


async def upload_source(transport: Transport, source: Source, plan: UploadPlan) -> Asset:
    """Sends a file in chunks and returns the asset, which is processed from then on."""
    upload = await send_source(transport, source, plan)
    if upload["asset"] is not None:
        return upload["asset"]  # the account has these bytes
    # The service returns the same asset for every repetition.
    path = "/api/v1/assets/uploads/complete"
    body: dict[str, Any] = {"uploadId": upload["uploadId"]}
    if plan.declaration is not None:
        body["declaration"] = plan.declaration
    call = Call("POST", path, body=body, is_safe=True, deadline=plan.deadline)
    try:
        return cast(Asset, await send_for_json(transport, call))
    except ConnectionError as error:
        error.upload_id = upload["uploadId"]
        raise


async def send_source(transport: Transport, source: Source, plan: UploadPlan) -> Upload:
    """Sends a file in chunks. Its `asset` is set if the account has these bytes."""
    upload = await _open_upload(transport, source, plan)
    upload_id = upload["uploadId"]
    if upload["asset"] is not None:
        return upload
    try:
        if not await _send_chunks(transport, source, upload, plan):
            # Links are valid for an hour: the second round has fresh ones.
            upload = await _read_upload(transport, upload_id, plan.deadline)
            if not await _send_chunks(transport, source, upload, plan):
                raise FileError("The chunks of the upload are refused.", code="chunk_refused")
        return upload
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
    if plan.declaration is not None:
        body["reuse"] = False  # the declaration is about a separate asset
    # An upload that is opened twice is harmless: one of them expires.
    call = Call("POST", "/api/v1/assets/uploads", body=body, is_safe=True, deadline=plan.deadline)
    return cast(Upload, await send_for_json(transport, call))


async def _read_upload(transport: Transport, upload_id: str, deadline: Deadline) -> Upload:
    call = Call("GET", "/api/v1/assets/uploads", {"uploadId": upload_id}, deadline=deadline)
    return cast(Upload, await send_for_json(transport, call))


async def _send_chunks(transport: Transport, source: Source, upload: Upload, plan: UploadPlan) -> bool:
    """Returns whether all of them were accepted."""
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


def _list_of(name: str, value: Any) -> Any:
    """The files of an input. None is the same as leaving it out."""
    if value is None:
        return []
    if isinstance(value, str) or is_file_like(value) or not isinstance(value, Iterable):
        raise FileError(f"{name} is a list of URLs and files.", code="not_a_list")
    files = list(value)
    for index, one in enumerate(files):
        if isinstance(one, str) and re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", one) is None:
            message = f"{name}[{index}] is neither a URL nor a file. For a file on this machine, give Path(...)."
            raise FileError(message, code="not_a_url")
    return files


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
            plan = UploadPlan(type, deadline=deadline)
            return self._remember(key, await upload_source(self._transport, source, plan))

    def _remember(self, key: tuple[AssetType, str], asset: Asset) -> Asset:
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

    async def take_files(
        self,
        inputs: Mapping[str, Any],
        deadline: Deadline,
        model: str | None,
        on_progress: Callable[[Any], object] | None,
    ) -> dict[str, Any]:
        """The inputs with every file replaced by the asset that it was uploaded as, and what tasks made by its name.

        A video that a task made is saved to the library first: that input takes assets only. Each is waited for
        until the model takes it; without a model, until it is stored.
        """
        taken = {name: _list_of(name, value) if name in FILE_INPUTS else value for name, value in inputs.items()}
        places = [
            (name, index)
            for name in taken.keys() & FILE_INPUTS.keys()
            for index, value in enumerate(taken[name])
            if name_of_made(value) is not None or is_file_like(value)
        ]

        def job(name: str, index: int) -> Callable[[], Any]:
            place = f"{name}[{index}]"
            return lambda: self._take(
                taken[name][index], FILE_INPUTS[name], place, deadline, model, on_progress
            )

        jobs = [job(name, index) for name, index in places]
        async with aclosing(self._transport.io.in_parallel(jobs, _CHUNKS_AT_ONCE)) as uploaded:
            async for done, url in uploaded:
                name, index = places[done]
                taken[name][index] = url
        return taken

    async def save(self, made: str, type: AssetType, deadline: Deadline) -> Asset:
        """The asset of an output, which the service has already. It is one, however often it is saved."""
        key = (type, made)
        async with self._locks.setdefault(key, self._transport.io.lock()):
            known = self._assets.get(key)
            if known is not None:
                with suppress(NotFoundError):  # it was deleted elsewhere
                    return await _read_asset(self._transport, known["assetId"], deadline)
            body = {"url": made, "type": type}
            call = Call("POST", "/api/v1/assets/upload", body=body, is_safe=True, deadline=deadline)
            return self._remember(key, cast(Asset, await send_for_json(self._transport, call)))

    async def _take(
        self,
        file: FileLike | Made | str,
        type: AssetType,
        place: str,
        deadline: Deadline,
        model: str | None,
        on_progress: Callable[[Any], object] | None,
    ) -> str:
        made = name_of_made(file)
        if made is not None and type != "VIDEO":
            return made
        deadline.begin("upload", f"The upload of {place}")
        await report(on_progress, file_progress("upload", place, None))
        if made is None:
            uploaded = await self.upload(cast(FileLike, file), type, deadline)
        else:
            uploaded = await self.save(made, type, deadline)

        async def on_wait(waiting: Asset) -> None:
            deadline.begin("review", f"The review of {place} (asset {waiting['assetId']})")
            await report(on_progress, file_progress("review", place, waiting["assetId"]))

        is_ready = is_stored if model is None else usable_for(model)
        asset = await wait_for_asset(self._transport, uploaded, deadline, is_ready, on_wait)
        if asset["status"] == "FAILED":
            self.forget(asset["upstreamAssetId"])
            reason = asset["failReason"] or "no reason was given"
            raise FileError(f"The file was refused: {reason}", code="file_refused")
        return f"asset://{asset['upstreamAssetId']}"


def is_reviewed(asset: Asset) -> bool:
    return asset["status"] != "PROCESSING"


def is_stored(asset: Asset) -> bool:
    return is_reviewed(asset) or asset["size"] is not None


def usable_for(model: str) -> Callable[[Asset], bool]:
    """Returns whether the model accepts it now. If it never will, the service says why."""
    return lambda asset: is_reviewed(asset) or (is_stored(asset) and model not in asset["usableAfterReview"])


async def wait_for_asset(
    transport: Transport,
    asset: Asset,
    deadline: Deadline,
    is_ready: Callable[[Asset], bool],
    on_wait: Callable[[Asset], Coroutine[Any, Any, None]] | None = None,
) -> Asset:
    """Waits until it is ready. `on_wait` is called once when it waits for its review."""
    delay = 0.25
    while not is_ready(asset):
        if on_wait is not None and is_stored(asset):
            await on_wait(asset)
            on_wait = None
        await rest(transport, delay, deadline)
        asset = await _read_asset(transport, asset["assetId"], deadline)
        delay = min(delay * 1.5, 10.0)
    return asset


async def _read_asset(transport: Transport, asset_id: int, deadline: Deadline) -> Asset:
    call = Call("GET", "/api/v1/assets/status", {"assetId": asset_id}, deadline=deadline)
    return cast(Asset, await send_for_json(transport, call))
