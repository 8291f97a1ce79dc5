"""A history replayed: how well a simulation explains it, how well one fitted to its first part predicts the
rest, and the band that follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from engine import quantities
from engine.errors import SchedulerError
from engine.messages import msg
from engine.prediction.band import Band, band
from engine.prediction.evidence import evidence, is_other, replayed_noun
from engine.prediction.fit import DRIVER, LINGER, STARTUP_S, HistoryFit, fit
from engine.prediction.fitted_scenario import ALL, CONTENTION, LAUNCH, STARTUP, startup_s, task_launch_s
from engine.prediction.lone_application import lone_finishes
from engine.prediction.replay_errors import JobError, ReplayErrors, lone_errors, replay_errors
from engine.rich_display import RichDisplay
from engine.scenario.field_types import milliseconds
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler, as_scheduler
from engine.simulation.cancellation import CancelToken
from engine.simulation.measured_run import measured_run
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

if TYPE_CHECKING:
    import pandas as pd

STEPS: tuple[tuple[str, frozenset[str]], ...] = (  # each with all before it
    (msg("prediction.prediction.durations_from_history_only"), frozenset()),
    (msg("prediction.prediction.applicationmaster_startup_each_job"), frozenset((STARTUP,))),
    (msg("prediction.prediction.launch_masters_heartbeat_and_shuffle"), frozenset((STARTUP, LAUNCH))),
    ("+ contention", frozenset((STARTUP, LAUNCH, CONTENTION))),
    (msg("prediction.prediction.time_applicationmasters_after_job"), ALL),
)
PREDICTED = msg("prediction.prediction.prediction_all_from_first_part")
PREDICTED_FROM = msg("prediction.prediction.prediction_all_from_other_histories")


@dataclass(frozen=True)
class Variant:
    """One simulation: title, its errors of all jobs, and of those that the prediction is judged on. fitted:
    the last one is a prediction for those.
    """

    title: str
    all_jobs: ReplayErrors
    judged: ReplayErrors


@dataclass(frozen=True, repr=False)
class Prediction(RichDisplay):
    """scenario: fitted on all jobs, to ask what-ifs of; `measured` stays. scheduler: its name. replay: errors
    of all jobs there, each with its own start-up and durations. alone: of Spark applications, each simulated
    by itself with its executors as they came; None without any. fit: of the first part (or of other
    histories); held_out: errors of the rest, whose masters start up as the fit says, without rows
    where one job alone was replayed; whole: the fit of all jobs.

    band: of finishes of the held-out jobs, from the first arrival on, as for a makespan; turnaround_band: of
    their turnarounds. variants: what each part of the fit brings. notes: sentences of what could not be done.
    split_s: when the first held-out job arrives; None where another history was fitted, and of one job.
    is_elsewhere: another history was.
    """

    scenario: Scenario
    scheduler: str
    replay: ReplayErrors
    alone: ReplayErrors | None
    fit: HistoryFit
    held_out: ReplayErrors
    whole: HistoryFit
    band: Band
    turnaround_band: Band
    variants: tuple[Variant, ...]
    notes: tuple[str, ...]
    split_s: float | None
    is_elsewhere: bool

    @property
    def stuck(self) -> bool:
        """Does a job never finish in the replay, or in the prediction?"""
        return any(variant.all_jobs.unfinished for variant in self.variants[-2:])

    def __repr__(self) -> str:
        return self.frame()[["name", "measured_s", "simulated_s", "error"]].to_string(index=False)

    def frame(self) -> pd.DataFrame:
        """A row a job of the replay as a table of pandas, the worst explained first: the fields of its
        JobError.
        """
        import pandas as pd

        return pd.DataFrame(self.replay.rows, columns=[one.name for one in fields(JobError)])


def predict(
    scenario: Scenario,
    scheduler: str | Scheduler,
    cancel_token: CancelToken | None = None,
    report: Callable[[str], None] | None = None,
    training: Scenario | None = None,
) -> Prediction:
    """Fitted on the first half of the jobs, by submission, and judged on the rest; with `training`, another
    cluster's time, fitted there and judged on all.

    report: is told what is done next. Raises SchedulerError where there is no record that fits, or the
    scheduler is `measured`; what `simulate` raises.
    """
    chosen = as_scheduler(scheduler)
    if chosen.is_measured:
        raise SchedulerError(msg("prediction.prediction.measured_what_replayed_name_scheduler_cluste"))
    cancel_token, tell = cancel_token or CancelToken(), report or (lambda sentence: None)
    measured = measured_run(scenario)
    record = evidence(measured)
    first_jobs, judged = _split_jobs(scenario, training is not None)
    tell(msg("prediction.prediction.what_history_does_not_record_estimated"))
    fit_on_all = fit(record)
    cancel_token.raise_if_cancelled()
    fit_on_first = fit(
        evidence(measured, first_jobs) if training is None else evidence(measured_run(training))
    )

    def run(fitted_scenario: Scenario) -> Run:
        cancel_token.raise_if_cancelled()
        return simulate(fitted_scenario, chosen, cancel_token=cancel_token)

    def variant(title: str, fitted_scenario: Scenario, used_fit: HistoryFit) -> Variant:
        tell(title)
        simulated, jvm_s = (
            run(fitted_scenario),
            (used_fit.value("jvm_s") or 0.0) if fitted_scenario.cluster.launch_s else 0.0,
        )
        return Variant(
            title,
            replay_errors(measured, simulated, jvm_s=jvm_s),
            replay_errors(measured, simulated, judged, jvm_s),
        )

    variants = [
        variant(title, fit_on_all.apply_to(record, components=components), fit_on_all)
        for title, components in _steps(fit_on_all)
    ]
    replayed = variants[-1]
    if judged:
        title = PREDICTED if training is None else PREDICTED_FROM
        variants.append(variant(title, fit_on_first.apply_to(record, judged), fit_on_first))
    held_out, judged_noun = variants[-1].judged, f"held-out {replayed_noun(scenario)}"
    return Prediction(
        scenario=fit_on_all.apply_to(record),
        scheduler=chosen.name,
        replay=replayed.all_jobs,
        alone=lone_errors(measured, lone_finishes(record, cancel_token)),
        fit=fit_on_first,
        held_out=held_out,
        whole=fit_on_all,
        band=band(held_out.ratios, judged_noun),
        turnaround_band=band(held_out.turnaround_ratios, judged_noun),
        variants=tuple(variants),
        notes=_notes(scenario, judged, fit_on_first),
        split_s=min((scenario.jobs[job].arrival_s for job in judged), default=None) if first_jobs else None,
        is_elsewhere=training is not None,
    )


def _notes(scenario: Scenario, judged: list[int], used_fit: HistoryFit) -> tuple[str, ...]:
    """Of one job, of which nothing is held out, and of a framework that nothing was fitted to."""
    if not judged:
        return (msg("prediction.prediction.one_job_alone_nothing_held_out"),)
    values, notes = used_fit.values, []
    is_spark = {scenario.jobs[job].is_spark for job in judged}
    if True in is_spark and values[DRIVER] is None:
        startup, launch = startup_s(values, True), task_launch_s(values)
        text = msg(
            "prediction.prediction.no_spark_in_fit", startup=_seconds(startup), launch=_seconds(launch)
        )
        notes.append(text)
    if False in is_spark and values[STARTUP_S] is None:
        startup = startup_s(values, False)
        notes.append(msg("prediction.prediction.no_mapreduce_in_fit", startup=_seconds(startup)))
    return tuple(notes)


def _seconds(seconds: float) -> str:
    return quantities.quantity(seconds, "s")


def _steps(fit_on_all: HistoryFit) -> Iterator[tuple[str, frozenset[str]]]:
    """Those that change anything."""
    for title, components in STEPS:
        if title == "+ contention" and not fit_on_all.value("contention"):
            continue
        if components == ALL and not any(parameter.key == LINGER for parameter in fit_on_all.parameters):
            continue
        yield title, components


def _split_jobs(scenario: Scenario, elsewhere: bool) -> tuple[list[int], list[int]]:
    """MapReduce jobs and Spark applications by submission: the first half, and the rest; where it is fitted
    elsewhere, all are the rest.
    """
    jobs = [job_index for job_index, job in enumerate(scenario.jobs) if not is_other(job)]
    if elsewhere:
        return [], jobs
    arrival = np.array([milliseconds(scenario.jobs[job_index].arrival_s) for job_index in jobs])
    order = np.argsort(arrival, kind="stable")
    half = (len(jobs) + 1) // 2
    return [jobs[job_index] for job_index in order[:half]], [jobs[job_index] for job_index in order[half:]]
