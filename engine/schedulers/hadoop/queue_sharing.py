"""Choosing down the queue tree: what fair, drf, capacity and the orders built on them have in common
(QUEUE-1).

In Hadoop  FSParentQueue and FSLeafQueue.assignContainer; AbstractParentQueue and AbstractLeafQueue
Each leaf ranks its jobs, each parent its children. Jobs tie in job order, queues by name, under capacity in
the file's order. A rank is three numbers (hadoop/shares.py): a job's are needy, share and second_share, a
queue's queue_needy, queue_first and queue_second.
Cost       one pass over the candidates and one over the queues
"""

from engine.schedulers.hadoop.shares import capacity_rank, compare, drf_rank, fair_rank
from engine.schedulers.policy import JOB, QUEUE, StateArray, Term
from engine.schedulers.view import AS_POLICY, CAPACITY, FAIR, FIFO, ORDER_DEFAULT, job_of

QUEUE_TERMS = (
    Term(
        "queue_needy",
        "Queue needy",
        QUEUE,
        "-1 for a queue below its minimum share: those go first.",
        direction=-1,
    ),
    Term(
        "queue_first",
        "Queue's share",
        QUEUE,
        "What the queue holds for its weight, minimum or guarantee; the smallest goes first.",
        direction=-1,
    ),
    Term(
        "queue_second",
        "Queue's second share",
        QUEUE,
        "Decides between equal shares; the smallest goes first.",
        direction=-1,
    ),
)
QUEUE_MEMORY = (
    StateArray("queue_best", QUEUE, "int64"),  # the position of the candidate it would serve, -1 without any
    StateArray("queue_demand", QUEUE, "int64"),
)


def rank_changed_jobs(default, view, by_leaf):
    """A job's rank depends on what it holds alone, so only those whose holdings changed are ranked anew.
    by_leaf: as its leaf's policy says.
    """
    for position in range(1, view.changed[0] + 1):
        job = view.changed[position]
        if default == CAPACITY and view.queue_ordering[view.job_queue[job]] != AS_POLICY:
            continue  # hadoop/leaf_order.py
        needy, first, second = job_rank(
            view, leaf_policy(default, view.queue_policy[view.job_queue[job]]) if by_leaf else default, job
        )
        view.needy[job] = needy
        view.share[job] = first
        view.second_share[job] = second


def job_rank(view, policy, job):
    """By what it holds now, under FAIR or DRF."""
    if policy == FAIR:
        return fair_rank(view.job_used_memory[job], 0, 0, view.job_weight[job])
    return drf_rank(
        view.cluster_resource, view.job_used_resource, job, view.job_min_resource, job, view.job_weight[job]
    )


def pending_of(view, job, resource):
    """How much of one resource all its requests that wait are for."""
    pending = 0
    for request in range(view.job_first_request[job], view.job_first_request[job + 1]):
        pending += view.request_waiting[request] * view.request_resource[resource, request]
    return pending


def job_before(view, job, other):
    """Does a job come before one that is earlier in job order?"""
    order = compare(
        view.needy[job],
        view.share[job],
        view.second_share[job],
        view.needy[other],
        view.share[other],
        view.second_share[other],
    )
    return order < 0


def choose_job(view, count):
    """The position of the candidate whose job comes first: `job_before`, with what is most often true asked
    first.
    """
    candidates, request_job = view.candidates, view.request_job
    needy, share, second_share = view.needy, view.share, view.second_share
    best = 0
    job = request_job[candidates[0]]
    best_needy, best_share, best_second = needy[job], share[job], second_share[job]
    for position in range(1, count):
        job = request_job[candidates[position]]
        if needy[job] > best_needy:
            continue
        if needy[job] == best_needy and (
            share[job] > best_share or (not share[job] < best_share and not second_share[job] < best_second)
        ):
            continue
        best = position
        best_needy, best_share, best_second = needy[job], share[job], second_share[job]
    return best


def choose_in_leaves(default, view, count):
    """queue_best = for each leaf the position of the candidate whose job comes first in it, -1 without
    any.
    """
    view.queue_best[:] = -1
    for position in range(count):
        job = job_of(view, view.candidates[position])
        queue = view.job_queue[job]
        best = view.queue_best[queue]
        if best < 0 or (
            leaf_policy(default, view.queue_policy[queue]) != FIFO
            and job_before(view, job, job_of(view, view.candidates[best]))
        ):
            view.queue_best[queue] = position


def leaf_policy(default, policy):
    """How a leaf orders its jobs."""
    if policy == ORDER_DEFAULT:
        return FIFO if default == CAPACITY else default
    return policy


def rank_queue(policy, view, queue, demand):
    """A queue's three numbers as its parent compares them."""
    weight = view.queue_weight[queue]
    if policy == CAPACITY:
        rank = capacity_rank(view, queue)
    elif policy == FAIR:
        rank = fair_rank(view.queue_used_memory[queue], view.queue_min_memory[queue], demand, weight)
    else:
        held, min_shares = view.queue_used_resource, view.queue_min_resource
        rank = drf_rank(view.cluster_resource, held, queue, min_shares, queue, weight)
    view.queue_needy[queue], view.queue_first[queue], view.queue_second[queue] = rank


def queue_before(policy, view, queue, other):
    """Does a queue come before a sibling that comes before it by name?"""
    order = compare(
        view.queue_needy[queue], view.queue_first[queue], view.queue_second[queue],
        view.queue_needy[other], view.queue_first[other], view.queue_second[other],
    )  # fmt: skip
    return order < 0 or (
        order == 0.0 and policy == CAPACITY and view.queue_file_rank[queue] < view.queue_file_rank[other]
    )


def choose_leaf(default, view):
    """The position of the candidate to serve, where queue_best holds each leaf's."""
    view.queue_demand[:] = view.queue_used_memory
    for queue in view.queue_bottom_up:
        view.queue_demand[queue] += view.queue_waiting_memory[queue]
    for position in range(len(view.queue_bottom_up) - 1):
        queue = view.queue_bottom_up[position]
        parent = view.queue_parent[queue]
        demand = min(view.queue_demand[queue], view.queue_max_memory[queue])
        view.queue_demand[parent] += demand - view.queue_used_memory[queue]
        if view.update_interval > 0:
            demand = view.queue_demand_memory[queue]
        if view.queue_best[queue] < 0:
            continue
        policy = view.queue_policy[parent]
        if default == CAPACITY:
            policy = CAPACITY
        elif policy == ORDER_DEFAULT:
            policy = default
        rank_queue(policy, view, queue, demand)
        best = view.queue_best[parent]
        is_first = best < 0
        if not is_first:
            other = view.job_queue[job_of(view, view.candidates[best])]
            while view.queue_parent[other] != parent:
                other = view.queue_parent[other]
            is_first = queue_before(policy, view, queue, other)
        if is_first:
            view.queue_best[parent] = view.queue_best[queue]
    return view.queue_best[0]


def choose_by_share(default, view, count):
    """The position of the chosen candidate. default: FAIR or DRF, the policy of a queue without one of its
    own.
    """
    rank_changed_jobs(default, view, True)
    if len(view.queue_parent) == 2:
        if leaf_policy(default, view.queue_policy[1]) == FIFO:
            return 0
        return choose_job(view, count)
    choose_in_leaves(default, view, count)
    return choose_leaf(default, view)


def rank_terms(share, about, unit=""):
    """The three numbers a job's rank is made of, then a queue's; share, unit: of a job's first ratio."""
    return (
        Term(
            "needy",
            "Needy",
            JOB,
            "-1 for a job below its minimum share: those go first.",
            direction=-1,
            shared=True,
        ),
        Term("share", share, JOB, about, unit, direction=-1, shared=True),
        Term(
            "second_share",
            "Second share",
            JOB,
            "Decides between equal shares; the smallest goes first.",
            direction=-1,
            shared=True,
        ),
        *QUEUE_TERMS,
    )
