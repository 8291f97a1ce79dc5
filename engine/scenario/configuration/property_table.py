"""One line of a table: a property or element of Hadoop's, the field that it stands for, how it is read and
written.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from engine.errors import TooLarge
from engine.messages import msg
from engine.scenario.configuration.configuration_notes import NoteKind, Remarks, Where
from engine.scenario.configuration.mapreduce_settings import JobSettings
from engine.scenario.configuration.queue_policies import QueuePolicies
from engine.scenario.configuration.value_parsing import (
    Codec,
    NotModelled,
    Size,
    Taken,
    other_resources,
    quoted,
)
from engine.scenario.model import Cluster, Queue, Scenario
from engine.scenario.scenario_limits import MAX_QUEUES

OWNERS: dict[str, type[BaseModel]] = {"queue": Queue, "cluster": Cluster, "scenario": Scenario}
DEFAULT_OWNER_PREFIX = "default "  # begins the owner of a value that stands in where a queue has none
SCHEDULER_OWNER = "scheduler"  # owner of the scheduler's parameters


@dataclass(frozen=True)
class Row:
    """names: the property's or element's, the one that is written first. owner: queue, cluster, scenario or
    scheduler; target: its field, dots within it.

    pair_default: (MB, vcores) that Hadoop takes where a property gives one of them alone; of a queue, where
    neither a queue above it nor the cluster has a largest container.
    default: what Hadoop takes where it is absent, in this model's terms, which is not written;
    default_property: the default of the whole file that stands in where a queue has none of its own.
    """

    names: tuple[str, ...]
    owner: str
    target: str
    codec: Codec
    default: Any = None
    default_property: str = ""
    pair_default: tuple[int, int] | None = None

    @property
    def is_modelled(self) -> bool:
        """Whether the field is there."""
        return (
            self.owner == SCHEDULER_OWNER or self.target.partition(".")[0] in OWNERS[self.owner].model_fields
        )

    def accepts(self, value: Any) -> bool:
        """Whether the field takes the value."""
        field = OWNERS[self.owner].model_fields[self.target]
        try:
            annotated: Any = Annotated[field.annotation, field]
            TypeAdapter(annotated).validate_python(value)
        except ValidationError:
            return False
        return True


class Table:
    """Rows by the names of their properties; rows of fields that are not there are not modelled."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = [row for row in rows if row.is_modelled]
        self.by_name = {name: row for row in self.rows for name in row.names}


@dataclass
class Draft:
    """What the files have said so far: queues, cluster, scenario, scheduler as plain values, by their dotted
    names where they are nested.

    origins: where each (owner or queue's name, field, whole or its beginning) was given; queue_lines,
    queue_file: the line of each queue, and its file; queue_origins, queue_counts: of each queue of
    capacity-scheduler.xml the place of its list of queues, and how often each is in it;
    parents: queues in which no job may run though no queue is in them; missing: those that a file lists and
    FairScheduler does not create; policies: which queues it may; unmodelled: what is not modelled, by file;
    defaults: of all queues, by the element or property that gives them; placement: of jobs, None where no
    file says; placement_properties: those that bear on it; job_settings: what mapred-site.xml gives jobs;
    nameless: parents of one queue, whose name is empty.
    """

    size: Size
    remarks: Remarks = field(default_factory=Remarks)
    queues: dict[str, dict[str, Any]] = field(default_factory=dict)
    cluster: dict[str, Any] = field(default_factory=dict)
    scenario: dict[str, Any] = field(default_factory=dict)
    scheduler: dict[str, Any] = field(default_factory=dict)
    origins: dict[tuple[str, str], Where] = field(default_factory=dict)
    queue_lines: dict[str, int] = field(default_factory=dict)
    queue_file: str = ""
    parents: set[str] = field(default_factory=set)
    nameless: set[str] = field(default_factory=set)
    missing: dict[str, dict[str, Any]] = field(default_factory=dict)
    policies: QueuePolicies = field(default_factory=QueuePolicies)
    queue_origins: dict[str, Where] = field(default_factory=dict)
    queue_counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    unmodelled: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, dict[str, Any]] = field(default_factory=dict)
    placement: Any = None
    placement_properties: dict[str, Any] = field(default_factory=dict)
    job_settings: JobSettings = field(default_factory=JobSettings)

    def queue(self, name: str) -> dict[str, Any]:
        """A queue's values, which are there from now on: what a file says of it. TooLarge beyond the most
        that a scenario may have.
        """
        if name not in self.queues and len(self.queues) > MAX_QUEUES:
            raise TooLarge(
                msg("scenario.property_table.configuration_has_more_than_queues_which", max_queues=MAX_QUEUES)
            )
        return self.queues.setdefault(name, self.missing.pop(name, {}))

    @property
    def tells_queues(self) -> bool:
        """Whether a file says which queues there are, be it none."""
        return bool(self.queues or self.queue_file)

    def _inherited_container(self, queue: str) -> Any:
        """The largest container of a queue that says nothing of it: its parent's, or the cluster's."""
        while queue := queue.rpartition(".")[0]:
            if largest := self.queues.get(queue, {}).get("max_container"):
                return largest
        return get_path(self.cluster, "allocation.maximum")

    def set_field(self, row: Row, text: str, where: Where, owner: str, values: dict[str, Any]) -> bool:
        """Sets the row's field in these values of the owner; false, told, where the value is not modelled.
        FormatError where it is none.
        """
        try:
            value = row.codec.parse(text, self.size)
        except NotModelled as why:
            self.remarks.add(where, str(why), NoteKind.NEAR)
            return False
        except ValueError as fault:
            raise where.fault(str(fault)) from None
        if isinstance(value, Taken):
            self.remarks.add(where, value.why, value.kind)
            value = value.value
        if value is None:  # as if it were absent
            return False
        if owner.startswith(DEFAULT_OWNER_PREFIX) and not row.accepts(value):
            raise where.fault(msg("scenario.property_table.out_scenarios_range", quoted=quoted(text)))
        if row.pair_default and not get_path(values, row.target.rpartition(".")[0]):
            inherited = self._inherited_container(owner) if row.owner == "queue" else None
            set_path(
                values,
                row.target.rpartition(".")[0],
                dict(inherited or zip(("memory_mb", "vcores"), row.pair_default)),
            )
        set_path(values, row.target, value)
        self.origins[owner, row.target] = self.origins[owner, row.target.partition(".")[0]] = where
        if isinstance(value, dict):
            for name in other_resources(text):
                self.remarks.add(
                    where,
                    msg("shared.names_which_not_modelled_kept_for", quoted=quoted(name)),
                    NoteKind.NOT_MODELLED,
                )
        return True


def set_path(values: dict[str, Any], target: str, value: Any) -> None:
    """Sets values["a"]["b"] of "a.b"."""
    *parents, last = target.split(".")
    for key in parents:
        values = values.setdefault(key, {})
    values[last] = value


def get_path(values: dict[str, Any], target: str) -> Any:
    """values["a"]["b"] of "a.b", None where it is absent."""
    value: Any = values
    for key in target.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def format_field(row: Row, value: Any, default: Any) -> str | None:
    """What is written of a value by itself, None where it is the default."""
    return None if value is None or value == default else row.codec.format(value)


def field_text(
    row: Row, value: Any, default: Any, kept_texts: tuple[str, str] | None, size: Size
) -> str | None:
    """The text that was read, (as it stood, with variables filled in), where it still says this value or what
    is not modelled of a field that nobody set since; else what is written of the value by itself."""
    if kept_texts is not None:
        if value is None and row.owner == SCHEDULER_OWNER:  # of a scheduler that is not the one
            return kept_texts[0]
        try:
            if row.codec.value(kept_texts[1], size) == (row.default if value is None else value):
                return kept_texts[0]
        except NotModelled:
            if value is None or value in (row.default, default):
                return kept_texts[0]
        except ValueError:
            pass
    return format_field(row, value, default)
