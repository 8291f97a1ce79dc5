"""What of a scenario a format does not hold: every field that is set and that the format's file does not name, whenever it was added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.scenario.field_types import Value
from engine.scenario.field_words import field_words
from engine.scenario.formats.assumptions import Notes
from engine.scenario.model import Scenario

LISTS = {"nodes": "node group", "queues": "queue", "users": "user", "jobs": "job"}
PARTS = ("am", "maps", "reduces")  # of a job, whose fields are looked at one by one
OF_FILE = ("version", "name", "seed", *LISTS, "cluster")


def fields_set(scenario: Scenario) -> dict[str, tuple[str, int]]:
    """Path of each field that differs from its default, such as cluster.contention, jobs.am.startup_s -> its name in a sentence, and of how many."""
    found: dict[str, tuple[str, int]] = {}
    for path, name in _of_all(scenario):
        found[path] = name, found.get(path, ("", 0))[1] + 1
    return found


def tell_left_out(scenario: Scenario, keeps: frozenset[str], notes: Notes) -> None:
    """Notes what is set and not among `keeps`, a sentence a field."""
    for path, (name, count) in fields_set(scenario).items():
        owner = path.partition(".")[0]
        if not any(path == kept or path.startswith(f"{kept}.") for kept in keeps):
            notes.say(name if owner not in LISTS else f"{name}, of {count:,} {LISTS[owner]}{'s' if count > 1 else ''}")


def _of_all(scenario: Scenario) -> Iterator[tuple[str, str]]:
    yield from _of(scenario, "scenario", OF_FILE)
    yield from _of(scenario.cluster, "cluster", ("nodes",))
    for owner, items in (("nodes", scenario.cluster.nodes), ("queues", scenario.queues), ("users", scenario.users)):
        for item in items:
            yield from _of(item, owner, ())
    for job in scenario.jobs:
        yield from _of(job, "jobs", PARTS)
        for part in PARTS:
            if (inner := getattr(job, part)) is not None:
                words = field_words(part, type(job).model_fields[part])
                for path, key in _differing(inner, f"jobs.{part}", ()):
                    yield path, words.inside(part, field_words(key, type(inner).model_fields[key]))


def _of(item: Value, owner: str, but: Iterable[str]) -> Iterator[tuple[str, str]]:
    for path, key in _differing(item, owner, but):
        words = field_words(key, type(item).model_fields[key])
        yield path, words.within.format("limits") if words.within and not words.name else words.name


def _differing(item: Value, owner: str, but: Iterable[str]) -> Iterator[tuple[str, str]]:
    for key, field in type(item).model_fields.items():
        value: Any = getattr(item, key)
        if key not in but and not (field.is_required() is False and value == field.default):
            yield f"{owner}.{key}", key
