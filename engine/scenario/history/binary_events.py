"""Job history as bare Avro datums behind their schema ("Avro-Binary", the default of Hadoop 3: EventWriter, EventReader).

fastavro decodes with the file's own schema, written anew so that nothing in it costs more than its bytes, and with one that leaves out the counters.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import fastavro
from fastavro.schema import SchemaParseException

from engine.errors import FormatError
from engine.scenario.formats.stream import Source
from engine.scenario.history.job_events import MOVED, USED, Event, Said

CHUNK = 2**20
MOST_EVENT = 128 * 2**20  # bytes of one event, counters and all
MOST_DEPTH, MOST_PARTS = 24, 5_000  # of a schema
PLAIN = frozenset(("boolean", "int", "long", "float", "double", "bytes", "string"))
FIELDS = frozenset(Said.__struct_fields__)
COUNTER = fastavro.parse_schema({
    "type": "record",
    "name": "JhCounter",
    "fields": [{"name": name, "type": kind} for name, kind in (("name", "string"), ("displayName", "string"), ("value", "long"))],
})  # fmt: skip
FAULTS = (EOFError, ValueError, LookupError, TypeError, ArithmeticError, MemoryError, AttributeError)


def binary_events(source: Source, begun: bytes, schema: Any, faults: list[str]) -> Iterator[Event]:
    """The events that are used; begun: what has been read behind the schema. `faults` gets a sentence where the rest can't be read. FormatError for a schema
    that is not one of job history events."""
    writer, reader = _schemas(schema)
    window, at, number, ended = begun, 0, 0, False
    stream = io.BytesIO(window)
    while not (ended and at >= len(window)):
        try:
            if at >= len(window):
                raise EOFError
            said = fastavro.schemaless_reader(stream, writer, reader, handle_unicode_errors="replace")
        except FAULTS as error:
            # Also other faults than EOFError come of an event of which only a part is there: a text that ends early is read on as its length.
            if not ended and len(window) - at <= MOST_EVENT:
                more = source.read(max(CHUNK, len(window) - at))
                ended = not more
                window, at = window[at:] + more, 0
                stream = io.BytesIO(window)
                continue
            what = "is cut off" if isinstance(error, EOFError) and ended else "can't be read on"
            faults.append(f"{what} in event {number + 1:,}: what stands before is kept")
            return
        number += 1
        end = stream.tell()
        kind, fields = said.get("type"), said.get("event")
        if kind in USED and isinstance(fields, dict):
            yield Event(kind, {kind: _said(fields)}, _moved(window, at, end, MOVED[kind]) if kind in MOVED else -1)
        at = end


def _said(fields: dict[str, Any]) -> Said:
    """Fields whose values are of the types that Hadoop gives them; others are as unknown."""
    known = Said()
    for name, value in fields.items():
        if type(value) is type(getattr(known, name)):
            setattr(known, name, value)
    return known


def _moved(window: bytes, begin: int, end: int, name: str) -> int:
    """The counter of this name, found by its bytes: to decode all counters for it takes twice as long. -1 where there is none."""
    place = window.find(bytes([2 * len(name)]) + name.encode(), begin, end)
    if place < 0:
        return -1
    try:
        return fastavro.schemaless_reader(io.BytesIO(window[place : place + 1_000]), COUNTER)["value"]
    except FAULTS:
        return -1


def _schemas(schema: Any) -> tuple[Any, Any]:
    """The writer's schema with what is read of it, and the reader's: the same without the fields that are not used."""
    try:
        writer = _Rewriter().type(schema)
        fields = {field["name"]: field["type"] for field in writer["fields"]}
        records = [one for one in fields["event"] if isinstance(one, dict) and one["type"] == "record"]
        if fields["type"]["type"] != "enum":
            raise FormatError("has no type of event")
        kept = [{**one, "fields": [field for field in one["fields"] if field["name"] in FIELDS and _simple(field["type"])]} for one in records]
        reader = {**writer, "fields": [{"name": "type", "type": fields["type"]}, {"name": "event", "type": kept}]}
        return fastavro.parse_schema(writer), fastavro.parse_schema(reader)
    except (KeyError, TypeError, SchemaParseException) as error:
        raise FormatError(f"its Avro schema is not one of job history events: {str(error)[:200]}") from None
    except FormatError as error:
        raise FormatError(f"its Avro schema {error}") from None


def _simple(kind: Any) -> bool:
    return all(one == "null" or one in PLAIN for one in (kind if isinstance(kind, list) else [kind]) if isinstance(one, str)) and not isinstance(kind, dict)


class _Rewriter:
    """Writes a schema anew with the parts that decide how bytes are read; every datum then takes at least a byte a part, and none contains itself."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._open: list[str] = []
        self._parts = 0

    def type(self, schema: Any, space: str = "", depth: int = 0, of_union: bool = False) -> Any:
        self._parts += 1
        if depth > MOST_DEPTH or self._parts > MOST_PARTS:
            raise FormatError(f"is nested more than {MOST_DEPTH} deep, or has more than {MOST_PARTS:,} parts")
        if isinstance(schema, list):
            if of_union or not schema:
                raise FormatError("has a union that is empty or stands in another")
            return [self.type(one, space, depth + 1, True) for one in schema]
        if isinstance(schema, str):
            return self._named(schema, space, of_union)
        kind = schema["type"]
        if kind in ("record", "enum", "fixed"):
            return self._definition(kind, schema, space, depth)
        if kind == "array":
            return {"type": kind, "items": self.type(schema["items"], space, depth + 1)}
        if kind == "map":
            return {"type": kind, "values": self.type(schema["values"], space, depth + 1)}
        return self.type(kind, space, depth + 1, of_union)

    def _named(self, name: str, space: str, of_union: bool) -> str:
        if name in PLAIN or (name == "null" and of_union):
            return name
        full = name if "." in name else f"{space}.{name}" if space else name
        if full not in self._names:
            raise FormatError(f"names {name[:60]!r}, which is no type that stands before it with a length of its own")
        if full in self._open:
            raise FormatError(f"has a record {name[:60]!r} that contains itself")
        return full

    def _definition(self, kind: str, schema: dict[str, Any], space: str, depth: int) -> dict[str, Any]:
        space = str(schema.get("namespace", space))
        name = str(schema["name"])
        full = name if "." in name else f"{space}.{name}" if space else name
        self._names.add(full)
        made: dict[str, Any] = {"type": kind, "name": full}
        if kind == "fixed":
            made["size"] = schema["size"] if type(schema["size"]) is int and schema["size"] > 0 else 0
        elif kind == "enum":
            made["symbols"] = [str(one) for one in schema["symbols"]]
        else:
            self._open.append(full)
            made["fields"] = [{"name": str(one["name"]), "type": self.type(one["type"], full.rpartition(".")[0], depth + 1)} for one in schema["fields"]]
            self._open.pop()
        if not made.get("size", 1) or not made.get("fields", True):
            raise FormatError(f"has {name[:60]!r}, of which there could be any number in no bytes")
        return made
