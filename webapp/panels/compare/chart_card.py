"""A picture with all that belongs to it: the question it answers, how to read it, what it shows in words, its
table, and its downloads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import dash_ag_grid as dag
import dash_mantine_components as dmc
from dash import Output, dcc, html, no_update

from webapp import theme
from webapp.messages import msg
from webapp.panels.compare.metric_tables import OPTIONS, WRAPPED, paging, tools
from webapp.panels.components import attributes, button

MAX_ROWS = 5_000  # of a table in the page
ROWS_A_PAGE = 12
MOUNTED = "mounted"
NUMBERS = {"type": "rightAligned"}
WORDS = {"minWidth": 150, "wrapText": True, "autoHeight": True, "cellClass": "row-title"}
CONFIG: Any = theme.GRAPH_CONFIG | {"scrollZoom": False, "displayModeBar": False, "doubleClick": False}
NOTHING: dict[str, Any] = {
    "data": [],
    "layout": {"height": 260, "xaxis": {"visible": False}, "yaxis": {"visible": False}},
}


@dataclass(frozen=True)
class Picture:
    """What `card` shows.

    key: unique in the page, part of file names; title: the question, as a person asks it; reading: one
    sentence on how to read it;
    story: what it shows, in words made from the data; figure: a figure dict with layout.height; table: a row
    a dict, its keys are the columns' heads with their units; legend: what stands between the reading and the
    drawing; of: what alone it shows, such as a scheduler, "" where it shows all there is.
    """

    key: str
    title: str
    reading: str
    story: str = ""
    figure: dict = field(default_factory=lambda: NOTHING | {"layout": dict(NOTHING["layout"])})
    table: Sequence[dict[str, Any]] = ()
    legend: Any = None
    of: str = ""


def card(picture: Picture, *, above: Any = None, below: Any = None, lazy: bool = False) -> html.Article:
    """One labelled region; the drawing itself is hidden from assistive technology, which gets the story and
    the table.

    above, below: controls over and under the drawing. One made of key, title and reading alone is filled
    later, by `outputs` and `output_values`; the store KEY-open becomes true once its table is opened
    (assets/scripts/compare/tables.ts), so that it need not be made before.
    lazy: plotly.js, which is large, is not loaded for it before a script sets the value of KEY-mount to
    `MOUNTED`.
    """
    key = picture.key
    figure, style, story, badge, table = output_values(picture)
    pictures = [
        button(
            kind.upper(),
            {"data-picture": kind, "data-name": key},
            title=msg("panels.chart_card.download_chart_as", upper=kind.upper()),
        )
        for kind in ("png", "svg")
    ]
    graph = dcc.Graph(id=f"{key}-graph", figure=figure, config=CONFIG, responsive=True, style=style)
    if lazy:
        graph = dmc.Tabs(dmc.TabsPanel(graph, value=MOUNTED), id=f"{key}-mount", value="", keepMounted=False)
    head = [
        html.H3(picture.title, id=f"{key}-head", className="question"),
        html.Span(badge, id=f"{key}-of", className="badge"),
        html.Div(pictures, className="card-tools"),
    ]
    return html.Article(
        [
            html.Header(head),
            html.P(picture.reading, className="help reading"),
            *([html.Div(picture.legend, className="picture-legend")] if picture.legend is not None else []),
            *([html.Div(above, className="picture-controls")] if above is not None else []),
            html.Div(graph, className="picture", **attributes({"aria-hidden": "true"})),
            *([html.Div(below, className="picture-controls")] if below is not None else []),
            html.P(story, id=f"{key}-story", className="story"),
            html.Details(
                [html.Summary("Table"), tools(key), html.Div(table, id=f"{key}-table")],
                className="picture-table",
                **attributes({"data-key": key}),
            ),
            dcc.Store(id=f"{key}-open"),
        ],
        className="card picture-card",
        **attributes({"aria-labelledby": f"{key}-head"}),
    )


def outputs(key: str) -> list[Output]:
    """What a callback that fills a card has as outputs."""
    graph = [Output(f"{key}-graph", part) for part in ("figure", "style")]
    return graph + [Output(f"{key}-{part}", "children") for part in ("story", "of", "table")]


def output_values(picture: Picture, *, with_figure: bool = True, with_table: bool = True) -> tuple:
    """The values of `outputs`; what is not asked for stays as it is."""
    layout = picture.figure["layout"]
    title = f"{picture.title} ({picture.of})" if picture.of else picture.title
    layout.setdefault("meta", {})["title"] = title
    drawn = (picture.figure, room(layout), picture.story, picture.of) if with_figure else (no_update,) * 4
    return *drawn, table_grid(picture) if with_table else no_update


def room(layout: dict) -> dict:
    """The style of a chart's frame: as high as the figure; a low drawer (compare.css) shrinks it to the
    figure's minimum.
    """
    return {"height": layout["height"], "minHeight": layout.get("meta", {}).get("least", layout["height"])}


def table_grid(picture: Picture) -> list:
    """Its rows as a grid; nothing where there are none."""
    rows = list(picture.table[:MAX_ROWS])
    if not rows:
        return []
    columns = [
        {"field": head, "headerName": head}
        | (NUMBERS if any(isinstance(row[head], (int, float)) for row in rows) else WORDS)
        for head in rows[0]
    ]
    grid = dag.AgGrid(
        id=f"{picture.key}-grid",
        rowData=rows,
        columnDefs=columns,
        defaultColDef={"sortable": True, "resizable": True, "flex": 1, "minWidth": 110} | WRAPPED,
        dashGridOptions=OPTIONS | paging(ROWS_A_PAGE) | {"pagination": len(rows) > ROWS_A_PAGE},
        style={"height": None},
    )
    if len(picture.table) <= MAX_ROWS:
        return [grid]
    note = msg("panels.chart_card.first_rows", max_rows=MAX_ROWS, table=len(picture.table))
    return [html.P(note, className="help"), grid]
