"""Runs of a scenario that differs from the one it was changed from in the future alone: they go on from
snapshots which this process holds.

A slider that is moved changes the same future again and again, so that the first of its runs takes snapshots
on the way there, of what both scenarios have in common. Where none is held the run is made from its
beginning; the result is the same (engine/simulation/incremental_run.py).
"""

from __future__ import annotations

from typing import NamedTuple

from engine import Run, Scenario, parse
from engine.dashboard import CancelToken, Snapshot, first_difference_ms, simulate_incrementally
from webapp.services.lru import LRUCache, WeightedLRUCache

MIN_CONTAINERS = 5_000  # a smaller run is made as quickly as a snapshot is compared to it
CONTAINER_BYTES, JOB_BYTES = 150, 700  # that a snapshot takes, and as much what its run began with
MAX_BYTES = (
    64 << 20
    # of the snapshots that one process holds; of 20,000 containers one scheduler takes some 5 MB with two of
    # them
)
MAX_SNAPSHOTS = 8  # of one scenario under one scheduler
SNAPSHOTS_PER_STRETCH = 2  # of the way to a difference that is new, with a snapshot at the end of each
RERUN_SHARE = (
    0.125  # of the time before a difference that is run once more rather than a snapshot taken for it
)
MIN_RUN_SHARE = 0.25  # of a run, up to which it is not worth going on from
MAX_PAIRS = 32  # of scenarios whose first difference is held ready


class SnapshotSet(NamedTuple):
    """Of runs that were changed from one scenario, under one scheduler: snapshots, and how long the last of
    them took in ms.
    """

    snapshots: tuple[Snapshot, ...] = ()
    until_ms: int = 0

    @property
    def nbytes(self) -> int:
        """What the copies take; snapshots of one run share what it began with."""
        starts = {id(snapshot.start): snapshot.start for snapshot in self.snapshots}
        return sum(snapshot.nbytes for snapshot in self.snapshots) + sum(
            array.nbytes for start in starts.values() for array in start
        )


def run_ahead(
    base: Scenario, scenario: Scenario, name: str, cancel_token: CancelToken | None = None
) -> Run | None:
    """The run of a scenario under a scheduler, gone on with from a snapshot of what it has in common with
    `base`, or with snapshots for those to come; None where it is better made whole. Raises what `simulate`
    does."""
    max_snapshots = _affordable_snapshots(scenario)
    if max_snapshots < 1 or parse(name).is_measured:
        return None
    at = _first_difference(base, scenario)
    # with outages a run has arrays that others lack
    key = f"{base.digest}:{name}:{bool(scenario.cluster.outages)}"
    snapshot_set = _snapshots.get(key) or SnapshotSet()
    if not at or at < MIN_RUN_SHARE * snapshot_set.until_ms:
        return None
    near = max((snapshot.at_ms for snapshot in snapshot_set.snapshots if snapshot.at_ms <= at), default=0)
    result = simulate_incrementally(
        scenario,
        name,
        snapshot_set.snapshots,
        _snapshot_times(near, at)[-max_snapshots:],
        cancel_token=cancel_token,
    )
    _snapshots.put(
        key,
        SnapshotSet(
            (*result.snapshots_taken, *snapshot_set.snapshots)[: min(max_snapshots, MAX_SNAPSHOTS)],
            result.run.until_ms,
        ),
    )
    return result.run


def clear() -> None:
    """Holds nothing."""
    _snapshots.clear()
    _differences.clear()


def _affordable_snapshots(scenario: Scenario) -> int:
    """How many snapshots of a scenario one process may hold; none of a small one."""
    jobs = scenario.jobs
    count = sum(
        job.count * job.iterations * (job.maps.count + (job.reduces.count if job.reduces else 0))
        for job in jobs
    )
    if count < MIN_CONTAINERS:
        return 0
    return MAX_BYTES // (CONTAINER_BYTES * count + JOB_BYTES * sum(job.count for job in jobs)) - 1


def _first_difference(base: Scenario, scenario: Scenario) -> int:
    """In ms, the same for every scheduler; 0 where there is none."""
    key = f"{base.digest}:{scenario.digest}"
    difference_ms = _differences.get(key)
    if difference_ms is None:
        difference_ms = first_difference_ms(base, scenario) or 0
        _differences.put(key, difference_ms)
    return difference_ms


def _snapshot_times(near: int, at: int) -> list[int]:
    """Of new snapshots up to a difference, where the last one before it is held for `near`."""
    way = at - near
    return (
        [near + way * part // SNAPSHOTS_PER_STRETCH for part in range(1, SNAPSHOTS_PER_STRETCH + 1)]
        if way > RERUN_SHARE * at
        else []
    )


_snapshots: WeightedLRUCache[SnapshotSet] = WeightedLRUCache(MAX_BYTES, lambda known: known.nbytes)
_differences: LRUCache[int] = LRUCache(MAX_PAIRS)
