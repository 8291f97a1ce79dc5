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
    VERSION,
    GantryError,
    Run,
    Scenario,
    ScenarioError,
    SchedulerError,
    parse,
    simulate,
    summary,
)
from engine.dashboard import (
    MEASURED,
    OPTIMUM,
    CancelToken,
    Fault,
    RunCancelled,
    TooLarge,
    container_count,
    display_name,
    measured_first,
    simulated,
    why_not_measured,
)
from webapp import settings
from webapp.figures import RowOptions, Rows, rows
from webapp.messages import msg
from webapp.monitoring import counters
from webapp.services import warm_up
from webapp.services.background_tasks import JobControl, job_type
from webapp.services.cache import shared_cache
from webapp.services.lru import LRUCache, WeightedLRUCache
from webapp.services.outcome import NOT_SCHEDULED, Outcome
from webapp.services.parallel_map import map_in_parallel, submit
from webapp.services.runs_ahead import run_ahead
from webapp.services.time_estimates import estimate_seconds
from webapp.services.url_state import RunRequest
from webapp.store.database import StoreError
from webapp.store.links import link_id
from webapp.store.task_store import task_store

KEY_PATTERN = re.compile("[0-9a-f]{16}")  # of a task
TASK_EXPIRED = msg("services.runs.result_expired_run_again")  # said of a task that is no longer stored
RESULT_EXPIRED = msg("services.runs.result_has_expired")
MAX_ANSWER_ESTIMATE_S = 0.3  # thought to take so long, a run is made within an answer when it is not at hand
ANSWER_LIMIT_S = 3.0  # that it may take there
SLOT_WAIT_S = 5.0  # that an answer waits for its turn to run something
ANSWER_SLOTS = max(2, os.cpu_count() or 1)  # answers of this process that run something at once
MAX_TASKS = 32  # tasks held ready
MAX_ROWS = 32  # layouts of rows held ready
MAX_UNCOMPILED_CONTAINERS = 2_000  # containers that are drawn before what draws them is loaded
MAX_HELD = 4_000_000  # containers of the runs that one process holds ready, some 220 bytes each


class ResultExpired(GantryError):
    """A result that neither this process nor the cache has, and that takes too long for an answer: whoever
    wants it runs it again.
    """


@dataclass(frozen=True)
class Task:
    """What is run: a checked scenario under schedulers by their canonical names. key: its id; pinned: what it
    is shown beside and compared to;
    optimum: the id of the one that was found of it and stands among its runs (optima.py), "" without."""

    key: str
    scenario: Scenario = field(compare=False)
    schedulers: tuple[str, ...] = field(compare=False)
    pinned: Task | None = field(default=None, compare=False)
    optimum: str = field(default="", compare=False)

    def do(self, control: JobControl, base: Task | None = None) -> None:
        """Run what is not there yet, as a piece of work of one step a scheduler. base: what its scenario was
        changed from.
        """
        futures = []
        for number, (task, name) in enumerate(self.shown):
            control.step(
                number,
                display_name(name)
                if warm_up.ready.is_set()
                else msg("services.runs.simulator_being_compiled_about_minute_once", name=display_name(name)),
            )
            outcome = task.outcome(
                name, control.cancel_token, base.scenario if base and task is self else None
            )
            if control.is_local:
                futures.append(submit(outcome.ready))  # while the next one runs
        for future in futures:
            future.result()

    @property
    def is_available(self) -> bool:
        """Is all it shows here, or made within an answer?"""
        try:
            for shown_run in self.shown:
                _ = shown_run.outcome
        except ResultExpired:
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
        values = (
            value
            for job in plain
            for value in (
                job.get("interval_s"),
                job["maps"]["duration_s"],
                (job.get("reduces") or {}).get("duration_s"),
            )
        )
        return any(isinstance(value, dict) and "dist" in value for value in values)

    @property
    def link(self) -> str:
        """The id of its link, which is the same with anything pinned or nothing."""
        return link_id(self.scenario.canonical, self.schedulers, VERSION)

    @property
    def shown(self) -> tuple[ShownRun, ...]:
        """What charts and tables show: each of its runs, followed by the same scheduler's of what is pinned;
        then what else is pinned. What was measured stands first, pinned or not."""
        own_runs = [ShownRun(self, name) for name in self.names]
        if self.pinned is None:
            return tuple(own_runs)
        pinned_runs = {name: ShownRun(self.pinned, name) for name in self.pinned.schedulers}
        shown = [
            shown_run
            for own_run in own_runs
            for shown_run in (own_run, pinned_runs.pop(own_run.name, None))
            if shown_run
        ]
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

    def outcome(
        self, name: str, cancel_token: CancelToken | None = None, base: Scenario | None = None
    ) -> Outcome:
        """One of them, as `outcome` has it."""
        return outcome(self.scenario, self._own_name(name), cancel_token, base)

    def holds(self, name: str) -> bool:
        """Does this process hold that one ready?"""
        return _outcomes.get(_run_key(self.scenario, self._own_name(name))) is not None

    def _own_name(self, name: str) -> str:
        return f"{OPTIMUM}:{self.optimum}" if name == OPTIMUM else name


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
        return self.name not in NOT_SCHEDULED

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
    return replace(
        task,
        key=link_id(task.scenario.canonical, (*task.names, task.optimum, "beside", pinned.link), VERSION),
        pinned=pinned,
    )


def with_optimum(task: Task, optimum: str) -> Task:
    """A task with nothing pinned, and an optimum that was found of it."""
    return replace(
        task,
        key=link_id(task.scenario.canonical, (*task.schedulers, OPTIMUM, optimum), VERSION),
        optimum=optimum,
    )


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
            parsed.append(parse(text).name)
        except SchedulerError as error:
            faults.append(Fault("schedulers", str(error)))
    if scenario and MEASURED.name in parsed and (because := why_not_measured(scenario)):
        faults.append(Fault("schedulers", because))
    if not request.schedulers:
        faults.append(Fault("schedulers", msg("services.runs.choose_at_least_one_scheduler")))
    if faults or scenario is None:
        raise ScenarioError(faults)
    count, limit = container_count(request.scenario), settings.max_containers()
    if count > limit:
        raise TooLarge(
            msg("services.runs.scenario_asks_for_containers_server_runs", count=count, limit=limit)
        )
    names = measured_first(parsed)
    return Task(link_id(scenario.canonical, names, VERSION), scenario, names)


def save_task(task: Task) -> Future:
    """Remember a task by its key, so that the page need not send it again; done when every process knows
    it.
    """
    _tasks.put(task.key, task)
    return _saver.submit(_save_task, task)


def _save_task(task: Task) -> None:
    data = RunRequest(task.scenario.plain(), task.schedulers).plain() | (
        {"optimum": task.optimum} if task.optimum else {}
    )
    if task.pinned:
        data["pinned"] = RunRequest(task.pinned.scenario.plain(), task.pinned.schedulers).plain()
    text = json.dumps(data)
    try:
        task_store().keep(task.key, text)
    except StoreError:
        shared_cache.put(f"task:{task.key}", text)


def load_task(key: str) -> Task | None:
    """The task with this key, for a week after it was last asked for."""
    task = _tasks.get(key)
    if task is None and KEY_PATTERN.fullmatch(key):
        try:
            text = task_store().find(key)
        except StoreError:
            text = shared_cache.get(f"task:{key}")
        task = _parse_task(key, text) if isinstance(text, str) else None
        if task:
            _tasks.put(key, task)
    return task


def task_of_result(result: Any) -> Task | None:
    """The task of what a page says its result is, {key}; None for anything else."""
    key = result.get("key") if isinstance(result, dict) else None
    return load_task(key) if isinstance(key, str) else None


def _parse_task(key: str, text: str) -> Task | None:
    """A task as it was kept; None of one that another version of Gantry would run otherwise."""
    data = json.loads(text)
    try:
        task = build_task(RunRequest.of(data))
        task = with_optimum(task, data["optimum"]) if "optimum" in data else task
        if "pinned" in data:
            task = with_pinned(task, build_task(RunRequest.of(data["pinned"])))
    except GantryError:
        return None
    return task if task.key == key else None


def require_task(key: str) -> Task:
    """The task with this key, which work is of."""
    task = load_task(key)
    if task is None:
        raise ResultExpired(TASK_EXPIRED)
    return task


@job_type("run")
def _do_run(arguments: dict, control: JobControl) -> None:
    require_task(arguments["key"]).do(control, task_of_result({"key": arguments.get("base")}))


def outcome(
    scenario: Scenario, name: str, cancel_token: CancelToken | None = None, base: Scenario | None = None
) -> Outcome:
    """One scheduler's outcome: from this process, from the cache, or run now. base: a scenario with whose run
    its own may begin.

    cancel_token: of the work that wants it, by which the run may be ended; without one it is wanted for an
    answer, and ResultExpired is raised where that takes long.
    """
    key = _run_key(scenario, name)
    result = _outcomes.get(key)
    if (
        not cancel_token
        and not warm_up.ready.is_set()
        and container_count(scenario.plain()) > MAX_UNCOMPILED_CONTAINERS
    ):
        warm_up.wait_until_loaded()
    if result is None:
        result = (
            shared_cache.get_or_compute(key, lambda: _run(scenario, name, cancel_token, base), cancel_token)
            if cancel_token
            else _run_within_answer(key, scenario, name)
        )
        _outcomes.put(key, result)
    return result


def _run_key(scenario: Scenario, name: str) -> str:
    return f"run:{scenario.digest}:{name}"


def save_optimum(scenario: Scenario, id: str, optimum: Outcome) -> None:
    """Keep an optimum of a scenario, as runs are kept under their schedulers' names."""
    key = _run_key(scenario, f"{OPTIMUM}:{id}")
    _outcomes.put(key, optimum)
    shared_cache.put(key, optimum)


def _run_within_answer(key: str, scenario: Scenario, name: str) -> Outcome:
    def make() -> Outcome:
        if estimate_seconds(scenario) > MAX_ANSWER_ESTIMATE_S:
            raise ResultExpired(RESULT_EXPIRED)
        with answer_slot():
            return _run(scenario, name, cancel_token, None)

    cancel_token = CancelToken()
    try:
        with cancel_token.cancel_after(ANSWER_LIMIT_S):
            return shared_cache.get_or_compute(key, make, cancel_token)
    except RunCancelled:
        raise ResultExpired(RESULT_EXPIRED) from None


@contextlib.contextmanager
def answer_slot() -> Iterator[None]:
    """One of a few slots for answers that run something, so that other answers are not held up; ResultExpired
    where none is free for long.
    """
    if not _answer_slots.acquire(timeout=SLOT_WAIT_S):
        raise ResultExpired(msg("services.runs.server_busy_run_again"))
    try:
        yield
    finally:
        _answer_slots.release()


def preview(scenario: Scenario, names: Sequence[str], base: Scenario | None = None) -> list[Outcome] | None:
    """The outcomes of a scenario that may soon be another: from this process, or run now and held ready in
    it; no file is written. base: as of `outcome`.

    None where that takes longer than one waits for a movement.
    """
    cancel_token = CancelToken()
    try:
        with answer_slot(), cancel_token.cancel_after(ANSWER_LIMIT_S):
            return map_in_parallel(
                lambda name: _preview(scenario, name, cancel_token, base),
                names,
                len(names) * container_count(scenario.plain()),
            )
    except (RunCancelled, ResultExpired):
        return None


def _preview(scenario: Scenario, name: str, cancel_token: CancelToken, base: Scenario | None) -> Outcome:
    key = _run_key(scenario, name)
    result = _outcomes.get(key)
    if result is None:
        result = _run(scenario, name, cancel_token, base)
        _outcomes.put(key, result)
    return result


def _run(scenario: Scenario, name: str, cancel_token: CancelToken | None, base: Scenario | None) -> Outcome:
    if name.startswith(OPTIMUM):
        raise ResultExpired(msg("services.runs.optimum_has_expired"))

    def made() -> Run:
        ahead = run_ahead(base, scenario, name, cancel_token) if base else None
        return simulate(scenario, name, cancel_token=cancel_token) if ahead is None else ahead

    run = counters.counted_run(parse(name).order.policy.name, made)
    return Outcome(run, summary(run))


def shrink_run_cache() -> None:
    """Of a process that makes runs for others: it holds the latest alone."""
    global _outcomes
    _outcomes = WeightedLRUCache(0)


_outcomes: WeightedLRUCache[Outcome] = WeightedLRUCache(MAX_HELD)
_tasks: LRUCache[Task] = LRUCache(MAX_TASKS)
_answer_slots = threading.BoundedSemaphore(ANSWER_SLOTS)
_saver = ThreadPoolExecutor(1, "keeper")
