"""Under the sliders: the response curve of one of them, and what it would take to reach a goal."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import FOUND, GantryError, Knob, Metric, knobs
from webapp import runs, theme, whatif
from webapp.figures.response import response_figure
from webapp.panels import whatif_words as say
from webapp.panels.parts import COMPARED, metric_choice, under_way
from webapp.panels.picture import Picture, card
from webapp.whatif import Ask, Found
from webapp.work import Progress, works

PATIENCE_S = 0.4


def layout() -> html.Details:
    """Metric, goal, progress and the room for the curve; it can be folded away to see more of the charts."""
    return html.Details(
        [
            html.Summary("Curve and goal"),
            html.Div(
                [
                    metric_choice("whatif-metric", "Curve of", 210),
                    dmc.TextInput(id="whatif-goal", label="What would it take for", placeholder="no goal", size="xs", w=190, debounce=True, value=""),
                    under_way("whatif", "Progress of the curve"),
                ],
                className="whatif-tools",
            ),
            html.P(id="whatif-curve-says", role="status", className="help"),
            html.Div(id="whatif-card"),
            *(dcc.Store(id=f"whatif-{name}") for name in ("ask", "work", "poke", "found")),
        ],
        id="whatif-curve",
        className="whatif-curve",
        open=True,
        hidden=True,
    )


def register(app: Dash) -> None:
    """Callbacks: the goal's words, begin and follow, cancel, and the picture."""
    client = lambda name: ClientsideFunction("whatif", name)
    app.clientside_callback(client("poke"), Output("whatif-under-way", "className"), Input("whatif-work", "data"), prevent_initial_call=True)
    app.clientside_callback(
        client("goal"), Output("whatif-goal", "label"), Output("whatif-goal", "error"), Input("whatif-goal", "value"), Input("whatif-metric", "value")
    )

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
        if work:
            works.cancel(work["id"])
        return "Cancelling; the run under way is finished first."

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
        measured = next((one for one in COMPARED if one.key == metric), COMPARED[0])
        knob = next((one for one in knobs(task.scenario, task.schedulers) if one.path == found.ask.path), None)
        return drawn(found, knob, measured, scheme == "dark", (result or {}).get("room", 700)) if knob else []


def drawn(found: Found, knob: Knob, metric: Metric, dark: bool, width: int) -> list:
    """The card of a curve, and the answers to its goal over it."""
    names, values = found.response.schedulers, found.response.values
    columns = [[point and point.get(metric.key) for point in points] for points in found.response.points]
    goal = found.ask.goal if found.ask.goal and found.ask.goal.metric == metric.key else None
    figure = response_figure(
        names,
        values,
        columns,
        title=theme.titled(metric.title, theme.column(metric.unit)[1]),
        knob=theme.titled(knob.title, knob.unit),
        unit=metric.unit,
        better=metric.better,
        present=found.ask.present,
        goal=goal.bound if goal else None,
        answers=[(one.value, one.there) if one.state == FOUND else None for one in found.answers] if goal else [],
        dark=dark,
        width=width,
    )
    table = say.table(knob, values, names, columns, metric)
    picture = Picture(
        "whatif-response",
        f"How does {metric.title[:1].lower() + metric.title[1:]} answer to {knob.title}?",
        "A line a scheduler; a star is its best value, the upright line the present one. Click a point to set the slider to it.",
        say.story(knob, found, names, columns, metric),
        figure,
        table,
    )
    answers = [html.Li(say.answer(name, one, found, knob, metric)) for name, one in zip(names, found.answers)] if goal else []
    over = [html.Ul(answers, className="whatif-answers", **{"aria-label": "What it would take"}), html.P(say.looked(found, knob), className="help")]
    return [html.Div(over) if answers else None, card(picture)]


def _begin(asked: dict) -> tuple:
    try:
        ask = Ask.of(asked)
        task = runs.known(ask.key)
        if task is None:
            return None, "The server has forgotten what is moved; press Run again.", None, True, 0
        count = whatif.steps(task, ask)
    except GantryError as error:
        return None, str(error), None, True, 0
    name, progress = works.start(lambda talk: whatif.do_curve(task, ask, talk), count, PATIENCE_S)
    return _followed({"id": name, "asked": asked, "says": say.sampled(task, ask)}, progress)


def _followed(work: dict, progress: Progress) -> tuple:
    if progress.state == "running":
        return no_update, f"{progress.done:,} of {theme.count(progress.of, 'runs')}…", work, False, 100 * progress.done / max(progress.of, 1)
    if progress.state == "finished":
        return work["asked"], work["says"], None, True, 0
    return no_update, "Cancelled." if progress.state == "cancelled" else progress.because, None, True, 0
