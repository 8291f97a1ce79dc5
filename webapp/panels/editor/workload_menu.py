"""The draft's jobs as other tools' files: a menu, and the address that writes one."""

from __future__ import annotations

from typing import Any

from dash import Dash, html
from flask import jsonify

from engine import FormatError, GantryError, Scenario, ScenarioError
from engine.dashboard import WORKLOADS, Notes, TooLarge, container_count, workload_text
from webapp import settings
from webapp.http import json_bodies
from webapp.messages import msg
from webapp.panels.components import attributes

ADDRESS = "editor/write-workload"


def draft_file(kind: Any, scenario: Any) -> dict[str, Any]:
    """A draft's file for another tool: name, type, content and `lost`, what it can't hold, a sentence each;
    GantryError where it can't be written.
    """
    if not isinstance(kind, str) or kind not in WORKLOADS:
        raise FormatError(
            msg("panels.workload_menu.no_such_file_can_be_written", workloads=", ".join(WORKLOADS))
        )
    target, notes = WORKLOADS[kind], Notes()
    try:
        scenario_ = Scenario.of(scenario)
    except ScenarioError as error:
        raise FormatError(
            msg("panels.workload_menu.written_draft_without_errors", file=target.file, faults=error.faults[0])
        ) from None
    count, maximum = container_count(scenario), settings.max_containers()
    if count > maximum:
        raise TooLarge(
            msg(
                "panels.workload_menu.cant_be_written_containers_in_all",
                file=target.file,
                count=count,
                maximum=maximum,
            )
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
                msg(
                    "panels.workload_menu.cant_be_written_would_hold_more",
                    file=file,
                    max_file_bytes=settings.max_file_bytes(),
                )
            )
    return "".join(parts)


def menu() -> html.Details:
    """What can be written for other tools, with a sentence each."""
    items = [
        html.Button(
            [html.Strong(one.file), html.Span(one.about)],
            type="button",
            **attributes({"data-workload": kind}),
        )
        for kind, one in WORKLOADS.items()
    ]
    summary = html.Summary(
        msg("panels.workload_menu.write_for_others"),
        className="editor-button",
        title=msg("panels.workload_menu.write_jobs_as_files_other_simulators"),
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
