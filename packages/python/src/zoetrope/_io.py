"""The I/O that the client needs, in a form that can be awaited or driven without an event loop.

All logic is written once, as coroutines over `Io`. With `SyncIo` none of them ever suspends, so that `drive`
runs them to their end in the calling thread.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, cast

import httpx

T = TypeVar("T")
Job = Callable[[], Coroutine[Any, Any, T]]

# Seconds beyond the limits of single steps, for responses that arrive byte by byte.
TRICKLE_SECONDS_MAX = 5.0


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: dict[str, str] = field(default_factory=dict, repr=False)  # the key is among them
    content: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: httpx.Headers
    body: bytes


class NoAnswerError(Exception):
    """No response, or an incomplete one."""

    def __init__(self, message: str, *, is_sent: bool) -> None:
        super().__init__(message)
        # False: the service cannot have seen the request.
        self.is_sent = is_sent


class OpenAnswer(Protocol):
    """A response whose body is read as it arrives."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> httpx.Headers: ...

    async def read(self) -> bytes: ...

    def chunks(self) -> AsyncIterator[bytes]: ...


class Gate(Protocol):
    """Where jobs wait for a state that they share."""

    async def enter(self, attempt: Callable[[], T | None]) -> T:
        """Returns the result of the attempt, which is repeated after every change until it has one."""
        ...

    def change(self, change: Callable[[], None]) -> None: ...


class Io(Protocol):
    async def exchange(self, request: Request, timeout: float) -> Answer: ...

    def open(
        self, request: Request, *, timeout: float, idle: float, follow: bool = False
    ) -> AbstractAsyncContextManager[OpenAnswer]: ...

    async def sleep(self, seconds: float) -> None: ...

    async def compute(self, work: Callable[[], T]) -> T:
        """Runs what would block an event loop: files and hashes."""
        ...

    def in_parallel(self, jobs: Sequence[Job[T]], at_once: int) -> AsyncGenerator[tuple[int, T], None]:
        """Yields the results with their indexes, as they arrive. The first failure ends the others."""
        ...

    def lock(self) -> AbstractAsyncContextManager[Any]: ...

    def gate(self) -> Gate: ...

    async def close(self) -> None: ...


def drive(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine over `SyncIo`."""
    try:
        work.send(None)
    except StopIteration as end:
        return cast(T, end.value)
    finally:
        work.close()
    raise RuntimeError("Only AsyncZoetrope takes coroutines.")


_NONE = object()


def iterate(items: AsyncGenerator[T, None]) -> Generator[T, None, None]:
    """The items of an asynchronous generator over `SyncIo`."""

    async def read() -> Any:
        return await anext(items, _NONE)

    try:
        while (item := drive(read())) is not _NONE:
            yield item
    finally:
        drive(_close(items))


async def _close(items: AsyncGenerator[Any, None]) -> None:
    await items.aclose()


def explain(cause: httpx.HTTPError | httpx.InvalidURL | httpx.StreamError) -> NoAnswerError:
    unsent = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
    is_sent = not isinstance(cause, (*unsent, httpx.InvalidURL))
    what = "was not answered in time" if isinstance(cause, httpx.TimeoutException) else "cannot be reached"
    reason = " ".join(str(cause).split())
    if "WRONG_VERSION_NUMBER" in reason:
        reason = "no TLS there: is it http?"
    return NoAnswerError(f"{what} ({reason})" if reason else what, is_sent=is_sent)


HTTP_FAILURES = (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError)
