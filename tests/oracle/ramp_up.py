"""The oracle's reduce start: slow start, and the ramp-up of Hadoop's RMContainerAllocator (RAMPUP-1 to
RAMPUP-3). Pairs are (memory, vcores).
"""

from __future__ import annotations

import math

import numpy as np

from engine.scenario.model import milliseconds
from tests.oracle.clocks import Clock
from tests.oracle.cluster_state import ClusterState, Pair
from tests.oracle.headroom import Free
from tests.oracle.result import Running
from tests.oracle.workload import Job, Request


class SlowStart:
    """All reduces when a share of the maps has finished (8, 12)."""

    reduces_first = False
    clock = None

    def on_heartbeat_of(self, job: Job) -> bool:
        """At a heartbeat of its master: it asks with the other requests, and takes nothing back."""
        return False

    def __init__(self, state: ClusterState, at: float | None) -> None:
        self.at = at

    def asks(self, job: Job) -> bool:
        return len(job.map_ends) >= maps_before_reduces(
            job, job.group.slowstart if self.at is None else self.at
        )


def maps_before_reduces(job: Job, fraction: float) -> int:
    return math.ceil(fraction * job.maps - 1e-9)


def unplaced_reduces(state: ClusterState, job: Job) -> list[int]:
    """Tasks that neither run nor have finished."""
    running = {c.index for c in state.running(job, "reduce")}
    return [index for index in range(job.reduces) if index not in running | job.reduces_done]


class RampUp(Clock):
    """Asks for reduces, takes them back and kills them, once a heartbeat of the master: its own, or those of
    all that have none.

    It counts a task's container until the scheduler has seen its end.
    """

    reduces_first = False

    def __init__(
        self,
        state: ClusterState,
        headroom: Free,
        heartbeat_s: float,
        limit: float,
        preempt: float,
        unconditional_s: float,
    ) -> None:
        self.state = state
        self.headroom = headroom
        self.clock = self
        self.period = max(1, milliseconds(heartbeat_s))
        self.limit = np.float32(limit)
        self.preempt = np.float32(preempt)
        self.patience = 1000 * unconditional_s

    def asks(self, job: Job) -> bool:
        """Only on its ticks."""
        return False

    def tick(self) -> bool:
        """Whether it asked for, took back or killed any, or time alone may make it."""
        # each of them: any() alone would stop at the first
        changed = [self.on_heartbeat_of(job) for job in self.state.jobs if not job.beat_ms]
        return any(changed)

    def on_heartbeat_of(self, job: Job) -> bool:
        """A heartbeat of one master."""
        asks_anew = job.reorder_on_request
        job.requests_changed, job.reorder_on_request = job.requests_changed or asks_anew, False
        return self._look_at_reduces(job) or asks_anew

    def _look_at_reduces(self, job: Job) -> bool:
        if job.iteration == 0 or not job.reduces or job.finish is not None or job.master_away:
            return False
        may_yet = self._may_yet(job)
        return self._look_at(job) or may_yet

    def _may_yet(self, job: Job) -> bool:
        """Its maps wait, none has a container, they have not waited too long, and reduces could go for
        them.
        """
        reduces = self.state.waiting(job, "reduce") + len(self.state.running(job, "reduce"))
        return self._wants_map(job) and not self._is_hanging(job) and reduces > 0

    def _wants_map(self, job: Job) -> bool:
        return "map" in job.waiting and not self.state.held(job, "map")

    def _is_hanging(self, job: Job) -> bool:
        return self.patience == 0 or self.state.now - job.waiting["map"].asked > self.patience

    def _look_at(self, job: Job) -> bool:
        if self._wants_map(job) and (self._is_hanging(job) or not self._has_room_for_map(job)):
            return self._make_room(job)
        return self._schedule(job)

    def _has_room_for_map(self, job: Job) -> bool:
        asked = _times(self.state.waiting(job, "reduce"), job.asked("reduce"))
        return self._whole(_minus(self.headroom.of(job), asked), job.asked("map")) > 0

    def _total(self, job: Job) -> Pair:
        return _plus(
            self.headroom.of(job), *(job.asked(c.kind) for c in self.state.held(job, "map", "reduce"))
        )

    def _make_room(self, job: Job) -> bool:
        """Takes back the reduces that wait and kills the latest of those that run; those killed before and
        not seen yet count.
        """
        withdrawn = "reduce" in job.waiting
        job.withdraw("reduce")
        self.state.users.waits(job)
        for_one = self._ceil(job.asked("map"), job.asked("reduce"))
        allowed = self._ceil(_part(self._total(job), self.preempt), job.asked("reduce"))
        for_all = self._ceil(_times(self.state.waiting(job, "map"), job.asked("map")), job.asked("reduce"))
        running = self.state.running(job, "reduce")
        count = min(max(for_one, allowed), for_all) - (len(self.state.held(job, "reduce")) - len(running))
        victims = sorted(running, key=lambda c: (c.start, c.index), reverse=True)[: max(count, 0)]
        for container in victims:
            kill(container, self.state.now)
        return bool(withdrawn or victims)

    def _schedule(self, job: Job) -> bool:
        """Whether it asked for more reduces or took some back; second attempts that wait stay."""
        backups = [job.speculative_task[kind] for kind in job.speculative_requested if kind == "reduce"]
        waiting = self.state.waiting(job, "reduce") - len(backups)
        pending = job.reduces - self.state.placed(job, "reduce") - waiting
        if not pending or len(job.map_ends) < math.ceil(
            np.float32(job.group.slowstart) * np.float32(job.maps)
        ):
            return False
        more = pending if not self.state.waiting(job, "map") else self._ramp(job)
        wanted = waiting + max(-waiting, min(more, pending))
        if wanted == waiting:
            return False
        asked = self.state.now if wanted > waiting else job.waiting["reduce"].asked
        job.waiting.pop("reduce", None)
        job.requests_changed = True
        if wanted or backups:
            job.waiting["reduce"] = Request(asked, unplaced_reduces(self.state, job)[:wanted] + backups)
            self.state.users.asked(job)
        self.state.users.waits(job)
        return True

    def _ramp(self, job: Job) -> int:
        """How many reduces more than now, or fewer, the reduces' part of the room takes."""
        total = self._total(job)
        maps = self.state.waiting(job, "map") + len(self.state.held(job, "map"))
        reduces = self.state.waiting(job, "reduce") + len(self.state.held(job, "reduce"))
        for_reduces = _part(total, min(np.float32(len(job.map_ends)) / np.float32(job.maps), self.limit))
        for_maps = _minus(total, for_reduces)
        if self._whole(for_maps, job.asked("map")) >= maps:
            for_reduces = _plus(for_reduces, _minus(for_maps, _times(maps, job.asked("map"))))
        return self._whole(_minus(for_reduces, _times(reduces, job.asked("reduce"))), job.asked("reduce"))

    def _whole(self, room: Pair, size: Pair) -> int:
        """How many go into it, or are missing, toward zero."""
        counts = [abs(r) // s * (1 if r >= 0 else -1) for r, s in zip(room, size)]
        return counts[0] if self.state.memory_only else min(counts)

    def _ceil(self, room: Pair, size: Pair) -> int:
        """How many it takes to make up so much."""
        counts = [-(-r // s) for r, s in zip(room, size)]
        return counts[0] if self.state.memory_only else max(counts)


def kill(container: Running, now: int) -> None:
    container.end = now
    container.outcome = "killed"
    if container.job.speculative_task.get(container.kind) == container.index:
        del container.job.speculative_task[container.kind]
        container.job.speculative_requested.discard(container.kind)


def _plus(*pairs: Pair) -> Pair:
    return sum(memory for memory, _ in pairs), sum(vcores for _, vcores in pairs)


def _minus(a: Pair, b: Pair) -> Pair:
    return a[0] - b[0], a[1] - b[1]


def _times(count: int, size: Pair) -> Pair:
    return count * size[0], count * size[1]


def _part(room: Pair, factor: np.float32) -> Pair:
    return math.trunc(room[0] * float(factor)), math.trunc(room[1] * float(factor))
