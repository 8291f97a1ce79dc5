"""A history replayed: how well a simulation explains it, how well one fitted to its first part predicts the rest, and the band that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from engine.errors import SchedulerError
from engine.prediction.against_measured import Errors, replay_errors
from engine.prediction.band import Band, band
from engine.prediction.evidence import is_other
from engine.prediction.fit import HistoryFit, fit
from engine.prediction.fitted_scenario import ALL, CONTENTION, LAUNCH, STARTUP
from engine.scenario.field_types import milliseconds
from engine.scenario.model import Scenario
from engine.schedulers.names import Scheduler, parse
from engine.simulation.halt import Halt
from engine.simulation.measured_run import measured_run
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

STEPS = (  # each with all before it
    ("Durations from the history only", frozenset()),
    ("+ masters' start-up, each job's own", frozenset((STARTUP,))),
    ("+ launch, masters' heartbeat and shuffle", frozenset((STARTUP, LAUNCH))),
    ("+ contention", frozenset((STARTUP, LAUNCH, CONTENTION))),
    ("+ masters linger", ALL),
)
PREDICTED = "Prediction: all of it from the first part"
PREDICTED_FROM = "Prediction: all of it from the other histories"


@dataclass(frozen=True)
class Variant:
    """One simulation: title, its errors of all jobs, and of those that the prediction is judged on. fitted: the last one is a prediction for those."""

    title: str
    all_jobs: Errors
    judged: Errors


@dataclass(frozen=True)
class Prediction:
    """scenario: fitted on all jobs, to ask what-ifs of; `measured` stays. scheduler: its name. replay: errors of all jobs there, each with its own start-up and
    durations. fit: of the first part (or of other histories); held_out: errors of the rest, whose masters start up as the fit says; whole: the fit of all jobs.

    band: of finishes of the held-out jobs, from the first arrival on, as for a makespan; turnaround_band: of their turnarounds. variants: what each part of the
    fit brings. notes: sentences of what could not be done. split_s: when the first judged job arrives; None where another history was fitted.
    """

    scenario: Scenario
    scheduler: str
    replay: Errors
    fit: HistoryFit
    held_out: Errors
    whole: HistoryFit
    band: Band
    turnaround_band: Band
    variants: tuple[Variant, ...]
    notes: tuple[str, ...]
    split_s: float | None


def predict(
    scenario: Scenario,
    scheduler: str | Scheduler,
    halt: Halt | None = None,
    report: Callable[[str], None] | None = None,
    training: Scenario | None = None,
) -> Prediction:
    """Fitted on the first half of the jobs, by submission, and judged on the rest; with `training`, another cluster's time, fitted there and judged on all.

    report: is told what is done next. Raises SchedulerError where there is no record that fits, or the scheduler is `measured`; what `simulate` raises.
    """
    chosen = parse(scheduler) if isinstance(scheduler, str) else scheduler
    if chosen.is_measured:
        raise SchedulerError("measured is what is replayed: name the scheduler of the cluster, such as fair or capacity")
    halt, tell = halt or Halt(), report or (lambda sentence: None)
    measured = measured_run(scenario)
    first, rest = _parts(scenario, training is not None)
    notes = [] if rest else ["one job alone: nothing is held out, so it is judged on what it was fitted to"]
    judged = rest or first
    tell("what the history doesn't say is estimated")
    whole = fit(scenario)
    halt.go_on()
    found = fit(training) if training is not None else fit(scenario, first)

    def run(of: Scenario) -> Run:
        halt.go_on()
        return simulate(of, chosen, halt=halt)

    def variant(title: str, of: Scenario, by: HistoryFit) -> Variant:
        tell(title)
        simulated, jvm_s = run(of), (by.value("jvm_s") or 0.0) if of.cluster.launch_s else 0.0
        return Variant(title, replay_errors(measured, simulated, jvm_s=jvm_s), replay_errors(measured, simulated, judged, jvm_s))

    fitted = whole.applied(scenario)
    variants = [variant(title, whole.applied(scenario, with_=with_), whole) for title, with_ in _steps(whole)]
    predicted = variant(PREDICTED if training is None else PREDICTED_FROM, found.applied(scenario, judged), found)
    return Prediction(
        scenario=fitted,
        scheduler=chosen.name,
        replay=variants[-1].all_jobs,
        fit=found,
        held_out=predicted.judged,
        whole=whole,
        band=band(predicted.judged.ratios, "held-out jobs"),
        turnaround_band=band(predicted.judged.turnaround_ratios, "held-out jobs"),
        variants=(*variants, predicted),
        notes=tuple(notes),
        split_s=None if training is not None or not rest else min(scenario.jobs[job].arrival_s for job in rest),
    )


def _steps(whole: HistoryFit) -> Iterator[tuple[str, frozenset[str]]]:
    """Those that change anything."""
    for title, with_ in STEPS:
        if title == "+ contention" and not whole.value("contention"):
            continue
        yield title, with_


def _parts(scenario: Scenario, elsewhere: bool) -> tuple[list[int], list[int]]:
    """MapReduce jobs by submission: the first half, and the rest; where it is fitted elsewhere, all are the rest."""
    jobs = [place for place, job in enumerate(scenario.jobs) if not is_other(job)]
    if elsewhere:
        return [], jobs
    arrival = np.array([milliseconds(scenario.jobs[place].arrival_s) for place in jobs])
    order = np.argsort(arrival, kind="stable")
    half = (len(jobs) + 1) // 2
    return [jobs[place] for place in order[:half]], [jobs[place] for place in order[half:]]
