"""Waiting for a task, and following tasks."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from ._io import NoAnswerError
from ._sse import ServerEvent, read_server_events
from ._transport import Call, Deadline, Transport, backoff, lost, parse, refusal, request_of, rest, send
from .errors import ApiError, ConflictError, ConnectionError, RateLimitError, ServerError
from .types import Event, GenerationTask, UpscaleTask

TaskT = TypeVar("TaskT", GenerationTask, UpscaleTask)
Value = TypeVar("Value")

_WAIT_SECONDS = 50
# Failures in a row, with growing delays between them: about five minutes.
_FAILURES_MAX = 12
_FAILURE_DELAY_MAX = 30.0
# A retry may succeed: no response, a fault of the service, or too many requests.
_PASSING = (ConnectionError, ServerError, RateLimitError)
# Of a stream; the service sends a comment every 15 s.
_IDLE_SECONDS_MAX = 60.0


@dataclass(frozen=True)
class Followed(Generic[TaskT]):
    # The endpoint that returns the state.
    path: str
    task_id: str
    over: frozenset[str]

    def is_over(self, task: TaskT) -> bool:
        return task["status"] in self.over


def generation(task_id: str) -> Followed[GenerationTask]:
    return Followed("/api/v1/jobs/queryTask", task_id, frozenset({"COMPLETED", "FAILED"}))


def upscale(task_id: str) -> Followed[UpscaleTask]:
    return Followed("/api/v1/upscale/query", task_id, frozenset({"completed", "failed"}))


async def wait_for_task(
    transport: Transport,
    followed: Followed[TaskT],
    deadline: Deadline,
    on_progress: Callable[[TaskT], object] | None,
) -> TaskT:
    """Waits by long polling until the task has ended.

    Survives restarts of the service: only failures in a row for minutes end it.
    """
    deadline.begin("task", f"Task {followed.task_id}", followed.task_id)
    etag: str | None = None
    failures = refusals = 0
    while True:
        hold = min(_WAIT_SECONDS, max(1, math.ceil(deadline.left(_WAIT_SECONDS))))
        headers = {"prefer": f"wait={hold}", **({} if etag is None else {"if-none-match": etag})}
        call = Call("GET", followed.path, {"taskId": followed.task_id}, headers=headers)
        try:
            answer = await send(transport, replace(call, timeout=hold + 20.0, deadline=deadline))
            task = None if answer.status == 304 else cast(TaskT, parse(transport, call, answer))
        except _PASSING as error:
            failures += 1
            if failures > _FAILURES_MAX:
                raise
            await rest(transport, _pause_after(failures, error), deadline)
            continue
        failures = 0
        if task is not None:
            await report(on_progress, task)
            if followed.is_over(task):
                return task
            etag = answer.headers.get("etag")
        # Too many clients are waiting already: this one polls with growing delays.
        is_held = "preference-applied" in answer.headers or etag is None
        refusals = 0 if is_held else refusals + 1
        if refusals > 0:
            await rest(transport, 2 + backoff(refusals, 1, 20), deadline)


async def persist(transport: Transport, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
    """Retries transient failures for some minutes."""
    failures = 0
    while True:
        try:
            return await work()
        except (*_PASSING, ConflictError) as error:
            failures += 1
            is_passing = not isinstance(error, ConflictError) or error.code == "request_in_progress"
            if not is_passing or failures > _FAILURES_MAX:
                raise
            pause = _pause_after(failures, error)
        await transport.io.sleep(pause)


def _pause_after(failures: int, error: Exception) -> float:
    asked = (error.retry_after or 0) if isinstance(error, ApiError) else 0
    return min(asked, _FAILURE_DELAY_MAX) + backoff(failures, 0.5, _FAILURE_DELAY_MAX)


async def report(on_progress: Callable[[Any], object] | None, news: Any) -> None:
    """A function of the caller, or a coroutine function of one who uses asyncio."""
    if on_progress is not None:
        told = on_progress(news)
        if inspect.isawaitable(told):
            await told


def in_phase(on_progress: Callable[[Any], object] | None) -> Callable[[Any], object] | None:
    """Reports states of a task in the form that `run` uses after the files."""
    return None if on_progress is None else lambda task: on_progress({**task, "phase": "task"})


async def stream_task(transport: Transport, followed: Followed[TaskT]) -> AsyncGenerator[TaskT, None]:
    """Every state of a task until its last, as a stream that is opened again when it breaks."""
    call = Call("GET", followed.path, {"taskId": followed.task_id})
    async with aclosing(_stream(transport, call, None)) as events:
        async for event in events:
            task = cast(TaskT, json.loads(event.data))
            yield task
            if followed.is_over(task):
                return


async def follow_events(transport: Transport, after: int | None) -> AsyncGenerator[Event, None]:
    """Yields every task that finishes after the given number, or from now on. The stream does not end."""
    call = Call("GET", "/api/v1/events")
    async with aclosing(_stream(transport, call, None if after is None else str(after))) as events:
        async for event in events:
            if event.event == "status" and (news := json.loads(event.data))["number"] is not None:
                yield cast(Event, news)


async def _stream(transport: Transport, call: Call, last_id: str | None) -> AsyncGenerator[ServerEvent, None]:
    """Yields the events of a stream. Reopens it where it broke, until the service ends it."""
    failures = 0
    while True:
        try:
            async with aclosing(_read_once(transport, call, last_id)) as events:
                async for event in events:
                    if event is None:
                        return
                    failures = 0
                    last_id = event.id or last_id
                    yield event
            pause = backoff(failures, 0.5, _FAILURE_DELAY_MAX)
        except (NoAnswerError, ServerError, RateLimitError) as cause:
            failures += 1
            if failures > _FAILURES_MAX:
                if isinstance(cause, NoAnswerError):
                    raise lost(transport, call, cause) from cause
                raise
            pause = _pause_after(failures, cause)
        await transport.io.sleep(pause)


async def _read_once(
    transport: Transport, call: Call, last_id: str | None
) -> AsyncGenerator[ServerEvent | None, None]:
    """Yields the events of one connection; `None` if the stream is complete."""
    headers = {"accept": "text/event-stream", **({} if last_id is None else {"last-event-id": last_id})}
    request = request_of(transport, replace(call, headers=headers))
    async with transport.io.open(request, timeout=transport.timeout, idle=_IDLE_SECONDS_MAX) as answer:
        if answer.status == 204:
            yield None
            return
        if answer.status != 200:
            raise refusal(answer.status, answer.headers, await answer.read(), None)
        async with aclosing(read_server_events(answer.chunks())) as events:
            async for event in events:
                yield event
