"""A study in one call: a scenario, what varies in it, schedulers and seeds, to its result."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from engine.scenario.model import Scenario
from engine.studies.measures import COMPARED
from engine.studies.result import StudyResult
from engine.studies.run_study import run_study
from engine.studies.runners import make_runner
from engine.studies.study import Study, Vary


def study(
    scenario: Scenario | dict[str, Any] | str | os.PathLike[str],
    schedulers: Iterable[str] = ("fair",),
    vary: Mapping[str, Iterable[float | str]] | None = None,
    seeds: int = 30,
    metrics: Iterable[str] = COMPARED,
    jitter: float = 0.0,
    processes: int | None = None,
    cluster: str | None = None,
) -> StudyResult:
    """Every scheduler at every combination of the values of one or two parameters, with each of the seeds.

    scenario: one, its JSON values, or its file; vary: values by path, such as {"jobs[*].slowstart": [0.05,
    0.8]}; jitter: the coefficient of variation that durations are given which have none; processes: by
    default one a core; cluster: the address of a Dask scheduler instead, by default that of GANTRY_CLUSTER.
    Raises ScenarioError with every fault, OSError for a file that can't be read, StudyFailed.
    """
    if not isinstance(scenario, (Scenario, dict)):
        scenario = Scenario.read(Path(scenario).read_bytes())
    plain = scenario.plain() if isinstance(scenario, Scenario) else scenario
    varied = tuple(Vary(path, tuple(map(_plain, values))) for path, values in (vary or {}).items())
    asked = Study(plain, _several(schedulers), varied, seeds, metrics=_several(metrics), jitter=jitter)
    runner = make_runner(processes, cluster)
    try:
        return run_study(asked, runner)
    finally:
        runner.close()


def _several(names: Iterable[str]) -> tuple[str, ...]:
    """One name alone is a list of one."""
    return (names,) if isinstance(names, str) else tuple(names)


def _plain(value: Any) -> float | str:
    """A number of numpy's as Python's."""
    return value.item() if hasattr(value, "item") else value
