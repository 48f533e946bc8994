# Written from _resources.py and _core.py by tools/write_client.py: do not edit.
# ruff: noqa: E501, I001
"""The calls of the blocking client: each drives the asynchronous one in the calling thread."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Literal, Unpack

from . import types as t, webhooks
from ._core import Core
from ._file_like import FileLike, Made
from ._io import drive, iterate
from ._outputs import CompletedUpscale, upscaled
from ._progress import Created, FileProgress, UpscaleProgress
from ._resources import AsyncAssets, AsyncKeys, AsyncTasks, AsyncUpscales, AsyncWebhooks, KeyChanges, NewKey, TargetResolution


class Tasks:
    """Tasks that generate videos and images."""

    def __init__(self, calls: AsyncTasks) -> None:
        self._calls = calls

    def create(self, request: t.TaskRequest, *, idempotency_key: str | None=None, timeout: float | None=None) -> t.CreateTaskAnswer:
        return drive(self._calls.create(request, idempotency_key=idempotency_key, timeout=timeout))

    def get(self, task_id: str, *, timeout: float | None=None) -> t.GenerationTask:
        return drive(self._calls.get(task_id, timeout=timeout))

    def wait(self, task_id: str, *, timeout: float | None=None, on_progress: Callable[[t.GenerationTask], object] | None=None) -> t.GenerationTask:
        """Waits until the task has ended, for `timeout` seconds at most."""
        return drive(self._calls.wait(task_id, timeout=timeout, on_progress=on_progress))

    def stream(self, task_id: str) -> Generator[t.GenerationTask, None, None]:
        """Yields every state until the last."""
        return iterate(self._calls.stream(task_id))

    def query(self, task_ids: Sequence[str], *, timeout: float | None=None) -> t.QueryTasksAnswer:
        """Returns up to 100 tasks of both kinds at once."""
        return drive(self._calls.query(task_ids, timeout=timeout))

    def list(self, *, timeout: float | None=None, **query: Unpack[t.ListTasksQuery]) -> t.ListTasksAnswer:
        """Returns a page of tasks of both kinds, newest first."""
        return drive(self._calls.list(timeout=timeout, **query))

    def list_all(self, **query: Unpack[t.ListTasksQuery]) -> Generator[t.ListedGenerationTask | t.ListedUpscaleTask, None, None]:
        """Yields every task that matches the filters, newest first."""
        return iterate(self._calls.list_all(**query))

    def timeline(self, task_id: str, *, timeout: float | None=None) -> t.ReadTimelineAnswer:
        """Returns the events of a task with their times, with waiting and working time separated."""
        return drive(self._calls.timeline(task_id, timeout=timeout))

    def request(self, task_id: str, *, timeout: float | None=None) -> t.ReadRequestAnswer:
        """Returns the request of a task: inputs that create the same task again."""
        return drive(self._calls.request(task_id, timeout=timeout))

    def delete_media(self, task_id: str, *, timeout: float | None=None) -> t.DeleteMediaAnswer:
        return drive(self._calls.delete_media(task_id, timeout=timeout))


class Upscales:
    """Tasks that upscale a video."""

    def __init__(self, calls: AsyncUpscales) -> None:
        self._calls = calls

    def create(self, source: str | FileLike | Made, target_resolution: TargetResolution, *, call_back_url: str | None=None, max_credits: int | None=None, idempotency_key: str | None=None, timeout: float | None=None) -> t.CreateUpscaleAnswer:
        """Creates an upscale. The source is a URL, a file, an asset, or the output of a task."""
        return drive(self._calls.create(source, target_resolution, call_back_url=call_back_url, max_credits=max_credits, idempotency_key=idempotency_key, timeout=timeout))

    def run(self, source: str | FileLike | Made, target_resolution: TargetResolution, *, call_back_url: str | None=None, max_credits: int | None=None, idempotency_key: str | None=None, timeout: float | None=None, on_progress: Callable[[UpscaleProgress | FileProgress], object] | None=None, on_created: Callable[[Created], object] | None=None) -> CompletedUpscale:
        """Creates an upscale, waits for its end and returns its file. Raises `TaskFailedError` if it failed."""
        return upscaled(drive(self._calls.run(source, target_resolution, call_back_url=call_back_url, max_credits=max_credits, idempotency_key=idempotency_key, timeout=timeout, on_progress=on_progress, on_created=on_created)))

    def complete(self, task: t.UpscaleTask, idempotency_key: str | None=None) -> CompletedUpscale:
        """Returns the file of a finished upscale. Raises `TaskFailedError` if it failed."""
        return upscaled(self._calls.complete(task, idempotency_key))

    def get(self, task_id: str, *, timeout: float | None=None) -> t.UpscaleTask:
        return drive(self._calls.get(task_id, timeout=timeout))

    def wait(self, task_id: str, *, timeout: float | None=None, on_progress: Callable[[t.UpscaleTask], object] | None=None) -> t.UpscaleTask:
        """Waits until the upscale has ended, for `timeout` seconds at most."""
        return drive(self._calls.wait(task_id, timeout=timeout, on_progress=on_progress))

    def stream(self, task_id: str) -> Generator[t.UpscaleTask, None, None]:
        """Yields every state until the last."""
        return iterate(self._calls.stream(task_id))


class Assets:
    """The asset library."""

    def __init__(self, calls: AsyncAssets) -> None:
        self._calls = calls

    def upload(self, file: FileLike, type: t.AssetType, *, name: str | None=None, on_progress: Callable[[float], object] | None=None, upload_id: str | None=None, declaration: t.DeclarationInput | None=None, timeout: float | None=None) -> t.Asset:
        """Sends a file in chunks and returns the asset, which is processed from then on.

        `on_progress` is called with the share that has arrived, 0 to 1. With the `upload_id` of an error it
        resumes that upload: only what is missing is sent. The `declaration` is about a real person who is shown.
        """
        return drive(self._calls.upload(file, type, name=name, on_progress=on_progress, upload_id=upload_id, declaration=declaration, timeout=timeout))

    def upload_form(self, file: FileLike, *, on_progress: Callable[[float], object] | None=None, upload_id: str | None=None, timeout: float | None=None) -> str:
        """Sends the signed form of a declaration and returns its `formUploadId`."""
        return drive(self._calls.upload_form(file, on_progress=on_progress, upload_id=upload_id, timeout=timeout))

    def fetch_url(self, url: str, type: t.AssetType, *, name: str | None=None, declaration: t.DeclarationInput | None=None, timeout: float | None=None) -> t.Asset:
        """Creates an asset from a URL that the service fetches."""
        return drive(self._calls.fetch_url(url, type, name=name, declaration=declaration, timeout=timeout))

    def get(self, asset_id: int | str, *, timeout: float | None=None) -> t.Asset:
        return drive(self._calls.get(asset_id, timeout=timeout))

    def wait(self, asset_id: int | str, *, usable_by: str | None=None, timeout: float | None=None) -> t.Asset:
        """Waits until its review has ended or the model `usable_by` accepts it, for `timeout` seconds at most."""
        return drive(self._calls.wait(asset_id, usable_by=usable_by, timeout=timeout))

    def list(self, *, timeout: float | None=None, **query: Unpack[t.ListAssetsQuery]) -> t.ListAssetsAnswer:
        """Returns a page of assets, newest first."""
        return drive(self._calls.list(timeout=timeout, **query))

    def delete(self, asset_id: int | str, *, timeout: float | None=None) -> t.DeleteAssetAnswer:
        return drive(self._calls.delete(asset_id, timeout=timeout))


class Keys:
    """The account's API keys. Needs a key with the scope `keys`."""

    def __init__(self, calls: AsyncKeys) -> None:
        self._calls = calls

    def __call__(self, *, timeout: float | None=None, **query: Unpack[t.ListKeysQuery]) -> t.ListKeysAnswer:
        """Returns a page of the account's API keys, newest first, with their limits and last use."""
        return drive(self._calls(timeout=timeout, **query))

    def create(self, key: NewKey, *, timeout: float | None=None) -> t.CreateKeyAnswer:
        """Returns the key, once. Never retried automatically: a second call creates a second key."""
        return drive(self._calls.create(key, timeout=timeout))

    def change(self, key_id: str, changes: KeyChanges, *, timeout: float | None=None) -> t.Key:
        return drive(self._calls.change(key_id, changes, timeout=timeout))

    def revoke(self, key_id: str, *, timeout: float | None=None) -> t.RevokeKeyAnswer:
        return drive(self._calls.revoke(key_id, timeout=timeout))


class Webhooks:
    """Callbacks and endpoints. Methods that call the service need a key with the scope `webhooks`."""

    unwrap = staticmethod(webhooks.unwrap)
    sign = staticmethod(webhooks.sign)

    def __init__(self, calls: AsyncWebhooks) -> None:
        self._calls = calls

    def secret(self, endpoint_id: str | None=None, *, timeout: float | None=None) -> t.ReadWebhookSecretAnswer:
        """Returns the secret of callbacks or, with an id, of an endpoint."""
        return drive(self._calls.secret(endpoint_id, timeout=timeout))

    def rotate_secret(self, endpoint_id: str | None=None, *, overlap_hours: int | None=None, timeout: float | None=None) -> t.ReadWebhookSecretAnswer:
        """Rotates the secret and returns the new one. The previous one is valid for `overlap_hours` more."""
        return drive(self._calls.rotate_secret(endpoint_id, overlap_hours=overlap_hours, timeout=timeout))

    def endpoints(self, *, timeout: float | None=None) -> t.ListEndpointsAnswer:
        return drive(self._calls.endpoints(timeout=timeout))

    def create_endpoint(self, endpoint: t.CreateEndpointBody, *, timeout: float | None=None) -> t.CreateEndpointAnswer:
        return drive(self._calls.create_endpoint(endpoint, timeout=timeout))

    def change_endpoint(self, endpoint_id: str, changes: t.ChangeEndpointBody, *, timeout: float | None=None) -> t.ChangeEndpointAnswer:
        return drive(self._calls.change_endpoint(endpoint_id, changes, timeout=timeout))

    def delete_endpoint(self, endpoint_id: str, *, timeout: float | None=None) -> t.DeleteEndpointAnswer:
        return drive(self._calls.delete_endpoint(endpoint_id, timeout=timeout))

    def deliveries(self, *, timeout: float | None=None, **query: Unpack[t.ListDeliveriesQuery]) -> t.ListDeliveriesAnswer:
        """Returns a page of deliveries, newest first, with every attempt."""
        return drive(self._calls.deliveries(timeout=timeout, **query))

    def test(self, event: t.SendTestEventBody, *, timeout: float | None=None) -> t.SendTestEventAnswer:
        """Sends a test event to a receiver."""
        return drive(self._calls.test(event, timeout=timeout))


class BlockingCore:
    def __init__(self, calls: Core) -> None:
        self._calls = calls

    def quote(self, request: t.TaskRequest, *, timeout: float | None=None) -> t.QuoteTaskAnswer:
        """Returns what the task would cost. Creates nothing."""
        return drive(self._calls.quote(request, timeout=timeout))

    def models(self, *, timeout: float | None=None) -> t.ListModelsAnswer:
        return drive(self._calls.models(timeout=timeout))

    def credits(self, *, timeout: float | None=None) -> t.ReadCreditsAnswer:
        return drive(self._calls.credits(timeout=timeout))

    def key(self, *, timeout: float | None=None) -> t.Key:
        """Returns the API key that this client uses, with its limits and the rest of its budget."""
        return drive(self._calls.key(timeout=timeout))

    def ledger(self, *, timeout: float | None=None, **query: Unpack[t.ReadLedgerQuery]) -> t.ReadLedgerAnswer:
        return drive(self._calls.ledger(timeout=timeout, **query))

    def usage(self, *, timeout: float | None=None, **query: Unpack[t.ReadUsageQuery]) -> t.ReadUsageAnswer:
        """Returns what finished tasks cost, by hour, day or month."""
        return drive(self._calls.usage(timeout=timeout, **query))

    def request(self, method: Literal['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], path: str, *, query: Mapping[str, Any] | None=None, body: Any=None, idempotency_key: str | None=None, timeout: float | None=None) -> Any:
        """Calls any other endpoint, with the same retries. `path` begins with /api/v1."""
        return drive(self._calls.request(method, path, query=query, body=body, idempotency_key=idempotency_key, timeout=timeout))

    def events(self, after: int | None=None, *, follow: bool=True) -> Generator[t.Event, None, None]:
        """Yields every finished task, in order and once. Store the last `number` to resume from it.

        Without a number it begins now. `follow=False` ends with the last event that exists, and without a
        number begins with the first.
        """
        return iterate(self._calls.events(after, follow=follow))
