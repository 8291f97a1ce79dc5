"""Runs of a scenario that differs from the one it was changed from in the future alone: they go on from snapshots which this process holds.

A slider that is moved changes the same future again and again, so that the first of its runs takes snapshots on the way there, of what both
scenarios have in common. Where none is held the run is made from its beginning; the result is the same (engine/simulation/changed_future.py).
"""

from __future__ import annotations

from typing import NamedTuple

from engine import Halt, Run, Scenario, Snapshot, first_difference_ms, parse, simulate_ahead
from webapp.services.held import Held, Latest

LEAST_CONTAINERS = 5_000  # a smaller run is made as quickly as a snapshot is compared to it
CONTAINER_BYTES, JOB_BYTES = 150, 700  # that a snapshot takes, and as much what its run began with
MOST_BYTES = 64 << 20  # of the snapshots that one process holds; of 20,000 containers one scheduler takes some 5 MB with two of them
MOST_SNAPSHOTS = 8  # of one scenario under one scheduler
PARTS = 2  # of the way to a difference that is new, with a snapshot at the end of each
NEAR = 0.125  # of the time before a difference that is run once more rather than a snapshot taken for it
EARLY = 0.25  # of a run, up to which it is not worth going on from
MOST_PAIRS = 32  # of scenarios whose first difference is held ready


class Known(NamedTuple):
    """Of runs that were changed from one scenario, under one scheduler: snapshots, and how long the last of them took in ms."""

    snapshots: tuple[Snapshot, ...] = ()
    until_ms: int = 0

    @property
    def nbytes(self) -> int:
        """What the copies take; snapshots of one run share what it began with."""
        begun = {id(one.start): one.start for one in self.snapshots}
        return sum(one.nbytes for one in self.snapshots) + sum(array.nbytes for start in begun.values() for array in start)


def run_ahead(base: Scenario, scenario: Scenario, name: str, halt: Halt | None = None) -> Run | None:
    """The run of a scenario under a scheduler, gone on with from a snapshot of what it has in common with `base`, or with snapshots for those to come;
    None where it is better made whole. Raises what `simulate` does."""
    most = _affordable(scenario)
    if most < 1 or parse(name).is_measured:
        return None
    at = _first_difference(base, scenario)
    key = f"{base.digest}:{name}:{bool(scenario.cluster.outages)}"  # with outages a run has arrays that others lack
    known = _held.get(key) or Known()
    if not at or at < EARLY * known.until_ms:
        return None
    near = max((one.at_ms for one in known.snapshots if one.at_ms <= at), default=0)
    found = simulate_ahead(scenario, name, known.snapshots, _times(near, at)[-most:], halt=halt)
    _held.put(key, Known((*found.kept, *known.snapshots)[: min(most, MOST_SNAPSHOTS)], found.run.until_ms))
    return found.run


def clear() -> None:
    """Holds nothing."""
    _held.clear()
    _differences.clear()


def _affordable(scenario: Scenario) -> int:
    """How many snapshots of a scenario one process may hold; none of a small one."""
    jobs = scenario.jobs
    count = sum(job.count * job.iterations * (job.maps.count + (job.reduces.count if job.reduces else 0)) for job in jobs)
    if count < LEAST_CONTAINERS:
        return 0
    return MOST_BYTES // (CONTAINER_BYTES * count + JOB_BYTES * sum(job.count for job in jobs)) - 1


def _first_difference(base: Scenario, scenario: Scenario) -> int:
    """In ms, the same for every scheduler; 0 where there is none."""
    key = f"{base.digest}:{scenario.digest}"
    found = _differences.get(key)
    if found is None:
        found = first_difference_ms(base, scenario) or 0
        _differences.put(key, found)
    return found


def _times(near: int, at: int) -> list[int]:
    """Of new snapshots up to a difference, where the last one before it is held for `near`."""
    way = at - near
    return [near + way * part // PARTS for part in range(1, PARTS + 1)] if way > NEAR * at else []


_held: Held[Known] = Held(MOST_BYTES, lambda known: known.nbytes)
_differences: Latest[int] = Latest(MOST_PAIRS)
