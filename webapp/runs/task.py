"""What is run and shown: a checked scenario under schedulers, and what is pinned beside it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from engine import VERSION, Scenario, ScenarioError, SchedulerError, parse
from engine.dashboard import (
    MEASURED,
    OPTIMUM,
    CancelToken,
    Fault,
    Scheduler,
    TooLarge,
    container_count,
    display_name,
    measured_first,
    names_of,
    why_not_measured,
)
from webapp import settings
from webapp.figures import RowOptions, Rows, rows
from webapp.messages import msg
from webapp.runs import run_cache
from webapp.runs.outcome import Outcome
from webapp.runs.time_estimates import estimate_seconds
from webapp.url.links import link_id
from webapp.url.url_state import RunRequest

MAX_ROWS = 32  # layouts of rows held ready


@dataclass(frozen=True)
class Task:
    """What is run: a checked scenario under schedulers. key: its id; pinned: what it is shown beside and
    compared to; optimum: the id of the one that was found of it and stands among its runs (optima.py), ""
    without.
    """

    key: str
    scenario: Scenario = field(compare=False)
    schedulers: tuple[Scheduler, ...] = field(compare=False)
    pinned: Task | None = field(default=None, compare=False)
    optimum: str = field(default="", compare=False)

    @property
    def is_available(self) -> bool:
        """Is all it shows here, or made within an answer?"""
        try:
            for shown_run in self.shown:
                _ = shown_run.outcome
        except run_cache.ResultExpired:
            return False
        return True

    @property
    def seconds(self) -> float:
        """That running it is thought to take, without what this process holds ready."""
        return sum(
            estimate_seconds(shown_run.task.scenario)
            for shown_run in self.shown
            if not shown_run.task.holds(shown_run.name)
        )

    @property
    def simulated(self) -> tuple[Scheduler, ...]:
        """Its schedulers without what was measured, which stays as it was whatever is changed."""
        return tuple(scheduler for scheduler in self.schedulers if not scheduler.is_measured)

    @property
    def request(self) -> RunRequest:
        """What is asked for where it is to be run again: nothing pinned, no optimum."""
        return RunRequest(self.scenario.plain(), names_of(self.schedulers))

    @property
    def names(self) -> tuple[str, ...]:
        """Of its own runs: its schedulers' canonical names, then the optimum."""
        return (*names_of(self.schedulers), *([OPTIMUM] if self.optimum else []))

    def scheduler(self, name: str) -> Scheduler | None:
        """The one of this canonical name; None of the optimum, which no scheduler made."""
        return next((scheduler for scheduler in self.schedulers if scheduler.name == name), None)

    @property
    def has_measured(self) -> bool:
        """Is what was measured one of its own runs?"""
        return len(self.simulated) < len(self.schedulers)

    @cached_property
    def changeable(self) -> dict[str, Any]:
        """The scenario's JSON values that runs under changed numbers are of: without what was measured."""
        return {key: value for key, value in self.scenario.plain().items() if key != "measured"}

    @property
    def random(self) -> bool:
        """Does another seed give another run?"""
        values: list[Any] = []
        for job in self.scenario.plain()["jobs"]:
            parts = [job.get("maps"), job.get("reduces"), *job.get("stages", [])]
            values += [job.get("interval_s"), *(part["duration_s"] for part in parts if part)]
            values.append((job.get("executors") or {}).get("launch_s"))
        return any(isinstance(value, dict) and "dist" in value for value in values)

    @property
    def link(self) -> str:
        """The id of its link, which is the same with anything pinned or nothing."""
        return link_id(self.scenario.canonical, names_of(self.schedulers), VERSION)

    @property
    def shown(self) -> tuple[ShownRun, ...]:
        """What charts and tables show: each of its runs, followed by the same scheduler's of what is pinned;
        then what else is pinned. What was measured stands first, pinned or not."""
        own_runs = [ShownRun(self, name) for name in self.names]
        if self.pinned is None:
            return tuple(own_runs)
        pinned_runs = {name: ShownRun(self.pinned, name) for name in names_of(self.pinned.schedulers)}
        pairs = [(own_run, pinned_runs.pop(own_run.name, None)) for own_run in own_runs]
        shown = [shown_run for pair in pairs for shown_run in pair if shown_run]
        return tuple(sorted((*shown, *pinned_runs.values()), key=lambda shown_run: not shown_run.is_measured))

    @property
    def places(self) -> tuple[int, ...]:
        """For each of `shown` the place of its scheduler, which has one colour everywhere: something pinned
        has that of the same scheduler.
        """
        names = list(dict.fromkeys((*self.names, *(shown_run.name for shown_run in self.shown))))
        return tuple(names.index(shown_run.name) for shown_run in self.shown)

    def outcomes(self) -> list[Outcome]:
        """Its own runs, in the order of their names; nothing pinned."""
        return [self.outcome(name) for name in self.names]

    def outcome(self, name: str, cancel_token: CancelToken | None = None) -> Outcome:
        """One of them, as run_cache has it."""
        if scheduler := self.scheduler(name):
            return run_cache.outcome(self.scenario, scheduler, cancel_token)
        return run_cache.found_optimum(self.scenario, self.optimum)

    def holds(self, name: str) -> bool:
        """Does this process hold that one ready?"""
        return run_cache.is_held(self.scenario, self.scheduler(name) or self.optimum)


class ShownRun(NamedTuple):
    """A scheduler's run of a task's scenario, which may be the pinned one."""

    task: Task
    name: str

    @property
    def display_name(self) -> str:
        """Its name as people read it; `name` is the full text."""
        return display_name(self.name)

    @property
    def is_measured(self) -> bool:
        """Is it what a cluster did?"""
        return self.name == MEASURED.name

    @property
    def is_scheduled(self) -> bool:
        """Did a scheduler make it?"""
        return self.scheduler is not None and not self.scheduler.is_measured

    @property
    def scheduler(self) -> Scheduler | None:
        """None of the optimum."""
        return self.task.scheduler(self.name)

    @property
    def outcome(self) -> Outcome:
        """What the scheduler made of it."""
        return self.task.outcome(self.name)


@lru_cache(maxsize=MAX_ROWS)
def task_rows(task: Task, options: RowOptions) -> Rows:
    """The rows that the charts of a task share."""
    return rows([task_outcome.scene for task_outcome in task.outcomes()], options)


def with_pinned(task: Task, pinned: Task) -> Task:
    """A task shown beside and compared to another; the same one is shown once."""
    if pinned.link == task.link:
        return task
    key = link_id(task.scenario.canonical, (*task.names, task.optimum, "beside", pinned.link), VERSION)
    return replace(task, key=key, pinned=pinned)


def with_optimum(task: Task, optimum: str) -> Task:
    """A task with nothing pinned, and an optimum that was found of it."""
    key = link_id(task.scenario.canonical, (*names_of(task.schedulers), OPTIMUM, optimum), VERSION)
    return replace(task, key=key, optimum=optimum)


def build_task(request: RunRequest) -> Task:
    """Checks what is asked; ScenarioError with every fault, or TooLarge."""
    faults: list[Fault] = []
    scenario = None
    try:
        scenario = Scenario.of(request.scenario)
    except ScenarioError as error:
        faults += error.faults
    parsed = []
    for text in request.schedulers:
        try:
            parsed.append(parse(text))
        except SchedulerError as error:
            faults.append(Fault("schedulers", str(error)))
    has_measured = any(scheduler.is_measured for scheduler in parsed)
    if scenario and has_measured and (because := why_not_measured(scenario)):
        faults.append(Fault("schedulers", because))
    if not request.schedulers:
        faults.append(Fault("schedulers", msg("runs.task.choose_at_least_one_scheduler")))
    if faults or scenario is None:
        raise ScenarioError(faults)
    count, limit = container_count(request.scenario), settings.max_containers()
    if count > limit:
        raise TooLarge(msg("runs.task.scenario_asks_for_containers_server_runs", count=count, limit=limit))
    schedulers = measured_first(parsed)
    return Task(link_id(scenario.canonical, names_of(schedulers), VERSION), scenario, schedulers)
