"""The oracle's Tez applications: vertices of DAGs, containers that are held and run one task after another
(TEZ-1 to TEZ-6). Everything is counted afresh whenever it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.scenario.model import milliseconds
from tests.oracle.attempt_draws import IDLE, LAUNCH, draw_number, duration_ms, sample_ms
from tests.oracle.result import Running
from tests.oracle.stages import Stages
from tests.oracle.workload import Job, Node


@dataclass(eq=False)
class Task:
    """An attempt in a container; it fetches and computes as a task of stages does."""

    executor: Held
    number: int  # of its vertex, from 1
    index: int
    attempt: int
    start: int
    lasts: int = 0
    reads: bool = False
    slot: int = 0
    shuffle_end: int | None = None
    end: int | None = None
    outcome: str = "running"

    @property
    def job(self) -> Job:
        return self.executor.container.job

    @property
    def node(self) -> Node:
        return self.executor.container.node

    @property
    def kind(self) -> str:
        return self.job.stage_kinds[self.number - 1]

    @property
    def stage(self) -> int:
        return self.number

    @property
    def begin(self) -> int:
        return self.start

    @property
    def due(self) -> int | None:
        """When it will end; None while a task that it needs has not finished."""
        computes = self.shuffle_end if self.reads else self.begin
        return None if computes is None else computes + self.lasts


@dataclass(eq=False)
class Held:
    """A container; launched_at: None before the master has learnt of it."""

    container: Running
    launched_at: int | None = None
    is_launched: bool = False
    task: Task | None = None
    ran: int = 0  # tasks that have ended in it
    idle_since: int = 0
    released: int | None = None

    @property
    def vertex(self) -> int:
        """That it was asked for, from 0."""
        return self.container.stage - 1

    @property
    def is_idle(self) -> bool:
        return self.is_launched and self.task is None and self.released is None


class Tez(Stages):
    """One job whose framework is Tez; vertices are numbered from 0 here."""

    def __init__(self, simulation: Any, job: Job) -> None:
        super().__init__(simulation, job)
        self.rules = job.group.held_containers
        self.log: list[Task] = []
        self.held: list[Held] = []  # that have not ended, in the order of placement
        self.placed = [0 for _ in self.stages]
        self.scheduled = [0 for _ in self.stages]
        self.waiting_since: int | None = None  # without a break
        self.beat_at: int | None = None

    @property
    def now(self) -> int:
        return self.simulation.now

    def finished_tasks(self, stage: int) -> list[Task]:
        return [task for task in self.log if task.stage == stage + 1 and task.outcome == "finished"]

    def running_tasks(self) -> list[Task]:
        return [task for task in self.log if task.outcome == "running"]

    def waiting(self, stage: int) -> list[int]:
        """Of the tasks that have been scheduled."""
        return [index for index in super().waiting(stage) if index < self.scheduled[stage]]

    # When tasks are scheduled (TEZ-1, TEZ-2)

    def _has_begun(self, vertex: int) -> bool:
        before = [one for one in range(vertex) if self.stages[one].start_s < self.stages[vertex].start_s]
        return self._starts(vertex) <= self.now and all(self.is_finished(one) for one in before)

    def _to_schedule(self, vertex: int) -> int:
        sources, tasks = self.sources[vertex], self.stages[vertex].tasks
        if all(self.is_finished(source) for source in sources):
            return tasks
        shares = [np.float32(len(self.done(one))) / np.float32(self.stages[one].tasks) for one in sources]
        least, most = np.float32(self.rules.slow_start_minimum), np.float32(self.rules.slow_start_maximum)
        if least == most:
            return tasks if min(shares) >= least else 0
        part = min(max((min(shares) - least) / (most - least), np.float32(0)), np.float32(1))
        return math.ceil(part * np.float32(tasks))

    def _schedule(self) -> bool:
        """Whether more tasks are scheduled than before."""
        before = list(self.scheduled)
        for vertex in range(len(self.stages)):
            if self._has_begun(vertex):
                self.scheduled[vertex] = max(before[vertex], self._to_schedule(vertex))
        return self.scheduled != before

    # Which container runs which task (TEZ-3)

    def _above(self, vertex: int) -> set[int]:
        """The vertices that it comes after, directly or through others."""
        return set(self.sources[vertex]).union(*(self._above(source) for source in self.sources[vertex]))

    def _takes(self, held: Held, vertex: int) -> bool:
        job = self.job
        asked = [job.asked(job.stage_kinds[one]) for one in (held.vertex, vertex)]
        fits = all(has >= needs for has, needs in zip(*asked, strict=True))
        is_first = not held.ran and held.vertex == vertex
        is_blocked = any(self.waiting(source) for source in self._above(vertex)) and not is_first
        return held.is_idle and fits and not is_blocked and (self.rules.reuse or not held.ran)

    def _assign(self) -> bool:
        """Whether any task has begun."""
        before = len(self.log)
        for vertex in range(len(self.stages)):
            for index in self.waiting(vertex):
                takers = [held for held in self.held if self._takes(held, vertex)]
                if takers:
                    self._start(takers[0], vertex, index)
        return len(self.log) > before

    def _start(self, held: Held, vertex: int, index: int) -> None:
        earlier = [task for task in self.log if (task.stage, task.index) == (vertex + 1, index)]
        task = Task(held, vertex + 1, index, len(earlier) + 1, self.now, reads=bool(self.sources[vertex]))
        task.lasts = duration_ms(self.state.scenario, task, task.node.speed)
        held.task = task
        self.log.append(task)
        self.simulation.task_log.append(task)
        self._set_shuffle_end(task)

    def ends(self) -> bool:
        """Tasks whose time has come, and launches that are over."""
        changed = False
        for task in [task for task in self.running_tasks() if task.due == self.now]:
            self._stop_task(task, "finished")
            changed = True
        for held in self.held:
            if held.launched_at == self.now and not held.is_launched:
                self._launched(held)
                changed = True
        return super().ends() or changed

    def _stop_task(self, task: Task, outcome: str) -> None:
        task.end, task.outcome = self.now, outcome
        held = task.executor
        held.task, held.idle_since, held.ran = None, self.now, held.ran + 1

    def _launched(self, held: Held) -> None:
        held.is_launched, held.idle_since, held.container.begin = True, self.now, held.launched_at

    # When containers are released (TEZ-5)

    def _release_time(self, held: Held) -> int:
        """Of one that is idle."""
        if not self.rules.reuse:
            return held.idle_since
        if self.waiting_since is not None:
            return max(held.idle_since, self.waiting_since) + milliseconds(self.rules.reuse_delay_s)
        least, most = milliseconds(self.rules.idle_minimum_s), milliseconds(self.rules.idle_maximum_s)
        one = held.container
        u = draw_number(self.state.scenario, self.job, held.ran + 1, IDLE, one.stage, "map", one.index)
        return held.idle_since + math.floor(least + u * (most - least) + 0.5)

    def _release(self) -> bool:
        due = [held for held in self.held if held.is_idle and self._release_time(held) <= self.now]
        for held in due:
            held.released = self.now
        return bool(due)

    # Heartbeats to the ResourceManager (TEZ-4)

    def _launching(self, vertex: int) -> int:
        known = [held for held in self.held if held.launched_at is not None and not held.is_launched]
        return sum(held.vertex == vertex for held in known)

    def _send_heartbeat(self) -> bool:
        """Whether anything is another."""
        at_once, changed = not self.job.beat_ms, False
        for held in list(self.held):
            if held.released is not None and (at_once or held.released < self.now):
                self._give_back(held)
                changed = True
        for held in list(self.held):
            if held.launched_at is None and (at_once or held.container.start < self.now):
                self._learn_of(held)
                changed = True
        for vertex, kind in enumerate(self.job.stage_kinds):
            asked = self.state.waiting(self.job, kind)
            missing = len(self.waiting(vertex)) - self._launching(vertex) - asked
            if missing > 0:
                self.simulation._ask(self.job, kind, [0] * (asked + missing))
            else:
                self.simulation._withdraw(self.job, kind, min(asked, -missing))
            changed = changed or missing > 0 or (missing < 0 and asked > 0)
        for held in self.held:
            if held.launched_at == self.now and not held.is_launched:
                self._launched(held)
        return changed

    def _learn_of(self, held: Held) -> None:
        if self._launching(held.vertex) >= len(self.waiting(held.vertex)):
            self._give_back(held)
        else:
            scenario = self.state.scenario
            launch = sample_ms(scenario, held.container, LAUNCH, scenario.cluster.launch_s)
            held.launched_at = self.now + launch

    def _give_back(self, held: Held) -> None:
        self._end(held, "finished")
        self.simulation._give_back(held.container)

    def _end(self, held: Held, outcome: str) -> None:
        held.container.end, held.container.outcome = self.now, outcome
        if held.task:
            self._stop_task(held.task, outcome)
        self.held.remove(held)

    # What the simulation calls

    def look(self) -> bool:
        """Everything that the master does at an instant. Whether anything changed."""
        job = self.job
        if job.ready is None or job.ready > self.now:
            return False
        if not self.is_up:
            self.is_up, job.master_away = True, False
            self.first_up = job.ready if self.first_up is None else self.first_up
            self.scheduled = [0 for _ in self.stages]
            self.waiting_since = self.beat_at = None
        changed = False
        while self._look_once():
            changed = True
        return changed

    def _look_once(self) -> bool:
        changed = self._schedule()
        changed = self._assign() or changed
        waits = any(self.waiting(vertex) for vertex in range(len(self.stages)))
        if not waits or self.waiting_since is None:
            self.waiting_since = self.now if waits else None
        changed = self._release() or changed
        if self.job.has_heartbeat_at(self.now) and (not self.job.beat_ms or self.beat_at != self.now):
            self.beat_at = self.now
            changed = self._send_heartbeat() or changed
            changed = self._assign() or changed
        return changed

    def events(self) -> Iterator[int]:
        """What lies ahead; at heartbeats a clock ticks."""
        if self.job.ready is None:
            return
        times: list[int | None] = [self.job.ready]
        if self.is_up:
            times += [self._starts(vertex) for vertex in range(len(self.stages))]
            times += [task.due for task in self.running_tasks()]
            times += [held.launched_at for held in self.held]
            times += [self._release_time(held) for held in self.held if held.is_idle]
        yield from (time for time in times if time is not None and time > self.now)

    def next_index(self, kind: str) -> int:
        """Containers of a vertex are numbered as they are placed."""
        return self.placed[self.job.stage_kinds.index(kind)]

    def came(self, container: Running) -> None:
        self.held.append(Held(container))
        self.placed[container.stage - 1] += 1

    def container_lost(self, container: Running) -> None:
        """With its node, or killed for others: its task waits again (TEZ-6)."""
        self._end(next(held for held in self.held if held.container is container), container.outcome)

    def stop(self, outcome: str) -> None:
        """All containers end, and nothing is asked for."""
        for kind in self.job.stage_kinds:
            self.simulation._withdraw(self.job, kind, self.state.waiting(self.job, kind))
        for held in list(self.held):
            self._end(held, outcome)
        self.is_up = False

    def finish(self) -> None:
        self.stop("finished")
        super().finish()
