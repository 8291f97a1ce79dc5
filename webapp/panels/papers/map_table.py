"""The map of a claim as a table that looks like a chart: a cell a point, its colour the number, a line around
where the claim holds.
"""

from __future__ import annotations

import math

from dash import html

from engine.dashboard import Axis, ClaimGrid, ClaimMap, Printed
from webapp.messages import msg
from webapp.panels.components import attributes
from webapp.panels.papers.map_words import (
    axis_title,
    calibrated_position,
    outcome_text,
    signed,
    value_text,
    with_unit,
)


def map_table(claim_map: ClaimMap, grid: ClaimGrid | None) -> html.Table:
    """A row a value of y, the largest on top; a cell is a point, one of them a stop of the Tab key, and
    arrows go on from there (assets/papers.js).
    """
    headings = [
        html.Th([_value(x), *_calibrated_mark(claim_map.x, index, "x")], scope="col")
        for index, x in enumerate(claim_map.x.values)
    ]
    corner = html.Td(html.Span(f"{axis_title(claim_map.y)} by {axis_title(claim_map.x)}", className="unseen"))
    rows = []
    for row in reversed(range(len(claim_map.y.values))):
        cells = [_cell(claim_map, grid, row, column) for column in range(len(claim_map.x.values))]
        head = html.Th(
            [_value(claim_map.y.values[row]), *_calibrated_mark(claim_map.y, row, "y")], scope="row"
        )
        rows.append(html.Tr([head, *cells], **attributes({"data-walk-row": ""})))
    caption = html.Caption(
        msg("panels.map_table.and_whether_claim_holds", name=claim_map.name, unit=claim_map.unit),
        className="unseen",
    )
    return html.Table(
        [
            caption,
            html.Thead(html.Tr([corner, *headings])),
            html.Tbody(rows, **attributes({"data-walk": ""})),
        ],
        className="claim-grid",
    )


def _cell(claim_map: ClaimMap, grid: ClaimGrid | None, row: int, column: int) -> html.Td:
    x, y = claim_map.x.values[column], claim_map.y.values[row]
    where = (
        f"{claim_map.x.title} {with_unit(x, claim_map.x.unit)}, {claim_map.y.title} "
        f"{with_unit(y, claim_map.y.unit)}"
    )
    stop = "0" if (row, column) == (len(claim_map.y.values) - 1, 0) else "-1"
    data = attributes({"data-x": str(x), "data-y": str(y)})
    mark = _point_mark(claim_map, row, column)
    if grid is None:
        return html.Td(
            [
                html.Button(
                    "·",
                    type="button",
                    title=msg("panels.map_table.compute", where=where),
                    tabIndex=stop,
                    **data,
                    **attributes({"aria-label": msg("panels.map_table.compute", where=where)}),
                ),
                *mark,
            ]
        )
    value, holds = grid.value[row][column], grid.holds[row][column]
    text = f"{where}: {outcome_text(value, holds, claim_map, grid)}"
    side, share = _shade(claim_map, grid, value)
    classes = ["map-cell", side, *(["map-holds"] if holds else []), *_edges(grid, row, column)]
    sign = [html.Span("✓", className="map-sign", **attributes({"aria-hidden": "true"}))] if holds else []
    button = html.Button(
        [_short(value), *sign],
        type="button",
        title=text,
        tabIndex=stop,
        **data,
        **attributes({"aria-label": text}),
    )
    return html.Td(
        [button, *mark], className=" ".join(filter(None, classes)), style={"--share": f"{share:.2f}"}
    )


def middle(claim_map: ClaimMap, grid: ClaimGrid) -> float:
    """Around which number the colours part: 0 for changes, else what the paper prints, or the worst where it
    prints none.
    """
    values = [value for row in grid.value for value in row if math.isfinite(value)] or [0.0]
    if signed(grid):
        return 0.0
    if isinstance(claim_map.claim, Printed) and claim_map.claim.key == claim_map.key:
        return claim_map.claim.number
    return max(values) if claim_map.better == "smaller" else min(values)


def _shade(claim_map: ClaimMap, grid: ClaimGrid, value: float) -> tuple[str, float]:
    """On which side of the middle a value lies, and how far, as a share of the farthest."""
    if not math.isfinite(value):
        return "map-deadlock", 1.0
    middle_ = middle(claim_map, grid)
    farthest = (
        max(
            (abs(other - middle_) for row in grid.value for other in row if math.isfinite(other)), default=0.0
        )
        or 1.0
    )
    better = (value < middle_) == (claim_map.better == "smaller")
    return ("" if value == middle_ else "map-better" if better else "map-worse"), abs(
        value - middle_
    ) / farthest


def _edges(grid: ClaimGrid, row: int, column: int) -> list[str]:
    """The sides on which a point where the claim holds meets one where it does not: the contour."""
    if not grid.holds[row][column]:
        return []
    neighbours = {
        "top": (row + 1, column),
        "bottom": (row - 1, column),
        "left": (row, column - 1),
        "right": (row, column + 1),
    }
    is_inside = lambda at: 0 <= at[0] < len(grid.y) and 0 <= at[1] < len(grid.x)
    return [
        f"map-{side}" for side, at in neighbours.items() if not is_inside(at) or not grid.holds[at[0]][at[1]]
    ]


def _point_mark(claim_map: ClaimMap, row: int, column: int) -> list[html.Span]:
    """The experiment's own place, in the cell that is nearest to it."""
    x, y = calibrated_position(claim_map.x), calibrated_position(claim_map.y)
    if x is None or y is None or (round(y), round(x)) != (row, column):
        return []
    style = {"left": f"{50 + 100 * (x - column):.0f}%", "top": f"{50 - 100 * (y - row):.0f}%"}
    return [html.Span("◆", className="map-own", style=style, **attributes({"aria-hidden": "true"}))]


def _calibrated_mark(axis: Axis, index: int, axis_name: str) -> list[html.Span]:
    """The experiment's own value on an axis, above or beside the nearest of its values."""
    position = calibrated_position(axis)
    if axis.calibrated is None or position is None or round(position) != index:
        return []
    offset = 100 * (position - index)
    style = {"left": f"{50 + offset:.0f}%"} if axis_name == "x" else {"top": f"{50 - offset:.0f}%"}
    return [
        html.Span(
            "◆",
            className=f"map-own-{axis_name}",
            title=msg("panels.map_table.experiments_own", with_unit=with_unit(axis.calibrated, axis.unit)),
            style=style,
        )
    ]


def map_key(claim_map: ClaimMap, grid: ClaimGrid | None) -> html.Ul:
    """What colours and signs mean, with the least and the largest number."""
    calibrated_texts = [
        f"{axis.title} {with_unit(axis.calibrated, axis.unit)}"
        for axis in (claim_map.x, claim_map.y)
        if axis.calibrated is not None
    ]
    entries = (
        [
            html.Li(
                [
                    html.Span("◆", className="map-own-key"),
                    msg("panels.map_table.experiments_own_2", calibrated_texts=", ".join(calibrated_texts)),
                ]
            )
        ]
        if calibrated_texts
        else []
    )
    if grid is None:
        return html.Ul(entries, className="map-key")
    values = [value for row in grid.value for value in row if math.isfinite(value)] or [0.0]
    middle_ = middle(claim_map, grid)
    ends = sorted({min(values), middle_, max(values)})
    below, above = (
        ("map-better", "map-worse") if claim_map.better == "smaller" else ("map-worse", "map-better")
    )
    bars = [html.Span(className=f"map-bar map-below {below}")] if ends[0] < middle_ else []
    bars += [html.Span(className=f"map-bar map-above {above}")] if middle_ < ends[-1] else []
    bar = html.Span(bars, className="map-scale", **attributes({"aria-hidden": "true"}))
    range_ = msg(
        "panels.map_table.better",
        name=claim_map.name,
        value_text=" … ".join(value_text(end, claim_map.unit, signed(grid)) for end in ends),
        better=claim_map.better,
    )
    sign = html.Span("✓", className="map-holds-key", **attributes({"aria-hidden": "true"}))
    return html.Ul(
        [html.Li([bar, range_]), html.Li([sign, msg("panels.map_table.within_line_claim_holds")]), *entries],
        className="map-key",
    )


def _value(value: float) -> str:
    return with_unit(value, "")


def _short(value: float) -> str:
    """A number as a cell has room for it."""
    if not math.isfinite(value):
        return "∞"
    text = f"{value:.0f}" if abs(value) >= 9.95 else f"{value:.1f}" if abs(value) >= 0.95 else f"{value:.2f}"
    return text.replace("-", "−") if float(text) else "0"
