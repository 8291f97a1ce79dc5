"""How much one user of a leaf may hold under CapacityScheduler before nothing more is given (USER-1).

In Hadoop  UsersManager.computeUserLimit, AbstractLeafQueue.canAssignToUser
Active users (with pending requests) share what they hold together, and the minimum allocation, but each gets
min_user_limit_pct of the queue's guarantee, or of what its users hold when that is more; nobody gets more
than user_limit_factor times the guarantee. Numbers are floats where Hadoop's are.
Cost       constant, once after anything has changed there
"""

import math

import numpy as np

from engine.resource_types import RESOURCE_COUNT, put
from engine.schedulers.amounts import THE_RUN
from engine.schedulers.hadoop.resources import (
    NOTHING,
    amount_of,
    is_less,
    larger,
    minus,
    of_cluster,
    plus,
    round_down,
    smaller,
    times,
)
from engine.schedulers.hadoop.shares import round_up


def guaranteed_capacity(view, queue):
    """In whole MB and vcores."""
    return times(of_cluster(view), view.queue_capacity[queue])


def max_capacity_of(view, queue):
    """Its maximum capacity in whole MB and vcores."""
    return times(of_cluster(view), view.queue_max_capacity[queue])


def multiply_round_up(view, amount, part):
    """Part of an amount as the resource calculator in use rounds it, in whole minimum allocations
    (multiplyAndNormalizeUp).
    """
    rounded = amount
    for resource in range(RESOURCE_COUNT):
        exact = amount[resource] * part
        whole = math.ceil(np.float32(exact)) if view.counts_vcores == 1 else int(exact + 0.5)
        rounded = put(rounded, resource, round_up(whole, view.min_allocation_resource[resource, THE_RUN]))
    return rounded


def even_share(amount, users):
    """A user's part, 0 without active users (ResourceCalculator.divideAndCeil)."""
    return math.ceil(np.float32(amount) / np.float32(users)) if users > 0 else 0


def compute_user_limit(view, queue):
    """Write queue_user_resource anew if anything has changed."""
    if view.queue_user_is_stale[queue] == 0:
        return
    view.queue_user_is_stale[queue] = 0
    # only now and then (UsersManager.computeNumActiveUsersWithOnlyPendingApps)
    view.queue_held_back_users[queue] = view.queue_waiting_users[queue]
    guaranteed, step = guaranteed_capacity(view, queue), amount_of(view.min_allocation_resource, THE_RUN)
    guarantee = larger(view, guaranteed, step)
    held = multiply_round_up(view, of_cluster(view), view.queue_user_ratio[queue])
    shared = guarantee if is_less(view, held, guarantee) else plus(held, step)
    users, min_percent = view.queue_counted_active_users[queue], view.queue_min_user_limit[queue]
    even, least = NOTHING, NOTHING
    for resource in range(RESOURCE_COUNT):
        active = view.queue_active_users_resource[resource, queue]
        even = put(even, resource, even_share(active + step[resource], users))
        least = put(least, resource, (math.floor(shared[resource] * min_percent) + 99) // 100)
    factor = float(np.float32(view.queue_user_limit_factor[queue]))
    most = guarantee
    if guaranteed == NOTHING:
        most = round_down(view, max_capacity_of(view, queue))
    else:
        for resource in range(RESOURCE_COUNT):
            most = put(most, resource, math.floor(guarantee[resource] * factor))
    limit = smaller(view, larger(view, even, least), most)
    for resource in range(RESOURCE_COUNT):
        view.queue_user_resource[resource, queue] = round_up(limit[resource], step[resource])


def excess_over_limit(view, job):
    """What the job's user holds beyond the limit."""
    queue, user = view.job_queue[job], view.job_user[job]
    return minus(amount_of(view.user_used_resource, user), amount_of(view.queue_user_resource, queue))


def exceeds_user_limit(view, job, without):
    """Does the job's user hold more than the limit, even without so much?"""
    queue, user = view.job_queue[job], view.job_user[job]
    held = minus(amount_of(view.user_used_resource, user), without)
    return is_less(view, amount_of(view.queue_user_resource, queue), held)
