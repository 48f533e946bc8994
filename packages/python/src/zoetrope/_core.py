"""Every call of the client, written once over `Io`."""

from __future__ import annotations

import os
import re
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Literal, Self, TypedDict, Unpack, cast, overload
from urllib.parse import urlsplit

import httpx

from . import types as t
from ._async_io import AsyncIo
from ._batch import BatchJob, BatchProgress, BatchResult, Concurrency, Tell, run_batch
from ._calls import Calls, after_seconds
from ._follow import follow_events, generation, in_phase, persist, report, wait_for_task
from ._io import Io
from ._outputs import AsyncCompletedTask, AsyncCompletedUpscale, AsyncOutput
from ._progress import Created, FileProgress, GenerationProgress
from ._resources import AsyncAssets, AsyncKeys, AsyncTasks, AsyncUpscales, AsyncWebhooks
from ._transport import NO_DEADLINE, Call, Transport
from .errors import OutputError, TaskFailedError, ZoetropeError

_EVENTS_PER_PAGE = 100


class RunOptions(TypedDict, total=False):
    call_back_url: str | None
    # The most that the task may cost. Above it nothing is created.
    max_credits: int | None
    # One is made for every call; give your own to repeat a call after your program was restarted.
    idempotency_key: str | None
    # The total timeout in seconds (default: until the task has ended).
    timeout: float | None
    # Called for every file that is uploaded or in review, then with every state of the task.
    on_progress: Callable[[GenerationProgress | FileProgress], object] | None
    # Called once when the task exists: store its id, and it is found after a crash.
    on_created: Callable[[Created], object] | None


class BatchOptions(TypedDict, total=False):
    # As many as the account may have, or a number.
    concurrency: Concurrency
    # Of the whole batch: repeated with it after a restart, in the same order, no task is made twice.
    idempotency_key: str | None
    on_progress: Callable[[BatchProgress], object] | None


def open_transport(
    open_io: Callable[[], Io], base_url: str | None, api_key: str | None, timeout: float, retries_max: int
) -> Transport:
    url = (base_url if base_url is not None else os.environ.get("ZOETROPE_BASE_URL", "")).rstrip("/")
    url = url.removesuffix("/api/v1")
    key = api_key if api_key is not None else os.environ.get("ZOETROPE_API_KEY", "")
    if not url.startswith(("http://", "https://")):
        raise ZoetropeError(
            "base_url is not an http or https URL. Give it, or set ZOETROPE_BASE_URL.", code="no_base_url"
        )
    if urlsplit(url).username is not None:
        raise ZoetropeError("base_url is not an http or https URL without a user name.")
    if key == "":
        raise ZoetropeError("api_key is empty. Give it, or set ZOETROPE_API_KEY.", code="no_api_key")
    # Checked here, since httpx would repeat it in its error.
    if re.fullmatch(r"[\x21-\x7e]+", key) is None:
        message = "api_key is not a key: it has a space, a line end or another character that no key has."
        raise ZoetropeError(message)
    return Transport(open_io(), url, key, timeout, retries_max)


class Core:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._calls = Calls(transport)
        self.tasks = AsyncTasks(self._calls)
        self.upscales = AsyncUpscales(self._calls)
        self.assets = AsyncAssets(self._calls)
        self.keys = AsyncKeys(self._calls)
        self.webhooks = AsyncWebhooks(self._calls)

    @overload
    async def run(
        self, model: Literal["sd2"], inputs: t.Sd2Inputs, **options: Unpack[RunOptions]
    ) -> AsyncCompletedTask: ...
    @overload
    async def run(
        self, model: Literal["sd2-fast"], inputs: t.Sd2FastInputs, **options: Unpack[RunOptions]
    ) -> AsyncCompletedTask: ...
    @overload
    async def run(
        self, model: Literal["happyhorse"], inputs: t.HappyhorseInputs, **options: Unpack[RunOptions]
    ) -> AsyncCompletedTask: ...
    @overload
    async def run(
        self, model: Literal["image-pro-2"], inputs: t.ImagePro2Inputs, **options: Unpack[RunOptions]
    ) -> AsyncCompletedTask: ...
    @overload
    async def run(
        self, model: Literal["image-plus-2"], inputs: t.ImagePlus2Inputs, **options: Unpack[RunOptions]
    ) -> AsyncCompletedTask: ...
    @overload
    async def run(
        self, model: t.AnyModel, inputs: Mapping[str, Any], **options: Unpack[RunOptions]
    ) -> AsyncCompletedTask: ...
    async def run(
        self,
        model: str,
        inputs: Mapping[str, Any],
        *,
        call_back_url: str | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        on_progress: Callable[[GenerationProgress | FileProgress], object] | None = None,
        on_created: Callable[[Created], object] | None = None,
    ) -> AsyncCompletedTask:
        """Creates a task, waits for its end and returns its files. Raises `TaskFailedError` if it failed."""
        request = {
            "model": model,
            "inputs": inputs,
            "callBackUrl": call_back_url,
            "maxCredits": max_credits,
        }
        key = idempotency_key or str(uuid.uuid4())
        deadline = after_seconds(timeout, "The task", key)
        created = await self._calls.create_task(request, key, None, deadline, None, on_progress)
        await report(on_created, {"taskId": created["taskId"], "idempotencyKey": key})
        followed = generation(created["taskId"])
        task = await wait_for_task(self._transport, followed, deadline, in_phase(on_progress))
        return self.complete(task, key)

    def complete(self, task: t.GenerationTask, idempotency_key: str | None = None) -> AsyncCompletedTask:
        """Returns the files of a finished task. Raises `TaskFailedError` if it failed."""
        if task["status"] == "FAILED":
            message = task["error"] or f"Task {task['taskId']} has failed."
            code = task["errorCode"] or "unknown"
            raise TaskFailedError(message, code=code, task=task, idempotency_key=idempotency_key)
        if task["status"] != "COMPLETED":
            raise ZoetropeError(f"Task {task['taskId']} is {task['status']}: wait for it.", code="not_over")
        output = task["output"] or []
        end = output[0].get("expiresAt") if output else None
        if end is not None and end <= time.time() * 1_000:
            raise OutputError(f"The media of task {task['taskId']} was deleted.", code="output_gone")
        files = [AsyncOutput(stored, self._transport) for stored in output]
        return AsyncCompletedTask(task, files)

    @overload
    def batch(
        self, requests: Sequence[t.TaskRequest], **options: Unpack[BatchOptions]
    ) -> AsyncGenerator[BatchResult[AsyncCompletedTask], None]: ...
    @overload
    def batch(
        self, requests: Sequence[t.UpscaleRequest], **options: Unpack[BatchOptions]
    ) -> AsyncGenerator[BatchResult[AsyncCompletedUpscale], None]: ...
    @overload
    def batch(
        self, requests: Sequence[t.TaskRequest | t.UpscaleRequest], **options: Unpack[BatchOptions]
    ) -> AsyncGenerator[BatchResult[AsyncCompletedTask | AsyncCompletedUpscale], None]: ...
    async def batch(
        self,
        requests: Sequence[Any],
        *,
        concurrency: Concurrency = "account",
        idempotency_key: str | None = None,
        on_progress: Callable[[BatchProgress], object] | None = None,
    ) -> AsyncGenerator[BatchResult[Any], None]:
        """Runs many tasks, of both kinds, as many at once as the account may have; yields each as soon as it ends.

        `idempotency_key` is of the whole batch: repeated with it after a restart, in the same order, no task is
        made twice. A request can have its own as `idempotencyKey`.
        """

        def job(index: int, given: Mapping[str, Any]) -> BatchJob[AsyncCompletedTask | AsyncCompletedUpscale]:
            request = {name: value for name, value in given.items() if name != "idempotencyKey"}
            shared = None if idempotency_key is None else f"{idempotency_key}-{index}"
            key = given.get("idempotencyKey") or shared or str(uuid.uuid4())  # one for all tries

            async def tell_state(task: t.GenerationTask | t.UpscaleTask) -> None:
                await report(on_progress, {"index": index, "taskId": task["taskId"], "status": task["status"]})

            async def run(tell: Tell) -> AsyncCompletedTask:
                created = await persist(
                    self._transport, lambda: self._calls.create_task(request, key, None, NO_DEADLINE, tell)
                )
                task = await self.tasks.wait(created["taskId"], on_progress=tell_state)
                return self.complete(task, key)

            async def run_upscale(tell: Tell) -> AsyncCompletedUpscale:
                created = await persist(
                    self._transport, lambda: self.upscales._create_of_batch(request, key, tell)
                )
                task = await self.upscales.wait(created["taskId"], on_progress=tell_state)
                return self.upscales.complete(task, key)

            is_upscale = "source" in request or "targetResolution" in request
            return run_upscale if is_upscale else run  # the service says what is missing

        jobs = [job(index, one) for index, one in enumerate(requests)]
        async with aclosing(run_batch(self._transport.io, jobs, concurrency)) as results:
            async for result in results:
                yield result

    async def quote(self, request: t.TaskRequest, *, timeout: float | None = None) -> t.QuoteTaskAnswer:
        """Returns what the task would cost. Creates nothing."""
        body = await self._calls.take_files(request, NO_DEADLINE, until_usable=False)
        call = Call("POST", "/api/v1/jobs/quote", body=body, is_safe=True, timeout=timeout)
        return cast(t.QuoteTaskAnswer, await self._calls.send(call))

    async def models(self, *, timeout: float | None = None) -> t.ListModelsAnswer:
        return cast(t.ListModelsAnswer, await self._calls.get("/api/v1/models", {}, timeout))

    async def credits(self, *, timeout: float | None = None) -> t.ReadCreditsAnswer:
        return cast(t.ReadCreditsAnswer, await self._calls.get("/api/v1/account/credits", {}, timeout))

    async def key(self, *, timeout: float | None = None) -> t.Key:
        """Returns the API key that this client uses, with its limits and the rest of its budget."""
        return cast(t.Key, await self._calls.get("/api/v1/account/key", {}, timeout))

    async def ledger(
        self, *, timeout: float | None = None, **query: Unpack[t.ReadLedgerQuery]
    ) -> t.ReadLedgerAnswer:
        path = "/api/v1/account/ledger"
        return cast(t.ReadLedgerAnswer, await self._calls.find(path, query, t.ReadLedgerQuery, timeout))

    async def usage(self, *, timeout: float | None = None, **query: Unpack[t.ReadUsageQuery]) -> t.ReadUsageAnswer:
        """Returns what finished tasks cost, by hour, day or month."""
        path = "/api/v1/account/usage"
        return cast(t.ReadUsageAnswer, await self._calls.find(path, query, t.ReadUsageQuery, timeout))

    async def request(
        self,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"],
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Any:
        """Calls any other endpoint, with the same retries. `path` begins with /api/v1."""
        call = Call(
            method, path, query or {}, body=body, idempotency_key=idempotency_key, timeout=timeout
        )
        return await self._calls.send(call)

    async def events(
        self, after: int | None = None, *, follow: bool = True
    ) -> AsyncGenerator[t.Event, None]:
        """Yields every finished task, in order and once. Store the last `number` to resume from it.

        Without a number it begins now. `follow=False` ends with the last event that exists, and without a
        number begins with the first.
        """
        if follow:
            async with aclosing(follow_events(self._transport, after)) as coming:
                async for event in coming:
                    yield event
        has_more, after = not follow, after or 0
        while has_more:
            query = {"after": after, "limit": _EVENTS_PER_PAGE}
            page = cast(t.ReadEventsAnswer, await self._calls.get("/api/v1/events", query, None))
            for event in page["events"]:
                yield event
            has_more, after = page["hasMore"], page["next"]


class AsyncZoetrope(Core):
    """The client of a Zoetrope service, for asyncio. Cancelling a call ends it at once; a task continues."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        retries_max: int = 2,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """`timeout` is that of one attempt. Without a URL or key, those of ZOETROPE_BASE_URL and ZOETROPE_API_KEY."""
        super().__init__(open_transport(lambda: AsyncIo(http_client), base_url, api_key, timeout, retries_max))

    async def close(self) -> None:
        await self._transport.io.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
