"""Scenario -> what a plan has to place: every container with its size, how long it takes on each node, and
what must have happened before.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.bounds.lower_bounds import NoBound
from engine.codes import INFINITE, MAP, MASTER, REDUCE, request_of
from engine.messages import msg
from engine.resource_types import MEMORY, VCORES
from engine.scenario.model import Scenario
from engine.simulation.applications.seam import drawn_startup_ms
from engine.simulation.durations import CONSTANT, LAW_SIZE, durations
from engine.simulation.physics_arrays import physics
from engine.simulation.refused_jobs import may_refuse
from engine.simulation.workload import Workload, workload

FIRST_ATTEMPT = 1


class Rules(NamedTuple):
    """Of all schedulers that a bound is to hold for. memory_only: one of them fits by memory alone;
    keeps_slowstart: all keep the jobs' slow start;
    per_heartbeat: all give a node no more on a heartbeat than containers_per_heartbeat."""

    memory_only: bool = False
    keeps_slowstart: bool = True
    per_heartbeat: bool = True


DEFAULT_RULES = Rules()


class Container(NamedTuple):
    """One container. stage: its iteration from 1; durations_ms: on each speed of node (PlannedBatch.speeds),
    launch and compute, of a master its start-up.

    fetch_ms: of a reduce, from the end of the last map, and from its begin, to the end of its shuffle, at the
    nominal rate.
    """

    job: int
    stage: int
    kind: int
    index: int  # type: ignore[assignment]  # hides tuple.index
    memory: int
    vcores: int
    durations_ms: tuple[int, ...]
    fetch_ms: float = 0.0  # one map's output
    latency_ms: int = 0
    launch_ms: int = 0


class PlannedBatch(NamedTuple):
    """containers: job by job its master, then in each stage its maps and its reduces. tasks[job][stage - 1]:
    places of (maps, reduces).

    unit_ms: nodes are given containers at their offset + a multiple of it, at most per_heartbeat at a time
    (0: no limit); room is given back so too.
    keeps_order: maps start in the order of their index.
    """

    work: Workload
    speeds: tuple[float, ...]
    node_speed: tuple[int, ...]  # place in speeds
    node_offset: tuple[int, ...]
    unit_ms: int
    per_heartbeat: int
    containers: list[Container]
    masters: list[int]  # place of each job's, -1 without
    tasks: list[list[tuple[list[int], list[int]]]]
    needed_maps: list[int]  # finished before the first reduce may start
    linger_ms: list[int]
    keeps_order: bool
    rules: Rules

    def slot_limits(self, kind: int) -> list[int]:
        """Most tasks of a kind at a time on each node; INFINITE where there is none."""
        slots = self.work.node_map_slots if kind == MAP else self.work.node_reduce_slots
        return [int(limit) for limit in slots]


def planned_batch(scenario: Scenario, rules: Rules = DEFAULT_RULES) -> PlannedBatch:
    """What the simulator would draw, and of what may only make it longer (contention, stragglers, distance,
    drawn launches, masters' heartbeats) nothing.

    Raises NoBound where what happens to attempts is no matter of the schedule alone.
    """
    work, cluster = workload(scenario), scenario.cluster
    _check_supported(scenario, work)
    drawn = durations(scenario, work)
    speeds = tuple(sorted(set(work.node_speed.tolist())))
    launch = (
        int(math.floor(1000 * cluster.launch_s + 0.5)) if isinstance(cluster.launch_s, (int, float)) else 0
    )
    is_on_beats = cluster.heartbeat_ms > 0 and not cluster.out_of_band_heartbeats
    count = len(work.node_names)
    containers: list[Container] = []
    masters, tasks, first_draw = [], [], 0
    startups = _startups(scenario, work)
    for job, iterations in enumerate(work.job_iterations.tolist()):
        masters.append(_add_master(containers, work, job, startups[job], len(speeds)))
        stages = []
        for stage in range(1, iterations + 1):
            places = []
            for kind, number in ((MAP, int(work.job_maps[job])), (REDUCE, int(work.job_reduces[job]))):
                places.append(list(range(len(containers), len(containers) + number)))
                containers += [
                    _task(work, job, stage, kind, index, drawn[first_draw + index], speeds, launch)
                    for index in range(number)
                ]
                first_draw += number
            stages.append((places[0], places[1]))
        tasks.append(stages)
    return PlannedBatch(
        work=work,
        speeds=speeds,
        node_speed=tuple(speeds.index(one) for one in work.node_speed.tolist()),
        node_offset=tuple(
            node * cluster.heartbeat_ms // count if is_on_beats else 0 for node in range(count)
        ),
        unit_ms=cluster.heartbeat_ms if is_on_beats else 1,
        per_heartbeat=(cluster.containers_per_heartbeat or 0) if is_on_beats and rules.per_heartbeat else 0,
        containers=containers,
        masters=masters,
        tasks=tasks,
        needed_maps=[
            _slowstart_maps(*one) if rules.keeps_slowstart else 0
            for one in zip(work.job_slowstart.tolist(), work.job_maps.tolist())
        ],
        linger_ms=[
            math.floor(1000 * job.am.linger_s + 0.5) if job.am else 0
            for job in (scenario.jobs[group] for group in work.job_group.tolist())
        ],
        keeps_order=cluster.locality is None,
        rules=rules,
    )


def _check_supported(scenario: Scenario, work: Workload) -> None:
    cluster = scenario.cluster
    if cluster.failures and cluster.failures.probability:
        raise NoBound(msg("bounds.planned_batch.no_optimum_can_be_computed_when"))
    if cluster.varies:
        raise NoBound(msg("bounds.planned_batch.no_optimum_can_be_computed_when_2"))
    if any(job.speculation != "none" for job in scenario.jobs):
        raise NoBound(msg("bounds.planned_batch.no_optimum_can_be_computed_with"))
    if any(job.stages for job in scenario.jobs):
        raise NoBound(msg("bounds.planned_batch.no_optimum_for_applications_of_stages"))
    if may_refuse(scenario, work):
        raise NoBound(msg("bounds.planned_batch.no_optimum_can_be_computed_where"))


def _slowstart_maps(share: float, maps: int) -> int:
    """Finished maps for slow start: `slowstart` counts in doubles, `ramp-up` in floats as Hadoop does, and
    the lesser holds for both.
    """
    return max(min(math.ceil(share * maps - 1e-9), math.ceil(np.float32(share) * np.float32(maps))), 0)


def _startups(scenario: Scenario, work: Workload) -> list[int]:
    """ms of each job's master, as its first attempt draws it."""
    arrays, startups = physics(scenario, work), []
    with np.errstate(over="ignore"):
        for job in range(len(work.job_names)):
            law = arrays.startup_law[LAW_SIZE * job : LAW_SIZE * job + LAW_SIZE]
            is_fixed = law[0] == CONSTANT
            startups.append(
                int(max(work.job_startup[job], 0))
                if is_fixed
                else drawn_startup_ms(law, arrays.job_key[job], FIRST_ATTEMPT)
            )
    return startups


def _add_master(containers: list[Container], work: Workload, job: int, startup: int, speeds: int) -> int:
    request = request_of(work, job, MASTER)
    if work.request_memory[request] == 0:
        return -1
    size = int(work.asked_resource[MEMORY, request]), int(work.asked_resource[VCORES, request])
    containers.append(Container(job, 1, MASTER, 0, *size, (startup,) * speeds))
    return len(containers) - 1


def _task(
    work: Workload,
    job: int,
    stage: int,
    kind: int,
    index: int,
    drawn: float,
    speeds: tuple[float, ...],
    launch: int,
) -> Container:
    request = request_of(work, job, kind)
    size = int(work.asked_resource[MEMORY, request]), int(work.asked_resource[VCORES, request])
    part = (
        float(work.reduce_part[work.reduce_base[job] + index])
        if kind == REDUCE and len(work.reduce_part)
        else 1.0
    )
    computes = tuple(launch + max(1, math.floor(drawn * part / speed + 0.5)) for speed in speeds)
    if kind == MAP:
        return Container(job, stage, kind, index, *size, computes)
    computes = tuple(one - launch for one in computes)
    return Container(
        job,
        stage,
        kind,
        index,
        *size,
        computes,
        float(work.job_fetch_ms[job]) * part,
        work.shuffle_latency_ms,
        launch,
    )


def fetch_time_ms(container: Container, maps: int) -> int:
    """Of a reduce: to fetch so many maps' outputs, with the shuffle's latency, rounded up as the simulator
    does.
    """
    return max(math.ceil(maps * container.fetch_ms - 1e-6), 0) + container.latency_ms


def limits_of_slots(batch: PlannedBatch, kind: int) -> list[int] | None:
    """Of each node, the most tasks of a kind at a time; None where no node has a limit."""
    limits = batch.slot_limits(kind)
    return limits if min(limits) < INFINITE else None
