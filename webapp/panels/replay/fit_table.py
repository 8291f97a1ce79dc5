"""What was fitted from what: a row a parameter, with its interval; and what the record does not show."""

from __future__ import annotations

from dash import html

from engine import quantities
from engine.dashboard import FittedParameter, HistoryFit
from webapp.messages import msg
from webapp.panels.components import card_menu, table_row
from webapp.panels.papers import downloads
from webapp.panels.replay.job_table import table_with_head

CSV_COLUMNS = (
    *("Parameter", "Unit", "Value", "90 % from", "90 % to"),
    msg("panels.fit_table.from_how_many_jobs"),
    msg("panels.fit_table.estimated_from"),
)
COLUMNS = ("Parameter", "Value", "90 % interval", "Jobs")


def layout(fit: HistoryFit) -> list:
    """The table of a fit, and what stays as it is in the scenario."""
    rows = [
        (one.title, one.unit, one.value, one.low, one.high, one.count, one.basis) for one in fit.parameters
    ]
    download = downloads.table("replay-fit", CSV_COLUMNS, rows)
    menu = card_menu(msg("panels.fit_table.what_was_fitted"), [download])
    title = msg("panels.fit_table.what_was_fitted_from_what")
    fitted = [_row(parameter) for parameter in fit.parameters if parameter.value is not None]
    parts = table_with_head(title, title, menu, COLUMNS, fitted, "replay-fit")
    unknown = [
        html.Li([html.Strong(parameter.title), ": ", _basis_sentence(parameter)])
        for parameter in fit.parameters
        if parameter.value is None
    ]
    if unknown:
        missing = html.H4(msg("panels.fit_table.not_in_record"))
        parts += [missing, html.Ul(unknown, className="replay-unknown")]
    return parts


def _row(parameter: FittedParameter) -> html.Tr:
    # a unit stays with its number
    value = lambda number: quantities.quantity(number, parameter.unit).replace(" ", "\xa0")
    interval = quantities.NO_VALUE
    if parameter.low is not None and parameter.high is not None:
        interval = f"{value(parameter.low)} to {value(parameter.high)}"
    title = [parameter.title, html.Span(_basis_sentence(parameter))]
    fitted = html.Td(value(parameter.value), className="replay-value")
    return table_row(title, [fitted, interval, f"{parameter.count:,}"])


def _basis_sentence(parameter: FittedParameter) -> str:
    """Its basis, without the words that stand over it."""
    text = parameter.basis.partition(": ")[2] or parameter.basis
    return f"{text[:1].upper()}{text[1:]}."
