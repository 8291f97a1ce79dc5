"""A map of a claim in words: where it holds, found from its points, and what its numbers are."""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import numpy as np

from engine import Axis, ClaimGrid, ClaimMap
from webapp import theme

NEARLY_ALL = 0.9  # of the points: bounds that tell fewer right are not told


class Bound(NamedTuple):
    """An axis up to one of its values, or from it on."""

    axis: Axis
    value: float
    up_to: bool

    @property
    def words(self) -> str:
        """Such as "fetch rate ≤ 8 MB/s"."""
        return f"{named(self.axis)} {'≤' if self.up_to else '≥'} {with_unit(self.value, self.axis.unit)}"

    def inside(self, values: np.ndarray) -> np.ndarray:
        """bool: which of the axis' values are within."""
        return values <= self.value if self.up_to else values >= self.value


def reads(one: ClaimMap, grid: ClaimGrid) -> str:
    """Where the claim holds, and what there is at the experiment's own values."""
    return f"{one.claim.what}: {_where(one, np.array(grid.holds))} {_own(one, grid)}".strip()


def signed(grid: ClaimGrid | None) -> bool:
    """Whether a map is of changes: its numbers lie on both sides of zero."""
    values = [value for row in grid.value for value in row if math.isfinite(value)] if grid else [0.0]
    return bool(values) and min(values) < 0 < max(values)


def value_text(value: float, unit: str, plus: bool = False) -> str:
    """A number of a map with its unit; plus: one above zero has its sign, as a change has."""
    if not math.isfinite(value):
        return "deadlock"
    sign = "+" if plus and value > 0 else ""
    return f"{sign}{theme.number(float(f'{value:.3g}'))} {unit}".strip()


def outcome_text(value: float, holds: bool, one: ClaimMap, grid: ClaimGrid | None) -> str:
    """A point: its number, and whether the claim holds there."""
    return f"{value_text(value, one.unit, signed(grid))}, {'holds' if holds else 'does not hold'}"


def titled(axis: Axis) -> str:
    """An axis with its unit, as a chart has it."""
    units = ", ".join(filter(None, (axis.unit, "log" if axis.log else "")))
    return f"{axis.title} ({units})" if units else axis.title


def with_unit(value: float, unit: str) -> str:
    """A value of an axis."""
    return f"{theme.number(value)} {unit}".strip()


def named(axis: Axis) -> str:
    """An axis within a sentence; abbreviations stay as they are."""
    first, rest = axis.title[:1], axis.title[1:]
    return axis.title if rest != rest.lower() else first.lower() + rest


def _where(one: ClaimMap, holds: np.ndarray) -> str:
    """Where it holds, by at most one bound of each axis, as long as these tell nearly all points right."""
    count, of = int(holds.sum()), holds.size
    if count in (0, of):
        return f"it holds at {'none' if not count else 'every one'} of the {of} points."
    x, y = (np.array(axis.values) for axis in (one.x, one.y))
    columns, rows = ([bound.inside(values)[None, :] if axis is one.x else bound.inside(values)[:, None] for bound in _bounds(axis)]
                     for axis, values in ((one.x, x), (one.y, y)))  # fmt: skip
    alone = [((bound,), "", within | np.zeros_like(holds)) for axis, found in ((one.x, columns), (one.y, rows)) for bound, within in zip(_bounds(axis), found)]
    both = [
        ((first, second), joint, (of_x & of_y) if joint == "and" else (of_x | of_y))
        for (first, of_x), (second, of_y) in product(zip(_bounds(one.x), columns), zip(_bounds(one.y), rows))
        for joint in ("and", "or")
    ]
    bounds, joint, within = max([*alone, *both], key=lambda rule: int((rule[2] == holds).sum()) - len(rule[0]))  # a second bound must tell two points more
    if (within == holds).sum() < NEARLY_ALL * of:
        return f"it holds at {count} of the {of} points, and no bound of the two tells which."
    inside, there = int(within.sum()), int((within & holds).sum())
    all_there = f"at all {inside} points there" if there == inside else f"at {there} of the {inside} points there"
    rest = f"at {count - there} of the {of - inside} others" if count > there else f"at none of the {of - inside} others"
    return f"it holds where {f' {joint} '.join(bound.words for bound in bounds)}: {all_there}, and {rest}."


def _bounds(axis: Axis) -> list[Bound]:
    return [Bound(axis, value, True) for value in axis.values[:-1]] + [Bound(axis, value, False) for value in axis.values[1:]]


def _own(one: ClaimMap, grid: ClaimGrid) -> str:
    """What there is where the experiment stands, if it has a value of both; else the nearest point of the map."""
    x, y = one.x.calibrated, one.y.calibrated
    if x is None or y is None:
        return ""
    beyond = [axis for axis in (one.x, one.y) if not calibrated(axis)]
    if beyond:
        return f"The experiment's own {' and '.join(f'{named(axis)} {with_unit(axis.calibrated, axis.unit)}' for axis in beyond)} is beyond the map."
    column, row = round(place(one.x, x)), round(place(one.y, y))
    value, holds = grid.value[row][column], grid.holds[row][column]
    exact = (grid.x[column], grid.y[row]) == (x, y)
    near = "" if exact else f" (the nearest point: {with_unit(grid.x[column], one.x.unit)}, {with_unit(grid.y[row], one.y.unit)})"
    at = f"{named(one.x)} {with_unit(x, one.x.unit)} and {named(one.y)} {with_unit(y, one.y.unit)}"
    return f"At the experiment's own {at}{near} it {'holds' if holds else 'does not hold'}: {one.name} {value_text(value, one.unit, signed(grid))}."


def calibrated(axis: Axis) -> bool:
    """Whether the experiment has a value of this axis that is on the map."""
    return axis.calibrated is not None and axis.values[0] <= axis.calibrated <= axis.values[-1]


def place(axis: Axis, value: float) -> float:
    """Where a value lies on an axis that is drawn with equal steps: 0 for its first value; beyond its ends at these."""
    values = axis.values
    scaled = np.log if axis.log and values[0] > 0 and value > 0 else np.asarray
    return float(np.interp(scaled(value), scaled(np.array(values, float)), np.arange(len(values))))
