"""What if: any number of what is composed, and any parameter of its schedulers, as a slider beside the charts, which follow it.

The sliders themselves and the loop that moves the charts live in the browser (assets/whatif*.js); this is the line they stand in, what can be
turned, and the address that answers each movement: plain Flask, for a Dash callback takes longer to arrive than the runs do to finish.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, get_relative_path, html, no_update
from flask import jsonify, request

from engine import METRICS, GantryError
from webapp import theme
from webapp.figures.timeline.preview import colours
from webapp.panels.timeline.cards import FACTS
from webapp.panels.timeline.viewport import WIDTHS, View
from webapp.panels.what_if import sweep_curve
from webapp.services import runs, whatif
from webapp.services.fault_text import error_text
from webapp.services.url_state import Asked

ADDRESS = "whatif/move"
MOST_SHOWN = 150  # entries of the chooser's list at a time; typing finds the others
MOST_MARGIN = 400


def layout() -> list:
    """One line until there is a slider; then the sliders, which stay in sight over the charts, and the curve of the one that was touched last."""
    chooser = dmc.Select(
        id="whatif-add",
        placeholder="+ Add a slider",
        data=[],
        searchable=True,
        limit=MOST_SHOWN,
        filter={"function": "whatifFound"},
        maxDropdownHeight=340,
        nothingFoundMessage="No match",
        size="xs",
        comboboxProps={"shadow": "md", "width": "target"},
        **{"aria-label": "Add a slider: a number of the scenario or a parameter of a scheduler"},
    )
    sliders = html.Section(
        [
            html.Div(
                [html.H2("What if", id="whatif-title"), chooser, html.P(id="whatif-says", role="status", className="help")],
                className="whatif-line",
                id="whatif-line",
            ),
            html.Div(id="whatif-rows", className="whatif-rows"),
            dcc.Store(id="whatif-facts", data=facts()),
            dcc.Store(id="whatif-wanted"),
            dcc.Store(id="whatif-base"),
        ],
        id="whatif",
        className="whatif",
        **{"aria-labelledby": "whatif-title"},
    )
    return [sliders, sweep_curve.layout()]


def facts() -> dict[str, Any]:
    """What the scripts need: the address, the colours of both schemes, the metrics a goal may have."""
    metrics = {metric.key: {"title": metric.title, "unit": metric.unit, "better": metric.better} for metric in METRICS}
    return {"address": get_relative_path("/" + ADDRESS), "light": colours(False), "dark": colours(True), "metrics": metrics}


def register(app: Dash) -> None:
    """Callbacks: what can be turned, a slider for what is chosen, other runs; and the address of the movements."""
    client = lambda name: ClientsideFunction("whatif", name)
    app.clientside_callback(client("facts"), Output("whatif", "aria-busy"), Input("whatif-facts", "data"))
    app.clientside_callback(client("rebase"), Output("whatif-add", "data"), Input("whatif-base", "data"), prevent_initial_call=True)
    app.clientside_callback(client("add"), Output("whatif-add", "value"), Input("whatif-add", "value"), prevent_initial_call=True)
    app.clientside_callback(client("asked"), Input("request", "data"), prevent_initial_call=True)
    # With an output: Dash keeps one callback of those that have none and the same inputs, and the editor has one.
    app.clientside_callback(client("edited"), Output("whatif-line", "className"), Input("draft", "data"), prevent_initial_call=True)
    app.clientside_callback(client("looked"), Input("highlight", "data"))
    sweep_curve.register(app)

    @app.callback(
        Output("whatif-base", "data"), Input("whatif-wanted", "data"), Input("draft", "data"), State("whatif-base", "data"), prevent_initial_call=True
    )
    def base(wanted: bool | None, draft: Any, now: dict | None):
        if not wanted:
            return no_update
        try:
            task = runs.task(Asked.of(draft))
        except GantryError as error:
            return {"key": None, "because": error_text(error, draft.get("scenario") if isinstance(draft, dict) else None), "tunables": []}
        if now and now.get("key") == task.key:
            return no_update
        runs.keep(task)
        return whatif.base(task)

    @app.server.post(app.config.routes_pathname_prefix + ADDRESS)
    def move() -> Any:
        asked = request.get_json(silent=True)
        return jsonify(answer(asked if isinstance(asked, dict) else {}))


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """What a movement shows, or why it can't be: {because}, or {forgotten} when the server no longer knows what is moved."""
    task = runs.known(str(asked.get("key")))
    if task is None:
        return {"forgotten": True}
    view = View.of(asked | {"width": asked.get("plot")})
    left = asked.get("left")
    left = min(max(round(left), 0), MOST_MARGIN) if isinstance(left, (int, float)) and left == left else 0
    look = {"window": view.window, "plot": min(view.width, WIDTHS[-1]), "left": left, "highlight": view.highlight, "dark": view.dark}
    look |= {"wanted": view.wanted, "seen": view.seen}
    try:
        shown = whatif.move(task, whatif.changes_of(asked.get("changes")), asked.get("draw") is True, **look)
    except GantryError as error:
        return {"because": error_text(error, task.scenario.plain())}
    for chart in shown.get("charts", []):
        chart["facts"] = {title: theme.amount(chart["metrics"][key], unit) for title, key, unit in FACTS}
        del chart["metrics"]
    return shown
