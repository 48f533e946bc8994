"""Tasks, upscales and assets, written once over `Io`."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Literal, Unpack, cast

from . import types as t
from ._calls import Calls, after_seconds
from ._file_like import FileLike
from ._follow import generation, stream_task, upscale, wait_for_task
from ._outputs import AsyncCompletedUpscale, AsyncOutput
from ._transport import NO_DEADLINE, Call, Deadline
from ._upload import UploadPlan, is_file_like, open_source, upload_source, wait_for_asset
from .errors import TaskFailedError

TargetResolution = Literal["1080p", "2k", "4k"]


class AsyncTasks:
    """Tasks that generate videos and images."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def create(
        self, request: t.TaskRequest, *, idempotency_key: str | None = None, timeout: float | None = None
    ) -> t.CreateTaskAnswer:
        return await self._calls.create_task(request, idempotency_key, timeout, NO_DEADLINE)

    async def get(self, task_id: str, *, timeout: float | None = None) -> t.GenerationTask:
        query = {"task_id": task_id}
        return cast(t.GenerationTask, await self._calls.get("/api/v1/jobs/queryTask", query, timeout))

    async def wait(
        self,
        task_id: str,
        *,
        timeout: float | None = None,
        on_progress: Callable[[t.GenerationTask], object] | None = None,
    ) -> t.GenerationTask:
        """Until the task is over, or for `timeout` seconds."""
        deadline = after_seconds(timeout, f"Task {task_id}")
        return await wait_for_task(self._calls.transport, generation(task_id), deadline, on_progress)

    def stream(self, task_id: str) -> AsyncGenerator[t.GenerationTask, None]:
        """Every state until the last."""
        return stream_task(self._calls.transport, generation(task_id))

    async def query(self, task_ids: Sequence[str], *, timeout: float | None = None) -> t.QueryTasksAnswer:
        """Up to 100 tasks of both kinds at once."""
        body = {"taskIds": list(task_ids)}
        call = Call("POST", "/api/v1/jobs/query", body=body, is_safe=True, timeout=timeout)
        return cast(t.QueryTasksAnswer, await self._calls.send(call))

    async def list(self, *, timeout: float | None = None, **query: Unpack[t.ListTasksQuery]) -> t.ListTasksAnswer:
        """A page of tasks of both kinds, newest first."""
        return cast(t.ListTasksAnswer, await self._calls.get("/api/v1/jobs/list", query, timeout))

    async def list_all(
        self, **query: Unpack[t.ListTasksQuery]
    ) -> AsyncGenerator[t.ListedGenerationTask | t.ListedUpscaleTask, None]:
        """Every task that the filters let through, newest first."""
        while True:
            page = await self.list(**query)
            for task in page["items"]:
                yield task
            if page["nextCursor"] is None:
                return
            query["cursor"] = page["nextCursor"]

    async def timeline(self, task_id: str, *, timeout: float | None = None) -> t.ReadTimelineAnswer:
        """What happened to a task and when, with waiting told apart from working."""
        query = {"task_id": task_id}
        return cast(t.ReadTimelineAnswer, await self._calls.get("/api/v1/jobs/timeline", query, timeout))

    async def request(self, task_id: str, *, timeout: float | None = None) -> t.ReadRequestAnswer:
        """What a task was created with: inputs that make the same again."""
        query = {"task_id": task_id}
        return cast(t.ReadRequestAnswer, await self._calls.get("/api/v1/jobs/request", query, timeout))

    async def delete_media(self, task_id: str, *, timeout: float | None = None) -> t.DeleteMediaAnswer:
        call = Call("DELETE", "/api/v1/jobs/media", {"taskId": task_id}, timeout=timeout)
        return cast(t.DeleteMediaAnswer, await self._calls.send(call))


class AsyncUpscales:
    """Tasks that upscale a video."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def create(
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
        body = {
            "source": await self._source(source, NO_DEADLINE),
            "targetResolution": target_resolution,
            "callBackUrl": call_back_url,
            "maxCredits": max_credits,
        }
        answer = await self._calls.create("/api/v1/upscale/create", body, idempotency_key, timeout)
        return cast(t.CreateUpscaleAnswer, answer)

    async def run(
        self,
        source: str | FileLike,
        target_resolution: TargetResolution,
        *,
        call_back_url: str | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        on_progress: Callable[[t.UpscaleTask], object] | None = None,
    ) -> AsyncCompletedUpscale:
        """Creates an upscale, waits for its end and answers its file. Raises `TaskFailedError` if it failed."""
        deadline = after_seconds(timeout, "The upscale")
        body = {
            "source": await self._source(source, deadline),
            "targetResolution": target_resolution,
            "callBackUrl": call_back_url,
            "maxCredits": max_credits,
        }
        key = idempotency_key or str(uuid.uuid4())
        created = await self._calls.create("/api/v1/upscale/create", body, key, None, deadline)
        transport = self._calls.transport
        task = await wait_for_task(transport, upscale(created["taskId"]), deadline, on_progress)
        if task["result"] is None:
            error = task["error"] or {"code": "unknown", "message": f"The upscale is {task['status']}."}
            raise TaskFailedError(error["message"], code=error["code"], task=task, idempotency_key=key)
        return AsyncCompletedUpscale(task, AsyncOutput(task["result"], transport))

    async def get(self, task_id: str, *, timeout: float | None = None) -> t.UpscaleTask:
        query = {"task_id": task_id}
        return cast(t.UpscaleTask, await self._calls.get("/api/v1/upscale/query", query, timeout))

    async def wait(
        self,
        task_id: str,
        *,
        timeout: float | None = None,
        on_progress: Callable[[t.UpscaleTask], object] | None = None,
    ) -> t.UpscaleTask:
        """Until the upscale is over, or for `timeout` seconds."""
        deadline = after_seconds(timeout, f"Task {task_id}")
        return await wait_for_task(self._calls.transport, upscale(task_id), deadline, on_progress)

    def stream(self, task_id: str) -> AsyncGenerator[t.UpscaleTask, None]:
        """Every state until the last."""
        return stream_task(self._calls.transport, upscale(task_id))

    async def _source(self, source: str | FileLike, deadline: Deadline) -> dict[str, str]:
        if isinstance(source, str) or not is_file_like(source):
            return {"type": "url", "url": cast(str, source)}
        asset = await self._calls.files.upload(source, "VIDEO", deadline)
        return {"type": "uploadId", "storageUrl": asset["storageUrl"]}


class AsyncAssets:
    """The asset library."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def upload(
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
        transport = self._calls.transport
        source = await transport.io.compute(lambda: open_source(file))
        deadline = after_seconds(timeout, "The upload")
        plan = UploadPlan(type, name, upload_id, on_progress, deadline)
        return await upload_source(transport, source, plan)

    async def fetch_url(
        self, url: str, type: t.AssetType, *, name: str | None = None, timeout: float | None = None
    ) -> t.Asset:
        """The service fetches the file."""
        body = {"url": url, "type": type, **({} if name is None else {"name": name})}
        call = Call("POST", "/api/v1/assets/upload", body=body, timeout=timeout)
        return cast(t.Asset, await self._calls.send(call))

    async def get(self, asset_id: int | str, *, timeout: float | None = None) -> t.Asset:
        return cast(t.Asset, await self._calls.get("/api/v1/assets/status", {"asset_id": asset_id}, timeout))

    async def wait(self, asset_id: int | str, *, timeout: float | None = None) -> t.Asset:
        """Until its review is over, or for `timeout` seconds."""
        deadline = after_seconds(timeout, f"The review of asset {asset_id}")
        return await wait_for_asset(self._calls.transport, await self.get(asset_id), deadline)

    async def list(
        self, *, timeout: float | None = None, **query: Unpack[t.ListAssetsQuery]
    ) -> t.ListAssetsAnswer:
        """A page of assets, newest first."""
        return cast(t.ListAssetsAnswer, await self._calls.get("/api/v1/assets/list", query, timeout))

    async def delete(self, asset_id: int | str, *, timeout: float | None = None) -> t.DeleteAssetAnswer:
        call = Call("DELETE", "/api/v1/assets", {"assetId": asset_id}, timeout=timeout)
        answer = cast(t.DeleteAssetAnswer, await self._calls.send(call))
        self._calls.files.forget(answer["upstreamAssetId"])
        return answer
