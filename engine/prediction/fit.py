"""What a history doesn't say, estimated from the record of some of its jobs, directly: no simulation is asked
which number would suit it best.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.codes import FINISHED, INFINITE, MASTER, NONE
from engine.messages import msg
from engine.prediction.evidence import Evidence, shows_contention
from engine.prediction.executor_launch import MIN_EXECUTORS, executor_launch, launch_contention, launches
from engine.prediction.fitted_scenario import ALL, fitted_scenario
from engine.prediction.intervals import NO_ESTIMATE, Estimate, median_interval
from engine.prediction.launch_time import Launch, launch
from engine.prediction.slowdown import MAX_CONTENTION, contention
from engine.scenario.model import Scenario
from engine.simulation.durations import mean_ms

HANDOVER, JVM, STARTUP_S, LINGER = "handed_over_s", "jvm_s", "startup_s", "linger_s"
DRIVER, EXECUTORS, LAUNCHING = "driver_s", "executor_launch_s", "launch_contention"
RATE, LATENCY, CONTENTION, OTHERS = "shuffle_mb_s", "shuffle_latency_s", "contention", "others"
KEYS = (HANDOVER, JVM, STARTUP_S, LINGER, DRIVER, EXECUTORS, LAUNCHING, RATE, LATENCY, CONTENTION, OTHERS)
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
    """What was estimated, of MapReduce and of Spark where the record has any; jobs: of how many, until_s:
    before whose arrival what ran beside them was looked at, None: at any time.
    """

    parameters: tuple[FittedParameter, ...]
    jobs: int
    until_s: float | None

    def __getitem__(self, key: str) -> FittedParameter:
        return next(parameter for parameter in self.parameters if parameter.key == key)

    def value(self, key: str) -> float | None:
        """Of a parameter; None where the record doesn't show it."""
        return self.values[key]

    @property
    def values(self) -> dict[str, float | None]:
        """Of every parameter by its key."""
        return dict.fromkeys(KEYS) | {parameter.key: parameter.value for parameter in self.parameters}

    def apply_to(
        self, record: Evidence, unknown_jobs: Iterable[int] = (), components: frozenset[str] = ALL
    ) -> Scenario:
        """The record's scenario with these numbers, its durations without what moved into them; `measured`
        stays.

        unknown_jobs: by index, whose masters' start-up is taken from the fit; the others have their own from
        the record.
        components: which of it, as `fitted_scenario` names them. SchedulerError without a record that fits.
        """
        return fitted_scenario(
            record,
            self.values,
            unknown_jobs,
            components,
        )


def fit(record: Evidence) -> HistoryFit:
    """Estimated from the chosen jobs and from nothing else of the record. What ran beside what is looked at
    only before the first other job arrives.
    """
    parameters = (
        *(_mapreduce(record) if (~record.spark & ~record.other).any() else ()),
        *(_spark(record) if record.spark.any() else ()),
        _others(record),
    )
    return HistoryFit(
        parameters,
        int((record.chosen & ~record.other).sum()),
        None if record.until == INFINITE else record.until / 1000,
    )


def _mapreduce(record: Evidence) -> tuple[FittedParameter, ...]:
    launch_fit = launch(record)
    return (
        _parameter(
            STARTUP_S,
            msg("prediction.fit.applicationmaster_startup"),
            "s",
            _startup(record, record.chosen & ~record.other & ~record.spark),
            msg("prediction.fit.from_masters_container_to_its_first"),
            msg("prediction.fit.no_first_ask_recorded"),
        ),
        *_launching(launch_fit),
        _parameter(
            RATE,
            msg("prediction.fit.fetch_rate_reduce"),
            "MB/s",
            launch_fit.rate,
            msg("prediction.fit.reduces_began_after_their_jobs_last"),
            msg("prediction.fit.too_few_reduces_began_after_their"),
            scale=1,
        ),
        _slowing(record, launch_fit),
        _lingering(record),
    )


def _parameter(
    key: str, title: str, unit: str, estimate: Estimate, basis: str, why_not: str, scale: float = 0.001
) -> FittedParameter:
    value, low, high = (None if number is None else number * scale for number in estimate[:3])
    return FittedParameter(
        key,
        title,
        unit,
        value,
        low,
        high,
        estimate.count,
        msg("prediction.fit.from_record", basis=basis)
        if estimate.value is not None
        else msg("prediction.fit.not_in_record", why_not=why_not),
    )


def _startup(record: Evidence, chosen: np.ndarray) -> Estimate:
    is_recorded = (
        chosen
        & (record.first_ask != NONE)
        & (record.masters_start != NONE)
        & (record.first_ask >= record.masters_start)
    )
    return median_interval((record.first_ask - record.masters_start)[is_recorded].astype(float))


def _spark(record: Evidence) -> tuple[FittedParameter, ...]:
    launched = launches(record)
    slowing = launch_contention(launched)
    launch_fit = executor_launch(launched, slowing.value or 0.0)
    return (
        _parameter(
            DRIVER,
            msg("prediction.fit.driver_startup"),
            "s",
            _startup(record, record.chosen & record.spark),
            msg("prediction.fit.from_drivers_container_to_its_first"),
            msg("prediction.fit.no_driver_recorded"),
        ),
        _parameter(
            EXECUTORS,
            msg("prediction.fit.executor_launch"),
            "s",
            launch_fit if launch_fit.count else _shortest_launch(record),
            msg("prediction.fit.executors_with_room")
            if launch_fit.count
            else msg("prediction.fit.no_executor_with_room"),
            msg("prediction.fit.no_executor_recorded"),
        ),
        _parameter(
            LAUNCHING,
            msg("prediction.fit.launch_contention"),
            "",
            slowing,
            msg("prediction.fit.executors_launches_most_alike"),
            msg("prediction.fit.executors_launches_beside_as_many", min_executors=MIN_EXECUTORS),
            scale=1,
        ),
    )


def _shortest_launch(record: Evidence) -> Estimate:
    """The median of what the readers of histories took from each application's quickest executor."""
    applications = np.flatnonzero(record.chosen & record.spark).tolist()
    groups = [record.scenario.jobs[index].executors for index in applications]
    return median_interval(np.array([mean_ms(group.launch_s) for group in groups if group], float))


def _launching(launch_fit: Launch) -> list[FittedParameter]:
    return [
        _parameter(
            HANDOVER,
            msg("prediction.fit.launch_until_attempts_start"),
            "s",
            launch_fit.handover,
            msg("prediction.fit.on_full_nodes_from_containers_end"),
            msg("prediction.fit.no_map_waited_for_room_on"),
        ),
        _parameter(
            JVM,
            msg("prediction.fit.launch_jvms_start"),
            "s",
            launch_fit.jvm,
            msg("prediction.fit.reduces_began_after_their_jobs_last_2"),
            msg("prediction.fit.no_reduce_began_after_its_jobs"),
        ),
        _parameter(
            LATENCY,
            msg("prediction.fit.latency_shuffle"),
            "s",
            launch_fit.latency,
            msg("prediction.fit.reduces_began_long_before_their_jobs"),
            msg("prediction.fit.no_reduce_began_long_before_its"),
        ),
    ]


def _slowing(record: Evidence, launch_fit: Launch) -> FittedParameter:
    slowed = contention(record, launch_fit.jvm.value or 0.0)
    low, high = slowed.low, slowed.high
    why_not = msg("prediction.fit.fewer_than_jobs_had_tasks_beside", min_jobs=MIN_JOBS)
    if not all(map(shows_contention, record.scenario.jobs)):
        slowed, why_not = NO_ESTIMATE, msg("prediction.fit.not_known_what_others_compute")
    elif slowed.count < MIN_JOBS or low is None or high is None:
        slowed = NO_ESTIMATE
    elif not 0 < low <= high < MAX_CONTENTION:
        slowed = slowed._replace(value=0.0)
    return _parameter(
        CONTENTION,
        "Contention",
        "",
        slowed,
        msg("prediction.fit.durations_jobs_tasks_against_how_many"),
        why_not,
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
    basis = msg("prediction.fit.from_jobs_finish_to_its_masters")
    why_not = msg("prediction.fit.end_applicationmasters_container_not_recorde")
    return _parameter(
        LINGER,
        msg("prediction.fit.applicationmasters_container_after_job"),
        "s",
        median_interval(outlived) if is_recorded else NO_ESTIMATE,
        basis,
        why_not,
    )


def _others(record: Evidence) -> FittedParameter:
    """The part of the cluster's memory that other applications held, from the first to the last moment of the
    record, by what the scenario has of them.
    """
    title, why_not = (
        msg("prediction.fit.resources_used_by_others"),
        msg("prediction.fit.no_application_without_job_history_in"),
    )
    c = record.containers
    if not record.other.any():
        return _parameter(OTHERS, title, "share", NO_ESTIMATE, "", why_not)
    held = 0.0
    for index in np.flatnonzero(record.other).tolist():
        job = record.scenario.jobs[index]
        master_mb = job.am.memory_mb if job.am else 0
        held += master_mb * (record.finish[index] - 1000 * job.arrival_s)
        held += sum(
            (stage.memory_mb or 0) * stage.count * mean_ms(stage.duration_s) for stage in job.task_stages
        )
    share = float(held / max(1, (c.end.max() - c.start.min()) * record.work.node_memory.sum()))
    basis = msg("prediction.fit.applications_without_job_history_stand_in", sum=int(record.other.sum()))
    return FittedParameter(
        OTHERS,
        title,
        "share",
        share,
        None,
        None,
        int(record.other.sum()),
        msg("prediction.fit.from_record", basis=basis),
    )
