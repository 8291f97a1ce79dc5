"""How much one user of a leaf may hold under CapacityScheduler before nothing more is given.

In Hadoop  UsersManager.computeUserLimit, AbstractLeafQueue.canAssignToUser
Those who want more share what they hold together, and the minimum allocation, but each gets min_user_limit_pct of the queue's guarantee, or of what its
users hold when that is more; nobody gets more than user_limit_factor times the guarantee. Numbers are floats where Hadoop's are.
Cost       constant, once after anything has changed there
"""

import math

import numpy as np

from engine.schedulers.terms.shares import down_to_least, is_less, larger, smaller, up_to_least


def guarantee_of(view, queue):
    """(memory, vcores): whole MB and vcores."""
    return int(view.cluster_memory[0] * view.queue_capacity[queue]), int(view.cluster_vcores[0] * view.queue_capacity[queue])


def maximum_of(view, queue):
    """(memory, vcores) of its maximum capacity: whole MB and vcores."""
    return int(view.cluster_memory[0] * view.queue_max_capacity[queue]), int(view.cluster_vcores[0] * view.queue_max_capacity[queue])


def rounded_up(view, amount, part, least):
    """Part of an amount as the resource calculator in use rounds it, in whole minimum allocations (multiplyAndNormalizeUp)."""
    return up_to_least(math.ceil(np.float32(amount * part)) if view.counts_vcores[0] == 1 else int(amount * part + 0.5), least)


def shared(amount, users):
    """A user's part, 0 when nobody wants more (ResourceCalculator.divideAndCeil)."""
    return math.ceil(np.float32(amount) / np.float32(users)) if users > 0 else 0


def limit_user(view, queue):
    """Write queue_user_memory and queue_user_vcores anew if anything has changed."""
    if view.queue_user_is_stale[queue] == 0:
        return
    view.queue_user_is_stale[queue] = 0
    view.queue_held_back_users[queue] = view.queue_waiting_users[queue]  # only now and then (UsersManager.computeNumActiveUsersWithOnlyPendingApps)
    guaranteed = guarantee_of(view, queue)
    least_memory, least_vcores = view.least_memory[0], view.least_vcores[0]
    own = larger(view, guaranteed[0], guaranteed[1], least_memory, least_vcores)
    ratio = view.queue_user_ratio[queue]
    held_memory = rounded_up(view, view.cluster_memory[0], ratio, least_memory)
    held_vcores = rounded_up(view, view.cluster_vcores[0], ratio, least_vcores)
    if is_less(view, view.counts_vcores[0] == 1, held_memory, held_vcores, own[0], own[1]):
        now_memory, now_vcores = own
    else:
        now_memory, now_vcores = held_memory + least_memory, held_vcores + least_vcores
    users, least = view.queue_sharing_users[queue], view.queue_min_user_limit[queue]
    even_memory = shared(view.queue_wanting_memory[queue] + least_memory, users)
    even_vcores = shared(view.queue_wanting_vcores[queue] + least_vcores, users)
    memory, vcores = larger(view, even_memory, even_vcores, (now_memory * least + 99) // 100, (now_vcores * least + 99) // 100)
    factor = float(np.float32(view.queue_user_limit_factor[queue]))
    if guaranteed[0] == 0 and guaranteed[1] == 0:
        most_memory, most_vcores = down_to_least(view, *maximum_of(view, queue))
    else:
        most_memory, most_vcores = math.floor(own[0] * factor), math.floor(own[1] * factor)
    memory, vcores = smaller(view, memory, vcores, most_memory, most_vcores)
    view.queue_user_memory[queue], view.queue_user_vcores[queue] = up_to_least(memory, least_memory), up_to_least(vcores, least_vcores)


def over_limit(view, job):
    """(memory, vcores): what the job's user holds beyond the limit."""
    queue, user = view.job_queue[job], view.job_user[job]
    return view.user_used_memory[user] - view.queue_user_memory[queue], view.user_used_vcores[user] - view.queue_user_vcores[queue]


def is_over(view, job, without_memory, without_vcores):
    """Does the job's user hold more than the limit, even without so much?"""
    queue, user = view.job_queue[job], view.job_user[job]
    memory, vcores = view.user_used_memory[user] - without_memory, view.user_used_vcores[user] - without_vcores
    return is_less(view, view.counts_vcores[0] == 1, view.queue_user_memory[queue], view.queue_user_vcores[queue], memory, vcores)
