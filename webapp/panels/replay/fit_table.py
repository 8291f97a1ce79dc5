"""What was fitted from what: a row a parameter, with its interval."""

from __future__ import annotations

from dash import html

from engine import FittedParameter, HistoryFit
from webapp import theme
from webapp.panels.components import card_menu
from webapp.panels.papers import downloads

HEADS = ("Parameter", "Unit", "Value", "90 % from", "90 % to", "From how many jobs", "Estimated from")
SHOWN = ("Parameter", "Value", "90 % interval", "Jobs", "Estimated from")


def layout(of: HistoryFit) -> list:
    """The table of the fit that what-ifs are asked of."""
    rows = [(one.title, one.unit, one.value, one.low, one.high, one.count, one.basis) for one in of.parameters]
    menu = card_menu("what was fitted", [downloads.table("replay-fit", HEADS, rows)])
    head = html.Thead(html.Tr([html.Th(title, scope="col") for title in SHOWN]))
    table = html.Table([head, html.Tbody([_row(one) for one in of.parameters])], className="replay-fit")
    return [
        html.Div([html.H3("What was fitted from what"), menu], className="replay-head"),
        html.Div(table, className="replay-room", tabIndex="0", role="region", **{"aria-label": "What was fitted from what"}),
    ]


def _row(one: FittedParameter) -> html.Tr:
    value = lambda number: theme.quantity(number, one.unit)
    spread = f"{value(one.low)} to {value(one.high)}" if one.low is not None and one.high is not None else theme.NOTHING
    cells = [html.Td(value(one.value)), html.Td(spread), html.Td(f"{one.count:,}"), html.Td(one.basis, className="replay-reason")]
    return html.Tr([html.Th(one.title, scope="row"), *cells])
