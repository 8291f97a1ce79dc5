"""A selected span of time: what the capacity was used for in it, which containers ran, who waited and why; a column a scheduler."""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, html, no_update

from engine import PARTS, Span, span
from webapp import runs, theme
from webapp.figures.split import SAME
from webapp.panels.parts import heading, icon
from webapp.panels.view import span as ascending
from webapp.runs import Task

KINDS = (("am", "masters"), ("map", "maps"), ("reduce", "reduces"))


def layout() -> html.Section:
    """The panel, hidden until a span is selected."""
    return html.Section(id="span-panel", className="span-panel", hidden=True, **{"aria-label": "Selected span of time", "aria-live": "polite"})


def register(app: Dash) -> None:
    """A span selected in the charts, or a new result, fills the panel; no span hides it."""
    app.clientside_callback(ClientsideFunction("gantry", "outlived"), Output("span-panel", "className"), Input("result", "data"), prevent_initial_call=True)

    @app.callback(
        Output("span-panel", "children"), Output("span-panel", "hidden"), Input("span", "data"), State("result", "data"), prevent_initial_call=True
    )
    def show(selected: Any, result: dict | None):
        task = runs.known(result["key"]) if result else None
        window = ascending(selected, "x0", "x1")
        if window is None or task is None:
            return no_update, True
        return told(task, (round(window[0]), max(round(window[1]), round(window[0]) + 1))), False


def told(task: Task, window: tuple[int, int]) -> list:
    """The panel's content for a span in ms."""
    outcomes = [one.outcome for one in task.shown]
    found = [span(one.run, one.split, window) for one in outcomes]
    close = html.Button(icon("close"), type="button", title="Drop the span (Esc)", **{"data-span": "drop", "aria-label": "Drop the span"})
    zoom = html.Button("Zoom to it", type="button", title="Zoom to the span (F)", **{"data-span": "fit"})
    words = f"{theme.seconds(window[0])} to {theme.seconds(window[1])}"
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
    return [head, html.Div(table, className="candidates", tabIndex="0", role="group", **{"aria-label": "Statistics of the span"})]


def reason(found: Span) -> str:
    """Why requests waited in a span, by the capacity split."""
    if not found.waiting:
        return "Nobody waited."
    scattered = max(found.vcores["fits_no_node"], found.memory["fits_no_node"])
    withheld = max(found.vcores["not_given"], found.memory["not_given"])
    unseen = max(found.vcores["unseen"], found.memory["unseen"])
    causes = [
        (withheld, "free, fitting a node and not given (the rules held back, or the node's beat had not come)"),
        (scattered, "free, but too scattered to fit"),
        (unseen, "free, but not yet seen by the scheduler"),
    ]
    told = [f"{theme.percent(share)} was {words}" for share, words in causes if share >= 0.005]
    return f"Of the scarcer resource {', '.join(told)}." if told else "The cluster was full."


def _share(found: Span, key: str) -> str:
    return theme.percent(found.vcores[key])


def _phase(key: str) -> html.Span:
    return html.Span(className=f"swatch swatch-{SAME.get(key, key)}")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(theme.count(counts[kind], noun) for kind, noun in KINDS if counts[kind]) or "none"


def _waiting(found: Span) -> list:
    lines = [html.Div(f"{name}: {theme.number(round(seconds, 1))} container-seconds") for name, seconds in found.waiting]
    return [*lines, html.Div(f"and {theme.count(found.others, 'jobs')} more", className="quiet")] if found.others else lines or ["none"]


def _row(title: Any, cells: list) -> html.Tr:
    return html.Tr([html.Th(title, scope="row"), *(html.Td(cell) for cell in cells)])
