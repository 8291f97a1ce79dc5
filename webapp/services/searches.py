"""Searches of a task: which setting of its sliders and schedulers is best by a metric or two, within constraints, as a piece of work.

An answer is kept by what decides it, so that whoever asks for the same finds it; of one that is ended before, what it had found is kept for a while.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

from engine import (
    MEASURES,
    Constraint,
    Dimension,
    Fault,
    GantryError,
    Objective,
    Progress,
    Runner,
    Scenario,
    ScenarioError,
    SchedulerError,
    Search,
    SearchResult,
    Study,
    TooLarge,
    overridden,
    run_search,
)
from webapp import settings
from webapp.services import run_seconds, studies, whatif
from webapp.services.cache import shared
from webapp.services.held import Latest
from webapp.services.run_seconds import seconds_of
from webapp.services.runs import Task, keep, needed
from webapp.services.tasks import Cancelled, TaskControl, kind, visitor, works
from webapp.services.tasks import Progress as WorkProgress
from webapp.services.whatif import Changes, changes_of

TRIALS = (20, 50, 100, 200)  # that are offered
SEEDS = (1, 5, 10, 30)
FRESH = 30  # seeds on which the answer is compared with the present setting
MOST_TRIALS = 500  # of a search on the page
MOST_CONSTRAINTS = 3
MOST_DIMENSIONS = 6
SETTING_S = 0.015  # that a setting is thought to take, besides its runs: it is proposed, made and checked
SAMPLER_S = 1.5  # to load what proposes them
FRONT = 5  # settings that a trade-off curve is thought to have
PARALLEL_S = 0.3  # a setting that is thought to take longer is run by several processes
KEEP_PARTIAL_S = 3600
MOST_SEARCHES = 32  # checked ones held ready
MOST_HELD = 4  # answers held ready
WAYS = {"most": "at_most", "least": "at_least"}
OF_ONE = re.compile(r"schedulers\[(\d+)\](.*)")  # the path of a parameter of one of several schedulers
NO_SLIDER = "Add sliders above: they are what is searched."
NOT_KEPT = "It was done, but the server's cache is away: search again."


@dataclass(frozen=True)
class Bound:
    """A constraint as it is typed; way: most or least; text: its number with or without a unit, as whatif.bound reads it."""

    metric: str
    way: str
    text: str


@dataclass(frozen=True)
class SearchAsk:
    """A search that is wanted, of the task `key`; vary: sliders with their ranges, none of what has choices; objectives: one metric or two;
    held: the other sliders; scheduler: the one that all is tried under, or "" where it is a choice among those of the task."""

    key: str
    vary: tuple[Dimension, ...]
    objectives: tuple[str, ...]
    constraints: tuple[Bound, ...] = ()
    held: Changes = ()
    scheduler: str = ""
    trials: int = TRIALS[1]
    seeds: int = SEEDS[1]
    jitter: float = 0.0

    @classmethod
    def of(cls, data: Any) -> SearchAsk:
        """From what the page sent, which may be anything; ScenarioError for what is none."""
        data = data if isinstance(data, dict) else {}
        listed = {name: data.get(name, []) for name in ("vary", "objectives", "constraints")}
        for name, most in (("vary", MOST_DIMENSIONS), ("objectives", 2), ("constraints", MOST_CONSTRAINTS)):
            if not isinstance(listed[name], list) or len(listed[name]) > most:
                raise ScenarioError([Fault(name, f"must be a list of at most {most}")])
        if not all(isinstance(one, str) for one in listed["objectives"]) or not isinstance(data.get("scheduler", ""), str):
            raise ScenarioError([Fault("objectives", "must be metrics by their keys, and the scheduler a name")])
        trials, seeds, jitter = data.get("trials"), data.get("seeds"), data.get("jitter", 0)
        if type(trials) is not int or trials > MOST_TRIALS:
            raise ScenarioError([Fault("trials", f"must be a whole number, at most {MOST_TRIALS}")])
        if type(seeds) is not int or not whatif.finite(jitter):
            raise ScenarioError([Fault("seeds", "must be a whole number, and jitter a number")])
        vary, bounds = tuple(map(_dimension, listed["vary"])), tuple(map(_bound, listed["constraints"]))
        held = changes_of(data.get("held", []))
        return cls(str(data.get("key")), vary, tuple(listed["objectives"]), bounds, held, data.get("scheduler", ""), trials, seeds, jitter)

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads again."""
        bounds = [{"metric": one.metric, "way": one.way, "text": one.text} for one in self.constraints]
        held = [{"path": path, "value": value} for path, value in self.held]
        found = {"key": self.key, "vary": [one.plain() for one in self.vary], "objectives": list(self.objectives), "constraints": bounds, "held": held}
        return found | {"scheduler": self.scheduler, "trials": self.trials, "seeds": self.seeds, "jitter": self.jitter}


def _dimension(data: Any) -> Dimension:
    data = data if isinstance(data, dict) else {}
    numbers = {key: data[key] for key in ("low", "high", "step") if data.get(key) is not None}
    if not isinstance(data.get("path"), str) or not all(map(whatif.finite, numbers.values())):
        raise ScenarioError([Fault("vary", "must be sliders, each a path with two ends and a step, or of choices the path alone")])
    return Dimension(data["path"], **numbers)


def _bound(data: Any) -> Bound:
    data = data if isinstance(data, dict) else {}
    found = Bound(*(data.get(key) for key in ("metric", "way", "text")))
    if found.metric not in list(MEASURES) or found.way not in list(WAYS) or not isinstance(found.text, str):
        raise ScenarioError([Fault("constraints", "must have a metric, most or least, and a number as it is typed")])
    return found


@lru_cache(MOST_SEARCHES)
def search_of(ask: SearchAsk, task: Task) -> Search:
    """What is run; ScenarioError with every fault, or SchedulerError, where it makes no sense. A constraint without a number is none."""
    if not task.simulated:
        raise ScenarioError([Fault("schedulers", whatif.ONLY_MEASURED)])
    changed, names = overridden(task.changeable, task.simulated, ask.held)
    vary = ask.vary
    if ask.scheduler:
        if ask.scheduler not in task.simulated:
            raise ScenarioError([Fault("scheduler", f"must be one of {', '.join(task.simulated)}")])
        place = task.simulated.index(ask.scheduler)
        names, vary = (names[place],), tuple(replace(one, path=_under(one.path, place, ask.scheduler)) for one in vary)
    if not vary and len(names) < 2:
        raise ScenarioError([Fault("vary", NO_SLIDER)])
    objectives = tuple(map(Objective, ask.objectives))
    constraints = tuple(found for number, one in enumerate(ask.constraints, 1) if (found := _constraint(one, number)))
    return Search(changed, vary, objectives, tuple(names), constraints, ask.trials, ask.seeds, FRESH, jitter=ask.jitter, name=task.scenario.name)


def _constraint(one: Bound, number: int) -> Constraint | None:
    try:
        found = whatif.bound(one.text, MEASURES[one.metric])
    except ScenarioError as error:
        raise ScenarioError([Fault(f"constraint {number}", error.faults[0].message[:1].lower() + error.faults[0].message[1:])]) from None
    return None if found is None else Constraint(one.metric, **{WAYS[one.way]: found})


def _under(path: str, place: int, scheduler: str) -> str:
    """The path where one of the schedulers is alone."""
    found = OF_ONE.fullmatch(path)
    if found and int(found[1]) != place:
        raise ScenarioError([Fault(path, f"has no effect under {scheduler}: leave it out, or let the scheduler be a choice")])
    return f"schedulers[0]{found[2]}" if found else path


def checked(ask: SearchAsk, task: Task) -> Search:
    """The same; TooLarge for one that this server does not run."""
    whatif.moved(task, ask.held)
    found = search_of(ask, task)
    numbers = [one for one in ask.vary if one.low is not None and one.high is not None]
    for corner in product(*((one.low, one.high) for one in numbers)):
        with suppress(ScenarioError, SchedulerError):  # which are trials without an answer
            whatif.moved(task, (*ask.held, *zip((one.path for one in numbers), corner)))
    seconds, most = seconds_of_search(found), settings.max_seconds()
    if seconds > most:
        owner = "its owner sets GANTRY_MAX_SECONDS"
        raise TooLarge(
            f"That is about {runs_of(found):,} runs and {seconds:,.0f} s; this server lets work take {most:,} s ({owner}): take fewer seeds or trials."
        )
    return found


def settings_of(search: Search) -> int:
    """How many settings are tried, the present one among them."""
    space = search.space
    return space.size + (space.of_present() is None) if space.size <= search.trials else search.trials


def is_random(search: Search) -> bool:
    """Does another seed give another run?"""
    return Study(search.scenario, search.schedulers, jitter=search.jitter).is_random


def seeds_of(search: Search) -> tuple[int, int]:
    """How many runs a trial takes, and a setting of the answer."""
    return (search.seeds, search.fresh_seeds) if is_random(search) else (1, 1)


def runs_of(search: Search) -> int:
    """How many runs it takes, as far as that is known before."""
    (seeds, fresh), found = seeds_of(search), FRONT if len(search.objectives) > 1 else 1
    return settings_of(search) * seeds + (1 + found) * fresh


def seconds_of_search(search: Search) -> float:
    """That all of it is thought to take."""
    sampler = SAMPLER_S if search.space.size > search.trials else 0.0
    return sampler + settings_of(search) * SETTING_S + runs_of(search) * _run_s(search) / (studies.cores() if _is_parallel(search) else 1)


def _run_s(search: Search) -> float:
    """That a run takes at the worst of the scenario's own setting, all first and all last values."""
    found = [seconds_of(Scenario.of(search.scenario))]
    for place in (0, -1):
        with suppress(GantryError):
            ends = [(one.path, one.values[place]) for one in search.space.dimensions if one.path != "scheduler"]
            found.append(seconds_of(Scenario.of(overridden(search.scenario, search.schedulers, ends)[0])))
    return studies.RUN_S + max(found) - run_seconds.RUN_S


def _is_parallel(search: Search) -> bool:
    return studies.cores() > 1 and _run_s(search) * seeds_of(search)[0] > PARALLEL_S


def result_of(search: Search) -> SearchResult | None:
    """The answer, if it has been found."""
    return _found(_key(search))


def last_of(search: Search) -> SearchResult | None:
    """The answer, or what had been found when it was ended."""
    return result_of(search) or _found(f"{_key(search)}:partial", held=False)


def begin_search(task: Task, ask: SearchAsk, patience_s: float) -> tuple[str, WorkProgress]:
    """Search, as a piece of work of one step a run, unless that is under way for the same visitor; its id and how far it is."""
    search = checked(ask, task)
    steps = runs_of(search)
    if result_of(search):
        return "", WorkProgress(steps, steps, "", "finished")
    what = ask.plain() | {"by": visitor()}
    if same := works.same("search", what):
        return same, works.progress(same, patience_s)
    return works.start("search", what, steps, seconds_of_search(search), patience_s, after=keep(task))


@kind("search")
def _do_search(what: dict, control: TaskControl) -> None:
    """Unless it is done. Ended before, it keeps what it has found."""
    ask = SearchAsk.of(what)
    search = checked(ask, needed(ask.key))
    if result_of(search):
        return
    with _runner(search, control) as runner:
        found = run_search(search, runner, _reports(search, control), control.halt)
    if found.is_ended:
        shared.put(f"{_key(search)}:partial", found, KEEP_PARTIAL_S)
        raise Cancelled
    _held.put(_key(search), found)
    shared.put(_key(search), found)


def _reports(search: Search, control: TaskControl) -> Callable[[Progress], None]:
    """Steps are runs, so that the time left is told by them; words are settings."""
    seeds, fresh = seeds_of(search)

    def progress(now: Progress) -> None:
        said = f"{len(now.trials):,} of {now.most:,} settings tried"
        if now.to_confirm:
            said += f", {now.confirmed + 1} of {now.to_confirm + 1} compared on fresh seeds"
        control.report(min(len(now.trials) * seeds + now.confirmed * fresh, control.of), said)

    return progress


def _runner(search: Search, control: TaskControl) -> AbstractContextManager[Runner | None]:
    """What does the runs: this process alone, or one a core where a setting takes long enough."""
    return studies.processes() if _is_parallel(search) and not control.here else nullcontext()


def _key(search: Search) -> str:
    return f"search:{search.digest[:32]}"


def _found(key: str, held: bool = True) -> SearchResult | None:
    found = (_held.get(key) if held else None) or shared.get(key)
    if not isinstance(found, SearchResult):
        return None
    if held:
        _held.put(key, found)
    return found


_held: Latest[SearchResult] = Latest(MOST_HELD)
