"""A nodes file of any kind: of SLS, a topology of Rumen, or machine_events of Google's cluster traces.

machine_events of 2011: time in µs, machine, event (ADD 0, REMOVE 1, UPDATE 2), platform, CPUs, memory, by
commas. Of 2019: a JSON object a line, with switch_id, the rack, and ADD 1, REMOVE 2, UPDATE 3. Capacities are
parts of the largest machine; the last that is told counts. A machine that is only removed is left out, and
that machines come and go is not modelled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.google_trace import MACHINE, Resources, Time, decoded
from engine.scenario.formats.json_stream import Source, unpacked
from engine.scenario.formats.nodes import DEFAULT_RACK, Node, add_bounded, read_racks
from engine.scenario.formats.text_rows import (
    MAX_LINE_BYTES,
    amount,
    first_lines,
    iter_lines,
    parse_int,
    quoted,
    split_columns,
)

COLUMNS = 6
REMOVE = 2
EVENTS = (b"0", b"1", b"2")  # of 2011


class _MachineEvent(msgspec.Struct):
    """The fields that are used, by their names in the schema of 2019."""

    machine_id: int
    type: Annotated[int, msgspec.Meta(ge=1, le=3)]
    time: Time | None = None
    switch_id: str | None = None
    capacity: Resources | None = None


DECODER = msgspec.json.Decoder(_MachineEvent, strict=False)


def read_nodes(source: Source) -> set[Node]:
    """All nodes of a nodes file of any kind. FormatError where it is none, or a line can't be read."""
    lines = first_lines(unpacked(source.head))
    if _looks_like(lines):
        return _machines(source, _of_columns)
    return _machines(source, _of_object) if b'"machine_id"' in b"".join(lines[:1]) else read_racks(source)


def _machines(source: Source, event_of: Callable[[bytes], _MachineEvent]) -> set[Node]:
    machines: dict[int, _MachineEvent] = {}
    for number, line, _ in iter_lines(source):
        if not line:
            continue
        try:
            if len(line) > MAX_LINE_BYTES:
                raise FormatError(
                    msg("scenario.text_rows.line_more_than_bytes", max_line_bytes=MAX_LINE_BYTES)
                )
            event = event_of(line)
        except FormatError as error:
            raise FormatError(msg("scenario.nodes.nodes_file_line", number=number, error=error)) from None
        known = machines.get(event.machine_id)
        if event.type != REMOVE and (known is None or (event.time or 0) >= (known.time or 0)):
            machines[event.machine_id] = event
    nodes: set[Node] = set()
    for number, event in machines.items():
        size = event.capacity or Resources()
        parts = {"memory_mb": size.memory, "vcores": size.cpus}
        sizes = {key: max(1, round(part * MACHINE[key])) if part else None for key, part in parts.items()}
        add_bounded(nodes, [Node(event.switch_id or DEFAULT_RACK, f"machine{number}", **sizes)])
    if not nodes:
        raise FormatError(msg("scenario.nodes.nodes_file_names_no_node"))
    return nodes


def _of_object(line: bytes) -> _MachineEvent:
    return decoded(DECODER, line)


def _of_columns(line: bytes) -> _MachineEvent:
    time, machine, event, _, cpus, memory = split_columns(line, COLUMNS)
    capacity = Resources(amount(cpus, "CPU capacity", 1), amount(memory, "memory capacity", 1))
    if event not in EVENTS:
        raise FormatError(
            msg("scenario.google_trace.event_unknown", event=quoted(event), last=len(EVENTS) - 1)
        )
    kind = EVENTS.index(event) + 1  # as in 2019
    return _MachineEvent(parse_int(machine, "machine"), kind, parse_int(time, "time"), capacity=capacity)


def _looks_like(lines: list[bytes]) -> bool:
    """Whether one of the first lines has 6 columns with numbers of time, machine and event, and the name of a
    platform, which a task of Alibaba's that is cut off has not.
    """
    return any(
        len(columns) == COLUMNS
        and columns[0].isdigit()
        and columns[1].isdigit()
        and columns[2] in EVENTS
        and not columns[3].isdigit()
        for columns in (line.strip().split(b",", COLUMNS) for line in lines)
    )


NODES = FileFormat(
    "nodes",
    msg("scenario.nodes.nodes_file"),
    ("rack", "nodes", "children", "switch_id", "platform_id", "capacity"),
    looks_like=_looks_like,
)
