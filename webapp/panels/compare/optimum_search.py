"""The optimum of the shown result: searched on request for a chosen time, with its gap over time, then shown
as a run among the charts.

Clicks, and adding the optimum to the charts, are handled in assets/optimum.js.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import GantryError, quantities
from engine.dashboard import OPTIMUM, SearchProgress, percent_above, relaxed_sentence
from webapp.jobs import optima
from webapp.jobs.job_manager import Progress, job_manager, task_reference
from webapp.jobs.optima import OptimumRequest, OptimumSearch
from webapp.messages import msg
from webapp.panels.components import attributes, progress_bar
from webapp.panels.progress_text import waiting_text
from webapp.report import optimality_gap
from webapp.runs import saved_tasks
from webapp.runs.task import Task

INITIAL_WAIT_S = 0.6
COLUMNS = 60  # of the picture
ABOUT = msg("panels.optimum_search.how_good_can_schedule_be_or")
FOUND = msg("panels.optimum_search.found_stands_among_charts_as_optimum")
ENDED = msg("panels.optimum_search.stopped_best_schedule_found_so_far")
NOTHING = msg("panels.optimum_search.ended_before_anything_was_found")
NOT_KEPT = msg("panels.optimum_search.result_lost_because_servers_cache_unavailabl")


def layout() -> html.Section:
    """Below the bounds, in the tab Compare."""
    choices = [html.Option(f"{seconds} s", value=str(seconds)) for seconds in optima.SECONDS]
    form = [
        html.Button(
            msg("panels.optimum_search.find_optimum"),
            type="button",
            id="optimum-run",
            className="study-run",
            disabled=True,
        ),
        html.Label(["within ", html.Select(choices, id="optimum-seconds")]),
    ]
    bar = [
        html.P(id="optimum-says", role="status", className="help"),
        progress_bar("optimum", msg("panels.optimum_search.progress_search_for_optimum")),
    ]
    return html.Section(
        [
            html.H3(msg("panels.optimum_search.optimum"), id="optimum-title"),
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
        **attributes({"aria-labelledby": "optimum-title"}),
    )


def outputs() -> list[Output]:
    """What a callback that fills it for a result has as outputs."""
    return [
        Output("optimum-run", "disabled"),
        Output("optimum-none", "children"),
        Output("optimum-found", "children"),
        Output("optimum-way", "children", allow_duplicate=True),
    ]


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
    """Callbacks: begin and follow, and cancel."""
    client = lambda name: ClientsideFunction("gantry", name)
    app.clientside_callback(
        client("poke"), Input("optimum-work", "data"), State("optimum-poke", "id"), prevent_initial_call=True
    )
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
        work = task_reference(work)
        if ctx.triggered_id == "optimum-ask":
            if work:
                job_manager.cancel(work["id"])
            return start_search(asked) if asked else ("", None, True, 0, [], None)
        return progress_values(work, job_manager.progress(work["id"])) if work else [no_update] * 6

    @app.callback(
        Output("optimum-says", "children", allow_duplicate=True),
        Input("optimum-cancel", "n_clicks"),
        State("optimum-work", "data"),
        prevent_initial_call=True,
    )
    def cancel(_clicks: int | None, work: dict | None):
        if reference := task_reference(work):
            job_manager.cancel(reference["id"])
        return msg("panels.optimum_search.ending_with_best_found_so_far")


def start_search(sent: Any) -> tuple:
    """sent: {key, seconds} from the page, untrusted."""
    ask = OptimumRequest.of(sent)
    task = saved_tasks.load_task(ask.key) if ask else None
    if ask is None or task is None:
        return saved_tasks.TASK_EXPIRED, None, True, 0, [], None
    try:
        if reason := optima.why_no_optimum(task):
            return reason, None, True, 0, [], None
        search, progress = optima.begin_search(ask, task, INITIAL_WAIT_S)
    except GantryError as error:
        return str(error), None, True, 0, [], None
    return progress_values({"id": search.work, "asked": ask.plain(), "begun": list(search)}, progress)


def progress_values(work: dict, progress: Progress) -> tuple:
    """Where a search stands, or what it has found."""
    ask, search = OptimumRequest.of(work.get("asked")), OptimumSearch.of(work.get("begun"))
    if ask is None or search is None:
        return "", None, True, 0, [], None
    if progress.is_active:
        text = waiting_text(progress) or f"{progress.now or 'Beginning'}…".replace(
            " %", "\N{NO-BREAK SPACE}%"
        )
        return (
            text,
            work,
            False,
            100 * progress.done / max(progress.total, 1),
            gap_chart(optima.search_history(search), ask.seconds),
            no_update,
        )
    optimum_id = optima.found_optimum_id(ask, search)
    shown = {"key": ask.key, "id": optimum_id} if optimum_id else no_update
    if progress.state == "finished":
        return FOUND if optimum_id else NOT_KEPT, None, True, 0, no_update, shown
    return progress.because or (ENDED if optimum_id else NOTHING), None, True, 0, no_update, shown


def gap_chart(history: Sequence[SearchProgress], seconds: float) -> list:
    """The gap over the time that was given, a column for each part of it, its height relative to the largest
    gap; history: what was known after how long.
    """
    bounded = [step for step in history if step.at_least_s]
    if not bounded:
        return []
    max_gap = max(step.gap for step in bounded)
    column_starts = [column * seconds / COLUMNS for column in range(COLUMNS)]
    gaps = [_progress_at(bounded, start) for start in column_starts if start <= bounded[-1].seconds]
    bars = [html.I(style={"height": f"{100 * step.gap / max_gap if max_gap else 0:.0f}%"}) for step in gaps]
    description = msg(
        "panels.optimum_search.gap_over_time_after_after",
        percent_above=percent_above(bounded[0].gap),
        seconds=quantities.duration(1000 * bounded[0].seconds),
        percent_above2=percent_above(bounded[-1].gap),
    )
    description += quantities.duration(1000 * bounded[-1].seconds)
    ends = html.Div(
        [html.Span("0 s"), html.Span(quantities.duration(1000 * seconds))],
        **attributes({"aria-hidden": "true"}),
    )
    top = html.Div(
        [
            html.Span(
                msg(
                    "panels.optimum_search.gap_over_time_at_first_now",
                    percent_above=percent_above(bounded[0].gap),
                    percent_above2=percent_above(bounded[-1].gap),
                )
            )
        ],
        **attributes({"aria-hidden": "true"}),
    )
    return [
        html.Div(
            [
                top,
                html.Div(
                    bars, className="gap-columns", role="img", **attributes({"aria-label": description})
                ),
                ends,
            ],
            className="gap-picture",
        )
    ]


def _progress_at(history: Sequence[SearchProgress], seconds: float) -> SearchProgress:
    """What was known then, the first before anything was."""
    return ([history[0], *takewhile(lambda step: step.seconds <= seconds, history)])[-1]
