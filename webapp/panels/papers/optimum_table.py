"""How far each scheduler is from the offline optimum on HaSTE's workloads, as recorded."""

from __future__ import annotations

from dash import html

from engine import FromOptimum, recorded_optima, schedulers_compared

PAPER = "haste"
NUMBERS = ("Best found", "At least", "Gap")
SAID = (
    "HaSTE's paper leaves the offline optimum as future work. Here is the best schedule that OR-Tools CP-SAT and lists of priorities found in a minute, "
    "with full knowledge, run by the simulator itself, and the bound that no schedule can beat. One seed a workload, at OMO's rate of fetching. In brackets: "
    "at most so much above the best possible."
)


def of_paper(paper: str) -> list:
    """The table of HaSTE's page; of other papers nothing."""
    found = recorded_optima()
    if paper != PAPER or not found:
        return []
    labels = schedulers_compared(found)
    head = html.Thead(html.Tr([html.Th(one, scope="col") for one in ("Workload", *NUMBERS, *labels)]))
    table = html.Table([html.Caption("Makespan above the best found"), head, html.Tbody([_row(one, labels) for one in found])], className="claims optima")
    title = "How far from the optimum"
    room = html.Div(table, className="claims-room", tabIndex="0", role="region", **{"aria-label": f"Table: {title}"})
    return [html.Section([html.H3(title), html.P(SAID), room])]


def _row(one: FromOptimum, labels: list[str]) -> html.Tr:
    gap = one.found_s / one.at_least_s - 1
    numbers = [f"{one.found_s:,.1f} s", f"{one.at_least_s:,.1f} s", f"{100 * gap:.1f} %" if gap > 5e-5 else "proved"]
    cells = [_above(one, label) if label in one.makespans_s else "" for label in labels]
    named = zip((*NUMBERS, *labels), (*numbers, *cells))  # on a phone each number stands on a line of its own, with its name
    return html.Tr([html.Th(one.title, scope="row"), *(html.Td(text, **{"data-head": name}) for name, text in named)])


def _above(one: FromOptimum, label: str) -> str:
    return f"{100 * one.above_found(label):.1f} % ({100 * one.above_bound(label):.0f} %)"
