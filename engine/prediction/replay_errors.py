"""Errors of a replay: each job's simulated and measured finish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from engine import quantities
from engine.codes import NONE
from engine.messages import msg
from engine.prediction.error_reasons import job_timelines, reason
from engine.prediction.evidence import is_other, replayed_noun
from engine.simulation.run import Run


@dataclass(frozen=True)
class JobError:
    """job: index into the scenario's. Times in s from the scenario's time 0; errors as shares, simulated less
    measured.

    error: of the finish, from the first arrival on; turnaround_error: of the time from its own arrival.
    reason: a sentence, "" where the record shows none.
    """

    job: int
    name: str
    arrival_s: float
    measured_s: float
    simulated_s: float
    error: float
    turnaround_error: float
    reason: str


@dataclass(frozen=True)
class ReplayErrors:
    """rows: worst explained first, by the seconds that the finish is off. median, p90: of the absolute error
    of finishes, as shares; bias: mean error.

    turnaround_*: the same of turnarounds. makespan_error: of the last finish of these jobs. All None without
    rows. left_out: sentences of jobs that are not compared.
    """

    rows: tuple[JobError, ...]
    median: float | None
    p90: float | None
    bias: float | None
    turnaround_median: float | None
    turnaround_p90: float | None
    turnaround_bias: float | None
    makespan_error: float | None
    left_out: tuple[str, ...]
    unfinished: int  # of those: jobs that never finish in the simulation

    @property
    def ratios(self) -> list[float]:
        """Measured over simulated finishes, from the first arrival on."""
        return [1 / max(1e-3, 1 + row.error) for row in self.rows]

    @property
    def turnaround_ratios(self) -> list[float]:
        """Measured over simulated turnarounds."""
        return [1 / max(1e-3, 1 + row.turnaround_error) for row in self.rows]


def replay_errors(
    measured: Run, simulated: Run, jobs: Iterable[int] | None = None, jvm_s: float = 0.0
) -> ReplayErrors:
    """Of these jobs (indices into the scenario's; default: all). Both runs are of the same jobs; what failed
    or never ended, and what other applications held, is left out.

    jvm_s: what of the simulated launch comes after an attempt's start as histories have it; reasons look at
    that start.
    """
    work = measured.workload
    order = np.empty(len(work.job_group), np.int64)
    order[work.job_group] = np.arange(len(order))
    jobs_given = measured.scenario.jobs
    chosen = order[list(range(len(jobs_given)) if jobs is None else jobs)]
    chosen = np.array([job for job in chosen if not is_other(jobs_given[work.job_group[job]])], np.int64)
    failed, stuck = measured.jobs.failed[chosen], simulated.jobs.finish[chosen] == NONE
    failed_in_simulation = simulated.jobs.failed[chosen]
    left_out = [
        _not_compared(count, replayed_noun(measured.scenario), cause)
        for count, cause in (
            (int(failed.sum()), msg("prediction.replay_errors.without_finish_on_cluster")),
            (int((stuck & ~failed).sum()), msg("prediction.replay_errors.never_finish_in_simulation")),
            (
                int((failed_in_simulation & ~failed & ~stuck).sum()),
                msg("prediction.replay_errors.fail_in_simulation"),
            ),
        )
        if count
    ]
    chosen = chosen[~failed & ~stuck & ~failed_in_simulation]
    measured_timelines, simulated_timelines = (
        job_timelines(measured),
        job_timelines(simulated, round(1000 * jvm_s)),
    )
    rows = [
        _row(
            job,
            measured,
            int(simulated.jobs.finish[job]),
            reason(job, measured_timelines, simulated_timelines),
        )
        for job in chosen.tolist()
    ]
    return _summary(rows, measured.first_ms, left_out, int((stuck & ~failed).sum()))


def lone_errors(measured: Run, finishes: Mapping[int, int]) -> ReplayErrors | None:
    """Of jobs that were simulated each alone; None of none. finishes: of each when it finished, by its index
    in the file, ms from the record's time 0, NONE of one that never did.
    """
    if not finishes:
        return None
    place = {group: job for job, group in enumerate(measured.workload.job_group.tolist())}
    rows = [_row(place[group], measured, finish, "") for group, finish in finishes.items() if finish != NONE]
    stuck = len(finishes) - len(rows)
    left_out = [
        _not_compared(stuck, "applications", msg("prediction.replay_errors.never_finish_in_simulation"))
    ]
    return _summary(rows, measured.first_ms, left_out if stuck else [], stuck)


def _summary(rows: list[JobError], first_ms: int, left_out: list[str], unfinished: int) -> ReplayErrors:
    """Of compared jobs; first_ms: the first arrival."""
    rows.sort(key=lambda row: (-abs(row.simulated_s - row.measured_s), row.job))
    finish, turnaround = _shares(row.error for row in rows), _shares(row.turnaround_error for row in rows)
    ends = [
        round(1000 * max(seconds)) - first_ms
        for seconds in zip(*((row.measured_s, row.simulated_s) for row in rows))
    ]
    return ReplayErrors(
        tuple(rows),
        *finish,
        *turnaround,
        ends[1] / max(1, ends[0]) - 1 if ends else None,
        tuple(left_out),
        unfinished,
    )


def _not_compared(count: int, noun: str, cause: str) -> str:
    return msg(
        "prediction.replay_errors.not_compared",
        count=quantities.count(count, noun),
        cause=cause,
    )


def _row(job: int, measured: Run, simulated_ms: int, reason: str) -> JobError:
    arrival, measured_ms = int(measured.jobs.arrival[job]), int(measured.jobs.finish[job])
    error_ms = simulated_ms - measured_ms
    return JobError(
        job=int(measured.workload.job_group[job]),
        name=measured.workload.job_names[job],
        arrival_s=arrival / 1000,
        measured_s=measured_ms / 1000,
        simulated_s=simulated_ms / 1000,
        error=error_ms / max(1, measured_ms - measured.first_ms),
        turnaround_error=error_ms / max(1, measured_ms - arrival),
        reason=reason,
    )


def _shares(errors: Iterable[float]) -> tuple[float | None, float | None, float | None]:
    """(median, 90 %) of the absolute errors, and their mean with its sign."""
    values = np.array(list(errors))
    if not len(values):
        return None, None, None
    median, p90 = np.percentile(np.abs(values), [50, 90])
    return float(median), float(p90), float(values.mean())
