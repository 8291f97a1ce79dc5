"""The charts: one card a scheduler with its Gantt, curves and capacity split; all share one time axis and one highlight."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import dash_mantine_components as dmc
from dash import ALL, ClientsideFunction, Dash, Input, Output, State, dcc, get_relative_path, html, no_update

from webapp import runs, theme
from webapp.figures import describe, run_figure, shared_rows, whole
from webapp.panels.parts import icon, legend
from webapp.runs import Outcome, Task

MOST_NAMES = 5_000  # jobs the search box suggests; others can be typed
WIDTHS = range(200, 4001)
GRAPH_CONFIG = theme.GRAPH_CONFIG | {"scrollZoom": False, "displayModeBar": False, "responsive": True, "doubleClick": False}


@dataclass(frozen=True)
class View:
    """How the charts are looked at. window: ms, None for all; width: of a chart in pixels."""

    window: tuple[int, int] | None = None
    highlight: str | None = None
    dark: bool = False
    width: int = 800

    @classmethod
    def of(cls, window: Any, highlight: Any, dark: Any, width: Any) -> View:
        """From what the page sent, which may be anything."""
        if isinstance(window, dict) and all(isinstance(window.get(key), (int, float)) for key in ("x0", "x1")) and window["x0"] < window["x1"]:
            window = round(window["x0"]), max(round(window["x1"]), round(window["x0"]) + 1)
        else:
            window = None
        width = round(width) if isinstance(width, (int, float)) else cls.width
        return cls(window, highlight if isinstance(highlight, str) else None, dark is True, min(max(width, WIDTHS[0]), WIDTHS[-1]))

    def plain(self) -> dict | None:
        """The window as the page keeps it."""
        return {"x0": self.window[0], "x1": self.window[1]} if self.window else None


def bounds(task: Task) -> tuple[int, int]:
    """The window that shows every scheduler's run, in ms."""
    return whole([one.run for one in task.outcomes()])


def figures(task: Task, view: View) -> list[dict]:
    """A plotly figure a scheduler; layout.meta.drawn says of what, so that the page asks again only for something else."""
    outcomes, every = task.outcomes(), bounds(task)
    needed = shared_rows([one.run for one in outcomes])
    drawn = {
        "key": task.key,
        "whole": {"x0": every[0], "x1": every[1]},
        "looked": view.plain(),
        "highlight": view.highlight,
        "dark": view.dark,
        "width": view.width,
    }
    found = []
    for one in outcomes:
        look = {"highlight": view.highlight, "dark": view.dark, "width": view.width, "needed": needed}
        figure = run_figure(one.run, one.split, window=view.window or every, **look)
        complete = figure["layout"]["meta"]["complete"]
        if complete and view.window:
            figure = run_figure(one.run, one.split, window=every, **look)
            figure["layout"]["xaxis"]["range"] = [ms / 1000 for ms in view.window]
        figure["layout"]["meta"]["drawn"] = drawn | {"window": None if complete else view.plain(), "complete": complete}
        figure["layout"]["meta"]["title"] = " under ".join(escape(part) for part in (task.scenario.name, one.run.scheduler) if part)
        found.append(figure)
    return found


def tools() -> html.Div:
    """What is the same for all charts: colours, the highlighted job, the zoom."""
    return html.Div([legend((*theme.PHASES, theme.KILLED), "Colours"), _finder(), _zoom()], className="chart-tools")


def layout() -> html.Section:
    """The room for the cards."""
    return html.Section(
        [
            html.Div(
                [html.Span("Capacity also: ", className="quiet"), legend(theme.IDLE, "Further colours where the capacity goes")], className="legend-more"
            ),
            html.Div([html.Div(className="card waiting") for _ in range(2)], id="cards", className="cards"),
            dcc.Store(id="ask"),
            dcc.Store(id="drawn"),
            dcc.Store(id="width"),
        ],
        id="charts",
        **{"aria-label": "Charts"},
    )


def cards(task: Task, drawn: list[dict]) -> list[html.Article]:
    """One card a scheduler."""
    return [_card(number, one, figure) for number, (one, figure) in enumerate(zip(task.outcomes(), drawn, strict=True))]


def heads(task: Task, drawn: list[dict]) -> list[list]:
    """What stands over each chart, for cards that are already there."""
    return [_head(number, one, figure) for number, (one, figure) in enumerate(zip(task.outcomes(), drawn, strict=True))]


def register(app: Dash) -> None:
    """Callbacks: bounds of a new result, what to draw anew, drawing it, highlight by click and by name."""
    gantry = lambda name: ClientsideFunction("gantry", name)
    graphs = {"type": "graph", "index": ALL}
    app.clientside_callback(gantry("bounds"), Output("charts", "className"), Input("result", "data"), prevent_initial_call=True)
    app.clientside_callback(
        gantry("need"),
        Output("ask", "data"),
        Input("viewport", "data"),
        Input("highlight", "data"),
        Input("scheme", "data"),
        Input("width", "data"),
        State("result", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        gantry("draw"),
        Output(graphs, "figure"),
        Output(graphs, "style"),
        Output({"type": "badge", "index": ALL}, "children"),
        Input("drawn", "data"),
        State(graphs, "id"),
        prevent_initial_call=True,
    )
    app.clientside_callback(gantry("sized"), Output("width", "data"), Input("charts", "id"))
    app.clientside_callback(gantry("finder"), Output("find-job", "data"), Output("find-job", "value"), Input("result", "data"), Input("highlight", "data"))
    app.clientside_callback(
        gantry("found"),
        Output("highlight", "data", allow_duplicate=True),
        Input("find-job", "value"),
        State("highlight", "data"),
        State("result", "data"),
        prevent_initial_call=True,
    )

    @app.callback(
        Output("drawn", "data", allow_duplicate=True),
        Output("request", "data", allow_duplicate=True),
        Input("ask", "data"),
        State("request", "data"),
        prevent_initial_call=True,
    )
    def redraw(ask: dict | None, request: dict | None):
        if not ask:
            return no_update, no_update
        task = runs.known(str(ask.get("key")))
        if task is None:
            return no_update, request | {"again": True} if request else no_update
        view = View.of(ask.get("window"), ask.get("highlight"), ask.get("dark"), ask.get("width"))
        return figures(task, view), no_update


def _card(number: int, outcome: Outcome, figure: dict) -> html.Article:
    return html.Article(
        [
            html.Div(_head(number, outcome, figure), id={"type": "head", "index": number}),
            html.Div(
                [
                    html.Div(
                        dcc.Graph(
                            id={"type": "graph", "index": number},
                            figure=figure,
                            config=GRAPH_CONFIG,
                            responsive=True,
                            style={"height": figure["layout"]["height"]},
                        ),
                        **{"aria-hidden": "true"},
                    ),
                    html.Div(className="cursor", hidden=True),
                    html.Div(className="mark", hidden=True),
                ],
                className="chart",
                tabIndex="0",
                role="group",
                **{"aria-labelledby": f"name-{number}", "aria-describedby": f"story-{number}", "aria-keyshortcuts": "W A S D 0 Enter"},
            ),
            html.Section(id={"type": "signals", "index": number}, className="signals", **{"aria-label": f"Signals of {outcome.run.scheduler}"}),
        ],
        className="card",
    )


def _head(number: int, outcome: Outcome, figure: dict) -> list:
    run, meta = outcome.run, figure["layout"]["meta"]
    name = run.scheduler
    facts = [
        ("Makespan", "makespan_s", "s"),
        ("Mean turnaround", "mean_turnaround_s", "s"),
        ("Vcores used", "vcore_utilization", "share"),
        ("Memory used", "memory_utilization", "share"),
    ]
    found = [
        html.Header(
            [
                html.H3(name, id=f"name-{number}"),
                html.Span(_badge(meta), className=f"badge badge-{meta['mode']}", id={"type": "badge", "index": number}),
                html.Div(_pictures(name), className="card-tools"),
            ]
        ),
        html.Dl([html.Div([html.Dt(title), html.Dd(theme.amount(outcome.metrics[key], unit))]) for title, key, unit in facts], className="facts"),
        html.P(describe(run, outcome.metrics), id=f"story-{number}", className="unseen"),
    ]
    if run.status != "finished":
        found.append(html.P([html.Strong("Deadlock. "), run.because], className="deadlock"))
    return found


def _badge(meta: dict) -> str:
    words = "exact" if meta["mode"] == "exact" else "picture"
    return f"{words}, {theme.count(meta['slices'], 'slices')}"


def _pictures(name: str) -> list:
    buttons = [
        html.Button(kind.upper(), type="button", title=f"Download this chart as {kind.upper()}", **{"data-picture": kind, "data-name": name})
        for kind in ("png", "svg")
    ]
    return [*buttons, html.A("What is left out", href=get_relative_path("/model"), title="What the model leaves out", className="quiet")]


def _finder() -> dmc.Autocomplete:
    return dmc.Autocomplete(
        id="find-job",
        placeholder="Highlight a job",
        size="xs",
        limit=12,
        clearable=True,
        leftSection=icon("search"),
        **{"aria-label": "Highlight a job by its name"},
    )


def _zoom() -> html.Div:
    keys = (("out", "minus", "Zoom out (S or -)"), ("in", "plus", "Zoom in (W or +)"), ("all", "reset", "Show all of the run (0)"))
    return html.Div(
        [html.Button(icon(picture), type="button", title=title, **{"data-zoom": zoom, "aria-label": title}) for zoom, picture, title in keys],
        className="zoom",
        role="group",
        **{"aria-label": "Zoom of all charts"},
    )
