"""Recent runs of this browser, newest first; each opens again."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, html

from webapp.messages import msg
from webapp.panels.components import CLOSE, icon


def layout() -> dmc.Drawer:
    """The list; a script fills it from the browser's own store."""
    return dmc.Drawer(
        [
            html.P(msg("panels.recent.kept_in_browser_only"), className="help"),
            html.Ol(id="recent-list", className="recent"),
        ],
        id="recent-drawer",
        title=msg("panels.recent.recent_runs"),
        position="right",
        size="md",
        closeButtonProps=CLOSE,
    )


def button() -> html.Button:
    """Opens the list."""
    return html.Button(
        [icon("clock"), "Recent"], id="show-recent", type="button", title=msg("panels.recent.runs_browser")
    )


def register(app: Dash) -> None:
    """Callbacks: open and fill the list, open a run of it."""
    app.clientside_callback(
        ClientsideFunction("gantry", "listRecent"),
        Output("recent-drawer", "opened"),
        Input("show-recent", "n_clicks"),
        prevent_initial_call=True,
    )
