"""Scenario -> Run, cached by value; the only caller of the engine's simulate."""

from __future__ import annotations

import contextlib
import json
import os
import re
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from engine import (
    MEASURED,
    OPTIMUM,
    VERSION,
    Fault,
    GantryError,
    Halt,
    Halted,
    Run,
    Scenario,
    ScenarioError,
    SchedulerError,
    TooLarge,
    container_count,
    measured_first,
    parse,
    simulate,
    simulated,
    summary,
    why_not_measured,
)
from webapp import settings
from webapp.figures import Rows, Wanted, rows
from webapp.monitoring import counters
from webapp.services import warm_up
from webapp.services.cache import shared
from webapp.services.held import Held, Latest
from webapp.services.outcome import UNSCHEDULED, Outcome
from webapp.services.run_seconds import seconds_of
from webapp.services.runs_ahead import run_ahead
from webapp.services.side_by_side import begun, side_by_side
from webapp.services.tasks import TaskControl, kind
from webapp.services.url_state import Asked
from webapp.store.asked import questions
from webapp.store.database import StoreError
from webapp.store.links import id_of

KEY = re.compile("[0-9a-f]{16}")  # of a task
FORGOTTEN = "Result expired: run again."  # said of a task that is no longer `known`
GONE = "This result is no longer at hand, and it takes too long to run within an answer: run again."
AT_HAND_S = 0.3  # thought to take so long, a run is made within an answer when it is not at hand
LIMIT_S = 3.0  # that it may take there
ROOM_S = 5.0  # that an answer waits for its turn to run something
ROOMS = max(2, os.cpu_count() or 1)  # answers of this process that run something at once
MOST_KNOWN = 32  # tasks held ready
MOST_ROWS = 32  # layouts of rows held ready
MOST_PLAIN = 2_000  # containers that are drawn before what draws them is loaded
MOST_HELD = 4_000_000  # containers of the runs that one process holds ready, some 220 bytes each


class NotAtHand(GantryError):
    """A result that neither this process nor the cache has, and that takes too long for an answer: whoever wants it runs it again."""


@dataclass(frozen=True)
class Task:
    """What is run: a checked scenario under schedulers by their canonical names. key: its id; pinned: what it is shown beside and compared to;
    optimum: the id of the one that was found of it and stands among its runs (optima.py), "" without."""

    key: str
    scenario: Scenario = field(compare=False)
    schedulers: tuple[str, ...] = field(compare=False)
    pinned: Task | None = field(default=None, compare=False)
    optimum: str = field(default="", compare=False)

    def do(self, control: TaskControl, base: Task | None = None) -> None:
        """Run what is not there yet, as a piece of work of one step a scheduler. base: what its scenario was changed from."""
        following = []
        for number, (task, name) in enumerate(self.shown):
            control.step(number, name if warm_up.ready.is_set() else f"{name}; the simulator is being compiled, about a minute, once after installation")
            found = task.outcome(name, control.halt, base.scenario if base and task is self else None)
            if control.here:
                following.append(begun(found.ready))  # while the next one runs
        for one in following:
            one.result()

    @property
    def at_hand(self) -> bool:
        """Is all it shows here, or made within an answer?"""
        try:
            for one in self.shown:
                _ = one.outcome
        except NotAtHand:
            return False
        return True

    @property
    def seconds(self) -> float:
        """That running it is thought to take, without what this process holds ready."""
        return sum(seconds_of(one.task.scenario) for one in self.shown if not one.task.holds(one.name))

    @property
    def simulated(self) -> tuple[str, ...]:
        """Its schedulers without what was measured, which stays as it was whatever is changed."""
        return simulated(self.schedulers)

    @property
    def names(self) -> tuple[str, ...]:
        """Of its own runs: its schedulers, then the optimum."""
        return (*self.schedulers, *([OPTIMUM] if self.optimum else []))

    @property
    def has_measured(self) -> bool:
        """Is what was measured one of its own runs?"""
        return MEASURED.name in self.schedulers

    @cached_property
    def changeable(self) -> dict[str, Any]:
        """The scenario's JSON values that runs under changed numbers are of: without what was measured."""
        return {key: value for key, value in self.scenario.plain().items() if key != "measured"}

    @property
    def random(self) -> bool:
        """Does another seed give another run?"""
        plain = self.scenario.plain()["jobs"]
        values = (value for job in plain for value in (job.get("interval_s"), job["maps"]["duration_s"], (job.get("reduces") or {}).get("duration_s")))
        return any(isinstance(value, dict) and "dist" in value for value in values)

    @property
    def link(self) -> str:
        """The id of its link, which is the same with anything pinned or nothing."""
        return id_of(self.scenario.canonical, self.schedulers, VERSION)

    @property
    def shown(self) -> tuple[Shown, ...]:
        """What charts and tables show: each of its runs, followed by the same scheduler's of what is pinned; then what else is pinned.
        What was measured stands first, pinned or not."""
        own = [Shown(self, name) for name in self.names]
        if self.pinned is None:
            return tuple(own)
        beside = {name: Shown(self.pinned, name) for name in self.pinned.schedulers}
        found = [one for mine in own for one in (mine, beside.pop(mine.name, None)) if one]
        return tuple(sorted((*found, *beside.values()), key=lambda one: not one.is_measured))

    @property
    def places(self) -> tuple[int, ...]:
        """For each of `shown` the place of its scheduler, which has one colour everywhere: something pinned has that of the same scheduler."""
        names = list(dict.fromkeys((*self.names, *(one.name for one in self.shown))))
        return tuple(names.index(one.name) for one in self.shown)

    def outcomes(self) -> list[Outcome]:
        """Its own runs, in the order of their names; nothing pinned."""
        return [self.outcome(name) for name in self.names]

    def outcome(self, name: str, halt: Halt | None = None, base: Scenario | None = None) -> Outcome:
        """One of them, as `outcome` has it."""
        return outcome(self.scenario, self._own_name(name), halt, base)

    def holds(self, name: str) -> bool:
        """Does this process hold that one ready?"""
        return _held.get(_key(self.scenario, self._own_name(name))) is not None

    def _own_name(self, name: str) -> str:
        return f"{OPTIMUM}:{self.optimum}" if name == OPTIMUM else name


class Shown(NamedTuple):
    """A scheduler's run of a task's scenario, which may be the pinned one."""

    task: Task
    name: str

    @property
    def is_measured(self) -> bool:
        """Is it what a cluster did?"""
        return self.name == MEASURED.name

    @property
    def is_scheduled(self) -> bool:
        """Did a scheduler make it?"""
        return self.name not in UNSCHEDULED

    @property
    def outcome(self) -> Outcome:
        """What the scheduler made of it."""
        return self.task.outcome(self.name)


@lru_cache(maxsize=MOST_ROWS)
def rows_of(what: Task, wanted: Wanted) -> Rows:
    """The rows that the charts of a task share."""
    return rows([one.scene for one in what.outcomes()], wanted)


def beside(own: Task, pinned: Task) -> Task:
    """A task shown beside and compared to another; the same one is shown once."""
    if pinned.link == own.link:
        return own
    return replace(own, key=id_of(own.scenario.canonical, (*own.names, own.optimum, "beside", pinned.link), VERSION), pinned=pinned)


def with_optimum(own: Task, optimum: str) -> Task:
    """A task with nothing pinned, and an optimum that was found of it."""
    return replace(own, key=id_of(own.scenario.canonical, (*own.schedulers, OPTIMUM, optimum), VERSION), optimum=optimum)


def task(asked: Asked) -> Task:
    """Checks what is asked; ScenarioError with every fault, or TooLarge."""
    faults: list[Fault] = []
    scenario = None
    try:
        scenario = Scenario.of(asked.scenario)
    except ScenarioError as error:
        faults += error.faults
    names = []
    for text in asked.schedulers:
        try:
            names.append(parse(text).name)
        except SchedulerError as error:
            faults.append(Fault("schedulers", str(error)))
    if scenario and MEASURED.name in names and (because := why_not_measured(scenario)):
        faults.append(Fault("schedulers", because))
    if not asked.schedulers:
        faults.append(Fault("schedulers", "choose at least one scheduler"))
    if faults:
        raise ScenarioError(faults)
    count, most = container_count(asked.scenario), settings.most_containers()
    if count > most:
        raise TooLarge(f"The scenario asks for {count:,} containers; this server runs at most {most:,} (its owner sets GANTRY_MAX_CONTAINERS).")
    names = measured_first(names)
    return Task(id_of(scenario.canonical, names, VERSION), scenario, names)


def keep(what: Task) -> Future:
    """Remember a task by its key, so that the page need not send it again; done when every process knows it."""
    _tasks.put(what.key, what)
    return _keeper.submit(_keep, what)


def _keep(what: Task) -> None:
    found = Asked(what.scenario.plain(), what.schedulers).plain() | ({"optimum": what.optimum} if what.optimum else {})
    if what.pinned:
        found["pinned"] = Asked(what.pinned.scenario.plain(), what.pinned.schedulers).plain()
    text = json.dumps(found)
    try:
        questions().keep(what.key, text)
    except StoreError:
        shared.put(f"task:{what.key}", text)


def known(key: str) -> Task | None:
    """The task with this key, for a week after it was last asked for."""
    found = _tasks.get(key)
    if found is None and KEY.fullmatch(key):
        try:
            text = questions().find(key)
        except StoreError:
            text = shared.get(f"task:{key}")
        found = _read(key, text) if isinstance(text, str) else None
        if found:
            _tasks.put(key, found)
    return found


def shown_by(result: Any) -> Task | None:
    """The task of what a page says its result is, {key}; None for anything else."""
    key = result.get("key") if isinstance(result, dict) else None
    return known(key) if isinstance(key, str) else None


def _read(key: str, text: str) -> Task | None:
    """A task as it was kept; None of one that another version of Gantry would run otherwise."""
    plain = json.loads(text)
    try:
        found = task(Asked.of(plain))
        found = with_optimum(found, plain["optimum"]) if "optimum" in plain else found
        if "pinned" in plain:
            found = beside(found, task(Asked.of(plain["pinned"])))
    except GantryError:
        return None
    return found if found.key == key else None


def needed(key: str) -> Task:
    """The task with this key, which work is of."""
    found = known(key)
    if found is None:
        raise NotAtHand(FORGOTTEN)
    return found


@kind("run")
def _do_run(what: dict, control: TaskControl) -> None:
    needed(what["key"]).do(control, shown_by({"key": what.get("base")}))


def outcome(scenario: Scenario, name: str, halt: Halt | None = None, base: Scenario | None = None) -> Outcome:
    """One scheduler's outcome: from this process, from the cache, or run now. base: a scenario with whose run its own may begin.

    halt: of the work that wants it, by which the run may be ended; without one it is wanted for an answer, and NotAtHand is raised where that takes long.
    """
    key = _key(scenario, name)
    found = _held.get(key)
    if not halt and not warm_up.ready.is_set() and container_count(scenario.plain()) > MOST_PLAIN:
        warm_up.loaded()
    if found is None:
        found = shared.remembered(key, lambda: _run(scenario, name, halt, base), halt) if halt else _for_an_answer(key, scenario, name)
        _held.put(key, found)
    return found


def _key(scenario: Scenario, name: str) -> str:
    return f"run:{scenario.digest}:{name}"


def keep_optimum(scenario: Scenario, id: str, found: Outcome) -> None:
    """Keep an optimum of a scenario, as runs are kept under their schedulers' names."""
    key = _key(scenario, f"{OPTIMUM}:{id}")
    _held.put(key, found)
    shared.put(key, found)


def _for_an_answer(key: str, scenario: Scenario, name: str) -> Outcome:
    def make() -> Outcome:
        if seconds_of(scenario) > AT_HAND_S:
            raise NotAtHand(GONE)
        with room():
            return _run(scenario, name, halt, None)

    halt = Halt()
    try:
        with halt.after(LIMIT_S):
            return shared.remembered(key, make, halt)
    except Halted:
        raise NotAtHand(GONE) from None


@contextlib.contextmanager
def room() -> Iterator[None]:
    """One of few, so that answers which run something leave room for those that don't; NotAtHand where none is free for long."""
    if not _rooms.acquire(timeout=ROOM_S):
        raise NotAtHand("The server is busy: run again.")
    try:
        yield
    finally:
        _rooms.release()


def passing(scenario: Scenario, names: Sequence[str], base: Scenario | None = None) -> list[Outcome] | None:
    """The outcomes of a scenario that may soon be another: from this process, or run now and held ready in it; no file is written. base: as of `outcome`.

    None where that takes longer than one waits for a movement.
    """
    halt = Halt()
    try:
        with room(), halt.after(LIMIT_S):
            return side_by_side(lambda name: _passing(scenario, name, halt, base), names, len(names) * container_count(scenario.plain()))
    except (Halted, NotAtHand):
        return None


def _passing(scenario: Scenario, name: str, halt: Halt, base: Scenario | None) -> Outcome:
    key = _key(scenario, name)
    found = _held.get(key)
    if found is None:
        found = _run(scenario, name, halt, base)
        _held.put(key, found)
    return found


def _run(scenario: Scenario, name: str, halt: Halt | None, base: Scenario | None) -> Outcome:
    if name.startswith(OPTIMUM):
        raise NotAtHand("The optimum is no longer at hand: look for it again.")

    def made() -> Run:
        ahead = run_ahead(base, scenario, name, halt) if base else None
        return simulate(scenario, name, halt=halt) if ahead is None else ahead

    run = counters.simulated(parse(name).order.policy.name, made)
    return Outcome(run, summary(run))


def hold_little() -> None:
    """Of a process that makes runs for others: it holds the latest alone."""
    global _held
    _held = Held(0)


_held: Held[Outcome] = Held(MOST_HELD)
_tasks: Latest[Task] = Latest(MOST_KNOWN)
_rooms = threading.BoundedSemaphore(ROOMS)
_keeper = ThreadPoolExecutor(1, "keeper")
