"""A misspelt limit must not be ignored: every call refuses an argument that it does not have."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

import zoetrope
from zoetrope import AsyncZoetrope, Zoetrope
from zoetrope._outputs import AsyncOutput, Output

from .scripted_server import ScriptedServer, Told

KEY = "zoe_live_secret"


def calls_of(client: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public method, such as `run` and `tasks.create`."""
    for name in dir(client):
        found = getattr(client, name)
        if name.startswith("_") or inspect.ismodule(found):
            continue
        if not inspect.ismethod(found):
            yield from ((f"{name}.{inner}", call) for inner, call in calls_of(found))
        else:
            yield name, found


def required(call: Callable[..., Any]) -> list[Any]:
    given = inspect.signature(call).parameters.values()
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return ["a" for one in given if one.kind in kinds and one.default is inspect.Parameter.empty]


async def exhaust(outcome: Any) -> None:
    if inspect.isasyncgen(outcome):
        async for _ in outcome:
            pass
    elif inspect.isawaitable(outcome):
        await outcome
    elif inspect.isgenerator(outcome):
        for _ in outcome:
            pass


@pytest.mark.parametrize("kind", [Zoetrope, AsyncZoetrope])
def test_every_call_refuses_an_argument_that_it_does_not_have(kind: Any, server: ScriptedServer) -> None:
    client = kind(server.url, KEY)
    output = AsyncOutput(cast(Any, {"url": server.url, "mediaType": "image/png"}), client_transport(client))
    files: Any = output if kind is AsyncZoetrope else Output(output)
    named = [*calls_of(client), *((f"file.{name}", call) for name, call in calls_of_file(files))]
    names = {name for name, _ in named}
    expected = {"run", "batch", "events", "tasks.list", "tasks.list_all", "assets.list", "file.download"}
    assert expected <= names
    for name, call in named:
        with pytest.raises(TypeError) as caught:
            asyncio.run(exhaust(call(*required(call), not_an_option=1)))
        assert "not_an_option" in str(caught.value), name
    with pytest.raises(TypeError, match="maxCredits"):
        client.run("sd2", {"prompt": "a fox"}, maxCredits=1)
    with pytest.raises(TypeError, match="api_kee"):
        kind(server.url, api_kee=KEY)
    assert server.asked == []


def test_a_request_is_sent_with_what_the_client_does_not_know(server: ScriptedServer) -> None:
    client = Zoetrope(server.url, KEY)
    server.answer = lambda _: Told(400, {"code": "invalid_parameters", "param": "max_credits"})
    request = cast(Any, {"model": "sd2", "inputs": {"prompt": "a fox"}, "max_credits": 1})
    for call in (client.tasks.create, client.quote):
        with pytest.raises(zoetrope.InvalidParametersError):
            call(request)
        assert json.loads(server.asked[-1].body)["max_credits"] == 1


def test_a_request_of_a_batch_is_sent_with_what_the_client_does_not_know(server: ScriptedServer) -> None:
    client = Zoetrope(server.url, KEY)
    server.answer = lambda _: Told(400, {"code": "invalid_parameters"})
    task = {"model": "sd2", "inputs": {"prompt": "a fox"}, "max_credits": 1}
    source = "https://media.example.com/a.mp4"
    upscale = {"source": source, "targetResolution": "2k", "max_credits": 1, "callbackUrl": source}
    misspelt = {"source": source, "target_resolution": "2k"}
    without_model = {"inputs": {"prompt": "a fox"}, "target_resolution": "2k"}
    for request, expected in (
        (task, {"max_credits": 1}),
        (upscale, {"max_credits": 1, "callbackUrl": source, "targetResolution": "2k"}),
        (misspelt, {"target_resolution": "2k"}),
        (without_model, {"target_resolution": "2k"}),
    ):
        (result,) = client.batch([cast(Any, request)])
        assert isinstance(result.error, zoetrope.InvalidParametersError), result.error
        assert json.loads(server.asked[-1].body).items() >= expected.items()
    (result,) = client.batch([cast(Any, {"model": "sd2"})])
    assert isinstance(result.error, zoetrope.ZoetropeError) and "inputs" in str(result.error)


def test_the_index_of_an_output_is_sent(server: ScriptedServer) -> None:
    client = Zoetrope(server.url, KEY)
    server.answer = lambda _: Told(400, {"code": "invalid_parameters"})
    second = {"taskId": "a", "index": 1}
    with pytest.raises(zoetrope.InvalidParametersError):
        client.upscales.create(second, "2k")
    assert json.loads(server.asked[-1].body)["source"] == {"type": "url", "url": "task://a/1"}
    with pytest.raises(zoetrope.InvalidParametersError):
        client.quote({"model": "happyhorse", "inputs": {"urls": [second]}})
    assert json.loads(server.asked[-1].body)["inputs"]["urls"] == ["task://a/1"]


def client_transport(client: Any) -> Any:
    return client._transport if isinstance(client, AsyncZoetrope) else client._core._transport


def calls_of_file(file: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in ("stream", "read", "download"):
        yield name, getattr(file, name)
