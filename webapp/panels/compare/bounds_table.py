"""Lower bounds: each by name, what it is about, and how far above it each scheduler is at most; folded below
the metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import Output, dcc, html, no_update

from engine import quantities
from engine.dashboard import MEASURED, Bound, above, tightest
from webapp.messages import msg
from webapp.panels.compare.metric_tables import grid, tools
from webapp.panels.components import attributes, full_headings
from webapp.report import optimality_gap
from webapp.runs.outcome import Outcome
from webapp.runs.task import Task

OPEN_STORE = "bounds-open"  # a store, true once the details are open
METRIC_TITLES = {"makespan_s": "Makespan", "mean_turnaround_s": msg("shared.mean_turnaround")}
ABOUT_COLUMN = {
    "field": "says",
    "headerName": msg("shared.what"),
    "flex": 2,
    "minWidth": 300,
    "wrapText": True,
    "autoHeight": True,
    "cellClass": "row-title",
}


def layout() -> html.Div:
    """The fold, closed, and the sentence that says why there is none."""
    fold = [html.Summary(id="bounds-says"), tools("bounds"), html.Div(id="bounds-table", className="table")]
    key = attributes({"data-key": "bounds"})
    details = html.Details(fold, id="bounds", className="picture-table bounds", hidden=True, **key)
    return html.Div([details, html.P(id="bounds-none", className="help"), dcc.Store(id=OPEN_STORE)])


def outputs() -> list[Output]:
    """What a callback that fills it has as outputs."""
    filled = [Output(f"bounds-{part}", "children") for part in ("says", "none", "table")]
    return [Output("bounds", "hidden"), *filled]


def output_values(
    task: Task, columns: Sequence[tuple[str, int, Outcome]], width_px: int, is_open: bool | None
) -> tuple[Any, ...]:
    """The values of `outputs`. columns: heading, colour index and outcome of each column of the metrics'
    table; is_open: whether the table is shown.
    """
    compared = [
        column
        for column in columns
        if column[2].run.scenario.digest == task.scenario.digest and column[2].run.scheduler != MEASURED.name
    ]
    outcomes = [outcome for *_, outcome in compared]
    bound_sets = sorted((optimality_gap.known_bounds(outcome, outcomes) for outcome in outcomes), key=len)
    if not bound_sets or not bound_sets[-1]:
        return True, "", optimality_gap.why_no_bounds(task), []
    texts = [
        f"{title.lower()} {optimality_gap.bound_text(bound)}"
        for metric, title in METRIC_TITLES.items()
        if (bound := tightest(bound_sets[0], metric))
    ]
    says = msg("panels.bounds_table.what_no_scheduler_can_beat", texts=", ".join(texts))
    if not is_open:
        return False, says, "", no_update
    heads, colour_indices, _ = zip(*compared)
    table = grid(
        "bounds",
        "Bound",
        rows(bound_sets[-1], outcomes),
        [msg("shared.at_least"), *heads],
        width_px=width_px,
        colour_indices=(None, *colour_indices),
        extra_columns=[ABOUT_COLUMN],
        full_names=full_headings(task),
    )
    return False, says, "", table


def rows(bounds: Sequence[Bound], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A row a bound, the tightest of a time first: its value, and by how many percent each outcome is above
    it; a dash where it does not hold.
    """
    table = []
    keys_by_outcome = [
        {(held.metric, held.key) for held in optimality_gap.known_bounds(outcome, outcomes)}
        for outcome in outcomes
    ]
    for bound in bounds:
        row: dict[str, Any] = {
            "title": f"{METRIC_TITLES[bound.metric]}: {bound.title[:1].lower()}{bound.title[1:]}",
            "says": bound.about,
            "s0": {"value": bound.at_least, "text": quantities.amount(bound.at_least, "s")},
        }
        for column, (outcome, keys) in enumerate(zip(outcomes, keys_by_outcome, strict=True), start=1):
            share = above(outcome.metrics[bound.metric], bound) if (bound.metric, bound.key) in keys else None
            text = quantities.NO_VALUE if share is None else optimality_gap.OptimalityGap(share, bound).sign
            row[f"s{column}"] = {"value": None if share is None else 100 * share, "text": text}
        table.append(row)
    return table
