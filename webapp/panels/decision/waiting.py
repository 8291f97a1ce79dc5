"""What waits at a moment of a run, and what keeps it: shown for a click where nothing runs, and for a
deadlock.
"""

from __future__ import annotations

from typing import Any

from dash import html

from engine import GantryError, Run, quantities
from engine.dashboard import WaitingRequest
from webapp.figures.container_words import word_of_kind
from webapp.messages import msg
from webapp.panels.components import button, scrolling_table
from webapp.runs import rerun_details
from webapp.runs.task import ShownRun

MAX_ROWS = 40


def content(shown: ShownRun, at_ms: int, place: int) -> tuple[str, list]:
    """(what is read aloud, the table): of a run when the instant at `at_ms` is over; place: its own among
    those shown.
    """
    try:
        found = rerun_details.waiting_requests(shown, at_ms)
    except GantryError as error:
        return str(error), [html.P(str(error), className="because")]
    if not found:
        nothing = msg("panels.waiting.nothing_waits")
        return nothing, [html.P(nothing, className="because")]
    run, count = shown.outcome.run, sum(one.count for one in found)
    text = msg("panels.waiting.containers_wait", count=quantities.count(count, "containers"))
    heads = ("Job", "Kind", "Waiting", "Since", msg("panels.waiting.what_keeps_them"))
    body = html.Tbody([_row(run, one, place) for one in found[:MAX_ROWS]])
    parts: list[Any] = [
        html.P(text, className="because"),
        scrolling_table(
            msg("panels.waiting.what_waits"), list(map(html.Th, heads)), [body], "candidates waiting-table"
        ),
    ]
    if (more := len(found) - MAX_ROWS) > 0:
        parts.append(html.P(msg("panels.waiting.and_more", more=f"{more:,}"), className="help"))
    because = found[0].because
    return f"{text} {because[:1].upper()}{because[1:]}.", parts


def _row(run: Run, one: WaitingRequest, place: int) -> html.Tr:
    name = run.workload.job_names[one.job]
    opener = button(
        name,
        {"data-open-job": name, "data-place": str(place)},
        className="link-button",
        title=msg("panels.waiting.all_its_waits"),
    )
    because: list[Any] = [one.because]
    if one.setting:
        because += [html.Br(), html.Code(one.setting)]
    framework = run.scenario.jobs[run.workload.job_group[one.job]].framework
    kind, since = word_of_kind(framework, one.kind), quantities.moment(one.since)
    cells: list[Any] = [opener, kind, f"{one.count:,}", since, because]
    return html.Tr(list(map(html.Td, cells)))


def spans(waits: list[dict[str, Any]]) -> list:
    """What kept a container until it was placed, or keeps it, as engine's explain has it."""
    if not waits:
        return []
    rows = [
        html.Li([html.Span(span["text"].partition(": ")[0], className="quiet"), " ", _because(span)])
        for span in waits
    ]
    return [html.H3(msg("panels.waiting.what_kept_it_waiting")), html.Ol(rows, className="wait-spans")]


def _because(span: dict[str, Any]) -> html.Span:
    setting: list[Any] = [" ", html.Code(span["setting"])] if span["setting"] else []
    return html.Span([span["because"], *setting])
