"""Job history as JSON, one event a line ("Avro-Json", Hadoop 2; Hadoop 3 on request).

Most of a line are counters. msgspec builds only the fields of `Said` and passes over the rest, at 1 GB/s a core; orjson, which builds everything, reads 0.13.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from engine.scenario.formats.stream import Source
from engine.scenario.history.job_events import COUNTER_AT, USED, Event

CHUNK = 2**20
MOST_LINE = 4 * 2**20  # beyond it only what stands before the counters is kept
KEPT = 2**16
TYPE = re.compile(rb'\s*\{\s*"type"\s*:\s*"([A-Z_]{1,60})"')
COUNTERS = b',"counters":'
DECODER = msgspec.json.Decoder(Event)
FAULTS = (msgspec.MsgspecError, ValueError, RecursionError)


def json_events(source: Source, begun: bytes, faults: list[str]) -> Iterator[Event]:
    """The events that are used; `begun`: what has been read behind the two lines of the header. `faults` gets a sentence for each line that can't be read."""
    number = 2
    for line in _lines(source, begun):
        number += 1
        found = TYPE.match(line)
        kind = found[1].decode() if found else ""
        if (found and kind not in USED) or not line.strip():
            continue
        try:
            event = _event(line)
        except FAULTS:
            faults.append(f"line {number:,} is no event of a job history")
            continue
        if event.type in COUNTER_AT and (moved := COUNTER_AT[event.type].search(line)):
            event.moved = int(moved[1])
        if event.type in USED:
            yield event


def _event(line: bytes) -> Event:
    """Of a line, or of what stands before its counters where it is cut off in them."""
    try:
        return DECODER.decode(line)
    except FAULTS:
        at = line.find(COUNTERS)
        if at < 0:
            raise
        return DECODER.decode(line[:at] + b"}}}")


def _lines(source: Source, begun: bytes) -> Iterator[bytes]:
    """Line by line, of a longer one than MOST_LINE the first KEPT bytes."""
    rest, dropping = begun, False
    while True:
        data = source.read(CHUNK)
        if dropping:
            cut = data.find(b"\n") if data else 0
            if cut < 0:
                continue
            data, dropping = data[cut:], False
        *lines, rest = (rest + data).split(b"\n")
        yield from lines
        if not data:
            yield rest
            return
        if len(rest) > MOST_LINE:
            rest, dropping = rest[:KEPT], True
