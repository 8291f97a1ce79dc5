"""From room being free to a task computing: handing over, starting the JVM, the latency of the shuffle and how fast reduces fetch.

A history has no launch. Two of its parts show all the same. *Handing over*: on a full node the next map begins so long after an end, of which the
waits for heartbeats are known. *The JVM*: a reduce that begins after its job's last map hides nothing, so that its JVM's start and its fetching come
before the end of its shuffle; one that begins long before has only the latency after the last map's end.
"""

from __future__ import annotations

import statistics
from typing import NamedTuple

import numpy as np

from engine.prediction.evidence import Evidence
from engine.prediction.intervals import NOTHING, Estimate, medians_by_job, of_median, of_sums
from engine.prediction.occupancy import events
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import FINISHED

ASKED_BEFORE_MS = 1000  # what was asked for by then has reached the ResourceManager: a heartbeat of its master
SURE_TO_HIDE_MS = 15_000  # a reduce that began so long before the last map's end had its JVM by then
LEAST_MB = 0.1  # that some reduce must have fetched: of a few bytes the time is none of fetching, and a rate from them would stop larger jobs
SHORTEST_MAPS = 5  # percentile of the maps' durations, which the JVM's start can't exceed


class Launch(NamedTuple):
    """Times in ms, rate in MB/s. NOTHING: the record doesn't show it."""

    handed_over: Estimate
    jvm: Estimate
    latency: Estimate
    rate: Estimate


def launch(of: Evidence) -> Launch:
    """The four, each from the record alone."""
    rate, jvm = _of_late_reduces(of)
    latency = _latency(of, rate.value or of.scenario.cluster.shuffle_mb_s)
    return Launch(_handed_over(of), _less(jvm, latency, of), latency, rate)


def _handed_over(of: Evidence) -> Estimate:
    """The median over jobs of what passes on a full node from an end to the begin of the map that needed the room, less the mean waits for heartbeats."""
    c = of.containers
    seen = np.flatnonzero(c.start < of.until)
    found = events(c.node[seen], c.begin[seen], np.maximum(c.end[seen], c.begin[seen]), of.memory[seen])
    ended = np.maximum.accumulate(np.where(found.begins, -1, np.arange(len(found.at))))
    first = np.flatnonzero(found.begins & (ended == np.arange(len(found.at)) - 1) & (ended >= 0))  # what begins next after an end
    first = first[found.node[first] == found.node[first - 1]]
    span, end_at = seen[found.span[first]], found.at[first - 1]
    held = found.level[first - 1] + of.memory[seen[found.span[first - 1]]]
    free = of.work.node_memory[c.node[span]] - held
    asked = np.maximum(c.requested[span], of.asked[c.job[span]])
    needed = (c.kind[span] == MAP) & of.own[span] & (free < of.memory[span]) & (free + held >= of.memory[span]) & (asked + ASKED_BEFORE_MS <= end_at)
    needed &= c.begin[span] < of.until
    cluster = of.scenario.cluster
    waits = 0.0 if cluster.out_of_band_heartbeats else cluster.heartbeat_ms / 2
    beats = [1000 * job.am.heartbeat_s / 2 for job, chosen in zip(of.scenario.jobs, of.chosen) if chosen and job.am]
    waits += statistics.median(beats) if beats else 0.0
    gaps = medians_by_job(c.job[span[needed]], (c.begin[span] - end_at)[needed])
    return of_median(np.maximum(gaps - waits, 0.0))


def _of_late_reduces(of: Evidence) -> tuple[Estimate, Estimate]:
    """(rate of fetching, time when there is nothing to fetch), of reduces that began after their job's last map: least squares, else the median."""
    c = of.containers
    late = np.flatnonzero(of.own & (c.kind == REDUCE) & (c.outcome == FINISHED) & (c.shuffle_end >= 0) & (c.begin >= of.maps_end[c.job]))
    if not len(late):
        return NOTHING, NOTHING
    job, lasted, mb = c.job[late], (c.shuffle_end - c.begin)[late].astype(float), of.fetched_mb[late]
    by_job = [np.bincount(job, part) for part in (np.ones(len(late)), mb, lasted, mb * mb, mb * lasted)]
    sums = np.array(by_job).T[np.bincount(job) > 0]
    slope = of_sums(sums, _slope)
    known = slope.value is not None and slope.low is not None and slope.low > 0 and mb.max() >= LEAST_MB
    if known:
        return Estimate(1000 / slope.value, 1000 / slope.high, 1000 / slope.low, slope.count), of_sums(sums, _intercept)
    fetching = 1000 * mb / of.scenario.cluster.shuffle_mb_s
    return NOTHING, of_median(medians_by_job(job, np.maximum(lasted - fetching, 0.0)))


def _slope(sums: np.ndarray) -> np.ndarray:
    n, x, y, xx, xy = np.moveaxis(sums, -1, 0)
    spread = n * xx - x * x
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(spread > 1e-9 * np.maximum(n * xx, 1.0), (n * xy - x * y) / spread, np.nan)


def _intercept(sums: np.ndarray) -> np.ndarray:
    n, x, y = np.moveaxis(sums, -1, 0)[:3]
    return np.maximum((y - _slope(sums) * x) / n, 0.0)


def _latency(of: Evidence, rate: float) -> Estimate:
    """What an early reduce still takes after the last map's end, less the fetch of that map's output."""
    c = of.containers
    maps = np.array([max(1, job.maps.count) for job in of.scenario.jobs])[c.job]
    fetching = 1000 * of.fetched_mb / rate
    done = of.own & (c.kind == REDUCE) & (c.outcome == FINISHED) & (c.shuffle_end >= of.maps_end[c.job]) & (of.maps_end[c.job] >= 0)
    early = np.flatnonzero(done & (c.begin + SURE_TO_HIDE_MS + fetching <= of.maps_end[c.job]))
    return of_median(medians_by_job(c.job[early], np.maximum((c.shuffle_end - of.maps_end[c.job] - fetching / maps)[early], 0.0)))


def _less(jvm: Estimate, latency: Estimate, of: Evidence) -> Estimate:
    """The JVM's start alone: without the latency, and no longer than the shortest maps."""
    if jvm.value is None:
        return NOTHING
    c = of.containers
    maps = (c.end - c.begin)[of.own & (c.kind == MAP) & (c.outcome == FINISHED)]
    most = float(np.percentile(maps, SHORTEST_MAPS)) if len(maps) else np.inf
    own = lambda value: None if value is None else min(max(0.0, value - (latency.value or 0.0)), most)
    return Estimate(own(jvm.value), own(jvm.low), own(jvm.high), jvm.count)
