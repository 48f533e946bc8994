"""The kinds of calls that everything is made of."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any, cast

from ._transport import NO_DEADLINE, Call, Deadline, Transport, parse, read_open_tasks, send, send_for_json
from ._upload import FileMemory
from .errors import OpenTasks
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

    async def create(
        self,
        path: str,
        body: Mapping[str, Any],
        key: str | None,
        timeout: float | None,
        deadline: Deadline = NO_DEADLINE,
        tell: Callable[[OpenTasks | None], None] | None = None,
    ) -> Any:
        """With an idempotency key, which all attempts have in common."""
        given = {name: value for name, value in body.items() if value is not None}
        key = key if key is not None else str(uuid.uuid4())
        call = Call("POST", path, body=given, idempotency_key=key, timeout=timeout, deadline=deadline)
        answer = await send(self.transport, call)
        if tell is not None:
            tell(read_open_tasks(answer.headers))
        return parse(self.transport, call, answer)

    async def create_task(
        self,
        request: Mapping[str, Any],
        key: str | None,
        timeout: float | None,
        deadline: Deadline,
        tell: Callable[[OpenTasks | None], None] | None = None,
    ) -> CreateTaskAnswer:
        body = await self.take_files(request, deadline)
        answer = await self.create("/api/v1/jobs/createTask", body, key, timeout, deadline, tell)
        return cast(CreateTaskAnswer, answer)

    async def take_files(self, request: Mapping[str, Any], deadline: Deadline) -> dict[str, Any]:
        return {**request, "inputs": await self.files.take_files(request["inputs"], deadline)}


def after_seconds(seconds: float | None, what: str) -> Deadline:
    return Deadline(seconds, f"{what} is not over after {seconds} s.")


def _camel(name: str) -> str:
    first, *others = name.rstrip("_").split("_")
    return first + "".join(other.capitalize() for other in others)
