"""What the server knows of a draft while one types: its errors at their places, and the lines it is shown
as.
"""

from __future__ import annotations

from typing import Any

from dash import Dash, html
from flask import jsonify

from engine import GantryError, Scenario, ScenarioError
from engine.dashboard import (
    RECORD_OF_OTHER_CLUSTER,
    container_count,
    fingerprint,
    oversize_faults,
    unrounded_note,
    why_not_measured,
)
from webapp import settings
from webapp.http import json_bodies
from webapp.messages import msg
from webapp.panels.components import attributes
from webapp.panels.editor.lines import leaf_queues, lines, summaries
from webapp.panels.editor.places import NOWHERE, Location, place, sentence

ADDRESS = "editor/check"
LARGEST_EXACT = 2**53 - 1  # a browser's numbers are float64
MISSING = {
    ("cluster.nodes", "jobs"): msg("panels.check.add_nodes_and_job_to_run"),
    ("cluster.nodes",): msg("panels.check.add_nodes_to_run"),
    ("jobs",): msg("panels.check.add_job_to_run"),
}


def faults(scenario: Any, max_containers: int) -> list[dict[str, str]]:
    """Every fault of a scenario's JSON values with its JSON path, and whether it is larger than this server
    runs.
    """
    return _read(scenario, max_containers)[1]


def _read(scenario: Any, max_containers: int) -> tuple[Scenario | None, list[dict[str, str]]]:
    """The scenario, None of a faulty one, and its faults."""
    parsed, errors = None, []
    try:
        parsed = Scenario.of(scenario)
    except ScenarioError as error:
        errors = [{"path": fault.path, "message": fault.message} for fault in error.faults]
    if not isinstance(scenario, dict):
        return parsed, errors
    if isinstance(seed := scenario.get("seed"), str) and seed.isdecimal():
        errors = [fault for fault in errors if fault["path"] != "seed"]
        message = msg("panels.check.seed_too_large_for_browser", seed=seed, largest=LARGEST_EXACT)
        errors.append({"path": "seed", "message": message})
    total = 0 if oversize_faults(scenario) else container_count(scenario)
    if total > max_containers and not any(fault["path"] == "jobs" for fault in errors):
        message = msg("panels.check.containers_in_all_page_runs_at", total=total, most=max_containers)
        errors.append({"path": "jobs", "message": message})
    return parsed, errors


def _without_record(scenario: Any) -> tuple[Any, str | None]:
    """A draft whose record was checked before, and is too large to be sent at each key: without it, and what
    it is of. Any other as it is.
    """
    record = scenario.get("measured") if isinstance(scenario, dict) else None
    if not isinstance(record, dict) or record.get("checked") is not True:
        return scenario, None
    return {key: value for key, value in scenario.items() if key != "measured"}, str(record.get("of"))


def check_result(scenario: Any, max_containers: int) -> dict[str, Any]:
    """The answer to a draft: faults, the summaries and lines of its sections, the queues a job may name, why
    `measured` can't be shown, None if it can, and what of Hadoop's rounding is missing, located as a fault.

    A fault: path and message as `faults` has them, sentence with its place in words, section, row and field
    of the page, whether it is an unknown field, which can be removed, and whether it is nodes or jobs that
    are still missing, of which one sentence tells.
    """
    scenario, record_of = _without_record(scenario)
    parsed, errors = _read(scenario, max_containers)
    empty = [fault["path"] for fault in errors if _is_empty(scenario, fault["path"])]
    located = [
        _located(fault, sentence(scenario, **fault), place(scenario, fault["path"]))
        for fault in errors
        if fault["path"] not in empty[1:]
    ]
    for fault in located:
        if fault["path"] in empty:
            fault |= {"missing": True, "sentence": MISSING[tuple(empty)]}
    unmeasured = parsed and _why_not_measured(parsed, record_of)
    readable = {} if oversize_faults(scenario) else scenario
    note = parsed and unrounded_note(parsed)
    location = place(scenario, "cluster.allocation")
    unrounded = {"sentence": note, "section": location.section, "row": None, "field": location.field}
    answer = {"faults": located, "unmeasured": unmeasured, "unrounded": unrounded if note else None}
    return answer | outline(readable)


def _is_empty(scenario: Any, path: str) -> bool:
    """Whether a path is that of the nodes or the jobs, of which there are none yet."""
    owner = scenario.get("cluster") if path == "cluster.nodes" else scenario
    return path in ("cluster.nodes", "jobs") and owner.get(path.removeprefix("cluster.")) == []


def _why_not_measured(scenario: Scenario, record_of: str | None) -> str | None:
    if record_of is None:
        return why_not_measured(scenario)
    return None if record_of == fingerprint(scenario) else RECORD_OF_OTHER_CLUSTER


def _located(fault: dict[str, str], in_words: str, location: Location) -> dict[str, Any]:
    return {
        **fault,
        "sentence": in_words,
        "section": location.section,
        "row": location.row,
        "field": location.field,
        "unknown": fault["message"].startswith("is not a field here"),
        "missing": False,
    }


def unreadable_result(sentence: str) -> dict[str, Any]:
    """The answer to a draft that is not read: one fault, which has no place."""
    fault = _located({"path": "", "message": sentence}, sentence, NOWHERE)
    return {"faults": [fault], "unmeasured": None, "unrounded": None} | outline({})


def outline(scenario: Any) -> dict[str, Any]:
    """The summaries and lines of a draft's sections, and the queues a job may name."""
    return {"summaries": summaries(scenario), "lines": lines(scenario), "queues": leaf_queues(scenario)}


def status() -> html.Details:
    """One line that is always there, so that nothing moves when a fault comes or goes; it opens the list."""
    summary = html.Summary(
        html.Span(msg("panels.check.not_checked_yet")),
        id="editor-faults-summary",
        className="editor-faults-summary",
        tabIndex="-1",
    )
    faults = html.Ul(id="editor-faults", className="editor-faults", **attributes({"aria-label": "Errors"}))
    return html.Details([summary, faults], className="editor-status")


def register(app: Dash) -> None:
    """The address the page's script asks."""

    @app.server.post(app.config.routes_pathname_prefix + ADDRESS)
    def check_draft() -> Any:
        try:
            draft = json_bodies.request_json()
        except GantryError as error:
            return jsonify(unreadable_result(msg("panels.check.draft_not_checked", error=error)))
        return jsonify(check_result(draft, settings.max_containers()))
