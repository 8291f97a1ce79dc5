"""Job by job, when a simulation says it finished and when it did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.prediction.evidence import is_other
from engine.prediction.job_reasons import Stays, reason, stays
from engine.simulation.run import NONE, Run


@dataclass(frozen=True)
class JobError:
    """job: index into the scenario's. Times in s from the scenario's time 0; errors as shares, simulated less measured.

    error: of the finish, from the first arrival on; turnaround_error: of the time from its own arrival. reason: a sentence, "" where the record shows none.
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
class Errors:
    """rows: worst explained first, by the seconds that the finish is off. median, p90: of the absolute error of finishes, as shares; bias: mean error.

    turnaround_*: the same of turnarounds. makespan_error: of the last finish of these jobs. All None without rows. left_out: sentences of jobs that are not
    compared.
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


def replay_errors(measured: Run, simulated: Run, jobs: Iterable[int] | None = None, jvm_s: float = 0.0) -> Errors:
    """Of these jobs (indices into the scenario's; default: all). Both runs are of the same jobs; what failed or never ended, and others' room, is left out.

    jvm_s: what of the simulated launch comes after an attempt's start as histories have it; reasons look at that start.
    """
    work = measured.workload
    place = np.empty(len(work.job_group), np.int64)
    place[work.job_group] = np.arange(len(place))
    given = measured.scenario.jobs
    chosen = place[list(range(len(given)) if jobs is None else jobs)]
    chosen = np.array([job for job in chosen if not is_other(given[work.job_group[job]])], np.int64)
    failed, stuck = measured.jobs.failed[chosen], simulated.jobs.finish[chosen] == NONE
    lost = simulated.jobs.failed[chosen]
    left_out = [
        f"{count:,} {'job' if count == 1 else 'jobs'} that {why}: not compared"
        for count, why in (
            (int(failed.sum()), "failed or were killed on the cluster"),
            (int((stuck & ~failed).sum()), "never finish in the simulation"),
            (int((lost & ~failed & ~stuck).sum()), "fail in the simulation"),
        )
        if count
    ]
    chosen = chosen[~failed & ~stuck & ~lost]
    first = measured.first_ms
    was, found = stays(measured), stays(simulated, round(1000 * jvm_s))
    rows = [_row(int(job), measured, simulated, first, was, found) for job in chosen]
    rows.sort(key=lambda row: (-abs(row.simulated_s - row.measured_s), row.job))
    finish, turnaround = _shares(row.error for row in rows), _shares(row.turnaround_error for row in rows)
    ends = [int(run.jobs.finish[chosen].max()) - first for run in (measured, simulated)] if len(chosen) else None
    return Errors(tuple(rows), *finish, *turnaround, ends[1] / max(1, ends[0]) - 1 if ends else None, tuple(left_out), int((stuck & ~failed).sum()))


def _row(job: int, measured: Run, simulated: Run, first: int, was: Stays, found: Stays) -> JobError:
    arrival, real, ours = (int(times[job]) for times in (measured.jobs.arrival, measured.jobs.finish, simulated.jobs.finish))
    off = ours - real
    return JobError(
        job=int(measured.workload.job_group[job]),
        name=measured.workload.job_names[job],
        arrival_s=arrival / 1000,
        measured_s=real / 1000,
        simulated_s=ours / 1000,
        error=off / max(1, real - first),
        turnaround_error=off / max(1, real - arrival),
        reason=reason(job, was, found),
    )


def _shares(of: Iterable[float]) -> tuple[float | None, float | None, float | None]:
    """(median, 90 %) of the absolute errors, and their mean with its sign."""
    values = np.array(list(of))
    if not len(values):
        return None, None, None
    median, most = np.percentile(np.abs(values), [50, 90])
    return float(median), float(most), float(values.mean())
