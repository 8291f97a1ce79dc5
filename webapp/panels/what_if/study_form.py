"""Studies: what is asked for, how large that is, and how far it has come. The form's values and what they are
of live in assets/scripts/what_if.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, dcc, html

from engine import GantryError, Study, quantities
from webapp.http.fault_text import error_text
from webapp.jobs import studies
from webapp.jobs.job_manager import Progress
from webapp.jobs.studies import StudyRequest
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.components import attributes, button
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.progress_text import count_text
from webapp.panels.sections import task_of_tab
from webapp.panels.what_if import study_text
from webapp.runs import saved_tasks
from webapp.runs.task import Task

INITIAL_WAIT_S = 0.6
JITTER = {"aria-label": msg("panels.study_form.jitter_coefficient_variation_durations_given")}


def layout() -> html.Div:
    """The choices in one line, their price under it, and how far it is."""
    seeds = dmc.SegmentedControl(
        id="study-seeds",
        data=[str(one) for one in studies.SEEDS],
        value=str(studies.SEEDS[1]),
        size="xs",
        **{"aria-label": "Seeds"},
    )
    by = {"": "none"}
    values = {str(one): msg("panels.study_form.at_most", one=one) for one in studies.VALUES}
    jitters = {f"{one:g}": quantities.percent(one) for one in studies.JITTERS}
    choices = [
        html.Div([html.Span("Seeds", className="study-label"), seeds], className="study-field"),
        _select("by", msg("panels.study_form.and_by"), by, value="", w=230),
        _select("values", "Values", values, value=str(studies.VALUES[2]), w=150),
        _select("jitter", "Jitter", jitters, value="0", w=190, **JITTER),
        button(msg("panels.study_form.run_study"), id="study-run", className="study-run"),
    ]
    label = attributes({"aria-label": msg("panels.study_form.study_many_runs_curve")})
    bar = long_work.layout("study", msg("panels.study_form.progress_study"))
    return html.Div(
        [
            html.Div(choices, className="study-form", role="group", **label),
            html.P(id="study-price", className="help study-price"),
            html.Div(bar, id="study-bar", className="study-bar"),
            html.P(id="study-stale", className="help study-stale"),
            *(dcc.Store(id=f"study-{name}") for name in ("wish", "point", "room")),
        ],
        id="study-form",
    )


def _select(name: str, label: str, titles: dict[str, str], **more: Any) -> dmc.Select:
    data = [{"value": value, "label": title} for value, title in titles.items()]
    return dmc.Select(id=f"study-{name}", label=label, data=data, size="xs", allowDeselect=False, **more)


def register(app: Dash) -> None:
    """Callbacks: begin and follow, and the form's choices and their price."""
    long_work.bind(app, WORK)
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


def price_or_reason(wish: Any) -> tuple[str, bool]:
    """How large what is chosen would be, with what would make more of it, or why it can't be run; and whether
    that is so.
    """
    try:
        ask = StudyRequest.of(wish)
        study = studies.checked_study(ask, saved_tasks.require_task(ask.key))
    except GantryError as error:
        return reason(error, wish), True
    hint = "" if study.is_random or study.seeds == 1 else f" {study_text.DRAWS_NOTHING}"
    return study_text.size_text(study, studies.estimate_study_seconds(study)) + hint, False


def reason(error: GantryError, sent: Any) -> str:
    """What is wrong, in the words of the task that is asked about. sent: {key} from the page, untrusted."""
    task = task_of_tab(sent.get("key")) if isinstance(sent, dict) else None
    return error_text(error, task and task.scenario.plain())


def begin(sent: dict) -> Begun:
    """A study that the page asks for."""
    try:
        ask = StudyRequest.of(sent)
        task = saved_tasks.require_task(ask.key)
        return Begun(*studies.begin_study(task, ask, INITIAL_WAIT_S), ask.plain())
    except GantryError as error:
        raise GantryError(reason(error, sent)) from None


def answer(asked: Any, progress: Progress, _sent: dict) -> dict[str, Any]:
    """What was asked, with how many of its runs are done: there is something to show of it."""
    found = {"asked": asked, "done": progress.done}
    if progress.state != "finished":
        return {"found": found} if progress.done else {}
    request = requested_study(asked)
    return {"found": found if request and studies.find_result(request[2]) else None}


def requested_study(sent: Any) -> tuple[StudyRequest, Task, Study] | None:
    """(ask, task, study) of what a page says it shows; None for anything else."""
    try:
        ask = StudyRequest.of(sent)
        task = saved_tasks.load_task(ask.key)
        return (ask, task, studies.build_study(ask, task)) if task else None
    except GantryError:
        return None


WORK = LongWork(
    "study",
    begin,
    count_text,
    answer,
    not_kept=studies.NOT_STORED,
    cancelled=msg("panels.study_form.cancelled_charts_show_runs_so_far"),
)
