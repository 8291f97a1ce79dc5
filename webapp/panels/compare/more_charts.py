"""More charts below the tables: the queue, waits and turnarounds of all schedulers; shares, job lifecycles, nodes and free resources of one of them."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from webapp.figures.charts import job_lifecycles
from webapp.panels.compare import chart_catalogue as made
from webapp.panels.compare.chart_card import card, filled, outputs
from webapp.panels.compare.chart_catalogue import Chart
from webapp.panels.sections import inner, opened, tab

STEPS = 1000  # of the slider of times
CARD_PX, GAP_PX, BORDER_PX = 430, 16, 2  # of a card: its least width, the room between two, both borders
LOOKS = {"highlight.data", "scheme.data", "drawer-width.data"}  # what changes a drawing and not its table


def layout() -> html.Section:
    """The tab, empty until it is opened."""
    return tab("more", "More charts", dcc.Store(id="more-made"), html.Div(id="more-room"))


def room() -> list:
    """The cards, still blank, with their controls."""
    scheduler = dmc.Select(id="more-scheduler", label="Scheduler", size="xs", allowDeselect=False, w=280, data=[])
    return [
        html.Div([_blank(chart) for chart in made.CHARTS if not chart.of_one], className="pictures"),
        html.Div([html.H3("Of one scheduler", className="question"), scheduler], className="more-of"),
        html.Div([_blank(chart) for chart in made.CHARTS if chart.of_one], className="pictures"),
    ]


def _blank(chart: Chart) -> html.Article:
    above, below = ([part for control in chart.controls if control.below is place for part in control.show()] for place in (False, True))
    return card(chart.empty, above=above or None, below=below or None)


def register(app: Dash) -> None:
    """Callbacks: make the room once, offer what there is to choose from, and fill each card."""

    @app.callback(
        Output("more-room", "children"),
        Output("more-made", "data"),
        Input("open-more", "data"),
        State("more-made", "data"),
        prevent_initial_call=True,
    )
    def make(key: str | None, there: bool | None):
        return (room(), True) if key and not there else (no_update, no_update)

    @app.callback(
        Output("more-scheduler", "data"),
        Output("more-scheduler", "value"),
        Output("lifecycles-page", "data"),
        Output("lifecycles-page", "value"),
        Output("lifecycles-page", "display"),
        Input("open-more", "data"),
        State("more-scheduler", "value"),
    )
    def offer(key: str | None, chosen: str | None):
        task = opened(key)
        if task is None:
            return [no_update] * 5
        names = list(task.names)
        pages = [{"value": value, "label": words} for value, words in job_lifecycles.pages(len(task.outcomes()[0].run.workload.job_names))]
        return names, chosen if chosen in names else names[0], pages, "all", None if len(pages) > 1 else "none"

    @app.callback(
        Output("fragmentation-at", "min"),
        Output("fragmentation-at", "max"),
        Output("fragmentation-at", "step"),
        Output("fragmentation-at", "value"),
        Input("open-more", "data"),
        Input("more-scheduler", "value"),
        Input("fragmentation-worst", "n_clicks"),
    )
    def times(key: str | None, name: str | None, _clicks: int | None):
        task = opened(key)
        if task is None:
            return [no_update] * 4
        run = made.outcome(task, name).run
        step = max((run.until_ms - run.first_ms) // STEPS, 1)
        return run.first_ms / 1000, max(run.until_ms, run.first_ms + 1) / 1000, step / 1000, made.worst_moment(task, name) / 1000

    for chart in made.CHARTS:
        _follow(app, chart)


def _follow(app: Dash, chart: Chart) -> None:
    """Fill a card whenever the result, the look or one of its controls changes, its table once that is opened; what one clicks in it is highlighted."""
    key = chart.key
    scheduler = [Input("more-scheduler", "value")] if chart.of_one else []

    @app.callback(
        *outputs(key),
        Input("open-more", "data"),
        Input("drawer-width", "data"),
        Input("highlight", "data"),
        Input("scheme", "data"),
        Input(f"{key}-open", "data"),
        *scheduler,
        *(Input(control.id, "value") for control in chart.controls),
    )
    def fill(result: str | None, width: Any, highlight: Any, scheme: str | None, table: bool | None, *values: Any):
        task = opened(result)
        if task is None:
            return [no_update] * len(outputs(key))
        picture = chart.picture(task, made.Look.of(highlight, scheme, card_width(inner(width))), *values)
        changed = set(ctx.triggered_prop_ids)
        return list(filled(picture, drawing=changed != {f"{key}-open.data"}, table=bool(table) and not (changed and changed <= LOOKS)))

    app.clientside_callback(
        ClientsideFunction("gantry", "pickedInChart"),
        Input(f"{key}-graph", "clickData"),
        State(f"{key}-graph", "figure"),
        prevent_initial_call=True,
    )


def card_width(room: int, most: int | None = None) -> int:
    """The px of a card's drawing where cards, at most so many, stand beside each other in so much room, as compare.css arranges them."""
    columns = max((room + GAP_PX) // (CARD_PX + GAP_PX), 1)
    columns = min(columns, most or columns)
    return (room - GAP_PX * (columns - 1)) // columns - BORDER_PX
