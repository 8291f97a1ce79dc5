"""Where a JSON path of a scenario is on the page, and in words: jobs[0].maps.memory_mb is the job alpha's
"maps memory".
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from webapp.panels.editor.fields import Entry
from webapp.panels.editor.form import SETTINGS, TITLE
from webapp.panels.editor.lines import as_written
from webapp.panels.editor.tables import TABLES, Table

PATH = re.compile(r"(cluster\.nodes|queues|jobs)(?:\[(\d+)\])?\.?(.*)")


class Location(NamedTuple):
    """section: a table's key, "settings", or "" for none; row and field: "" where it is none of its own;
    words: owner, and what of it.
    """

    section: str
    row: int | None
    field: str
    words: tuple[str, str]


NOWHERE = Location("", None, "", ("", ""))


def place(scenario: Any, path: str) -> Location:
    """The place of a path, also of one that no field has."""
    if location := _setting(path):
        return location
    match = PATH.fullmatch(path)
    if not match:
        return NOWHERE._replace(words=("Scenario", path))
    table = next(table for table in TABLES if table.path == match[1])
    if match[2] is None:
        return Location(table.key, None, "", (table.title, ""))
    row, field = int(match[2]), _field(table, match[3])
    owner = _owner(scenario, table, row)
    if field and (inner := _inner(field, match[3])):
        path, one, name = inner
        return Location(table.key, row, path, (owner, f"{one.lower()} {name}"))
    name = _name(table, field) if field else match[3]
    return Location(table.key, row, field.path if field else "", (owner, name))


def _setting(path: str) -> Location | None:
    """The place of a field of the scenario itself, or of what stands in it: the longest that the path begins
    with.
    """
    candidates = _entries_above(TITLE + SETTINGS, path)
    if not candidates:
        return None
    entry = max(candidates, key=lambda candidate: len(candidate.path))
    if inner := _inner(entry, path):
        inner_path, owner, name = inner
        return Location("settings", None, inner_path, (owner, name))
    group = next((candidate.title for candidate in SETTINGS if candidate.path == entry.group), "")
    words = (group, entry.title.lower()) if group else (entry.title, "")
    return Location("settings", None, entry.path, words)


def _inner(entry: Entry, path: str) -> tuple[str, str, str] | None:
    """Of a path within an item of a list: that of its field, the item, and the field in words."""
    item = re.fullmatch(r"\[(\d+)\]\.?(.*)", path.removeprefix(entry.path))
    if entry.kind != "rows" or not item:
        return None
    field = next(iter(_entries_above(list(entry.fields), item[2])), None)
    path = f"{entry.path}[{item[1]}].{(field or entry.fields[0]).path}"
    one = f"{entry.title.removesuffix('s')} {int(item[1]) + 1}"
    return path, one, field.title.lower() if field else item[2]


def _entries_above(entries: list[Entry], path: str) -> list[Entry]:
    """Those whose path is this one, or leads to it."""
    return [
        entry
        for entry in entries
        if path == entry.path or path.startswith((f"{entry.path}.", f"{entry.path}["))
    ]


def sentence(scenario: Any, path: str, message: str) -> str:
    """A fault as one sentence: "Node a2115: memory 'much' must be a whole number"."""
    owner, subject = place(scenario, path).words
    return f"{owner}: {subject} {message}" if subject else f"{owner}: {message}"


def _owner(scenario: Any, table: Table, row: int) -> str:
    rows = as_written(scenario, table.key)
    name = rows[row].get("name") if row < len(rows) and isinstance(rows[row], dict) else None
    return f"{table.title.removesuffix('s')} {name if isinstance(name, str) and name else row + 1}"


def _field(table: Table, inner: str) -> Entry | None:
    """The field that a path inside a row belongs to: its own, or the first of the object it names."""
    entries = table.entries()
    first = next((entry for entry in entries if inner in (entry.group, "")), None)
    return max(_entries_above(entries, inner), key=lambda entry: len(entry.path), default=first)


def _name(table: Table, entry: Entry) -> str:
    group = next((group.title for group in table.groups() if group.path == entry.group), "")
    return f"{group} {entry.title}".strip().lower().replace("applicationmaster", "ApplicationMaster")
