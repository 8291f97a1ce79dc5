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
from tests.oracle.attempt_draws import IDLE, LAUNCH, draw_number, sample_ms
from tests.oracle.result import Running
from tests.oracle.stages import Stages
from tests.oracle.workload import Job


@dataclass(eq=False)
class Task(Running):
    """An attempt in a container, where it fetches and computes as if it had one of its own."""

    executor: Any = None
    slot: int = 0

    @property
    def number(self) -> int:
        """Of its vertex, from 1."""
        return self.stage

    @property
    def runs_tasks(self) -> bool:
        return False


@dataclass(eq=False)
class Held:
    """A container; that begins when it has been launched, which is known once the master has learnt of it."""

    container: Running
    task: Task | None = None
    ran: int = 0  # tasks that have ended in it
    idle_since: int = 0
    released: int | None = None

    @property
    def vertex(self) -> int:
        """That it was asked for, from 0."""
        return self.container.stage - 1


class Tez(Stages):
    """One job whose framework is Tez; vertices are numbered from 0 here."""

    def __init__(self, simulation: Any, job: Job) -> None:
        super().__init__(simulation, job)
        self.rules = job.group.held_containers
        self.log: list[list[Task]] = [[] for _ in self.stages]  # by vertex
        self.held: list[Held] = []  # that have not ended, in the order of placement
        self.placed = [0 for _ in self.stages]
        self.scheduled = [0 for _ in self.stages]
        self.waiting_since: int | None = None  # without a break
        self.beat_at: int | None = None

    @property
    def now(self) -> int:
        return self.simulation.now

    def finished_tasks(self, stage: int) -> list[Task]:
        return [task for task in self.log[stage] if task.outcome == "finished"]

    def running_tasks(self) -> list[Task]:
        return [held.task for held in self.held if held.task]

    def tasks_within(self) -> list[Task]:
        return self.running_tasks()

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

    def _idle(self) -> list[Held]:
        """Launched, without a task and not released."""
        launched = [
            one for one in self.held if one.container.begin is not None and one.container.begin <= self.now
        ]
        return [held for held in launched if held.task is None and held.released is None]

    def _takes(self, held: Held, vertex: int) -> bool:
        job = self.job
        asked = [job.asked(job.stage_kinds[one]) for one in (held.vertex, vertex)]
        fits = all(has >= needs for has, needs in zip(*asked, strict=True))
        is_first = not held.ran and held.vertex == vertex
        is_blocked = any(self.waiting(source) for source in self._above(vertex)) and not is_first
        return fits and not is_blocked and (self.rules.reuse or not held.ran)

    def _assign(self) -> bool:
        """Whether any task has begun."""
        before = len(self.running_tasks())
        for vertex in range(len(self.stages)):
            for index in self.waiting(vertex):
                takers = [held for held in self._idle() if self._takes(held, vertex)]
                if takers:
                    self._start(takers[0], vertex, index)
        return len(self.running_tasks()) > before

    def _start(self, held: Held, vertex: int, index: int) -> None:
        same = [task for task in self.log[vertex] if task.index == index]
        job, kind, node, now = self.job, self.job.stage_kinds[vertex], held.container.node, self.now
        task = Task(job, vertex + 1, kind, index, len(same) + 1, node, now, now, begin=now, executor=held)
        held.task = task
        self.log[vertex].append(task)
        self.simulation.task_log.append(task)
        self._set_shuffle_end(task)

    def ends(self) -> bool:
        """Tasks whose time has come."""
        due = [task for task in self.running_tasks() if task.end == self.now]
        for task in due:
            self._stop_task(task, "finished")
        return super().ends() or bool(due)

    def _stop_task(self, task: Task, outcome: str) -> None:
        task.end, task.outcome, held = self.now, outcome, task.executor
        held.task, held.idle_since, held.ran = None, self.now, held.ran + 1

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
        due = [held for held in self._idle() if self._release_time(held) <= self.now]
        for held in due:
            held.released = self.now
        return bool(due)

    # Heartbeats to the ResourceManager (TEZ-4)

    def _send_heartbeat(self) -> bool:
        """Whether anything is another."""
        at_once, before = not self.job.beat_ms, list(self.held)
        learnt: list[Held] = []
        for held in [one for one in before if one.released is not None]:
            if at_once or held.released < self.now:
                self._give_back(held)
        for held in [one for one in before if one.container.begin is None]:
            if at_once or held.container.start < self.now:
                if self._launching(held.vertex, learnt) < len(self.waiting(held.vertex)):
                    self._launch(held)
                    learnt.append(held)
                else:
                    self._give_back(held)
        asked = [self._ask(vertex, self._launching(vertex, learnt)) for vertex in range(len(self.stages))]
        return bool(learnt) or self.held != before or any(asked)

    def _launching(self, vertex: int, learnt: list[Held]) -> int:
        """Those of which the master learns at this heartbeat among them."""
        begins = [(held, held.container.begin) for held in self.held if held.vertex == vertex]
        return sum(begin is not None and (begin > self.now or held in learnt) for held, begin in begins)

    def _launch(self, held: Held) -> None:
        scenario = self.state.scenario
        launch = sample_ms(scenario, held.container, LAUNCH, scenario.cluster.launch_s)
        held.container.begin = held.idle_since = self.now + launch

    def _ask(self, vertex: int, launching: int) -> bool:
        """Whether it asks for more or takes some back."""
        kind = self.job.stage_kinds[vertex]
        asked = self.state.waiting(self.job, kind)
        missing = len(self.waiting(vertex)) - launching - asked
        if missing > 0:
            self.simulation._ask(self.job, kind, [0] * (asked + missing))
        else:
            self.simulation._withdraw(self.job, kind, min(asked, -missing))
        return missing > 0 or (missing < 0 and asked > 0)

    def _give_back(self, held: Held) -> None:
        self._end(held, "finished")
        self.simulation._give_back(held.container)

    def _end(self, held: Held, outcome: str) -> None:
        one, now = held.container, self.now
        one.end, one.outcome = now, outcome
        if one.begin is not None and one.begin > now:
            one.begin = None
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
            times += [time for task in self.running_tasks() for time in (task.shuffle_end, task.end)]
            times += [held.container.begin for held in self.held]
            times += [self._release_time(held) for held in self._idle()]
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
