"""The map of a claim as a table that looks like a chart: a cell a point, its colour the number, a line around where the claim holds."""

from __future__ import annotations

import math

from dash import html

from engine import Axis, ClaimGrid, ClaimMap, Printed
from webapp.panels.papers.map_words import calibrated, outcome_text, place, signed, titled, value_text, with_unit


def map_table(one: ClaimMap, grid: ClaimGrid | None) -> html.Table:
    """A row a value of y, the largest on top; a cell is a point, one of them a stop of the Tab key, and arrows go on from there (assets/papers.js)."""
    heads = [html.Th([_value(x), *_own_mark(one.x, at, "x")], scope="col") for at, x in enumerate(one.x.values)]
    corner = html.Td(html.Span(f"{titled(one.y)} by {titled(one.x)}", className="unseen"))
    rows = []
    for row in reversed(range(len(one.y.values))):
        cells = [_cell(one, grid, row, column) for column in range(len(one.x.values))]
        head = html.Th([_value(one.y.values[row]), *_own_mark(one.y, row, "y")], scope="row")
        rows.append(html.Tr([head, *cells], **{"data-walk-row": ""}))
    caption = html.Caption(f"{one.name} ({one.unit}), and whether the claim holds", className="unseen")
    return html.Table([caption, html.Thead(html.Tr([corner, *heads])), html.Tbody(rows, **{"data-walk": ""})], className="claim-grid")


def _cell(one: ClaimMap, grid: ClaimGrid | None, row: int, column: int) -> html.Td:
    x, y = one.x.values[column], one.y.values[row]
    at = f"{one.x.title} {with_unit(x, one.x.unit)}, {one.y.title} {with_unit(y, one.y.unit)}"
    stop = "0" if (row, column) == (len(one.y.values) - 1, 0) else "-1"
    data = {"data-x": str(x), "data-y": str(y)}
    mark = _point_mark(one, row, column)
    if grid is None:
        return html.Td([html.Button("·", type="button", title=f"{at}: compute it", tabIndex=stop, **data, **{"aria-label": f"{at}: compute it"}), *mark])
    value, holds = grid.value[row][column], grid.holds[row][column]
    says = f"{at}: {outcome_text(value, holds, one, grid)}"
    side, share = _shade(one, grid, value)
    classes = ["map-cell", side, *(["map-holds"] if holds else []), *_edges(grid, row, column)]
    sign = [html.Span("✓", className="map-sign", **{"aria-hidden": "true"})] if holds else []
    button = html.Button([_short(value), *sign], type="button", title=says, tabIndex=stop, **data, **{"aria-label": says})
    return html.Td([button, *mark], className=" ".join(filter(None, classes)), style={"--share": f"{share:.2f}"})


def middle(one: ClaimMap, grid: ClaimGrid) -> float:
    """Around which number the colours part: 0 for changes, else what the paper prints, or the worst where it prints none."""
    values = [value for row in grid.value for value in row if math.isfinite(value)] or [0.0]
    if signed(grid):
        return 0.0
    if isinstance(one.claim, Printed) and one.claim.key == one.key:
        return one.claim.number
    return max(values) if one.better == "smaller" else min(values)


def _shade(one: ClaimMap, grid: ClaimGrid, value: float) -> tuple[str, float]:
    """On which side of the middle a value lies, and how far, as a share of the farthest."""
    if not math.isfinite(value):
        return "map-deadlock", 1.0
    from_ = middle(one, grid)
    farthest = max((abs(other - from_) for row in grid.value for other in row if math.isfinite(other)), default=0.0) or 1.0
    better = (value < from_) == (one.better == "smaller")
    return ("" if value == from_ else "map-better" if better else "map-worse"), abs(value - from_) / farthest


def _edges(grid: ClaimGrid, row: int, column: int) -> list[str]:
    """The sides on which a point where the claim holds meets one where it does not: the contour."""
    if not grid.holds[row][column]:
        return []
    beside = {"top": (row + 1, column), "bottom": (row - 1, column), "left": (row, column - 1), "right": (row, column + 1)}
    inside = lambda at: 0 <= at[0] < len(grid.y) and 0 <= at[1] < len(grid.x)
    return [f"map-{side}" for side, at in beside.items() if not inside(at) or not grid.holds[at[0]][at[1]]]


def _point_mark(one: ClaimMap, row: int, column: int) -> list[html.Span]:
    """The experiment's own place, in the cell that is nearest to it."""
    if not (calibrated(one.x) and calibrated(one.y)):
        return []
    x, y = place(one.x, one.x.calibrated), place(one.y, one.y.calibrated)
    if (round(y), round(x)) != (row, column):
        return []
    style = {"left": f"{50 + 100 * (x - column):.0f}%", "top": f"{50 - 100 * (y - row):.0f}%"}
    return [html.Span("◆", className="map-own", style=style, **{"aria-hidden": "true"})]


def _own_mark(axis: Axis, at: int, which: str) -> list[html.Span]:
    """The experiment's own value on an axis, above or beside the nearest of its values."""
    if not calibrated(axis) or round(place(axis, axis.calibrated)) != at:
        return []
    off = 100 * (place(axis, axis.calibrated) - at)
    style = {"left": f"{50 + off:.0f}%"} if which == "x" else {"top": f"{50 - off:.0f}%"}
    return [html.Span("◆", className=f"map-own-{which}", title=f"The experiment's own: {with_unit(axis.calibrated, axis.unit)}", style=style)]


def map_key(one: ClaimMap, grid: ClaimGrid | None) -> html.Ul:
    """What colours and signs mean, with the least and the largest number."""
    own = [f"{axis.title} {with_unit(axis.calibrated, axis.unit)}" for axis in (one.x, one.y) if axis.calibrated is not None]
    entries = [html.Li([html.Span("◆", className="map-own-key"), f"the experiment's own: {', '.join(own)}"])] if own else []
    if grid is None:
        return html.Ul(entries, className="map-key")
    values = [value for row in grid.value for value in row if math.isfinite(value)] or [0.0]
    parts = middle(one, grid)
    ends = sorted({min(values), parts, max(values)})
    below, above = ("map-better", "map-worse") if one.better == "smaller" else ("map-worse", "map-better")
    bars = [html.Span(className=f"map-bar map-below {below}")] if ends[0] < parts else []
    bars += [html.Span(className=f"map-bar map-above {above}")] if parts < ends[-1] else []
    bar = html.Span(bars, className="map-scale", **{"aria-hidden": "true"})
    range_ = f"{one.name}, {' … '.join(value_text(end, one.unit, signed(grid)) for end in ends)}; {one.better} is better"
    sign = html.Span("✓", className="map-holds-key", **{"aria-hidden": "true"})
    return html.Ul([html.Li([bar, range_]), html.Li([sign, "within the line the claim holds"]), *entries], className="map-key")


def _value(value: float) -> str:
    return with_unit(value, "")


def _short(value: float) -> str:
    """A number as a cell has room for it."""
    if not math.isfinite(value):
        return "∞"
    text = f"{value:.0f}" if abs(value) >= 9.95 else f"{value:.1f}" if abs(value) >= 0.95 else f"{value:.2f}"
    return text.replace("-", "−") if float(text) else "0"
