"""Maps of the papers' headline claims: one claim judged over a grid of two parameters; recorded, and
recomputed at single points.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine.experiments.replications import parallel_map
from engine.papers.gallery import PAPERS
from engine.papers.judge import average, judge_claim
from engine.papers.schema import HOLDS, ClaimMap
from engine.papers.trial import Progress, Trial, no_progress

FILE = Path(__file__).with_name("recorded") / "claim-maps.json"
SEEDS = 5  # of a point


class Point(NamedTuple):
    """The number that is drawn, and whether the claim holds there, in all that it says."""

    value: float
    holds: bool


class ClaimGrid(NamedTuple):
    """A map as it was recorded. x, y: the values of its axes; value, holds: a row a value of y, in it an
    entry a value of x; inf: a deadlock.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    value: tuple[tuple[float, ...], ...]
    holds: tuple[tuple[bool, ...], ...]


def headline_maps() -> dict[str, ClaimMap]:
    """The papers' headlines by the papers' keys."""
    return {paper.key: paper.headline for paper in PAPERS if paper.headline}


def judge_at_point(claim_map: ClaimMap, x: float, y: float) -> Point:
    """The claim with both parameters at these values, run now; raises as the runs do."""
    samples = claim_map.measure(x, y, Trial().at_most(SEEDS))
    finding = judge_claim(claim_map.claim, samples)
    return Point(average(samples[claim_map.key]), all(state == HOLDS for state in finding.states.values()))


def compute_map(claim_map: ClaimMap, progress: Progress = no_progress) -> ClaimGrid:
    """The whole map, run now."""
    places = [(x, y) for y in claim_map.y.values for x in claim_map.x.values]
    points = parallel_map(lambda xy: judge_at_point(claim_map, *xy), places, progress)
    width = len(claim_map.x.values)
    rows = [points[at : at + width] for at in range(0, len(points), width)]
    value, holds = (
        tuple(tuple(getattr(point, part) for point in row) for row in rows) for part in ("value", "holds")
    )
    return ClaimGrid(claim_map.x.values, claim_map.y.values, value, holds)


@cache
def recorded_maps() -> dict[str, ClaimGrid]:
    """The maps as recorded, by the papers' keys; one whose axes have changed since is left out."""
    stored = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    return {
        key: read
        for key, claim_map in headline_maps().items()
        if key in stored and _fits(claim_map, read := _read(stored[key]))
    }


def as_json(grids: Mapping[str, ClaimGrid]) -> str:
    """The file's text: a line a row."""
    return json.dumps({key: _plain(grid) for key, grid in grids.items()}, indent=1) + "\n"


def _plain(grid: ClaimGrid) -> dict[str, list]:
    value = [[repr(float(f"{value_or_flag:.5g}")) for value_or_flag in row] for row in grid.value]
    return {
        "x": list(grid.x),
        "y": list(grid.y),
        "value": [" ".join(row) for row in value],
        "holds": ["".join("01"[value_or_flag] for value_or_flag in row) for row in grid.holds],
    }


def _read(stored: Mapping[str, list]) -> ClaimGrid:
    value = tuple(tuple(float(text) for text in row.split()) for row in stored["value"])
    return ClaimGrid(
        tuple(stored["x"]),
        tuple(stored["y"]),
        value,
        tuple(tuple(sign == "1" for sign in row) for row in stored["holds"]),
    )


def _fits(claim_map: ClaimMap, grid: ClaimGrid) -> bool:
    return (grid.x, grid.y) == (claim_map.x.values, claim_map.y.values)
