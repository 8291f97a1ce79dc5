"""The left column: what the user composes. The draft lives in the browser (assets/compose*.js); the server checks it and opens files."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import ALL, ClientsideFunction, Dash, Input, Output, dcc, get_relative_path, html

from webapp import theme
from webapp.panels import compose_check, compose_files, compose_form
from webapp.panels.compose_tables import TABLES, grid

ACTIONS = ("add", "duplicate", "delete", "widen")
BUTTONS = [f"compose-{key}" for key in ("undo", "redo", "open", "save", *(f"{table.key}-{action}" for table in TABLES for action in ACTIONS))]


def layout() -> html.Section:
    """The whole column. The page around it holds the stores draft, load and faults."""
    sections = [(table.key, table.title, grid(table)) for table in TABLES] + [("settings", "Cluster and seed", compose_form.settings_form())]
    return html.Section(
        [
            dcc.Store(id="compose-facts", data=facts()),
            _bar(),
            compose_form.title_field(),
            html.Div(id="compose-about", className="compose-about"),
            compose_check.status(),
            _assumptions(),
            dmc.Accordion(
                [_section(*section) for section in sections], id="compose-sections", multiple=True, value=["nodes", "jobs"], persistence=True, chevronSize=14
            ),
            html.Div(id="compose-message", className="compose-message", role="status"),
        ],
        id="compose",
        className="compose",
        style={f"--compose-{phase.key}": f"light-dark({phase.light}, {phase.dark})" for phase in theme.PHASES},
        **{"aria-label": "Compose: cluster, queues and jobs", "aria-busy": "true"},
    )


def facts() -> dict:
    """What the page's scripts need: tables, fields, presets, and the addresses they ask."""
    return {
        "tables": {table.key: table.facts() for table in TABLES},
        "fields": compose_form.facts(),
        "presets": compose_files.facts(),
        "addresses": {"check": get_relative_path("/" + compose_check.ADDRESS), "open": get_relative_path("/" + compose_files.ADDRESS)},
        "most_bytes": compose_files.MOST_BYTES,
    }


def register(app: Dash) -> None:
    """All callbacks of the column."""
    compose_check.register(app)
    compose_files.register(app)
    compose_form.register(app)
    app.clientside_callback(ClientsideFunction("compose", "start"), Output("compose", "aria-busy"), Input("compose-facts", "data"))
    app.clientside_callback(ClientsideFunction("compose", "load"), Input("load", "data"))
    app.clientside_callback(ClientsideFunction("compose", "mirror"), Input("draft", "data"))
    app.clientside_callback(ClientsideFunction("compose", "act"), [Input(button, "n_clicks") for button in BUTTONS], prevent_initial_call=True)
    app.clientside_callback(ClientsideFunction("compose", "preset"), Input({"type": "compose-preset", "key": ALL}, "n_clicks"), prevent_initial_call=True)


def _bar() -> html.Div:
    return html.Div(
        [
            compose_files.menu(),
            _button("open", "Open", "A scenario, a Rumen trace or an SLS jobs file, also gzip, up to 50 MB; or drop it on the page"),
            _button("save", "Save", "The scenario as a file"),
            html.Span(className="compose-spring"),
            _button("undo", "Undo", "Nothing to undo", disabled=True),
            _button("redo", "Redo", "Nothing to redo", disabled=True),
        ],
        className="compose-bar",
        role="toolbar",
        **{"aria-label": "Scenario"},
    )


def _button(key: str, label: str, tip: str, disabled: bool = False) -> dmc.Tooltip:
    button = dmc.Button(label, id=f"compose-{key}", size="compact-sm", variant="default", disabled=disabled)
    return dmc.Tooltip(button, id=f"compose-{key}-tip", label=tip, openDelay=400, withArrow=True, multiline=True, maw=320)


def _assumptions() -> html.Details:
    """What a file of another tool does not say and was assumed; a script fills the list."""
    left_out = dcc.Link("What the model leaves out", href=get_relative_path("/model"))
    return html.Details(
        [html.Summary(id="compose-assumed-summary"), html.Ul(id="compose-assumed"), html.P(left_out)],
        id="compose-assumed-room",
        className="compose-assumed",
        hidden=True,
        open=True,
    )


def _section(key: str, title: str, body: html.Div) -> dmc.AccordionItem:
    head = html.Span(
        [
            html.Span(title, className="compose-section-title"),
            html.Span(id=f"compose-{key}-summary", className="compose-section-summary"),
            html.Span(id=f"compose-{key}-faults", className="compose-badge", hidden=True),
        ],
        className="compose-section",
    )
    return dmc.AccordionItem([dmc.AccordionControl(head), dmc.AccordionPanel(body)], value=key)
