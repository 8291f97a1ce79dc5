"""Scenario -> Run, cached by value; the only caller of the engine's simulate."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar

from engine import (
    VERSION,
    CapacitySplit,
    Fault,
    Replications,
    Run,
    Scenario,
    ScenarioError,
    SchedulerError,
    Signal,
    TooLarge,
    capacity_split,
    container_count,
    explain,
    parse,
    placement_digest,
    replicate,
    signals,
    simulate,
    summary,
)
from webapp import settings
from webapp.figures import Rows, Scene, Wanted, rows
from webapp.services import warm_up
from webapp.services.cache import shared
from webapp.services.tasks import Cancelled, TaskControl
from webapp.services.url_state import Asked
from webapp.store.links import id_of

T, R = TypeVar("T"), TypeVar("R")
FORGOTTEN = "Result expired: run again."  # said of a task that is no longer `known`
SEEDS = 30  # of a repeat
MOST_RETRACED = 30_000  # containers placed before one that is explained: about a second
MOST_DECISIONS = 128  # held ready for the steps back and forth
MOST_SIGNALS = 16  # runs whose signals are held ready
MOST_ROWS = 32  # layouts of rows held ready
LEAST_BESIDE = 20_000  # containers, from which on threads are worth it
MOST_HELD = 4_000_000  # containers of the runs that one process holds ready, some 220 bytes each


@dataclass(frozen=True)
class Task:
    """What is run: a checked scenario under schedulers by their canonical names. key: its id; pinned: what it is shown beside and compared to."""

    key: str
    scenario: Scenario = field(compare=False)
    schedulers: tuple[str, ...] = field(compare=False)
    pinned: Task | None = field(default=None, compare=False)

    def do(self, control: TaskControl) -> None:
        """Run what is not there yet, as a piece of work of one step a scheduler."""
        following = []
        for number, (task, name) in enumerate(self.shown):
            control.step(number, name if warm_up.ready.is_set() else f"{name}; the simulator is being compiled, about two minutes, once after installation")
            following.append(_side_by_side.submit(outcome(task.scenario, name).ready))  # while the next one runs
        for one in following:
            one.result()

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
        """What charts and tables show: each of its schedulers, followed by the same one of what is pinned; then what else is pinned."""
        own = [Shown(self, name) for name in self.schedulers]
        if self.pinned is None:
            return tuple(own)
        beside = {name: Shown(self.pinned, name) for name in self.pinned.schedulers}
        found = [one for mine in own for one in (mine, beside.pop(mine.name, None)) if one]
        return (*found, *beside.values())

    @property
    def places(self) -> tuple[int, ...]:
        """For each of `shown` the place of its scheduler, which has one colour everywhere: something pinned has that of the same scheduler."""
        names = list(dict.fromkeys((*self.schedulers, *(one.name for one in self.shown))))
        return tuple(names.index(one.name) for one in self.shown)

    def outcomes(self) -> list[Outcome]:
        """What each scheduler made of it, in their order; nothing pinned."""
        return [outcome(self.scenario, name) for name in self.schedulers]


class Shown(NamedTuple):
    """A scheduler's run of a task's scenario, which may be the pinned one."""

    task: Task
    name: str

    @property
    def outcome(self) -> Outcome:
        """What the scheduler made of it."""
        return outcome(self.task.scenario, self.name)


@dataclass(frozen=True)
class Outcome:
    """A run with what is always asked of it. metrics: by key of engine's METRICS."""

    run: Run
    metrics: dict[str, Any]

    @cached_property
    def split(self) -> CapacitySplit:
        """Where the capacity goes; made anew in each process, for it is larger than the run and quickly made."""
        return capacity_split(self.run)

    @cached_property
    def placement(self) -> tuple[int, int]:
        """The same for runs whose containers are alike."""
        return placement_digest(self.run)

    @cached_property
    def scene(self) -> Scene:
        """What its pictures are made of."""
        return Scene(self.run)

    def ready(self) -> None:
        """Makes what its charts are drawn from, if that is not there."""
        _ = self.split, self.scene


@lru_cache(maxsize=MOST_ROWS)
def rows_of(what: Task, wanted: Wanted) -> Rows:
    """The rows that the charts of a task share."""
    return rows([one.scene for one in what.outcomes()], wanted)


def beside(own: Task, pinned: Task) -> Task:
    """A task shown beside and compared to another; the same one is shown once."""
    if pinned.link == own.link:
        return own
    return Task(id_of(own.scenario.canonical, (*own.schedulers, "beside", pinned.link), VERSION), own.scenario, own.schedulers, pinned)


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
    if not asked.schedulers:
        faults.append(Fault("schedulers", "choose at least one scheduler"))
    if faults:
        raise ScenarioError(faults)
    count, most = container_count(asked.scenario), settings.most_containers()
    if count > most:
        raise TooLarge(f"The scenario asks for {count:,} containers; this server runs at most {most:,} (its owner sets GANTRY_MAX_CONTAINERS).")
    names = tuple(dict.fromkeys(names))
    try:
        return Task(id_of(scenario.canonical, names, VERSION), scenario, names)
    except UnicodeEncodeError:
        raise ScenarioError([Fault("", "holds half of a character (a lone surrogate), which is no text")]) from None


def keep(what: Task) -> None:
    """Remember a task by its key, so that the page need not send it again."""
    shared.put(f"task:{what.key}", what)


def known(key: str) -> Task | None:
    """The task with this key, if it is still remembered."""
    try:
        return _known(key)
    except KeyError:
        return None


@lru_cache(maxsize=16)
def _known(key: str) -> Task:
    found = shared.get(f"task:{key}")
    if not isinstance(found, Task):
        raise KeyError(key)
    return found


def outcome(scenario: Scenario, name: str) -> Outcome:
    """One scheduler's outcome: from this process, from the cache, or run now."""
    key = f"run:{scenario.digest}:{name}"
    found = _held.get(key)
    if found is None:
        found = shared.remembered(key, lambda: _run(scenario, name))
        _held.put(key, found)
    return found


def passing(scenario: Scenario, names: Sequence[str]) -> list[Outcome]:
    """The outcomes of a scenario that may soon be another: from this process, or run now and held ready in it; no file is written."""
    return side_by_side(lambda name: _passing(scenario, name), names, len(names) * container_count(scenario.plain()))


def _passing(scenario: Scenario, name: str) -> Outcome:
    key = f"run:{scenario.digest}:{name}"
    found = _held.get(key)
    if found is None:
        found = _run(scenario, name)
        _held.put(key, found)
    return found


def _run(scenario: Scenario, name: str) -> Outcome:
    run = simulate(scenario, name)
    return Outcome(run, summary(run))


@lru_cache(maxsize=MOST_DECISIONS)
def why(what: Task, name: str, container: int) -> dict[str, Any]:
    """The decision that placed a container (index into run.containers), as engine's explain tells it; TooLarge for one too far into a run.

    It is found by running again, uncompiled, up to there.
    """
    if container > MOST_RETRACED:
        raise TooLarge(f"{container:,} containers were placed before it, too many to replay here; python -m engine explain has no such limit.")
    return explain(outcome(what.scenario, name).run, parse(name), container)


def side_by_side(act: Callable[[T], R], every: Sequence[T], containers: int) -> list[R]:
    """act of each, in order; of large runs (containers in all) at once, for what is computed of them leaves the interpreter to others."""
    return list(_side_by_side.map(act, every) if containers > LEAST_BESIDE else map(act, every))


def has_signals(name: str) -> bool:
    """Whether a scheduler measures or computes something of its own that can be drawn."""
    chosen = parse(name)
    policies = (part.policy for part in (chosen.order, chosen.reduce_start, chosen.admission))
    return any(term.strip for policy in policies for term in (*policy.terms, *policy.facts))


@lru_cache(maxsize=MOST_SIGNALS)
def inner(what: Task, name: str) -> tuple[Signal, ...]:
    """What a scheduler measured and computed inside over the run; TooLarge for a run that is too long to be watched. It is run again, uncompiled, for it."""
    return tuple(signals(outcome(what.scenario, name).run, parse(name)))


def repeated(what: Task) -> Replications | None:
    """The task over SEEDS seeds, from its own on, if that has been done."""
    return shared.get(_repeat_key(what))


def do_repeat(what: Task, control: TaskControl) -> None:
    """Run the task over SEEDS seeds, as a piece of work of one step a run; Cancelled keeps nothing."""
    seeds = range(what.scenario.seed, what.scenario.seed + SEEDS)
    if seeds[-1] >= 2**63:
        seeds = range(SEEDS)
    found = replicate(what.scenario, what.schedulers, seeds, lambda done, _: control.report(done, "runs"), control.cancelled)
    if control.cancelled():
        raise Cancelled
    shared.put(_repeat_key(what), found)


def _repeat_key(what: Task) -> str:
    return f"repeat:{what.key}:{SEEDS}"


class _Held:
    """The latest outcomes, so that a zoom reads no file; the oldest go when the containers add up to too many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[str, Outcome] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: str) -> Outcome | None:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def put(self, key: str, value: Outcome) -> None:
        with self._lock:
            if key in self._found:
                self._size -= _weight(self._found.pop(key))
            self._found[key] = value
            self._size += _weight(value)
            while len(self._found) > 1 and self._size > self._most:
                self._size -= _weight(self._found.popitem(last=False)[1])


def _weight(one: Outcome) -> int:
    """Containers, and what a run takes besides as if they were some more."""
    return len(one.run.containers.job) + 1000


_held = _Held(MOST_HELD)
_side_by_side = ThreadPoolExecutor(os.cpu_count(), "schedulers")  # compiled runs leave the interpreter to others
