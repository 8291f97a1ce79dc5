"""Rows of the Gantt chart: containers in lanes, or all that a node, rack, job, user or queue holds in a row of its own.

Rows of one layout are the same for every run side by side, so that their charts can be compared row by row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine import Run, covered
from webapp.figures import highlight
from webapp.figures.timeline.scene import Scene

BY = ("lane", "node", "rack", "job", "user", "queue")
SORTS = ("order", "name", "busy", "first")
UNIT_NAMES = {"lane": "node", "node": "node", "rack": "rack", "job": "job", "user": "user", "queue": "queue"}
USUAL_PX = 240
PEAK_BINS = 400  # over which the peak of a row is looked for
HIDDEN = -(2**40)


class Wanted(NamedTuple):
    """How rows are asked for. by: one of BY; sort: one of SORTS; find: part of a name; opened: names whose row is shown the other way round."""

    by: str = "lane"
    sort: str = "order"
    find: str = ""
    opened: frozenset[str] = frozenset()


class Rows(NamedTuple):
    """Which row is whose. Units are nodes, or jobs where rows are by job, user or queue.

    first: int64[units], first row of each, below 0 of one that is not shown; laned: bool[units], whether its containers have lanes;
    names, parents: of each labelled group from the top (parent: a node's rack, else ""); starts: int64[groups + 1], their first rows and the
    number of rows; whole: bool[rows], those that hold all of a group; full: float64[units], vcores that fill its row; hidden: groups
    left out by `find`; seen: the rows looked at, by their edges, None for all; px: height of the rows looked at.
    """

    wanted: Wanted
    first: np.ndarray
    laned: np.ndarray
    names: tuple[str, ...]
    parents: tuple[str, ...]
    starts: np.ndarray
    whole: np.ndarray
    full: np.ndarray
    hidden: int
    seen: tuple[float, float] | None
    px: int

    @property
    def by_job(self) -> bool:
        """Whether units are jobs."""
        return self.wanted.by in ("job", "user", "queue")

    @property
    def count(self) -> int:
        """How many rows there are; one, empty, where nothing is shown."""
        return max(int(self.starts[-1]), 1)

    @property
    def drawn(self) -> tuple[int, int]:
        """The first row that is drawn and how many are."""
        if self.seen is None:
            return 0, self.count
        first = min(max(int(np.floor(self.seen[0])), 0), self.count - 1)
        return first, min(max(int(np.ceil(self.seen[1])), first + 1), self.count) - first

    @property
    def range(self) -> tuple[float, float]:
        """The vertical axis from its upper end to its lower, row r being from r - 0.5 to r + 0.5."""
        first, last = self.seen or (0, self.count)
        return first - 0.5, last - 0.5

    @property
    def row_px(self) -> float:
        """Height of a row in pixels."""
        top, bottom = self.range
        return self.px / (bottom - top)

    def of(self, scene: Scene) -> np.ndarray:
        """int32[containers]: the row of each container of a run, below 0 where it is not shown; not to be written to."""
        kept = scene.kept_rows
        if kept is None or kept[0] is not self.first or kept[1] is not self.laned:
            kept = scene.kept_rows = self.first, self.laned, self._of(scene)
        return kept[2]

    def _of(self, scene: Scene) -> np.ndarray:
        c = scene.run.containers
        unit = c.job if self.by_job else c.node
        row = np.maximum(self.first, -(2**30)).astype(np.int32)[unit]
        if self.laned.any():
            row += (scene.in_jobs if self.by_job else scene.on_nodes).lane * self.laned[unit]
        return row

    def looked(self, seen: tuple[float, float] | None) -> Rows:
        """The same rows, these looked at: by their edges, cut to those there are; None for all."""
        if seen is None or seen[1] - seen[0] >= self.count - 1e-9:
            return self._replace(seen=None)
        width = max(seen[1] - seen[0], 1.0)
        low = min(max(seen[0], 0.0), self.count - width)
        return self._replace(seen=(low, low + width))


AS_USUAL = Wanted()


def rows(scenes: Sequence[Scene], wanted: Wanted = AS_USUAL) -> Rows:
    """The rows of runs side by side. Cost: groups, and containers where rows are sorted by use or hold all of something."""
    run = scenes[0].run
    work = run.workload
    by_job = wanted.by in ("job", "user", "queue")
    units = list(work.job_names if by_job else work.node_names)
    owners = {"rack": highlight.racks(run), "user": work.job_users, "queue": [work.queues.names[one] for one in work.job_queue.tolist()]}
    entity = owners.get(wanted.by, units)
    members: dict[str, list[int]] = {}
    for unit, name in enumerate(entity):
        members.setdefault(name if wanted.by in owners else str(unit), []).append(unit)
    names = {key: key if wanted.by in owners else units[int(key)] for key in members}
    racks = [""] * len(units) if by_job or wanted.by == "rack" else work.node_racks
    part = wanted.find.strip().casefold()
    shown = [key for key in members if part in names[key].casefold() or (part and part in racks[members[key][0]].casefold())]
    needed = _lanes(scenes, wanted, names)
    first, laned = np.full(len(units), HIDDEN), np.zeros(len(units), bool)
    labels, parents, starts, whole = [], [], [0], []
    for key in _sorted(shown, members, names, racks, run, wanted):
        opened = names[key] in wanted.opened
        split = opened and wanted.by in owners
        for group in [[unit] for unit in members[key]] if split else [members[key]]:
            lanes = wanted.by not in owners and opened != (wanted.by == "lane")
            high = max(int(needed[group[0]]), 1) if lanes else 1
            first[group], laned[group] = starts[-1], lanes
            labels.append(units[group[0]] if split else names[key])
            parents.append(names[key] if split else racks[group[0]])
            starts.append(starts[-1] + high)
            whole += [not lanes] * high
    made = Rows(wanted, first, laned, tuple(labels), tuple(parents), np.array(starts), np.array(whole, bool), np.ones(len(units)), 0, None, USUAL_PX)
    full = _full(scenes, made) if made.whole.any() else made.full
    return made._replace(full=full, hidden=len(members) - len(shown))


def _lanes(scenes: Sequence[Scene], wanted: Wanted, names: dict[str, str]) -> np.ndarray:
    """int64[units]: the lanes a unit needs in every one of the runs."""
    if wanted.by == "job":
        return np.max([one.in_jobs.used for one in scenes], axis=0) if wanted.opened & set(names.values()) else np.ones(len(names))
    if wanted.by in ("lane", "node"):
        return np.max([one.on_nodes.used for one in scenes], axis=0)
    return np.ones(0)


def _sorted(shown: list[str], members: dict[str, list[int]], names: dict[str, str], racks: Sequence[str], run: Run, wanted: Wanted) -> list[str]:
    """Groups from the top; in file order, nodes of a rack stand together, racks in the order of their first nodes."""
    if wanted.sort == "name":
        return sorted(shown, key=lambda key: _natural(names[key]))
    if wanted.sort in ("busy", "first"):
        c, by_job = run.containers, wanted.by in ("job", "user", "queue")
        unit, units = (c.job, len(run.workload.job_names)) if by_job else (c.node, len(run.workload.node_names))
        if wanted.sort == "busy":
            held = np.bincount(unit, (np.where(c.end < 0, run.at_ms, c.end) - c.start) * run.workload.request_vcores[c.job * 3 + c.kind], units)
            return sorted(shown, key=lambda key: -held[members[key]].sum())
        starts = np.full(units, np.iinfo(np.int64).max)
        np.minimum.at(starts, unit, c.start)
        return sorted(shown, key=lambda key: starts[members[key]].min())
    place = {rack: number for number, rack in enumerate(dict.fromkeys(racks))}
    return sorted(shown, key=lambda key: place[racks[members[key][0]]])


def _natural(name: str) -> list:
    """node2 before node10."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part.casefold()) for part in re.split(r"(\d+)", name) if part]


def _full(scenes: Sequence[Scene], made: Rows) -> np.ndarray:
    """float64[units]: vcores that fill a row: a node's or rack's own, else the most that one of the rows ever holds, in the mean of a bin."""
    work = scenes[0].run.workload
    row = np.maximum(made.first, -1)
    if not made.by_job:
        capacity = np.bincount(np.maximum(row, 0), np.where(row < 0, 0, work.node_vcores), made.count)
        return np.where(row < 0, 1, capacity[np.maximum(row, 0)])
    window = min(one.run.first_ms for one in scenes), max(one.run.until_ms for one in scenes) + 1
    peak = 1.0
    for one in scenes:
        line = np.where(made.laned, -1, row)[one.run.containers.job].astype(np.int32)
        held = covered(one.container, np.zeros(len(one.phase), np.int8), one.start, one.end, line, one.vcores, window, (made.count, 1, PEAK_BINS))
        peak = max(peak, float(held.max(initial=0)))
    return np.full(len(made.first), peak)
