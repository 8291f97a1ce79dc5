"""Job history as bare Avro datums behind their schema ("Avro-Binary", the default of Hadoop 3: EventWriter,
EventReader).

fastavro decodes with the file's own schema, written anew so that nothing in it costs more than its bytes, and
with one that leaves out the counters.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import fastavro
from fastavro.schema import SchemaParseException

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.formats.json_stream import Source
from engine.scenario.history.job_events import MOVED_COUNTERS, USED_EVENTS, Event, EventFields

CHUNK = 2**20
MAX_EVENT_BYTES = 128 * 2**20  # bytes of one event, counters and all
MAX_DEPTH, MAX_PARTS = 24, 5_000  # of a schema
PRIMITIVE_TYPES = frozenset(("boolean", "int", "long", "float", "double", "bytes", "string"))
USED_FIELDS = frozenset(EventFields.__struct_fields__)
COUNTER = fastavro.parse_schema(
    {
        "type": "record",
        "name": "JhCounter",
        "fields": [
            {"name": name, "type": kind}
            for name, kind in (("name", "string"), ("displayName", "string"), ("value", "long"))
        ],
    }
)
FAULTS = (EOFError, ValueError, LookupError, TypeError, ArithmeticError, MemoryError, AttributeError)


def binary_events(source: Source, head: bytes, schema: Any, faults: list[str]) -> Iterator[Event]:
    """The events that are used; head: what has been read behind the schema. `faults` gets a sentence where
    the rest can't be read. FormatError for a schema that is not one of job history events."""
    writer, reader = _schemas(schema)
    window, offset, number, ended = head, 0, 0, False
    stream = io.BytesIO(window)
    while not (ended and offset >= len(window)):
        try:
            if offset >= len(window):
                raise EOFError
            datum: Any = fastavro.schemaless_reader(stream, writer, reader, handle_unicode_errors="replace")
        except FAULTS as error:
            # Also other faults than EOFError come of an event of which only a part is there: a text that ends
            # early is read on as its length.
            if not ended and len(window) - offset <= MAX_EVENT_BYTES:
                chunk = source.read(max(CHUNK, len(window) - offset))
                ended = not chunk
                window, offset = window[offset:] + chunk, 0
                stream = io.BytesIO(window)
                continue
            fault = (
                msg("scenario.binary_events.truncated")
                if isinstance(error, EOFError) and ended
                else msg("scenario.binary_events.has_error")
            )
            faults.append(
                msg("scenario.binary_events.in_event_what_stands_before_kept", fault=fault, number=number + 1)
            )
            return
        number += 1
        end = stream.tell()
        kind, fields = datum.get("type"), datum.get("event")
        if kind in USED_EVENTS and isinstance(fields, dict):
            yield Event(
                kind,
                {kind: _event_fields(fields)},
                _moved(window, offset, end, MOVED_COUNTERS[kind]) if kind in MOVED_COUNTERS else -1,
            )
        offset = end


def _event_fields(fields: dict[str, Any]) -> EventFields:
    """Fields whose values are of the types that Hadoop gives them; others are as unknown."""
    event_fields = EventFields()
    for name, value in fields.items():
        if type(value) is type(getattr(event_fields, name)):
            setattr(event_fields, name, value)
    return event_fields


def _moved(window: bytes, begin: int, end: int, name: str) -> int:
    """The counter of this name, found by its bytes: to decode all counters for it takes twice as long. -1
    where there is none.
    """
    offset = window.find(bytes([2 * len(name)]) + name.encode(), begin, end)
    if offset < 0:
        return -1
    try:
        counter: Any = fastavro.schemaless_reader(io.BytesIO(window[offset : offset + 1_000]), COUNTER)
        return counter["value"]
    except FAULTS:
        return -1


def _schemas(schema: Any) -> tuple[Any, Any]:
    """The writer's schema with what is read of it, and the reader's: the same without the fields that are not
    used.
    """
    try:
        writer = _Rewriter().type(schema)
        fields = {field["name"]: field["type"] for field in writer["fields"]}
        records = [
            record for record in fields["event"] if isinstance(record, dict) and record["type"] == "record"
        ]
        if fields["type"]["type"] != "enum":
            raise FormatError(msg("scenario.binary_events.has_no_type_event"))
        records_kept = [
            {
                **record,
                "fields": [
                    field
                    for field in record["fields"]
                    if field["name"] in USED_FIELDS and _is_primitive(field["type"])
                ],
            }
            for record in records
        ]
        reader = {
            **writer,
            "fields": [{"name": "type", "type": fields["type"]}, {"name": "event", "type": records_kept}],
        }
        return fastavro.parse_schema(writer), fastavro.parse_schema(reader)
    except (KeyError, TypeError, SchemaParseException) as error:
        raise FormatError(
            msg("scenario.binary_events.its_avro_schema_not_one_job", error=str(error)[:200])
        ) from None
    except FormatError as error:
        raise FormatError(msg("scenario.binary_events.its_avro_schema", error=error)) from None


def _is_primitive(kind: Any) -> bool:
    return all(
        part == "null" or part in PRIMITIVE_TYPES
        for part in (kind if isinstance(kind, list) else [kind])
        if isinstance(part, str)
    ) and not isinstance(kind, dict)


class _Rewriter:
    """Writes a schema anew with the parts that decide how bytes are read; every datum then takes at least a
    byte a part, and none contains itself.
    """

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._open: list[str] = []
        self._parts = 0

    def type(self, schema: Any, space: str = "", depth: int = 0, of_union: bool = False) -> Any:
        self._parts += 1
        if depth > MAX_DEPTH or self._parts > MAX_PARTS:
            raise FormatError(
                msg(
                    "scenario.binary_events.nested_more_than_deep_or_has",
                    max_depth=MAX_DEPTH,
                    max_parts=MAX_PARTS,
                )
            )
        if isinstance(schema, list):
            if of_union or not schema:
                raise FormatError(msg("scenario.binary_events.has_union_empty_or_stands_in"))
            return [self.type(part, space, depth + 1, True) for part in schema]
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
        if name in PRIMITIVE_TYPES or (name == "null" and of_union):
            return name
        full = name if "." in name else f"{space}.{name}" if space else name
        if full not in self._names:
            raise FormatError(msg("scenario.binary_events.names_which_no_type_stands_before", name=name[:60]))
        if full in self._open:
            raise FormatError(msg("scenario.binary_events.has_record_contains_itself", name=name[:60]))
        return full

    def _definition(self, kind: str, schema: dict[str, Any], space: str, depth: int) -> dict[str, Any]:
        space = str(schema.get("namespace", space))
        name = str(schema["name"])
        full = name if "." in name else f"{space}.{name}" if space else name
        self._names.add(full)
        definition: dict[str, Any] = {"type": kind, "name": full}
        if kind == "fixed":
            definition["size"] = schema["size"] if type(schema["size"]) is int and schema["size"] > 0 else 0
        elif kind == "enum":
            definition["symbols"] = [str(entry) for entry in schema["symbols"]]
        else:
            self._open.append(full)
            definition["fields"] = [
                {
                    "name": str(entry["name"]),
                    "type": self.type(entry["type"], full.rpartition(".")[0], depth + 1),
                }
                for entry in schema["fields"]
            ]
            self._open.pop()
        if not definition.get("size", 1) or not definition.get("fields", True):
            raise FormatError(msg("scenario.binary_events.has_which_there_could_be_any", name=name[:60]))
        return definition
