"""What was fitted from what: a row a parameter, with its interval; and what the record does not show."""

from __future__ import annotations

from dash import html

from engine import quantities
from engine.dashboard import FittedParameter, HistoryFit
from webapp.messages import msg
from webapp.panels.components import attributes, card_menu
from webapp.panels.papers import downloads

CSV_COLUMNS = (
    "Parameter",
    "Unit",
    "Value",
    "90 % from",
    "90 % to",
    msg("panels.fit_table.from_how_many_jobs"),
    msg("panels.fit_table.estimated_from"),
)
COLUMNS = ("Parameter", "Value", "90 % interval", "Jobs")


def layout(fit: HistoryFit) -> list:
    """The table of a fit, and what stays as it is in the scenario."""
    rows = [
        (
            parameter.title,
            parameter.unit,
            parameter.value,
            parameter.low,
            parameter.high,
            parameter.count,
            parameter.basis,
        )
        for parameter in fit.parameters
    ]
    menu = card_menu(
        msg("panels.fit_table.what_was_fitted"), [downloads.table("replay-fit", CSV_COLUMNS, rows)]
    )
    head = html.Thead(html.Tr([html.Th(title, scope="col") for title in COLUMNS]))
    body = html.Tbody([_row(parameter) for parameter in fit.parameters if parameter.value is not None])
    unknown = [
        html.Li([html.Strong(parameter.title), ": ", _basis_sentence(parameter)])
        for parameter in fit.parameters
        if parameter.value is None
    ]
    return [
        html.Div([html.H3(msg("panels.fit_table.what_was_fitted_from_what")), menu], className="replay-head"),
        html.Div(
            html.Table([head, body], className="replay-fit"),
            className="replay-room",
            tabIndex="0",
            role="region",
            **attributes({"aria-label": msg("panels.fit_table.what_was_fitted_from_what")}),
        ),
        *(
            [html.H4(msg("panels.fit_table.not_in_record")), html.Ul(unknown, className="replay-unknown")]
            if unknown
            else []
        ),
    ]


def _row(parameter: FittedParameter) -> html.Tr:
    # a unit stays with its number
    value = lambda number: quantities.quantity(number, parameter.unit).replace(" ", "\xa0")
    interval = (
        quantities.NO_VALUE
        if parameter.low is None or parameter.high is None
        else f"{value(parameter.low)} to {value(parameter.high)}"
    )
    title = html.Th([parameter.title, html.Span(_basis_sentence(parameter))], scope="row")
    return html.Tr(
        [
            title,
            html.Td(value(parameter.value), className="replay-value"),
            html.Td(interval),
            html.Td(f"{parameter.count:,}"),
        ]
    )


def _basis_sentence(parameter: FittedParameter) -> str:
    """Its basis, without the words that stand over it."""
    text = parameter.basis.partition(": ")[2] or parameter.basis
    return f"{text[:1].upper()}{text[1:]}."
