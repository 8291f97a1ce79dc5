"""Errors of a scenario for people: "Node group slow, memory: must be a number" instead of
"cluster.nodes[0].memory_mb: must be a number".
"""

from __future__ import annotations

import re
from typing import Any

from engine import GantryError, ScenarioError
from engine.dashboard import Fault
from webapp.messages import msg

ENTRY = re.compile(r"(cluster\.nodes|queues|jobs|schedulers)\[(\d+)\]\.?(.*)")
PATH = re.compile(r"(cluster\.|queues\[|jobs\[|schedulers\[)[\w.\[\]]+")
NOUNS = {
    "cluster.nodes": msg("http.fault_text.node_group"),
    "queues": "Queue",
    "jobs": "Job",
    "schedulers": "Scheduler",
}
UNITS = re.compile(r"_(mb_s|mb|ms|s)\b")
WORDS = {"am": "ApplicationMaster"}


def error_text(error: GantryError, scenario: Any) -> str:
    """The first of an error's faults, placed in words; other errors are sentences already. scenario: the JSON
    values it is about.
    """
    if isinstance(error, ScenarioError):
        return fault_text(error.faults[0], scenario)
    return str(error).partition("\n")[0]


def fault_text(fault: Fault, scenario: Any) -> str:
    """Where it is, in words, and what would be right."""
    return f"{path_text(fault.path, scenario)}: {fault.message}"


def sentence_text(sentence: str) -> str:
    """A sentence that may begin with a JSON path and a colon; entries get their numbers, for the scenario is
    not known.
    """
    path, colon, message = sentence.partition(": ")
    return f"{path_text(path, None)}: {message}" if colon and PATH.fullmatch(path) else sentence


def path_text(path: str, scenario: Any) -> str:
    """A JSON path in words: the entry by its name, else by its number, then the field."""
    match = ENTRY.fullmatch(path)
    if not match:
        words = _field_text(path.removeprefix("cluster."))
        return words[:1].upper() + words[1:] or "Scenario"
    table, number, field = match[1], int(match[2]), match[3]
    entry = f"{NOUNS[table]} {_entry_name(scenario, table, number) or number + 1}"
    return f"{entry}, {_field_text(field)}" if field else entry


def _field_text(path: str) -> str:
    words = UNITS.sub("", path).replace(".", " ").replace("_", " ").split()
    return " ".join(WORDS.get(word, word) for word in words)


def _entry_name(scenario: Any, table: str, number: int) -> str | None:
    """What an entry is called; None for what has no name, or is no scenario at all."""
    rows = scenario
    for key in table.split("."):
        rows = rows.get(key) if isinstance(rows, dict) else None
    row = rows[number] if isinstance(rows, list) and number < len(rows) else None
    name = row if isinstance(row, str) else row.get("name") if isinstance(row, dict) else None
    return name if isinstance(name, str) and name else None
