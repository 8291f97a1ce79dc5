"""What if: any number of the run shown, and any parameter of its schedulers, as a slider beside the charts,
which follow it.

The sliders themselves and the loop that moves the charts live in the browser (assets/scripts/what_if); this
is the list they stand in, what can be turned, and the address that answers each movement: plain Flask, for a
Dash callback takes longer to arrive than the runs do to finish.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, dcc, html
from flask import jsonify, request

from engine import GantryError
from engine.dashboard import names_of
from webapp.http import disconnects, json_bodies
from webapp.http.fault_text import error_text
from webapp.jobs import whatif
from webapp.jobs.page_request import parse_changes
from webapp.messages import msg
from webapp.panels.components import attributes, button
from webapp.panels.timeline.viewport import View, preview
from webapp.panels.what_if import search_form, slider_text, sweep_curve
from webapp.runs import saved_tasks
from webapp.runs.task import Task
from webapp.url.url_state import RunRequest

ADDRESS = "whatif/move"
MAX_SHOWN = 150  # entries of the chooser's list at a time; typing finds the others


def layout() -> list:
    """The sliders in a list, and beside it, or below where it is narrow, the curve of the one that was
    touched last.
    """
    chooser = dmc.Select(
        id="whatif-add",
        placeholder=msg("panels.sliders.add_slider"),
        data=[],
        searchable=True,
        limit=MAX_SHOWN,
        filter={"function": "whatifFound"},
        maxDropdownHeight=340,
        nothingFoundMessage=msg("shared.no_match"),
        size="xs",
        comboboxProps={"shadow": "md", "width": "target"},
        **{"aria-label": msg("panels.sliders.add_slider_number_scenario_or_parameter")},
    )
    put = msg("panels.sliders.put_these_values_into_draft")
    apply = button("Apply", id="whatif-apply", disabled=True, title=put)
    title = html.H2(msg("shared.what_if"), id="whatif-title", className="unseen")
    sliders = [
        html.Div([title, chooser, apply], className="whatif-line", id="whatif-line"),
        html.P(id="whatif-of", className="help"),
        html.P(id="whatif-says", role="status", className="help"),
        html.Div(id="whatif-rows", className="whatif-rows"),
        dcc.Store(id="whatif-wanted"),
        dcc.Store(id="whatif-base"),
    ]
    columns = [html.Div(sliders, className="whatif-list"), sweep_curve.layout()]
    parts = [html.Div(columns, className="whatif-columns"), search_form.layout()]
    titled = attributes({"aria-labelledby": "whatif-title"})
    return [html.Section(parts, id="whatif", className="whatif", **titled)]


def register(app: Dash) -> None:
    """Callbacks: what can be turned, a slider for what is chosen, other runs; and the address of the
    movements.
    """
    client = lambda name: ClientsideFunction("gantry", name)
    app.clientside_callback(client("whatifBegun"), Output("whatif", "aria-busy"), Input("whatif", "id"))
    app.clientside_callback(client("whatifBase"), Input("whatif-base", "data"), prevent_initial_call=True)
    app.clientside_callback(
        client("whatifAdd"),
        Output("whatif-add", "value"),
        Input("whatif-add", "value"),
        prevent_initial_call=True,
    )
    sweep_curve.register(app)
    search_form.register(app)

    @app.callback(
        Output("whatif-base", "data"),
        Output("whatif-add", "data"),
        Input("whatif-wanted", "data"),
        prevent_initial_call=True,
    )
    def base(key: str | None):
        if task := saved_tasks.load_task(str(key)):
            return slider_text.base(task), slider_text.choices(task)
        return {"key": None, "hint": saved_tasks.TASK_EXPIRED, "tunables": []}, []

    @app.server.post(app.config.routes_pathname_prefix + ADDRESS)
    def move() -> Any:
        try:
            sent = json_bodies.request_json()
        except GantryError as error:
            return jsonify({"because": msg("shared.not_read", error=error)})
        if disconnects.is_disconnected(request.environ):
            return "", disconnects.CLIENT_CLOSED_REQUEST
        return jsonify(answer(sent if isinstance(sent, dict) else {}))


def answer(sent: dict[str, Any]) -> dict[str, Any]:
    """What a movement shows: the schedulers as they are now called, and their charts; why it can't be as
    {because}, {forgotten} where the run is unknown.
    """
    task = saved_tasks.load_task(str(sent.get("key")))
    if sent.get("rest") is True:
        return run_at_rest(task, sent.get("of"), sent.get("changes"))
    if task is None:
        return {"forgotten": True}
    try:
        moved = whatif.preview_changes(task, parse_changes(sent.get("changes")))
    except GantryError as error:
        return {"because": error_text(error, task.scenario.plain())}
    answered = {"schedulers": names_of(moved.schedulers)}
    if moved.outcomes and sent.get("draw") is True:
        return answered | preview(task, moved.outcomes, View.of(sent))
    return answered


def run_at_rest(task: Task | None, base: Any, changes: Any) -> dict[str, Any]:
    """What is run once the sliders rest, or goes into the draft: {scenario, schedulers} of what the page sent
    with the changes, `left_out`, whether `measured` no longer fits, and `says`, in words, what they are of
    this task's; or {because}."""
    try:
        changes_ = parse_changes(changes)
        varied = whatif.change_request(RunRequest.of(base), changes_)
        says = slider_text.sentence(task, changes_) if task else ""
        return varied.request.plain() | {"left_out": varied.left_out, "says": says}
    except GantryError as error:
        return {"because": error_text(error, base.get("scenario") if isinstance(base, dict) else None)}
