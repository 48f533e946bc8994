"""Input and output on asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

import httpx

from ._io import (
    HTTP_FAILURES,
    TRICKLE_SECONDS_MAX,
    Answer,
    Job,
    NoAnswerError,
    OpenAnswer,
    Request,
    explain,
)

T = TypeVar("T")


class AsyncIo:
    def __init__(self, client: httpx.AsyncClient | None) -> None:
        # Waiting takes a connection each: a limit would make them wait for one another.
        self._client = client or httpx.AsyncClient(limits=httpx.Limits(max_connections=None))
        self._is_own = client is None

    def _build(self, request: Request, timeout: httpx.Timeout) -> httpx.Request:
        return self._client.build_request(
            request.method, request.url, headers=request.headers, content=request.content, timeout=timeout
        )

    async def exchange(self, request: Request, timeout: float) -> Answer:
        try:
            async with asyncio.timeout(timeout + TRICKLE_SECONDS_MAX):
                built = self._build(request, httpx.Timeout(timeout))
                response = await self._client.send(built, follow_redirects=False)
                return Answer(response.status_code, response.headers, response.content)
        except HTTP_FAILURES as cause:
            raise explain(cause) from cause
        except TimeoutError as cause:
            raise NoAnswerError("was not answered in time", is_sent=True) from cause

    @asynccontextmanager
    async def open(
        self, request: Request, *, timeout: float, idle: float, follow: bool = False
    ) -> AsyncIterator[OpenAnswer]:
        try:
            built = self._build(request, httpx.Timeout(timeout, read=idle))
            response = await self._client.send(built, stream=True, follow_redirects=follow)
        except HTTP_FAILURES as cause:
            raise explain(cause) from cause
        try:
            yield _AsyncAnswer(response)
        finally:
            await response.aclose()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def compute(self, work: Callable[[], T]) -> T:
        return await asyncio.to_thread(work)

    async def in_parallel(self, jobs: Sequence[Job[T]], at_once: int) -> AsyncGenerator[tuple[int, T], None]:
        results: asyncio.Queue[tuple[int, T | None, Exception | None]] = asyncio.Queue()
        waiting = iter(enumerate(jobs))

        async def work() -> None:
            for index, job in waiting:
                try:
                    results.put_nowait((index, await job(), None))
                except Exception as error:
                    results.put_nowait((index, None, error))

        workers = [asyncio.create_task(work()) for _ in range(min(at_once, len(jobs)))]
        try:
            for _ in jobs:
                index, value, error = await results.get()
                if error is not None:
                    raise error
                yield index, value  # type: ignore[misc]
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    def lock(self) -> asyncio.Lock:
        return asyncio.Lock()

    def gate(self) -> _AsyncGate:
        return _AsyncGate()

    async def close(self) -> None:
        if self._is_own:
            await self._client.aclose()


class _AsyncGate:
    def __init__(self) -> None:
        self._changed = asyncio.Event()

    async def enter(self, attempt: Callable[[], T | None]) -> T:
        while (given := attempt()) is None:
            await self._changed.wait()
        return given

    def change(self, change: Callable[[], None]) -> None:
        change()
        self._changed.set()
        self._changed = asyncio.Event()


class _AsyncAnswer:
    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.status = response.status_code
        self.headers = response.headers

    async def read(self) -> bytes:
        try:
            return await self._response.aread()
        except HTTP_FAILURES as cause:
            raise explain(cause) from cause

    async def chunks(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._response.aiter_bytes():
                yield chunk
        except HTTP_FAILURES as cause:
            raise explain(cause) from cause
