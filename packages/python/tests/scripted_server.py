"""A server that answers what a test tells it to, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    at: float = field(default_factory=time.monotonic)


@dataclass(frozen=True)
class Told:
    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    # Closes the connection without an answer.
    is_lost: bool = False
    # Announces more than it sends.
    is_cut: bool = False
    # Answers only when the test is over.
    is_silent: bool = False


class ScriptedServer:
    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.script: list[Told] = []
        self.answer: Callable[[Asked], Told] = lambda _: Told(body={})
        self._over = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                length = int(self.headers.get("content-length", "0"))
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(self.command, self.path, headers, self.rfile.read(length))
                outer.asked.append(asked)
                outer._tell(self, outer.script.pop(0) if outer.script else outer.answer(asked))

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def _tell(self, handler: BaseHTTPRequestHandler, told: Told) -> None:
        if told.is_silent:
            self._over.wait(600)
        if told.is_lost or told.is_silent:
            handler.close_connection = True
            return
        body = told.body if isinstance(told.body, bytes) else json.dumps(told.body).encode()
        handler.send_response(told.status)
        for name, value in told.headers.items():
            handler.send_header(name, value)
        if told.status != 304:
            handler.send_header("content-length", str(len(body) + (10 if told.is_cut else 0)))
        handler.end_headers()
        if told.status != 304:
            handler.wfile.write(body)
        if told.is_cut:
            handler.close_connection = True

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
