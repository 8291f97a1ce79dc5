"""Measured and simulated finish of each job, the worst explained first, with what the record says of it."""

from __future__ import annotations

from typing import Any

from dash import html

from engine import quantities
from engine.dashboard import JobError, ReplayErrors
from webapp import theme
from webapp.messages import msg
from webapp.panels.components import attributes, card_menu
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
    """A row a job under HEADS."""
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
    menu = card_menu(
        msg("panels.job_table.jobs"), [downloads.table("replay-jobs", CSV_COLUMNS, rows(errors))]
    )
    count = len(errors.rows)
    truncation_note = (
        [
            html.P(
                msg("panels.job_table.first_jobs_file_has_all", max_rows=MAX_ROWS, count=count),
                className="help",
            )
        ]
        if count > MAX_ROWS
        else []
    )
    head = html.Thead(html.Tr([html.Th(title, scope="col") for title in COLUMNS]))
    body = html.Tbody([_row(error) for error in errors.rows[:MAX_ROWS]])
    return [
        html.Div([html.H3(msg("panels.job_table.jobs_largest_error_first")), menu], className="replay-head"),
        html.Div(
            html.Table([head, body], className="replay-jobs"),
            className="replay-room",
            tabIndex="0",
            role="region",
            **attributes({"aria-label": "Jobs"}),
        ),
        *truncation_note,
    ]


def _row(job_error: JobError) -> html.Tr:
    shift = theme.EARLIER if job_error.error < 0 else theme.LATER
    mark = html.Span(
        "◀" if job_error.error < 0 else "▶",
        className=f"shift shift-{shift.key}",
        **attributes({"aria-hidden": "true"}),
    )
    name = html.Button(
        job_error.name,
        type="button",
        className="link-button",
        title=msg("panels.job_table.open_and_highlight_in_every_chart", name=job_error.name),
        **attributes({"data-open-job": job_error.name}),
    )
    off_ms = 1000 * (job_error.simulated_s - job_error.measured_s)
    times = [
        html.Td(quantities.moment(1000 * seconds), **attributes({"data-head": head}))
        for seconds, head in zip(
            (job_error.arrival_s, job_error.measured_s, job_error.simulated_s), COLUMNS[1:]
        )
    ]
    off_cell = html.Td(
        [mark, " ", quantities.duration(abs(off_ms))],
        className="replay-error",
        title=msg("panels.job_table.simulated_too_early")
        if off_ms < 0
        else msg("panels.job_table.simulated_too_late"),
    )
    error_cell = html.Td(
        quantities.percent(job_error.error, signed=True), **attributes({"data-head": COLUMNS[5]})
    )
    turnaround_cell = html.Td(
        quantities.percent(job_error.turnaround_error, signed=True), **attributes({"data-head": COLUMNS[6]})
    )
    return html.Tr(
        [
            html.Th(name, scope="row"),
            *times,
            off_cell,
            error_cell,
            turnaround_cell,
            html.Td(job_error.reason or quantities.NO_VALUE, className="replay-reason"),
        ],
        **attributes({"data-job": job_error.name}),
    )
