"""What no scheduler can beat: every bound by name, what it is about, and how far above it each scheduler is at most, folded below the metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import Output, dcc, html, no_update

from engine import MEASURED, Bound, above, tightest
from webapp import theme
from webapp.panels.compare.metric_tables import grid, tools
from webapp.report import best_possible
from webapp.services.runs import Outcome, Task

OPENED = "bounds-open"  # a store, true once the fold was opened
OF = {"makespan_s": "Makespan", "mean_turnaround_s": "Mean turnaround"}
ABOUT = {"field": "says", "headerName": "What it is", "flex": 2, "minWidth": 300, "wrapText": True, "autoHeight": True, "cellClass": "row-title"}


def layout() -> html.Div:
    """The fold, closed, and the sentence that says why there is none."""
    fold = [html.Summary(id="bounds-says"), tools("bounds"), html.Div(id="bounds-table", className="table")]
    details = html.Details(fold, id="bounds", className="picture-table bounds", hidden=True, **{"data-key": "bounds"})
    return html.Div([details, html.P(id="bounds-none", className="help"), dcc.Store(id=OPENED)])


def outputs() -> list[Output]:
    """What a callback that fills it has as outputs."""
    return [Output("bounds", "hidden"), Output("bounds-says", "children"), Output("bounds-none", "children"), Output("bounds-table", "children")]


def filled(task: Task, columns: Sequence[tuple[str, int, Outcome]], room: int, unfolded: bool | None) -> tuple[Any, ...]:
    """The values of `outputs`. columns: head, place of its colour and outcome of what the metrics' table shows; room: px; unfolded: is the table wanted?"""
    held = [one for one in columns if one[2].run.scenario.digest == task.scenario.digest and one[2].run.scheduler != MEASURED.name]
    outcomes = [outcome for *_, outcome in held]
    sets = sorted((best_possible.bounds(outcome, outcomes) for outcome in outcomes), key=len)
    if not sets or not sets[-1]:
        return True, "", best_possible.why_none(task), []
    for_all = [f"{title.lower()} {best_possible.least(bound)}" for metric, title in OF.items() if (bound := tightest(sets[0], metric))]
    return False, f"What no scheduler can beat: {', '.join(for_all)}", "", _table(sets[-1], held, room) if unfolded else no_update


def rows(bounds: Sequence[Bound], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A row a bound, the tightest of a time first: its value, and by how many percent each outcome is above it; a dash where it does not hold."""
    found = []
    own = [{(one.metric, one.key) for one in best_possible.bounds(outcome, outcomes)} for outcome in outcomes]
    for bound in bounds:
        row: dict[str, Any] = {"title": f"{OF[bound.metric]}: {bound.title[:1].lower()}{bound.title[1:]}", "says": bound.about}
        row["s0"] = {"value": bound.at_least, "text": theme.amount(bound.at_least, "s")}
        for place, (outcome, holding) in enumerate(zip(outcomes, own, strict=True), start=1):
            share = above(outcome.metrics[bound.metric], bound) if (bound.metric, bound.key) in holding else None
            text = theme.NOTHING if share is None else best_possible.Above(share, bound).sign
            row[f"s{place}"] = {"value": None if share is None else 100 * share, "text": text}
        found.append(row)
    return found


def _table(bounds: Sequence[Bound], held: Sequence[tuple[str, int, Outcome]], room: int) -> Any:
    heads, places, outcomes = zip(*held)
    return grid("bounds", "Bound", rows(bounds, outcomes), ["At least", *heads], room=room, places=(None, *places), further=[ABOUT])
