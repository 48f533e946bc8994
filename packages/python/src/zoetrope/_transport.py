"""One call to the service: attempts, retries and errors."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Any, Literal
from urllib.parse import urlencode

import httpx

from ._io import Answer, Io, NoAnswerError, Request
from ._version import VERSION
from .errors import ApiError, ConnectionError, OpenTasks, TimeoutError, kind_of

# Above this the call does not wait: the error says how long to wait.
_RETRY_AFTER_MAX = 60.0
# Refusals that come before anything is done, whatever the call.
_REFUSED_BEFORE = frozenset({"rate_limited", "too_many_requests", "too_many_streams"})


@dataclass(frozen=True)
class Transport:
    io: Io
    base_url: str
    api_key: str = field(repr=False)
    timeout: float
    retries_max: int


Phase = Literal["upload", "review", "task"]


class Deadline:
    """Until when something may take, for all of its calls and pauses together."""

    def __init__(
        self, seconds: float | None, what: str, phase: Phase = "task", idempotency_key: str | None = None
    ) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds
        self._seconds = seconds
        self._what = what
        self._phase: Phase = phase
        self._task_id: str | None = None
        # Of the task that all of it is for.
        self._idempotency_key = idempotency_key

    def begin(self, phase: Phase, what: str, task_id: str | None = None) -> None:
        """Sets what is waited for from now on."""
        self._phase, self._what, self._task_id = phase, what, task_id

    def left(self, seconds: float, idempotency_key: str | None = None) -> float:
        """Returns this number of seconds, or the remaining time if that is less."""
        if self._end is None:
            return seconds
        left = self._end - time.monotonic()
        if left <= 0:
            key = idempotency_key or self._idempotency_key
            hint = "" if self._task_id is None else " It is still running: wait for it again."
            if self._task_id is None and key is not None:
                hint = " Repeat the call with the same idempotency_key: what was sent is not sent again."
            message = f"{self._what} is not over after {self._seconds} s.{hint}"
            raise TimeoutError(message, task_id=self._task_id, idempotency_key=key, phase=self._phase)
        return min(seconds, left)


NO_DEADLINE = Deadline(None, "")


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    idempotency_key: str | None = None
    # A POST that can be repeated: it runs at most once.
    is_safe: bool = False
    # Of one attempt.
    timeout: float | None = None
    deadline: Deadline = NO_DEADLINE

    @property
    def is_repeatable(self) -> bool:
        return self.is_safe or self.method in ("GET", "DELETE") or self.idempotency_key is not None


async def send(transport: Transport, call: Call) -> Answer:
    """Sends a request and answers its response, which is 2xx or 304.

    A call is repeated only if it has no effect, has an idempotency key, or was refused or lost before
    anything was done.
    """
    attempt = 0
    while True:
        is_last = attempt >= transport.retries_max
        try:
            answer = await _attempt(transport, call)
        except NoAnswerError as cause:
            call.deadline.left(0, call.idempotency_key)
            if is_last or (cause.is_sent and not call.is_repeatable):
                raise lost(transport, call, cause) from cause
            pause = backoff(attempt)
        else:
            if 200 <= answer.status < 300 or answer.status == 304:
                return answer
            error = refusal(answer.status, answer.headers, answer.body, call.idempotency_key)
            asked = error.retry_after or 0
            if is_last or not _may_repeat(call, error) or asked > _RETRY_AFTER_MAX:
                raise error
            pause = asked + backoff(attempt)
        await rest(transport, pause, call.deadline, call.idempotency_key)
        attempt += 1


async def send_for_json(transport: Transport, call: Call) -> Any:
    return parse(transport, call, await send(transport, call))


def parse(transport: Transport, call: Call, answer: Answer) -> Any:
    try:
        return json.loads(answer.body)
    except ValueError as cause:
        message = f"{call.path} did not answer JSON. Is {transport.base_url} the service?"
        raise ConnectionError(message, code="not_json", idempotency_key=call.idempotency_key) from cause


async def rest(
    transport: Transport, seconds: float, deadline: Deadline, idempotency_key: str | None = None
) -> None:
    """Waits, at most until the deadline, which then raises."""
    await transport.io.sleep(deadline.left(seconds, idempotency_key))
    deadline.left(0, idempotency_key)


def lost(transport: Transport, call: Call, cause: NoAnswerError) -> ConnectionError:
    message = f"{transport.base_url}{call.path} {cause}."
    return ConnectionError(message, idempotency_key=call.idempotency_key)


async def _attempt(transport: Transport, call: Call) -> Answer:
    timeout = transport.timeout if call.timeout is None else call.timeout
    return await transport.io.exchange(
        request_of(transport, call), call.deadline.left(timeout, call.idempotency_key)
    )


def request_of(transport: Transport, call: Call) -> Request:
    given = {name: _text(value) for name, value in call.query.items() if value is not None}
    query = f"?{urlencode(given)}" if given else ""
    headers = {
        "authorization": f"Bearer {transport.api_key}",
        "user-agent": f"zoetrope-python/{VERSION}",
        **call.headers,
    }
    if call.idempotency_key is not None:
        headers["idempotency-key"] = call.idempotency_key
    request = Request(call.method, f"{transport.base_url}{call.path}{query}", headers)
    if call.body is None:
        return request
    content = json.dumps(call.body, allow_nan=False).encode()
    return replace(request, content=content, headers={**headers, "content-type": "application/json"})


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _may_repeat(call: Call, error: ApiError) -> bool:
    if error.code in _REFUSED_BEFORE:
        return True
    is_passing = error.status >= 500 or error.status == 408 or error.code == "request_in_progress"
    return is_passing and call.is_repeatable


def refusal(status: int, headers: httpx.Headers, body: bytes, idempotency_key: str | None) -> ApiError:
    try:
        told = json.loads(body)
    except ValueError:
        told = None
    texts = {name: text for name, text in told.items() if isinstance(text, str)} if isinstance(told, dict) else {}
    code = texts.get("code", "unknown")
    return kind_of(status, code)(
        texts.get("message", f"The service answered {status}."),
        status=status,
        code=code,
        request_id=texts.get("requestId", headers.get("x-request-id")),
        param=texts.get("param"),
        retry_after=_retry_after(headers.get("retry-after")),
        idempotency_key=idempotency_key,
        open_tasks=read_open_tasks(headers),
    )


def read_open_tasks(headers: httpx.Headers) -> OpenTasks | None:
    """Of `"open-tasks";q=3` in RateLimit-Policy and `"open-tasks";r=1` in RateLimit."""
    most = re.search(r'"open-tasks";q=(\d{1,9})', headers.get("ratelimit-policy", ""))
    left = re.search(r'"open-tasks";r=(\d{1,9})', headers.get("ratelimit", ""))
    return OpenTasks(int(most[1]), int(left[1])) if most and left else None


def _retry_after(text: str | None) -> float | None:
    """Seconds, or a date."""
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def backoff(attempt: int, base: float = 0.5, longest: float = 8.0) -> float:
    """Full jitter: anything from nothing to the whole of a delay that doubles."""
    return random.random() * min(longest, base * 2.0**attempt)
