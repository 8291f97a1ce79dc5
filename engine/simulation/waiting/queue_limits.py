"""Limits of queues and users that hold on every node (JOB-4, UPDATE-1, QUEUE-4, USER-1)."""

from __future__ import annotations

import numpy as np

from engine import quantities
from engine.codes import MAX_CAPACITIES, NO_LIMITS, WALKED
from engine.messages import msg
from engine.schedulers.hadoop.capacity_walk import used_and_reserved
from engine.schedulers.hadoop.resources import NOTHING
from engine.schedulers.hadoop.user_limits import compute_user_limit, exceeds_user_limit
from engine.simulation.hadoop.fair.fair_updates import has_known_demand
from engine.simulation.kernel.candidates import within_limits
from engine.simulation.waiting.node_rules import reservation
from engine.simulation.waiting.rule import (
    Moment,
    WaitingRule,
    amount,
    capacity_property,
    limit_rule,
    over,
    setting_of,
    upwards,
)

USER_LIMIT_FIELDS = (
    "queue_user_is_stale",
    "queue_held_back_users",
    "queue_user_memory",
    "queue_user_vcores",
)


def running_jobs_limit(moment: Moment, request: int) -> WaitingRule | None:
    view, state, work = moment.view, moment.state, moment.work
    job = work.request_job[request]
    if view.job_runnable_since[job] >= 0:
        return None
    owner = state.job_owner[job]
    user = work.job_users[job]
    if state.owner_running_jobs[owner] >= state.owner_max_running_jobs[owner]:
        subject, running, maximum = user, state.owner_running_jobs[owner], state.owner_max_running_jobs[owner]
        setting = setting_of(
            moment, f"maxRunningApps ({user})", f"yarn.scheduler.capacity.user.{user}.max-parallel-apps"
        )
    else:
        queue = next(
            queue
            for queue in upwards(view, view.job_queue[job])
            if state.queue_running_jobs[queue] >= state.queue_max_running_jobs[queue]
        )
        subject = work.queues.names[queue]
        running, maximum = state.queue_running_jobs[queue], state.queue_max_running_jobs[queue]
        setting = setting_of(moment, "maxRunningApps", capacity_property(subject, "max-parallel-apps"))
    return WaitingRule(
        "running-jobs",
        subject,
        int(maximum),
        int(running) + 1,
        "jobs",
        setting,
        msg(
            "simulation.queue_limits.at_most_jobs_may_run",
            subject=subject,
            maximum=quantities.count(int(maximum), "jobs"),
            running=f"{int(running):,}",
        ),
    )


def update_lag(moment: Moment, request: int) -> WaitingRule | None:
    view = moment.view
    if view.update_interval == 0 or has_known_demand(view, view.request_job[request]):
        return None
    return WaitingRule(
        "update",
        "",
        None,
        None,
        "",
        "yarn.scheduler.fair.update-interval-ms",
        msg("simulation.queue_limits.fairscheduler_has_not_seen_request", ms=int(view.update_interval)),
    )


def queue_maximum(moment: Moment, request: int) -> WaitingRule | None:
    view, work = moment.view, moment.work
    if moment.state.limits == NO_LIMITS or within_limits(view, request, moment.state.limits):
        return None
    for queue in upwards(view, view.job_queue[work.request_job[request]]):
        maximum = view.queue_max_memory[queue], view.queue_max_vcores[queue]
        if moment.state.limits == MAX_CAPACITIES:
            part = view.queue_max_capacity[queue]
            if queue == 0 and part >= 1.0:
                return None  # the cluster is full: what the nodes lack tells it
            maximum = int(view.cluster_memory * part), int(view.cluster_vcores * part)
        used = view.queue_used_memory[queue], view.queue_used_vcores[queue]
        found = over(view, request, used, maximum)
        if found:
            subject = work.queues.names[queue]
            return limit_rule(
                "queue-maximum",
                subject,
                found,
                setting_of(moment, "maxResources", capacity_property(subject, "maximum-capacity")),
            )
    return None


def guarantees_of_siblings(moment: Moment, request: int) -> WaitingRule | None:
    """What siblings hold and are still owed is kept from the queue, though something is available
    (AbstractParentQueue, ResourceLimits.addBlockedHeadroom); what nodes are reserved for counts as used.
    """
    view, queue = moment.view, moment.view.job_queue[moment.work.request_job[request]]
    if moment.state.reserves != WALKED or not _is_asked_before(moment, queue):
        return None
    cluster = int(view.cluster_memory), int(view.cluster_vcores)
    used = int(view.queue_used_memory[0]), int(view.queue_used_vcores[0])
    if over(view, request, used, cluster):
        return None
    subject = moment.work.queues.names[queue]
    if over(view, request, used_and_reserved(view, 0), cluster):
        others = (view.node_reserved >= 0) & (view.node_reserved != request)
        return reservation(moment, np.flatnonzero(others)) if others.any() else None
    limit = int(view.queue_limit_memory[queue]), int(view.queue_limit_vcores[queue])
    found = over(view, request, used_and_reserved(view, queue), limit)
    if not found:
        return None
    return limit_rule("siblings", subject, found, capacity_property(subject, "capacity"))


def _is_asked_before(moment: Moment, queue: int) -> bool:
    """Has a walk handed the leaf a limit yet?"""
    return moment.view.queue_limit_memory[queue] > 0


def user_limit(moment: Moment, request: int) -> WaitingRule | None:
    view, job = moment.view, moment.work.request_job[request]
    if not (moment.scheduler.limits_users and view.limits_users == 1):
        return None
    queue, user = view.job_queue[job], view.job_user[job]
    before = [getattr(view, name)[queue] for name in USER_LIMIT_FIELDS]
    compute_user_limit(view, queue)
    limit = int(view.queue_user_memory[queue]), int(view.queue_user_vcores[queue])
    exceeds = exceeds_user_limit(view, job, NOTHING)
    for name, value in zip(USER_LIMIT_FIELDS, before):
        getattr(view, name)[queue] = value
    if not exceeds:
        return None
    used = int(view.user_used_memory[user]), int(view.user_used_vcores[user])
    asked = int(view.request_memory[request]), int(view.request_vcores[request])
    place = 0 if used[0] > limit[0] else 1
    unit, subject = ("MB", "vcores")[place], moment.work.job_users[job]
    queue_name = moment.work.queues.names[queue]
    return WaitingRule(
        "user-limit",
        subject,
        float(limit[place]),
        float(used[place]),
        unit,
        capacity_property(queue_name, "user-limit-factor"),
        msg(
            "simulation.queue_limits.user_may_hold",
            user=subject,
            queue=queue_name,
            limit=amount(limit[place], unit),
            used=amount(used[place], unit),
            asked=amount(asked[place], unit),
        ),
    )
