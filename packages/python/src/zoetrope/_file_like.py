"""What can be given where a file is expected."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import BinaryIO, Protocol, Union

# A path, the bytes, or a file that is open for reading in binary mode. A `str` is always a URL.
FileLike = Union["os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]


class _MadeTask(Protocol):
    @property
    def task(self) -> Mapping[str, object]: ...


class _MadeFile(Protocol):
    @property
    def url(self) -> str: ...

    @property
    def media_type(self) -> str: ...


# What a task has made: the task, whose first output it is unless it has an `index`, or one of its files.
# Nothing is uploaded.
Made = Union[_MadeTask, _MadeFile, Mapping[str, object]]


def name_of_made(value: object) -> str | None:
    """Returns the reference for the service: `task://<taskId>/0`, or its link. None for anything else."""
    if isinstance(value, str):
        return value if value.startswith("task://") else None
    told = getattr(value, "task", value)
    if isinstance(told, Mapping):
        task_id, url = told.get("taskId"), told.get("url") if "mediaType" in told else None
        if isinstance(task_id, str):
            return f"task://{task_id}/{told.get('index') or 0}"
        return url if isinstance(url, str) else None
    url = getattr(value, "url", None) if hasattr(value, "media_type") else None
    return url if isinstance(url, str) else None
