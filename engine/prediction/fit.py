"""What a history doesn't say, estimated from the record of some of its jobs, directly: no simulation is asked
which number would suit it best.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.prediction.evidence import Evidence, evidence
from engine.prediction.fitted_scenario import ALL, fitted_scenario
from engine.prediction.intervals import NO_ESTIMATE, Estimate, median_interval
from engine.prediction.launch_time import Launch, launch
from engine.prediction.slowdown import MAX_CONTENTION, contention
from engine.scenario.model import Scenario
from engine.schedulers.view import MASTER
from engine.simulation.run import FINISHED, NONE

HANDOVER, JVM, STARTUP, LINGER = "handed_over_s", "jvm_s", "startup_s", "linger_s"
RATE, LATENCY, CONTENTION, OTHERS = "shuffle_mb_s", "shuffle_latency_s", "contention", "others"
MIN_JOBS = 5  # for an estimate of contention: with fewer the bootstrap interval means little


@dataclass(frozen=True)
class FittedParameter:
    """value: in `unit`, None where the record doesn't show it, and then what stands in the scenario stays.
    low, high: 90 % interval by bootstrap over jobs, None where there is none. count: jobs it was estimated
    from. basis: a sentence, from what, or why not."""

    key: str
    title: str
    unit: str
    value: float | None
    low: float | None
    high: float | None
    count: int
    basis: str


@dataclass(frozen=True)
class HistoryFit:
    """What was estimated; jobs: of how many, until_s: before whose arrival what ran beside them was looked
    at, None: at any time.
    """

    parameters: tuple[FittedParameter, ...]
    jobs: int
    until_s: float | None

    def __getitem__(self, key: str) -> FittedParameter:
        return next(parameter for parameter in self.parameters if parameter.key == key)

    def value(self, key: str) -> float | None:
        """Of a parameter; None where the record doesn't show it."""
        return self[key].value

    def apply_to(
        self, scenario: Scenario, unknown_jobs: Iterable[int] = (), components: frozenset[str] = ALL
    ) -> Scenario:
        """The scenario with these numbers, its durations without what moved into them; `measured` stays.

        unknown_jobs: by index, whose masters' start-up is taken from the fit; the others have their own from
        the record.
        components: which of it, as `fitted_scenario` names them. SchedulerError without a record that fits.
        """
        return fitted_scenario(
            scenario,
            {parameter.key: parameter.value for parameter in self.parameters},
            unknown_jobs,
            components,
        )


def fit(scenario: Scenario, jobs: Iterable[int] | None = None) -> HistoryFit:
    """Estimated from these jobs (indices into the scenario's; default: all) and from nothing else of the
    record.

    What ran beside what is looked at only before the first other job arrives. SchedulerError without a record
    that fits, or with no job.
    """
    record = evidence(scenario, jobs)
    launch_fit = launch(record)
    parameters = (
        _parameter(
            STARTUP,
            "Masters' start-up",
            "s",
            _startup(record),
            "from a master's container to its first ask, median over jobs",
            "no first ask is recorded",
        ),
        *_launching(launch_fit),
        _parameter(
            RATE,
            "Fetch rate of a reduce",
            "MB/s",
            launch_fit.rate,
            "reduces that began after their job's last map: time to the shuffle's end against what they "
            "fetched, least squares",
            "too few reduces began after their job's last map, or they fetched too little to tell: the "
            "scenario's rate stays",
            scale=1,
        ),
        _slowing(record, launch_fit),
        _lingering(record),
        _others(record),
    )
    return HistoryFit(
        parameters,
        int((record.chosen & ~record.other).sum()),
        None if record.until == np.iinfo(np.int64).max else record.until / 1000,
    )


def _parameter(
    key: str, title: str, unit: str, estimate: Estimate, basis: str, why_not: str, scale: float = 0.001
) -> FittedParameter:
    scaled = [None if value is None else value * scale for value in estimate[:3]]
    return FittedParameter(
        key,
        title,
        unit,
        *scaled,
        estimate.count,
        f"from the record: {basis}" if estimate.value is not None else f"not in the record: {why_not}",
    )


def _startup(record: Evidence) -> Estimate:
    is_recorded = (
        record.chosen
        & ~record.other
        & (record.first_ask != NONE)
        & (record.masters_start != NONE)
        & (record.first_ask >= record.masters_start)
    )
    return median_interval((record.first_ask - record.masters_start)[is_recorded].astype(float))


def _launching(launch_fit: Launch) -> list[FittedParameter]:
    return [
        _parameter(
            HANDOVER,
            "Launch, until the attempt's start",
            "s",
            launch_fit.handover,
            "on full nodes from a container's end to the begin of the map that took its room, less the "
            "mean waits for heartbeats, median over jobs",
            "no map waited for room on a full node: nothing is assumed",
        ),
        _parameter(
            JVM,
            "Launch, the JVM's start",
            "s",
            launch_fit.jvm,
            "reduces that began after their job's last map: time to the shuffle's end, less fetching and "
            "latency; taken out of the maps' durations",
            "no reduce began after its job's last map: it stays in the maps' durations",
        ),
        _parameter(
            LATENCY,
            "Latency of the shuffle",
            "s",
            launch_fit.latency,
            "reduces that began long before their job's last map ended: from then to the shuffle's end, "
            "median over jobs",
            "no reduce began long before its job's last map ended: none is assumed",
        ),
    ]


def _slowing(record: Evidence, launch_fit: Launch) -> FittedParameter:
    slowed = contention(record, launch_fit.jvm.value or 0.0)
    if slowed.count < MIN_JOBS:
        slowed = NO_ESTIMATE
    elif not 0 < slowed.low <= slowed.high < MAX_CONTENTION:
        slowed = slowed._replace(value=0.0)
    return _parameter(
        CONTENTION,
        "Contention",
        "",
        slowed,
        "durations of a job's tasks against how many computed beside them on their node; none where the "
        "interval holds 0 or all that is tried",
        f"fewer than {MIN_JOBS} jobs had tasks beside different numbers of others: none is assumed",
        scale=1,
    )


def _lingering(record: Evidence) -> FittedParameter:
    """What is recorded of masters' ends may be a reader's assumption: then all outlive their jobs by the very
    time that the scenario has.
    """
    c = record.containers
    masters = np.flatnonzero((c.kind == MASTER) & (c.outcome == FINISHED) & record.is_chosen_attempt)
    outlived = (c.end - record.finish[c.job])[masters].astype(float)
    assumed = np.array([1000 * (job.am.linger_s if job.am else 0) for job in record.scenario.jobs])[
        c.job[masters]
    ]
    is_recorded = (outlived > 0).any() and not np.allclose(outlived, assumed, atol=2)
    basis = "from a job's finish to its master's end, median over jobs"
    why_not = "when a master's container ended is not recorded: the scenario's time stays"
    return _parameter(
        LINGER,
        "Masters linger",
        "s",
        median_interval(outlived) if is_recorded else NO_ESTIMATE,
        basis,
        why_not,
    )


def _others(record: Evidence) -> FittedParameter:
    """The part of the cluster's memory that other applications held, from the first to the last moment of the
    record.
    """
    title, why_not = (
        "Room others took",
        "no application without a job history is in it: whether others ran beside can't be known",
    )
    c = record.containers
    is_other_app = record.other[c.job]
    if not is_other_app.any():
        return _parameter(OTHERS, title, "share", NO_ESTIMATE, "", why_not)
    held = ((c.end - c.start) * record.memory)[is_other_app].sum()
    share = float(held / max(1, (c.end.max() - c.start.min()) * record.work.node_memory.sum()))
    basis = (
        "applications without a job history stand in the scenario as jobs that hold what they held: "
        f"{int(record.other.sum()):,}"
    )
    return FittedParameter(
        OTHERS, title, "share", share, None, None, int(record.other.sum()), f"from the record: {basis}"
    )
