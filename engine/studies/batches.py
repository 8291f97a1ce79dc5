"""A batch: the units of a study that a process or a machine is given at a time, and their results."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.codes import RunState
from engine.errors import GantryError, RunCancelled
from engine.messages import msg
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler
from engine.simulation.cancellation import CancelToken
from engine.simulation.simulate import simulate
from engine.studies.measures import measure_run
from engine.studies.study import Point, Study

STATES = (msg("studies.batches.not_run"), "finished", "deadlock", "refused")
# about the duration of a batch: long enough that handing it over costs little, short enough to cancel quickly
BATCH_S = 0.1
RUN_S, CONTAINER_S = 1.2e-3, 3e-6  # cost of a run, and of each container of it
MAX_UNITS = 250


@dataclass(frozen=True)
class Batch:
    """values: float64[units, schedulers, metrics], nan where there is none; state: int8[units, schedulers],
    an index of STATES;
    because: (unit, scheduler's place, sentence) of the first that was refused or hung, of each point."""

    first: int
    values: np.ndarray
    state: np.ndarray
    because: list[tuple[int, int, str]] = field(default_factory=list)


def batches(study: Study) -> list[range]:
    """The units of a study in batches, in their order; those of a point that are not all in one batch are as
    many.
    """
    seconds = len(study.schedulers) * (RUN_S + CONTAINER_S * study.containers)
    size = min(max(round(BATCH_S / seconds), 1), MAX_UNITS)
    return [range(first, min(first + size, study.units)) for first in range(0, study.units, size)]


def run_batch(study: Study, units: range, cancel_token: CancelToken | None = None) -> Batch:
    """Run some units; a point whose values are refused leaves its units without numbers. Raises RunCancelled
    when it was ended.
    """
    shape = len(units), len(study.schedulers)
    batch = Batch(units[0], np.full((*shape, len(study.metrics)), np.nan), np.zeros(shape, np.int8))
    reported: set[tuple[int, int]] = set()
    current: tuple[int, Point | str] | None = None
    for row, unit in enumerate(units):
        number, seed = divmod(unit, study.seeds)
        if current is None or current[0] != number:
            current = number, _point(study, number)
            places = [
                index for index in range(len(study.schedulers)) if study.source(number, index) == number
            ]
        point = current[1]
        scenario = None if isinstance(point, str) else point.seeded(seed)
        for index in places:
            state: int = RunState.REFUSED
            because: str | None = None
            if scenario is None or isinstance(point, str):
                because = str(point)
            else:
                state, because, values = _run(scenario, point.parsed[index], study, cancel_token)
                batch.values[row, index] = values
            batch.state[row, index] = state
            if state != RunState.FINISHED and (number, index) not in reported:
                reported.add((number, index))
                batch.because.append((unit, index, str(because)))
    return batch


def _point(study: Study, number: int) -> Point | str:
    """The point, or why there is none."""
    try:
        return study.at(number)
    except GantryError as error:
        return str(error).partition("\n")[0]


def _run(
    scenario: Scenario,
    scheduler: Scheduler,
    study: Study,
    cancel_token: CancelToken | None,
) -> tuple[int, str | None, list[float]]:
    try:
        run = simulate(scenario, scheduler, cancel_token=cancel_token)
    except RunCancelled:
        raise
    except GantryError as error:
        return RunState.REFUSED, str(error).partition("\n")[0], [np.nan] * len(study.metrics)
    return (
        STATES.index(run.status),
        run.because,
        measure_run(run, study.metrics, study.application),
    )
