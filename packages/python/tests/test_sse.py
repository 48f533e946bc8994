from collections.abc import AsyncIterator

from zoetrope._io import drive
from zoetrope._sse import ServerEvent, read_server_events

TEXT = (
    'retry: 1000\nid: "a"\nevent: status\ndata: {"a":\ndata: "ü"}\n\n: idle\n\r\n'
    'id: "b"\r\ndata:x\r\n\r\nid: "c"\ndata: cut off'
).encode()


async def read(chunks: list[bytes]) -> list[ServerEvent]:
    async def body() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return [event async for event in read_server_events(body())]


def test_events_are_the_same_however_their_bytes_are_cut_and_the_one_that_is_cut_off_is_none() -> None:
    whole = [ServerEvent('"a"', "status", '{"a":\n"ü"}'), ServerEvent('"b"', "message", "x")]
    assert drive(read([TEXT])) == whole
    assert drive(read([bytes([byte]) for byte in TEXT])) == whole
    for first in range(len(TEXT)):
        for second in range(first, len(TEXT), 7):
            assert drive(read([TEXT[:first], TEXT[first:second], TEXT[second:]])) == whole
