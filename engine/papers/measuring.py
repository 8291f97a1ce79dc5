"""How experiments run their scenarios: schedulers beside each other, over seeds, and changes in percent."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from engine.analysis.metrics import makespan_ms, summary
from engine.experiments.replications import parallel_map
from engine.papers.columns import columns
from engine.papers.judge import average, mean
from engine.papers.schema import Samples, Series
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.legacy_names import parse_in_full
from engine.schedulers.scheduler import Scheduler
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

DEFAULT_TRIAL = Trial()
Measure = Callable[[Run], Mapping[str, float]]


def run_trial(scenario: Scenario, scheduler: str | Scheduler, trial: Trial = DEFAULT_TRIAL) -> Run:
    """The run of an experiment under the trial's conditions. SchedulerError for a name that leaves anything
    to a default.
    """
    chosen = parse_in_full(scheduler) if isinstance(scheduler, str) else scheduler
    return simulate(
        trial.conditions.apply_to(scenario),
        trial.conditions.apply_to_scheduler(chosen),
        cancel_token=trial.cancel_token,
    )


def makespan_s(run: Run) -> float:
    """Last finish - first arrival, seconds; inf in a deadlock."""
    return makespan_ms(run) / 1000 if run.status == "finished" else math.inf


def metrics(*keys: str) -> Measure:
    """A measure of these of the engine's METRICS; inf where a deadlock leaves none."""

    def measured(run: Run) -> dict[str, float]:
        values = summary(run)
        return {key: math.inf if values[key] is None else values[key] for key in keys}

    return measured


def over_seeds(
    make: Callable[[int], Scenario],
    schedulers: Mapping[str, str | Scheduler] | Iterable[str],
    measure: Measure,
    trial: Trial = DEFAULT_TRIAL,
    seeds: Sequence[int] | None = None,
) -> dict[str, list[float]]:
    """Run make(seed) under every scheduler: "name/metric" -> one value a seed. schedulers: by name in the
    samples, or columns by label.

    seeds: the trial's, if none are named.
    """
    named = _named(schedulers)

    def run(seed: int) -> dict[str, float]:
        scenario = make(seed)
        return {
            f"{name}/{metric}": value
            for name, chosen in named.items()
            for metric, value in measure(run_trial(scenario, chosen, trial)).items()
        }

    return _gathered(parallel_map(run, trial.seeds if seeds is None else seeds, trial.progress))


def run_each(
    scenario: Scenario,
    schedulers: Mapping[str, str | Scheduler] | Iterable[str],
    measure: Measure,
    trial: Trial = DEFAULT_TRIAL,
) -> dict[str, list[float]]:
    """As `over_seeds`, of one scenario as it is."""
    named = _named(schedulers)

    def run(name: str) -> dict[str, float]:
        return {
            f"{name}/{metric}": value
            for metric, value in measure(run_trial(scenario, named[name], trial)).items()
        }

    return _gathered(parallel_map(run, list(named), trial.progress))


def change_pct(before: Sequence[float], after: Sequence[float]) -> list[float]:
    """100 (after - before) / before, seed by seed."""
    return [100 * (new - old) / old for old, new in zip(before, after)]


def series(name: str, x: Sequence[float | str], samples: Samples, keys: Sequence[str]) -> Series:
    """The means of these samples over x, with their intervals where there are several seeds."""
    estimates = [mean(samples[key]) for key in keys]
    averages = [average(samples[key]) for key in keys]
    y = tuple(value if math.isfinite(value) else None for value in averages)
    spread = any(estimate.low is not None for estimate in estimates)
    return Series(
        name,
        tuple(x),
        y,
        tuple(estimate.low for estimate in estimates) if spread else (),
        tuple(estimate.high for estimate in estimates) if spread else (),
    )


def _named(schedulers: Mapping[str, str | Scheduler] | Iterable[str]) -> dict[str, str | Scheduler]:
    return dict(schedulers if isinstance(schedulers, Mapping) else columns(*schedulers))


def _gathered(rows: Iterable[Mapping[str, float]]) -> dict[str, list[float]]:
    samples: dict[str, list[float]] = {}
    for row in rows:
        for key, value in row.items():
            samples.setdefault(key, []).append(value)
    return samples
