"""Which stage gets the next slot: in their order, or as its pool has it (SPARK-8, SPARK-11).

In Spark  Pool.getSortedTaskSetQueue, FIFOSchedulingAlgorithm, FairSchedulingAlgorithm
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.simulation.applications.spark.slow_tasks import first_marked

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def has_pools(s: State, job: int) -> bool:
    return s.job_first_pool[job] < s.job_first_pool[job + 1]


def sort_stages(s: State, job: int) -> None:
    """The stages and pools of an application are sorted by the tasks that they run now."""
    for pool in range(s.job_first_pool[job], s.job_first_pool[job + 1]):
        s.sorted_pool_running[pool] = 0
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        s.sorted_stage_running[stage] = s.stage_running[stage]
        s.sorted_pool_running[s.stage_pool[stage]] += s.stage_running[stage]


def may_begin_on(s: State, job: int, stage: int, node: int) -> bool:
    """Have its sources finished, and does a task of it wait, or for a second attempt on another node?"""
    if s.stage_missing[stage] > 0:
        return False
    return s.stage_waiting[stage] > 0 or (s.marked_tasks[job] > 0 and first_marked(s, stage, node) >= 0)


def next_of_pools(s: State, job: int, node: int) -> int:
    """The first stage, as they were last sorted, of which a task may begin on a node; -1 where none is."""
    first = -1
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        if may_begin_on(s, job, stage, node) and (first < 0 or is_before(s, stage, first)):
            first = stage
    return first


def stage_after(s: State, job: int, stage: int) -> int:
    """The stage behind another one, as they were last sorted, or the first behind -1; -1 behind the last."""
    first, end = s.job_first_stage[job], s.job_first_stage[job + 1]
    if not has_pools(s, job):
        following = max(first, stage + 1)
        return following if following < end else -1
    following = -1
    for other in range(first, end):
        if (stage < 0 or stands_before(s, stage, other)) and (
            following < 0 or stands_before(s, other, following)
        ):
            following = other
    return following


def stands_before(s: State, stage: int, other: int) -> bool:
    """Does it, wherever the two are in the list?"""
    if stage == other:
        return False
    return is_before(s, stage, other) if stage > other else not is_before(s, other, stage)


def is_before(s: State, stage: int, earlier: int) -> bool:
    """Does a stage stand before one that is earlier in the list?"""
    pool, other = s.stage_pool[stage], s.stage_pool[earlier]
    if pool != other:
        return is_pool_before(s, pool, other)
    return s.pool_is_fair[pool] == 1 and s.sorted_stage_running[stage] < s.sorted_stage_running[earlier]


def is_pool_before(s: State, pool: int, other: int) -> bool:
    """Below its minimum share it stands first, then by what it runs for its share or its weight."""
    running, minimum = s.sorted_pool_running[pool], s.pool_minimum_share[pool]
    other_running, other_minimum = s.sorted_pool_running[other], s.pool_minimum_share[other]
    is_needy, other_is_needy = running < minimum, other_running < other_minimum
    if is_needy != other_is_needy:
        return is_needy
    if is_needy:
        ratio, other_ratio = running / minimum, other_running / other_minimum
    else:
        ratio, other_ratio = running / s.pool_weight[pool], other_running / s.pool_weight[other]
    if ratio != other_ratio:
        return ratio < other_ratio
    return pool < other
