"""Blocking input and output. Nothing here ever suspends."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
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
    drive,
    explain,
)

T = TypeVar("T")


class _StoppedError(Exception):
    """The result of this thread is no longer needed."""


class SyncIo:
    def __init__(self, client: httpx.Client | None) -> None:
        # Waiting takes a connection each: a limit would make them wait for one another.
        self._client = client or httpx.Client(limits=httpx.Limits(max_connections=None))
        self._is_own = client is None
        self._thread = threading.local()

    def _build(self, request: Request, timeout: httpx.Timeout) -> httpx.Request:
        self._check()
        return self._client.build_request(
            request.method, request.url, headers=request.headers, content=request.content, timeout=timeout
        )

    async def exchange(self, request: Request, timeout: float) -> Answer:
        end = time.monotonic() + timeout + TRICKLE_SECONDS_MAX
        try:
            built = self._build(request, httpx.Timeout(timeout))
            response = self._client.send(built, stream=True, follow_redirects=False)
            try:
                body = b"".join(_until(end, response.iter_bytes()))
            finally:
                response.close()
            return Answer(response.status_code, response.headers, body)
        except HTTP_FAILURES as cause:
            raise explain(cause) from cause

    @asynccontextmanager
    async def open(
        self, request: Request, *, timeout: float, idle: float, follow: bool = False
    ) -> AsyncIterator[OpenAnswer]:
        try:
            built = self._build(request, httpx.Timeout(timeout, read=idle))
            response = self._client.send(built, stream=True, follow_redirects=follow)
        except HTTP_FAILURES as cause:
            raise explain(cause) from cause
        try:
            yield _SyncAnswer(response)
        finally:
            response.close()

    async def sleep(self, seconds: float) -> None:
        stop = getattr(self._thread, "stop", None)
        if stop is None:
            time.sleep(seconds)
        else:
            stop.wait(seconds)
        self._check()

    async def compute(self, work: Callable[[], T]) -> T:
        return work()

    async def in_parallel(self, jobs: Sequence[Job[T]], at_once: int) -> AsyncGenerator[tuple[int, T], None]:
        if len(jobs) == 1 or at_once == 1:
            for index, job in enumerate(jobs):
                yield index, await job()
            return
        results: queue.SimpleQueue[tuple[int, T | None, BaseException | None]] = queue.SimpleQueue()
        waiting: queue.SimpleQueue[tuple[int, Job[T]]] = queue.SimpleQueue()
        for numbered in enumerate(jobs):
            waiting.put(numbered)
        stop = threading.Event()

        def work() -> None:
            self._thread.stop = stop
            while not stop.is_set():
                try:
                    index, job = waiting.get_nowait()
                except queue.Empty:
                    return
                try:
                    results.put((index, drive(job()), None))
                except BaseException as error:
                    results.put((index, None, error))

        # Daemons: an interrupted program does not wait for tasks that it has started.
        for _ in range(min(at_once, len(jobs))):
            threading.Thread(target=work, name="zoetrope", daemon=True).start()
        try:
            for _ in jobs:
                index, value, error = results.get()
                if error is not None:
                    raise error
                yield index, value  # type: ignore[misc]
        finally:
            stop.set()

    def lock(self) -> _SyncLock:
        return _SyncLock()

    def gate(self) -> _SyncGate:
        return _SyncGate()

    async def close(self) -> None:
        if self._is_own:
            self._client.close()

    def _check(self) -> None:
        stop = getattr(self._thread, "stop", None)
        if stop is not None and stop.is_set():
            raise _StoppedError


class _SyncAnswer:
    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.status = response.status_code
        self.headers = response.headers

    async def read(self) -> bytes:
        try:
            return self._response.read()
        except HTTP_FAILURES as cause:
            raise explain(cause) from cause

    async def chunks(self) -> AsyncIterator[bytes]:
        try:
            for chunk in self._response.iter_bytes():
                yield chunk
        except HTTP_FAILURES as cause:
            raise explain(cause) from cause


class _SyncLock:
    def __init__(self) -> None:
        self._lock = threading.Lock()

    async def __aenter__(self) -> None:
        self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()


class _SyncGate:
    def __init__(self) -> None:
        self._changed = threading.Condition()

    async def enter(self, attempt: Callable[[], T | None]) -> T:
        with self._changed:
            while (given := attempt()) is None:
                self._changed.wait()
            return given

    def change(self, change: Callable[[], None]) -> None:
        with self._changed:
            change()
            self._changed.notify_all()


def _until(end: float, chunks: Iterator[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        yield chunk
        if time.monotonic() > end:
            raise NoAnswerError("was not answered in time", is_sent=True)
