"""What is the same on all nodes, the seed and the title: a form with a unit, the default and a sentence of help each."""

from __future__ import annotations

from dataclasses import asdict

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, State, html

from engine import Cluster, Scenario
from webapp.panels.compose_fields import Entry, entries, said

TITLE = entries(Scenario, ("name",))
SETTINGS = entries(Cluster, ("heartbeat_ms", "containers_per_heartbeat", "shuffle_mb_s", "contention"), "cluster.") + entries(Scenario, ("seed",))
UNLIMITED = "compose-unlimited"


def field_id(entry: Entry) -> str:
    """The id of a field's input."""
    return "compose-field-" + entry.path.replace(".", "-")


def facts() -> list[dict]:
    """What the page's scripts need to know of the fields, as JSON."""
    return [{**asdict(entry), "id": field_id(entry)} for entry in TITLE + SETTINGS]


def title_field() -> dmc.TextInput:
    """The scenario's title, without the frame of the other fields."""
    return dmc.TextInput(
        id=field_id(TITLE[0]), placeholder="Untitled scenario", variant="unstyled", className="compose-title", **{"aria-label": "Title of the scenario"}
    )


def settings_form() -> html.Div:
    """The other fields, two abreast where there is room."""
    return html.Div([_field(entry) for entry in SETTINGS], className="compose-form")


def _field(entry: Entry) -> html.Div:
    ours = html.Span("ours", id=field_id(entry) + "-ours", className="compose-mark", title="The paper gives no number; chosen by us.", hidden=True)
    shown = dmc.TextInput(
        id=field_id(entry),
        label=html.Span([entry.title, ours]),
        description=said(entry),
        placeholder=entry.empty,
        rightSection=html.Span(entry.unit, className="compose-unit") if entry.unit else None,
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
        app.clientside_callback(ClientsideFunction("compose", "typed"), Input(id, "value"), State(id, "id"), prevent_initial_call=True)
    app.clientside_callback(ClientsideFunction("compose", "unlimited"), Input(UNLIMITED, "checked"), prevent_initial_call=True)
