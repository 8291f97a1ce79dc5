"""More charts below the tables: the queue, waits and turnarounds of all schedulers; shares, job lifecycles,
nodes and free resources of one of them.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from webapp.figures.charts import job_lifecycles
from webapp.messages import msg
from webapp.panels.compare import chart_catalogue
from webapp.panels.compare.chart_card import card, output_values, outputs
from webapp.panels.compare.chart_catalogue import Chart
from webapp.panels.components import scheduler_options
from webapp.panels.sections import content_width, tab, task_of_tab

STEPS = 1000  # of the slider of times
CARD_PX, GAP_PX, BORDER_PX = 430, 16, 2  # of a card: its least width, the room between two, both borders
STYLE_INPUTS = {"highlight.data", "scheme.data", "drawer-width.data"}  # they change no table


def layout() -> html.Section:
    """The tab, empty until it is opened."""
    return tab("more", msg("shared.more_charts"), dcc.Store(id="more-made"), html.Div(id="more-room"))


def room() -> list:
    """The cards, still blank, with their controls."""
    scheduler = dmc.Select(
        id="more-scheduler", label="Scheduler", size="xs", allowDeselect=False, w=280, data=[]
    )
    of_all, of_one = (
        html.Div(
            [
                _empty_card(chart)
                for chart in chart_catalogue.CHARTS
                if chart.is_per_scheduler is per_scheduler
            ],
            className="pictures",
        )
        for per_scheduler in (False, True)
    )
    title = html.H3(msg("panels.more_charts.one_scheduler"), className="question")
    return [of_all, html.Div([title, scheduler], className="more-of"), of_one]


def _empty_card(chart: Chart) -> html.Article:
    above, below = (
        [part for control in chart.controls if control.below is is_below for part in control.build()]
        for is_below in (False, True)
    )
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
        task = task_of_tab(key)
        if task is None:
            return [no_update] * 5
        names = list(task.names)
        pages = job_lifecycles.page_options(len(task.outcomes()[0].run.workload.job_names))
        options = [{"value": value, "label": words} for value, words in pages]
        shown = chosen if chosen in names else names[0]
        return scheduler_options(names), shown, options, "all", None if len(options) > 1 else "none"

    @app.callback(
        *(Output("fragmentation-at", part) for part in ("min", "max", "step", "value")),
        Input("open-more", "data"),
        Input("more-scheduler", "value"),
        Input("fragmentation-worst", "n_clicks"),
    )
    def times(key: str | None, name: str | None, _clicks: int | None):
        task = task_of_tab(key)
        if task is None:
            return [no_update] * 4
        run = chart_catalogue.outcome(task, name).run
        end_ms, step_ms = max(run.until_ms, run.first_ms + 1), max((run.until_ms - run.first_ms) // STEPS, 1)
        times_ms = run.first_ms, end_ms, step_ms, chart_catalogue.worst_moment(task, name)
        return [ms / 1000 for ms in times_ms]

    for chart in chart_catalogue.CHARTS:
        _register_card(app, chart)


def _register_card(app: Dash, chart: Chart) -> None:
    """Fill a card whenever the result, the look or one of its controls changes, its table once that is
    opened; what one clicks in it is highlighted.
    """
    key = chart.key
    scheduler = [Input("more-scheduler", "value")] if chart.is_per_scheduler else []

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
    def fill(result: str | None, width: Any, highlight: Any, scheme: Any, table: bool | None, *values: Any):
        task = task_of_tab(result)
        if task is None:
            return [no_update] * len(outputs(key))
        style = chart_catalogue.ChartStyle.of(highlight, scheme, card_width(content_width(width)))
        changed = set(ctx.triggered_prop_ids)
        return output_values(
            chart.picture(task, style, *values),
            with_figure=changed != {f"{key}-open.data"},
            with_table=bool(table) and not (changed and changed <= STYLE_INPUTS),
        )

    app.clientside_callback(
        ClientsideFunction("gantry", "pickedInChart"),
        Input(f"{key}-graph", "clickData"),
        State(f"{key}-graph", "figure"),
        prevent_initial_call=True,
    )


def card_width(available_px: int, max_columns: int | None = None) -> int:
    """The px of a card's drawing where cards, at most so many, stand beside each other in so much room, as
    compare.css arranges them.
    """
    columns = max((available_px + GAP_PX) // (CARD_PX + GAP_PX), 1)
    columns = min(columns, max_columns or columns)
    return (available_px - GAP_PX * (columns - 1)) // columns - BORDER_PX
