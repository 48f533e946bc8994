"""Tests against a service need one: `node packages/python/test/main.ts` starts it and runs them."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest

from zoetrope import AsyncZoetrope, Zoetrope

from .scripted_server import ScriptedServer

exact: dict[str, int] = {"exactCreates": 0}
# Debian's mypy is too old for typed keyword arguments.
collect_ignore = [] if find_spec("mypy") is not None else ["test_mypy.py"]


@dataclass(frozen=True)
class Service:
    url: str
    control_url: str

    def order(self, name: str, **given: Any) -> dict[str, Any]:
        answer = httpx.post(f"{self.control_url}/{name}", json=given, timeout=300)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def account(self, credits: int = 10_000, open_tasks_max: int = 3) -> dict[str, Any]:
        return self.order("open-account", credits=credits, openTasksMax=open_tasks_max)

    def client(self, credits: int = 10_000, open_tasks_max: int = 3) -> Zoetrope:
        return Zoetrope(f"{self.url}/", self.account(credits, open_tasks_max)["key"])

    def async_client(self, credits: int = 10_000, open_tasks_max: int = 3) -> AsyncZoetrope:
        return AsyncZoetrope(self.url, self.account(credits, open_tasks_max)["key"])


@pytest.fixture(scope="session")
def service() -> Service:
    return Service(os.environ["ZOETROPE_TEST_URL"], os.environ["ZOETROPE_TEST_CONTROL"])


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as started:
        yield started


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # It stops the worker: what others create would not be made.
    items.sort(key=lambda item: "exact_creates" in item.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    path = os.environ.get("ZOETROPE_TEST_REPORT")
    if path is None:
        return
    stats = session.config.pluginmanager.getplugin("terminalreporter").stats
    failed = sum(len(stats.get(kind, [])) for kind in ("failed", "error"))
    report = {
        "passed": len(stats.get("passed", [])),
        "failed": failed,
        **exact,
        "python": platform.python_version(),
        "httpx": httpx.__version__,
    }
    Path(path).write_text(json.dumps(report), "utf-8")
