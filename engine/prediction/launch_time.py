"""Launch times: from free resources to a computing task (handover, JVM start), the latency of the shuffle and
the fetch rate of reduces.

A history has no launch. Two of its parts show all the same. *Handing over*: on a full node the next map
begins so long after an end, of which the waits for heartbeats are known. *The JVM*: a reduce that begins
after its job's last map hides nothing, so that its JVM's start and its fetching come before the end of its
shuffle; one that begins long before has only the latency after the last map's end.
"""

from __future__ import annotations

import statistics
from typing import NamedTuple

import numpy as np

from engine.codes import FINISHED, MAP, REDUCE
from engine.prediction.evidence import Evidence
from engine.prediction.intervals import NO_ESTIMATE, Estimate, median_interval, medians_by_job, sums_interval
from engine.prediction.occupancy import events

ASKED_BEFORE_MS = (
    1000  # what was asked for by then has reached the ResourceManager: a heartbeat of its master
)
SURE_TO_HIDE_MS = 15_000  # a reduce that began so long before the last map's end had its JVM by then
# that some reduce must have fetched: of a few bytes the time is none of fetching, and a rate from them would
# stop larger jobs
MIN_FETCHED_MB = 0.1
SHORTEST_MAPS = 5  # percentile of the maps' durations, which the JVM's start can't exceed


class Launch(NamedTuple):
    """Times in ms, rate in MB/s. NOTHING: the record doesn't show it."""

    handover: Estimate
    jvm: Estimate
    latency: Estimate
    rate: Estimate


def launch(record: Evidence) -> Launch:
    """The four, each from the record alone."""
    rate, jvm = _of_late_reduces(record)
    latency = _latency(record, rate.value or record.scenario.cluster.shuffle_mb_s)
    return Launch(_handover(record), _without_latency(jvm, latency, record), latency, rate)


def _handover(record: Evidence) -> Estimate:
    """The median over jobs of what passes on a full node from an end to the begin of the map that needed the
    room, less the mean waits for heartbeats.
    """
    c = record.containers
    seen = np.flatnonzero(c.start < record.until)
    node_events = events(
        c.node[seen], c.begin[seen], np.maximum(c.end[seen], c.begin[seen]), record.memory[seen]
    )
    ended = np.maximum.accumulate(np.where(node_events.begins, -1, np.arange(len(node_events.at))))
    # what begins next after an end
    first = np.flatnonzero(node_events.begins & (ended == np.arange(len(node_events.at)) - 1) & (ended >= 0))
    first = first[node_events.node[first] == node_events.node[first - 1]]
    span, end_at = seen[node_events.span[first]], node_events.at[first - 1]
    held = node_events.level[first - 1] + record.memory[seen[node_events.span[first - 1]]]
    free = record.work.node_memory[c.node[span]] - held
    asked_at = np.maximum(c.requested[span], record.first_ask[c.job[span]])
    is_usable = (
        (c.kind[span] == MAP)
        & record.is_chosen_attempt[span]
        & (free < record.memory[span])
        & (free + held >= record.memory[span])
        & (asked_at + ASKED_BEFORE_MS <= end_at)
    )
    is_usable &= c.begin[span] < record.until
    cluster = record.scenario.cluster
    waits = 0.0 if cluster.out_of_band_heartbeats else cluster.heartbeat_ms / 2
    heartbeat_waits = [
        1000 * job.am.heartbeat_s / 2
        for job, chosen in zip(record.scenario.jobs, record.chosen & ~record.spark)
        if chosen and job.am
    ]
    waits += statistics.median(heartbeat_waits) if heartbeat_waits else 0.0
    gaps = medians_by_job(c.job[span[is_usable]], (c.begin[span] - end_at)[is_usable])
    return median_interval(np.maximum(gaps - waits, 0.0))


def _of_late_reduces(record: Evidence) -> tuple[Estimate, Estimate]:
    """(rate of fetching, time when there is nothing to fetch), of reduces that began after their job's last
    map: least squares, else the median.
    """
    c = record.containers
    late = np.flatnonzero(
        record.is_chosen_attempt
        & (c.kind == REDUCE)
        & (c.outcome == FINISHED)
        & (c.shuffle_end >= 0)
        & (c.begin >= record.maps_end[c.job])
    )
    if not len(late):
        return NO_ESTIMATE, NO_ESTIMATE
    job, lasted, mb = c.job[late], (c.shuffle_end - c.begin)[late].astype(float), record.fetched_mb[late]
    by_job = [np.bincount(job, part) for part in (np.ones(len(late)), mb, lasted, mb * mb, mb * lasted)]
    sums = np.array(by_job).T[np.bincount(job) > 0]
    slope = sums_interval(sums, _slope)
    value, low, high, count = slope
    if value is not None and low is not None and high is not None and low > 0 and mb.max() >= MIN_FETCHED_MB:
        rate = Estimate(1000 / value, 1000 / high, 1000 / low, count)
        return rate, sums_interval(sums, _intercept)
    fetching = 1000 * mb / record.scenario.cluster.shuffle_mb_s
    return NO_ESTIMATE, median_interval(medians_by_job(job, np.maximum(lasted - fetching, 0.0)))


def _slope(sums: np.ndarray) -> np.ndarray:
    n, x, y, xx, xy = np.moveaxis(sums, -1, 0)
    spread = n * xx - x * x
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(spread > 1e-9 * np.maximum(n * xx, 1.0), (n * xy - x * y) / spread, np.nan)


def _intercept(sums: np.ndarray) -> np.ndarray:
    n, x, y = np.moveaxis(sums, -1, 0)[:3]
    return np.maximum((y - _slope(sums) * x) / n, 0.0)


def _latency(record: Evidence, rate: float) -> Estimate:
    """What an early reduce still takes after the last map's end, less the fetch of that map's output."""
    c = record.containers
    maps = record.maps_of_jobs[c.job]
    fetching = 1000 * record.fetched_mb / rate
    done = (
        record.is_chosen_attempt
        & (c.kind == REDUCE)
        & (c.outcome == FINISHED)
        & (c.shuffle_end >= record.maps_end[c.job])
        & (record.maps_end[c.job] >= 0)
    )
    early = np.flatnonzero(done & (c.begin + SURE_TO_HIDE_MS + fetching <= record.maps_end[c.job]))
    return median_interval(
        medians_by_job(
            c.job[early], np.maximum((c.shuffle_end - record.maps_end[c.job] - fetching / maps)[early], 0.0)
        )
    )


def _without_latency(jvm: Estimate, latency: Estimate, record: Evidence) -> Estimate:
    """The JVM's start without the latency, at most the shortest maps' duration."""
    if jvm.value is None:
        return NO_ESTIMATE
    c = record.containers
    maps = (c.end - c.begin)[record.is_chosen_attempt & (c.kind == MAP) & (c.outcome == FINISHED)]
    max_jvm_ms = float(np.percentile(maps, SHORTEST_MAPS)) if len(maps) else np.inf
    clamp = lambda value: None if value is None else min(max(0.0, value - (latency.value or 0.0)), max_jvm_ms)
    return Estimate(clamp(jvm.value), clamp(jvm.low), clamp(jvm.high), jvm.count)
