"""How far a simulation of what a cluster did is off: fitted on a part of its record and judged on the rest, once for a scenario and a scheduler."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from engine import Prediction, Scenario, parse, predict
from webapp.services.cache import shared
from webapp.services.held import Latest
from webapp.services.run_seconds import seconds_of
from webapp.services.runs import Task, keep, needed
from webapp.services.tasks import Cancelled, Progress, TaskControl, kind, works

STEPS = 7  # of a prediction, each with about a run: the fit, what each part of it brings, and what is judged
MOST_PREDICTIONS = 8  # held ready
MARK = "x_replay"  # the key under which a fitted scenario carries how far off its answers are
METRICS_WITH_BAND = ("makespan_s", "mean_turnaround_s", "max_turnaround_s")
MOST_SHARE, MOST_NAME = 1000.0, 200  # of what a scenario says
NOT_KEPT = "It was done, but the server's cache is away: press Replay again."


def simulated(what: Task) -> list[str]:
    """The schedulers of a task that its record can be replayed under."""
    return [name for name in what.schedulers if not parse(name).is_measured]


def predicted(scenario: Scenario, scheduler: str) -> Prediction | None:
    """What the record of a scenario says of its simulation under a scheduler, if that has been done."""
    key = _key(scenario, scheduler)
    found = _held.get(key) or shared.get(key)
    if not isinstance(found, Prediction):
        return None
    _held.put(key, found)
    return found


def fitted(of: Prediction) -> Scenario:
    """The scenario that what-ifs are asked of, which carries how far off they are (`Known`); what is known of its simulation is held ready."""
    known = Known(of.scheduler, *((one.low, one.high, one.of) for one in (of.band, of.turnaround_band)))
    found = Scenario.of({**of.scenario.plain(), MARK: known._asdict()})
    _keep(found, of)
    return found


class Known(NamedTuple):
    """How far answers are off: measured over simulated, least and largest share, and of how many jobs held out. scheduler: it was found under.

    finish: of times from the first arrival on, as makespans; turnaround: of times from a job's own.
    """

    scheduler: str
    finish: tuple[float, float, int]
    turnaround: tuple[float, float, int]

    def around(self, metric: str, seconds: float) -> tuple[float, float] | None:
        """Between which it would be on the cluster; None for a metric whose error was not found."""
        low, high, _ = self.finish if metric == "makespan_s" else self.turnaround
        return (low * seconds, high * seconds) if metric in METRICS_WITH_BAND and self.finish[2] else None


def known(scenario: Scenario) -> Known | None:
    """What a scenario carries of its replay, which anybody may have written; None of one that was not fitted."""
    found = (scenario.model_extra or {}).get(MARK)
    if not isinstance(found, dict) or not isinstance(found.get("scheduler"), str):
        return None
    bands = [found.get(key) for key in ("finish", "turnaround")]
    if not all(_is_band(one) for one in bands):
        return None
    return Known(found["scheduler"][:MOST_NAME], *map(tuple, bands))


def _is_band(given: Any) -> bool:
    """[least, largest share, jobs]"""
    numbers = isinstance(given, (list, tuple)) and len(given) == 3 and all(isinstance(one, (int, float)) and math.isfinite(one) for one in given)
    return bool(numbers) and 0 < given[0] <= given[1] <= MOST_SHARE and given[2] >= 0


def begin(what: Task, scheduler: str, patience_s: float) -> tuple[str, Progress]:
    """Fit and judge, as a piece of work, unless that has been done; its id and how far it is."""
    asked = {"key": what.key, "scheduler": scheduler}
    return works.start("prediction", asked, STEPS, seconds_of(what.scenario, STEPS), patience_s, after=keep(what))


@kind("prediction")
def _do_predict(asked: dict, control: TaskControl) -> None:
    made(needed(asked["key"]).scenario, asked["scheduler"], control)


def made(scenario: Scenario, scheduler: str, control: TaskControl) -> Prediction:
    """What `predicted` has, or will have from now on, as the first STEPS steps of a piece of work. Raises Cancelled where that is to end."""
    if found := predicted(scenario, scheduler):
        return found
    begun = iter(range(STEPS))
    found = predict(scenario, scheduler, halt=control.halt, report=lambda now: control.step(next(begun, STEPS - 1), now))
    if control.cancelled():
        raise Cancelled
    _keep(scenario, found)
    return found


def _keep(scenario: Scenario, found: Prediction) -> None:
    key = _key(scenario, found.scheduler)
    _held.put(key, found)
    shared.put(key, found)


def _key(scenario: Scenario, scheduler: str) -> str:
    return f"prediction:{scenario.digest}:{scheduler}"


_held: Latest[Prediction] = Latest(MOST_PREDICTIONS)
