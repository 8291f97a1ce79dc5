"""Where a JSON path of a scenario is on the page, and in words: jobs[0].maps.memory_mb is the job alpha's "maps memory"."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from webapp.panels.editor.fields import Entry
from webapp.panels.editor.form import SETTINGS, TITLE
from webapp.panels.editor.lines import as_written
from webapp.panels.editor.tables import TABLES, Table

PATH = re.compile(r"(cluster\.nodes|queues|jobs)(?:\[(\d+)\])?\.?(.*)")


class Place(NamedTuple):
    """section: a table's key, "settings", or "" for none; row and field: "" where it is none of its own; words: owner, and what of it."""

    section: str
    row: int | None
    field: str
    words: tuple[str, str]


def place(scenario: Any, path: str) -> Place:
    """The place of a path, also of one that no field has."""
    if found := _setting(path):
        return found
    found = PATH.fullmatch(path)
    if not found:
        return Place("", None, "", ("Scenario", path))
    table = next(table for table in TABLES if table.path == found[1])
    if found[2] is None:
        return Place(table.key, None, "", (table.title, ""))
    row = int(found[2])
    field = _field(table, found[3])
    return Place(table.key, row, field.path if field else "", (_owner(scenario, table, row), _name(table, field) if field else found[3]))


def _setting(path: str) -> Place | None:
    """The place of a field of the scenario itself, or of what stands in it: the longest that the path begins with."""
    known = [entry for entry in TITLE + SETTINGS if path == entry.path or path.startswith((f"{entry.path}.", f"{entry.path}["))]
    if not known:
        return None
    entry = max(known, key=lambda one: len(one.path))
    row = re.fullmatch(r"\[(\d+)\]\.?(.*)", path.removeprefix(entry.path))
    if entry.kind == "rows" and row:
        field = next((one for one in entry.fields if one.path == row[2]), entry.fields[0])
        return Place("settings", None, f"{entry.path}[{row[1]}].{field.path}", (f"{entry.title.removesuffix('s')} {int(row[1]) + 1}", field.title.lower()))
    group = next((one.title for one in SETTINGS if one.path == entry.group), "")
    return Place("settings", None, entry.path, (group, entry.title.lower()) if group else (entry.title, ""))


def sentence(scenario: Any, path: str, message: str) -> str:
    """A fault as one sentence: "Node a2115: memory 'much' must be a whole number"."""
    owner, what = place(scenario, path).words
    return f"{owner}: {what} {message}" if what else f"{owner}: {message}"


def _owner(scenario: Any, table: Table, row: int) -> str:
    found = as_written(scenario, table.key)
    name = found[row].get("name") if row < len(found) and isinstance(found[row], dict) else None
    return f"{table.noun.capitalize()} {name if isinstance(name, str) and name else row + 1}"


def _field(table: Table, inner: str) -> Entry | None:
    """The field that a path inside a row belongs to: its own, or the first of the object it names."""
    known = table.entries()
    own = [entry for entry in known if inner == entry.path or inner.startswith((f"{entry.path}.", f"{entry.path}["))]
    of_group = [entry for entry in known if inner in (entry.group, "")]
    return (own or of_group or [None])[0]


def _name(table: Table, entry: Entry) -> str:
    group = next((group.title for group in table.groups() if group.path == entry.group), "")
    return f"{group} {entry.title}".strip().lower().replace("applicationmaster", "ApplicationMaster")
