"""The optimum of what is shown: looked for on request, as long as one says, followed with its gap over time, and then a run among the charts.

What is clicked, and the way of what was found into the charts, is of assets/optimum.js.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import OPTIMUM, GantryError, SearchProgress, percent_above, relaxed_sentence
from webapp import theme
from webapp.panels.components import under_way
from webapp.panels.progress_text import waiting_text
from webapp.report import best_possible
from webapp.services import optima, runs
from webapp.services.optima import Begun, OptimumAsk
from webapp.services.runs import Task
from webapp.services.tasks import Progress, named, works

PATIENCE_S = 0.6
COLUMNS = 60  # of the picture
ABOUT = (
    "How good can a schedule be? OR-Tools CP-SAT plans the batch with every duration known, and proves what no schedule can beat; the simulator follows "
    "the plan, so that it is attainable."
)
FOUND = "Found: it stands among the charts as optimum."
ENDED = "Ended: the best found until then stands among the charts as optimum."
NOTHING = "Ended before anything was found."
NOT_KEPT = "It was done, but the server's cache is away: look for it again."


def layout() -> html.Section:
    """Below the bounds, in the tab Compare."""
    choices = [html.Option(f"{seconds} s", value=str(seconds)) for seconds in optima.SECONDS]
    form = [
        html.Button("Find the optimum", type="button", id="optimum-run", className="study-run", disabled=True),
        html.Label(["within ", html.Select(choices, id="optimum-seconds")]),
    ]
    bar = [html.P(id="optimum-says", role="status", className="help"), under_way("optimum", "Progress of the search for the optimum")]
    return html.Section(
        [
            html.H3("The optimum", id="optimum-title"),
            html.P(ABOUT, className="help"),
            html.Div(form, className="costly-form"),
            html.P(id="optimum-none", className="help"),
            html.Div(bar, className="study-bar costly-bar"),
            html.Div(id="optimum-found"),
            html.Div(id="optimum-way"),
            dcc.Store(id="optimum-work", storage_type="session"),  # so that a reload follows on
            *(dcc.Store(id=f"optimum-{name}") for name in ("ask", "poke", "shown")),
        ],
        id="optimum",
        className="costly optimum",
        **{"aria-labelledby": "optimum-title"},
    )


def outputs() -> list[Output]:
    """What a callback that fills it for a result has as outputs."""
    return [
        Output("optimum-run", "disabled"),
        Output("optimum-none", "children"),
        Output("optimum-found", "children"),
        Output("optimum-way", "children", allow_duplicate=True),
    ]


def filled(task: Task) -> tuple[Any, ...]:
    """The values of `outputs`."""
    because = optima.why_not(task)
    if not task.optimum:
        return bool(because), because, [], no_update
    planned = task.outcome(OPTIMUM).planned
    says = [html.P(html.Strong(best_possible.optimum_words(planned))), html.P(relaxed_sentence(planned.found), className="help")]
    return bool(because), because, says, picture(planned.way, max(planned.found.seconds, 1.0))


def register(app: Dash) -> None:
    """Callbacks: begin and follow, and cancel."""
    client = lambda name: ClientsideFunction("gantry", name)
    app.clientside_callback(client("poke"), Input("optimum-work", "data"), State("optimum-poke", "id"), prevent_initial_call=True)
    app.clientside_callback(client("optimumFound"), Input("optimum-shown", "data"), prevent_initial_call=True)

    @app.callback(
        Output("optimum-says", "children"),
        Output("optimum-work", "data"),
        Output("optimum-under-way", "hidden"),
        Output("optimum-progress", "value"),
        Output("optimum-way", "children"),
        Output("optimum-shown", "data"),
        Input("optimum-ask", "data"),
        Input("optimum-poke", "data"),
        State("optimum-work", "data"),
        prevent_initial_call=True,
    )
    def follow(asked: Any, _poke: int | None, work: dict | None):
        work = named(work)
        if ctx.triggered_id == "optimum-ask":
            if work:
                works.cancel(work["id"])
            return begun(asked) if asked else ("", None, True, 0, [], None)
        return followed(work, works.progress(work["id"])) if work else [no_update] * 6

    @app.callback(
        Output("optimum-says", "children", allow_duplicate=True), Input("optimum-cancel", "n_clicks"), State("optimum-work", "data"), prevent_initial_call=True
    )
    def cancel(_clicks: int | None, work: dict | None):
        if named(work):
            works.cancel(work["id"])
        return "Ending, with the best found so far…"


def begun(asked: Any) -> tuple:
    """asked: {key, seconds} of the page, which may be anything."""
    ask = OptimumAsk.of(asked)
    task = runs.known(ask.key) if ask else None
    if task is None:
        return runs.FORGOTTEN, None, True, 0, [], None
    try:
        because = optima.why_not(task)
        begun_, progress = ("", None) if because else optima.begin_search(ask, task, PATIENCE_S)
    except GantryError as error:
        because = str(error)
    return (because, None, True, 0, [], None) if because else followed({"id": begun_.work, "asked": ask.plain(), "begun": list(begun_)}, progress)


def followed(work: dict, progress: Progress) -> tuple:
    """Where a search stands, or what it has found."""
    ask, begun_ = OptimumAsk.of(work.get("asked")), Begun.of(work.get("begun"))
    if ask is None or begun_ is None:
        return "", None, True, 0, [], None
    if progress.under_way:
        says = waiting_text(progress) or f"{progress.now or 'Beginning'}…".replace(" %", "\N{NO-BREAK SPACE}%")
        return says, work, False, 100 * progress.done / max(progress.of, 1), picture(optima.way_of(begun_), ask.seconds), no_update
    found = optima.found_by(ask, begun_)
    shown = {"key": ask.key, "id": found} if found else no_update
    if progress.state == "finished":
        return FOUND if found else NOT_KEPT, None, True, 0, no_update, shown
    return progress.because or (ENDED if found else NOTHING), None, True, 0, no_update, shown


def picture(way: Sequence[SearchProgress], seconds: float) -> list:
    """The gap over the time that was given, a column each part of it, as high as the gap is of the largest; way: what was known after how long."""
    known = [one for one in way if one.at_least_s]
    if not known:
        return []
    most = max(one.gap for one in known)
    begins = [column * seconds / COLUMNS for column in range(COLUMNS)]
    gaps = [_at(known, begin) for begin in begins if begin <= known[-1].seconds]
    bars = [html.I(style={"height": f"{100 * one.gap / most if most else 0:.0f}%"}) for one in gaps]
    said = f"Gap over time: {percent_above(known[0].gap)} after {theme.duration(1000 * known[0].seconds)}, {percent_above(known[-1].gap)} after "
    said += theme.duration(1000 * known[-1].seconds)
    ends = html.Div([html.Span("0 s"), html.Span(theme.duration(1000 * seconds))], **{"aria-hidden": "true"})
    top = html.Div([html.Span(f"Gap over time: at first {percent_above(known[0].gap)}, now {percent_above(known[-1].gap)}")], **{"aria-hidden": "true"})
    return [html.Div([top, html.Div(bars, className="gap-columns", role="img", **{"aria-label": said}), ends], className="gap-picture")]


def _at(known: Sequence[SearchProgress], seconds: float) -> SearchProgress:
    """What was known then, the first before anything was."""
    return ([known[0], *takewhile(lambda one: one.seconds <= seconds, known)])[-1]
