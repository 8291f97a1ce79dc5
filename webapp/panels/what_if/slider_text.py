"""The words of sliders: their labels in the chooser, their values, and what they change, in a sentence."""

from __future__ import annotations

import re
from typing import Any

from engine import quantities
from engine.dashboard import Tunable
from webapp.jobs import whatif
from webapp.messages import msg
from webapp.runs.task import Task


def base(task: Task) -> dict[str, Any]:
    """What the page needs to offer sliders for this task, each tunable with its label and the text of its
    value.
    """
    facts = whatif.slider_data(task)
    for entry, tunable in zip(facts["tunables"], whatif.tunables_of(task), strict=True):
        entry |= {"label": label(tunable), "text": value_text(tunable.value, tunable)}
    return facts


def choices(task: Task) -> list[dict[str, Any]]:
    """The chooser's entries in their groups."""
    groups: dict[str, list[dict[str, str]]] = {}
    for tunable in whatif.tunables_of(task):
        groups.setdefault(tunable.group, []).append({"value": tunable.path, "label": label(tunable)})
    return [{"group": group, "items": items} for group, items in groups.items()]


def label(tunable: Tunable) -> str:
    """Its title with its unit, unless that says it."""
    return tunable.title if _says_unit(tunable) else f"{tunable.title} ({tunable.unit})"


def value_text(value: float | str | None, tunable: Tunable) -> str:
    """A value beside its title: "512 MB", "12" of what is counted in nodes anyway, "not set"."""
    if value is None or isinstance(value, str):
        return tunable.without if value is None else value
    return quantities.quantity(value, "" if _says_unit(tunable) else tunable.unit)


def sentence(task: Task, changes: whatif.Changes) -> str:
    """What the changes are: "Nodes, total 9 instead of 8; Seed 4 instead of 0"."""
    tunables_by_path = {tunable.path: tunable for tunable in whatif.tunables_of(task)}
    pairs = [(tunables_by_path[path], value) for path, value in changes if path in tunables_by_path]
    return "; ".join(change_text(tunable, value, tunable.value) for tunable, value in pairs)


def change_text(tunable: Tunable, value: float | str | None, now: float | str | None) -> str:
    """ "Nodes, total 9 instead of 8"."""
    texts = value_text(value, tunable), value_text(now, tunable)
    return msg("panels.slider_text.instead", title=tunable.title, value_text=texts[0], value_text2=texts[1])


def _says_unit(tunable: Tunable) -> bool:
    return not tunable.unit or tunable.unit.lower() in re.split(r"\W+", tunable.title.lower())
