"""FairScheduler's update thread: what it knows of demand and fair shares is as old as the last update
(FairScheduler.update).

Every `update_interval` ms, after the requests of an instant and before its heartbeats (TIME-2). A job whose
demand, as it was known then, is what it holds now is not served (FSLeafQueue.fetchAppsWithDemand). An update
with nothing having happened since the last is left out. With an interval of 0 fair shares are renewed at each
heartbeat, and demand is what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE
from engine.resource_types import RESOURCE_COUNT
from engine.schedulers.amounts import THE_RUN, add, assign, differ
from engine.schedulers.hadoop.queue_sharing import pending_of
from engine.simulation.hadoop.fair.fair_shares import compute_shares
from engine.simulation.hadoop.fair.starvation import find_starved
from engine.simulation.hadoop.fair.victims import preempt_for_starved
from engine.simulation.hadoop.queues.usage import note_stale
from engine.simulation.kernel.clock import wake_parked

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def next_update(v: View, s: State, now: int) -> int:
    """When the next update may change something; INFINITE when none does."""
    interval = v.update_interval
    if interval == 0 or (
        s.update_event_count == s.event_count and (s.preempts == 0 or now >= s.starvation_deadline)
    ):
        return INFINITE
    return (now // interval + 1) * interval


def update_if_due(v: View, s: State, now: int) -> None:
    if v.update_interval > 0 and now % v.update_interval == 0 and s.update_event_count != s.event_count:
        update(v, s, now)
    if s.preempts == 1 and now % v.update_interval == 0:
        help_starved(v, s, now)


def update(v: View, s: State, now: int) -> None:
    """What it knows is renewed."""
    s.update_event_count = s.event_count
    update_shares(v, s)
    update_demand(v, s)
    s.idle_heartbeats = 0
    wake_parked(s)
    s.starvation_deadline = now + s.starvation_horizon_ms


def help_starved(v: View, s: State, now: int) -> None:
    events_before = s.event_count
    find_starved(v, s, now)
    preempt_for_starved(v, s, now)
    s.idle_heartbeats *= s.event_count == events_before


def update_at_heartbeat(v: View, s: State) -> None:
    """What FairScheduler renews at a heartbeat: with an interval of 0 the fair shares too."""
    if s.needs_fair_shares == 1:
        assign(v.available_resource, THE_RUN, v.cluster_resource, THE_RUN)
        add(v.available_resource, THE_RUN, v.queue_used_resource, 0, -1)
        if v.update_interval == 0:
            update_shares(v, s)


def update_shares(v: View, s: State) -> None:
    if s.needs_fair_shares == 1 and s.shares_are_stale == 1:
        compute_shares(v, s)


def update_demand(v: View, s: State) -> None:
    for place in range(s.demand_changed_count):
        job = s.demand_changed[place]
        s.is_demand_changed[job] = 0
        had_demand = has_known_demand(v, job)
        for resource in range(RESOURCE_COUNT):
            held = v.job_used_resource[resource, job]
            v.job_demand_resource[resource, job] = held + pending_of(v, job, resource)
        if has_known_demand(v, job) != had_demand:
            note_stale(s, job)
    s.demand_changed_count = 0
    v.queue_demand_memory[:] = v.queue_used_memory + v.queue_waiting_memory
    for (
        queue
    ) in v.queue_bottom_up:  # a parent's is what it uses and what its children want beyond what they use
        v.queue_demand_memory[queue] = min(v.queue_demand_memory[queue], v.queue_max_memory[queue])
        if v.queue_parent[queue] >= 0:
            v.queue_demand_memory[v.queue_parent[queue]] += (
                v.queue_demand_memory[queue] - v.queue_used_memory[queue]
            )


def has_known_demand(v: View, job: int) -> bool:
    """Was its demand, when last computed, other than what it holds now?"""
    return differ(v.job_demand_resource, job, v.job_used_resource, job)
