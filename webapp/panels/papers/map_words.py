"""A map of a claim in words: where it holds, found from its points, and what its numbers are."""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import numpy as np

from engine import quantities
from engine.dashboard import Axis, ClaimGrid, ClaimMap
from webapp.messages import msg

NEARLY_ALL = 0.9  # of the points: bounds that tell fewer right are not told


class Bound(NamedTuple):
    """An axis up to one of its values, or from it on."""

    axis: Axis
    value: float
    up_to: bool

    @property
    def words(self) -> str:
        """Such as "fetch rate ≤ 8 MB/s"."""
        return (
            f"{axis_in_sentence(self.axis)} {'≤' if self.up_to else '≥'} "
            f"{with_unit(self.value, self.axis.unit)}"
        )

    def inside(self, values: np.ndarray) -> np.ndarray:
        """bool: which of the axis' values are within."""
        return values <= self.value if self.up_to else values >= self.value


def map_sentence(claim_map: ClaimMap, grid: ClaimGrid) -> str:
    """Where the claim holds, and what there is at the experiment's own values."""
    return (
        f"{claim_map.claim.what}: {_where(claim_map, np.array(grid.holds))} {_at_calibrated(claim_map, grid)}"
    ).strip()


def signed(grid: ClaimGrid | None) -> bool:
    """Whether a map is of changes: its numbers lie on both sides of zero."""
    values = [value for row in grid.value for value in row if math.isfinite(value)] if grid else [0.0]
    return bool(values) and min(values) < 0 < max(values)


def value_text(value: float, unit: str, signed_: bool = False) -> str:
    """A number of a map with its unit; plus: one above zero has its sign, as a change has."""
    if not math.isfinite(value):
        return "deadlock"
    sign = "+" if signed_ and value > 0 else ""
    return f"{sign}{quantities.number(float(f'{value:.3g}'))} {unit}".strip()


def outcome_text(value: float, holds: bool, claim_map: ClaimMap, grid: ClaimGrid | None) -> str:
    """A point: its number, and whether the claim holds there."""
    return f"{value_text(value, claim_map.unit, signed(grid))}, {'holds' if holds else 'does not hold'}"


def axis_title(axis: Axis) -> str:
    """An axis with its unit, as a chart has it."""
    units = ", ".join(filter(None, (axis.unit, "log" if axis.log else "")))
    return f"{axis.title} ({units})" if units else axis.title


def with_unit(value: float, unit: str) -> str:
    """A value of an axis."""
    return f"{quantities.number(value)} {unit}".strip()


def axis_in_sentence(axis: Axis) -> str:
    """An axis within a sentence; abbreviations stay as they are."""
    first, others = axis.title[:1], axis.title[1:]
    return axis.title if others != others.lower() else first.lower() + others


def _where(claim_map: ClaimMap, holds: np.ndarray) -> str:
    """Where it holds, by at most one bound of each axis, as long as these tell nearly all points right."""
    count, total = int(holds.sum()), holds.size
    if count in (0, total):
        return msg(
            "panels.map_words.holds_at_points", value="none" if not count else "every one", total=total
        )
    x, y = (np.array(axis.values) for axis in (claim_map.x, claim_map.y))
    columns, rows = (
        [
            bound.inside(values)[None, :] if axis is claim_map.x else bound.inside(values)[:, None]
            for bound in _bounds(axis)
        ]
        for axis, values in ((claim_map.x, x), (claim_map.y, y))
    )
    single_bounds = [
        ((bound,), "", within | np.zeros_like(holds))
        for axis, masks in ((claim_map.x, columns), (claim_map.y, rows))
        for bound, within in zip(_bounds(axis), masks)
    ]
    two_bounds = [
        ((first, second), conjunction, (of_x & of_y) if conjunction == "and" else (of_x | of_y))
        for (first, of_x), (second, of_y) in product(
            zip(_bounds(claim_map.x), columns), zip(_bounds(claim_map.y), rows)
        )
        for conjunction in ("and", "or")
    ]
    # a second bound must tell two points more
    bounds, conjunction, within = max(
        [*single_bounds, *two_bounds], key=lambda rule: int((rule[2] == holds).sum()) - len(rule[0])
    )
    if (within == holds).sum() < NEARLY_ALL * total:
        return msg("panels.map_words.holds_at_points_and_no_bound", count=count, total=total)
    inside, hits = int(within.sum()), int((within & holds).sum())
    hits_text = (
        msg("panels.map_words.at_all_points_there", inside=inside)
        if hits == inside
        else msg("panels.map_words.at_points_there", hits=hits, inside=inside)
    )
    outside_text = (
        msg("panels.map_words.at_other", count=count - hits, total=total - inside)
        if count > hits
        else msg("panels.map_words.at_none_others", total=total - inside)
    )
    return msg(
        "panels.map_words.holds_where_and",
        words=f" {conjunction} ".join(bound.words for bound in bounds),
        hits_text=hits_text,
        outside_text=outside_text,
    )


def _bounds(axis: Axis) -> list[Bound]:
    return [Bound(axis, value, True) for value in axis.values[:-1]] + [
        Bound(axis, value, False) for value in axis.values[1:]
    ]


def _at_calibrated(claim_map: ClaimMap, grid: ClaimGrid) -> str:
    """What there is where the experiment stands, if it has a value of both; else the nearest point of the
    map.
    """
    x, y = claim_map.x.calibrated, claim_map.y.calibrated
    if x is None or y is None:
        return ""
    off_map = [(axis, own) for axis, own in ((claim_map.x, x), (claim_map.y, y)) if not calibrated(axis)]
    if off_map:
        return msg(
            "panels.map_words.experiments_own_beyond_map",
            value=" and ".join(
                (f"{axis_in_sentence(axis)} {with_unit(own, axis.unit)}" for axis, own in off_map)
            ),
        )
    column, row = round(axis_position(claim_map.x, x)), round(axis_position(claim_map.y, y))
    value, holds = grid.value[row][column], grid.holds[row][column]
    exact = (grid.x[column], grid.y[row]) == (x, y)
    nearest = (
        ""
        if exact
        else (
            msg(
                "panels.map_words.nearest_point",
                with_unit=with_unit(grid.x[column], claim_map.x.unit),
                with_unit2=with_unit(grid.y[row], claim_map.y.unit),
            )
        )
    )
    where = msg(
        "panels.map_words.and",
        axis_in_sentence=axis_in_sentence(claim_map.x),
        with_unit=with_unit(x, claim_map.x.unit),
        axis_in_sentence2=axis_in_sentence(claim_map.y),
        with_unit2=with_unit(y, claim_map.y.unit),
    )
    return msg(
        "panels.map_words.at_experiments_own",
        where=where,
        nearest=nearest,
        value="holds" if holds else "does not hold",
        name=claim_map.name,
        value_text=value_text(value, claim_map.unit, signed(grid)),
    )


def calibrated(axis: Axis) -> bool:
    """Whether the experiment has a value of this axis that is on the map."""
    return axis.calibrated is not None and axis.values[0] <= axis.calibrated <= axis.values[-1]


def calibrated_position(axis: Axis) -> float | None:
    """Where the experiment's own value lies on an axis, as `axis_position` says; None where it is not on the
    map.
    """
    return axis_position(axis, axis.calibrated) if axis.calibrated is not None and calibrated(axis) else None


def axis_position(axis: Axis, value: float) -> float:
    """Where a value lies on an axis that is drawn with equal steps: 0 for its first value; beyond its ends at
    these.
    """
    values = axis.values
    scaled = np.log if axis.log and values[0] > 0 and value > 0 else np.asarray
    return float(np.interp(scaled(value), scaled(np.array(values, float)), np.arange(len(values))))
