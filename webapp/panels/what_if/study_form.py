"""Studies: what is asked for, how large that is, and how far it has come. The form's values and what they are
of live in assets/whatif_study.js.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, dcc, get_relative_path, html
from flask import Response, jsonify

from engine import GantryError, Study, quantities
from webapp.http import json_bodies
from webapp.http.fault_text import error_text
from webapp.jobs import studies
from webapp.jobs.job_manager import TASK_EXPIRED, Progress, job_manager, task_reference
from webapp.jobs.studies import StudyRequest
from webapp.messages import msg
from webapp.panels.components import attributes
from webapp.panels.progress_text import count_text
from webapp.panels.what_if import study_text
from webapp.runs import saved_tasks
from webapp.runs.task import Task

ADDRESS = "study"
INITIAL_WAIT_S = 0.6
REDRAW_S = 1.0  # between two drawings of what there is so far
LOCAL_POLL_S = 0.25  # that an answer waits for what this process does, which is soon done
CANCELLED = msg("panels.study_form.cancelled_charts_show_runs_so_far")
JITTER = {"aria-label": msg("panels.study_form.jitter_coefficient_variation_durations_given")}
SELECT_STYLE = {"size": "xs", "allowDeselect": False}


def layout() -> html.Div:
    """The choices in one line, their price under it, and how far it is."""
    seeds = dmc.SegmentedControl(
        id="study-seeds",
        data=[str(one) for one in studies.SEEDS],
        value=str(studies.SEEDS[1]),
        size="xs",
        **{"aria-label": "Seeds"},
    )
    jitter = [{"value": f"{one:g}", "label": quantities.percent(one)} for one in studies.JITTERS]
    values = [
        {"value": str(one), "label": msg("panels.study_form.at_most", one=one)} for one in studies.VALUES
    ]
    choices = [
        html.Div([html.Span("Seeds", className="study-label"), seeds], className="study-field"),
        dmc.Select(
            id="study-by",
            label=msg("panels.study_form.and_by"),
            data=[{"value": "", "label": "none"}],
            value="",
            w=230,
            **SELECT_STYLE,
        ),
        dmc.Select(
            id="study-values",
            label="Values",
            data=values,
            value=str(studies.VALUES[2]),
            w=150,
            **SELECT_STYLE,
        ),
        dmc.Select(
            id="study-jitter", label="Jitter", data=jitter, value="0", w=190, **SELECT_STYLE, **JITTER
        ),
        html.Button(msg("panels.study_form.run_study"), id="study-run", type="button", className="study-run"),
    ]
    cancel = html.Button("Cancel", id="study-cancel", type="button")
    under_way = html.Div(
        [
            html.Progress(
                id="study-progress",
                max="100",
                value="0",
                **attributes({"aria-label": msg("panels.study_form.progress_study")}),
            ),
            cancel,
        ],
        id="study-under-way",
        className="under-way",
        hidden=True,
    )
    return html.Div(
        [
            html.Div(
                choices,
                className="study-form",
                role="group",
                **attributes({"aria-label": msg("panels.study_form.study_many_runs_curve")}),
            ),
            html.P(id="study-price", className="help study-price"),
            html.Div(
                [html.P(id="study-says", role="status", className="help"), under_way],
                id="study-bar",
                className="study-bar",
            ),
            html.P(id="study-stale", className="help study-stale"),
            *(dcc.Store(id=f"study-{name}") for name in ("wish", "found", "point", "room")),
        ],
        id="study-form",
        **attributes({"data-at": get_relative_path(f"/{ADDRESS}/")}),
    )


def register(app: Dash) -> None:
    """Callbacks: the form's choices and their price; and the addresses by which a study is begun, followed
    and ended, plain ones: a callback that is asked each second makes the renderer walk the whole page each
    time."""
    choices = [Input(f"study-{name}", "value") for name in ("seeds", "by", "values", "jitter")]
    chosen = ClientsideFunction("gantry", "studyChosen")
    app.clientside_callback(chosen, *choices, Input("whatif-metric", "value"), prevent_initial_call=True)

    @app.callback(
        Output("study-price", "children"),
        Output("study-run", "disabled"),
        Input("study-wish", "data"),
        prevent_initial_call=True,
    )
    def price(wish: dict | None):
        return price_or_reason(wish) if wish else ("", True)

    @app.server.post(f"{app.config.routes_pathname_prefix}{ADDRESS}/<act>")
    def study(act: str) -> Response | tuple[str, int]:
        try:
            sent = json_bodies.request_json()
        except GantryError as error:
            return jsonify({"says": msg("shared.not_run", error=error)})
        acts = {"begin": start_study, "follow": follow_study, "cancel": cancel_study}
        if act not in acts or not isinstance(sent, dict):
            return msg("shared.expected_json_object"), 400
        return jsonify(acts[act](sent))


def price_or_reason(wish: Any) -> tuple[str, bool]:
    """How large what is chosen would be, with what would make more of it, or why it can't be run; and whether
    that is so.
    """
    task = None
    try:
        ask = StudyRequest.of(wish)
        task = saved_tasks.load_task(ask.key)
        if task is None:
            return saved_tasks.TASK_EXPIRED, True
        study = studies.checked_study(ask, task)
    except GantryError as error:
        return error_text(error, task and task.scenario.plain()), True
    hint = "" if study.is_random or study.seeds == 1 else f" {study_text.DRAWS_NOTHING}"
    return study_text.size_text(study, studies.estimate_study_seconds(study)) + hint, False


def start_study(request: dict) -> dict[str, Any]:
    """A study that the page asks for, or why it can't be run."""
    task = None
    try:
        ask = StudyRequest.of(request)
        task = saved_tasks.load_task(ask.key)
        if task is None:
            return {"says": saved_tasks.TASK_EXPIRED}
        name, progress = studies.begin_study(task, ask, INITIAL_WAIT_S)
    except GantryError as error:
        return {"says": error_text(error, task and task.scenario.plain())}
    return _status({"id": name, "asked": ask.plain()}, progress)


def follow_study(sent: dict) -> dict[str, Any]:
    """How far a piece of work is, {work: {id, asked}}."""
    work = task_reference(sent.get("work"))
    return _status(work, job_manager.progress(work["id"], LOCAL_POLL_S)) if work else {"says": TASK_EXPIRED}


def cancel_study(sent: dict) -> dict[str, Any]:
    """Ends it: {work: {id}}."""
    if work := task_reference(sent.get("work")):
        job_manager.cancel(work["id"])
    return {}


def _status(work: dict, progress: Progress) -> dict[str, Any]:
    """What the page says: {work, says, percent, wait} while it goes on, wait in ms; says at its end. done: of
    its runs, for what there is so far.
    """
    if progress.is_active:
        wait = 0 if progress.is_local else round(1000 * REDRAW_S)
        return {
            "work": work,
            "says": count_text(progress),
            "percent": 100 * progress.done / max(progress.total, 1),
            "wait": wait,
            "done": progress.done,
        }
    if progress.state == "finished":
        return {"done": progress.total, "says": "" if _has_result(work.get("asked")) else studies.NOT_STORED}
    return {
        "done": progress.done,
        "says": CANCELLED if progress.state == "cancelled" and not progress.because else progress.because,
    }


def _has_result(sent: Any) -> bool:
    request = requested_study(sent)
    return request is not None and studies.find_result(request[2]) is not None


def requested_study(sent: Any) -> tuple[StudyRequest, Task, Study] | None:
    """(ask, task, study) of what a page says it shows; None for anything else."""
    try:
        ask = StudyRequest.of(sent)
        task = saved_tasks.load_task(ask.key)
        return (ask, task, studies.build_study(ask, task)) if task else None
    except GantryError:
        return None
