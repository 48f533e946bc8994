"""The blocking client: the same calls, driven in the calling thread."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, Literal, Self, Unpack, overload

import httpx

from . import types as t
from . import webhooks
from ._batch import BatchResult, Concurrency
from ._core import Core, RunOptions, open_transport
from ._file_like import FileLike
from ._io import drive, iterate
from ._outputs import AsyncCompletedTask, CompletedTask, CompletedUpscale, Output
from ._resources import AsyncAssets, AsyncTasks, AsyncUpscales, TargetResolution
from ._sync_io import SyncIo


class Zoetrope:
    """The client of a Zoetrope service. It can be shared by threads."""

    webhooks = webhooks

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
        self.tasks = Tasks(self._core.tasks)
        self.upscales = Upscales(self._core.upscales)
        self.assets = Assets(self._core.assets)

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
    def run(self, model: Any, inputs: Any, **options: Unpack[RunOptions]) -> CompletedTask:
        """Creates a task, waits for its end and answers its files. Raises `TaskFailedError` if it failed."""
        return _completed(drive(self._core.run(model, inputs, **options)))

    def complete(self, task: t.GenerationTask) -> CompletedTask:
        """The files of a task that is over. Raises `TaskFailedError` if it failed."""
        return _completed(self._core.complete(task))

    def batch(
        self, requests: Sequence[t.TaskRequest], *, concurrency: Concurrency = "account"
    ) -> Generator[BatchResult[CompletedTask], None, None]:
        """Runs many tasks, as many at once as the account may have; answers each as soon as it is over."""
        for result in iterate(self._core.batch(requests, concurrency=concurrency)):
            task = None if result.task is None else _completed(result.task)
            yield BatchResult(result.index, task, result.error)

    def quote(self, request: t.TaskRequest, *, timeout: float | None = None) -> t.QuoteTaskAnswer:
        """What the task would cost. Creates nothing."""
        return drive(self._core.quote(request, timeout=timeout))

    def models(self, *, timeout: float | None = None) -> t.ListModelsAnswer:
        return drive(self._core.models(timeout=timeout))

    def credits(self, *, timeout: float | None = None) -> t.ReadCreditsAnswer:
        return drive(self._core.credits(timeout=timeout))

    def ledger(self, *, timeout: float | None = None, **query: Unpack[t.ReadLedgerQuery]) -> t.ReadLedgerAnswer:
        return drive(self._core.ledger(timeout=timeout, **query))

    def usage(self, *, timeout: float | None = None, **query: Unpack[t.ReadUsageQuery]) -> t.ReadUsageAnswer:
        """What ended tasks cost, by hour, day or month."""
        return drive(self._core.usage(timeout=timeout, **query))

    def keys(self, *, timeout: float | None = None, **query: Unpack[t.ListKeysQuery]) -> t.ListKeysAnswer:
        """A page of the account's API keys, newest first, with their limits and last use."""
        return drive(self._core.keys(timeout=timeout, **query))

    def events(self, after: int = 0, *, follow: bool = False) -> Generator[t.Event, None, None]:
        """The end of every task after the given number, in order. Keep the last `number`, and resume from it.

        Ends when there is none left; with `follow` it goes on with those to come.
        """
        return iterate(self._core.events(after, follow=follow))

    def close(self) -> None:
        drive(self._core._transport.io.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Tasks:
    """Tasks that generate videos and images."""

    def __init__(self, tasks: AsyncTasks) -> None:
        self._tasks = tasks

    def create(
        self, request: t.TaskRequest, *, idempotency_key: str | None = None, timeout: float | None = None
    ) -> t.CreateTaskAnswer:
        return drive(self._tasks.create(request, idempotency_key=idempotency_key, timeout=timeout))

    def get(self, task_id: str, *, timeout: float | None = None) -> t.GenerationTask:
        return drive(self._tasks.get(task_id, timeout=timeout))

    def wait(
        self,
        task_id: str,
        *,
        timeout: float | None = None,
        on_progress: Callable[[t.GenerationTask], object] | None = None,
    ) -> t.GenerationTask:
        """Until the task is over, or for `timeout` seconds."""
        return drive(self._tasks.wait(task_id, timeout=timeout, on_progress=on_progress))

    def stream(self, task_id: str) -> Generator[t.GenerationTask, None, None]:
        """Every state until the last."""
        return iterate(self._tasks.stream(task_id))

    def query(self, task_ids: Sequence[str], *, timeout: float | None = None) -> t.QueryTasksAnswer:
        """Up to 100 tasks of both kinds at once."""
        return drive(self._tasks.query(task_ids, timeout=timeout))

    def list(self, *, timeout: float | None = None, **query: Unpack[t.ListTasksQuery]) -> t.ListTasksAnswer:
        """A page of tasks of both kinds, newest first."""
        return drive(self._tasks.list(timeout=timeout, **query))

    def list_all(
        self, **query: Unpack[t.ListTasksQuery]
    ) -> Generator[t.ListedGenerationTask | t.ListedUpscaleTask, None, None]:
        """Every task that the filters let through, newest first."""
        return iterate(self._tasks.list_all(**query))

    def timeline(self, task_id: str, *, timeout: float | None = None) -> t.ReadTimelineAnswer:
        """What happened to a task and when, with waiting told apart from working."""
        return drive(self._tasks.timeline(task_id, timeout=timeout))

    def request(self, task_id: str, *, timeout: float | None = None) -> t.ReadRequestAnswer:
        """What a task was created with: inputs that make the same again."""
        return drive(self._tasks.request(task_id, timeout=timeout))

    def delete_media(self, task_id: str, *, timeout: float | None = None) -> t.DeleteMediaAnswer:
        return drive(self._tasks.delete_media(task_id, timeout=timeout))


class Upscales:
    """Tasks that upscale a video."""

    def __init__(self, upscales: AsyncUpscales) -> None:
        self._upscales = upscales

    def create(
        self,
        source: str | FileLike,
        target_resolution: TargetResolution,
        *,
        call_back_url: str | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> t.CreateUpscaleAnswer:
        """The source is a URL or a file."""
        return drive(
            self._upscales.create(
                source,
                target_resolution,
                call_back_url=call_back_url,
                max_credits=max_credits,
                idempotency_key=idempotency_key,
                timeout=timeout,
            )
        )

    def run(
        self,
        source: str | FileLike,
        target_resolution: TargetResolution,
        *,
        call_back_url: str | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        on_progress: Callable[[t.UpscaleTask], object] | None = None,
    ) -> CompletedUpscale:
        """Creates an upscale, waits for its end and answers its file. Raises `TaskFailedError` if it failed."""
        done = drive(
            self._upscales.run(
                source,
                target_resolution,
                call_back_url=call_back_url,
                max_credits=max_credits,
                idempotency_key=idempotency_key,
                timeout=timeout,
                on_progress=on_progress,
            )
        )
        return CompletedUpscale(done.task, Output(done.file))

    def get(self, task_id: str, *, timeout: float | None = None) -> t.UpscaleTask:
        return drive(self._upscales.get(task_id, timeout=timeout))

    def wait(
        self,
        task_id: str,
        *,
        timeout: float | None = None,
        on_progress: Callable[[t.UpscaleTask], object] | None = None,
    ) -> t.UpscaleTask:
        """Until the upscale is over, or for `timeout` seconds."""
        return drive(self._upscales.wait(task_id, timeout=timeout, on_progress=on_progress))

    def stream(self, task_id: str) -> Generator[t.UpscaleTask, None, None]:
        """Every state until the last."""
        return iterate(self._upscales.stream(task_id))


class Assets:
    """The asset library."""

    def __init__(self, assets: AsyncAssets) -> None:
        self._assets = assets

    def upload(
        self,
        file: FileLike,
        type: t.AssetType,
        *,
        name: str | None = None,
        on_progress: Callable[[float], object] | None = None,
        upload_id: str | None = None,
        timeout: float | None = None,
    ) -> t.Asset:
        """Sends a file in chunks and answers the asset, which is processed from then on.

        `on_progress` is called with the share that has arrived, 0 to 1. With the `upload_id` of an error it
        resumes that upload: only what is missing is sent.
        """
        return drive(
            self._assets.upload(
                file, type, name=name, on_progress=on_progress, upload_id=upload_id, timeout=timeout
            )
        )

    def fetch_url(
        self, url: str, type: t.AssetType, *, name: str | None = None, timeout: float | None = None
    ) -> t.Asset:
        """The service fetches the file."""
        return drive(self._assets.fetch_url(url, type, name=name, timeout=timeout))

    def get(self, asset_id: int | str, *, timeout: float | None = None) -> t.Asset:
        return drive(self._assets.get(asset_id, timeout=timeout))

    def wait(self, asset_id: int | str, *, timeout: float | None = None) -> t.Asset:
        """Until its review is over, or for `timeout` seconds."""
        return drive(self._assets.wait(asset_id, timeout=timeout))

    def list(self, *, timeout: float | None = None, **query: Unpack[t.ListAssetsQuery]) -> t.ListAssetsAnswer:
        """A page of assets, newest first."""
        return drive(self._assets.list(timeout=timeout, **query))

    def delete(self, asset_id: int | str, *, timeout: float | None = None) -> t.DeleteAssetAnswer:
        return drive(self._assets.delete(asset_id, timeout=timeout))


def _completed(done: AsyncCompletedTask) -> CompletedTask:
    return CompletedTask(done.task, [Output(file) for file in done.files])
