"""The draft's jobs as other tools' files: a menu, and the address that writes one."""

from __future__ import annotations

from typing import Any

from dash import Dash, html
from flask import jsonify

from engine import (
    WORKLOADS,
    FormatError,
    GantryError,
    Notes,
    Scenario,
    ScenarioError,
    TooLarge,
    container_count,
    workload_text,
)
from webapp import settings
from webapp.services import json_bodies

ADDRESS = "editor/write-workload"


def draft_file(kind: Any, scenario: Any) -> dict[str, Any]:
    """A draft's file for another tool: name, type, content and `lost`, what it can't hold, a sentence each;
    GantryError where it can't be written.
    """
    if not isinstance(kind, str) or kind not in WORKLOADS:
        raise FormatError(f"There is no such file to write: {', '.join(WORKLOADS)}.")
    target, notes = WORKLOADS[kind], Notes()
    try:
        scenario_ = Scenario.of(scenario)
    except ScenarioError as error:
        raise FormatError(f"{target.file} is written of a draft without errors: {error.faults[0]}.") from None
    count, maximum = container_count(scenario), settings.max_containers()
    if count > maximum:
        raise TooLarge(
            f"{target.file} can't be written: {count:,} containers in all; this page writes at most "
            f"{maximum:,}. The command line has no such limit."
        )
    return {
        "name": target.file,
        "type": target.media_type,
        "content": _text(target.file, workload_text(scenario_, kind, notes)),
        "lost": notes.sentences(),
    }


def _text(file: str, chunks: Any) -> str:
    parts, remaining = [], settings.max_file_bytes()
    for chunk in chunks:
        parts.append(chunk)
        remaining -= len(chunk)
        if remaining < 0:
            raise TooLarge(
                f"{file} can't be written: it would hold more than {settings.max_file_bytes():,} bytes. "
                "The command line has no such limit."
            )
    return "".join(parts)


def menu() -> html.Details:
    """What can be written for other tools, with a sentence each."""
    items = [
        html.Button([html.Strong(one.file), html.Span(one.about)], type="button", **{"data-workload": kind})
        for kind, one in WORKLOADS.items()
    ]
    summary = html.Summary(
        "Write for others",
        className="editor-button",
        title="Write the jobs as files of other simulators, or as a table",
    )
    return html.Details(
        [summary, html.Div(items, className="editor-menu")], id="editor-workloads", className="editor-choices"
    )


def register(app: Dash) -> None:
    """The address that writes a file. It answers 200 with a sentence when that can't be done."""

    @app.server.post(app.config.routes_pathname_prefix + ADDRESS)
    def write_workload() -> Any:
        try:
            sent = json_bodies.request_json()
            sent = sent if isinstance(sent, dict) else {}
            return jsonify(draft_file(sent.get("kind"), sent.get("scenario")))
        except GantryError as error:
            return jsonify({"fault": str(error)})
