"""The files of tasks."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO

from ._io import NoAnswerError, Request, drive, iterate
from ._transport import Transport, backoff
from .errors import ConnectionError, OutputError, ServerError
from .types import GenerationTask, GenerationTaskOutput, UpscaleTask, UpscaleTaskResult

_IDLE_SECONDS_MAX = 60.0


@dataclass(frozen=True)
class AsyncOutput:
    """A stored file with ways to read it. Its link needs no key."""

    # Everything that the service returns about it.
    info: GenerationTaskOutput | UpscaleTaskResult
    _transport: Transport = field(repr=False)

    @property
    def url(self) -> str:
        return self.info["url"]

    @property
    def media_type(self) -> str:
        """Such as video/mp4 or image/png."""
        return self.info["mediaType"]

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """The bytes, as they arrive."""
        try:
            async with aclosing(self._read()) as chunks:
                async for chunk in chunks:
                    yield chunk
        except NoAnswerError as cause:
            raise ConnectionError(f"The file {cause}.", code="cut_off") from cause

    async def read(self) -> bytes:
        async with aclosing(self.stream()) as chunks:
            return b"".join([chunk async for chunk in chunks])

    async def download(self, path: str | os.PathLike[str]) -> None:
        """Writes the file. It is renamed when it is complete, so a file of that name is never partial."""
        part = f"{os.fspath(path)}.{uuid.uuid4().hex[:8]}.part"
        io = self._transport.io
        attempt = 0
        folder = os.path.dirname(os.path.abspath(part))
        await io.compute(lambda: os.makedirs(folder, exist_ok=True))  # what was paid is not lost for want of one
        try:
            while True:
                try:
                    with await io.compute(lambda: open(part, "wb")) as file:
                        await self._copy(file)
                    return await io.compute(partial(os.replace, part, path))
                except (NoAnswerError, ServerError) as cause:
                    if attempt == self._transport.retries_max:
                        raise ConnectionError(f"The file {cause}.", code="file_unavailable") from cause
                await io.sleep(backoff(attempt))
                attempt += 1
        finally:
            if os.path.exists(part):
                os.unlink(part)

    async def _copy(self, file: BinaryIO) -> None:
        async with aclosing(self._read()) as chunks:
            async for chunk in chunks:
                await self._transport.io.compute(partial(file.write, chunk))

    async def _read(self) -> AsyncGenerator[bytes, None]:
        request = Request("GET", self.url)
        timeout = self._transport.timeout
        async with self._transport.io.open(
            request, timeout=timeout, idle=_IDLE_SECONDS_MAX, follow=True
        ) as answer:
            if answer.status >= 500:
                raise ServerError(f"answers {answer.status}", status=answer.status)
            if answer.status != 200:
                hint = " The link has expired, or the media was deleted." if answer.status == 404 else ""
                raise OutputError(f"The file answers {answer.status}.{hint}", code="output_gone")
            async for chunk in answer.chunks():
                yield chunk


@dataclass(frozen=True)
class Output:
    """A stored file with ways to read it. Its link needs no key."""

    _output: AsyncOutput

    @property
    def info(self) -> GenerationTaskOutput | UpscaleTaskResult:
        """Everything that the service returns about it."""
        return self._output.info

    @property
    def url(self) -> str:
        return self._output.url

    @property
    def media_type(self) -> str:
        """Such as video/mp4 or image/png."""
        return self._output.media_type

    def stream(self) -> Generator[bytes, None, None]:
        """The bytes, as they arrive."""
        return iterate(self._output.stream())

    def read(self) -> bytes:
        return drive(self._output.read())

    def download(self, path: str | os.PathLike[str]) -> None:
        """Writes the file. It is renamed when it is complete, so a file of that name is never partial."""
        drive(self._output.download(path))


@dataclass(frozen=True)
class AsyncCompletedTask:
    task: GenerationTask
    files: list[AsyncOutput]

    @property
    def task_id(self) -> str:
        return self.task["taskId"]


@dataclass(frozen=True)
class CompletedTask:
    task: GenerationTask
    files: list[Output]

    @property
    def task_id(self) -> str:
        return self.task["taskId"]


@dataclass(frozen=True)
class AsyncCompletedUpscale:
    task: UpscaleTask
    file: AsyncOutput


@dataclass(frozen=True)
class CompletedUpscale:
    task: UpscaleTask
    file: Output


def upscaled(done: AsyncCompletedUpscale) -> CompletedUpscale:
    return CompletedUpscale(done.task, Output(done.file))
