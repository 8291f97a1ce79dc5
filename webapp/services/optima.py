"""The search for the optimum of what is shown, as a piece of work; what it found is kept, and stands among the runs of whoever asks for it by its id."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine import OPTIMUM, NoBound, SearchProgress, check_optimum, find_optimum, parse, progress_words, summary
from webapp import settings
from webapp.services import runs
from webapp.services.cache import shared
from webapp.services.outcome import Outcome, Planned
from webapp.services.runs import KEY, Task, keep, keep_optimum, needed, with_optimum
from webapp.services.tasks import Cancelled, Progress, TaskControl, kind, works
from webapp.store.works import new_id

SECONDS = (10, 60, 300)  # that one may look for it; the first is the default
KEEP_WAY_S = 3600
MEASURED_ALONE = "The optimum is looked for beside a scheduler, and what is shown was measured: add a scheduler."
NONE_FINISHES = "The search for the optimum begins with a run that finishes, and none that is shown does: add another scheduler."


@dataclass(frozen=True)
class OptimumAsk:
    """Of which task it is wanted, and how many of SECONDS it is looked for."""

    key: str
    seconds: int

    @classmethod
    def of(cls, data: Any) -> OptimumAsk | None:
        """From what the page sent, which may be anything."""
        data = data if isinstance(data, dict) else {}
        known = isinstance(data.get("key"), str) and type(data.get("seconds")) is int and data["seconds"] in SECONDS
        return cls(data["key"], data["seconds"]) if known else None

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads again."""
        return {"key": self.key, "seconds": self.seconds}


class Begun(NamedTuple):
    """A search. work: its piece of work, "" where what it would find is there; whole, part: under which ids that is kept, and what had been found when it
    was ended."""

    work: str
    whole: str
    part: str

    @classmethod
    def of(cls, data: Any) -> Begun | None:
        """From what the page kept, which may be anything."""
        return cls(*data) if isinstance(data, list) and len(data) == 3 and all(isinstance(one, str) for one in data) else None


def why_not(task: Task) -> str:
    """Why the optimum of what is shown can't be looked for, as a sentence; "" where it can."""
    if not task.simulated:
        return MEASURED_ALONE
    try:
        check_optimum(task.scenario, [parse(name) for name in task.simulated])
    except NoBound as error:
        return f"{str(error)[:1].upper()}{str(error)[1:]}."
    return "" if any(task.outcome(name).run.status == "finished" for name in task.simulated) else NONE_FINISHES


def beside_optimum(task: Task, id: Any) -> Task:
    """The task with the optimum of this id among its runs, where that was found of it; as it is where the id is of something else. It may be anything.

    Raises NotAtHand where the id is none that is kept.
    """
    if not isinstance(id, str) or not KEY.fullmatch(id) or not task.simulated:
        return task
    found = with_optimum(task, id)
    planned = found.outcome(OPTIMUM).planned
    return found if planned and set(planned.beside) == set(task.simulated) else task


def begin_search(ask: OptimumAsk, task: Task, patience_s: float) -> tuple[Begun, Progress]:
    """Look for it, a step a second, unless somebody has looked for so long already."""
    begun = Begun("", _id(task, ask.seconds), new_id())
    if _is_kept(task, begun.whole):
        return begun, Progress(ask.seconds, ask.seconds, "", "finished")
    what = ask.plain() | {"whole": begun.whole, "part": begun.part}
    work, progress = works.start("optimum", what, ask.seconds, ask.seconds, patience_s, after=keep(task))
    return begun._replace(work=work), progress


def found_by(ask: OptimumAsk, begun: Begun) -> str:
    """The id of what a search that has ended found, "" where that is nothing."""
    task = runs.known(ask.key)
    return next((id for id in (begun.whole, begun.part) if task and _is_kept(task, id)), "")


def way_of(begun: Begun) -> tuple[SearchProgress, ...]:
    """What a search that is under way has known after how long."""
    found = shared.get(f"optimum-way:{begun.part}")
    return found if isinstance(found, tuple) else ()


@kind("optimum")
def _do_search(what: dict, control: TaskControl) -> None:
    """Ended before its time, it keeps the best so far."""
    ask = OptimumAsk.of(what)
    task = needed(ask.key)
    way: list[SearchProgress] = []

    def heard(progress: SearchProgress) -> None:
        way.append(progress)
        control.report(min(int(progress.seconds), ask.seconds), progress_words(progress))
        shared.put(f"optimum-way:{what['part']}", tuple(way), KEEP_WAY_S)

    compared = [(parse(name), task.outcome(name, control.halt).run) for name in task.simulated]
    found = find_optimum(task.scenario, compared, min(ask.seconds, settings.max_seconds() / 2), heard, halt=control.halt)
    is_ended = control.cancelled()
    keep_optimum(task.scenario, what["part" if is_ended else "whole"], Outcome(found.run, summary(found.run), Planned(found, task.simulated, tuple(way))))
    if is_ended:
        raise Cancelled


def _is_kept(task: Task, id: str) -> bool:
    try:
        return with_optimum(task, id).outcome(OPTIMUM).planned is not None
    except runs.NotAtHand:
        return False


def _id(task: Task, seconds: int) -> str:
    return hashlib.sha256(json.dumps([task.scenario.digest, task.simulated, seconds]).encode()).hexdigest()[:16]
