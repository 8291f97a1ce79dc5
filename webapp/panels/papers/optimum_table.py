"""How far each scheduler is from the offline optimum on HaSTE's workloads, as recorded."""

from __future__ import annotations

from dash import html

from engine import quantities
from engine.dashboard import OptimumComparison, recorded_optima, schedulers_compared
from webapp.messages import msg
from webapp.panels.papers.pieces import column_heads, folded, named_cells, region

PAPER = "haste"
NUMBER_COLUMNS = (msg("panels.optimum_table.best_found"), msg("shared.at_least"), "Gap")
EXPLANATION = msg("panels.optimum_table.hastes_paper_leaves_offline_optimum_as")


def paper_layout(paper: str) -> list:
    """The table of HaSTE's page; of other papers nothing."""
    optima = recorded_optima()
    if paper != PAPER or not optima:
        return []
    labels = schedulers_compared(optima)
    table = html.Table(
        [
            html.Caption(msg("panels.optimum_table.makespan_above_best_found")),
            column_heads(("Workload", *NUMBER_COLUMNS, *labels)),
            html.Tbody([_row(one, labels) for one in optima]),
        ],
        className="claims optima",
    )
    title = msg("panels.optimum_table.how_far_from_optimum")
    scroller = region(msg("panels.optimum_table.table", title=title), table, "claims-room")
    return [folded(title, [html.P(EXPLANATION), scroller])]


def _row(workload: OptimumComparison, labels: list[str]) -> html.Tr:
    gap = workload.found_s / workload.at_least_s - 1
    numbers = [
        quantities.amount(workload.found_s, "s"),
        quantities.amount(workload.at_least_s, "s"),
        quantities.percent(gap) if gap > 5e-5 else "proved",
    ]
    above = [_above(workload, label) if label in workload.makespans_s else "" for label in labels]
    cells = named_cells((*NUMBER_COLUMNS, *labels), numbers + above)
    return html.Tr([html.Th(workload.title, scope="row"), *cells])


def _above(workload: OptimumComparison, label: str) -> str:
    """How far its makespan is above the best found, and at most above the best possible."""
    found = quantities.percent(workload.above_found(label))
    return f"{found} ({quantities.percent(workload.above_bound(label))})"
