"""Which tasks of a stage that reads input start where: near their blocks, or farther away once the stage has
waited for that (SPARK-13).

In Spark  TaskSetManager.getAllowedLocalityLevel, recomputeLocality, dequeueTask,
          TaskSchedulerImpl.resourceOffers
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import DELAYED, INFINITE, NODE_LOCAL, OFF_SWITCH, RACK_LOCAL
from engine.run_records import JOB, RUNS_SPARK, STAGE, Flags, Ints, Record, array, given
from engine.simulation.applications.blocks import (
    block_distance,
    nearest,
    pass_none,
    place_block,
    sort_blocks,
)
from engine.simulation.applications.dag.stage_progress import lowest_waiting
from engine.simulation.applications.spark.executor_lists import sort_free, take_out_full
from engine.simulation.applications.spark.pools import has_pools, sort_stages, stage_after
from engine.simulation.applications.spark.slots import begin_task, pending_tasks
from engine.simulation.applications.spark.slow_tasks import MARKED
from engine.simulation.applications.spark.states import IN_ORDER, WORKS

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State

NOT_SUBMITTED = -1  # a stage's level


class TaskLocality(Record):
    """How far from their blocks the tasks of stages without sources may start."""

    stage_block_base: Ints = given(
        STAGE, "", "where the blocks of its tasks begin among all tasks', -1: it reads no input"
    )
    locality_wait_ms: Ints = given(JOB, "ms", "how long a stage waits before it starts tasks farther away")
    stage_level: Flags = array(
        STAGE, "", "the farthest at which its tasks start, NOT_SUBMITTED", initial=-1, when=RUNS_SPARK
    )
    stage_nearest: Flags = array(
        STAGE, "", "the nearest at which one could when executors last changed", when=RUNS_SPARK
    )
    stage_waits_since: Ints = array(STAGE, "ms", "at that level", when=RUNS_SPARK)
    stage_executors: Ints = array(STAGE, "", "`executor_changes` that it has seen", when=RUNS_SPARK)
    executor_changes: Ints = array(JOB, "", "executors that have registered or ended", when=RUNS_SPARK)
    level_opens: Ints = array(
        JOB,
        "ms",
        "when tasks of a stage may next start farther away, INFINITE: never",
        initial=INFINITE,
        when=RUNS_SPARK,
    )


def place_inputs(s: State, job: int) -> None:
    """The application begins, or begins again: where its input lies."""
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        base, tasks = s.stage_block_base[stage], s.stage_tasks[stage]
        if base >= 0:
            for index in range(tasks):
                place_block(s, job, base, stage - s.job_first_stage[job] + 1, index)
            sort_blocks(s, base, tasks, s.blocks_by_node, False)
            sort_blocks(s, base, tasks, s.blocks_by_rack, True)
            pass_none(s, base, tasks)
            s.stage_level[stage] = NOT_SUBMITTED


def fill_slots_near_blocks(s: State, job: int, now: int) -> None:
    """Each stage in turn is offered the free slots."""
    s.level_opens[job] = INFINITE
    if s.driver_state[job] != WORKS:
        return
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        if s.stage_block_base[stage] >= 0:
            update_level(s, job, stage, now)
    s.offers_all[job] = 0
    if pending_tasks(s, job) == 0 or s.first_free[job] < 0:
        return
    sort_free(s, job)
    if has_pools(s, job):
        sort_stages(s, job)
    stage = stage_after(s, job, -1)
    while stage >= 0 and s.first_free[job] >= 0:
        if pending_in(s, job, stage) > 0 and s.stage_missing[stage] == 0:
            offer_all(s, job, stage, now)
        stage = stage_after(s, job, stage)


def pending_in(s: State, job: int, stage: int) -> int:
    """Tasks of a stage that wait, for a second attempt too."""
    marked = s.stage_marked[stage] if s.marked_tasks[job] > 0 else 0
    return s.stage_waiting[stage] + marked


def update_level(s: State, job: int, stage: int, now: int) -> None:
    """A stage is submitted, or other executors are there than when its levels were last looked at."""
    if s.stage_is_finished[stage] == 1:
        s.stage_level[stage] = NOT_SUBMITTED
        return
    is_new = s.stage_level[stage] == NOT_SUBMITTED
    if s.stage_waiting[stage] == 0 or not (is_new or s.stage_executors[stage] != s.executor_changes[job]):
        return
    before, nearest_now = s.stage_nearest[stage], nearest_level(s, job, stage)
    if is_new:
        s.stage_waits_since[stage] = now
    if is_new or nearest_now < before:
        s.stage_level[stage] = nearest_now
    else:
        s.stage_level[stage] = max(s.stage_level[stage], nearest_now)
    s.stage_nearest[stage] = nearest_now
    s.stage_executors[stage] = s.executor_changes[job]


def nearest_level(s: State, job: int, stage: int) -> int:
    """From any executor to a waiting task's block."""
    level = OFF_SWITCH
    container = s.first_executor[2 * job + IN_ORDER]
    while container >= 0 and level > NODE_LOCAL:
        node = int(s.container_node[container])
        if nearest_waiting(s, stage, NODE_LOCAL, node) >= 0:
            level = NODE_LOCAL
        elif level > RACK_LOCAL and nearest_waiting(s, stage, RACK_LOCAL, node) >= 0:
            level = RACK_LOCAL
        container = s.next_executor[container]
    return level


def nearest_waiting(s: State, stage: int, level: int, node: int) -> int:
    """The lowest task of a stage that waits and has a block on the node, or on its rack; -1 without any."""
    base = s.stage_block_base[stage]
    first, last = base * s.replication, (base + s.stage_tasks[stage]) * s.replication
    task = s.stage_draw[stage]
    if level == NODE_LOCAL:
        return nearest(s.blocks_by_node, s.passed_by_node, s.task_container, task, first, last, node)
    rack = s.node_rack[node]
    return nearest(s.blocks_by_rack, s.passed_by_rack, s.task_container, task, first, last, rack)


def offer_all(s: State, job: int, stage: int, now: int) -> None:
    """All free slots: level by level, each until an offer to all executors has started nothing."""
    has_blocks = s.stage_block_base[stage] >= 0
    level, allowed = OFF_SWITCH, OFF_SWITCH
    if has_blocks:
        level, allowed = s.stage_nearest[stage], allowed_level(s, job, stage, now)
    nearest_started = DELAYED
    while level <= allowed and pending_in(s, job, stage) > 0 and s.first_free[job] >= 0:
        started = offer_to_each(s, job, stage, level, now)
        nearest_started = min(nearest_started, started)
        level += started == DELAYED
    if not has_blocks:
        return
    if s.stage_waiting[stage] == 0:
        s.stage_level[stage] = OFF_SWITCH
        s.stage_waits_since[stage] = now
    elif s.first_free[job] >= 0:
        opens = s.stage_waits_since[stage] + s.locality_wait_ms[job]
        s.level_opens[job] = min(s.level_opens[job], opens)
    elif nearest_started < DELAYED:
        s.stage_level[stage] = max(nearest_started, s.stage_nearest[stage])
        s.stage_waits_since[stage] = now


def allowed_level(s: State, job: int, stage: int, now: int) -> int:
    """How far from their blocks its tasks start now: a level farther for each wait that is over."""
    wait = s.locality_wait_ms[job]
    while s.stage_level[stage] < OFF_SWITCH and now - s.stage_waits_since[stage] >= wait:
        s.stage_level[stage] += 1
        s.stage_waits_since[stage] += wait
    return s.stage_level[stage]


def offer_to_each(s: State, job: int, stage: int, level: int, now: int) -> int:
    """A slot of each executor with a free one, in the order in which they registered: the nearest at which a
    task has started, DELAYED without any.
    """
    nearest_started = DELAYED
    before, container = -1, s.first_free[job]
    while container >= 0 and pending_in(s, job, stage) > 0:
        following = s.next_free[container]
        node = int(s.container_node[container])
        index = task_for(s, job, stage, level, node)
        if index >= 0:
            nearest_started = min(nearest_started, distance(s, stage, index, node))
            begin_task(s, job, container, stage, index, now)
        if s.executor_running[container] < s.executor_slots[job]:
            before = container
        else:
            take_out_full(s, job, before, container)
        container = following
    return nearest_started


def task_for(s: State, job: int, stage: int, level: int, node: int) -> int:
    """The task of a stage that starts on a node: the nearest that waits, of equals the lowest, or else one
    that is marked; -1 if all are farther than the level.
    """
    index = -1
    if s.stage_block_base[stage] >= 0 and s.stage_waiting[stage] > 0:
        index = nearest_waiting(s, stage, NODE_LOCAL, node)
        if index < 0 and level >= RACK_LOCAL:
            index = nearest_waiting(s, stage, RACK_LOCAL, node)
    if index < 0 and level >= OFF_SWITCH and s.stage_waiting[stage] > 0:
        index = lowest_waiting(s, stage)
    if index < 0 and s.marked_tasks[job] > 0:
        index = nearest_marked(s, stage, level, node)
    return index


def nearest_marked(s: State, stage: int, level: int, node: int) -> int:
    """Of a stage's marked tasks that run on another node, the nearest, of equals the first."""
    found, found_at = -1, level + 1
    task = s.first_of_list[2 * stage + MARKED]
    while task >= 0:
        index = task - s.stage_draw[stage]
        far = distance(s, stage, index, node)
        if far < found_at and s.container_node[s.task_container[task]] != node:
            found, found_at = index, far
        task = s.next_in_list[task]
    return found


def distance(s: State, stage: int, index: int, node: int) -> int:
    """From a node to a task's block; of one without, OFF_SWITCH."""
    base = s.stage_block_base[stage]
    return OFF_SWITCH if base < 0 else block_distance(s, base + index, node)
