"""One line of a table: a property or element of Hadoop's, the field that it stands for, how it is read and written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError

from engine.errors import TooLarge
from engine.scenario.bounds import MOST_QUEUES
from engine.scenario.configuration.notes import Told, Where
from engine.scenario.configuration.quantities import Kind, NotModelled, Size, other_resources, shown
from engine.scenario.model import Cluster, Queue, Scenario

OWNERS = {"queue": Queue, "cluster": Cluster, "scenario": Scenario}
OF_ALL = "default "  # begins the owner of a value that stands in where a queue has none
SCHEDULER = "scheduler"  # owner of the scheduler's parameters


@dataclass(frozen=True)
class Row:
    """names: the property's or element's, the one that is written first. owner: queue, cluster, scenario or scheduler; target: its field, dots within it.

    beside: (MB, vcores) that Hadoop takes where a property gives one of them alone; of a queue, where the cluster has no largest container.
    default: what Hadoop takes where it is absent, in this model's terms, which is not written; inherits: the default of the whole file that stands
    in where a queue has none of its own.
    """

    names: tuple[str, ...]
    owner: str
    target: str
    kind: Kind
    default: Any = None
    inherits: str = ""
    beside: tuple[int, int] | None = None

    @property
    def modelled(self) -> bool:
        """Whether the field is there."""
        return self.owner == SCHEDULER or self.target.partition(".")[0] in OWNERS[self.owner].model_fields

    def takes(self, value: Any) -> bool:
        """Whether the field takes the value."""
        field = OWNERS[self.owner].model_fields[self.target]
        try:
            TypeAdapter(Annotated[field.annotation, field]).validate_python(value)
        except ValidationError:
            return False
        return True


class Table:
    """Rows by the names of their properties; rows of fields that are not there are not modelled."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = [row for row in rows if row.modelled]
        self.of = {name: row for row in self.rows for name in row.names}


@dataclass
class Draft:
    """What the files have said so far: queues, cluster, scenario, scheduler as plain values, by their dotted names where they are nested.

    origin: where each (owner or queue's name, field, whole or its beginning) was said; listed, listed_in: the line of each queue, and of which file;
    kept: what is not modelled of each file; defaults: of all queues, by the element or property that gives them; rules: how jobs are placed, None where
    no file says; placing: properties that bear on that.
    """

    size: Size
    told: Told = field(default_factory=Told)
    queues: dict[str, dict[str, Any]] = field(default_factory=dict)
    cluster: dict[str, Any] = field(default_factory=dict)
    scenario: dict[str, Any] = field(default_factory=dict)
    scheduler: dict[str, Any] = field(default_factory=dict)
    origin: dict[tuple[str, str], Where] = field(default_factory=dict)
    listed: dict[str, int] = field(default_factory=dict)
    listed_in: str = ""
    kept: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, dict[str, Any]] = field(default_factory=dict)
    rules: Any = None
    placing: dict[str, Any] = field(default_factory=dict)

    def queue(self, name: str) -> dict[str, Any]:
        """A queue's values, which are there from now on. TooLarge beyond the most that a scenario may have."""
        if name not in self.queues and len(self.queues) > MOST_QUEUES:
            raise TooLarge(f"the configuration has more than {MOST_QUEUES:,} queues, which is the most")
        return self.queues.setdefault(name, {})

    def take(self, row: Row, text: str, where: Where, owner: str, values: dict[str, Any]) -> bool:
        """Sets the row's field in these values of the owner; false, told, where the value is not modelled. FormatError where it is none."""
        try:
            value = row.kind.parse(text, self.size)
        except NotModelled as why:
            self.told.add(where, str(why))
            return False
        except ValueError as fault:
            raise where.fault(str(fault)) from None
        if owner.startswith(OF_ALL) and not row.takes(value):
            raise where.fault(f"{shown(text)} is beyond what a scenario takes")
        if row.beside and not got(values, row.target.rpartition(".")[0]):
            largest = got(self.cluster, "allocation.maximum") if row.owner == "queue" else None
            put(values, row.target.rpartition(".")[0], dict(largest or zip(("memory_mb", "vcores"), row.beside)))
        put(values, row.target, value)
        self.origin[owner, row.target] = self.origin[owner, row.target.partition(".")[0]] = where
        if isinstance(value, dict):
            for name in other_resources(text):
                self.told.add(where, f"names {shown(name)}, which is not modelled; it is kept for writing the file back")
        return True


def put(values: dict[str, Any], target: str, value: Any) -> None:
    """Sets values["a"]["b"] of "a.b"."""
    *above, last = target.split(".")
    for key in above:
        values = values.setdefault(key, {})
    values[last] = value


def got(values: dict[str, Any], target: str) -> Any:
    """values["a"]["b"] of "a.b", None where it is absent."""
    found: Any = values
    for key in target.split("."):
        found = found.get(key) if isinstance(found, dict) else None
    return found


def own_text(row: Row, value: Any, default: Any) -> str | None:
    """What is written of a value by itself, None where it is the default."""
    return None if value is None or value == default else row.kind.format(value)


def written_text(row: Row, value: Any, default: Any, kept: tuple[str, str] | None, size: Size) -> str | None:
    """The text that was read, (as it stood, with variables filled in), where it still says this value or what is not modelled of a field that nobody set
    since; else what is written of the value by itself."""
    if kept is not None:
        if value is None and row.owner == SCHEDULER:  # of a scheduler that is not the one
            return kept[0]
        try:
            if row.kind.parse(kept[1], size) == (row.default if value is None else value):
                return kept[0]
        except NotModelled:
            if value is None or value in (row.default, default):
                return kept[0]
        except ValueError:
            pass
    return own_text(row, value, default)
