"""AM limit: a queue's masters, and a user's in it, may hold no more than a part of what the queue has
(ADMISSION-3).

In Hadoop  CapacityScheduler maximum-am-resource-percent (0.1, or the leaf's own),
           AbstractLeafQueue.activateApplications: of the queue's guarantee, or of its limit when it was last
           asked if that is more; a user's of the guarantee alone, times user_limit_factor and the larger of
           min_user_limit_pct and an even share; a queue's first master always starts. A leaf's jobs are
           looked at when one of them comes or leaves; who exceeds a limit is passed over, and a master counts
           from then until its job has left
Ours       an order other than capacity asks no queue: the limit of one is then its maximum capacity
Knows      what masters hold, guarantees and limits of queues, how many users want more
Cost       constant
"""

import numpy as np

from engine.schedulers.hadoop.capacity_reservation import exceeds
from engine.schedulers.hadoop.shares import smaller
from engine.schedulers.hadoop.user_limits import guaranteed_capacity, multiply_round_up
from engine.schedulers.policy import ACTIVATE, ADMISSION, RUN, Masters, Parameter, Policy, Term
from engine.schedulers.terms.masters import am_resource, am_share_of
from engine.schedulers.view import ADMIT, HOLD, NO_AM_LIMIT


def may_start(view, job, limit):
    queue, user = view.job_queue[job], view.job_user[job]
    master_memory, master_vcores = am_resource(view, job)
    am_share = am_share_of(view, queue, limit)
    part = np.float32(am_share)
    view.masters_memory[0], view.masters_vcores[0] = (
        view.queue_masters_memory[queue],
        view.queue_masters_vcores[queue],
    )
    view.of_user_memory[0], view.of_user_vcores[0] = (
        view.user_masters_memory[user],
        view.user_masters_vcores[user],
    )
    memory, vcores = queue_am_limit(view, queue, part)
    view.most_memory[0], view.most_vcores[0] = memory, vcores
    if am_share == NO_AM_LIMIT:
        return ADMIT
    if view.masters_memory[0] == 0 and (view.counts_vcores == 0 or view.masters_vcores[0] == 0):
        return ADMIT
    if exceeds(
        view, view.masters_memory[0] + master_memory, view.masters_vcores[0] + master_vcores, memory, vcores
    ):
        return HOLD
    memory, vcores = user_am_limit(view, queue, part, memory, vcores)
    if exceeds(
        view, view.of_user_memory[0] + master_memory, view.of_user_vcores[0] + master_vcores, memory, vcores
    ):
        return HOLD
    return ADMIT


def queue_am_limit(view, queue, part):
    """(memory, vcores): of the queue's masters."""
    memory, vcores = guaranteed_capacity(view, queue)
    if not exceeds(view, memory, vcores, view.queue_limit_memory[queue], view.queue_limit_vcores[queue]):
        memory, vcores = view.queue_limit_memory[queue], view.queue_limit_vcores[queue]
    return multiply_round_up(view, memory, float(part), view.min_allocation_memory), multiply_round_up(
        view, vcores, float(part), view.min_allocation_vcores
    )


def user_am_limit(view, queue, part, queue_limit_memory, queue_limit_vcores):
    """(memory, vcores): of the masters of one of its users."""
    memory, vcores = guaranteed_capacity(view, queue)
    users = max(view.queue_active_users[queue] + view.queue_held_back_users[queue], 1)
    even_share = min(
        max(
            np.float32(view.queue_min_user_limit[queue]) / np.float32(100.0),
            np.float32(1.0) / np.float32(users),
        ),
        np.float32(1.0),
    )
    user_share = float(
        np.float32(np.float32(part * even_share) * np.float32(view.queue_user_limit_factor[queue]))
    )
    memory, vcores = (
        multiply_round_up(view, memory, user_share, view.min_allocation_memory),
        multiply_round_up(view, vcores, user_share, view.min_allocation_vcores),
    )
    return smaller(view, memory, vcores, queue_limit_memory, queue_limit_vcores)


AM_LIMIT = Policy(
    "am-limit",
    "AM limit",
    ADMISSION,
    may_start,
    "Hadoop CapacityScheduler, maximum-am-resource-percent",
    (
        Parameter(
            "limit",
            0.1,
            "maximum part of a queue for its ApplicationMasters",
            "Hadoop CapacityScheduler, maximum-am-resource-percent",
            low=0,
            high=1,
        ),
    ),
    rule=(
        "with it the ApplicationMasters of its queue and of its user stay within their limits, or there were "
        "none"
    ),
    masters=Masters(overtaking=ACTIVATE),
    facts=(
        Term(
            "masters_memory",
            "Masters' memory",
            RUN,
            "Of the queue's masters, before this one.",
            "MB",
            strip="memory",
        ),
        Term(
            "masters_vcores",
            "Masters' vcores",
            RUN,
            "Of the queue's masters, before this one.",
            "vcores",
            strip="vcores",
        ),
        Term(
            "of_user_memory",
            "User's masters' memory",
            RUN,
            "Of the user's masters in the queue, before this one.",
            "MB",
        ),
        Term(
            "of_user_vcores",
            "User's masters' vcores",
            RUN,
            "Of the user's masters in the queue, before this one.",
            "vcores",
        ),
        Term("most_memory", "Limit of memory", RUN, "Of the queue's masters.", "MB"),
        Term("most_vcores", "Limit of vcores", RUN, "Of the queue's masters.", "vcores"),
    ),
)
