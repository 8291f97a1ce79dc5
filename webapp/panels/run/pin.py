"""Pin: keep a result as the reference; later runs, of this scenario or another, are shown beside it and compared to it."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, html

from webapp.panels.components import icon


def button() -> dmc.Button:
    """Pins what is shown; pressed again, it unpins."""
    return dmc.Button(
        "Pin",
        id="pin",
        variant="default",
        size="compact-sm",
        leftSection=icon("pin"),
        attributes={"root": {"title": "Keep this result as the reference that later runs are shown beside and compared to"}},
    )


def layout() -> html.P:
    """What is pinned, in a sentence."""
    return html.P(id="pin-says", className="pin-says", role="status")


def register(app: Dash) -> None:
    """Callbacks: pin, unpin, and the sentence about it."""
    app.clientside_callback(
        ClientsideFunction("gantry", "pin"),
        Output("pinned", "data"),
        Input("pin", "n_clicks"),
        State("pinned", "data"),
        State("request", "data"),
        State("result", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        ClientsideFunction("gantry", "pinnedNow"),
        Output("pin-says", "children"),
        Output("pin", "children"),
        Output("pin", "variant"),
        Input("pinned", "data"),
        Input("result", "data"),
    )
