"""The arguments of `on_progress` and `on_created` of `run`."""

from __future__ import annotations

from typing import Literal, TypedDict

from .types import GenerationTask, UpscaleTask


class FileProgress(TypedDict):
    """The progress of a file before its task is created."""

    phase: Literal["upload", "review"]
    status: Literal["UPLOADING", "REVIEWING"]
    # Such as `urls[0]`.
    input: str
    # None while it is uploaded.
    assetId: int | None
    taskId: None
    # Of the task.
    progress: int


class GenerationProgress(GenerationTask):
    """A state of the task."""

    phase: Literal["task"]


class UpscaleProgress(UpscaleTask):
    """A state of the upscale."""

    phase: Literal["task"]


class Created(TypedDict):
    """A created task. A call with the same key returns the same task."""

    taskId: str
    idempotencyKey: str


def file_progress(phase: Literal["upload", "review"], input: str, asset_id: int | None) -> FileProgress:
    status: Literal["UPLOADING", "REVIEWING"] = "UPLOADING" if phase == "upload" else "REVIEWING"
    return {"phase": phase, "status": status, "input": input, "assetId": asset_id, "taskId": None, "progress": 0}
