"""Rows of the Gantt chart: containers in lanes, or all that a node, rack, job, user or queue holds in a row
of its own.

Rows of one layout are the same for every run side by side, so that their charts can be compared row by row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine import Run
from engine.dashboard import INFINITE, requests_of
from webapp.figures import highlight
from webapp.figures.timeline.scene import Scene

GROUPINGS = ("lane", "node", "rack", "job", "user", "queue")
SORTS = ("order", "name", "busy", "first")
UNIT_NAMES = {"lane": "node", "node": "node", "rack": "rack", "job": "job", "user": "user", "queue": "queue"}
DEFAULT_PX = 240
PEAK_BINS = 400  # over which the peak of a row is looked for
HIDDEN_ROW = -(2**30)

OWNERS = ("rack", "user", "queue")  # of units, where a group is all that one has; else each unit is a group


class RowOptions(NamedTuple):
    """How rows are asked for. by: one of GROUPINGS; sort: one of SORTS; find: part of a name; opened: names
    whose row is shown the other way round.
    """

    by: str = "lane"
    sort: str = "order"
    find: str = ""
    opened: frozenset[str] = frozenset()

    @property
    def by_job(self) -> bool:
        """Whether units are jobs."""
        return self.by in ("job", "user", "queue")


class Rows(NamedTuple):
    """Which row is whose. Units are nodes, or jobs where rows are by job, user or queue.

    first: int64[units], first row of each, below 0 of one that is not shown; has_lanes: bool[units], whether
    its containers have lanes; names, parents: of each labelled group from the top (parent: a node's rack,
    else ""); starts: int64[groups + 1], their first rows and the number of rows; is_aggregate: bool[rows],
    those that hold all of a group; full: float64[units], vcores that fill its row; hidden: groups left out by
    `find`; seen: the rows looked at, by their edges, None for all; px: height of the rows looked at.
    """

    options: RowOptions
    first: np.ndarray
    has_lanes: np.ndarray
    names: tuple[str, ...]
    parents: tuple[str, ...]
    starts: np.ndarray
    is_aggregate: np.ndarray
    full: np.ndarray
    hidden: int
    seen: tuple[float, float] | None = None
    px: int = DEFAULT_PX

    @property
    def by_job(self) -> bool:
        """Whether units are jobs."""
        return self.options.by_job

    @property
    def row_count(self) -> int:
        """How many rows there are; one, empty, where nothing is shown."""
        return max(int(self.starts[-1]), 1)

    @property
    def drawn(self) -> tuple[int, int]:
        """The first row that is drawn and how many are."""
        if self.seen is None:
            return 0, self.row_count
        first = min(max(int(np.floor(self.seen[0])), 0), self.row_count - 1)
        return first, min(max(int(np.ceil(self.seen[1])), first + 1), self.row_count) - first

    @property
    def range(self) -> tuple[float, float]:
        """The vertical axis from its upper end to its lower, row r being from r - 0.5 to r + 0.5."""
        first, last = self.seen or (0, self.row_count)
        return first - 0.5, last - 0.5

    @property
    def row_px(self) -> float:
        """Height of a row in pixels."""
        top, bottom = self.range
        return self.px / (bottom - top)

    def rows_of(self, scene: Scene) -> np.ndarray:
        """int32[containers]: the row of each container of a run, below 0 where it is not shown; not to be
        written to.
        """
        cached = scene.cached_rows
        if cached is None or cached[0] is not self.first or cached[1] is not self.has_lanes:
            cached = scene.cached_rows = self.first, self.has_lanes, self._compute_rows(scene)
        return cached[2]

    def _compute_rows(self, scene: Scene) -> np.ndarray:
        c = scene.run.containers
        unit = c.job if self.by_job else c.node
        row = self.first.astype(np.int32)[unit]
        if self.has_lanes.any():
            row += (scene.job_lanes if self.by_job else scene.node_lanes).lane * self.has_lanes[unit]
        return row

    def zoomed_to(self, seen: tuple[float, float] | None) -> Rows:
        """The same rows, these looked at: by their edges, cut to those there are; None for all."""
        if seen is None or seen[1] - seen[0] >= self.row_count - 1e-9:
            return self._replace(seen=None)
        width = max(seen[1] - seen[0], 1.0)
        first = min(max(seen[0], 0.0), self.row_count - width)
        return self._replace(seen=(first, first + width))


DEFAULT_OPTIONS = RowOptions()


def rows(scenes: Sequence[Scene], options: RowOptions = DEFAULT_OPTIONS) -> Rows:
    """The rows of runs side by side. Cost: groups, and containers where rows are sorted by use or hold all of
    something.
    """
    run = scenes[0].run
    work = run.workload
    units = list(work.job_names if options.by_job else work.node_names)
    is_owned = options.by in OWNERS
    members, names = _group_units(run, units, options.by)
    racks = [""] * len(units) if options.by_job or options.by == "rack" else work.node_racks
    shown = _find_groups(options.find, members, names, racks)
    lane_counts = _lane_counts(scenes, options, names)
    first, has_lanes = np.full(len(units), HIDDEN_ROW), np.zeros(len(units), bool)
    labels, parents, starts, is_aggregate = [], [], [0], []
    for key in _sort_groups(shown, members, names, racks, run, options):
        opened = names[key] in options.opened
        split = opened and is_owned
        for group in [[unit] for unit in members[key]] if split else [members[key]]:
            lanes = not is_owned and opened != (options.by == "lane")
            row_count = max(int(lane_counts[group[0]]), 1) if lanes else 1
            first[group], has_lanes[group] = starts[-1], lanes
            labels.append(units[group[0]] if split else names[key])
            parents.append(names[key] if split else racks[group[0]])
            starts.append(starts[-1] + row_count)
            is_aggregate += [not lanes] * row_count
    layout = Rows(
        options,
        first,
        has_lanes,
        tuple(labels),
        tuple(parents),
        np.array(starts),
        np.array(is_aggregate, bool),
        full=np.ones(len(units)),
        hidden=len(members) - len(shown),
    )
    return layout._replace(full=_full_vcores(scenes, layout)) if any(is_aggregate) else layout


def _group_units(run: Run, units: Sequence[str], by: str) -> tuple[dict[str, list[int]], dict[str, str]]:
    """The units of each group and its name, by key: the owner's name, or a unit's place where each is a group
    of its own.
    """
    if by not in OWNERS:
        places = [str(unit) for unit in range(len(units))]
        return {place: [int(place)] for place in places}, dict(zip(places, units))
    members: dict[str, list[int]] = {}
    for unit, owner in enumerate(highlight.racks(run) if by == "rack" else highlight.job_owners(run, by)):
        members.setdefault(owner, []).append(unit)
    return members, {owner: owner for owner in members}


def _find_groups(
    text: str, members: dict[str, list[int]], names: dict[str, str], racks: Sequence[str]
) -> list[str]:
    """The keys of groups that have the text in their name or rack, all without a text."""
    part = text.strip().casefold()
    return [
        key
        for key in members
        if part in names[key].casefold() or (part and part in racks[members[key][0]].casefold())
    ]


def _lane_counts(scenes: Sequence[Scene], options: RowOptions, names: dict[str, str]) -> np.ndarray:
    """int64[units]: the lanes a unit needs in every one of the runs."""
    if options.by == "job":
        if not options.opened & set(names.values()):
            return np.ones(len(names))
        return np.max([scene.job_lanes.used for scene in scenes], axis=0)
    if options.by in ("lane", "node"):
        return np.max([scene.node_lanes.used for scene in scenes], axis=0)
    return np.ones(0)


def _sort_groups(
    shown: list[str],
    members: dict[str, list[int]],
    names: dict[str, str],
    racks: Sequence[str],
    run: Run,
    options: RowOptions,
) -> list[str]:
    """Groups from the top; in file order, nodes of a rack stand together, racks in the order of their first
    nodes.
    """
    if options.sort == "name":
        return sorted(shown, key=lambda key: _natural_key(names[key]))
    if options.sort in ("busy", "first"):
        c, work = run.containers, run.workload
        unit, units = (c.job, len(work.job_names)) if options.by_job else (c.node, len(work.node_names))
        if options.sort == "busy":
            length = np.where(c.end < 0, run.at_ms, c.end) - c.start
            held = np.bincount(unit, length * work.request_vcores[requests_of(work, c)], units)
            return sorted(shown, key=lambda key: -held[members[key]].sum())
        starts = np.full(units, INFINITE)
        np.minimum.at(starts, unit, c.start)
        return sorted(shown, key=lambda key: starts[members[key]].min())
    rack_order = {rack: number for number, rack in enumerate(dict.fromkeys(racks))}
    return sorted(shown, key=lambda key: rack_order[racks[members[key][0]]])


def _natural_key(name: str) -> list:
    """node2 before node10."""
    return [
        (0, int(part), "") if part.isdigit() else (1, 0, part.casefold())
        for part in re.split(r"(\d+)", name)
        if part
    ]


def _full_vcores(scenes: Sequence[Scene], layout: Rows) -> np.ndarray:
    """float64[units]: vcores that fill a row: a node's or rack's own, else the most that one of the rows ever
    holds, in the mean of a bin.
    """
    work = scenes[0].run.workload
    row = np.maximum(layout.first, -1)
    if not layout.by_job:
        capacity = np.bincount(np.maximum(row, 0), np.where(row < 0, 0, work.node_vcores), layout.row_count)
        return np.where(row < 0, 1, capacity[np.maximum(row, 0)])
    window = min(scene.run.first_ms for scene in scenes), max(scene.run.until_ms for scene in scenes) + 1
    peak = 1.0
    for scene in scenes:
        line = np.where(layout.has_lanes, -1, row)[scene.run.containers.job].astype(np.int32)
        kind = np.zeros(len(scene.phase), np.int8)
        held = scene.coverage(kind, line, scene.vcores, window, (layout.row_count, 1, PEAK_BINS))
        peak = max(peak, float(held.max(initial=0)))
    return np.full(len(layout.first), peak)
