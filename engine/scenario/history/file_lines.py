"""Lines of a file of any size, one after another: a chunk of them is held at a time."""

from __future__ import annotations

from collections.abc import Iterator

from engine.scenario.formats.json_stream import Source

CHUNK = 2**20
KEPT = 2**16


def file_lines(source: Source, head: bytes, max_bytes: int) -> Iterator[tuple[bytes, bool]]:
    """Line by line, of a longer one than `max_bytes` the first KEPT bytes, and whether its end was read;
    head: what has been read already.
    """
    partial, is_dropping = head, False
    while True:
        data = source.read(CHUNK)
        if is_dropping:
            line_end = data.find(b"\n") if data else 0
            if line_end < 0:
                continue
            data, is_dropping = data[line_end:], False
        *lines, partial = (partial + data).split(b"\n")
        for line in lines:
            yield line, True
        if not data:
            yield partial, False
            return
        if len(partial) > max_bytes:
            partial, is_dropping = partial[:KEPT], True
