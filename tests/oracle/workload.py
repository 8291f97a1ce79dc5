"""What the oracle runs: nodes and jobs written out one by one, and the draws of their durations (DRAW-1,
DRAW-2).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from statistics import NormalDist
from typing import Any

from engine.codes import TAKEN
from engine.scenario.field_types import Exponential, Listed, Spread, Uniform
from engine.scenario.model import Job as JobGroup
from engine.scenario.model import Scenario, milliseconds

REDUCE, MAP, INTERVAL = 1, 2, 3
KINDS = ("am", "reduce", "map", "executor")  # in a job: master, reduces, maps (9), executors; then stages
WORD = 2**64
SEQUENCE_STEP = 0x9E3779B97F4A7C15


@dataclass(eq=False)
class Node:
    """A node; `held_*` is the scheduler's view: a container counts from its placement until its end is seen
    (HEARTBEAT-3).
    """

    name: str
    memory: int
    vcores: int
    speed: float
    rack: str
    slots: dict[str, int | None]  # of maps and of reduces
    held_memory: int = 0
    held_vcores: int = 0
    held_slots: Counter[str] = field(default_factory=Counter)
    reserved: tuple[Job, str] | None = None  # the request it is kept for
    reservation_number: int = 0  # the how manieth reservation that is
    reserved_order: tuple[int, ...] = ()  # where that stands among all containers and reservations made
    row: list = field(default_factory=list)  # its containers, in the order in which ends are seen
    reserved_code: int = 0  # of the container it is kept for
    joins: int = 0  # ms
    down: bool = False
    computing: float = 0  # k of CONTENTION-1 at the end of the previous instant
    launching: int = 0  # k of CONTENTION-4 then
    slowdown: float = 1.0  # of everything on it, and
    fetching: int = 0  # reduces that fetch, by then, where that counts in k


@dataclass
class Request:
    """Tasks of one kind that were asked for together and wait (REQUEST-1)."""

    asked: int
    tasks: list[int]


@dataclass(eq=False)
class Job:
    """One copy of a job group, and how far it is; all times in ms."""

    name: str
    group: JobGroup
    key_name: str
    copy: int
    arrival: int
    waiting: dict[str, Request] = field(default_factory=dict)
    attempts: dict[tuple[int, str, int], int] = field(default_factory=dict)
    held_memory: int = 0
    held_vcores: int = 0
    master_asked: bool = False
    # since its leaf last knew, what it holds has changed, or a node was reserved for it or given up
    needs_reorder: bool = False
    reorder_on_request: bool = (
        False  # it was given a reserved container, after which a ramp-up master asks anew for the rest
    )
    requests_changed: bool = False  # since then, it has asked for tasks or taken back
    has_left: bool = False  # the scheduler has seen all of it end
    is_registered: bool = False  # it has arrived
    is_runnable: bool = False  # no limit of running jobs keeps it from it; it counts there until it is gone
    active: bool = False  # it has arrived, and under am-limit its master may start
    admitted: bool = False  # under the admission rules that hold masters
    ready: int | None = None  # when it can ask for its first maps
    iteration: int = 0
    # the attempt that finished each map of the iteration whose output is there
    maps_done: dict[int, Any] = field(default_factory=dict)
    failures: dict[tuple[str, int], int] = field(default_factory=dict)  # of the iteration's tasks
    # of attempts that finished in this iteration, from begin to end
    times: dict[str, list[int]] = field(default_factory=dict)
    # tasks to be asked for when the requests of this instant appear
    tasks_to_rerequest: dict[str, list[int]] = field(default_factory=dict)
    # of a kind, the task that is to have a second attempt
    speculative_task: dict[str, int] = field(default_factory=dict)
    speculative_requested: set[str] = field(default_factory=set)  # kinds of which it waits
    master_losses: int = 0
    containers_made: int = 0  # containers, reserved ones too
    master_kills: int = 0  # how often it was preempted
    master_away: bool = False  # it was lost, and no other has started up
    next_speculation_ms: int = 0  # no second attempt is looked for before
    reduces_done: set[int] = field(default_factory=set)
    reduces_asked: bool = False
    reduces_withheld: bool = False
    reduces_first: bool = False  # those that wait go before the job's maps
    start: int | None = None
    finish: int | None = None
    failed: bool = False
    application: Any = None  # of Spark (spark.py), or of stages (stages.py)
    refused: int = TAKEN  # why it never ran
    normalized: dict[str, tuple[int, int]] = field(default_factory=dict)
    blocks: list[list[Node]] = field(default_factory=list)  # of each map, where its input lies

    @cached_property
    def stage_kinds(self) -> list[str]:
        """Its requests of a stage each: for tasks that have containers of their own (STAGES-1), for
        containers that run several (TEZ-1).
        """
        kind = {"stages": "task", "demand": "task", "tez": "executor"}.get(self.group.framework)
        return [f"{kind}{number}" for number in range(1, len(self.group.stages) + 1)] if kind else []

    @property
    def kinds(self) -> list[str]:
        """Its requests, in their order."""
        return [*KINDS, *self.stage_kinds]

    def size(self, kind: str) -> tuple[int, int]:
        """Memory and vcores of one container, as the scheduler counts them."""
        return self.normalized.get(kind) or self.asked(kind)

    def asked(self, kind: str) -> tuple[int, int]:
        """As its master asks for them."""
        executors = self.group.executors
        if kind == "executor":
            overhead = executors.memory_overhead_mb
            if overhead is None:
                overhead = max(384, int(0.1 * executors.memory_mb))
            return executors.memory_mb + overhead, executors.vcores
        if kind in self.stage_kinds:
            stage = self.group.stages[self.stage_kinds.index(kind)]
            return stage.memory_mb, stage.vcores
        part = {"am": self.group.am, "map": self.group.maps, "reduce": self.group.reduces}[kind]
        return part.memory_mb, part.vcores

    def distance(self, index: int, node: Node) -> int:
        """From a map's block: 0 there, 1 on its rack, 2 elsewhere."""
        if node in self.blocks[index]:
            return 0
        return 1 if node.rack in [other.rack for other in self.blocks[index]] else 2

    @cached_property
    def beat_ms(self) -> int:
        """Between heartbeats of its master; 0 where it asks and learns at once."""
        seconds = self.group.am.heartbeat_s if self.group.am else 0
        return max(1, milliseconds(seconds)) if seconds else 0

    def has_heartbeat_at(self, time: int) -> bool:
        """Does its master ask and learn then?"""
        return not self.beat_ms or (
            self.ready is not None and time >= self.ready and (time - self.ready) % self.beat_ms == 0
        )

    def next_heartbeat(self, placed: int) -> int:
        """When its master learns of a container: at once, or at the first heartbeat after it."""
        return next(
            time
            for time in range(placed + bool(self.beat_ms), placed + self.beat_ms + 1)
            if self.has_heartbeat_at(time)
        )

    @property
    def reduces(self) -> int:
        return self.group.reduces.count if self.group.reduces else 0

    @property
    def maps(self) -> int:
        return self.group.maps.count if self.group.maps else 0

    def size_of(self, kind: str) -> int:
        """How many tasks of the kind an iteration has."""
        return self.maps if kind == "map" else self.reduces

    @property
    def map_ends(self) -> list[int]:
        return sorted(container.end for container in self.maps_done.values())

    def withdraw(self, kind: str) -> None:
        """Nothing of the kind is wanted any more of what waits."""
        withdrawn = self.waiting.pop(kind, None)
        self.requests_changed = self.requests_changed or withdrawn is not None
        if withdrawn and kind in self.speculative_requested:
            self.speculative_requested.remove(kind)
            del self.speculative_task[kind]

    @property
    def maps_over(self) -> bool:
        return len(self.maps_done) == self.maps

    @property
    def iteration_over(self) -> bool:
        return self.maps_over and len(self.reduces_done) == self.reduces

    @property
    def usage(self) -> tuple[int, int]:
        """What it holds as the scheduler sees it."""
        return self.held_memory, self.held_vcores

    @property
    def demand(self) -> tuple[int, int]:
        """What it holds and waits for."""
        memory, vcores = self.usage
        for kind, request in self.waiting.items():
            one = self.size(kind)
            memory += len(request.tasks) * one[0]
            vcores += len(request.tasks) * one[1]
        return memory, vcores


def nodes_of(scenario: Scenario) -> list[Node]:
    """All nodes, in file order, copies in order."""
    nodes = []
    for place, group in enumerate(scenario.cluster.nodes, start=1):
        for copy in range(1, group.count + 1):
            name = _copy_name(group.name or f"node{place}", copy, group.count)
            slots = {"map": group.map_slots, "reduce": group.reduce_slots}
            nodes.append(Node(name, group.memory_mb, group.vcores, group.speed, group.rack or "", slots))
            nodes[-1].joins = milliseconds(group.joins_s)
            nodes[-1].down = nodes[-1].joins > 0 or any(
                outage.node == name and milliseconds(outage.lost_s) == 0
                for outage in scenario.cluster.outages
            )
    return nodes


def jobs_of(scenario: Scenario) -> list[Job]:
    """All jobs in job order: arrival, place in the file, copy (JOB-1)."""
    jobs = []
    for place, group in enumerate(scenario.jobs, start=1):
        key_name = group.name or f"job{place}"
        arrival = milliseconds(group.arrival_s)
        for copy in range(1, group.count + 1):
            if copy > 1:
                arrival += gap_ms(scenario.seed, key_name, copy, group)
            jobs.append(Job(_copy_name(key_name, copy, group.count), group, key_name, copy, arrival))
    return sorted(jobs, key=lambda job: job.arrival)  # stable: place and copy stay in order


def _copy_name(name: str, copy: int, count: int) -> str:
    return f"{name}-{copy}" if count > 1 else name


def gap_ms(seed: int, key_name: str, copy: int, group: JobGroup) -> int:
    """Time between the copy before this one and this one; not negative."""
    u = uniform_number(seed, key_name, copy, 0, INTERVAL, copy)
    return max(0, math.floor(draw_ms(group.interval_s, copy - 2, u) + 0.5))


def uniform_number(seed: int, key_name: str, copy: int, iteration: int, kind: int, index: int) -> float:
    """The number in (0, 1) that belongs to these names (DRAW-1): splitmix64 at a counter, keyed by
    blake2b.
    """
    return number_of(job_key(seed, key_name, copy), iteration, kind, index)


def job_key(seed: int, key_name: str, copy: int) -> int:
    return int.from_bytes(blake2b(f"{seed}/{key_name}/{copy}".encode(), digest_size=8).digest(), "little")


def number_of(key: int, iteration: int, kind: int, index: int) -> float:
    number = ((splitmix64(key, ((iteration * 4 + kind) << 32) | index) >> 11) + 0.5) * 2.0**-53
    return min(number, 1.0 - 2.0**-53)


def splitmix64(key: int, counter: int) -> int:
    """Output number `counter` of the generator seeded with `key`."""
    z = (key + (counter + 1) * SEQUENCE_STEP) % WORD
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def draw_ms(value: float | Spread | Uniform | Exponential | Listed, index: int, u: float) -> float:
    """The value's inverse distribution function at u (DRAW-1), from parameters in whole milliseconds."""
    if isinstance(value, Listed):
        return float(milliseconds(value.values[index]))
    if isinstance(value, Uniform):
        low, high = float(milliseconds(value.low)), float(milliseconds(value.high))
        return low + (high - low) * u
    if isinstance(value, Exponential):
        return -float(milliseconds(value.mean)) * math.log1p(-u)
    if isinstance(value, Spread):
        mean, sd = float(milliseconds(value.mean)), float(milliseconds(value.sd))
        normal = NormalDist().inv_cdf(u)
        if value.dist == "normal":
            return mean + sd * normal
        if mean == 0.0:
            return 0.0  # a mean below half a millisecond has no logarithm
        ratio = sd / mean
        s2 = math.log(1.0 + ratio * ratio)
        return math.exp(math.log(mean) - s2 / 2 + math.sqrt(s2) * normal)
    return float(milliseconds(value))


def added(numbers: list[float]) -> float:
    """Left to right; sum() adds floats differently from Python 3.12 on."""
    total = 0.0
    for number in numbers:
        total += number
    return total
