"""Server-sent events."""

from __future__ import annotations

import codecs
import re
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass

# A carriage return at the end of what has arrived may be half of a line's end.
_LINE_END = re.compile(r"\r\n|\n|\r(?!\Z)")


@dataclass(frozen=True)
class ServerEvent:
    id: str | None
    event: str
    data: str


async def read_server_events(chunks: AsyncIterator[bytes]) -> AsyncGenerator[ServerEvent, None]:
    """The events of a `text/event-stream` body, as they arrive. Comments are left out."""
    id: str | None = None
    event = "message"
    data: list[str] = []
    async for line in _read_lines(chunks):
        if line == "":
            if data:
                yield ServerEvent(id, event, "\n".join(data))
            event, data = "message", []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            id = value
        elif name == "event":
            event = value
        elif name == "data":
            data.append(value)


async def _read_lines(chunks: AsyncIterator[bytes]) -> AsyncGenerator[str, None]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    async for chunk in chunks:
        *lines, rest = _LINE_END.split(rest + decoder.decode(chunk))
        for line in lines:
            yield line
