"""Why there and then: beside the charts, the decision that placed a container, with steps to those before and
after it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from dash import ClientsideFunction, Dash, Input, Output, Patch, ctx, dcc, html, no_update, set_props

from engine import GantryError, quantities
from engine.dashboard import display_name
from webapp.messages import msg
from webapp.panels.components import attributes, button, icon
from webapp.panels.decision import decision, waiting
from webapp.panels.timeline import picking
from webapp.panels.timeline.viewport import View, rows_of_chart
from webapp.runs import rerun_details, saved_tasks
from webapp.runs.task import Task
from webapp.url import url_state, url_view
from webapp.url.url_view import Decision

STEPS = (
    ("-1", "left", msg("panels.why.previous_decision"), msg("panels.why.previous_decision_left_home_first")),
    ("1", "right", msg("panels.why.next_decision"), msg("panels.why.next_decision_right_end_last")),
    ("close", "close", "Close", msg("panels.why.close_esc")),
)


def layout() -> html.Section:
    """The panel, a tab of the drawer."""
    buttons = [
        button([icon(picture), html.Span(name, className="unseen")], {"data-decision": step}, title=title)
        for step, picture, name, title in STEPS
    ]
    title = [html.H2("Decision", id="decision-title"), html.P(id="decision-where", className="quiet")]
    polite = attributes({"aria-live": "polite"})
    return html.Section(
        [
            html.Header([html.Div(title), html.Div(buttons, className="steps")]),
            html.P(msg("panels.why.click_container_in_chart_or_press"), className="quiet decision-hint"),
            html.Div(id="decision-body", className="decision-body"),
            html.P(id="decision-says", className="unseen", role="status", **polite),
            *(dcc.Store(id=name) for name in ("picked", "step", "decision-data")),
        ],
        id="decision",
        className="decision",
        tabIndex="-1",
        **attributes({"aria-label": "Decision"}),
    )


def register(app: Dash) -> None:
    """A click, a link or a step asks the server for a decision; the page shows it, or what is wrong with the
    link. Another result closes the panel.
    """
    app.clientside_callback(
        ClientsideFunction("gantry", "decided"), Input("decision-data", "data"), prevent_initial_call=True
    )

    @app.callback(
        Output("decision-data", "data"),
        *(Output(f"decision-{part}", "children") for part in ("title", "where", "body", "says")),
        Output("complaints", "children"),
        Input("picked", "data"),
        Input("step", "data"),
        prevent_initial_call=True,
    )
    def decide(picked: Any, step: Any):
        sent = picked if ctx.triggered_id == "picked" else step
        request = sent if isinstance(sent, dict) else {}
        view_data, index = request.get("view"), request.get("index")
        task = saved_tasks.load_task(str(view_data.get("key"))) if isinstance(view_data, dict) else None
        if view_data and task is None:
            set_props("notice", {"children": saved_tasks.TASK_EXPIRED})
        if task is None or type(index) is not int or index < 0:
            return [no_update] * 6
        if error := _error(task, index, request):
            complaints = Patch()
            complaints.append(html.P(error, role="alert"))
            return None, *[no_update] * 4, complaints
        view = View.of(view_data)
        if type(at_ms := request.get("waiting")) is int and 0 <= at_ms <= url_view.MAX_MS:
            if index >= len(task.shown):
                return [no_update] * 6
            data, *texts = waiting_view(task, index, at_ms)
            return data | {"picked": sent is picked}, *texts, no_update
        container = _container(task, index, request, view) if index < len(task.shown) else None
        if container is None:
            return [no_update] * 6
        data, *texts = decision_view(task, index, container, view)
        run = task.shown[index].outcome.run
        job = run.workload.job_names[int(run.containers.job[container])]
        return data | {"picked": sent is picked, "highlight": f"job:{job}"}, *texts, no_update


def decision_view(task: Task, index: int, container: int, view: View) -> tuple[dict, str, str, list, str]:
    """Of a decision: what the page's script needs to point at it, title, where it was taken, body, and what
    is read aloud.

    index: which of the task's schedulers; container: index into its run's containers; view: how the charts
    are looked at.
    """
    chart = task.shown[index]
    outcome, run = chart.outcome, chart.outcome.run
    count = len(run.containers.job)
    try:
        explanation = rerun_details.explain_container(chart, container)
        reason, body = explanation["because"], decision.content(explanation)
    except GantryError as error:
        reason = str(error)
        body = [html.P(reason, className="because")]
    bar = picking.bar(outcome.scene, rows_of_chart(task, chart, view), container)
    data = {"key": task.key, "index": index, "container": container, "of": count} | bar
    name, after = decision.container(run, container)
    title = msg("panels.why.decision", container=container + 1, count=count)
    scheduler, moment = display_name(run.scheduler), quantities.moment(bar["start"])
    where = msg("panels.why.under_at", name=name, scheduler=scheduler, moment=moment)
    return data, title, where, [*body, *after], f"{title}: {where}. {reason}"


def waiting_view(task: Task, index: int, at_ms: int) -> tuple[dict, str, str, list, str]:
    """As decision_view, of what waits at a time."""
    chart = task.shown[index]
    run = chart.outcome.run
    starts = run.containers.start
    says, body = waiting.content(chart, at_ms, index)
    data = {"key": task.key, "index": index, "container": -1, "of": len(starts), "row": -1}
    data |= {"start": at_ms, "end": at_ms, "next": int(np.searchsorted(starts, at_ms))}
    title = msg("panels.why.waiting", moment=quantities.moment(at_ms))
    where = msg("shared.under", scheduler=display_name(run.scheduler))
    return data, title, where, body, f"{title}, {where}. {says}"


def _error(task: Task, index: int, request: dict) -> str:
    """What is wrong with a container that is asked for by its number, as a link does; "" where nothing is, or
    a click or a step asks for a place.
    """
    if type(request.get("container")) is not int:
        return ""
    counts = [len(one.outcome.run.containers.job) for one in task.shown]
    return url_state.decision_fault(Decision(index, request["container"]), counts)


def _container(task: Task, index: int, request: dict, view: View) -> int | None:
    """Which container is asked for: a link's, a click's, a step's, or for a keyboard the first of what is
    looked at; None where there is none.
    """
    chart, outcome = task.shown[index], task.shown[index].outcome
    if type(request.get("container")) is int:
        return request["container"] if request["container"] >= 0 else None
    if isinstance(request.get("from"), (int, float)) and abs(request["from"]) < picking.MAX_DECISIONS:
        return picking.first_from(outcome.run, request["from"])
    if click := picking.Click.of(request):
        return picking.container_at(outcome.scene, rows_of_chart(task, chart, view), *click[1:])
    return None
