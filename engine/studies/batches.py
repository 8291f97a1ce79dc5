"""What a process or a machine is given of a study at a time: some of its units, one after another, and what came of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.errors import GantryError, Halted
from engine.scenario.model import Scenario
from engine.schedulers.names import Scheduler, parse
from engine.simulation.halt import Halt
from engine.simulation.simulate import simulate
from engine.studies.measures import measured
from engine.studies.study import Point, Study

NOT_RUN, FINISHED, DEADLOCK, REFUSED = range(4)
STATES = ("not run", "finished", "deadlock", "refused")
BATCH_S = 0.1  # about so long one takes, so that what it costs to hand over is little and cancelling is quick
RUN_S, CONTAINER_S = 1.2e-3, 3e-6  # of a run, and more a container
MOST_UNITS = 250


@dataclass(frozen=True)
class Batch:
    """values: float64[units, schedulers, metrics], nan where there is none; state: int8[units, schedulers], an index of STATES;
    because: (unit, scheduler's place, sentence) of the first that was refused or hung, of each point."""

    first: int
    values: np.ndarray
    state: np.ndarray
    because: list[tuple[int, int, str]] = field(default_factory=list)


def batches(study: Study) -> list[range]:
    """The units of a study in batches, in their order; those of a point that are not all in one batch are as many."""
    seconds = len(study.schedulers) * (RUN_S + CONTAINER_S * study.containers)
    size = min(max(round(BATCH_S / seconds), 1), MOST_UNITS)
    return [range(first, min(first + size, study.units)) for first in range(0, study.units, size)]


def do_batch(study: Study, units: range, halt: Halt | None = None) -> Batch:
    """Run some units; a point whose values are refused leaves its units without numbers. Raises Halted when it was ended."""
    shape = len(units), len(study.schedulers)
    found = Batch(units[0], np.full((*shape, len(study.metrics)), np.nan), np.zeros(shape, np.int8))
    told: set[tuple[int, int]] = set()
    at: tuple[int, Point | str] | None = None
    names: dict[str, Scheduler] = {}
    for row, unit in enumerate(units):
        number, seed = divmod(unit, study.seeds)
        if at is None or at[0] != number:
            at = number, _point(study, number)
            places = [place for place in range(len(study.schedulers)) if study.source(number, place) == number]
        scenario = at[1].seeded(seed) if isinstance(at[1], Point) else None
        for place in places:
            state, because = REFUSED, at[1]
            if scenario is not None:
                state, because, values = _run(scenario, at[1].schedulers[place], names, study.metrics, halt)
                found.values[row, place] = values
            found.state[row, place] = state
            if state != FINISHED and (number, place) not in told:
                told.add((number, place))
                found.because.append((unit, place, str(because)))
    return found


def _point(study: Study, number: int) -> Point | str:
    """Or why there is none."""
    try:
        return study.at(number)
    except GantryError as error:
        return str(error).partition("\n")[0]


def _run(scenario: Scenario, name: str, names: dict[str, Scheduler], metrics: tuple[str, ...], halt: Halt | None) -> tuple[int, str | None, list[float]]:
    """names: what was read of names already, which takes a thirtieth of a small run."""
    try:
        scheduler = names.get(name) or names.setdefault(name, parse(name))
        run = simulate(scenario, scheduler, halt=halt)
    except Halted:
        raise
    except GantryError as error:
        return REFUSED, str(error).partition("\n")[0], [np.nan] * len(metrics)
    return (FINISHED if run.status == "finished" else DEADLOCK), run.because, measured(run, metrics)
