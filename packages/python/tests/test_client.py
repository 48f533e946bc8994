"""Against a real stack."""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import time
from pathlib import Path

import pytest

import zoetrope
from zoetrope import types

from .conftest import Service


def render(path: Path, *source: str) -> None:
    subprocess.run(["ffmpeg", "-v", "error", *source, str(path)], check=True)


def seconds_of(path: Path) -> float:
    probe = ["ffprobe", "-v", "error", "-show_format", "-of", "json", str(path)]
    return float(json.loads(subprocess.run(probe, check=True, capture_output=True).stdout)["format"]["duration"])


def test_run_answers_a_file_that_plays_and_reports_every_state_on_the_way(
    service: Service, tmp_path: Path
) -> None:
    client = service.client()
    states: list[str] = []
    done = client.run(
        "sd2",
        {"prompt": "a heron", "duration": "4s"},
        on_progress=lambda task: states.append(task["status"]),
        timeout=600,
        max_credits=1_000,
    )
    path = tmp_path / "heron.mp4"
    done.files[0].download(path)
    assert seconds_of(path) == pytest.approx(4, abs=0.5)
    assert os.listdir(tmp_path) == ["heron.mp4"]
    assert states[-1] == "COMPLETED" and len(set(states)) == len(states)
    assert done.files[0].media_type == "video/mp4"
    assert b"".join(done.files[0].stream()) == path.read_bytes() == done.files[0].read()

    events = list(client.events(follow=False))
    assert [event["taskId"] for event in events] == [done.task_id]
    assert list(client.events(events[0]["number"], follow=False)) == []
    following = client.events(0)
    assert next(following)["taskId"] == done.task_id
    following.close()

    client.tasks.delete_media(done.task_id)
    with pytest.raises(zoetrope.ZoetropeError, match="deleted"):
        done.files[0].download(tmp_path / "gone.mp4")
    assert os.listdir(tmp_path) == ["heron.mp4"]


def test_the_asynchronous_client_does_the_same(service: Service, tmp_path: Path) -> None:
    states: list[str] = []

    async def note(task: types.GenerationTask) -> None:
        states.append(task["status"])

    async def run() -> None:
        async with service.async_client() as client:
            inputs: types.ImagePlus2Inputs = {"prompt": "a fox", "resolution": "1k"}
            done = await client.run("image-plus-2", inputs, on_progress=note)
            await done.files[0].download(tmp_path / "fox.png")
            assert (tmp_path / "fox.png").stat().st_size == len(await done.files[0].read())
            assert states[-1] == "COMPLETED"
            streamed = [task["status"] async for task in client.tasks.stream(done.task_id)]
            assert streamed == ["COMPLETED"]
            assert [event["taskId"] async for event in client.events(follow=False)] == [done.task_id]
            listed = [task["taskId"] async for task in client.tasks.list_all(limit=1)]
            assert listed == [done.task_id]

    asyncio.run(run())


def test_a_file_where_a_url_is_expected_is_uploaded_reviewed_and_used_once_for_all_tasks(
    service: Service, tmp_path: Path
) -> None:
    client = service.client(open_tasks_max=10)
    path = tmp_path / "frame.png"
    render(path, "-f", "lavfi", "-i", "testsrc2=s=640x640:d=1", "-frames:v", "1")
    forms: list[zoetrope.FileLike] = [path, path.read_bytes(), io.BytesIO(path.read_bytes())]
    requests: list[types.TaskRequest] = [
        {"model": "image-plus-2", "inputs": {"prompt": "at night", "urls": [form], "resolution": "1k"}}
        for form in forms
    ]
    assert [result.status for result in client.batch(requests)] == ["completed"] * 3
    (asset,) = client.assets.list()["items"]
    assert client.assets.get(asset["assetId"])["status"] == "PROCESSING"  # a person reviews; this model needs none

    client.assets.delete(asset["assetId"])
    priced = client.quote(requests[0])  # uploaded again: the one it knew is gone
    assert priced["credits"] > 0
    assert [one["assetId"] for one in client.assets.list()["items"]] != [asset["assetId"]]

    with path.open("r", encoding="latin-1") as opened, pytest.raises(zoetrope.ZoetropeError, match="binary"):
        client.assets.upload(opened, "IMAGE")  # type: ignore[arg-type]


def test_the_wait_for_a_review_is_told_and_a_restarted_program_makes_one_task_with_its_file(
    service: Service, tmp_path: Path
) -> None:
    key = service.account()["key"]
    path = tmp_path / "frame.png"
    render(path, "-f", "lavfi", "-i", "testsrc2=s=640x640:d=1", "-frames:v", "1")
    told: list[str] = []

    def run() -> str:
        inputs: types.ImagePlus2Inputs = {"prompt": "at night", "urls": [path], "resolution": "1k"}
        client = zoetrope.Zoetrope(service.url, key)
        done = client.run(
            "image-plus-2", inputs, idempotency_key="mine", on_progress=lambda news: told.append(news["phase"])
        )
        return done.task_id

    assert run() == run()
    assert told[:2] == ["upload", "task"]
    client = zoetrope.Zoetrope(service.url, key)
    (asset,) = client.assets.list()["items"]
    moving: types.Sd2Inputs = {"prompt": "it moves", "urls": [path]}
    assert client.quote({"model": "sd2", "inputs": moving})["credits"] > 0
    told.clear()
    with pytest.raises(zoetrope.TimeoutError, match=rf"review of urls\[0\] \(asset {asset['assetId']}\)") as late:
        client.run("sd2", moving, timeout=3, on_progress=lambda news: told.append(news["phase"]))
    assert (late.value.phase, late.value.task_id, told) == ("review", None, ["upload", "review"])


def test_a_restarted_program_makes_one_task_with_an_output_as_its_video_and_saves_it_once(service: Service) -> None:
    key = service.account()["key"]
    made = zoetrope.Zoetrope(service.url, key).run("sd2-fast", {"prompt": "a heron", "duration": "4s"})

    def run(video: zoetrope.Made | str) -> str:
        inputs: types.Sd2Inputs = {
            "videoInputMode": "reference",
            "resolution": "720x720",
            "videoUrls": [video],
        }
        return zoetrope.Zoetrope(service.url, key).run("sd2", inputs, idempotency_key="mine").task_id

    names = (f"task://{made.task_id}", f"task://{made.task_id}/0", made.files[0])
    assert len({run(name) for name in names}) == 1
    client = zoetrope.Zoetrope(service.url, key)
    assert len(client.assets.list()["items"]) == 1
    assert len(client.tasks.list()["items"]) == 2


def test_an_uploaded_video_is_upscaled(service: Service, tmp_path: Path) -> None:
    client = service.client()
    path = tmp_path / "small.mp4"
    render(path, "-f", "lavfi", "-i", "testsrc2=s=640x360:r=24:d=1", "-pix_fmt", "yuv420p")
    done = client.upscales.run(path, "1080p", timeout=600)
    done.file.download(tmp_path / "large.mp4")
    assert done.file.info["height"] == 1080
    assert seconds_of(tmp_path / "large.mp4") == pytest.approx(1, abs=0.3)
    assert client.upscales.get(done.task["taskId"])["status"] == "completed"


def test_what_a_task_made_is_an_input_of_the_next(service: Service) -> None:
    client = service.client()
    image = client.run("image-plus-2", {"prompt": "a fox", "resolution": "1k"})
    for made in (image, image.task, image.files[0], f"task://{image.task_id}"):
        priced = client.quote({"model": "happyhorse", "inputs": {"urls": [made]}})
        assert priced["credits"] > 0
    video = client.run("sd2-fast", {"prompt": "a heron", "duration": "4s"})
    for made in (video, video.files[0], f"task://{video.task_id}/0"):
        assert client.upscales.create(made, "1080p")["status"] == "validating"
    assert client.assets.list()["items"] == []  # nothing was uploaded
    reference: types.TaskRequest = {
        "model": "sd2",
        "inputs": {"videoInputMode": "reference", "resolution": "720x720", "videoUrls": [video]},
    }
    for _ in range(2):
        assert client.quote(reference)["credits"] > 0
    assert len(client.assets.list()["items"]) == 1  # saved to the library, once


def test_a_task_that_fails_raises_its_code_and_costs_nothing(service: Service) -> None:
    client = service.client()
    with pytest.raises(zoetrope.TaskFailedError) as caught:
        client.run("sd2", {"prompt": "a heron [sandbox:fail]"})
    assert caught.value.code not in ("", "unknown")
    assert client.credits()["credits"] == 10_000


def test_refusals_carry_code_parameter_and_request_id(service: Service) -> None:
    client = service.client(credits=1)
    with pytest.raises(zoetrope.InsufficientCreditsError):
        client.run("sd2", {"prompt": "a fox"})
    with pytest.raises(zoetrope.InsufficientCreditsError) as above:
        service.client().run("sd2", {"prompt": "a fox"}, max_credits=1)
    assert above.value.code == "price_above_max"
    with pytest.raises(zoetrope.NotFoundError):
        client.tasks.get("none")
    with pytest.raises(zoetrope.InvalidParametersError) as wrong:
        client.quote({"model": "sd2", "inputs": {"prompt": "a fox", "duration": "99s"}})
    assert wrong.value.param == "inputs.duration" and wrong.value.request_id
    with pytest.raises(zoetrope.UnauthorizedError):
        zoetrope.Zoetrope(service.url, "zoe_live_none").credits()


def test_a_wait_needs_few_requests_and_ends_with_its_time_or_when_it_is_cancelled(service: Service) -> None:
    seconds = float(os.environ["ZOETROPE_TEST_WAIT_SECONDS"])
    client = service.client()
    created = client.tasks.create({"model": "sd2", "inputs": {"prompt": "a heron [sandbox:hang]"}})
    before = service.order("seen")["requests"]
    began = time.monotonic()
    with pytest.raises(zoetrope.TimeoutError) as caught:
        client.tasks.wait(created["taskId"], timeout=seconds)
    assert caught.value.task_id == created["taskId"]
    assert time.monotonic() - began >= seconds
    assert service.order("seen")["requests"] - before <= 5

    async def cancel() -> float:
        async with zoetrope.AsyncZoetrope(service.url, client._core._transport.api_key) as other:
            waiting = asyncio.ensure_future(other.tasks.wait(created["taskId"]))
            await other.credits()
            began = time.monotonic()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            return time.monotonic() - began

    assert asyncio.run(cancel()) < 5  # milliseconds, but for a machine that is busy


def test_a_batch_of_more_tasks_than_the_account_may_have_sees_every_one_of_them_through(
    service: Service,
) -> None:
    client = service.client(open_tasks_max=3)
    requests: list[types.TaskRequest] = [
        {"model": "image-plus-2", "inputs": {"prompt": f"a fox, number {n}", "resolution": "1k"}} for n in range(5)
    ]
    done = [result.index for result in client.batch(requests) if result.status == "completed"]
    assert sorted(done) == list(range(5))
    listed = [task["taskId"] for task in client.tasks.list_all(status="COMPLETED", limit=2)]
    assert len(set(listed)) == 5
    found = client.tasks.query([*listed, "none"])
    assert [task["taskId"] for task in found["tasks"]] == listed and found["notFound"] == ["none"]
    assert len(client.tasks.timeline(listed[0])["entries"]) > 2
    assert len(client.keys()["items"]) == 1
    (usage,) = client.usage(by="day")["items"]
    assert (usage["completed"], usage["failed"]) == (5, 0)
    assert client.ledger(limit=1)["items"][0]["kind"] == "capture"
    assert len(client.models()["models"]) == 5
