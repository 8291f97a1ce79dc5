"""More charts below the tables: the queue, waits and turnarounds of all schedulers; shares, job lifecycles, nodes and free resources of one of them."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from webapp.figures.charts import job_lifecycles
from webapp.panels.compare import chart_catalogue as made
from webapp.panels.compare.chart_card import card, filled, outputs
from webapp.panels.compare.chart_catalogue import Chart
from webapp.panels.sections import section
from webapp.services import runs
from webapp.services.runs import Task

STEPS = 1000  # of the slider of times
LOOKS = {"highlight.data", "scheme.data"}  # what changes a drawing and not its table


def layout() -> html.Section:
    """The section, empty until it is seen."""
    return section("pictures", "More charts", dcc.Store(id="pictures-width"), dcc.Store(id="pictures-made"), html.Div(id="pictures-room"))


def room() -> list:
    """The cards, still blank, with their controls."""
    scheduler = dmc.Select(id="pictures-scheduler", label="Scheduler", size="xs", allowDeselect=False, w=280, data=[])
    return [
        html.Div([_blank(chart) for chart in made.CHARTS if not chart.of_one], className="pictures"),
        html.Div([html.H3("Of one scheduler", className="question"), scheduler], className="pictures-of"),
        html.Div([_blank(chart) for chart in made.CHARTS if chart.of_one], className="pictures"),
    ]


def _blank(chart: Chart) -> html.Article:
    above, below = ([part for control in chart.controls if control.below is place for part in control.show()] for place in (False, True))
    return card(chart.empty, above=above or None, below=below or None)


def register(app: Dash) -> None:
    """Callbacks: make the room once, offer what there is to choose from, and fill each card."""
    app.clientside_callback(ClientsideFunction("gantry", "sizedPictures"), Output("pictures-width", "data"), Input("pictures-made", "data"))
    app.clientside_callback(ClientsideFunction("gantry", "highlightedPictures"), Output("pictures-room", "className"), Input("highlight", "data"))

    @app.callback(
        Output("pictures-room", "children"),
        Output("pictures-made", "data"),
        Input("pictures-seen", "data"),
        Input("result", "data"),
        State("pictures-made", "data"),
        prevent_initial_call=True,
    )
    def make(seen: bool | None, result: dict | None, there: bool | None):
        return (room(), True) if seen and result and not there else (no_update, no_update)

    @app.callback(
        Output("pictures-scheduler", "data"),
        Output("pictures-scheduler", "value"),
        Output("lifecycles-page", "data"),
        Output("lifecycles-page", "value"),
        Output("lifecycles-page", "display"),
        Input("result", "data"),
        State("pictures-scheduler", "value"),
    )
    def offer(result: dict | None, chosen: str | None):
        task = _task(result)
        if task is None:
            return [no_update] * 5
        names = list(task.schedulers)
        pages = [{"value": value, "label": words} for value, words in job_lifecycles.pages(len(task.outcomes()[0].run.workload.job_names))]
        return names, chosen if chosen in names else names[0], pages, "all", None if len(pages) > 1 else "none"

    @app.callback(
        Output("fragmentation-at", "min"),
        Output("fragmentation-at", "max"),
        Output("fragmentation-at", "step"),
        Output("fragmentation-at", "value"),
        Input("result", "data"),
        Input("pictures-scheduler", "value"),
        Input("fragmentation-worst", "n_clicks"),
    )
    def times(result: dict | None, name: str | None, _clicks: int | None):
        task = _task(result)
        if task is None:
            return [no_update] * 4
        run = made.outcome(task, name).run
        step = max((run.until_ms - run.first_ms) // STEPS, 1)
        return run.first_ms / 1000, max(run.until_ms, run.first_ms + 1) / 1000, step / 1000, made.worst_moment(task, name) / 1000

    for chart in made.CHARTS:
        _follow(app, chart)


def _follow(app: Dash, chart: Chart) -> None:
    """Fill a card whenever the result, the look or one of its controls changes, its table once that is opened. It is there only once the section was seen."""
    key = chart.key
    scheduler = [Input("pictures-scheduler", "value")] if chart.of_one else []

    @app.callback(
        *outputs(key),
        Input("result", "data"),
        Input("pictures-width", "data"),
        Input("highlight", "data"),
        Input("scheme", "data"),
        Input(f"{key}-open", "data"),
        *scheduler,
        *(Input(control.id, "value") for control in chart.controls),
    )
    def fill(result: dict | None, width: Any, highlight: Any, scheme: str | None, opened: bool | None, *values: Any):
        task = _task(result)
        if task is None or not width:
            return [no_update] * len(outputs(key))
        picture = chart.picture(task, made.Look.of(highlight, scheme, width), *values)
        changed = set(ctx.triggered_prop_ids)
        return list(filled(picture, drawing=changed != {f"{key}-open.data"}, table=bool(opened) and not (changed and changed <= LOOKS)))


def _task(result: Any) -> Task | None:
    return runs.known(str(result.get("key"))) if isinstance(result, dict) else None
