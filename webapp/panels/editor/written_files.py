"""What menus that write a draft as files of other tools have in common: the check of the draft, the menu, and
the address that the page's script asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dash import Dash, html
from flask import jsonify

from engine import FormatError, GantryError, Scenario, ScenarioError
from webapp.http import json_bodies
from webapp.messages import msg
from webapp.panels.components import button


def check_kind(kind: Any, kinds: Iterable[str]) -> None:
    """FormatError for a kind of file that is none of these."""
    if kind not in list(kinds):
        raise FormatError(msg("panels.written_files.no_such_file_can_be_written", kinds=", ".join(kinds)))


def draft_scenario(draft: Any, name: str) -> Scenario:
    """The scenario of a draft (JSON values); FormatError where it has errors. name: of the file it is for."""
    try:
        return Scenario.of(draft)
    except ScenarioError as error:
        fault = error.faults[0]
        raise FormatError(
            msg("panels.written_files.written_draft_without_errors", name=name, fault=fault)
        ) from None


def choices(
    id: str, label: str, mark: str, entries: Iterable[tuple[str, str, str]], **more: Any
) -> html.Details:
    """A menu of the editor. entries: the value of the attribute that a script reads (mark), a title, and a
    sentence; more: of its button.
    """
    items = [button([html.Strong(title), html.Span(about)], {mark: key}) for key, title, about in entries]
    summary = html.Summary(label, className="editor-button", **more)
    menu = html.Div(items, className="editor-menu")
    return html.Details([summary, menu], id=id, className="editor-choices")


def register_writer(app: Dash, address: str, write: Callable[[dict], dict]) -> None:
    """The address that writes a file of what the page sends. It answers 200 with a sentence when that can't
    be done.
    """

    @app.server.post(app.config.routes_pathname_prefix + address, endpoint=address)
    def write_file() -> Any:
        try:
            sent = json_bodies.request_json()
            return jsonify(write(sent if isinstance(sent, dict) else {}))
        except GantryError as error:
            return jsonify({"fault": str(error)})
