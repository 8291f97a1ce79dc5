"""Beside the sliders: the response curve of one of them, and what it would take to reach a goal."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html

from engine import GantryError, ScenarioError, quantities
from engine.dashboard import FOUND, GoalAnswer, Metric, Tunable, display_name
from webapp.figures.charts.parameter_sweep import sweep_figure
from webapp.jobs import prediction, studies, whatif
from webapp.jobs.job_manager import Progress
from webapp.jobs.prediction import ErrorBands
from webapp.jobs.whatif import CurveRequest, CurveResult
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.compare.chart_card import Picture, card
from webapp.panels.compare.metric_tables import chosen_metric
from webapp.panels.components import COMPARED, attributes, metric_choice
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.progress_text import count_text
from webapp.panels.replay import replay_text
from webapp.panels.sections import content_width
from webapp.panels.what_if import study_form, study_text, study_view, sweep_text
from webapp.runs import saved_tasks

INITIAL_WAIT_S = 0.4


def layout() -> html.Div:
    """Metric, goal, progress and the room for the curve."""
    goal = dmc.TextInput(
        id="whatif-goal",
        label=_goal(COMPARED[0]),
        placeholder=msg("panels.sweep_curve.no_goal"),
        size="xs",
        w=190,
        debounce=True,
        value="",
    )
    tools = [
        metric_choice("whatif-metric", msg("panels.sweep_curve.curve"), 210),
        goal,
        long_work.progress_bar("whatif-curve", msg("panels.sweep_curve.progress_curve")),
    ]
    return html.Div(
        [
            html.Div(tools, className="whatif-tools"),
            study_form.layout(),
            long_work.sentence("whatif-curve"),
            html.Div(id="whatif-card"),
            study_view.layout(),
            *long_work.stores("whatif-curve"),
            dcc.Store(id="whatif-bound"),
        ],
        id="whatif-curve",
        className="whatif-curve",
        hidden=True,
    )


def register(app: Dash) -> None:
    """Callbacks: the goal's words, begin and follow, cancel, and the picture."""
    client = lambda name: ClientsideFunction("gantry", name)
    long_work.bind(app, WORK)
    app.clientside_callback(client("whatifGoal"), Input("whatif-bound", "data"), prevent_initial_call=True)
    study_form.register(app)
    study_view.register(app)
    app.clientside_callback(
        client("whatifDrawn"), Input("whatif-card", "children"), prevent_initial_call=True
    )

    @app.callback(
        Output("whatif-goal", "label"),
        Output("whatif-goal", "error"),
        Output("whatif-bound", "data"),
        Input("whatif-goal", "value"),
        Input("whatif-metric", "value"),
        prevent_initial_call=True,
    )
    def goal(text: str | None, metric: str | None):
        metric_ = chosen_metric(metric)
        label = _goal(metric_)
        try:
            bound = whatif.parse_bound(text, metric_)
        except ScenarioError as error:
            return label, error.faults[0].message, None
        return label, None, None if bound is None else {"metric": metric_.key, "bound": bound}

    @app.callback(
        Output("whatif-card", "children"),
        Input("whatif-curve-found", "data"),
        Input("whatif-metric", "value"),
        Input("scheme", "data"),
        State("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def picture(asked: dict | None, metric: str | None, scheme: str | None, room: Any):
        try:
            curve = whatif.find_curve(CurveRequest.of(asked)) if asked else None
        except GantryError:
            curve = None
        task = saved_tasks.load_task(curve.request.key) if curve else None
        if curve is None or task is None:
            return []
        metric_ = chosen_metric(metric)
        tunable = next((item for item in whatif.tunables_of(task) if item.path == curve.request.path), None)
        if tunable is None:
            return []
        now = [(name, (item or {}).get(metric_.key)) for name, item in zip(curve.sweep.schedulers, curve.now)]
        band_note = html.P(replay_text.answers_text(task.scenario, metric_.key, now), className="help")
        replay_errors, is_random = prediction.error_bands_of(task.scenario), studies.is_random(task)
        dark, width = scheme == "dark", content_width(room)
        return [*curve_card(curve, tunable, metric_, dark, width, replay_errors, is_random), band_note]


def _goal(metric: Metric) -> str:
    unit = quantities.display_unit(metric.unit)[1]
    end = "least" if metric.better == "larger" else "most"
    return msg("panels.sweep_curve.goal_at", value=end, ending=f" ({unit})" if unit else "")


def curve_card(
    curve: CurveResult,
    tunable: Tunable,
    metric: Metric,
    dark: bool,
    width: int,
    replay_errors: ErrorBands | None = None,
    is_random: bool = False,
) -> list:
    """The card of a curve, and the answers to its goal over it. replay_errors: how far off it is, where its
    scenario was fitted to a cluster; is_random: another seed gives another curve, so that none of its points
    is known to be the best."""
    names, values = curve.sweep.schedulers, curve.sweep.values
    columns = [
        [point.get(metric.key) if point else None for point in points] for points in curve.sweep.points
    ]
    groups = sweep_text.identical_groups(curve, columns, metric)
    goal = curve.request.goal
    if goal and goal.metric != metric.key:
        goal = None
    band = replay_errors.around(metric.key, 1.0) if replay_errors else None
    figure = sweep_figure(
        [" = ".join(display_name(names[index]) for index in group) for group in groups],
        values,
        [columns[group[0]] for group in groups],
        [group[0] for group in groups],
        title=quantities.title_with_unit(metric.title, quantities.display_unit(metric.unit)[1]),
        tunable=quantities.title_with_unit(tunable.title, tunable.unit),
        unit=metric.unit,
        present=curve.request.present,
        goal=goal.bound if goal else None,
        answers=[_goal_point(curve.answers[group[0]]) for group in groups] if goal else [],
        band=band,
        stars=[]
        if is_random
        else [sweep_text.best_index(curve, group[0], columns[group[0]], metric) for group in groups],
        dark=dark,
        width=width,
    )
    is_one_seed = is_random and metric.better
    picture = Picture(
        "whatif-sweep",
        f"{metric.title} by {tunable.title}",
        _reading(has_star=not is_random, has_band=band is not None),
        study_text.ONE_SEED if is_one_seed else sweep_text.story(tunable, curve, columns, metric),
        figure,
        sweep_text.table(tunable, values, names, columns, metric),
    )
    return [_goal_answers(curve, tunable, metric) if goal else None, card(picture)]


def _goal_point(found: GoalAnswer) -> tuple[float, float] | None:
    """The parameter's and the metric's value at which the goal is reached, None else."""
    if found.state != FOUND or found.value is None or found.metric_value is None:
        return None
    return found.value, found.metric_value


def _reading(has_star: bool, has_band: bool) -> str:
    """How to read the figure."""
    star = msg("panels.sweep_curve.star_at_its_best") if has_star else ""
    text = msg("panels.sweep_curve.one_line_per_scheduler_blue_line", star=star)
    return text + (msg("panels.sweep_curve.shaded_where_would_be_on_cluster") if has_band else "")


def _goal_answers(curve: CurveResult, tunable: Tunable, metric: Metric) -> html.Div | None:
    answers = [html.Li(text) for text in sweep_text.answers(curve, tunable, metric)]
    if not answers:
        return None
    label = attributes({"aria-label": msg("panels.sweep_curve.values_reach_goal")})
    tried = html.P(sweep_text.tried_text(curve, tunable), className="help")
    return html.Div([html.Ul(answers, className="whatif-answers", **label), tried])


def begin(sent: dict) -> Begun:
    """A curve that the page asks for."""
    request = CurveRequest.of(sent)
    return Begun(*whatif.begin_curve(saved_tasks.require_task(request.key), request, INITIAL_WAIT_S), sent)


def answer(asked: Any, progress: Progress, _sent: dict) -> dict[str, Any]:
    """The curve once it is there whole, with how it was sampled."""
    if progress.state != "finished":
        return {}
    request = CurveRequest.of(asked)
    says = sweep_text.sampling_note(saved_tasks.require_task(request.key), request)
    return {"found": asked, "says": says}


WORK = LongWork("whatif-curve", begin, count_text, answer)
