"""Usage and demand of each user of a leaf, as CapacityScheduler counts them (UsersManager; USER-1). An entry
of user_* is one user in one leaf.

A user wants more from a request of an active job of theirs until none of their jobs waits for anything; a job
whose master may not start yet makes nobody one who wants (UsersManager.activateApplication).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.resource_types import RESOURCE_COUNT
from engine.schedulers.amounts import THE_RUN, add
from engine.schedulers.hadoop.resources import add_amount, times
from engine.schedulers.terms.masters import am_resource

if TYPE_CHECKING:
    from engine.schedulers.view import View


def count_user_usage(v: View, job: int, request: int, change: int) -> None:
    """A job holds or has reserved so many more (fewer when negative) of a request's containers."""
    if v.limits_users == 0:
        return
    queue, user = v.job_queue[job], v.job_user[job]
    add(v.user_used_resource, user, v.request_resource, request, change)
    if v.user_is_counted_active[user] == 1:
        add(v.queue_active_users_resource, queue, v.request_resource, request, change)
    ratio = usage_ratio(v, user)
    difference = np.float32(ratio) - np.float32(v.user_ratio[user])
    v.queue_user_ratio[queue] = np.float32(v.queue_user_ratio[queue]) + difference
    v.user_ratio[user] = ratio
    v.queue_user_is_stale[queue] = 1


def usage_ratio(v: View, user: int) -> np.float32:
    """What part of the cluster a user holds."""
    ratio = np.float32(v.user_used_memory[user]) / np.float32(v.cluster_memory)
    for resource in range(RESOURCE_COUNT):
        whole = v.cluster_resource[resource, THE_RUN]
        if v.counts_vcores == 1 and whole > 0:
            ratio = max(ratio, np.float32(v.user_used_resource[resource, user]) / np.float32(whole))
    return ratio


def recount_ratios(v: View) -> None:
    """The cluster is another: so is each user's part of it (UsersManager.updateUsageRatio)."""
    v.queue_user_ratio[:] = 0
    v.user_ratio[:] = 0
    for user in range(len(v.user_ratio)):
        if v.user_used_memory[user] > 0:
            queue = queue_of(v, user)
            v.user_ratio[user] = usage_ratio(v, user)
            v.queue_user_ratio[queue] = np.float32(v.queue_user_ratio[queue]) + np.float32(v.user_ratio[user])


def note_pending(v: View, job: int) -> None:
    """The job has a waiting request again."""
    user = v.job_user[job]
    if v.limits_users == 1 and v.job_is_pending[job] == 0 and v.user_active_jobs[user] > 0:
        v.job_is_pending[job] = 1
        v.user_pending_jobs[user] += 1
        if v.user_pending_jobs[user] == 1:
            v.queue_active_users[queue_of(v, user)] += 1
            count_active(v, user, 1)


def note_not_pending(v: View, job: int) -> None:
    """One of its requests has no waiting container any longer."""
    waiting = 0
    for request in range(v.job_first_request[job], v.job_first_request[job + 1]):
        waiting += v.request_waiting[request]
    if v.job_is_pending[job] == 1 and waiting == 0:
        user = v.job_user[job]
        v.job_is_pending[job] = 0
        v.user_pending_jobs[user] -= 1
        if v.user_pending_jobs[user] == 0:
            v.queue_active_users[queue_of(v, user)] -= 1
            count_active(v, user, 0)


def count_jobs(v: View, job: int, held_back: int, active: int) -> None:
    """So many more (fewer when negative) of the jobs of the job's user are held back, and so many are
    active.
    """
    queue, user = v.job_queue[job], v.job_user[job]
    was_waiting = has_none_active(v, user)
    v.user_held_back_jobs[user] += held_back
    v.user_active_jobs[user] += active
    v.queue_waiting_users[queue] += has_none_active(v, user) - was_waiting


def has_none_active(v: View, user: int) -> int:
    """1 for one with jobs none of which may start, else 0."""
    return int(v.user_held_back_jobs[user] > 0 and v.user_active_jobs[user] == 0)


def count_active(v: View, user: int, is_active: int) -> None:
    """A user counts among the active users, who want more (1), or not (0)."""
    queue, change = queue_of(v, user), is_active - v.user_is_counted_active[user]
    v.user_is_counted_active[user] = is_active
    v.queue_counted_active_users[queue] += change
    add(v.queue_active_users_resource, queue, v.user_used_resource, user, change)
    v.queue_user_is_stale[queue] = 1


def forget_user(v: View, job: int) -> None:
    """A job has left. A user with no other job but such as may not run yet is forgotten there: though they
    want more, they do not share until they have wanted nothing once (UsersManager.removeUser), and a limit
    that is known stays."""
    user = v.job_user[job]
    if (
        v.limits_users == 1
        and v.user_active_jobs[user] + v.user_held_back_jobs[user] == 0
        and v.user_is_counted_active[user] == 1
    ):
        stale = v.queue_user_is_stale[queue_of(v, user)]
        count_active(v, user, 0)
        v.queue_user_is_stale[queue_of(v, user)] = stale


def queue_of(v: View, user: int) -> int:
    return v.job_queue[user]


def count_masters(v: View, job: int, change: int) -> None:
    """Room of the job's master counts (1) or no longer (-1) for its queue and user."""
    queue, user = v.job_queue[job], v.job_user[job]
    if v.job_startup[job] >= 0:
        master = times(am_resource(v, job), change)
        add_amount(v.queue_masters_resource, queue, master)
        add_amount(v.user_masters_resource, user, master)
