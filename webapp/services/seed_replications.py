"""A task over many seeds: begun, and found again once it has been done."""

from __future__ import annotations

from engine import Replications, replicate
from webapp.services.cache import shared
from webapp.services.held import Latest
from webapp.services.run_seconds import seconds_of
from webapp.services.runs import Task, keep, needed
from webapp.services.tasks import Cancelled, Progress, TaskControl, kind, works

SEEDS = 30
MOST_REPEATS = 16  # held ready
NOT_KEPT = "It was done, but the server's cache is away: press it again."


def repeated(what: Task) -> Replications | None:
    """What of the task is simulated, over SEEDS seeds, from its own on, if that has been done."""
    return _held.get(what.key) or shared.get(_key(what))


def begin(what: Task, patience_s: float) -> tuple[str, Progress]:
    """Run the task over SEEDS seeds, as a piece of work of one step a run, unless that has been done; its id and how far it is."""
    times = SEEDS * len(what.simulated)
    return works.start("repeat", {"key": what.key}, times, seconds_of(what.scenario, times), patience_s, after=keep(what))


@kind("repeat")
def _do_repeat(asked: dict, control: TaskControl) -> None:
    what = needed(asked["key"])
    if repeated(what):
        return
    seeds = range(what.scenario.seed, what.scenario.seed + SEEDS)
    if seeds[-1] >= 2**63:
        seeds = range(SEEDS)
    found = replicate(what.scenario, what.simulated, seeds, lambda done, _: control.report(done, "runs"), control.cancelled, control.halt)
    if control.cancelled():
        raise Cancelled
    _held.put(what.key, found)
    shared.put(_key(what), found)


def _key(what: Task) -> str:
    return f"repeat:{what.key}:{SEEDS}"


_held: Latest[Replications] = Latest(MOST_REPEATS)
