"""Files of other tools as scenarios. A new format is a new file that ends with its FileFormat, and one name in FORMATS."""

from __future__ import annotations

import zlib
from typing import BinaryIO

import ijson

from engine.errors import FormatError
from engine.scenario.formats.batch import Imported
from engine.scenario.formats.configuration_files import CONFIGURATIONS, PROPERTY_FILES, xml_keys
from engine.scenario.formats.file_format import PACKED, FileFormat
from engine.scenario.formats.nodes import NODES, read_nodes
from engine.scenario.formats.rumen import RUMEN
from engine.scenario.formats.sls import SLS
from engine.scenario.formats.stream import BYTE_ORDER_MARK, GZIP, HEAD_BYTES, Source, has_long_number
from engine.scenario.formats.swf import SWF
from engine.scenario.formats.swim import SWIM
from engine.scenario.formats.text_rows import first_lines

__all__ = ["FORMATS", "OPENED", "READERS", "SUFFIXES", "Imported", "detect", "read"]

FORMATS = (SLS, RUMEN, SWIM, SWF, *CONFIGURATIONS)
SCENARIO = FileFormat("scenario", "a scenario", ("version", "cluster", "jobs", "queues"))

READERS = {one.kind: one for one in FORMATS}
KNOWN = {one.kind: one for one in (SCENARIO, *FORMATS, NODES)}
SUFFIXES = tuple(sorted({PACKED, *(suffix for one in KNOWN.values() for suffix in one.suffixes)}))
OPENED = f"{', '.join(one.title for one in (SCENARIO, *FORMATS[:-1]))} or {FORMATS[-1].title}"  # what can be opened, in words


def read(kind: str, stream: BinaryIO, nodes: BinaryIO | None = None, name: str = "", most_bytes: int | None = None, most_tasks: int | None = None) -> Imported:
    """The scenario of a file of this kind, gzip or plain, read forward once; memory grows with its tasks, not with its bytes.

    `nodes`: an SLS nodes file or a Rumen topology for the cluster; without it the hosts the trace names are the cluster.
    FormatError, one sentence, when the file is broken, cut off, of another kind or makes no scenario;
    TooLarge when either file holds more than `most_bytes` once decompressed, or more tasks than `most_tasks` or a scenario may.
    """
    if kind not in READERS:
        raise FormatError(f"{kind!r} is not a format that can be read: {', '.join(READERS)}")
    source = Source(stream, most_bytes, most_tasks)
    _expect(kind, source.head)
    found = None
    if nodes is not None:
        table = Source(nodes, most_bytes)
        _expect("nodes", table.head)
        found = read_nodes(table)
    return READERS[kind].read(source, found, name)


def detect(head: bytes) -> str | None:
    """What a file seems to be from its first bytes (some 1,000 do, gzip or plain): "scenario", "rumen", "sls", "nodes", "fair-xml", … or None.

    Of XML a licence at its beginning must be within them, and for capacity-xml the first of its properties; of lines one that is whole.
    """
    try:
        if head.startswith(GZIP):
            head = zlib.decompressobj(wbits=31).decompress(head, HEAD_BYTES)
    except zlib.error:
        return None
    for key in _first_keys(head):
        for one in KNOWN.values():
            if one.knows(key):
                return one.kind
    lines = first_lines(head.removeprefix(BYTE_ORDER_MARK))
    return next((one.kind for one in FORMATS if one.seen_in and one.seen_in(lines)), None)


def _expect(kind: str, head: bytes) -> None:
    if not head:
        raise FormatError(f"the file is empty, {KNOWN[kind].title} must stand in it")
    seems = detect(head)
    if seems not in (None, kind) and not {seems, kind} <= PROPERTY_FILES:
        raise FormatError(f"this looks like {KNOWN[seems].title}, not {KNOWN[kind].title}")


def _first_keys(head: bytes) -> list[str]:
    """The keys of the first object, or what XML begins with, as far as the bytes go."""
    keys: list[str] = []
    depth = 0
    try:
        if found := xml_keys(head):
            return found
        if has_long_number(head):
            return keys
        for event, value in ijson.basic_parse(head.removeprefix(BYTE_ORDER_MARK), multiple_values=True):
            if event == "map_key" and depth == 1:
                keys.append(value)
            depth += event in ("start_map", "start_array")
            depth -= event in ("end_map", "end_array")
            if not depth:
                break
    except (ijson.JSONError, ValueError, ArithmeticError):
        pass
    return keys
