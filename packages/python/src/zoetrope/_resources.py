"""Tasks, upscales and assets, written once over `Io`."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, cast

from . import types as t
from . import webhooks
from ._batch import Tell
from ._calls import Calls, after_seconds
from ._file_like import FileLike, Made, name_of_made
from ._follow import generation, in_phase, report, stream_task, upscale, wait_for_task
from ._outputs import AsyncCompletedUpscale, AsyncOutput
from ._progress import Created, FileProgress, UpscaleProgress, file_progress
from ._transport import NO_DEADLINE, Call, Deadline
from ._upload import (
    UploadPlan,
    is_file_like,
    is_reviewed,
    open_source,
    send_source,
    upload_source,
    usable_for,
    wait_for_asset,
)
from .errors import OutputError, TaskFailedError, ZoetropeError

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
        """Waits until the task has ended, for `timeout` seconds at most."""
        deadline = after_seconds(timeout, f"Task {task_id}")
        return await wait_for_task(self._calls.transport, generation(task_id), deadline, on_progress)

    def stream(self, task_id: str) -> AsyncGenerator[t.GenerationTask, None]:
        """Yields every state until the last."""
        return stream_task(self._calls.transport, generation(task_id))

    async def query(self, task_ids: Sequence[str], *, timeout: float | None = None) -> t.QueryTasksAnswer:
        """Returns up to 100 tasks of both kinds at once."""
        body = {"taskIds": list(task_ids)}
        call = Call("POST", "/api/v1/jobs/query", body=body, is_safe=True, timeout=timeout)
        return cast(t.QueryTasksAnswer, await self._calls.send(call))

    async def list(self, *, timeout: float | None = None, **query: Unpack[t.ListTasksQuery]) -> t.ListTasksAnswer:
        """Returns a page of tasks of both kinds, newest first."""
        path = "/api/v1/jobs/list"
        return cast(t.ListTasksAnswer, await self._calls.find(path, query, t.ListTasksQuery, timeout))

    async def list_all(
        self, **query: Unpack[t.ListTasksQuery]
    ) -> AsyncGenerator[t.ListedGenerationTask | t.ListedUpscaleTask, None]:
        """Yields every task that matches the filters, newest first."""
        while True:
            page = await self.list(**query)
            for task in page["items"]:
                yield task
            if page["nextCursor"] is None:
                return
            query["cursor"] = page["nextCursor"]

    async def timeline(self, task_id: str, *, timeout: float | None = None) -> t.ReadTimelineAnswer:
        """Returns the events of a task with their times, with waiting and working time separated."""
        query = {"task_id": task_id}
        return cast(t.ReadTimelineAnswer, await self._calls.get("/api/v1/jobs/timeline", query, timeout))

    async def request(self, task_id: str, *, timeout: float | None = None) -> t.ReadRequestAnswer:
        """Returns the request of a task: inputs that create the same task again."""
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
        source: str | FileLike | Made,
        target_resolution: TargetResolution,
        *,
        call_back_url: str | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> t.CreateUpscaleAnswer:
        """Creates an upscale. The source is a URL, a file, an asset, or the output of a task."""
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
        source: str | FileLike | Made,
        target_resolution: TargetResolution,
        *,
        call_back_url: str | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        on_progress: Callable[[UpscaleProgress | FileProgress], object] | None = None,
        on_created: Callable[[Created], object] | None = None,
    ) -> AsyncCompletedUpscale:
        """Creates an upscale, waits for its end and returns its file. Raises `TaskFailedError` if it failed."""
        key = idempotency_key or str(uuid.uuid4())
        deadline = after_seconds(timeout, "The upscale", key)
        body = {
            "source": await self._source(source, deadline, on_progress),
            "targetResolution": target_resolution,
            "callBackUrl": call_back_url,
            "maxCredits": max_credits,
        }
        created = await self._calls.create("/api/v1/upscale/create", body, key, None, deadline)
        await report(on_created, {"taskId": created["taskId"], "idempotencyKey": key})
        transport = self._calls.transport
        task = await wait_for_task(transport, upscale(created["taskId"]), deadline, in_phase(on_progress))
        return self.complete(task, key)

    def complete(self, task: t.UpscaleTask, idempotency_key: str | None = None) -> AsyncCompletedUpscale:
        """Returns the file of a finished upscale. Raises `TaskFailedError` if it failed."""
        error = task["error"]
        if error is not None:
            raise TaskFailedError(
                error["message"], code=error["code"], task=task, idempotency_key=idempotency_key
            )
        if task["result"] is None:
            if task["status"] == "completed":
                raise OutputError(f"The media of upscale {task['taskId']} was deleted.", code="output_gone")
            raise ZoetropeError(f"Upscale {task['taskId']} is {task['status']}: wait for it.", code="not_over")
        return AsyncCompletedUpscale(task, AsyncOutput(task["result"], self._calls.transport))

    async def _create_of_batch(
        self, request: Mapping[str, Any], key: str, tell: Tell
    ) -> t.CreateUpscaleAnswer:
        body = {**request, "source": await self._source(cast(Any, request.get("source")), NO_DEADLINE)}
        answer = await self._calls.create("/api/v1/upscale/create", body, key, None, NO_DEADLINE, tell)
        return cast(t.CreateUpscaleAnswer, answer)

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
        """Waits until the upscale has ended, for `timeout` seconds at most."""
        deadline = after_seconds(timeout, f"Task {task_id}")
        return await wait_for_task(self._calls.transport, upscale(task_id), deadline, on_progress)

    def stream(self, task_id: str) -> AsyncGenerator[t.UpscaleTask, None]:
        """Yields every state until the last."""
        return stream_task(self._calls.transport, upscale(task_id))

    async def _source(
        self,
        source: str | FileLike | Made,
        deadline: Deadline,
        on_progress: Callable[[Any], object] | None = None,
    ) -> dict[str, str]:
        if isinstance(source, Mapping) and "storageUrl" in source:
            return {"type": "uploadId", "storageUrl": cast(str, source["storageUrl"])}
        made = name_of_made(source)
        if made is not None or not is_file_like(source):
            return {"type": "url", "url": made or cast(str, source)}
        deadline.begin("upload", "The upload of the source")
        await report(on_progress, file_progress("upload", "source", None))
        asset = await self._calls.files.upload(cast(FileLike, source), "VIDEO", deadline)
        deadline.begin("task", "The upscale")
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
        declaration: t.DeclarationInput | None = None,
        timeout: float | None = None,
    ) -> t.Asset:
        """Sends a file in chunks and returns the asset, which is processed from then on.

        `on_progress` is called with the share that has arrived, 0 to 1. With the `upload_id` of an error it
        resumes that upload: only what is missing is sent. The `declaration` is about a real person who is shown.
        """
        transport = self._calls.transport
        source = await transport.io.compute(lambda: open_source(file))
        deadline = after_seconds(timeout, "The upload")
        plan = UploadPlan(type, name, upload_id, on_progress, deadline, declaration)
        return await upload_source(transport, source, plan)

    async def upload_form(
        self,
        file: FileLike,
        *,
        on_progress: Callable[[float], object] | None = None,
        upload_id: str | None = None,
        timeout: float | None = None,
    ) -> str:
        """Sends the signed form of a declaration and returns its `formUploadId`."""
        transport = self._calls.transport
        source = await transport.io.compute(lambda: open_source(file))
        deadline = after_seconds(timeout, "The upload")
        plan = UploadPlan("DOCUMENT", None, upload_id, on_progress, deadline)
        return (await send_source(transport, source, plan))["uploadId"]

    async def fetch_url(
        self,
        url: str,
        type: t.AssetType,
        *,
        name: str | None = None,
        declaration: t.DeclarationInput | None = None,
        timeout: float | None = None,
    ) -> t.Asset:
        """Creates an asset from a URL that the service fetches."""
        told = {"name": name, "declaration": declaration}
        body = {"url": url, "type": type, **{one: value for one, value in told.items() if value is not None}}
        call = Call("POST", "/api/v1/assets/upload", body=body, timeout=timeout)
        return cast(t.Asset, await self._calls.send(call))

    async def get(self, asset_id: int | str, *, timeout: float | None = None) -> t.Asset:
        return cast(t.Asset, await self._calls.get("/api/v1/assets/status", {"asset_id": asset_id}, timeout))

    async def wait(
        self, asset_id: int | str, *, usable_by: str | None = None, timeout: float | None = None
    ) -> t.Asset:
        """Waits until its review has ended or the model `usable_by` accepts it, for `timeout` seconds at most."""
        deadline = Deadline(timeout, f"The review of asset {asset_id}", "review")
        asset = await self.get(asset_id)
        is_ready = is_reviewed if usable_by is None else usable_for(usable_by)
        return await wait_for_asset(self._calls.transport, asset, deadline, is_ready)

    async def list(
        self, *, timeout: float | None = None, **query: Unpack[t.ListAssetsQuery]
    ) -> t.ListAssetsAnswer:
        """Returns a page of assets, newest first."""
        path = "/api/v1/assets/list"
        return cast(t.ListAssetsAnswer, await self._calls.find(path, query, t.ListAssetsQuery, timeout))

    async def delete(self, asset_id: int | str, *, timeout: float | None = None) -> t.DeleteAssetAnswer:
        call = Call("DELETE", "/api/v1/assets", {"assetId": asset_id}, timeout=timeout)
        answer = cast(t.DeleteAssetAnswer, await self._calls.send(call))
        self._calls.files.forget(answer["upstreamAssetId"])
        return answer


class KeyLimits(TypedDict, total=False):
    """The limits of a key. In a change, `None` removes one."""

    scopes: list[Literal["tasks", "assets", "webhooks", "account", "keys", "read"]] | None
    models: list[str] | None
    creditsMax: int | None
    requestsPerMinuteMax: int | None
    # ISO 8601.
    expiresAt: str | None


class NewKey(KeyLimits):
    name: str
    mode: NotRequired[Literal["live", "test"]]


class KeyChanges(KeyLimits, total=False):
    name: str


_KEYS = "/api/v1/account/keys"


class AsyncKeys:
    """The account's API keys. Needs a key with the scope `keys`."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def __call__(
        self, *, timeout: float | None = None, **query: Unpack[t.ListKeysQuery]
    ) -> t.ListKeysAnswer:
        """Returns a page of the account's API keys, newest first, with their limits and last use."""
        return cast(t.ListKeysAnswer, await self._calls.find(_KEYS, query, t.ListKeysQuery, timeout))

    async def create(self, key: NewKey, *, timeout: float | None = None) -> t.CreateKeyAnswer:
        """Returns the key, once. Never retried automatically: a second call creates a second key."""
        call = Call("POST", _KEYS, body=key, timeout=timeout)
        return cast(t.CreateKeyAnswer, await self._calls.send(call))

    async def change(self, key_id: str, changes: KeyChanges, *, timeout: float | None = None) -> t.Key:
        call = Call("PATCH", _KEYS, {"keyId": key_id}, body=changes, timeout=timeout)
        return cast(t.Key, await self._calls.send(call))

    async def revoke(self, key_id: str, *, timeout: float | None = None) -> t.RevokeKeyAnswer:
        call = Call("DELETE", _KEYS, {"keyId": key_id}, timeout=timeout)
        return cast(t.RevokeKeyAnswer, await self._calls.send(call))


_WEBHOOKS = "/api/v1/webhooks"
_ENDPOINTS = f"{_WEBHOOKS}/endpoints"


class AsyncWebhooks:
    """Callbacks and endpoints. Methods that call the service need a key with the scope `webhooks`."""

    unwrap = staticmethod(webhooks.unwrap)
    sign = staticmethod(webhooks.sign)

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def secret(
        self, endpoint_id: str | None = None, *, timeout: float | None = None
    ) -> t.ReadWebhookSecretAnswer:
        """Returns the secret of callbacks or, with an id, of an endpoint."""
        path, query = _secret_of(endpoint_id)
        return cast(t.ReadWebhookSecretAnswer, await self._calls.send(Call("GET", path, query, timeout=timeout)))

    async def rotate_secret(
        self,
        endpoint_id: str | None = None,
        *,
        overlap_hours: int | None = None,
        timeout: float | None = None,
    ) -> t.ReadWebhookSecretAnswer:
        """Rotates the secret and returns the new one. The previous one is valid for `overlap_hours` more."""
        path, query = _secret_of(endpoint_id)
        body = {} if overlap_hours is None else {"overlapHours": overlap_hours}
        call = Call("POST", f"{path}/rotate", query, body=body, timeout=timeout)
        return cast(t.ReadWebhookSecretAnswer, await self._calls.send(call))

    async def endpoints(self, *, timeout: float | None = None) -> t.ListEndpointsAnswer:
        return cast(t.ListEndpointsAnswer, await self._calls.get(_ENDPOINTS, {}, timeout))

    async def create_endpoint(
        self, endpoint: t.CreateEndpointBody, *, timeout: float | None = None
    ) -> t.CreateEndpointAnswer:
        call = Call("POST", _ENDPOINTS, body=endpoint, timeout=timeout)
        return cast(t.CreateEndpointAnswer, await self._calls.send(call))

    async def change_endpoint(
        self, endpoint_id: str, changes: t.ChangeEndpointBody, *, timeout: float | None = None
    ) -> t.ChangeEndpointAnswer:
        call = Call("PATCH", _ENDPOINTS, {"endpointId": endpoint_id}, body=changes, timeout=timeout)
        return cast(t.ChangeEndpointAnswer, await self._calls.send(call))

    async def delete_endpoint(
        self, endpoint_id: str, *, timeout: float | None = None
    ) -> t.DeleteEndpointAnswer:
        call = Call("DELETE", _ENDPOINTS, {"endpointId": endpoint_id}, timeout=timeout)
        return cast(t.DeleteEndpointAnswer, await self._calls.send(call))

    async def deliveries(
        self, *, timeout: float | None = None, **query: Unpack[t.ListDeliveriesQuery]
    ) -> t.ListDeliveriesAnswer:
        """Returns a page of deliveries, newest first, with every attempt."""
        path = f"{_WEBHOOKS}/deliveries"
        return cast(t.ListDeliveriesAnswer, await self._calls.find(path, query, t.ListDeliveriesQuery, timeout))

    async def test(self, event: t.SendTestEventBody, *, timeout: float | None = None) -> t.SendTestEventAnswer:
        """Sends a test event to a receiver."""
        call = Call("POST", f"{_WEBHOOKS}/test", body=event, timeout=timeout)
        return cast(t.SendTestEventAnswer, await self._calls.send(call))


def _secret_of(endpoint_id: str | None) -> tuple[str, dict[str, str]]:
    if endpoint_id is None:
        return f"{_WEBHOOKS}/secret", {}
    return f"{_ENDPOINTS}/secret", {"endpointId": endpoint_id}
