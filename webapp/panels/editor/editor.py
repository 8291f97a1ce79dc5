"""The left column: what the user composes. The draft lives in the browser (assets/editor*.js); the server checks it and opens files."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import ALL, ClientsideFunction, Dash, Input, Output, dcc, get_relative_path, html

from engine import OPENED, SUFFIXES
from webapp import theme
from webapp.panels.editor import check, files, form
from webapp.panels.editor.tables import TABLES, grid

ACTIONS = ("add", "duplicate", "delete", "widen")
BUTTONS = [f"editor-{key}" for key in ("undo", "redo", "open", "save", *(f"{table.key}-{action}" for table in TABLES for action in ACTIONS))]


def layout() -> html.Section:
    """The whole column. The page around it holds the stores draft, load and faults."""
    sections = [(table.key, table.title, grid(table)) for table in TABLES] + [("settings", "Cluster and seed", form.settings_form())]
    return html.Section(
        [
            dcc.Store(id="editor-facts", data=facts()),
            _bar(),
            form.title_field(),
            html.Div(id="editor-about", className="editor-about"),
            check.status(),
            _assumptions(),
            dmc.Accordion(
                [_section(*section) for section in sections], id="editor-sections", multiple=True, value=["nodes", "jobs"], persistence=True, chevronSize=14
            ),
            html.Div(id="editor-message", className="editor-message", role="status"),
        ],
        id="editor",
        className="editor",
        style={f"--editor-{phase.key}": f"light-dark({phase.light}, {phase.dark})" for phase in theme.PHASES},
        **{"aria-label": "Editor: cluster, queues and jobs", "aria-busy": "true"},
    )


def facts() -> dict:
    """What the page's scripts need: tables, fields, presets, and the addresses they ask."""
    return {
        "tables": {table.key: table.facts() for table in TABLES},
        "fields": form.facts(),
        "presets": files.facts(),
        "addresses": {"check": get_relative_path("/" + check.ADDRESS), "open": get_relative_path("/" + files.ADDRESS)},
        "most_bytes": files.MOST_BYTES,
        "accept": ",".join(SUFFIXES),
    }


def register(app: Dash) -> None:
    """All callbacks of the column."""
    check.register(app)
    files.register(app)
    form.register(app)
    app.clientside_callback(ClientsideFunction("editor", "start"), Output("editor", "aria-busy"), Input("editor-facts", "data"))
    app.clientside_callback(ClientsideFunction("editor", "load"), Input("load", "data"))
    app.clientside_callback(ClientsideFunction("editor", "mirror"), Input("draft", "data"))
    app.clientside_callback(ClientsideFunction("editor", "act"), [Input(button, "n_clicks") for button in BUTTONS], prevent_initial_call=True)
    app.clientside_callback(ClientsideFunction("editor", "preset"), Input({"type": "editor-preset", "key": ALL}, "n_clicks"), prevent_initial_call=True)


def _bar() -> html.Div:
    return html.Div(
        [
            files.menu(),
            _button("open", "Open", f"{OPENED[:1].upper()}{OPENED[1:]}, also gzip, up to {files.MOST_BYTES // 2**20} MB; or drop it on the page"),
            _button("save", "Save", "The scenario as a file"),
            html.Span(className="editor-spring"),
            _button("undo", "Undo", "Nothing to undo", disabled=True),
            _button("redo", "Redo", "Nothing to redo", disabled=True),
        ],
        className="editor-bar",
        role="toolbar",
        **{"aria-label": "Scenario"},
    )


def _button(key: str, label: str, tip: str, disabled: bool = False) -> dmc.Tooltip:
    button = dmc.Button(label, id=f"editor-{key}", size="compact-sm", variant="default", disabled=disabled)
    return dmc.Tooltip(button, id=f"editor-{key}-tip", label=tip, openDelay=400, withArrow=True, multiline=True, maw=320)


def _assumptions() -> html.Details:
    """What a file of another tool does not say and was assumed; a script fills the list."""
    left_out = dcc.Link("Limits of the model", href=get_relative_path("/model"))
    return html.Details(
        [html.Summary(id="editor-assumed-summary"), html.Ul(id="editor-assumed"), html.P(left_out)],
        id="editor-assumed-room",
        className="editor-assumed",
        hidden=True,
        open=True,
    )


def _section(key: str, title: str, body: html.Div) -> dmc.AccordionItem:
    head = html.Span(
        [
            html.Span(title, className="editor-section-title"),
            html.Span(id=f"editor-{key}-summary", className="editor-section-summary"),
            html.Span(id=f"editor-{key}-faults", className="editor-badge", hidden=True),
        ],
        className="editor-section",
    )
    return dmc.AccordionItem([dmc.AccordionControl(head), dmc.AccordionPanel(body)], value=key)
