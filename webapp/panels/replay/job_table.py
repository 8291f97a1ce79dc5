"""Measured and simulated finish of each job, the worst explained first, with what the record says of it."""

from __future__ import annotations

from typing import Any

from dash import html

from engine import Errors, JobError
from webapp import theme
from webapp.figures.charts.measured_scatter import signed_percent
from webapp.panels.components import card_menu
from webapp.panels.papers import downloads

MOST_ROWS = 60  # in the page; the file has all
HEADS = ("Job", "Submitted (s)", "Measured finish (s)", "Simulated finish (s)", "Off (s)", "Error (%)", "Of its turnaround (%)", "Reason")
SHOWN = ("Job", "Submitted", "Measured finish", "Simulated finish", "Off", "Error", "Of its turnaround", "Reason")


def rows(of: Errors) -> list[tuple[Any, ...]]:
    """A row a job under HEADS."""
    return [
        (
            one.name,
            one.arrival_s,
            one.measured_s,
            one.simulated_s,
            round(one.simulated_s - one.measured_s, 3),
            round(100 * one.error, 3),
            round(100 * one.turnaround_error, 3),
            one.reason,
        )
        for one in of.rows
    ]


def layout(of: Errors) -> list:
    """The table; a job's name opens its page."""
    menu = card_menu("the jobs", [downloads.table("replay-jobs", HEADS, rows(of))])
    count = len(of.rows)
    cut = [html.P(f"The first {MOST_ROWS} of {count:,} jobs; the file has all.", className="help")] if count > MOST_ROWS else []
    head = html.Thead(html.Tr([html.Th(title, scope="col") for title in SHOWN]))
    body = html.Tbody([_row(one) for one in of.rows[:MOST_ROWS]])
    return [
        html.Div([html.H3("Jobs, the worst explained first"), menu], className="replay-head"),
        html.Div(html.Table([head, body], className="replay-jobs"), className="replay-room", tabIndex="0", role="region", **{"aria-label": "Jobs"}),
        *cut,
    ]


def _row(one: JobError) -> html.Tr:
    shift = theme.EARLIER if one.error < 0 else theme.LATER
    mark = html.Span("◀" if one.error < 0 else "▶", className=f"shift shift-{shift.key}", **{"aria-hidden": "true"})
    name = html.Button(
        one.name, type="button", className="link-button", title=f"Open {one.name}, and highlight it in every chart", **{"data-open-job": one.name}
    )
    off_ms = 1000 * (one.simulated_s - one.measured_s)
    times = [html.Td(theme.moment(1000 * seconds), **{"data-head": head}) for seconds, head in zip((one.arrival_s, one.measured_s, one.simulated_s), SHOWN[1:])]
    off = html.Td([mark, " ", theme.duration(abs(off_ms))], className="replay-error", title="simulated too early" if off_ms < 0 else "simulated too late")
    share = html.Td(signed_percent(one.error), **{"data-head": SHOWN[5]})
    own = html.Td(signed_percent(one.turnaround_error), **{"data-head": SHOWN[6]})
    return html.Tr(
        [html.Th(name, scope="row"), *times, off, share, own, html.Td(one.reason or theme.NOTHING, className="replay-reason")], **{"data-job": one.name}
    )
