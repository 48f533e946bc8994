"""Every error that this package raises is a `ZoetropeError`."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .types import GenerationTask, UpscaleTask


class ZoetropeError(Exception):
    """Every error of this package. `code` is stable, for programs; the message says what to do."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "invalid_call",
        request_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        # From the response, for a report to the operator.
        self.request_id = request_id
        # From the call. Repeated with this key it runs at most once.
        self.idempotency_key = idempotency_key


@dataclass(frozen=True)
class OpenTasks:
    """How many open tasks the account can have, and how many more than it has."""

    max: int
    left: int


class ApiError(ZoetropeError):
    """The service refused the request."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "unknown",
        request_id: str | None = None,
        idempotency_key: str | None = None,
        status: int = 0,
        param: str | None = None,
        retry_after: float | None = None,
        open_tasks: OpenTasks | None = None,
    ) -> None:
        super().__init__(message, code=code, request_id=request_id, idempotency_key=idempotency_key)
        self.status = status
        # The path of the invalid field, such as `inputs.urls[2]`.
        self.param = param
        # Seconds that the service asks to wait before a retry.
        self.retry_after = retry_after
        self.open_tasks = open_tasks


class InvalidParametersError(ApiError):
    """400, 413, 415: the request is wrong; `param` names the field."""


class UnauthorizedError(ApiError):
    """401: the key is missing, unknown, revoked or expired."""


class InsufficientCreditsError(ApiError):
    """402: the account or the key cannot pay, or the price is above `max_credits`."""


class PermissionError(ApiError, builtins.PermissionError):
    """403: this key may not do it."""


class NotFoundError(ApiError):
    """404"""


class ConflictError(ApiError):
    """409: another request or task is in progress."""


class IdempotencyKeyReusedError(ApiError):
    """422: the idempotency key was used with another body."""


class ConcurrencyLimitError(ApiError):
    """429: the account has as many open tasks as it may. `batch` waits for room."""


class RateLimitError(ApiError):
    """429 for any other reason."""


class ServerError(ApiError):
    """5xx"""


class ConnectionError(ZoetropeError, builtins.ConnectionError):
    """No complete response arrived. With an `idempotency_key` the call can be repeated safely."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "no_answer",
        idempotency_key: str | None = None,
        upload_id: str | None = None,
    ) -> None:
        super().__init__(message, code=code, idempotency_key=idempotency_key)
        # Of an upload that was interrupted: with it, only what is missing is sent.
        self.upload_id = upload_id


class TimeoutError(ZoetropeError, builtins.TimeoutError):
    """The given `timeout` is over. A task continues: wait for its `task_id` again."""

    def __init__(
        self,
        message: str,
        *,
        task_id: str | None = None,
        idempotency_key: str | None = None,
        phase: Literal["upload", "review", "task"] = "task",
    ) -> None:
        super().__init__(message, code="timeout", idempotency_key=idempotency_key)
        # None while it was not created yet.
        self.task_id = task_id
        # What was not over.
        self.phase = phase


class TaskFailedError(ZoetropeError):
    """The task ended without a result. Nothing was charged."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "unknown",
        task: GenerationTask | UpscaleTask | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(message, code=code, idempotency_key=idempotency_key)
        self.task = task


class FileError(ZoetropeError):
    """A file cannot be uploaded, or was refused by its review; the message says why."""


class OutputError(ZoetropeError):
    """The file of an output is not available: its link has expired, or its media was deleted."""


class WebhookError(ZoetropeError):
    """A callback is not what the service signed, or is too old."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="webhook_invalid")


_BY_STATUS: dict[int, type[ApiError]] = {
    400: InvalidParametersError,
    401: UnauthorizedError,
    402: InsufficientCreditsError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidParametersError,
    415: InvalidParametersError,
    422: IdempotencyKeyReusedError,
    429: RateLimitError,
}


def kind_of(status: int, code: str) -> type[ApiError]:
    if code == "concurrency_limit":
        return ConcurrencyLimitError
    return _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
