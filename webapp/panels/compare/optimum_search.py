"""The optimum of the shown result: searched on request for a chosen time, with its gap over time, then shown
as a run among the charts.

Clicks, and adding the optimum to the charts, are handled in assets/scripts/compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, html, no_update

from engine import GantryError, quantities
from engine.dashboard import OPTIMUM, SearchProgress, percent_above, relaxed_sentence
from webapp.jobs import optima
from webapp.jobs.job_manager import Progress
from webapp.jobs.optima import OptimumRequest, OptimumSearch
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.components import attributes, button
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.progress_text import waiting_text
from webapp.report import optimality_gap
from webapp.runs import saved_tasks
from webapp.runs.run_cache import ResultExpired
from webapp.runs.task import Task

INITIAL_WAIT_S = 0.6
COLUMNS = 60  # of the picture
SHOWN = ("none", "shown", "way")  # what is filled for a result
ABOUT = msg("panels.optimum_search.how_good_can_schedule_be_or")
FOUND = msg("panels.optimum_search.found_stands_among_charts_as_optimum")
NOTHING = msg("panels.optimum_search.ended_before_anything_was_found")


def layout() -> html.Section:
    """Below the bounds, in the tab Compare."""
    choices = [html.Option(f"{seconds} s", value=str(seconds)) for seconds in optima.SECONDS]
    find = msg("panels.optimum_search.find_optimum")
    form = [
        button(find, id="optimum-run", className="study-run", disabled=True),
        html.Label(["within ", html.Select(choices, id="optimum-seconds")]),
    ]
    bar = long_work.layout(
        "optimum",
        msg("panels.optimum_search.progress_search_for_optimum"),
        cancelling=msg("panels.optimum_search.ending_with_best_found_so_far"),
    )
    return html.Section(
        [
            html.H3(msg("panels.optimum_search.optimum"), id="optimum-title"),
            html.P(ABOUT, className="help"),
            html.Div(form, className="costly-form"),
            html.P(id="optimum-none", className="help"),
            html.Div(bar, className="study-bar costly-bar"),
            html.Div(id="optimum-shown"),
            html.Div(id="optimum-way"),
        ],
        id="optimum",
        className="costly optimum",
        **attributes({"aria-labelledby": "optimum-title"}),
    )


def outputs() -> list[Output]:
    """What a callback that fills it for a result has as outputs."""
    shown = [Output(f"optimum-{part}", "children", allow_duplicate=part == "way") for part in SHOWN]
    return [Output("optimum-run", "disabled"), *shown]


def output_values(task: Task) -> tuple[Any, ...]:
    """The values of `outputs`."""
    reason = optima.why_no_optimum(task)
    if not task.optimum:
        return bool(reason), reason, [], no_update
    planned = task.outcome(OPTIMUM).planned
    assert planned is not None  # as no other run's is
    sentences = [
        html.P(html.Strong(optimality_gap.optimum_words(planned))),
        html.P(relaxed_sentence(planned.found), className="help"),
    ]
    return bool(reason), reason, sentences, gap_chart(planned.way, max(planned.found.seconds, 1.0))


def register(app: Dash) -> None:
    """Callbacks: begin and follow, and the gap over time."""
    long_work.bind(app, WORK)
    found = Input("optimum-found", "data")
    app.clientside_callback(ClientsideFunction("gantry", "optimumFound"), found, prevent_initial_call=True)

    @app.callback(Output("optimum-way", "children"), found, prevent_initial_call=True)
    def draw(found: Any):
        found = found if isinstance(found, dict) else {}
        search, seconds = OptimumSearch.find(found.get("search")), found.get("seconds")
        if search is None or seconds not in optima.SECONDS:
            return no_update if "id" in found else []
        return gap_chart(optima.search_history(search), seconds)


def begin(sent: dict) -> Begun:
    """sent: {key, seconds} from the page, untrusted."""
    ask = OptimumRequest.find(sent)
    if ask is None:
        raise ResultExpired(saved_tasks.TASK_EXPIRED)
    task = saved_tasks.require_task(ask.key)
    if reason := optima.why_no_optimum(task):
        raise GantryError(reason)
    search, progress = optima.begin_search(ask, task, INITIAL_WAIT_S)
    return Begun(search.work, progress, {**ask.plain(), "search": search.plain()})


def answer(asked: Any, progress: Progress, _sent: dict) -> dict[str, Any]:
    """What it knows while it is under way; once it has ended the optimum of what was searched, also before
    its time.
    """
    ask = OptimumRequest.find(asked)
    search = OptimumSearch.find(asked.get("search")) if ask else None
    if ask is None or search is None:
        raise ResultExpired(saved_tasks.TASK_EXPIRED)
    if progress.is_active:
        return {"found": {**asked, "steps": len(optima.search_history(search))}}
    if not (id := optima.found_optimum_id(ask, search)):
        return {} if progress.because or progress.state == "finished" else {"says": NOTHING}
    found = {"found": {"key": ask.key, "id": id}}
    return found | {"says": FOUND} if progress.state == "finished" else found


def _text(progress: Progress) -> str:
    text = waiting_text(progress) or f"{progress.now or 'Beginning'}…"
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


WORK = LongWork(
    "optimum",
    begin,
    _text,
    answer,
    not_kept=msg("panels.optimum_search.result_lost_because_servers_cache_unavailabl"),
    cancelled=msg("panels.optimum_search.stopped_best_schedule_found_so_far"),
)


def gap_chart(history: Sequence[SearchProgress], seconds: float) -> list:
    """The gap over the time that was given, a column for each part of it, its height relative to the largest
    gap; history: what was known after how long.
    """
    bounded = [step for step in history if step.at_least_s]
    if not bounded:
        return []
    max_gap = max(step.gap for step in bounded)
    starts = [column * seconds / COLUMNS for column in range(COLUMNS)]
    gaps = [_gap_at(bounded, start) for start in starts if start <= bounded[-1].seconds]
    bars = [html.I(style={"height": f"{100 * gap / max_gap if max_gap else 0:.0f}%"}) for gap in gaps]
    gap, now = percent_above(bounded[0].gap), percent_above(bounded[-1].gap)
    description = msg(
        "panels.optimum_search.gap_over_time_after_after",
        percent_above=gap,
        seconds=quantities.duration(1000 * bounded[0].seconds),
        percent_above2=now,
    )
    description += quantities.duration(1000 * bounded[-1].seconds)
    title = msg("panels.optimum_search.gap_over_time_at_first_now", percent_above=gap, percent_above2=now)
    hidden, label = attributes({"aria-hidden": "true"}), attributes({"aria-label": description})
    parts = [
        html.Div([html.Span(title)], **hidden),
        html.Div(bars, className="gap-columns", role="img", **label),
        html.Div([html.Span("0 s"), html.Span(quantities.duration(1000 * seconds))], **hidden),
    ]
    return [html.Div(parts, className="gap-picture")]


def _gap_at(history: Sequence[SearchProgress], seconds: float) -> float:
    """The gap that was known then, the first before any was."""
    return [history[0], *takewhile(lambda step: step.seconds <= seconds, history)][-1].gap
