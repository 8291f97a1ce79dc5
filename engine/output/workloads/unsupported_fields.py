"""Fields of a scenario that a format does not support: every one that is set and that the format's file does
not name, whenever it was added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.messages import msg
from engine.scenario.field_descriptions import describe_field
from engine.scenario.field_types import Value
from engine.scenario.formats.import_notes import Notes
from engine.scenario.model import Scenario

LISTS = {
    "nodes": msg("output.unsupported_fields.node_group"),
    "queues": "queue",
    "users": "user",
    "jobs": "job",
}
PARTS = ("am", "maps", "reduces")  # of a job, whose fields are looked at one by one
FILE_FIELDS = ("version", "name", "seed", *LISTS, "cluster")


def non_default_fields(scenario: Scenario) -> dict[str, tuple[str, int]]:
    """Path of each field that differs from its default, such as cluster.contention, jobs.am.startup_s -> its
    name in a sentence, and of how many.
    """
    fields: dict[str, tuple[str, int]] = {}
    for path, name in _all_fields(scenario):
        fields[path] = name, fields.get(path, ("", 0))[1] + 1
    return fields


def note_unsupported(scenario: Scenario, supports: frozenset[str], notes: Notes) -> None:
    """Notes what is set and not among `supports`, a sentence a field."""
    for path, (name, count) in non_default_fields(scenario).items():
        owner = path.partition(".")[0]
        if not any(path == supported or path.startswith(f"{supported}.") for supported in supports):
            notes.add(
                name
                if owner not in LISTS
                else f"{name}, of {count:,} {LISTS[owner]}{'s' if count > 1 else ''}"
            )


def _all_fields(scenario: Scenario) -> Iterator[tuple[str, str]]:
    yield from _fields_of(scenario, "scenario", FILE_FIELDS)
    yield from _fields_of(scenario.cluster, "cluster", ("nodes",))
    for owner, items in (
        ("nodes", scenario.cluster.nodes),
        ("queues", scenario.queues),
        ("users", scenario.users),
    ):
        for item in items:
            yield from _fields_of(item, owner, ())
    for job in scenario.jobs:
        yield from _fields_of(job, "jobs", PARTS)
        for part in PARTS:
            if (inner := getattr(job, part)) is not None:
                description = describe_field(part, type(job).model_fields[part])
                for path, key in _non_default(inner, f"jobs.{part}", ()):
                    yield (
                        path,
                        description.nested_name(part, describe_field(key, type(inner).model_fields[key])),
                    )


def _fields_of(item: Value, owner: str, exclude: Iterable[str]) -> Iterator[tuple[str, str]]:
    for path, key in _non_default(item, owner, exclude):
        description = describe_field(key, type(item).model_fields[key])
        yield (
            path,
            description.within.format("limits")
            if description.within and not description.name
            else description.name,
        )


def _non_default(item: Value, owner: str, exclude: Iterable[str]) -> Iterator[tuple[str, str]]:
    for key, field in type(item).model_fields.items():
        value: Any = getattr(item, key)
        if key not in exclude and not (field.is_required() is False and value == field.default):
            yield f"{owner}.{key}", key
