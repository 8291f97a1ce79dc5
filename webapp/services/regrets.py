"""What each decision of a run cost, as a piece of work: kept by scenario and scheduler, so that whoever asks for the same finds it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from engine import Regret, costly_decisions, parse
from webapp import settings
from webapp.services import runs
from webapp.services.cache import shared
from webapp.services.held import Latest
from webapp.services.run_seconds import RUN_S, seconds_of
from webapp.services.runs import Shown, keep, needed
from webapp.services.tasks import Cancelled, Progress, TaskControl, kind, visitor, works

MOST = 10  # decisions that are listed
SECONDS = 20.0  # that the decisions of one run are tried for
STEP_S = 0.0004  # that one is thought to take, besides half a run
KEEP_PARTIAL_S = 3600
MOST_HELD = 16  # answers held ready


@dataclass(frozen=True)
class RegretAsk:
    """Of which run it is wanted: of the task `key` the one at this place of those it shows."""

    key: str
    place: int

    @classmethod
    def of(cls, data: Any) -> RegretAsk | None:
        """From what the page sent, which may be anything."""
        data = data if isinstance(data, dict) else {}
        known = isinstance(data.get("key"), str) and type(data.get("place")) is int and data["place"] >= 0
        return cls(data["key"], data["place"]) if known else None

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads again."""
        return {"key": self.key, "place": self.place}


def shown_of(ask: RegretAsk) -> Shown | None:
    """The run that is meant; None where its task is no longer known, has no such run, or no scheduler made that."""
    task = runs.known(ask.key)
    if task is None or ask.place >= len(task.shown) or not task.shown[ask.place].is_scheduled:
        return None
    return task.shown[ask.place]


def regret_of(shown: Shown) -> Regret | None:
    """What was found, if it was tried to the end of its time."""
    return _found(_key(shown))


def last_of(shown: Shown) -> Regret | None:
    """The same, or what had been found when it was ended."""
    return regret_of(shown) or shared.get(f"{_key(shown)}:partial")


def begin_regret(ask: RegretAsk, shown: Shown, patience_s: float) -> tuple[str, Progress]:
    """Try the decisions, one step each, unless that is done or under way for the same visitor; the work's id and how far it is."""
    steps = len(shown.outcome.run.containers.job)
    if regret_of(shown):
        return "", Progress(steps, steps, "", "finished")
    what = ask.plain() | {"by": visitor()}
    if same := works.same("regret", what):
        return same, works.progress(same, patience_s)
    half = (seconds_of(shown.task.scenario) - RUN_S) / 2
    return works.start("regret", what, steps, min(_budget(), steps * (STEP_S + half)), patience_s, after=keep(needed(ask.key)))


@kind("regret")
def _do_regret(what: dict, control: TaskControl) -> None:
    """Unless it is done. Ended before, it keeps what it has found."""
    ask = RegretAsk.of(what)
    needed(ask.key)
    shown = shown_of(ask)
    if shown is None or regret_of(shown):
        return
    run = runs.outcome(shown.task.scenario, shown.name, control.halt).run

    begun = time.monotonic()

    def progress(made: Any) -> None:
        of_time = min((time.monotonic() - begun) / _budget(), 1.0)  # it ends when that is over, with however many were tried
        control.report(max(made.tried, int(of_time * made.placed)), f"{made.tried:,} of {made.placed:,} decisions tried, {made.sooner:,} with a better choice")

    found = costly_decisions(run, parse(shown.name), MOST, _budget(), control.halt, progress)
    if found.is_ended:
        shared.put(f"{_key(shown)}:partial", found, KEEP_PARTIAL_S)
        raise Cancelled
    _held.put(_key(shown), found)
    shared.put(_key(shown), found)


def _budget() -> float:
    """Some of the time that work may take is for the run, and for what has to be compiled."""
    return min(SECONDS, settings.max_seconds() / 2)


def _key(shown: Shown) -> str:
    return f"regret:{shown.task.scenario.digest}:{shown.name}"


def _found(key: str) -> Regret | None:
    found = _held.get(key) or shared.get(key)
    if not isinstance(found, Regret):
        return None
    _held.put(key, found)
    return found


_held: Latest[Regret] = Latest(MOST_HELD)
