"""The map of a claim as a table that looks like a chart: a cell a point, its colour the number, a line around
where the claim holds.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from dash import html

from engine import quantities
from engine.dashboard import Axis, ClaimGrid, ClaimMap, Printed
from webapp.messages import msg
from webapp.panels.components import attributes, button
from webapp.panels.papers.map_words import (
    axis_title,
    calibrated_position,
    calibrated_values,
    finite_values,
    outcome_text,
    signed,
    titled_values,
    value_text,
    with_unit,
)
from webapp.panels.papers.pieces import sign


def map_table(claim_map: ClaimMap, grid: ClaimGrid | None) -> html.Table:
    """A row a value of y, the largest on top; a cell is a point, one of them a stop of the Tab key, and
    arrows go on from there (assets/scripts/papers/papers.ts).
    """
    x, y = claim_map.x, claim_map.y
    corner = html.Td(html.Span(f"{axis_title(y)} by {axis_title(x)}", className="unseen"))
    columns = [_axis_head(x, index, "col") for index in range(len(x.values))]
    rows = []
    for row in reversed(range(len(y.values))):
        cells = [_cell(claim_map, grid, row, column) for column in range(len(x.values))]
        head = _axis_head(y, row, "row")
        rows.append(html.Tr([head, *cells], **attributes({"data-walk-row": ""})))
    caption = msg("panels.map_table.and_whether_claim_holds", name=claim_map.name, unit=claim_map.unit)
    return html.Table(
        [
            html.Caption(caption, className="unseen"),
            html.Thead(html.Tr([corner, *columns])),
            html.Tbody(rows, **attributes({"data-walk": ""})),
        ],
        className="claim-grid",
    )


def _cell(claim_map: ClaimMap, grid: ClaimGrid | None, row: int, column: int) -> html.Td:
    x, y = claim_map.x.values[column], claim_map.y.values[row]
    text = titled_values([(claim_map.x, x), (claim_map.y, y)])
    content: Any = "·"
    look: dict[str, Any] = {}
    if grid is None:
        text = msg("panels.map_table.compute", where=text)
    else:
        value, holds = grid.value[row][column], grid.holds[row][column]
        text = f"{text}: {outcome_text(value, holds, claim_map, grid)}"
        content = [_short(value), *([sign("✓", "map-sign")] if holds else [])]
        side, share = _shade(claim_map, grid, value)
        classes = ["map-cell", side, *(["map-holds"] if holds else []), *_edges(grid, row, column)]
        look = {"className": " ".join(filter(None, classes)), "style": {"--share": f"{share:.2f}"}}
    is_first = (row, column) == (len(claim_map.y.values) - 1, 0)
    marks = {"data-x": str(x), "data-y": str(y), "aria-label": text}
    point = button(content, marks, title=text, tabIndex="0" if is_first else "-1")
    return html.Td([point, *_point_mark(claim_map, row, column)], **look)


def middle(claim_map: ClaimMap, grid: ClaimGrid) -> float:
    """Around which number the colours part: 0 for changes, else what the paper prints, or the worst where it
    prints none.
    """
    if signed(grid):
        return 0.0
    if isinstance(claim_map.claim, Printed) and claim_map.claim.key == claim_map.key:
        return claim_map.claim.number
    return max(finite_values(grid)) if claim_map.better == "smaller" else min(finite_values(grid))


def _shade(claim_map: ClaimMap, grid: ClaimGrid, value: float) -> tuple[str, float]:
    """On which side of the middle a value lies, and how far, as a share of the farthest."""
    if not math.isfinite(value):
        return "map-deadlock", 1.0
    middle_ = middle(claim_map, grid)
    if value == middle_:
        return "", 0.0
    farthest = max(abs(other - middle_) for other in finite_values(grid))
    is_better = (value < middle_) == (claim_map.better == "smaller")
    return "map-better" if is_better else "map-worse", abs(value - middle_) / farthest


def _edges(grid: ClaimGrid, row: int, column: int) -> list[str]:
    """The sides on which a point where the claim holds meets one where it does not: the contour."""
    around = np.pad(grid.holds, 1)[row : row + 3, column : column + 3]  # nothing holds beyond the map
    if not around[1, 1]:
        return []
    sides = {"top": around[2, 1], "bottom": around[0, 1], "left": around[1, 0], "right": around[1, 2]}
    return [f"map-{side}" for side, holds in sides.items() if not holds]


def _point_mark(claim_map: ClaimMap, row: int, column: int) -> list[html.Span]:
    """The experiment's own place, in the cell that is nearest to it."""
    x, y = calibrated_position(claim_map.x), calibrated_position(claim_map.y)
    if x is None or y is None or (round(y), round(x)) != (row, column):
        return []
    style = {"left": f"{50 + 100 * (x - column):.0f}%", "top": f"{50 - 100 * (y - row):.0f}%"}
    return [sign("◆", "map-own", style=style)]


def _axis_head(axis: Axis, index: int, scope: str) -> html.Th:
    """A value of an axis, the head of a "col" or "row"; at the nearest one also the experiment's own."""
    value = quantities.number(axis.values[index])
    position = calibrated_position(axis)
    if axis.calibrated is None or position is None or round(position) != index:
        return html.Th([value], scope=scope)
    offset = 100 * (position - index)
    mark = html.Span(
        "◆",
        className="map-own-x" if scope == "col" else "map-own-y",
        title=msg("panels.map_table.experiments_own", with_unit=with_unit(axis, axis.calibrated)),
        style={"left": f"{50 + offset:.0f}%"} if scope == "col" else {"top": f"{50 - offset:.0f}%"},
    )
    return html.Th([value, mark], scope=scope)


def map_key(claim_map: ClaimMap, grid: ClaimGrid | None) -> html.Ul:
    """What colours and signs mean, with the least and the largest number."""
    entries: list[list] = []
    if grid:
        holds = msg("panels.map_table.within_line_claim_holds")
        entries = [_scale(claim_map, grid), [sign("✓", "map-holds-key"), holds]]
    if own := titled_values(calibrated_values(claim_map)):
        text = msg("panels.map_table.experiments_own_2", calibrated_texts=own)
        entries.append([html.Span("◆", className="map-own-key"), text])
    return html.Ul([html.Li(entry) for entry in entries], className="map-key")


def _scale(claim_map: ClaimMap, grid: ClaimGrid) -> list:
    """The colours on both sides of the middle, and the numbers that they stand for."""
    middle_ = middle(claim_map, grid)
    ends = sorted({min(finite_values(grid)), middle_, max(finite_values(grid))})
    sides = ("better", "worse") if claim_map.better == "smaller" else ("worse", "better")
    bars = [html.Span(className=f"map-bar map-below map-{sides[0]}")] if ends[0] < middle_ else []
    bars += [html.Span(className=f"map-bar map-above map-{sides[1]}")] if middle_ < ends[-1] else []
    numbers = " … ".join(value_text(end, claim_map.unit, signed(grid)) for end in ends)
    text = msg("panels.map_table.better", name=claim_map.name, value_text=numbers, better=claim_map.better)
    return [html.Span(bars, className="map-scale", **attributes({"aria-hidden": "true"})), text]


def _short(value: float) -> str:
    """A number as a cell has room for it."""
    if not math.isfinite(value):
        return "∞"
    digits = 0 if abs(value) >= 9.95 else 1 if abs(value) >= 0.95 else 2
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else "0"
