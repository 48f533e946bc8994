"""The kinds of calls that everything is made of."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any, cast

from ._batch import Tell
from ._ratio import own_inputs
from ._transport import NO_DEADLINE, Call, Deadline, Transport, parse, read_open_tasks, send, send_for_json
from ._upload import FileMemory
from .errors import ZoetropeError
from .types import CreateTaskAnswer


class Calls:
    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.files = FileMemory(transport)

    async def send(self, call: Call) -> Any:
        return await send_for_json(self.transport, call)

    async def get(self, path: str, query: Mapping[str, Any], timeout: float | None) -> Any:
        named = {_camel(name): value for name, value in query.items()}
        return await self.send(Call("GET", path, named, timeout=timeout))

    async def find(self, path: str, query: Mapping[str, Any], filters: type, timeout: float | None) -> Any:
        """A page. A filter that there is not is a `TypeError`, as any argument: ignored, it would let all through."""
        for name in query:
            if name not in filters.__annotations__:
                known = ", ".join(filters.__annotations__)
                raise TypeError(f"There is no filter {name!r}. The filters are {known}.")
        return await self.get(path, query, timeout)

    async def create(
        self,
        path: str,
        body: Mapping[str, Any],
        key: str | None,
        timeout: float | None,
        deadline: Deadline = NO_DEADLINE,
        tell: Tell | None = None,
    ) -> Any:
        """With an idempotency key, which all attempts have in common."""
        given = {name: value for name, value in body.items() if value is not None}
        key = key if key is not None else str(uuid.uuid4())
        call = Call("POST", path, body=given, idempotency_key=key, timeout=timeout, deadline=deadline)
        answer = await send(self.transport, call)
        created = parse(self.transport, call, answer)
        if tell is not None:
            tell(created["taskId"], read_open_tasks(answer.headers))
        return created

    async def create_task(
        self,
        request: Mapping[str, Any],
        key: str | None,
        timeout: float | None,
        deadline: Deadline,
        tell: Tell | None = None,
        on_progress: Callable[[Any], object] | None = None,
    ) -> CreateTaskAnswer:
        body = await self.take_files(request, deadline, until_usable=True, on_progress=on_progress)
        answer = await self.create("/api/v1/jobs/createTask", body, key, timeout, deadline, tell)
        return cast(CreateTaskAnswer, answer)

    async def take_files(
        self,
        request: Mapping[str, Any],
        deadline: Deadline,
        *,
        until_usable: bool,
        on_progress: Callable[[Any], object] | None = None,
    ) -> dict[str, Any]:
        given = request.get("inputs")
        if not isinstance(given, Mapping):
            message = 'A request is {"model": ..., "inputs": ...}, with inputs such as {"prompt": "a fox"}.'
            raise ZoetropeError(message)
        model = request.get("model")  # without one, the service says so
        taken = await self.files.take_files(
            own_inputs(model, given), deadline, model if until_usable else None, on_progress
        )
        return {**request, "inputs": taken}


def after_seconds(seconds: float | None, what: str, idempotency_key: str | None = None) -> Deadline:
    return Deadline(seconds, what, idempotency_key=idempotency_key)


def _camel(name: str) -> str:
    first, *others = name.rstrip("_").split("_")
    return first + "".join(other.capitalize() for other in others)
