"""Below a scheduler's charts: what it measures and computes inside, over time. Fetched once the charts are there, for it takes a run of its own."""

from __future__ import annotations

from typing import Any

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, dcc, html, no_update

from engine import GantryError
from webapp import theme
from webapp.figures.timeline.signals import MOST_STRIPS, Strip, signals_figure
from webapp.panels.timeline.cards import GRAPH_CONFIG
from webapp.panels.timeline.viewport import View, bounds
from webapp.services import runs
from webapp.services.runs import Task


def stores() -> list:
    """What the panel remembers: what it asked for last, and whether the visitor wants to see it."""
    return [dcc.Store(id="ask-signals"), dcc.Store(id="signals-wanted", storage_type="local")]


def register(app: Dash) -> None:
    """What the strips show is asked for after the charts, by the same zoom, width and colours."""
    app.clientside_callback(
        ClientsideFunction("gantry", "needSignals"),
        Output("ask-signals", "data"),
        Input("result", "data"),
        Input("viewport", "data"),
        Input("highlight", "data"),
        Input("scheme", "data"),
        Input("width", "data"),
        Input("signals-wanted", "data"),
        prevent_initial_call=True,
    )

    @app.callback(
        Output({"type": "signals", "index": ALL}, "children"),
        Input("ask-signals", "data"),
        State({"type": "signals", "index": ALL}, "id"),
        prevent_initial_call=True,
    )
    def show(ask: dict | None, cards: list):
        task = runs.known(str(ask.get("key"))) if isinstance(ask, dict) else None
        if task is None or len(cards) != len(task.shown):
            return [no_update] * len(cards)
        view = View.of(ask)
        return [below(task, number, view, ask.get("open") is True, ask.get("all") is True) for number in range(len(cards))]


def below(task: Task, number: int, view: View, open: bool, every: bool) -> list:
    """What stands below a chart: nothing for a scheduler without signals. every: also beyond the first MOST_STRIPS of them."""
    chart = task.shown[number]
    name = chart.name
    if not runs.has_signals(name):
        return []
    head: list[Any] = [html.Button("Signals", type="button", className="link-button", **{"data-signals": "open", "aria-expanded": str(open).lower()})]
    if not open:
        return [html.Header(head)]
    try:
        strips = Strip.of(runs.inner(chart.task, name))
    except GantryError as error:
        return [html.Header(head), html.P(str(error), className="help")]
    if not strips:
        return []
    if len(strips) > MOST_STRIPS:
        words = f"The first {MOST_STRIPS} signals only" if every else f"All {len(strips)} signals"
        head.append(html.Button(words, type="button", className="link-button", **{"data-signals": "all", "aria-pressed": str(every).lower()}))
    shown = strips if every else strips[:MOST_STRIPS]
    whole = bounds(task)
    look = {"highlight": view.highlight, "dark": view.dark, "width": view.width}
    job = view.highlight.removeprefix("job:") if view.highlight else None
    figure = signals_figure(shown, window=view.window or whole, whole=whole, **(look | {"highlight": job}))
    figure["layout"]["meta"]["drawn"] = {"key": task.key, "window": view.plain(), "complete": figure["layout"]["meta"]["complete"], **look}
    graph = dcc.Graph(figure=figure, config=GRAPH_CONFIG, responsive=True, style={"height": figure["layout"]["height"]})
    story = f"{', '.join(strip.title for strip in shown)} over time: {theme.count(len(shown), 'strips')} of step lines."
    return [
        html.Header(head),
        html.Div(
            [
                html.Div(graph, **{"aria-hidden": "true"}),
                html.Div(className="cursor", hidden=True),
                html.P(story, id=f"signals-story-{number}", className="unseen"),
            ],
            className="strips",
            tabIndex="0",
            role="group",
            **{"aria-label": f"Signals of {name}", "aria-describedby": f"signals-story-{number}"},
        ),
    ]
