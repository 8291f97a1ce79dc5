"""What is the same on all nodes, the seed and the title: a form with a unit, the default and a sentence of help each."""

from __future__ import annotations

from dataclasses import asdict

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, State, html

from engine import Cluster, Scenario
from webapp.panels.editor.fields import Entry, entries, help_text

ALONE = entries(Scenario)
TITLE = [entry for entry in ALONE if entry.path == "name"]
SETTINGS = entries(Cluster, prefix="cluster.") + [entry for entry in ALONE if entry.path != "name"]
UNLIMITED = "editor-unlimited"


def field_id(entry: Entry) -> str:
    """The id of a field's input."""
    return "editor-field-" + entry.path.replace(".", "-")


def facts() -> list[dict]:
    """What the page's scripts need to know of the fields, as JSON."""
    return [{**asdict(entry), "id": field_id(entry)} for entry in TITLE + SETTINGS]


def title_field() -> dmc.TextInput:
    """The scenario's title, without the frame of the other fields."""
    return dmc.TextInput(
        id=field_id(TITLE[0]), placeholder="Untitled scenario", variant="unstyled", className="editor-title", **{"aria-label": "Title of the scenario"}
    )


def settings_form() -> html.Div:
    """The other fields, two abreast where there is room."""
    return html.Div([_field(entry) for entry in SETTINGS], className="editor-form")


def _field(entry: Entry) -> html.Div:
    ours = html.Span("assumed", id=field_id(entry) + "-ours", className="editor-mark", title="Assumed: the paper gives no number.", hidden=True)
    shown = dmc.TextInput(
        id=field_id(entry),
        label=html.Span([entry.title, ours]),
        description=help_text(entry),
        placeholder=entry.empty,
        rightSection=html.Span(entry.unit, className="editor-unit") if entry.unit else None,
        rightSectionWidth=16 + 7 * len(entry.unit) if entry.unit else None,
        rightSectionPointerEvents="none",
        inputWrapperOrder=["label", "input", "error", "description"],
        attributes={"input": {"inputMode": "decimal"}},
        size="xs",
    )
    if entry.path != "cluster.containers_per_heartbeat":
        return html.Div(shown)
    return html.Div([shown, dmc.Checkbox(id=UNLIMITED, label="No limit", size="xs", mt=6)])


def register(app: Dash) -> None:
    """Each field writes its own place in the draft, while one types."""
    for entry in TITLE + SETTINGS:
        id = field_id(entry)
        app.clientside_callback(ClientsideFunction("editor", "typed"), Input(id, "value"), State(id, "id"), prevent_initial_call=True)
    app.clientside_callback(ClientsideFunction("editor", "unlimited"), Input(UNLIMITED, "checked"), prevent_initial_call=True)
