"""A picture with all that belongs to it: the question it answers, how to read it, what it shows in words, its table, and its downloads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import dash_ag_grid as dag
from dash import dcc, html

from webapp import theme
from webapp.panels.tables import OPTIONS, tools

MOST_ROWS = 5_000  # of a table in the page
ROWS_A_PAGE = 12
NUMBERS = {"type": "rightAligned"}
WORDS = {"minWidth": 150, "wrapText": True, "autoHeight": True, "cellClass": "row-title"}
CONFIG = theme.GRAPH_CONFIG | {"scrollZoom": False, "displayModeBar": False, "doubleClick": False}


@dataclass(frozen=True)
class Picture:
    """What `card` shows.

    key: unique in the page, part of file names; title: the question, as a person asks it; reading: one sentence on how to read it;
    story: what it shows, in words made from the data; figure: a figure dict with layout.height; table: a row a dict, its keys are the
    columns' heads with their units; legend: what stands between the reading and the drawing.
    """

    key: str
    title: str
    reading: str
    story: str
    figure: dict
    table: Sequence[dict[str, Any]]
    legend: Any = None


def card(picture: Picture) -> html.Article:
    """One labelled region; the drawing itself is hidden from assistive technology, which gets the story and the table."""
    picture.figure["layout"].setdefault("meta", {})["title"] = picture.title
    pictures = [
        html.Button(kind.upper(), type="button", title=f"Download this chart as {kind.upper()}", **{"data-picture": kind, "data-name": picture.key})
        for kind in ("png", "svg")
    ]
    graph = dcc.Graph(figure=picture.figure, config=CONFIG, responsive=True, style={"height": picture.figure["layout"]["height"]})
    return html.Article(
        [
            html.Header([html.H3(picture.title, id=f"{picture.key}-head", className="question"), html.Div(pictures, className="card-tools")]),
            html.P(picture.reading, className="help reading"),
            *([html.Div(picture.legend, className="picture-legend")] if picture.legend is not None else []),
            html.Div(graph, className="picture", **{"aria-hidden": "true"}),
            html.P(picture.story, className="story"),
            _table(picture),
        ],
        className="card picture-card",
        **{"aria-labelledby": f"{picture.key}-head"},
    )


def _numeric(rows: list[dict[str, Any]], head: str) -> bool:
    """Whether the column's first value, if it has any, is a number."""
    return isinstance(next((row[head] for row in rows if row[head] is not None), None), (int, float))


def _table(picture: Picture) -> html.Details:
    rows = list(picture.table[:MOST_ROWS])
    heads = list(rows[0]) if rows else []
    columns = [{"field": head, "headerName": head} | (NUMBERS if _numeric(rows, head) else WORDS) for head in heads]
    grid = dag.AgGrid(
        id=f"{picture.key}-grid",
        rowData=rows,
        columnDefs=columns,
        defaultColDef={"sortable": True, "resizable": True, "flex": 1, "minWidth": 110, "wrapHeaderText": True, "autoHeaderHeight": True},
        dashGridOptions=OPTIONS | {"pagination": len(rows) > ROWS_A_PAGE, "paginationPageSize": ROWS_A_PAGE, "paginationPageSizeSelector": False},
        style={"height": None},
    )
    cut = [html.P(f"The first {MOST_ROWS:,} of {len(picture.table):,} rows.", className="help")] if len(picture.table) > MOST_ROWS else []
    return html.Details([html.Summary("Table"), tools(picture.key), *cut, grid], className="picture-table")
