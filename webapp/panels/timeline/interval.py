"""A selected span of time: what the capacity was used for in it, which containers ran, who waited and why; a column a scheduler."""

from __future__ import annotations

from typing import Any

from dash import Dash, Input, Output, State, html

from engine import PARTS, IntervalStatistics, interval_statistics
from webapp import theme
from webapp.figures.timeline.capacity_areas import SAME
from webapp.panels.components import heading, icon
from webapp.panels.timeline.viewport import span as ascending
from webapp.services import runs
from webapp.services.runs import Task

EMPTY = html.P("Drag with Shift over the charts to select an interval of time: what the capacity was used for in it, and who waited.", className="quiet")
SHOWN_KINDS = (("am", "masters"), ("map", "maps"), ("reduce", "reduces"))


def layout() -> html.Section:
    """The panel, a tab of the drawer."""
    return html.Section(EMPTY, id="span-panel", className="span-panel", **{"aria-label": "Selected interval", "aria-live": "polite"})


def register(app: Dash) -> None:
    """A span selected in the charts fills the panel; no span empties it."""

    @app.callback(Output("span-panel", "children"), Input("span", "data"), State("result", "data"), prevent_initial_call=True)
    def show(selected: Any, result: dict | None):
        task = runs.shown_by(result)
        window = ascending(selected, "x0", "x1")
        if window is None or task is None:
            return EMPTY
        return content(task, (round(window[0]), max(round(window[1]), round(window[0]) + 1)))


def content(task: Task, window: tuple[int, int]) -> list:
    """The panel's content for a span in ms."""
    outcomes = [one.outcome for one in task.shown]
    found = [interval_statistics(one.run, one.split, window) for one in outcomes]
    close = html.Button(icon("close"), type="button", title="Clear the interval (Esc)", **{"data-span": "drop", "aria-label": "Clear the interval"})
    zoom = html.Button("Zoom to it", type="button", title="Zoom to the interval (F)", **{"data-span": "fit"})
    words = f"{theme.moment(window[0])} to {theme.moment(window[1])}"
    head = html.Header([html.H2(words), html.Span(theme.duration(window[1] - window[0]), className="quiet"), html.Div([zoom, close], className="steps")])
    columns = [html.Th(heading(task, one), scope="col") for one in task.shown]
    body = [_row([_phase(part.key), part.title], [_share(one, part.key) for one in found]) for part in PARTS if any(one.vcores[part.key] for one in found)]
    body += [
        _row("Containers that ran", [_counts(one.ran) for one in found]),
        _row("Containers started", [_counts(one.started) for one in found]),
        _row("Jobs that waited for their first container", [f"{one.unstarted:,}" for one in found]),
        _row("Requests that waited the longest", [_waiting(one) for one in found]),
        _row("Why", [reason(one) for one in found]),
    ]
    table = html.Table([html.Thead(html.Tr([html.Th("Vcores, mean share", scope="col"), *columns])), html.Tbody(body)])
    return [head, html.Div(table, className="candidates", tabIndex="0", role="group", **{"aria-label": "Statistics of the interval"})]


def reason(found: IntervalStatistics) -> str:
    """Why requests waited in a span, by the capacity split."""
    if not found.waiting:
        return "No request waited."
    fragmented = max(found.vcores["fits_no_node"], found.memory["fits_no_node"])
    unassigned = max(found.vcores["not_given"], found.memory["not_given"])
    unseen = max(found.vcores["unseen"], found.memory["unseen"])
    causes = [
        (unassigned, "free but unassigned (held back by a rule, or until the node's heartbeat)"),
        (fragmented, "free but fragmented"),
        (unseen, "freed, awaiting heartbeat"),
    ]
    reasons = [f"{theme.percent(share)} was {words}" for share, words in causes if share >= 0.005]
    return f"Of the scarcer resource {', '.join(reasons)}." if reasons else "The cluster was full."


def _share(found: IntervalStatistics, key: str) -> str:
    return theme.percent(found.vcores[key])


def _phase(key: str) -> html.Span:
    return html.Span(className=f"swatch swatch-{SAME.get(key, key)}")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(theme.count(counts[kind], noun) for kind, noun in SHOWN_KINDS if counts[kind]) or "none"


def _waiting(found: IntervalStatistics) -> list:
    lines = [html.Div(f"{name}: {theme.number(round(seconds, 1))} container-seconds") for name, seconds in found.waiting]
    return [*lines, html.Div(f"and {theme.count(found.others, 'jobs')} more", className="quiet")] if found.others else lines or ["none"]


def _row(title: Any, cells: list) -> html.Tr:
    return html.Tr([html.Th(title, scope="row"), *(html.Td(cell) for cell in cells)])
