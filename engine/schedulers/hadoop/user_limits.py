"""How much one user of a leaf may hold under CapacityScheduler before nothing more is given (USER-1).

In Hadoop  UsersManager.computeUserLimit, AbstractLeafQueue.canAssignToUser
Active users (with pending requests) share what they hold together, and the minimum allocation, but each gets
min_user_limit_pct of the queue's guarantee, or of what its users hold when that is more; nobody gets more
than user_limit_factor times the guarantee. Numbers are floats where Hadoop's are.
Cost       constant, once after anything has changed there
"""

import math

import numpy as np

from engine.schedulers.hadoop.shares import is_less, larger, round_down, round_up, smaller


def guaranteed_capacity(view, queue):
    """(memory, vcores): whole MB and vcores."""
    return int(view.cluster_memory * view.queue_capacity[queue]), int(
        view.cluster_vcores * view.queue_capacity[queue]
    )


def max_capacity_of(view, queue):
    """(memory, vcores) of its maximum capacity: whole MB and vcores."""
    return int(view.cluster_memory * view.queue_max_capacity[queue]), int(
        view.cluster_vcores * view.queue_max_capacity[queue]
    )


def multiply_round_up(view, amount, part, step):
    """Part of an amount as the resource calculator in use rounds it, in whole minimum allocations
    (multiplyAndNormalizeUp).
    """
    return round_up(
        math.ceil(np.float32(amount * part)) if view.counts_vcores == 1 else int(amount * part + 0.5), step
    )


def even_share(amount, users):
    """A user's part, 0 without active users (ResourceCalculator.divideAndCeil)."""
    return math.ceil(np.float32(amount) / np.float32(users)) if users > 0 else 0


def compute_user_limit(view, queue):
    """Write queue_user_memory and queue_user_vcores anew if anything has changed."""
    if view.queue_user_is_stale[queue] == 0:
        return
    view.queue_user_is_stale[queue] = 0
    # only now and then (UsersManager.computeNumActiveUsersWithOnlyPendingApps)
    view.queue_held_back_users[queue] = view.queue_waiting_users[queue]
    guaranteed = guaranteed_capacity(view, queue)
    step_memory, step_vcores = view.min_allocation_memory, view.min_allocation_vcores
    guarantee = larger(view, guaranteed[0], guaranteed[1], step_memory, step_vcores)
    ratio = view.queue_user_ratio[queue]
    held_memory = multiply_round_up(view, view.cluster_memory, ratio, step_memory)
    held_vcores = multiply_round_up(view, view.cluster_vcores, ratio, step_vcores)
    if is_less(view, view.counts_vcores == 1, held_memory, held_vcores, guarantee[0], guarantee[1]):
        shared_memory, shared_vcores = guarantee
    else:
        shared_memory, shared_vcores = held_memory + step_memory, held_vcores + step_vcores
    users, min_percent = view.queue_counted_active_users[queue], view.queue_min_user_limit[queue]
    even_memory = even_share(view.queue_active_users_memory[queue] + step_memory, users)
    even_vcores = even_share(view.queue_active_users_vcores[queue] + step_vcores, users)
    memory, vcores = larger(
        view,
        even_memory,
        even_vcores,
        (math.floor(shared_memory * min_percent) + 99) // 100,
        (math.floor(shared_vcores * min_percent) + 99) // 100,
    )
    factor = float(np.float32(view.queue_user_limit_factor[queue]))
    if guaranteed[0] == 0 and guaranteed[1] == 0:
        max_memory, max_vcores = round_down(view, *max_capacity_of(view, queue))
    else:
        max_memory, max_vcores = math.floor(guarantee[0] * factor), math.floor(guarantee[1] * factor)
    memory, vcores = smaller(view, memory, vcores, max_memory, max_vcores)
    view.queue_user_memory[queue], view.queue_user_vcores[queue] = (
        round_up(memory, step_memory),
        round_up(vcores, step_vcores),
    )


def excess_over_limit(view, job):
    """(memory, vcores): what the job's user holds beyond the limit."""
    queue, user = view.job_queue[job], view.job_user[job]
    return view.user_used_memory[user] - view.queue_user_memory[queue], view.user_used_vcores[
        user
    ] - view.queue_user_vcores[queue]


def exceeds_user_limit(view, job, without_memory, without_vcores):
    """Does the job's user hold more than the limit, even without so much?"""
    queue, user = view.job_queue[job], view.job_user[job]
    memory, vcores = (
        view.user_used_memory[user] - without_memory,
        view.user_used_vcores[user] - without_vcores,
    )
    return is_less(
        view,
        view.counts_vcores == 1,
        view.queue_user_memory[queue],
        view.queue_user_vcores[queue],
        memory,
        vcores,
    )
