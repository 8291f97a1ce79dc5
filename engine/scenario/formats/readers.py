"""Files of other tools as scenarios. A new format is a new file with a `read` and one line in READERS."""

from __future__ import annotations

import zlib
from typing import BinaryIO

import ijson

from engine.errors import FormatError
from engine.formats import rumen, sls
from engine.formats.batch import Imported
from engine.formats.nodes import read_nodes
from engine.formats.stream import BYTE_ORDER_MARK, GZIP, HEAD_BYTES, Source, has_long_number

__all__ = ["READERS", "Imported", "detect", "read"]

READERS = {"sls": sls.read, "rumen": rumen.read}

WORDS = {"scenario": "a scenario", "rumen": "a Rumen trace", "sls": "an SLS jobs file", "nodes": "a nodes file"}
MARKS = {
    "scenario": ("version", "cluster", "jobs", "queues"),
    "rumen": ("jobID", "submitTime", "mapTasks", "reduceTasks", "jobProperties", "totalMaps"),
    "sls": ("job.", "am.", "num.nodes"),
    "nodes": ("rack", "nodes", "children"),
}


def read(kind: str, stream: BinaryIO, nodes: BinaryIO | None = None, name: str = "", most_bytes: int | None = None) -> Imported:
    """The scenario of a file of this kind, gzip or plain, read forward once; memory grows with its tasks, not with its bytes.

    `nodes`: an SLS nodes file or a Rumen topology for the cluster; without it the hosts the trace names are the cluster.
    FormatError, one sentence, when the file is broken, cut off, of another kind or makes no scenario;
    TooLarge when either file holds more than `most_bytes` once decompressed, or more tasks than a scenario may.
    """
    if kind not in READERS:
        raise FormatError(f"{kind!r} is not a format that can be read: {', '.join(READERS)}")
    source = Source(stream, most_bytes)
    _expect(kind, source.head)
    found = None
    if nodes is not None:
        table = Source(nodes, most_bytes)
        _expect("nodes", table.head)
        found = read_nodes(table)
    return READERS[kind](source, found, name)


def detect(head: bytes) -> str | None:
    """What a file seems to be from its first bytes (some 1,000 do, gzip or plain): "scenario", "rumen", "sls", "nodes" or None."""
    for key in _first_keys(head):
        for kind, marks in MARKS.items():
            if any(key == mark or (mark.endswith(".") and key.startswith(mark)) for mark in marks):
                return kind
    return None


def _expect(kind: str, head: bytes) -> None:
    if not head:
        raise FormatError(f"the file is empty, {WORDS[kind]} must stand in it")
    seems = detect(head)
    if seems not in (None, kind):
        raise FormatError(f"this looks like {WORDS[seems]}, not {WORDS[kind]}")


def _first_keys(head: bytes) -> list[str]:
    """The keys of the first object, as far as the bytes go."""
    keys: list[str] = []
    depth = 0
    try:
        if head.startswith(GZIP):
            head = zlib.decompressobj(wbits=31).decompress(head, HEAD_BYTES)
        if has_long_number(head):
            return keys
        for event, value in ijson.basic_parse(head.removeprefix(BYTE_ORDER_MARK), multiple_values=True):
            if event == "map_key" and depth == 1:
                keys.append(value)
            depth += event in ("start_map", "start_array")
            depth -= event in ("end_map", "end_array")
            if not depth:
                break
    except (ijson.JSONError, ValueError, ArithmeticError, zlib.error):
        pass
    return keys
