"""The client of a Zoetrope service: video, image and upscaling tasks."""

from . import types, webhooks
from ._batch import BatchProgress, BatchResult
from ._client import Zoetrope
from ._core import AsyncZoetrope, RunOptions
from ._file_like import FileLike, Made
from ._outputs import (
    AsyncCompletedTask,
    AsyncCompletedUpscale,
    AsyncOutput,
    CompletedTask,
    CompletedUpscale,
    Output,
)
from ._progress import Created
from ._version import VERSION as __version__
from .errors import (
    ApiError,
    ConcurrencyLimitError,
    ConflictError,
    FileError,
    IdempotencyKeyReusedError,
    InsufficientCreditsError,
    InvalidParametersError,
    NotFoundError,
    OpenTasks,
    OutputError,
    RateLimitError,
    ServerError,
    TaskFailedError,
    UnauthorizedError,
    WebhookError,
    ZoetropeError,
)
from .errors import ConnectionError as ConnectionError
from .errors import PermissionError as PermissionError
from .errors import TimeoutError as TimeoutError

# Names of Python's own are left out: `import *` must not replace them.
__all__ = [
    "ApiError",
    "AsyncCompletedTask",
    "AsyncCompletedUpscale",
    "AsyncOutput",
    "AsyncZoetrope",
    "BatchProgress",
    "BatchResult",
    "CompletedTask",
    "CompletedUpscale",
    "ConcurrencyLimitError",
    "ConflictError",
    "Created",
    "FileError",
    "FileLike",
    "Made",
    "IdempotencyKeyReusedError",
    "InsufficientCreditsError",
    "InvalidParametersError",
    "NotFoundError",
    "OpenTasks",
    "Output",
    "OutputError",
    "RateLimitError",
    "RunOptions",
    "ServerError",
    "TaskFailedError",
    "UnauthorizedError",
    "WebhookError",
    "Zoetrope",
    "ZoetropeError",
    "__version__",
    "types",
    "webhooks",
]
