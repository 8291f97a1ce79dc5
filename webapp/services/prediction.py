"""How far a simulation of what a cluster did is off: fitted on a part of its record and judged on the rest, once for a scenario and a scheduler."""

from __future__ import annotations

from engine import Prediction, Scenario, parse, predict
from webapp.services.cache import shared
from webapp.services.held import Latest
from webapp.services.runs import Task, keep, needed, seconds_of
from webapp.services.tasks import Cancelled, Progress, TaskControl, kind, works

STEPS = 7  # of a prediction, each with about a run: the fit, what each part of it brings, and what is judged
MOST_PREDICTIONS = 8  # held ready
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
    key = _key(scenario, scheduler)
    _held.put(key, found)
    shared.put(key, found)
    return found


def _key(scenario: Scenario, scheduler: str) -> str:
    return f"prediction:{scenario.digest}:{scheduler}"


_held: Latest[Prediction] = Latest(MOST_PREDICTIONS)
