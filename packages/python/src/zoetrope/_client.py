"""The blocking client: the same calls, driven in the calling thread."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Literal, Self, Unpack, overload

import httpx

from . import types as t
from ._batch import BatchProgress, BatchResult, Concurrency
from ._blocking import Assets, BlockingCore, Keys, Tasks, Upscales, Webhooks
from ._core import BatchOptions, Core, RunOptions, open_transport
from ._io import drive, iterate
from ._outputs import AsyncCompletedTask, CompletedTask, CompletedUpscale, Output, upscaled
from ._progress import Created, FileProgress, GenerationProgress
from ._sync_io import SyncIo


class Zoetrope(BlockingCore):
    """The client of a Zoetrope service. It can be shared by threads."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        retries_max: int = 2,
        http_client: httpx.Client | None = None,
    ) -> None:
        """`timeout` is that of one attempt. Without a URL or key, those of ZOETROPE_BASE_URL and ZOETROPE_API_KEY."""
        self._core = Core(open_transport(lambda: SyncIo(http_client), base_url, api_key, timeout, retries_max))
        super().__init__(self._core)
        self.tasks = Tasks(self._core.tasks)
        self.upscales = Upscales(self._core.upscales)
        self.assets = Assets(self._core.assets)
        self.keys = Keys(self._core.keys)
        self.webhooks = Webhooks(self._core.webhooks)

    @overload
    def run(self, model: Literal["sd2"], inputs: t.Sd2Inputs, **options: Unpack[RunOptions]) -> CompletedTask: ...
    @overload
    def run(
        self, model: Literal["sd2-fast"], inputs: t.Sd2FastInputs, **options: Unpack[RunOptions]
    ) -> CompletedTask: ...
    @overload
    def run(
        self, model: Literal["happyhorse"], inputs: t.HappyhorseInputs, **options: Unpack[RunOptions]
    ) -> CompletedTask: ...
    @overload
    def run(
        self, model: Literal["image-pro-2"], inputs: t.ImagePro2Inputs, **options: Unpack[RunOptions]
    ) -> CompletedTask: ...
    @overload
    def run(
        self, model: Literal["image-plus-2"], inputs: t.ImagePlus2Inputs, **options: Unpack[RunOptions]
    ) -> CompletedTask: ...
    @overload
    def run(
        self, model: t.AnyModel, inputs: Mapping[str, Any], **options: Unpack[RunOptions]
    ) -> CompletedTask: ...
    def run(
        self,
        model: Any,
        inputs: Any,
        *,
        call_back_url: str | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        on_progress: Callable[[GenerationProgress | FileProgress], object] | None = None,
        on_created: Callable[[Created], object] | None = None,
    ) -> CompletedTask:
        """Creates a task, waits for its end and answers its files. Raises `TaskFailedError` if it failed."""
        done = self._core.run(
            model,
            inputs,
            call_back_url=call_back_url,
            max_credits=max_credits,
            idempotency_key=idempotency_key,
            timeout=timeout,
            on_progress=on_progress,
            on_created=on_created,
        )
        return _completed(drive(done))

    def complete(self, task: t.GenerationTask) -> CompletedTask:
        """The files of a task that is over. Raises `TaskFailedError` if it failed."""
        return _completed(self._core.complete(task))

    @overload
    def batch(
        self, requests: Sequence[t.TaskRequest], **options: Unpack[BatchOptions]
    ) -> Generator[BatchResult[CompletedTask], None, None]: ...
    @overload
    def batch(
        self, requests: Sequence[t.UpscaleRequest], **options: Unpack[BatchOptions]
    ) -> Generator[BatchResult[CompletedUpscale], None, None]: ...
    @overload
    def batch(
        self, requests: Sequence[t.TaskRequest | t.UpscaleRequest], **options: Unpack[BatchOptions]
    ) -> Generator[BatchResult[CompletedTask | CompletedUpscale], None, None]: ...
    def batch(
        self,
        requests: Sequence[Any],
        *,
        concurrency: Concurrency = "account",
        idempotency_key: str | None = None,
        on_progress: Callable[[BatchProgress], object] | None = None,
    ) -> Generator[BatchResult[Any], None, None]:
        """Runs many tasks, of both kinds, as many at once as the account may have; answers each as soon as it is over.

        `idempotency_key` is of the whole batch: repeated with it after a restart, in the same order, no task is
        made twice. A request can have its own as `idempotencyKey`.
        """
        results = self._core.batch(
            requests, concurrency=concurrency, idempotency_key=idempotency_key, on_progress=on_progress
        )
        for result in iterate(results):
            task = result.task
            done: CompletedTask | CompletedUpscale | None = None
            if task is not None:
                done = _completed(task) if isinstance(task, AsyncCompletedTask) else upscaled(task)
            yield BatchResult(result.index, done, result.error, result.task_id)

    def close(self) -> None:
        drive(self._core._transport.io.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _completed(done: AsyncCompletedTask) -> CompletedTask:
    return CompletedTask(done.task, [Output(file) for file in done.files])
