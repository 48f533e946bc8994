"""Last, because it stops the worker: what is created stays."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import zoetrope
from zoetrope import AsyncZoetrope, Zoetrope

from . import conftest
from .conftest import Service

AT_ONCE = 10


class KillOnce:
    """Kills the server when so many were created."""

    def __init__(self, service: Service, at: int) -> None:
        self._service = service
        self._left = at
        self._lock = threading.Lock()

    def count(self) -> None:
        with self._lock:
            self._left -= 1
            is_now = self._left == 0
        if is_now:
            self._service.order("kill-api")


def request(number: int) -> zoetrope.types.TaskRequest:
    return {"model": "image-plus-2", "inputs": {"prompt": f"fox {number}"}}


def test_creates_through_resets_500s_429s_and_a_killed_server_make_exactly_as_many_tasks(
    service: Service,
) -> None:
    creates = int(os.environ["ZOETROPE_TEST_CREATES"])
    service.order("stop-worker")
    account = service.account(credits=100_000, open_tasks_max=1_000)
    killer = KillOnce(service, creates // 2)
    before = service.order("seen")["faults"]
    service.order("faults", share=0.4)
    # Half of them block, half are asynchronous.
    blocking = create_blocking(service, account["key"], range(creates // 2), killer)
    others = create_async(service, account["key"], range(creates // 2, creates), killer)
    service.order("faults", share=0)
    faults = service.order("seen")["faults"] - before
    tasks = service.order("count-tasks", accountId=account["accountId"])["tasks"]
    assert len({*blocking, *others}) == creates
    assert tasks == creates
    assert faults > creates * 0.4
    conftest.exact["exactCreates"] = tasks


def create_blocking(service: Service, api_key: str, numbers: range, killer: KillOnce) -> list[str]:
    client = Zoetrope(service.url, api_key)

    def create(number: int) -> str:
        key: str | None = None
        while True:
            try:
                task_id = client.tasks.create(request(number), idempotency_key=key)["taskId"]
                killer.count()
                return task_id
            except (zoetrope.ConnectionError, zoetrope.ServerError, zoetrope.RateLimitError) as error:
                key = error.idempotency_key

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(create, numbers))


def create_async(service: Service, api_key: str, numbers: range, killer: KillOnce) -> list[str]:
    async def create(client: AsyncZoetrope, number: int) -> str:
        key: str | None = None
        while True:
            try:
                created = await client.tasks.create(request(number), idempotency_key=key)
                await asyncio.to_thread(killer.count)
                return created["taskId"]
            except (zoetrope.ConnectionError, zoetrope.ServerError, zoetrope.RateLimitError) as error:
                key = error.idempotency_key

    async def create_all() -> list[str]:
        waiting = iter(numbers)
        async with AsyncZoetrope(service.url, api_key) as client:

            async def work() -> list[str]:
                return [await create(client, number) for number in waiting]

            return [
                task_id for made in await asyncio.gather(*(work() for _ in range(AT_ONCE))) for task_id in made
            ]

    return asyncio.run(create_all())
