"""How experiments run their scenarios: schedulers beside each other, over seeds, and changes in percent."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from engine.analysis.metrics import makespan_ms, summary
from engine.experiments.replications import in_parallel
from engine.papers.columns import columns
from engine.papers.judge import mean
from engine.papers.schema import Samples, Series
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.names import Scheduler
from engine.schedulers.names_of_0_1 import parse_in_full
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

AS_IT_IS = Trial()
Measure = Callable[[Run], Mapping[str, float]]


def simulated(scenario: Scenario, scheduler: str | Scheduler, trial: Trial = AS_IT_IS) -> Run:
    """The run of an experiment under the trial's conditions. SchedulerError for a name that leaves anything to a default."""
    chosen = parse_in_full(scheduler) if isinstance(scheduler, str) else scheduler
    return simulate(trial.conditions.of(scenario), trial.conditions.under(chosen), halt=trial.halt)


def makespan_s(run: Run) -> float:
    """Last finish - first arrival, seconds; inf in a deadlock."""
    return makespan_ms(run) / 1000 if run.status == "finished" else math.inf


def metrics(*keys: str) -> Measure:
    """A measure of these of the engine's METRICS; inf where a deadlock leaves none."""

    def measured(run: Run) -> dict[str, float]:
        found = summary(run)
        return {key: math.inf if found[key] is None else found[key] for key in keys}

    return measured


def over_seeds(
    make: Callable[[int], Scenario],
    schedulers: Mapping[str, str | Scheduler] | Iterable[str],
    measure: Measure,
    trial: Trial = AS_IT_IS,
    seeds: Sequence[int] | None = None,
) -> dict[str, list[float]]:
    """Run make(seed) under every scheduler: "name/metric" -> one value a seed. schedulers: by name in the samples, or columns by label.

    seeds: the trial's, if none are named.
    """
    named = _named(schedulers)

    def run(seed: int) -> dict[str, float]:
        scenario = make(seed)
        return {f"{name}/{metric}": value for name, chosen in named.items() for metric, value in measure(simulated(scenario, chosen, trial)).items()}

    return _gathered(in_parallel(run, trial.seeds if seeds is None else seeds, trial.progress))


def beside(scenario: Scenario, schedulers: Mapping[str, str | Scheduler] | Iterable[str], measure: Measure, trial: Trial = AS_IT_IS) -> dict[str, list[float]]:
    """As `over_seeds`, of one scenario as it is."""
    named = _named(schedulers)

    def run(name: str) -> dict[str, float]:
        return {f"{name}/{metric}": value for metric, value in measure(simulated(scenario, named[name], trial)).items()}

    return _gathered(in_parallel(run, list(named), trial.progress))


def change_pct(before: Sequence[float], after: Sequence[float]) -> list[float]:
    """100 (after - before) / before, seed by seed."""
    return [100 * (new - old) / old for old, new in zip(before, after)]


def series(name: str, x: Sequence[float | str], samples: Samples, keys: Sequence[str]) -> Series:
    """The means of these samples over x, with their intervals where there are several seeds."""
    found = [mean(samples[key]) for key in keys]
    y = tuple(one.mean if math.isfinite(one.mean) else None for one in found)
    spread = any(one.low is not None for one in found)
    return Series(name, tuple(x), y, tuple(one.low for one in found) if spread else (), tuple(one.high for one in found) if spread else ())


def _named(schedulers: Mapping[str, str | Scheduler] | Iterable[str]) -> dict[str, str | Scheduler]:
    return dict(schedulers) if isinstance(schedulers, Mapping) else columns(*schedulers)


def _gathered(found: Iterable[Mapping[str, float]]) -> dict[str, list[float]]:
    samples: dict[str, list[float]] = {}
    for one in found:
        for key, value in one.items():
            samples.setdefault(key, []).append(value)
    return samples
