"""Job history as JSON, one event a line ("Avro-Json", Hadoop 2; Hadoop 3 on request).

Most of a line are counters. msgspec builds only the fields of `EventFields` and passes over the rest, at 1
GB/s a core; orjson, which builds everything, reads 0.13.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from engine.messages import msg
from engine.scenario.formats.json_stream import Source
from engine.scenario.history.file_lines import file_lines
from engine.scenario.history.job_events import COUNTER_PATTERNS, USED_EVENTS, Event

MAX_LINE_BYTES = 4 * 2**20  # beyond it only what stands before the counters is kept
TYPE = re.compile(rb'\s*\{\s*"type"\s*:\s*"([A-Z_]{1,60})"')
COUNTERS = b',"counters":'
DECODER = msgspec.json.Decoder(Event)
FAULTS = (msgspec.MsgspecError, ValueError, RecursionError)


def json_events(source: Source, head: bytes, faults: list[str]) -> Iterator[Event]:
    """The events that are used; `head`: what has been read behind the two lines of the header. `faults` gets
    a sentence for each line that can't be read.
    """
    number = 2
    for line, _ in file_lines(source, head, MAX_LINE_BYTES):
        number += 1
        match = TYPE.match(line)
        kind = match[1].decode() if match else ""
        if (match and kind not in USED_EVENTS) or not line.strip():
            continue
        try:
            event = _event(line)
        except FAULTS:
            faults.append(msg("scenario.json_events.line_no_event_job_history", number=number))
            continue
        if event.type in COUNTER_PATTERNS and (counter := COUNTER_PATTERNS[event.type].search(line)):
            event.moved = int(counter[1])
        if event.type in USED_EVENTS:
            yield event


def _event(line: bytes) -> Event:
    """Of a line, or of what stands before its counters where it is cut off in them."""
    try:
        return DECODER.decode(line)
    except FAULTS:
        offset = line.find(COUNTERS)
        if offset < 0:
            raise
        return DECODER.decode(line[:offset] + b"}}}")
