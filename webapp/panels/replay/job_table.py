"""Measured and simulated finish of each job, the worst explained first, with what the record says of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import html

from engine import quantities
from engine.dashboard import JobError, ReplayErrors
from webapp import theme
from webapp.messages import msg
from webapp.panels.components import attributes, button, card_menu, table_row
from webapp.panels.papers import downloads

MAX_ROWS = 60  # in the page; the file has all
CSV_COLUMNS = (
    "Job",
    msg("panels.job_table.submitted_s"),
    msg("panels.job_table.measured_finish_s"),
    msg("panels.job_table.simulated_finish_s"),
    msg("panels.job_table.off_s"),
    "Error (%)",
    msg("panels.job_table.its_turnaround"),
    "Reason",
)
COLUMNS = (
    "Job",
    "Submitted",
    msg("panels.job_table.measured_finish"),
    msg("panels.job_table.simulated_finish"),
    "Off",
    "Error",
    msg("panels.job_table.its_turnaround_2"),
    "Reason",
)


def rows(errors: ReplayErrors) -> list[tuple[Any, ...]]:
    """A row a job under CSV_COLUMNS."""
    return [
        (
            error.name,
            error.arrival_s,
            error.measured_s,
            error.simulated_s,
            round(error.simulated_s - error.measured_s, 3),
            round(100 * error.error, 3),
            round(100 * error.turnaround_error, 3),
            error.reason,
        )
        for error in errors.rows
    ]


def layout(errors: ReplayErrors) -> list:
    """The table; a job's name opens its page."""
    download = downloads.table("replay-jobs", CSV_COLUMNS, rows(errors))
    menu = card_menu(msg("panels.job_table.jobs"), [download])
    title = msg("panels.job_table.jobs_largest_error_first")
    shown = [_row(error) for error in errors.rows[:MAX_ROWS]]
    parts = table_with_head(title, "Jobs", menu, COLUMNS, shown, "replay-jobs")
    if (count := len(errors.rows)) > MAX_ROWS:
        note = msg("panels.job_table.first_jobs_file_has_all", max_rows=MAX_ROWS, count=count)
        parts.append(html.P(note, className="help"))
    return parts


def table_with_head(
    title: str, label: str, menu: Any, columns: Sequence[str], rows: list[html.Tr], kind: str
) -> list:
    """A table that scrolls sideways, under its title and menu. label: what a screen reader says of it; kind:
    its class.
    """
    head = html.Thead(html.Tr([html.Th(column, scope="col") for column in columns]))
    table = html.Table([head, html.Tbody(rows)], className=kind)
    labelled = attributes({"aria-label": label})
    room = html.Div(table, className="replay-room", tabIndex="0", role="region", **labelled)
    return [html.Div([html.H3(title), menu], className="replay-head"), room]


def _row(job_error: JobError) -> html.Tr:
    name, off_ms = job_error.name, 1000 * (job_error.simulated_s - job_error.measured_s)
    sign, shift = ("◀", theme.EARLIER) if job_error.error < 0 else ("▶", theme.LATER)
    mark = html.Span(sign, className=f"shift shift-{shift.key}", **attributes({"aria-hidden": "true"}))
    early, late = msg("panels.job_table.simulated_too_early"), msg("panels.job_table.simulated_too_late")
    opens = msg("panels.job_table.open_and_highlight_in_every_chart", name=name)
    opener = button(name, {"data-open-job": name}, className="link-button", title=opens)
    times_s = (job_error.arrival_s, job_error.measured_s, job_error.simulated_s)
    times = [_cell(quantities.moment(1000 * seconds), place) for place, seconds in enumerate(times_s, 1)]
    cells = [
        *times,
        html.Td(
            [mark, " ", quantities.duration(abs(off_ms))],
            className="replay-error",
            title=early if off_ms < 0 else late,
        ),
        _cell(quantities.percent(job_error.error, signed=True), 5),
        _cell(quantities.percent(job_error.turnaround_error, signed=True), 6),
        html.Td(job_error.reason or quantities.NO_VALUE, className="replay-reason"),
    ]
    return table_row(opener, cells, **attributes({"data-job": name}))


def _cell(text: str, place: int) -> html.Td:
    """A cell that says its column's head where the table is narrow."""
    return html.Td(text, **attributes({"data-head": COLUMNS[place]}))
