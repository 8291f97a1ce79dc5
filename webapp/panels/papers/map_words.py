"""A map of a claim in words: where it holds, found from its points, and what its numbers are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product

import numpy as np

from engine import quantities
from engine.dashboard import Axis, ClaimGrid, ClaimMap
from webapp.messages import msg

NEARLY_ALL = 0.9  # of the points: bounds that tell fewer right are not told


def map_sentence(claim_map: ClaimMap, grid: ClaimGrid) -> str:
    """Where the claim holds, and what there is at the experiment's own values."""
    where = _where(claim_map, np.array(grid.holds))
    return f"{claim_map.claim.what}: {where} {_at_calibrated(claim_map, grid)}".strip()


def finite_values(grid: ClaimGrid) -> list[float]:
    """The numbers of a map without deadlocks; 0 where there is none."""
    return [value for row in grid.value for value in row if math.isfinite(value)] or [0.0]


def signed(grid: ClaimGrid | None) -> bool:
    """Whether a map is of changes: its numbers lie on both sides of zero."""
    return grid is not None and min(finite_values(grid)) < 0 < max(finite_values(grid))


def value_text(value: float, unit: str, signed_: bool = False) -> str:
    """A number of a map with its unit; signed_: one above zero has its sign, as a change has."""
    if not math.isfinite(value):
        return "deadlock"
    sign = "+" if signed_ and value > 0 else ""
    return f"{sign}{quantities.number(float(f'{value:.3g}'))} {unit}".strip()


def outcome_text(value: float, holds: bool, claim_map: ClaimMap, grid: ClaimGrid | None) -> str:
    """A point: its number, and whether the claim holds there."""
    return f"{value_text(value, claim_map.unit, signed(grid))}, {_holds_text(holds)}"


def _holds_text(holds: bool) -> str:
    return "holds" if holds else "does not hold"


def axis_title(axis: Axis) -> str:
    """An axis with its unit, as a chart has it."""
    units = ", ".join(filter(None, (axis.unit, "log" if axis.log else "")))
    return f"{axis.title} ({units})" if units else axis.title


def with_unit(axis: Axis, value: float) -> str:
    """A value of an axis."""
    return f"{quantities.number(value)} {axis.unit}".strip()


def titled_values(values: Iterable[tuple[Axis, float]]) -> str:
    """Such as "Fetch rate 8 MB/s, Containers 16"."""
    return ", ".join(f"{axis.title} {with_unit(axis, value)}" for axis, value in values)


def axis_in_sentence(axis: Axis) -> str:
    """An axis within a sentence; abbreviations stay as they are."""
    first, others = axis.title[:1], axis.title[1:]
    return axis.title if others != others.lower() else first.lower() + others


def _where(claim_map: ClaimMap, holds: np.ndarray) -> str:
    """Where it holds, by at most one bound of each axis, as long as these tell nearly all points right."""
    count, total = int(holds.sum()), holds.size
    if count in (0, total):
        return msg("panels.map_words.holds_at_points", value="every one" if count else "none", total=total)
    x, y = np.meshgrid(claim_map.x.values, claim_map.y.values)
    bounds_x, bounds_y = _bounds(claim_map.x, x), _bounds(claim_map.y, y)
    rules = [(1, words, within) for words, within in bounds_x + bounds_y]
    for (words_x, within_x), (words_y, within_y) in product(bounds_x, bounds_y):
        rules.append((2, f"{words_x} and {words_y}", within_x & within_y))
        rules.append((2, f"{words_x} or {words_y}", within_x | within_y))
    # a second bound must tell two points more
    _, words, within = max(rules, key=lambda rule: int((rule[2] == holds).sum()) - rule[0])
    if (within == holds).sum() < NEARLY_ALL * total:
        return msg("panels.map_words.holds_at_points_and_no_bound", count=count, total=total)
    inside, hits = int(within.sum()), int((within & holds).sum())
    there = (
        msg("panels.map_words.at_all_points_there", inside=inside)
        if hits == inside
        else msg("panels.map_words.at_points_there", hits=hits, inside=inside)
    )
    elsewhere = (
        msg("panels.map_words.at_other", count=count - hits, total=total - inside)
        if count > hits
        else msg("panels.map_words.at_none_others", total=total - inside)
    )
    return msg("panels.map_words.holds_where_and", words=words, there=there, elsewhere=elsewhere)


def _bounds(axis: Axis, points: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """The axis up to one of its values, or from it on: such as "fetch rate ≤ 8 MB/s", and which points of the
    map, whose values these are, lie within.
    """
    up_to = [("≤", value, points <= value) for value in axis.values[:-1]]
    from_on = [("≥", value, points >= value) for value in axis.values[1:]]
    return [
        (f"{axis_in_sentence(axis)} {sign} {with_unit(axis, value)}", within)
        for sign, value, within in up_to + from_on
    ]


def _at_calibrated(claim_map: ClaimMap, grid: ClaimGrid) -> str:
    """What there is where the experiment stands, if it has a value of both; else the nearest point of the
    map.
    """
    own = calibrated_values(claim_map)
    if len(own) < 2:
        return ""
    off_map = [(axis, value) for axis, value in own if calibrated_position(axis) is None]
    if off_map:
        return msg("panels.map_words.experiments_own_beyond_map", value=_in_sentence(off_map))
    column, row = (round(axis_position(axis, value)) for axis, value in own)
    x, y = grid.x[column], grid.y[row]
    nearest = (
        ""
        if (x, y) == (claim_map.x.calibrated, claim_map.y.calibrated)
        else msg("panels.map_words.nearest_point", x=with_unit(claim_map.x, x), y=with_unit(claim_map.y, y))
    )
    return msg(
        "panels.map_words.at_experiments_own",
        where=_in_sentence(own),
        nearest=nearest,
        value=_holds_text(grid.holds[row][column]),
        name=claim_map.name,
        value_text=value_text(grid.value[row][column], claim_map.unit, signed(grid)),
    )


def _in_sentence(values: Iterable[tuple[Axis, float]]) -> str:
    return " and ".join(f"{axis_in_sentence(axis)} {with_unit(axis, value)}" for axis, value in values)


def calibrated_values(claim_map: ClaimMap) -> list[tuple[Axis, float]]:
    """The axes of which the experiment has a value, with it."""
    axes = (claim_map.x, claim_map.y)
    return [(axis, axis.calibrated) for axis in axes if axis.calibrated is not None]


def calibrated_position(axis: Axis) -> float | None:
    """Where the experiment's own value lies on an axis, as `axis_position` says; None where it is not on the
    map.
    """
    own = axis.calibrated
    if own is None or not axis.values[0] <= own <= axis.values[-1]:
        return None
    return axis_position(axis, own)


def axis_position(axis: Axis, value: float) -> float:
    """Where a value lies on an axis that is drawn with equal steps: 0 for its first value; beyond its ends at
    these.
    """
    values = axis.values
    scaled = np.log if axis.log and values[0] > 0 and value > 0 else np.asarray
    return float(np.interp(scaled(value), scaled(np.array(values, float)), np.arange(len(values))))
