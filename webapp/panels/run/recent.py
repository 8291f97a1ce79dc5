"""Recent runs of this browser, newest first; each opens again."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import ALL, ClientsideFunction, Dash, Input, Output, State, html

from webapp.panels.components import CLOSE, icon


def layout() -> dmc.Drawer:
    """The list; a script fills it from the browser's own store."""
    return dmc.Drawer(
        [html.P("Kept in this browser only.", className="help"), html.Ol(id="recent-list", className="recent")],
        id="recent-drawer",
        title="Recent runs",
        position="right",
        size="md",
        closeButtonProps=CLOSE,
    )


def button() -> dmc.Button:
    """Opens the list."""
    return dmc.Button("Recent", id="show-recent", variant="default", size="compact-sm", leftSection=icon("clock"))


def register(app: Dash) -> None:
    """Callbacks: open and fill the list, open a run of it."""
    app.clientside_callback(
        ClientsideFunction("gantry", "listRecent"),
        Output("recent-drawer", "opened"),
        Output("recent-list", "children"),
        Input("show-recent", "n_clicks"),
        State("recent", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        ClientsideFunction("gantry", "openRecent"),
        Output("recent-drawer", "opened", allow_duplicate=True),
        Input({"type": "recent", "index": ALL}, "n_clicks"),
        Input({"type": "recent-beside", "index": ALL}, "n_clicks"),
        State("recent", "data"),
        prevent_initial_call=True,
    )
