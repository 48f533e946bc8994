"""How calls fail and are repeated, against a server that does as told."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import zoetrope
from zoetrope import AsyncZoetrope, OpenTasks, Zoetrope, types
from zoetrope._batch import _Room

from .scripted_server import Asked, ScriptedServer, Told

REQUEST: zoetrope.types.TaskRequest = {"model": "image-plus-2", "inputs": {"prompt": "a fox"}}
TASK = {"taskId": "t", "status": "PENDING", "output": None, "error": None, "errorCode": None}


HTTP = httpx.Client()  # one for all: each would read the certificates again


def client_of(server: ScriptedServer, **options: Any) -> Zoetrope:
    return Zoetrope(server.url, "zoe_live_secret", http_client=HTTP, **options)


def test_a_create_keeps_its_idempotency_key_over_lost_and_cut_answers(server: ScriptedServer) -> None:
    server.script = [Told(is_lost=True), Told(body={}, is_cut=True), Told(body={"taskId": "t"})]
    assert client_of(server).tasks.create(REQUEST) == {"taskId": "t"}
    assert len(server.asked) == 3
    assert len({asked.headers["idempotency-key"] for asked in server.asked}) == 1


def test_a_create_without_an_answer_says_with_which_key_to_repeat_it(server: ScriptedServer) -> None:
    server.answer = lambda _: Told(is_lost=True)
    with pytest.raises(zoetrope.ConnectionError) as caught:
        client_of(server).tasks.create(REQUEST)
    assert caught.value.idempotency_key == server.asked[0].headers["idempotency-key"]
    assert len(server.asked) == 3
    assert isinstance(caught.value, ConnectionError)


def test_a_call_that_may_have_had_an_effect_and_has_no_key_is_not_repeated(server: ScriptedServer) -> None:
    for told in (Told(is_lost=True), Told(500, {"code": "internal_error"}), Told(503, b"")):
        server.asked.clear()
        server.script = [told]
        with pytest.raises(zoetrope.ZoetropeError):
            client_of(server).assets.fetch_url("https://example.com/a.png", "IMAGE")
        assert len(server.asked) == 1


def test_a_call_that_was_refused_before_anything_was_done_is_repeated(server: ScriptedServer) -> None:
    server.script = [Told(429, {"code": "rate_limited"}, {"retry-after": "0"}), Told(body={"assetId": 1})]
    client_of(server).assets.fetch_url("https://example.com/a.png", "IMAGE")
    assert len(server.asked) == 2


def test_a_retry_waits_for_retry_after_and_an_hour_is_left_to_the_caller(server: ScriptedServer) -> None:
    server.script = [Told(503, {}, {"retry-after": "1"}), Told(body={"credits": 1})]
    client_of(server).credits()
    first, second = server.asked
    assert second.at - first.at >= 1
    server.script = [Told(503, {"code": "busy"}, {"retry-after": "3600"})]
    with pytest.raises(zoetrope.ServerError) as caught:
        client_of(server).credits()
    assert (caught.value.retry_after, caught.value.code, len(server.asked)) == (3600, "busy", 3)


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid_parameters", zoetrope.InvalidParametersError),
        (401, "unauthorized", zoetrope.UnauthorizedError),
        (402, "insufficient_credits", zoetrope.InsufficientCreditsError),
        (403, "scope_missing", zoetrope.PermissionError),
        (404, "not_found", zoetrope.NotFoundError),
        (409, "asset_in_use", zoetrope.ConflictError),
        (413, "too_large", zoetrope.InvalidParametersError),
        (422, "idempotency_key_reused", zoetrope.IdempotencyKeyReusedError),
        (429, "concurrency_limit", zoetrope.ConcurrencyLimitError),
        (429, "storage_limit", zoetrope.RateLimitError),
        (302, "unknown", zoetrope.ApiError),
    ],
)
def test_refusals_are_told_apart_by_their_class(
    server: ScriptedServer, status: int, code: str, kind: type[zoetrope.ApiError]
) -> None:
    body = {"code": code, "message": "told", "requestId": "r", "param": "inputs.urls[2]"}
    server.answer = lambda _: Told(status, body, {"location": f"{server.url}/elsewhere"})
    with pytest.raises(kind) as caught:
        client_of(server).tasks.create(REQUEST)
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.code, error.status, error.request_id, error.param) == (code, status, "r", "inputs.urls[2]")
    assert len(server.asked) == 1  # neither repeated nor sent elsewhere with the key


def test_the_key_is_in_no_error_and_no_description(server: ScriptedServer) -> None:
    server.answer = lambda _: Told(is_lost=True)
    client = client_of(server, retries_max=0)
    with pytest.raises(zoetrope.ConnectionError) as caught:
        client.credits()
    shown = repr(caught.value) + repr(caught.value.__cause__) + repr(vars(client)) + repr(vars(client._core))
    assert "zoe_live_secret" not in shown


def test_a_silent_server_ends_an_attempt_and_the_deadline_ends_a_wait(server: ScriptedServer) -> None:
    server.answer = lambda _: Told(is_silent=True)
    with pytest.raises(zoetrope.ConnectionError, match="not answered in time"):
        client_of(server, timeout=0.2, retries_max=1).credits()
    assert len(server.asked) == 2
    with pytest.raises(zoetrope.TimeoutError, match="It is still running: wait for it again") as caught:
        client_of(server).tasks.wait("t", timeout=0.5)
    assert caught.value.task_id == "t"
    assert isinstance(caught.value, TimeoutError)


def test_a_wait_survives_errors_and_asks_only_for_changes(server: ScriptedServer) -> None:
    etag = {"etag": '"1"', "preference-applied": "wait=50"}
    server.script = [
        Told(500, {}),
        Told(body=TASK, headers=etag),
        Told(is_lost=True),
        Told(304, headers={"preference-applied": "wait=50"}),
        Told(body={**TASK, "status": "COMPLETED"}),
    ]
    states: list[str] = []
    task = client_of(server).tasks.wait("t", on_progress=lambda task: states.append(task["status"]))
    assert (task["status"], states) == ("COMPLETED", ["PENDING", "COMPLETED"])
    assert [asked.headers.get("if-none-match") for asked in server.asked] == [None, None, *['"1"'] * 3]


def test_on_created_is_told_the_task_and_the_key_once_before_its_end_by_both_clients(server: ScriptedServer) -> None:
    over = {**TASK, "status": "COMPLETED", "output": []}
    source = f"{server.url}/a.mp4"
    result = {"url": source, "mediaType": "video/mp4", "sizeBytes": 1}
    upscaled = {"taskId": "t", "status": "completed", "error": None, "result": result}

    def answer(asked: Asked) -> Told:
        if asked.method == "POST":
            return Told(body={"taskId": "t"})
        return Told(body=upscaled if "upscale" in asked.path else over)

    server.answer = answer
    told: list[Any] = []

    async def note(created: zoetrope.Created) -> None:
        told.append(created)

    def follow(task: Any) -> None:
        told.append(task["phase"])

    inputs: types.ImagePlus2Inputs = {"prompt": "a fox"}

    async def run_both() -> None:
        async with AsyncZoetrope(server.url, "zoe_live_secret") as client:
            await client.run("image-plus-2", inputs, idempotency_key="mine", on_created=note, on_progress=follow)
            await client.upscales.run(source, "2k", idempotency_key="mine", on_created=note, on_progress=follow)

    client = client_of(server)
    client.run("image-plus-2", inputs, idempotency_key="mine", on_created=told.append, on_progress=follow)
    client.upscales.run(source, "2k", idempotency_key="mine", on_created=told.append, on_progress=follow)
    created = {"taskId": "t", "idempotencyKey": "mine"}
    assert told == [created, "task"] * 2
    asyncio.run(run_both())
    assert told == [created, "task"] * 4
    client.run("image-plus-2", inputs, on_created=told.append)
    (sent,) = (asked for asked in server.asked[-2:] if asked.method == "POST")
    assert told[-1] == {"taskId": "t", "idempotencyKey": sent.headers["idempotency-key"]}


def test_events_resume_after_the_last_number_when_their_stream_breaks(server: ScriptedServer) -> None:
    def stream(*numbers: int, is_cut: bool) -> Told:
        text = "".join(f'id: {n}\nevent: status\ndata: {{"number": {n}}}\n\n' for n in numbers)
        step = 'event: status\ndata: {"number": null}\n\nid: 7\nevent: ready\ndata: {"next":7}\n\n'
        return Told(body=(step + text).encode(), headers={"content-type": "text/event-stream"}, is_cut=is_cut)

    server.script = [stream(8, 9, is_cut=True), Told(503, {}), stream(11, is_cut=False), stream(12, is_cut=False)]
    events = client_of(server).events(5)
    assert [next(events)["number"] for _ in range(4)] == [8, 9, 11, 12]
    events.close()
    assert [asked.headers["last-event-id"] for asked in server.asked] == ["5", "9", "9", "11"]


def test_a_cancelled_call_ends_at_once(server: ScriptedServer) -> None:
    server.answer = lambda _: Told(is_silent=True)

    async def cancel(start: Callable[[AsyncZoetrope], Any]) -> float:
        async with AsyncZoetrope(server.url, "key") as client:
            running = asyncio.ensure_future(start(client))
            seen = len(server.asked)
            while len(server.asked) == seen:
                await asyncio.sleep(0.01)
            began = time.monotonic()
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            return time.monotonic() - began

    async def batch(client: AsyncZoetrope) -> None:
        async for _ in client.batch([REQUEST, REQUEST]):
            pass

    # Measured in milliseconds; the bound is for a machine that is busy.
    assert asyncio.run(cancel(lambda client: client.tasks.wait("t"))) < 5
    assert asyncio.run(cancel(lambda client: client.run("sd2", {"prompt": "a fox"}))) < 5
    assert asyncio.run(cancel(batch)) < 5


def test_an_upload_sends_what_is_missing_and_says_how_to_resume(server: ScriptedServer) -> None:
    data = bytes(range(10))
    chunks = [
        {"number": n, "size": 4 if n < 2 else 2, "method": "PUT", "url": f"{server.url}/{n}"} for n in range(3)
    ]
    upload = {"uploadId": "u", "chunkBytes": 4, "chunks": chunks, "asset": None}
    is_refused = True

    def answer(asked: Any) -> Told:
        if asked.method == "PUT":
            return Told(403 if asked.path == "/1" and is_refused else 200, {})
        if asked.path.endswith("/complete"):
            return Told(body={"assetId": 1, "status": "ACTIVE"})
        return Told(body=upload if asked.method == "POST" else {**upload, "chunks": chunks[1:2]})

    server.answer = answer
    with pytest.raises(zoetrope.ZoetropeError, match="refused"):
        client_of(server).assets.upload(data, "IMAGE")
    is_refused = False
    server.asked.clear()
    shares: list[float] = []
    asset = client_of(server).assets.upload(data, "IMAGE", upload_id="u", on_progress=shares.append)
    assert (asset["assetId"], shares) == (1, [1.0])
    sent = [(asked.path, asked.body) for asked in server.asked if asked.method == "PUT"]
    assert sent == [("/1", data[4:8])]
    assert all("authorization" not in asked.headers for asked in server.asked if asked.method == "PUT")


def test_a_program_without_a_key_or_url_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZOETROPE_BASE_URL", raising=False)
    monkeypatch.delenv("ZOETROPE_API_KEY", raising=False)
    with pytest.raises(zoetrope.ZoetropeError, match="ZOETROPE_BASE_URL"):
        Zoetrope()
    with pytest.raises(zoetrope.ZoetropeError, match="ZOETROPE_API_KEY"):
        AsyncZoetrope("https://media.example.com")
    monkeypatch.setenv("ZOETROPE_BASE_URL", "https://media.example.com/")
    monkeypatch.setenv("ZOETROPE_API_KEY", "zoe_live_key")
    Zoetrope(http_client=HTTP)


@pytest.mark.parametrize("key", ["zoe_live_…", "zoe_live_secret\n", "zoe live"])
def test_a_key_that_cannot_be_one_is_refused_without_repeating_it(key: str) -> None:
    with pytest.raises(zoetrope.ZoetropeError, match="not a key") as caught:
        Zoetrope("https://media.example.com", key)
    assert "zoe" not in str(caught.value)
    with pytest.raises(zoetrope.ZoetropeError, match="user name") as caught:
        Zoetrope("https://me:secret@media.example.com", "zoe_live_secret")
    assert "secret" not in str(caught.value)


def test_a_task_that_is_not_over_is_not_a_failed_one() -> None:
    client = Zoetrope("https://media.example.com", "zoe_live_secret", http_client=HTTP)
    task: Any = TASK
    with pytest.raises(zoetrope.ZoetropeError, match="wait for it") as caught:
        client.complete(task)
    assert not isinstance(caught.value, zoetrope.TaskFailedError) and caught.value.code == "not_over"


def test_a_batch_that_could_never_begin_a_task_is_refused(server: ScriptedServer) -> None:
    with pytest.raises(zoetrope.ZoetropeError, match="above 0"):
        next(client_of(server).batch([REQUEST, REQUEST], concurrency=0))


def test_a_batch_goes_on_while_its_creates_are_refused_for_a_reason_that_passes(server: ScriptedServer) -> None:
    limited = Told(429, {"code": "rate_limited"}, {"retry-after": "0"})
    in_progress = Told(409, {"code": "request_in_progress"}, {"retry-after": "0"})
    failed = {**TASK, "status": "FAILED", "errorCode": "vendor_failed", "error": "It failed."}
    server.script = [limited, in_progress, Told(body={"taskId": "t"}), limited, Told(body=failed)]
    (result,) = client_of(server, retries_max=0).batch([REQUEST])
    assert isinstance(result.error, zoetrope.TaskFailedError) and result.error.code == "vendor_failed"
    keys = {asked.headers.get("idempotency-key") for asked in server.asked if "createTask" in asked.path}
    assert keys == {result.error.idempotency_key} and len(keys) == 1
    assert server.script == []


def test_a_batch_keeps_the_limit_that_creates_tell_full_and_never_trips_it(server: ScriptedServer) -> None:
    lock = threading.Lock()
    is_full = threading.Event()
    open_tasks: set[str] = set()
    refusals = 0

    def answer(asked: Asked) -> Told:
        nonlocal refusals
        if asked.method == "GET":
            assert is_full.wait(300)
            with lock:
                open_tasks.discard(asked.path.partition("taskId=")[2])
            return Told(body={**TASK, "status": "COMPLETED", "output": []})
        with lock:
            if len(open_tasks) == 4:
                refusals += 1
                return Told(429, {"code": "concurrency_limit"}, {"retry-after": "0"})
            task_id = str(uuid.uuid4())
            open_tasks.add(task_id)
            if len(open_tasks) == 4:
                is_full.set()
            policy = '"key";q=1000;w=60, "open-tasks";q=4'
            told = {"ratelimit-policy": policy, "ratelimit": f'"open-tasks";r={4 - len(open_tasks)}'}
            return Told(body={"taskId": task_id}, headers=told)

    server.answer = answer
    results = list(client_of(server).batch([REQUEST] * 30))
    assert sorted(result.index for result in results) == list(range(30))
    assert {result.status for result in results} == {"completed"}
    assert refusals == 0


def test_a_batch_leaves_room_for_the_tasks_of_others() -> None:
    room = _Room("account")
    first = room.begin()
    assert not room.has_room()  # nothing is known yet
    room.note(OpenTasks(max=4, left=2), first, is_open=True)  # ours and one of another program
    second, third = room.begin(), room.begin()
    assert not room.has_room()
    room.note(OpenTasks(max=4, left=1), second, is_open=True)  # the third is on its way
    room.note(OpenTasks(max=4, left=0), third, is_open=True)
    assert not room.has_room()
    for _ in range(5):  # the other program has ended its task
        room.end(first)
        assert room.has_room()
        first, second, third = second, third, room.begin()
        room.note(OpenTasks(max=4, left=1), third, is_open=True)
    assert room.has_room()


def test_a_batch_that_is_refused_tries_again_and_one_that_is_left_starts_nothing_more(
    server: ScriptedServer,
) -> None:
    refused = Told(429, {"code": "concurrency_limit"}, {"retry-after": "0"})
    server.script = [refused, Told(body={"taskId": "t"}), Told(body={**TASK, "status": "COMPLETED"})]
    (result,) = client_of(server).batch([REQUEST], concurrency=1)
    assert result.status == "completed"
    assert len({one.headers["idempotency-key"] for one in server.asked if one.method == "POST"}) == 1

    server.asked.clear()
    server.answer = lambda asked: (
        Told(body={"taskId": "t"}) if asked.method == "POST" else Told(body={**TASK, "status": "FAILED"})
    )
    for failed in client_of(server).batch([REQUEST] * 50, concurrency=2):
        assert isinstance(failed.error, zoetrope.TaskFailedError)
        break
    assert sum(asked.method == "POST" for asked in server.asked) < 50


def test_files_that_cannot_be_uploaded_are_refused_before_anything_is_sent(
    server: ScriptedServer, tmp_path: Path
) -> None:
    client = client_of(server)
    large = tmp_path / "large.mp4"
    large.touch()
    os.truncate(large, 200 * 1024 * 1024 + 1)
    files: list[tuple[zoetrope.FileLike, str]] = [(b"", "file_empty"), (large, "file_too_large")]
    for file, code in files:
        with pytest.raises(zoetrope.FileError) as caught:
            client.assets.upload(file, "VIDEO")
        assert caught.value.code == code
    with pytest.raises(FileNotFoundError):
        client.run("image-plus-2", {"prompt": "a fox", "urls": [Path("none.png")]})
    assert server.asked == []


def test_a_batch_is_resumed_by_its_key_or_those_of_its_requests_and_tells_its_tasks(server: ScriptedServer) -> None:
    def answer(asked: Asked) -> Told:
        if asked.method == "POST":
            return Told(body={"taskId": asked.headers["idempotency-key"]})
        task_id = asked.path.rpartition("=")[2]
        return Told(body={**TASK, "taskId": task_id, "status": "COMPLETED", "output": []})

    server.answer = answer
    requests: list[Any] = [REQUEST, {**REQUEST, "idempotencyKey": "own"}, {**REQUEST}]
    told: list[zoetrope.BatchProgress] = []
    results = list(client_of(server).batch(requests, idempotency_key="nightly", on_progress=told.append))
    named = {0: "nightly-0", 1: "own", 2: "nightly-2"}
    assert {result.index: result.task_id for result in results} == named
    assert {one["index"]: (one["taskId"], one["status"]) for one in told} == {
        index: (task_id, "COMPLETED") for index, task_id in named.items()
    }


def test_inputs_that_cannot_be_meant_are_told_before_anything_is_sent(server: ScriptedServer) -> None:
    client = client_of(server)

    def quote(model: str, **inputs: Any) -> Any:
        return client.quote({"model": model, "inputs": {"prompt": "a", **inputs}})  # type: ignore[typeddict-item,misc]

    for wrong, sentence in (
        ("https://example.com/a.png", "urls is a list"),
        (Path("a.png"), "urls is a list"),
        (["./a.png"], r"urls\[0\] is neither a URL nor a file"),
    ):
        with pytest.raises(zoetrope.FileError, match=sentence):
            quote("image-plus-2", urls=wrong)
    with pytest.raises(zoetrope.ZoetropeError, match="not both"):
        quote("sd2", aspectRatio="1:1", resolution="720x720")
    assert server.asked == []
    quote("image-plus-2", urls=None)
    quote("sd2", aspectRatio="16:9", duration=4)
    quote("happyhorse", aspectRatio="16:9")
    sent = [json.loads(asked.body)["inputs"] for asked in server.asked]
    assert [list(inputs.items())[1:] for inputs in sent] == [
        [("urls", [])],
        [("duration", "4"), ("resolution", "1280x720")],
        [("ratio", "16:9")],
    ]


def test_an_address_that_cannot_be_reached_is_told_with_the_reason(server: ScriptedServer) -> None:
    secure = Zoetrope(server.url.replace("http:", "https:") + "/api/v1/", "zoe_live_secret", retries_max=0)
    with pytest.raises(zoetrope.ConnectionError, match=r"/api/v1/account/credits cannot be reached \(no TLS") as caught:
        secure.credits()
    assert "/api/v1/api/v1" not in str(caught.value)


def test_keys_are_made_changed_and_revoked_and_any_other_endpoint_is_called_by_its_path(server: ScriptedServer) -> None:
    client = client_of(server)
    client.keys(limit=2)
    client.keys.create({"name": "agent", "mode": "test", "creditsMax": 100})
    client.keys.change("k", {"creditsMax": None})
    client.keys.revoke("k")
    client.request("GET", "/api/v1/webhooks/deliveries", query={"outcome": "failed"})
    body = {"url": "https://example.com/hook"}
    client.request("POST", "/api/v1/webhooks/endpoints", body=body, idempotency_key="mine")
    assert [(asked.method, asked.path, asked.body) for asked in server.asked] == [
        ("GET", "/api/v1/account/keys?limit=2", b""),
        ("POST", "/api/v1/account/keys", json.dumps({"name": "agent", "mode": "test", "creditsMax": 100}).encode()),
        ("PATCH", "/api/v1/account/keys?keyId=k", json.dumps({"creditsMax": None}).encode()),
        ("DELETE", "/api/v1/account/keys?keyId=k", b""),
        ("GET", "/api/v1/webhooks/deliveries?outcome=failed", b""),
        ("POST", "/api/v1/webhooks/endpoints", json.dumps(body).encode()),
    ]
    assert server.asked[-1].headers["idempotency-key"] == "mine"


def test_events_begin_now_unless_a_number_is_given(server: ScriptedServer) -> None:
    text = 'id: 3\nevent: status\ndata: {"number": 3}\n\n'
    server.script = [Told(body=text.encode(), headers={"content-type": "text/event-stream"})]
    events = client_of(server).events()
    assert next(events)["number"] == 3
    events.close()
    assert "last-event-id" not in server.asked[0].headers


def test_a_batch_takes_upscales_and_models_that_this_client_does_not_know(server: ScriptedServer) -> None:
    result = {"url": "https://example.com/v.mp4", "width": 1, "height": 1, "expiresAt": None}

    def answer(asked: Asked) -> Told:
        if asked.path == "/api/v1/jobs/createTask":
            return Told(body={"taskId": "t"})
        if asked.path == "/api/v1/upscale/create":
            return Told(body={"taskId": "u", "orderId": "o", "status": "validating"})
        if asked.path.startswith("/api/v1/upscale/query"):
            return Told(body={"taskId": "u", "status": "completed", "result": result, "error": None})
        return Told(body={"taskId": "t", "status": "COMPLETED", "output": [result]})

    server.answer = answer
    client = client_of(server)
    upscales: list[types.UpscaleRequest] = [{"source": "task://t/0", "targetResolution": "4k", "maxCredits": 9}]
    (upscaled,) = client.batch(upscales, idempotency_key="night")
    assert upscaled.task is not None and upscaled.task.file.url == result["url"]
    made = next(asked for asked in server.asked if asked.path == "/api/v1/upscale/create")
    assert made.headers["idempotency-key"] == "night-0"
    assert json.loads(made.body) == {
        "source": {"type": "url", "url": "task://t/0"},
        "targetResolution": "4k",
        "maxCredits": 9,
    }
    assert client.run(types.AnyModel("sd9"), {"prompt": "a fox", "mood": "calm"}).files[0].url == result["url"]


PENDING_ASSET = {
    "assetId": 7,
    "upstreamAssetId": "asset-1-a",
    "storageUrl": "https://media.example.com/a",
    "status": "PROCESSING",
    "failReason": None,
    "size": 3,
    "usableAfterReview": ["sd2"],
}


def test_a_time_limit_before_the_task_exists_says_with_which_key_to_repeat_the_call(server: ScriptedServer) -> None:
    def answer(asked: Asked) -> Told:
        if asked.path.endswith("/uploads"):
            return Told(body={"uploadId": "u", "chunkBytes": 9, "chunks": [], "asset": PENDING_ASSET})
        return Told(body=PENDING_ASSET)

    server.answer = answer
    told: list[tuple[str, zoetrope.TimeoutError]] = []
    for key in ("mine", None):
        with pytest.raises(zoetrope.TimeoutError, match="Repeat the call with the same idempotency_key") as late:
            client_of(server).run("sd2", {"urls": [b"png"]}, idempotency_key=key, timeout=0.4)
        told.append(("review", late.value))
    server.answer = lambda _: Told(503, {"code": "busy"})
    with pytest.raises(zoetrope.TimeoutError, match="Repeat the call with the same idempotency_key") as late:
        client_of(server, retries_max=99).upscales.run(b"mp4", "2k", timeout=0.2)
    told.append(("upload", late.value))
    assert told[0][1].idempotency_key == "mine"
    for phase, error in told:
        assert error.phase == phase and error.idempotency_key and error.task_id is None
    server.answer = answer
    with pytest.raises(zoetrope.TimeoutError) as waiting:
        client_of(server).assets.wait(7, timeout=0.2)
    assert waiting.value.idempotency_key is None and "Repeat" not in str(waiting.value)


def test_media_that_was_deleted_is_told_as_such(server: ScriptedServer) -> None:
    client = client_of(server)
    output = [{"url": f"{server.url}/a.png", "mediaType": "image/png", "expiresAt": 1}]
    deleted: Any = {**TASK, "status": "COMPLETED", "output": output}
    with pytest.raises(zoetrope.OutputError, match="was deleted"):
        client.complete(deleted)
    upscale: Any = {"taskId": "t", "status": "completed", "error": None, "result": None}
    with pytest.raises(zoetrope.OutputError, match="was deleted"):
        client.upscales.complete(upscale)
    with pytest.raises(zoetrope.ZoetropeError, match="processing: wait for it") as early:
        client.upscales.complete({**upscale, "status": "processing"})
    assert early.value.code == "not_over"


def test_a_download_creates_the_folders_of_its_path(server: ScriptedServer, tmp_path: Path) -> None:
    output: Any = [{"url": f"{server.url}/a.png", "mediaType": "image/png", "expiresAt": None}]
    task: Any = {**TASK, "status": "COMPLETED", "output": output}
    server.answer = lambda _: Told(body=b"png")
    path = tmp_path / "a" / "new" / "folder" / "fox.png"
    client_of(server).complete(task).files[0].download(path)
    assert path.read_bytes() == b"png" and os.listdir(path.parent) == ["fox.png"]


def test_a_truth_value_is_not_a_number_of_seconds(server: ScriptedServer) -> None:
    for given, sent in ((4, "4"), (True, True), ("4s", "4s")):
        client_of(server).quote({"model": "sd2", "inputs": {"prompt": "a fox", "duration": given}})
        assert json.loads(server.asked[-1].body)["inputs"]["duration"] == sent


def test_an_asset_is_the_source_of_an_upscale(server: ScriptedServer) -> None:
    server.answer = lambda _: Told(body={"taskId": "t"})
    client_of(server).upscales.create(PENDING_ASSET, "2k")
    (asked,) = server.asked
    assert json.loads(asked.body)["source"] == {"type": "uploadId", "storageUrl": PENDING_ASSET["storageUrl"]}


def test_the_own_key_a_declaration_and_webhooks_are_called_as_the_service_names_them(server: ScriptedServer) -> None:
    client = client_of(server)
    declaration: types.DeclarationInput = {"people": "Ada Lovelace", "purpose": "Videos"}
    upload = {"uploadId": "u", "chunkBytes": 9, "chunks": [], "asset": None}
    server.answer = lambda asked: Told(body=upload if asked.path.endswith("/uploads") else {"assetId": 7})
    client.key()
    assert client.assets.upload_form(b"%PDF") == "u"
    client.assets.upload(b"png", "IMAGE", declaration=declaration)
    client.assets.fetch_url("https://example.com/a.png", "IMAGE", declaration=declaration)
    hooks = client.webhooks
    hooks.secret()
    hooks.rotate_secret("e", overlap_hours=1)
    hooks.endpoints()
    hooks.create_endpoint({"url": "https://example.com"})
    hooks.change_endpoint("e", {"description": "ours"})
    hooks.delete_endpoint("e")
    hooks.deliveries(task_id="t")
    hooks.test({"url": "https://example.com"})
    bodies = [(asked.method, asked.path, json.loads(asked.body or b"null")) for asked in server.asked]
    for _, _, body in bodies:
        if isinstance(body, dict):
            body.pop("sha256", None)
    assets, webhooks = "/api/v1/assets", "/api/v1/webhooks"
    assert bodies == [
        ("GET", "/api/v1/account/key", None),
        ("POST", f"{assets}/uploads", {"type": "DOCUMENT", "size": 4}),
        ("POST", f"{assets}/uploads", {"type": "IMAGE", "size": 3, "reuse": False}),
        ("POST", f"{assets}/uploads/complete", {"uploadId": "u", "declaration": declaration}),
        (
            "POST",
            f"{assets}/upload",
            {"url": "https://example.com/a.png", "type": "IMAGE", "declaration": declaration},
        ),
        ("GET", f"{webhooks}/secret", None),
        ("POST", f"{webhooks}/endpoints/secret/rotate?endpointId=e", {"overlapHours": 1}),
        ("GET", f"{webhooks}/endpoints", None),
        ("POST", f"{webhooks}/endpoints", {"url": "https://example.com"}),
        ("PATCH", f"{webhooks}/endpoints?endpointId=e", {"description": "ours"}),
        ("DELETE", f"{webhooks}/endpoints?endpointId=e", None),
        ("GET", f"{webhooks}/deliveries?taskId=t", None),
        ("POST", f"{webhooks}/test", {"url": "https://example.com"}),
    ]
