"""The run plan: what a scheduler's parts ask of a run, as numbers of the View and the State that the kernel
reads.
"""

from __future__ import annotations

import math

import numpy as np

from engine.codes import (
    ACTIVATE,
    BY_CAPACITY,
    BY_MEMORY,
    BY_MEMORY_SIZE_WEIGHTED,
    BY_WEIGHT,
    COUNTED,
    INFINITE,
    MAX_CAPACITIES,
    MAX_SHARES,
    NO_LIMITS,
    NO_QUEUES,
    ON_CHANGES,
    ON_ENDS,
    ON_WINDOWS,
    PASS_OVER,
    QUEUE_LIMIT,
    SPARK,
    WALKED,
)
from engine.resource_types import amounts_of
from engine.scenario.model import Scenario
from engine.schedulers.capabilities import NOBODY, QUEUE_SHARE
from engine.schedulers.policy import Policy
from engine.schedulers.scheduler import Scheduler
from engine.schedulers.view import View
from engine.simulation import physics_arrays, shortlist_arrays
from engine.simulation.hadoop.fair.fair_shares import INCREMENTS
from engine.simulation.hadoop.queues.hash_order import node_hashes
from engine.simulation.kernel.state import State
from engine.simulation.policy_binding import reads
from engine.simulation.workload import Workload


def set_run_plan(
    scenario: Scenario, chosen: Scheduler, work: Workload, view: View, state: State, is_watched: bool
) -> None:
    """Sets what the kernel and the policies read of the scheduler and the cluster's rules; is_watched:
    somebody is to see each answer of a part and all candidates.
    """
    _set_cluster_rules(scenario, work, view, state)
    _set_order(chosen, work, view, state)
    _set_rules(chosen, view, state)
    _set_limits(chosen, work, view, state)
    if scenario.cluster.locality:
        state.delays = chosen.delays
        state.max_missed[:] = np.minimum(chosen.locality, 1.0)
        state.walks_always |= chosen.delays == COUNTED
    if chosen.monitor_ms > 0:
        state.monitor_ms, state.monitor_event_count = chosen.monitor_ms, -1
        state.kill_wait_ms = math.floor(chosen.order.number("max_wait_before_kill_ms") + 0.5)
    if chosen.preempts_for_starved:
        _set_preemption(chosen, work, state)
    _set_shortcuts(scenario, chosen, work, state, is_watched)


def _set_cluster_rules(scenario: Scenario, work: Workload, view: View, state: State) -> None:
    cluster = scenario.cluster
    view.heartbeat = cluster.heartbeat_ms
    state.max_per_heartbeat = cluster.containers_per_heartbeat or 0
    state.contention, state.launch_contention = cluster.contention, cluster.launch_contention
    slows_launches = cluster.launch_contention > 0 and bool((work.job_framework == SPARK).any())
    state.has_contention = cluster.contention > 0 or slows_launches
    state.sends_out_of_band = cluster.out_of_band_heartbeats and cluster.heartbeat_ms > 0
    state.stretches = physics_arrays.stretches(cluster, work)
    state.fails = cluster.failures is not None
    if cluster.allocation:
        increment = cluster.allocation.increment
        state.threshold_resource[:] = INCREMENTS * amounts_of([increment], 1)


def _set_order(chosen: Scheduler, work: Workload, view: View, state: State) -> None:
    order = chosen.order.policy
    view.queue_scheme = order.queues.scheme
    state.order_follows_jobs = order.on_jobs is not None
    state.default_queue_policy = order.queues.job_policy
    state.stops_job, state.reserves = chosen.stops_job, chosen.reserves
    if chosen.reserves == WALKED:
        view.node_hash[:] = node_hashes(len(view.node_hash))
    state.walks_always = chosen.walks_always or _reorders_leaves(chosen, work)
    state.spreads_load = chosen.spreads_load
    state.max_off_switch = chosen.max_off_switch
    state.uses_dynamic_max_assign = chosen.uses_dynamic_max_assign
    state.needs_fair_shares, view.update_interval = chosen.needs_fair_shares, chosen.update_ms


def _set_rules(chosen: Scheduler, view: View, state: State) -> None:
    """Of reduce start and admission."""
    rule, admission = chosen.reduce_start.policy, chosen.admission.policy
    state.reduce_start_trigger, state.may_mark_reduces_first = _trigger(rule), rule.reduces_first
    state.headroom = chosen.headroom
    state.hands_down_limits = chosen.order.policy.queues.headroom == QUEUE_LIMIT
    view.holds_masters = admission.masters.held_by != NOBODY and admission.masters.overtaking != ACTIVATE
    state.overtaking = admission.masters.overtaking
    state.masters_interchangeable = admission.masters.held_by == QUEUE_SHARE


def _set_limits(chosen: Scheduler, work: Workload, view: View, state: State) -> None:
    """Of queues, of users and of how many jobs run."""
    state.limits = _queue_limits(chosen, work)
    state.limits_users, state.limits_running = chosen.limits_users, _limits_running(chosen, work)
    view.limits_users = chosen.limits_users if chosen.monitor_ms > 0 else _limits_users(chosen, work)


def _set_shortcuts(
    scenario: Scenario, chosen: Scheduler, work: Workload, state: State, is_watched: bool
) -> None:
    """What the kernel may leave out: who watches sees each answer and all candidates."""
    order, masters = chosen.order.policy, chosen.admission.policy.masters
    state.is_watched, state.shortlist_depth = is_watched, order.ranked.compares if order.ranked else 1
    state.group_count = len(state.group_memory)
    state.ranks_by = chosen.ranks_by if len(state.ranked) and not scenario.cluster.locality else 0
    if not is_watched:
        state.serves_first, state.admits_all = order.serves_first, masters.held_by == NOBODY
        state.uses_index = _uses_index(scenario, chosen, work, state)
        state.keeps_scores = state.uses_index and order.index is not None and order.index.keeps_scores
    state.lists_lazily = _lists_lazily(scenario, chosen, work, state)


def _trigger(rule: Policy) -> int:
    """When the kernel asks a reduce-start rule."""
    if rule.preempt is not None:
        return ON_WINDOWS
    return ON_CHANGES if rule.windows else ON_ENDS


def _queue_limits(chosen: Scheduler, work: Workload) -> int:
    """Which limits of queues the kernel has to hold: none when no queue has one."""
    queues = work.queues
    shares = (queues.max_resource < INFINITE).any()
    capacities = (queues.max_capacity < 1.0).any()
    held = {
        NO_QUEUES: NO_LIMITS,
        BY_WEIGHT: MAX_SHARES * int(shares),
        BY_CAPACITY: MAX_CAPACITIES * int(capacities),
    }
    return held[chosen.order.policy.queues.scheme]


def _limits_users(chosen: Scheduler, work: Workload) -> bool:
    """Can a limit of users, or of their masters, ever hold one of them back?"""
    queues = work.queues
    return (chosen.limits_users or chosen.admission.policy.masters.overtaking == ACTIVATE) and bool(
        ((queues.capacity < 1.0) | (queues.user_limit_factor < 1.0) | (queues.min_user_limit < 100)).any()
    )


def _set_preemption(chosen: Scheduler, work: Workload, state: State) -> None:
    """FSPreemptionThread's numbers: a starved job is looked at again after the warning and a time of its own.

    The four heartbeats that Hadoop means to add are 0: the thread is made before the interval is read
    (FairScheduler.serviceInit).
    """
    order = chosen.order
    warning, check = (
        math.floor(order.number(name) + 0.5) for name in ("wait_before_kill_ms", "starvation_check_ms")
    )
    state.preemption_threshold, state.spares_masters = (
        order.number("utilization_threshold"),
        order.given["am_preemption"] == "no",
    )
    state.warning_ms, state.next_starvation_check_ms = warning, warning + check
    timeouts = [
        timeout
        for timeout in (*work.queues.min_share_timeout, *work.queues.fair_share_timeout)
        if timeout < INFINITE
    ]
    state.starvation_horizon_ms = (
        max(timeouts, default=0) + state.next_starvation_check_ms + 2 * chosen.update_ms
    )


def _limits_running(chosen: Scheduler, work: Workload) -> bool:
    """May a job have to wait until others have left? Orders that know no queues ask nobody."""
    max_running = np.concatenate((work.queues.max_running_jobs, work.owner_max_running_jobs))
    return chosen.knows_queues and bool((max_running < len(work.job_arrival)).any())


def _reorders_leaves(chosen: Scheduler, work: Workload) -> bool:
    """Do leaves find the places of their jobs anew when they are asked, though nothing fits?"""
    return chosen.order.policy.assignment.reserves == WALKED and bool(
        np.isin(work.queues.ordering, (BY_MEMORY, BY_MEMORY_SIZE_WEIGHTED)).any()
    )


def _uses_index(scenario: Scenario, chosen: Scheduler, work: Workload, state: State) -> bool:
    """May the order choose every request that fits, or the first one of every active job on every node if it
    reserves? Where reduces go before their job's maps, if it sees to that itself.
    """
    index, masters = chosen.order.policy.index, chosen.admission.policy.masters
    if index is None or not _only_room_decides(scenario, state):
        return False
    if chosen.order.policy.assignment.reserves == WALKED:
        fits = (state.fit_resource.max(axis=1) <= work.node_resource.min(axis=1)).all()
        admits = masters.held_by == NOBODY or masters.overtaking == ACTIVATE
        return chosen.reserves == WALKED and bool(fits) and admits
    if len(work.job_arrival) < shortlist_arrays.MIN_JOBS:
        return False
    leaves_maps = chosen.reduce_start.policy.reduces_first and not chosen.order.policy.defaults.is_paired
    return not index.keeps_scores or (masters.held_by == NOBODY and not leaves_maps)


def _lists_lazily(scenario: Scenario, chosen: Scheduler, work: Workload, state: State) -> bool:
    """Do orders seldom go through all that waits, and no part reads the list beside them?"""
    walks = state.uses_index and chosen.reserves == WALKED
    first = state.serves_first and state.group_count and _only_room_decides(scenario, state)
    is_seldom = bool(state.ranks_by or walks or first) and chosen.admission.policy.masters.overtaking in (
        ACTIVATE,
        PASS_OVER,
    )
    return is_seldom and not any(
        reads(part.policy, "waiting_requests")
        for part in (chosen.order, chosen.reduce_start, chosen.admission)
    )


def _only_room_decides(scenario: Scenario, state: State) -> bool:
    """Are there neither limits of queues nor slots, and no nodes to be waited for?"""
    return state.limits == NO_LIMITS and not scenario.cluster.locality and not state.limits_slots
