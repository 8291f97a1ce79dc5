"""A selected span of time: what the capacity was used for in it, which containers ran, who waited and why; a
column a scheduler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dash import Dash, Input, Output, State, html

from engine import quantities
from engine.dashboard import PARTS, IntervalStatistics, interval_statistics
from webapp.figures.timeline.capacity_areas import phase_of_part
from webapp.messages import msg
from webapp.panels.components import (
    attributes,
    button,
    full_heading,
    heading,
    icon_button,
    scrolling_table,
    table_row,
)
from webapp.panels.timeline.viewport import window_ms
from webapp.runs import saved_tasks
from webapp.runs.task import Task

EMPTY = html.P(msg("panels.interval.drag_with_shift_over_charts_to"), className="quiet")
SHOWN_KINDS = (
    ("am", "masters"),
    ("map", "maps"),
    ("reduce", "reduces"),
    ("executor", "executors"),
    ("task", "tasks"),
)


def layout() -> html.Section:
    """The panel, a tab of the drawer."""
    return html.Section(
        EMPTY,
        id="span-panel",
        className="span-panel",
        **attributes({"aria-label": msg("panels.interval.selected_interval"), "aria-live": "polite"}),
    )


def register(app: Dash) -> None:
    """A span selected in the charts fills the panel; no span empties it."""

    @app.callback(
        Output("span-panel", "children"),
        Input("span", "data"),
        State("result", "data"),
        prevent_initial_call=True,
    )
    def show(selected: Any, result: dict | None):
        task, window = saved_tasks.task_of_result(result), window_ms(selected)
        return content(task, window) if window and task else EMPTY


def content(task: Task, window: tuple[int, int]) -> list:
    """The panel's content for a span in ms."""
    outcomes = [shown.outcome for shown in task.shown]
    statistics = [interval_statistics(one.run, one.split, window) for one in outcomes]
    heads = [
        html.Th(heading(task, shown), title=full_heading(task, shown), scope="col") for shown in task.shown
    ]
    body = []
    for part in PARTS:
        shares = [one.vcores[part.key] for one in statistics]
        if any(shares):
            swatch = html.Span(className=f"swatch swatch-{phase_of_part(part.key)}")
            body.append(table_row([swatch, part.title], map(quantities.percent, shares)))
    others: dict[str, Callable[[IntervalStatistics], Any]] = {
        msg("panels.interval.containers_ran"): lambda one: _counts(one.ran),
        msg("shared.containers_started"): lambda one: _counts(one.started),
        msg("panels.interval.jobs_waited_for_their_first_container"): lambda one: f"{one.unstarted:,}",
        msg("panels.interval.requests_waited_longest"): lambda one: _waiting(one, outcomes[0].run.noun),
        "Why": reason,
    }
    body += [table_row(title, map(cell, statistics)) for title, cell in others.items()]
    share = html.Th(msg("panels.interval.vcores_mean_share"), scope="col")
    name = msg("panels.interval.statistics_interval")
    return [_head(window), scrolling_table(name, [share, *heads], [html.Tbody(body)], "candidates")]


def _head(window: tuple[int, int]) -> html.Header:
    zoom_tip = msg("panels.interval.zoom_to_interval_f")
    zoom = button(msg("panels.interval.zoom_to"), {"data-span": "fit"}, title=zoom_tip)
    close = icon_button(
        "close",
        msg("panels.interval.clear_interval_esc"),
        {"data-span": "drop"},
        msg("panels.interval.clear_interval"),
    )
    return html.Header(
        [
            html.H2(f"{quantities.moment(window[0])} to {quantities.moment(window[1])}"),
            html.Span(quantities.duration(window[1] - window[0]), className="quiet"),
            html.Div([zoom, close], className="steps"),
        ]
    )


def reason(statistics: IntervalStatistics) -> str:
    """Why requests waited in a span, by the capacity split."""
    if not statistics.waiting:
        return msg("panels.interval.no_request_waited")
    causes = {
        "not_given": msg("panels.interval.free_but_unassigned_held_back_by"),
        "fits_no_node": msg("panels.interval.free_but_fragmented"),
        "unseen": msg("panels.interval.freed_awaiting_heartbeat"),
    }
    reasons = []
    for part, words in causes.items():
        share = max(statistics.vcores[part], statistics.memory[part])
        if share >= 0.005:
            reasons.append(msg("panels.interval.was", share=quantities.percent(share), words=words))
    if not reasons:
        return msg("panels.interval.cluster_was_full")
    return msg("panels.interval.scarcer_resource", reasons=", ".join(reasons))


def _counts(counts: dict[str, int]) -> str:
    texts = [quantities.count(counts[kind], noun) for kind, noun in SHOWN_KINDS if counts[kind]]
    return ", ".join(texts) or "none"


def _waiting(statistics: IntervalStatistics, nouns: str) -> list:
    lines = []
    for name, seconds in statistics.waiting:
        amount = quantities.number(round(seconds, 1))
        lines.append(html.Div(msg("panels.interval.container_seconds", name=name, seconds=amount)))
    if statistics.others:
        others = quantities.count(statistics.others, nouns)
        lines.append(html.Div(msg("panels.interval.and_more", count=others), className="quiet"))
    return lines or ["none"]
