"""Beside the sliders: the response curve of one of them, and what it would take to reach a goal."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import FOUND, GantryError, Metric, ScenarioError, Tunable
from webapp import theme
from webapp.figures.charts.parameter_sweep import sweep_figure
from webapp.panels.compare.chart_card import Picture, card
from webapp.panels.components import COMPARED, metric_choice, under_way
from webapp.panels.progress_text import count_text
from webapp.panels.replay import replay_text
from webapp.panels.what_if import study_form, study_text, study_view, sweep_text
from webapp.services import prediction, runs, studies, whatif
from webapp.services.prediction import Known
from webapp.services.tasks import Progress, named, works
from webapp.services.whatif import Ask, Found

PATIENCE_S = 0.4


def layout() -> html.Div:
    """Metric, goal, progress and the room for the curve."""
    return html.Div(
        [
            html.Div(
                [
                    metric_choice("whatif-metric", "Curve of", 210),
                    dmc.TextInput(id="whatif-goal", label=_goal(COMPARED[0]), placeholder="no goal", size="xs", w=190, debounce=True, value=""),
                    under_way("whatif", "Progress of the curve"),
                ],
                className="whatif-tools",
            ),
            study_form.layout(),
            html.P(id="whatif-curve-says", role="status", className="help"),
            html.Div(id="whatif-card"),
            study_view.layout(),
            *(dcc.Store(id=f"whatif-{name}") for name in ("ask", "work", "poke", "found", "bound")),
        ],
        id="whatif-curve",
        className="whatif-curve",
        hidden=True,
    )


def register(app: Dash) -> None:
    """Callbacks: the goal's words, begin and follow, cancel, and the picture."""
    client = lambda name: ClientsideFunction("gantry", name)
    app.clientside_callback(client("poke"), Input("whatif-work", "data"), State("whatif-poke", "id"), prevent_initial_call=True)
    app.clientside_callback(client("whatifGoal"), Input("whatif-bound", "data"), prevent_initial_call=True)
    study_form.register(app)
    study_view.register(app)
    app.clientside_callback(client("whatifDrawn"), Input("whatif-card", "children"), prevent_initial_call=True)

    @app.callback(
        Output("whatif-goal", "label"),
        Output("whatif-goal", "error"),
        Output("whatif-bound", "data"),
        Input("whatif-goal", "value"),
        Input("whatif-metric", "value"),
        prevent_initial_call=True,
    )
    def goal(text: str | None, metric: str | None):
        measured = _measured(metric)
        label = _goal(measured)
        try:
            bound = whatif.bound(text, measured)
        except ScenarioError as error:
            return label, error.faults[0].message, None
        return label, None, None if bound is None else {"metric": measured.key, "bound": bound}

    @app.callback(
        Output("whatif-found", "data"),
        Output("whatif-curve-says", "children"),
        Output("whatif-work", "data"),
        Output("whatif-under-way", "hidden"),
        Output("whatif-progress", "value"),
        Input("whatif-ask", "data"),
        Input("whatif-poke", "data"),
        State("whatif-work", "data"),
        prevent_initial_call=True,
    )
    def follow(asked: dict | None, _poke: int | None, work: dict | None):
        work = named(work)
        if ctx.triggered_id == "whatif-ask":
            if work:
                works.cancel(work["id"])
            if not asked:
                return None, None, None, True, 0
            return _begin(asked)
        return _followed(work, works.progress(work["id"])) if work else [no_update] * 5

    @app.callback(
        Output("whatif-curve-says", "children", allow_duplicate=True),
        Input("whatif-cancel", "n_clicks"),
        State("whatif-work", "data"),
        prevent_initial_call=True,
    )
    def cancel(_clicks: int | None, work: dict | None):
        if named(work):
            works.cancel(work["id"])
        return "Cancelling…"

    @app.callback(
        Output("whatif-card", "children"),
        Input("whatif-found", "data"),
        Input("whatif-metric", "value"),
        Input("scheme", "data"),
        State("result", "data"),
        prevent_initial_call=True,
    )
    def picture(asked: dict | None, metric: str | None, scheme: str | None, result: dict | None):
        try:
            found = whatif.curve(Ask.of(asked)) if asked else None
        except GantryError:
            found = None
        task = runs.known(found.ask.key) if found else None
        if task is None:
            return []
        measured = _measured(metric)
        tunable = next((one for one in whatif.tunables_of(task) if one.path == found.ask.path), None)
        if tunable is None:
            return []
        now = [(name, (one or {}).get(measured.key)) for name, one in zip(found.sweep.schedulers, found.now)]
        off = html.P(replay_text.answers_text(task.scenario, measured.key, now), className="help")
        known, luck = prediction.known(task.scenario), studies.is_random(task)
        return [*drawn(found, tunable, measured, scheme == "dark", (result or {}).get("room", 700), known, luck), off]


def _goal(metric: Metric) -> str:
    unit = theme.column(metric.unit)[1]
    return f"Goal: at {'least' if metric.better == 'larger' else 'most'}{f' ({unit})' if unit else ''}"


def _measured(key: str | None) -> Metric:
    return next((one for one in COMPARED if one.key == key), COMPARED[0])


def drawn(found: Found, tunable: Tunable, metric: Metric, dark: bool, width: int, known: Known | None = None, luck: bool = False) -> list:
    """The card of a curve, and the answers to its goal over it. known: how far off it is, where its scenario was fitted to a cluster; luck: another seed
    gives another curve, so that none of its points is known to be the best."""
    names, values = found.sweep.schedulers, found.sweep.values
    columns = [[point and point.get(metric.key) for point in points] for points in found.sweep.points]
    alike = sweep_text.alike(found, columns, metric)
    goal = found.ask.goal if found.ask.goal and found.ask.goal.metric == metric.key else None
    band = known.around(metric.key, 1.0) if known else None
    figure = sweep_figure(
        [" = ".join(names[place] for place in places) for places in alike],
        values,
        [columns[places[0]] for places in alike],
        [places[0] for places in alike],
        title=theme.titled(metric.title, theme.column(metric.unit)[1]),
        tunable=theme.titled(tunable.title, tunable.unit),
        unit=metric.unit,
        better=metric.better,
        present=found.ask.present,
        goal=goal.bound if goal else None,
        answers=[(one.value, one.there) if one.state == FOUND else None for one in (found.answers[places[0]] for places in alike)] if goal else [],
        band=band,
        stars=[None] * len(alike) if luck else None,
        dark=dark,
        width=width,
    )
    table = sweep_text.table(tunable, values, names, columns, metric)
    star = "" if luck else ", a star at its best"
    reading = f"One line per scheduler{star}; the blue line is the current value. Click a point to set the slider to it."
    reading += " Shaded: where it would be on the cluster, by the error of the replay." if band else ""
    picture = Picture(
        "whatif-sweep",
        f"{metric.title} by {tunable.title}",
        reading,
        study_text.ONE_SEED if luck and metric.better else sweep_text.story(tunable, found, columns, metric),
        figure,
        table,
    )
    answers = [html.Li(text) for text in sweep_text.answers(found, tunable, metric)] if goal else []
    over = [
        html.Ul(answers, className="whatif-answers", **{"aria-label": "Values that reach the goal"}),
        html.P(sweep_text.tried_text(found, tunable), className="help"),
    ]
    return [html.Div(over) if answers else None, card(picture)]


def _begin(asked: dict) -> tuple:
    try:
        ask = Ask.of(asked)
        task = runs.known(ask.key)
        if task is None:
            return None, runs.FORGOTTEN, None, True, 0
        name, progress = whatif.begin_curve(task, ask, PATIENCE_S)
    except GantryError as error:
        return None, str(error), None, True, 0
    return _followed({"id": name, "asked": asked, "says": sweep_text.sampled(task, ask)}, progress)


def _followed(work: dict, progress: Progress) -> tuple:
    if progress.under_way:
        return no_update, count_text(progress), work, False, 100 * progress.done / max(progress.of, 1)
    if progress.state == "finished":
        return work.get("asked"), work.get("says"), None, True, 0
    return no_update, "Cancelled." if progress.state == "cancelled" else progress.because, None, True, 0
