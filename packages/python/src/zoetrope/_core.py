"""Every call of the client, written once over `Io`."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Literal, Self, TypedDict, Unpack, cast, overload
from urllib.parse import urlsplit

import httpx

from . import types as t
from . import webhooks
from ._async_io import AsyncIo
from ._batch import BatchJob, BatchResult, Concurrency, run_batch
from ._calls import Calls, after_seconds
from ._follow import follow_events, generation, persist, wait_for_task
from ._io import Io
from ._outputs import AsyncCompletedTask, AsyncOutput
from ._resources import AsyncAssets, AsyncTasks, AsyncUpscales
from ._transport import NO_DEADLINE, Call, Transport
from .errors import OpenTasks, TaskFailedError, ZoetropeError

_EVENTS_PER_PAGE = 100


class RunOptions(TypedDict, total=False):
    call_back_url: str | None
    # The most that the task may cost; above it nothing is created.
    max_credits: int | None
    # One is made for every call; give your own to repeat a call after your program was restarted.
    idempotency_key: str | None
    # Seconds for all of it; without it, until the task is over.
    timeout: float | None
    # Called with the first state and with every change.
    on_progress: Callable[[t.GenerationTask], object] | None


def open_transport(
    open_io: Callable[[], Io], base_url: str | None, api_key: str | None, timeout: float, retries_max: int
) -> Transport:
    url = (base_url if base_url is not None else os.environ.get("ZOETROPE_BASE_URL", "")).rstrip("/")
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
    async def run(
        self, model: t.ModelName, inputs: Mapping[str, Any], **options: Unpack[RunOptions]
    ) -> AsyncCompletedTask:
        """Creates a task, waits for its end and answers its files. Raises `TaskFailedError` if it failed."""
        request = {
            "model": model,
            "inputs": inputs,
            "callBackUrl": options.get("call_back_url"),
            "maxCredits": options.get("max_credits"),
        }
        deadline = after_seconds(options.get("timeout"), "The task")
        key = options.get("idempotency_key") or str(uuid.uuid4())
        created = await self._calls.create_task(request, key, None, deadline)
        followed = generation(created["taskId"])
        task = await wait_for_task(self._transport, followed, deadline, options.get("on_progress"))
        return self.complete(task, key)

    def complete(self, task: t.GenerationTask, idempotency_key: str | None = None) -> AsyncCompletedTask:
        """The files of a task that is over. Raises `TaskFailedError` if it failed."""
        if task["status"] == "FAILED":
            message = task["error"] or f"Task {task['taskId']} has failed."
            code = task["errorCode"] or "unknown"
            raise TaskFailedError(message, code=code, task=task, idempotency_key=idempotency_key)
        if task["status"] != "COMPLETED":
            raise ZoetropeError(f"Task {task['taskId']} is {task['status']}: wait for it.", code="not_over")
        files = [AsyncOutput(stored, self._transport) for stored in task["output"] or []]
        return AsyncCompletedTask(task, files)

    async def batch(
        self, requests: Sequence[t.TaskRequest], *, concurrency: Concurrency = "account"
    ) -> AsyncGenerator[BatchResult[AsyncCompletedTask], None]:
        """Runs many tasks, as many at once as the account may have; answers each as soon as it is over."""

        def job(request: Mapping[str, Any]) -> BatchJob[AsyncCompletedTask]:
            key = str(uuid.uuid4())  # one for all tries of this request

            async def run(tell: Callable[[OpenTasks | None], None]) -> AsyncCompletedTask:
                created = await persist(
                    self._transport, lambda: self._calls.create_task(request, key, None, NO_DEADLINE, tell)
                )
                return self.complete(await self.tasks.wait(created["taskId"]), key)

            return run

        jobs = [job(one) for one in requests]
        async with aclosing(run_batch(self._transport.io, jobs, concurrency)) as results:
            async for result in results:
                yield result

    async def quote(self, request: t.TaskRequest, *, timeout: float | None = None) -> t.QuoteTaskAnswer:
        """What the task would cost. Creates nothing."""
        body = await self._calls.take_files(request, NO_DEADLINE)
        call = Call("POST", "/api/v1/jobs/quote", body=body, is_safe=True, timeout=timeout)
        return cast(t.QuoteTaskAnswer, await self._calls.send(call))

    async def models(self, *, timeout: float | None = None) -> t.ListModelsAnswer:
        return cast(t.ListModelsAnswer, await self._calls.get("/api/v1/models", {}, timeout))

    async def credits(self, *, timeout: float | None = None) -> t.ReadCreditsAnswer:
        return cast(t.ReadCreditsAnswer, await self._calls.get("/api/v1/account/credits", {}, timeout))

    async def ledger(
        self, *, timeout: float | None = None, **query: Unpack[t.ReadLedgerQuery]
    ) -> t.ReadLedgerAnswer:
        return cast(t.ReadLedgerAnswer, await self._calls.get("/api/v1/account/ledger", query, timeout))

    async def usage(self, *, timeout: float | None = None, **query: Unpack[t.ReadUsageQuery]) -> t.ReadUsageAnswer:
        """What ended tasks cost, by hour, day or month."""
        return cast(t.ReadUsageAnswer, await self._calls.get("/api/v1/account/usage", query, timeout))

    async def keys(self, *, timeout: float | None = None, **query: Unpack[t.ListKeysQuery]) -> t.ListKeysAnswer:
        """A page of the account's API keys, newest first, with their limits and last use."""
        return cast(t.ListKeysAnswer, await self._calls.get("/api/v1/account/keys", query, timeout))

    async def events(self, after: int = 0, *, follow: bool = False) -> AsyncGenerator[t.Event, None]:
        """The end of every task after the given number, in order. Keep the last `number`, and resume from it.

        Ends when there is none left; with `follow` it goes on with those to come.
        """
        if follow:
            async with aclosing(follow_events(self._transport, after)) as coming:
                async for event in coming:
                    yield event
        has_more = not follow
        while has_more:
            query = {"after": after, "limit": _EVENTS_PER_PAGE}
            page = cast(t.ReadEventsAnswer, await self._calls.get("/api/v1/events", query, None))
            for event in page["events"]:
                yield event
            has_more, after = page["hasMore"], page["next"]


class AsyncZoetrope(Core):
    """The client of a Zoetrope service, for asyncio. Cancelling a call ends it at once; a task continues."""

    webhooks = webhooks

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
