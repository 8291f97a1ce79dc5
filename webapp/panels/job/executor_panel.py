"""A Spark application over the number of its executors: its own time with the interval, and under it what the
others feel, over the same numbers. The button, its place in the address and clicks on the curve are in
assets/scripts/what_if/executors.ts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dash_mantine_components as dmc
import numpy as np
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import GantryError, quantities
from engine.dashboard import (
    MEASURED,
    OTHERS_TIME,
    OWN_TIME,
    STUDY_MEASURES,
    ExecutorCurve,
    display_name,
    executor_headline,
    gap_texts,
    has_record,
    interval_basis,
    measure_run,
    others_text,
    path_text,
    present_text,
)
from webapp.figures.charts.parameter_sweep import PLOT_PX, sweep_figure
from webapp.jobs import executor_curves
from webapp.jobs.executor_curves import ExecutorsRequest
from webapp.jobs.job_manager import Progress
from webapp.jobs.questions import questionable_schedulers
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.compare.chart_card import Picture, card
from webapp.panels.components import attributes, button
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.progress_text import said_text
from webapp.panels.sections import content_width
from webapp.runs import saved_tasks
from webapp.runs.run_cache import ResultExpired
from webapp.runs.task import ShownRun, Task

INITIAL_WAIT_S = 0.5
NOT_KEPT = msg("panels.executor_panel.lost")
CARD_PX = 440  # of a card; where there is room for two they stand side by side (job.css)
OWN, OTHERS = "executors-own", "executors-others"


def layout() -> html.Section:
    """Empty until it is asked for."""
    number = dmc.Select(
        id="executors-number",
        label="Executors",
        data=[],
        size="xs",
        w=120,
        allowDeselect=False,
        comboboxProps={"withinPortal": True},
    )
    choice = [number, button(msg("panels.executor_panel.open"), id="executors-take", className="job-button")]
    label = attributes({"aria-label": msg("panels.executor_panel.section")})
    return html.Section(
        [
            *long_work.layout("executors", msg("panels.executor_panel.progress")),
            html.Div(id="executors-curve"),
            html.Div(choice, id="executors-choice", className="executors-choice", hidden=True),
            dcc.Store(id="executors-point"),
            dcc.Store(id="executors-opened"),
        ],
        id="executors",
        className="executors",
        **label,
    )


def register(app: Dash) -> None:
    """Callbacks: begin and follow, the curve, and a number of executors for the charts."""
    long_work.bind(app, WORK)
    for name, part, prop in (
        ("executorsDrawn", "curve", "children"),
        ("questionsOpened", "opened", "data"),
    ):
        client = ClientsideFunction("gantry", name)
        app.clientside_callback(client, Input(f"executors-{part}", prop), prevent_initial_call=True)
    app.clientside_callback(
        ClientsideFunction("gantry", "executorsAsked"),
        Input("job-executors", "n_clicks"),
        State("job-scheduler", "value"),
        prevent_initial_call=True,
    )

    @app.callback(
        Output("executors-curve", "children"),
        Output("executors-choice", "hidden"),
        Output("executors-number", "data"),
        Output("executors-number", "value"),
        Input("executors-found", "data"),
        Input("scheme", "data"),
        State("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def picture(asked: Any, scheme: str | None, room: Any):
        request, curve = _found(asked)
        if request is None or curve is None:
            return [], True, [], None
        numbers = [str(number) for number in curve.numbers]
        knee = curve.knee(0)
        drawn = content(request, curve, charts_text(request, curve), scheme == "dark", content_width(room))
        return drawn, False, numbers, numbers[knee or 0]

    @app.callback(
        Output("executors-opened", "data"),
        Output("executors-says", "children", allow_duplicate=True),
        Input("executors-take", "n_clicks"),
        Input("executors-point", "data"),
        State("executors-number", "value"),
        State("executors-found", "data"),
        prevent_initial_call=True,
    )
    def take(clicks: int | None, point: Any, number: str | None, asked: Any):
        chosen = point if ctx.triggered_id == "executors-point" else number
        request, curve = _found(asked)
        task = request and saved_tasks.load_task(request.key)
        if request is None or curve is None or not task:
            return no_update, NOT_KEPT
        opened = for_charts(task, request, curve, chosen)
        return (opened, "") if opened else (no_update, no_update)


def application_of(shown: ShownRun, name: str) -> int | None:
    """The place in the scenario's file of a job that a run has, if it is a Spark application."""
    work = shown.outcome.run.workload
    if name not in work.job_names:
        return None
    index = int(work.job_group[work.job_names.index(name)])
    return index if shown.task.scenario.jobs[index].executors else None


def charts_text(request: ExecutorsRequest, curve: ExecutorCurve) -> str:
    """How long the application takes in the charts, and why the curve says another time of the present
    number; "" where they show none, or the curve says the same.
    """
    task = saved_tasks.load_task(request.key)
    if task is None or curve.present not in curve.numbers or request.scheduler not in task.names:
        return ""
    try:
        run = task.outcome(request.scheduler).run
    except ResultExpired:
        return ""
    (seconds,) = measure_run(run, (OWN_TIME,), request.application)
    mean = curve.interval(OWN_TIME).mean[curve.numbers.index(curve.present), 0]
    shown = quantities.amount(seconds, "s")
    if np.isnan(seconds) or shown == quantities.amount(float(mean), "s"):
        return ""
    if has_record(task.scenario):
        return msg("panels.executor_panel.charts_not_fitted", time=shown)
    if curve.result.study.jitter:
        return msg("panels.executor_panel.charts_do_not_vary", time=shown)
    return msg("panels.executor_panel.charts_of_one_seed", time=shown)


def content(request: ExecutorsRequest, curve: ExecutorCurve, charts: str, dark: bool, width: int) -> list:
    """The headline, the application's curve and the others'. charts: what `charts_text` says."""
    title = msg(
        "panels.executor_panel.title",
        application=curve.application,
        scheduler=display_name(request.scheduler),
    )
    own = " ".join(filter(None, [present_text(curve, 0), charts, path_text(curve, 0)]))
    px = width // 2 if width >= 2 * CARD_PX else width
    others = " ".join([others_text(curve, 0), *gap_texts(curve, 0)])
    return [
        html.H3(title),
        html.P(executor_headline(curve, 0), className="executors-headline"),
        html.Div(
            [
                card(_picture(OWN, curve, OWN_TIME, own, dark, px)),
                card(_picture(OTHERS, curve, OTHERS_TIME, others, dark, px)),
            ],
            className="executors-pair",
        ),
        html.P(interval_basis(curve), className="help"),
    ]


def _picture(key: str, curve: ExecutorCurve, metric: str, story: str, dark: bool, width: int) -> Picture:
    measure, is_own = STUDY_MEASURES[metric], metric == OWN_TIME
    interval, knee = curve.interval(metric), curve.knee(0)
    mean, half = interval.mean[:, 0], (interval.high - interval.mean)[:, 0]
    axis = msg("panels.executor_panel.most") if curve.is_dynamic else "Executors"
    band = curve.bands.get(metric)
    figure = sweep_figure(
        [curve.application if is_own else msg("panels.executor_panel.other_jobs")],
        curve.numbers,
        [_column(mean)],
        [0 if is_own else 1],
        title=quantities.title_with_unit(msg("panels.executor_panel.turnaround"), "s"),
        tunable=axis,
        unit=measure.unit,
        present=curve.present,
        goal=curve.critical_path_s(0) if is_own else None,
        # where the curve, which falls, leaves room
        goal_label=(msg("panels.executor_panel.critical_path"), "start"),
        band=band,
        halves=[] if band else [_column(half)],
        stars=[knee] if is_own else [],
        min_px=PLOT_PX,  # the page of a job is scrolled anyway
        dark=dark,
        width=width,
    )
    if is_own:
        title, reading = msg("panels.executor_panel.own"), msg("panels.executor_panel.reading_own")
    else:
        title, reading = msg("panels.executor_panel.others"), msg("panels.executor_panel.reading_others")
    return Picture(key, title, reading, story, figure, _rows(curve, metric))


def _column(numbers: np.ndarray) -> list[float | None]:
    return [None if np.isnan(number) else float(number) for number in numbers]


def _rows(curve: ExecutorCurve, metric: str) -> Sequence[dict[str, Any]]:
    """A row a number of executors, in seconds."""
    interval = curve.interval(metric)
    heads = ("Turnaround (s)", "Lowest (s)", "Highest (s)")
    return [
        {"Executors": number}
        | {
            head: None if np.isnan(value) else round(float(value), 3)
            for head, value in zip(heads, (one[place, 0] for one in interval))
        }
        for place, number in enumerate(curve.numbers)
    ]


def for_charts(
    task: Task, request: ExecutorsRequest, curve: ExecutorCurve, number: Any
) -> dict[str, Any] | None:
    """The scenario with so many executors as a draft, and what the curve is of, pinned beside it; None for a
    number that the curve has not, or with which the scenario makes no sense.
    """
    numbers = [str(one) for one in curve.numbers]
    if str(number) not in numbers:
        return None
    try:
        plain = curve.result.study.at(numbers.index(str(number))).plain
    except GantryError:
        return None
    before = [MEASURED.name] if has_record(task.scenario) else [request.scheduler]
    name = task.scenario.name or "Before"
    return {
        "draft": {"scenario": plain, "schedulers": [request.scheduler]},
        "pinned": {"scenario": task.scenario.plain(), "schedulers": before, "name": name},
    }


def _found(asked: Any) -> tuple[ExecutorsRequest | None, ExecutorCurve | None]:
    """What a page says it shows, and its curve; None for anything else."""
    request = ExecutorsRequest.find(asked)
    return request, executor_curves.find_curve(request) if request else None


def begin(sent: dict) -> Begun:
    """A curve that the page asks for: {key, job, scheduler}, the last a place among the runs shown."""
    key, name, place = sent.get("key"), sent.get("job"), sent.get("scheduler")
    task = saved_tasks.load_task(key) if isinstance(key, str) else None
    if task is None:
        raise GantryError(saved_tasks.TASK_EXPIRED)
    shown = task.shown[place] if isinstance(place, int) and 0 <= place < len(task.shown) else task.shown[0]
    application = application_of(shown, str(name))
    if application is None:
        raise GantryError(msg("panels.executor_panel.no_spark", name=str(name)[:80]))
    scheduler = shown.name if shown.is_scheduled else questionable_schedulers(shown.task)[0]
    request = ExecutorsRequest(shown.task.key, application, scheduler)
    return Begun(*executor_curves.begin_curve(shown.task, request, INITIAL_WAIT_S), request.plain())


def answer(asked: Any, progress: Progress, _sent: dict) -> dict[str, Any]:
    """What was asked, once its curve is there."""
    return {"found": asked} if progress.state == "finished" and _found(asked)[1] else {}


WORK = LongWork("executors", begin, said_text, answer, not_kept=NOT_KEPT)
