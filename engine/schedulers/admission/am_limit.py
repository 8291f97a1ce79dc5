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

from engine.resource_types import MEMORY, VCORES
from engine.schedulers.hadoop.resources import amount_of, is_any_above_zero, is_within, plus, smaller
from engine.schedulers.hadoop.user_limits import guaranteed_capacity, multiply_round_up
from engine.schedulers.policy import ACTIVATE, ADMISSION, RUN, Masters, Parameter, Policy, Term
from engine.schedulers.terms.masters import am_resource, am_share_of
from engine.schedulers.view import ADMIT, HOLD, NO_AM_LIMIT


def may_start(view, job, limit):
    queue, user = view.job_queue[job], view.job_user[job]
    master, counts = am_resource(view, job), view.counts_vcores
    am_share = am_share_of(view, queue, limit)
    part = np.float32(am_share)
    masters, of_user = (
        amount_of(view.queue_masters_resource, queue),
        amount_of(view.user_masters_resource, user),
    )
    most = queue_am_limit(view, queue, part)
    tell(view, masters, of_user, most)
    if am_share == NO_AM_LIMIT or not is_any_above_zero(counts, masters):
        return ADMIT
    if not is_within(counts, plus(masters, master), most):
        return HOLD
    of_one = user_am_limit(view, queue, part, most)
    return ADMIT if is_within(counts, plus(of_user, master), of_one) else HOLD


def tell(view, masters, of_user, most):
    """The facts, of memory and vcores."""
    view.masters_memory[0], view.masters_vcores[0] = masters[MEMORY], masters[VCORES]
    view.of_user_memory[0], view.of_user_vcores[0] = of_user[MEMORY], of_user[VCORES]
    view.most_memory[0], view.most_vcores[0] = most[MEMORY], most[VCORES]


def queue_am_limit(view, queue, part):
    """Of the queue's masters."""
    whole, limit = guaranteed_capacity(view, queue), amount_of(view.queue_limit_resource, queue)
    if is_within(view.counts_vcores, whole, limit):
        whole = limit
    return multiply_round_up(view, whole, float(part))


def user_am_limit(view, queue, part, queue_limit):
    """Of the masters of one of its users."""
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
    of_one = multiply_round_up(view, guaranteed_capacity(view, queue), user_share)
    return smaller(view, of_one, queue_limit)


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
