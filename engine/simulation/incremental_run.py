"""A run of a changed scenario, resumed from a snapshot of the run before the change, where only later events
differ.

Up to an instant two runs are the same whose scenarios differ in later things alone. All that a run knows of
later jobs lies in the arrays as they are made; they are compared as they were at the beginning of both runs.
Law: what is resumed so is the changed scenario's run, array for array.

What may differ       arrays by job, after those that have arrived, and outages after those that have happened
What is taken over    what the run has written; of jobs that have not arrived what the changed scenario's run
                      begins with
Orders that rank      rank all jobs when they are first asked: those that have not arrived are marked as
                      changed, and ranked anew
Orders that keep      scores by sizes of all jobs (terms/cached_scores.py): where those differ by place, they
                      are kept anew from the next decision on
Orders that number    all sizes at their first decision (SAF's temperature, FRESH's slots): where those differ
                      by place, the run is made from its beginning, as it is wherever anything else differs
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from engine.codes import OUT_OF_CONTAINERS, PAUSED, PER_JOB
from engine.errors import TooLarge
from engine.scenario.field_types import milliseconds
from engine.scenario.model import Cluster, Scenario
from engine.schedulers.scheduler import Scheduler
from engine.simulation.cancellation import CancelToken
from engine.simulation.kernel.state import COUNTERS
from engine.simulation.run import Run
from engine.simulation.simulate import ArraySizes, PreparedRun, finish_run, larger_sizes, prepare, runs_plain
from engine.simulation.snapshots import ArrayCopies, PausableRun, Snapshot, checked_scheduler, named_arrays
from engine.simulation.workload import submissions

# and all job_*
BY_JOB = {
    "map_base",
    "draw_base",
    "reduce_base",
    "held_back_kind",
    "owner_max_running_jobs",
    "last_at_fair_share",
}
BY_REQUEST = {"fit_vcores", "startup_law"}  # and all request_*; a law has as many numbers as a job requests
OUTAGES = {"outage_at", "outage_node", "outage_is_back"}
ANY_LENGTH = OUTAGES | {"draws", "reduce_part"}  # no other array's indices depend on theirs
SIZES = {"request_memory", "request_vcores", "fit_vcores"}
NUMBERED = {"sizes", "slots"}  # by orders that number the sizes of all jobs; 0 before
CACHED = "cached_"  # prefix of the arrays of cached scores
UNWRITTEN = "container_"  # columns that hold anything until they are written


class IncrementalRun(NamedTuple):
    """A run; from_ms: where it was resumed, None from its start; snapshots_taken: on the way."""

    run: Run
    from_ms: int | None
    snapshots_taken: list[Snapshot]


def simulate_incrementally(
    scenario: Scenario,
    scheduler: str | Scheduler,
    known_snapshots: Sequence[Snapshot] = (),
    at_ms: Sequence[int] = (),
    plain: bool | None = None,
    cancel_token: CancelToken | None = None,
) -> IncrementalRun:
    """The run of a scenario, resumed from the latest of `known_snapshots` that is also of it, else run from
    its start; with snapshots at these later times in ms, as far as it lasts.

    known_snapshots: of this scenario or of any other. plain, and what is raised: as of `simulate`, and
    SchedulerError for `measured`, ValueError for more times than `snapshots` takes.
    """
    chosen = checked_scheduler(scheduler, at_ms)
    plain = runs_plain(scenario, chosen) if plain is None else plain
    cancel_token = cancel_token or CancelToken()
    array_sizes: ArraySizes | None = None
    position = _resume_from_latest(scenario, chosen, known_snapshots, plain, cancel_token)
    while True:
        paused_run, start, from_ms = position or _at_start(
            prepare(scenario, chosen, plain, None, cancel_token, array_sizes)
        )
        ended, snapshots_taken = PAUSED, []
        for at in sorted(time_ms for time_ms in at_ms if from_ms is None or time_ms > from_ms):
            ended = paused_run.advance(at)
            if ended != PAUSED:
                break
            snapshots_taken.append(paused_run.snapshot(at, start))
        ended = paused_run.advance() if ended == PAUSED else ended
        more = larger_sizes(paused_run.prepared, ended)
        if not more:
            return IncrementalRun(
                finish_run(paused_run.prepared, ended, paused_run.node), from_ms, snapshots_taken
            )
        array_sizes, position = (None if position else more), None


def first_difference_ms(before: Scenario, after: Scenario) -> int | None:
    """The earliest instant at which the runs of two scenarios may differ under one scheduler: 0 from the
    beginning on, None where they never do.

    Later than 0 is what concerns jobs, from their arrivals on, and outages. An order that looks at all jobs
    at its first decision may differ before; `simulate_incrementally` sees that.
    """
    of_all = ("seed", "queues", "users")
    if any(getattr(before, name) != getattr(after, name) for name in of_all) or len(before.jobs) != len(
        after.jobs
    ):
        return 0
    if _without_outages(before.cluster) != _without_outages(after.cluster):
        return 0
    outages = set(_outages(before.cluster)) ^ set(_outages(after.cluster))
    return min([at for at, _, _ in outages] + list(_arrivals_of_changed(before, after)), default=None)


def _arrivals_of_changed(before: Scenario, after: Scenario) -> Iterator[int]:
    """Of every job that is not as it was, before and after; of copies that only arrive at other times, of
    those alone that do.
    """
    pairs = list(zip(before.jobs, after.jobs))
    if all(job == other for job, other in pairs):
        return
    arrivals = [
        {
            (group, copy): at
            for group, copy, at in zip(*map(np.ndarray.tolist, submissions(scenario)), strict=True)
        }
        for scenario in (before, after)
    ]
    for group, (job, other) in enumerate(pairs):
        if job != other:
            is_moved = (
                job.model_copy(update={"arrival_s": other.arrival_s, "interval_s": other.interval_s}) == other
            )
            for copy in range(1, max(job.count, other.count) + 1):
                times = [times_of_copy.get((group, copy)) for times_of_copy in arrivals]
                if not is_moved or times[0] != times[1]:
                    yield from (at for at in times if at is not None)


def _without_outages(cluster: Cluster) -> Cluster:
    return cluster.model_copy(update={"outages": []})


def _outages(cluster: Cluster) -> Iterator[tuple[int, str, bool]]:
    for outage in cluster.outages:
        yield milliseconds(outage.lost_s), outage.node, False
        if outage.back_s is not None:
            yield milliseconds(outage.back_s), outage.node, True


class _Position(NamedTuple):
    """A paused run, with the arrays it began with; from_ms: where it stands, None at its start."""

    paused_run: PausableRun
    start: ArrayCopies
    from_ms: int | None


def _at_start(prepared: PreparedRun) -> _Position:
    paused_run = PausableRun(prepared)
    return _Position(paused_run, paused_run.start(), None)


def _resume_from_latest(
    scenario: Scenario,
    chosen: Scheduler,
    known_snapshots: Sequence[Snapshot],
    plain: bool,
    cancel_token: CancelToken,
) -> _Position | None:
    """A course of the run that stands where the latest snapshot does that is also of it; None where none
    is.
    """
    resumed: _Position | None = None
    for snapshot in sorted(known_snapshots, key=lambda candidate: -candidate.at_ms):
        if snapshot.scheduler.name != chosen.name or _without_outages(
            snapshot.scenario.cluster
        ) != _without_outages(scenario.cluster):
            continue
        if resumed is None or resumed.paused_run.prepared.array_sizes != snapshot.array_sizes:
            resumed = _at_start(prepare(scenario, chosen, plain, None, cancel_token, snapshot.array_sizes))
        later_changes = (
            _LaterChanges(snapshot, resumed.paused_run.prepared)
            if _has_same_shapes(resumed.paused_run.prepared, snapshot)
            else None
        )
        if later_changes and later_changes.covers_all_differences():
            later_changes.apply_snapshot()
            return resumed._replace(from_ms=snapshot.at_ms)
    return None


def _has_same_shapes(prepared: PreparedRun, snapshot: Snapshot) -> bool:
    """Are a run's arrays as long as the snapshot's, so that the same of them are written to?"""
    arrays = named_arrays(prepared)
    pairs = zip(arrays, snapshot.start)
    return len(arrays) == len(snapshot.start) and all(
        len(array) == len(before) or name in ANY_LENGTH for (name, array, _), before in pairs
    )


class _Array(NamedTuple):
    """One of a run that has begun; before: as the snapshot's run began with it, current: as it stands there,
    None of one that no run writes to.
    """

    name: str
    array: np.ndarray
    before: np.ndarray
    current: np.ndarray | None


class _LaterChanges:
    """A snapshot beside a run that has begun with the same room: what differs in what they began with, behind
    what has arrived by the snapshot.
    """

    def __init__(self, snapshot: Snapshot, prepared: PreparedRun) -> None:
        self._snapshot, self._begun = snapshot, prepared
        current = iter(snapshot.arrays)
        pairs = zip(named_arrays(prepared), snapshot.start, strict=True)
        self._arrays = [
            _Array(name, array, before, next(current) if is_written else None)
            for (name, array, is_written), before in pairs
        ]
        counters = next(entry.current for entry in self._arrays if entry.name == "counters")
        assert counters is not None  # a run writes to them
        self._arrived, self._outages = (
            int(counters[COUNTERS.index(name)]) for name in ("arrived_jobs", "next_outage")
        )
        self._differing: set[str] = set()

    def covers_all_differences(self) -> bool:
        """Is the snapshot also of this run?"""
        for name, array, before, _ in self._arrays:
            if not name.startswith(UNWRITTEN) and not _same(array, before):
                now, then = self._by_now(name, array), self._by_now(name, before)
                if now is None or then is None or not _same(now, then):
                    return False
                self._differing.add(name)
        is_numbered = any(
            current is not None and current[0] for name, _, _, current in self._arrays if name in NUMBERED
        )
        return self._is_later() and self._sizes_suffice() and not (is_numbered and self._differing & SIZES)

    def _by_now(self, name: str, array: np.ndarray) -> np.ndarray | None:
        """What concerns jobs that have arrived, or outages that have been; None of an array that may not
        differ at all.
        """
        jobs, state = self._arrived, self._begun.state
        if name.startswith("request_") or name in BY_REQUEST:
            return array[: PER_JOB * jobs]
        if name.startswith("job_") or name in BY_JOB:
            return array[:jobs]
        if name in OUTAGES:
            return array[: self._outages]
        if name == "group_of":
            return array.reshape(2, -1)[:, : PER_JOB * jobs]
        base = {"draws": state.draw_base, "reduce_part": state.reduce_base}.get(name)
        return None if base is None else array[: base[jobs] if jobs < len(base) else None]

    def _is_later(self) -> bool:
        """Does all that is still to come come later, and is there something to come in both runs or in
        neither, so that neither ended before?
        """
        to_come, at = (
            self._begun.view.job_arrival[self._arrived :],
            self._begun.state.outage_at[self._outages :],
        )
        outages_before = (
            next(len(entry.before) for entry in self._arrays if entry.name == "outage_at") > self._outages
        )
        is_later = all(times[0] >= self._snapshot.at_ms for times in (to_come, at) if len(times))
        return is_later and (len(to_come) > 0 or outages_before == (len(at) > 0))

    def _sizes_suffice(self) -> bool:
        """Would this run ever have as much room as the snapshot's?"""
        try:
            larger_sizes(self._begun, OUT_OF_CONTAINERS)
        except TooLarge:
            return False
        return True

    def apply_snapshot(self) -> None:
        """The run's arrays as they stand by the snapshot, but for what differs of later jobs."""
        resized = bool(self._differing & SIZES)
        for name, array, _, current in self._arrays:
            if current is not None and not (resized and name.startswith(CACHED)):
                if name not in self._differing:
                    array[:] = current
                elif name != "group_of":  # which no run writes to
                    now = self._by_now(name, array)
                    assert now is not None  # covers_all_differences has asked it
                    now[:] = current[: len(now)]
        self._mark()

    def _mark(self) -> None:
        """Jobs that have not arrived, as changed since the order was last asked."""
        is_changed, changed = self._begun.state.is_changed, self._begun.view.changed
        new = self._arrived + np.flatnonzero(is_changed[self._arrived :] == 0)
        changed[changed[0] + 1 : changed[0] + 1 + len(new)] = new
        changed[0] += len(new)
        is_changed[new] = 1


def _same(array: np.ndarray, other: np.ndarray) -> bool:
    """Are all entries, also those that are no numbers?"""
    return np.array_equal(array, other) or (
        array.shape == other.shape
        and array.dtype.kind == "f"
        and np.array_equal(array, other, equal_nan=True)
    )
