"""A selected span of time: what the capacity was used for in it, which containers ran, who waited and why; a
column a scheduler.
"""

from __future__ import annotations

from typing import Any

from dash import Dash, Input, Output, State, html

from engine import quantities
from engine.dashboard import PARTS, IntervalStatistics, interval_statistics
from webapp.figures.timeline.capacity_areas import PHASE_OF_PART
from webapp.messages import msg
from webapp.panels.components import attributes, full_heading, heading, icon
from webapp.panels.timeline.viewport import ascending_pair
from webapp.runs import saved_tasks
from webapp.runs.task import Task

EMPTY = html.P(
    msg("panels.interval.drag_with_shift_over_charts_to"),
    className="quiet",
)
SHOWN_KINDS = (("am", "masters"), ("map", "maps"), ("reduce", "reduces"))


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
        task = saved_tasks.task_of_result(result)
        window = ascending_pair(selected, "x0", "x1")
        if window is None or task is None:
            return EMPTY
        return content(task, (round(window[0]), max(round(window[1]), round(window[0]) + 1)))


def content(task: Task, window: tuple[int, int]) -> list:
    """The panel's content for a span in ms."""
    outcomes = [statistic.outcome for statistic in task.shown]
    statistics = [interval_statistics(statistic.run, statistic.split, window) for statistic in outcomes]
    close = html.Button(
        icon("close"),
        type="button",
        title=msg("panels.interval.clear_interval_esc"),
        **attributes({"data-span": "drop", "aria-label": msg("panels.interval.clear_interval")}),
    )
    zoom = html.Button(
        msg("panels.interval.zoom_to"),
        type="button",
        title=msg("panels.interval.zoom_to_interval_f"),
        **attributes({"data-span": "fit"}),
    )
    title = f"{quantities.moment(window[0])} to {quantities.moment(window[1])}"
    head = html.Header(
        [
            html.H2(title),
            html.Span(quantities.duration(window[1] - window[0]), className="quiet"),
            html.Div([zoom, close], className="steps"),
        ]
    )
    columns = [
        html.Th(heading(task, statistic), title=full_heading(task, statistic), scope="col")
        for statistic in task.shown
    ]
    body = [
        _row([_phase(part.key), part.title], [_share(statistic, part.key) for statistic in statistics])
        for part in PARTS
        if any(statistic.vcores[part.key] for statistic in statistics)
    ]
    body += [
        _row(msg("panels.interval.containers_ran"), [_counts(statistic.ran) for statistic in statistics]),
        _row(msg("shared.containers_started"), [_counts(statistic.started) for statistic in statistics]),
        _row(
            msg("panels.interval.jobs_waited_for_their_first_container"),
            [f"{statistic.unstarted:,}" for statistic in statistics],
        ),
        _row(
            msg("panels.interval.requests_waited_longest"), [_waiting(statistic) for statistic in statistics]
        ),
        _row("Why", [reason(statistic) for statistic in statistics]),
    ]
    table = html.Table(
        [
            html.Thead(html.Tr([html.Th(msg("panels.interval.vcores_mean_share"), scope="col"), *columns])),
            html.Tbody(body),
        ]
    )
    return [
        head,
        html.Div(
            table,
            className="candidates",
            tabIndex="0",
            role="group",
            **attributes({"aria-label": msg("panels.interval.statistics_interval")}),
        ),
    ]


def reason(statistics: IntervalStatistics) -> str:
    """Why requests waited in a span, by the capacity split."""
    if not statistics.waiting:
        return msg("panels.interval.no_request_waited")
    fragmented = max(statistics.vcores["fits_no_node"], statistics.memory["fits_no_node"])
    unassigned = max(statistics.vcores["not_given"], statistics.memory["not_given"])
    unseen = max(statistics.vcores["unseen"], statistics.memory["unseen"])
    causes = [
        (unassigned, msg("panels.interval.free_but_unassigned_held_back_by")),
        (fragmented, msg("panels.interval.free_but_fragmented")),
        (unseen, msg("panels.interval.freed_awaiting_heartbeat")),
    ]
    reasons = [
        msg("panels.interval.was", percent=quantities.percent(share), words=words)
        for share, words in causes
        if share >= 0.005
    ]
    return (
        msg("panels.interval.scarcer_resource", reasons=", ".join(reasons))
        if reasons
        else msg("panels.interval.cluster_was_full")
    )


def _share(statistics: IntervalStatistics, key: str) -> str:
    return quantities.percent(statistics.vcores[key])


def _phase(key: str) -> html.Span:
    return html.Span(className=f"swatch swatch-{PHASE_OF_PART.get(key, key)}")


def _counts(counts: dict[str, int]) -> str:
    return (
        ", ".join(quantities.count(counts[kind], noun) for kind, noun in SHOWN_KINDS if counts[kind])
        or "none"
    )


def _waiting(statistics: IntervalStatistics) -> list:
    lines = [
        html.Div(
            msg("panels.interval.container_seconds", name=name, seconds=quantities.number(round(seconds, 1)))
        )
        for name, seconds in statistics.waiting
    ]
    return (
        [
            *lines,
            html.Div(
                msg("panels.interval.and_more", count=quantities.count(statistics.others, "jobs")),
                className="quiet",
            ),
        ]
        if statistics.others
        else lines or ["none"]
    )


def _row(title: Any, cells: list) -> html.Tr:
    return html.Tr([html.Th(title, scope="row"), *(html.Td(cell) for cell in cells)])
