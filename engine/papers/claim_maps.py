"""The maps of the papers' headlines: one claim judged at every point of two parameters; recorded, and computed anew at any one point."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine.experiments.replications import in_parallel
from engine.papers.gallery import PAPERS
from engine.papers.judge import find, mean
from engine.papers.schema import ClaimMap
from engine.papers.trial import Progress, Trial, unheard

FILE = Path(__file__).with_name("recorded") / "claim-maps.json"
SEEDS = 5  # of a point


class Point(NamedTuple):
    """The number that is drawn, and whether the claim holds there: as on its page, a direction alone is not enough."""

    value: float
    holds: bool


class ClaimGrid(NamedTuple):
    """A map as it was recorded. x, y: the values of its axes; value, holds: a row a value of y, in it an entry a value of x; inf: a deadlock."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    value: tuple[tuple[float, ...], ...]
    holds: tuple[tuple[bool, ...], ...]


def maps() -> dict[str, ClaimMap]:
    """The papers' headlines by the papers' keys."""
    return {paper.key: paper.headline for paper in PAPERS if paper.headline}


def at_point(one: ClaimMap, x: float, y: float) -> Point:
    """The claim with both parameters at these values, run now; raises as the runs do."""
    samples = one.measure(x, y, Trial().at_most(SEEDS))
    found = find(one.claim, samples)
    return Point(mean(samples[one.key]).mean, found.agrees)


def drawn(one: ClaimMap, progress: Progress = unheard) -> ClaimGrid:
    """The whole map, run now."""
    places = [(x, y) for y in one.y.values for x in one.x.values]
    points = in_parallel(lambda place: at_point(one, *place), places, progress)
    wide = len(one.x.values)
    rows = [points[at : at + wide] for at in range(0, len(points), wide)]
    value, holds = (tuple(tuple(getattr(point, part) for point in row) for row in rows) for part in ("value", "holds"))
    return ClaimGrid(one.x.values, one.y.values, value, holds)


@cache
def recorded_maps() -> dict[str, ClaimGrid]:
    """The maps as recorded, by the papers' keys; one whose axes have changed since is left out."""
    stored = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    return {key: read for key, one in maps().items() if key in stored and _fits(one, read := _read(stored[key]))}


def written(grids: Mapping[str, ClaimGrid]) -> str:
    """The file's text: a line a row."""
    return json.dumps({key: _plain(grid) for key, grid in grids.items()}, indent=1) + "\n"


def _plain(grid: ClaimGrid) -> dict[str, list]:
    value = [[repr(float(f"{one:.5g}")) for one in row] for row in grid.value]
    return {"x": list(grid.x), "y": list(grid.y), "value": [" ".join(row) for row in value], "holds": ["".join("01"[one] for one in row) for row in grid.holds]}


def _read(one: Mapping[str, list]) -> ClaimGrid:
    value = tuple(tuple(float(text) for text in row.split()) for row in one["value"])
    return ClaimGrid(tuple(one["x"]), tuple(one["y"]), value, tuple(tuple(sign == "1" for sign in row) for row in one["holds"]))


def _fits(one: ClaimMap, grid: ClaimGrid) -> bool:
    return (grid.x, grid.y) == (one.x.values, one.y.values)
