"""Many tasks, as many at once as the account may have."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, TypedDict, TypeVar

from ._io import Io
from .errors import ConcurrencyLimitError, OpenTasks, ZoetropeError

Value = TypeVar("Value")
Concurrency = int | Literal["account"]
# Reports the id of a created task and what the response says about open tasks.
Tell = Callable[[str, OpenTasks | None], None]
# Creates a task, reports it, and waits for its end.
BatchJob = Callable[[Tell], Coroutine[Any, Any, Value]]


class BatchProgress(TypedDict):
    """A state of one task of a batch; `index` is that of its request."""

    index: int
    taskId: str
    status: str


# The usual limit of an account, for services that do not report it.
_OPEN_TASKS_USUAL = 3
_RETRY_SECONDS = 5.0
# The blocking client needs a thread for each.
_AT_ONCE_MAX = 100


@dataclass(frozen=True)
class BatchResult(Generic[Value]):
    """The outcome of the request at `index`: a `task` or an `error`."""

    index: int
    task: Value | None = None
    error: Exception | None = None
    # None if it was not created.
    task_id: str | None = None

    @property
    def status(self) -> Literal["completed", "failed"]:
        return "completed" if self.error is None else "failed"


@dataclass
class _Place:
    """A task that was begun, and what had happened before."""

    answered_before: int
    ended_before: int
    is_open: bool = False


class _Room:
    """Counts how many tasks may be begun.

    The first create tells the account's limit; every further one tells how many tasks are open, of which
    those that are not ours take room away.
    """

    def __init__(self, concurrency: Concurrency) -> None:
        self._is_told = concurrency == "account"
        self._is_known = not self._is_told
        self._max = 1 if concurrency == "account" else concurrency
        self._others = 0
        self._recent: deque[int] = deque(maxlen=4)
        self._begun = 0
        self._answered = 0
        self._ended = 0
        self._over = 0  # those that got a response
        self.is_closed = False  # a create was refused: nothing is begun for a while
        self.is_left = False

    def has_room(self) -> bool:
        if self.is_left:
            return True
        return not self.is_closed and self._begun - self._ended < max(1, self._max - self._others)

    def begin(self) -> _Place:
        self._begun += 1
        return _Place(self._answered, self._ended)

    def note(self, told: OpenTasks | None, place: _Place, *, is_open: bool) -> None:
        if is_open and not place.is_open:
            place.is_open = True
            self._answered += 1
        if not self._is_told:
            return
        if told is not None:
            # While several creates are in flight, the response does not say which of ours it has counted.
            mine = 1 if is_open else 0
            fewest = max(0, place.answered_before - self._over) + mine
            most = self._begun - place.ended_before - 1 + mine
            count = told.max - told.left
            self._max = told.max
            # Nor does it say which of ours have just ended: one low count alone makes no room.
            self._recent.append(count - fewest)
            others = min(self._others, max(self._recent)) if self._is_known else count - fewest
            self._others = max(0, count - most, others)
        elif not self._is_known:
            self._max = _OPEN_TASKS_USUAL
        self._is_known = True

    def end(self, place: _Place) -> None:
        self._ended += 1
        self._over += 1 if place.is_open else 0


async def run_batch(
    io: Io, jobs: Sequence[BatchJob[Value]], concurrency: Concurrency
) -> AsyncGenerator[BatchResult[Value], None]:
    """Runs every job and yields each result as soon as it arrives. A failing job does not stop the others.

    The next one begins as soon as one is over, also while the caller is busy with a result. Where something
    else uses the account too, a job that finds no room waits for it.
    """
    if concurrency != "account" and concurrency < 1:
        raise ZoetropeError("concurrency is not a whole number above 0.")
    room, gate, waiting = _Room(concurrency), io.gate(), deque(range(len(jobs)))
    task_ids: dict[int, str] = {}

    def take() -> tuple[int, _Place] | None:
        if not room.has_room():
            return None
        return waiting.popleft() if waiting else -1, room.begin()

    def tell(index: int, place: _Place, task_id: str, told: OpenTasks | None) -> None:
        task_ids[index] = task_id
        gate.change(lambda: room.note(told, place, is_open=True))

    def put_back(index: int, place: _Place, error: ConcurrencyLimitError) -> None:
        room.note(error.open_tasks, place, is_open=False)
        room.is_closed = True
        waiting.appendleft(index)

    async def run_next() -> BatchResult[Value]:
        while True:
            index, place = await gate.enter(take)
            if room.is_left:
                raise ZoetropeError("The batch was left.", code="batch_left")
            try:
                task = await jobs[index](partial(tell, index, place))
                return BatchResult(index, task=task, task_id=task_ids.get(index))
            except ConcurrencyLimitError as error:
                gate.change(partial(put_back, index, place, error))
                pause = max(error.retry_after or 0, _RETRY_SECONDS)
            except Exception as error:
                return BatchResult(index, error=error, task_id=task_ids.get(index))
            finally:
                gate.change(partial(room.end, place))
            await io.sleep(pause)
            gate.change(partial(setattr, room, "is_closed", False))

    at_once = _AT_ONCE_MAX if concurrency == "account" else concurrency
    try:
        async with aclosing(io.in_parallel([run_next] * len(jobs), at_once)) as results:
            async for _, result in results:
                yield result
    finally:
        gate.change(partial(setattr, room, "is_left", True))
