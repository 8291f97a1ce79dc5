"""What was fitted from what: a row a parameter, with its interval; and what the record does not show."""

from __future__ import annotations

from dash import html

from engine import FittedParameter, HistoryFit
from webapp import theme
from webapp.panels.components import card_menu
from webapp.panels.papers import downloads

HEADS = ("Parameter", "Unit", "Value", "90 % from", "90 % to", "From how many jobs", "Estimated from")
SHOWN = ("Parameter", "Value", "90 % interval", "Jobs")


def layout(of: HistoryFit) -> list:
    """The table of a fit, and what stays as it is in the scenario."""
    rows = [(one.title, one.unit, one.value, one.low, one.high, one.count, one.basis) for one in of.parameters]
    menu = card_menu("what was fitted", [downloads.table("replay-fit", HEADS, rows)])
    head = html.Thead(html.Tr([html.Th(title, scope="col") for title in SHOWN]))
    body = html.Tbody([_row(one) for one in of.parameters if one.value is not None])
    unknown = [html.Li([html.Strong(one.title), ": ", _because(one)]) for one in of.parameters if one.value is None]
    return [
        html.Div([html.H3("What was fitted from what"), menu], className="replay-head"),
        html.Div(
            html.Table([head, body], className="replay-fit"),
            className="replay-room",
            tabIndex="0",
            role="region",
            **{"aria-label": "What was fitted from what"},
        ),
        *([html.H4("Not in the record"), html.Ul(unknown, className="replay-unknown")] if unknown else []),
    ]


def _row(one: FittedParameter) -> html.Tr:
    value = lambda number: theme.quantity(number, one.unit).replace(" ", "\xa0")  # a unit stays with its number
    spread = theme.NOTHING if one.low is None or one.high is None else f"{value(one.low)} to {value(one.high)}"
    title = html.Th([one.title, html.Span(_because(one))], scope="row")
    return html.Tr([title, html.Td(value(one.value), className="replay-value"), html.Td(spread), html.Td(f"{one.count:,}")])


def _because(one: FittedParameter) -> str:
    """Its basis, without the words that stand over it."""
    text = one.basis.partition(": ")[2] or one.basis
    return f"{text[:1].upper()}{text[1:]}."
