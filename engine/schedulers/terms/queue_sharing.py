"""Choosing down the queue tree: what fair, drf, capacity and the orders built on them have in common.

In Hadoop  FSParentQueue and FSLeafQueue.assignContainer; AbstractParentQueue and AbstractLeafQueue
Each leaf ranks its jobs, each parent its children. Jobs tie in job order, queues by name, under capacity in the file's order.
What a job's rank is made of lies in job_notes, a queue's in queue_keys, three numbers each (ranks.py).
Cost       one pass over the candidates and one over the queues
"""

from engine.policies.order.ranks import capacity_rank, compare, drf_rank, fair_rank
from engine.policies.policy import JOBS, QUEUES, Term
from engine.view import CAPACITY, FAIR, FIFO, KINDS, OWN

RANK = 3  # rows of job_notes, and numbers a queue in queue_keys
QUEUE_TERMS = (
    Term("queue_needy", "Queue needy", QUEUES, 0, "-1 for a queue below its minimum share: those go first.", sense=-1),
    Term("queue_first", "Queue's share", QUEUES, 1, "What the queue holds for its weight, minimum or guarantee; the least goes first.", sense=-1),
    Term("queue_second", "Queue's second share", QUEUES, 2, "Decides between equal shares; the least goes first.", sense=-1),
)


def rank_changed(own, view, by_leaf):
    """A job's rank depends on what it holds alone, so only those whose holdings changed are ranked anew. by_leaf: as its leaf's policy says."""
    jobs = len(view.job_arrival)
    for place in range(1, view.changed[0] + 1):
        job = view.changed[place]
        if (how_of(own, view.queue_policy[view.job_queue[job]]) if by_leaf else own) == FAIR:
            needy, first, second = fair_rank(view.job_used_memory[job], 0, 0, view.job_weight[job])
        else:
            needy, first, second = drf_rank(
                view.job_used_memory[job], view.job_used_vcores[job], view.cluster_memory[0], view.cluster_vcores[0],
                view.job_min_memory[job], view.job_min_vcores[job], view.job_weight[job],
            )  # fmt: skip
        view.job_notes[job] = needy
        view.job_notes[jobs + job] = first
        view.job_notes[2 * jobs + job] = second


def best_of_all(candidates, count, jobs, job_notes):
    """The position of the candidate whose job stands first: `compare`, with what is most often true asked first."""
    best = 0
    job = candidates[0] // KINDS
    best_needy, best_first, best_second = job_notes[job], job_notes[jobs + job], job_notes[2 * jobs + job]
    for position in range(1, count):
        job = candidates[position] // KINDS
        needy, first = job_notes[job], job_notes[jobs + job]
        if needy > best_needy:
            continue
        if needy == best_needy and (first > best_first or (not first < best_first and not job_notes[2 * jobs + job] < best_second)):
            continue
        best = position
        best_needy, best_first, best_second = needy, first, job_notes[2 * jobs + job]
    return best


def best_of_leaves(own, view, count):
    """queue_best = for each leaf the position of the candidate whose job stands first in it, -1 without any."""
    jobs = len(view.job_queue)
    candidates, job_notes = view.candidates, view.job_notes
    view.queue_best[:] = -1
    for position in range(count):
        job = candidates[position] // KINDS
        queue = view.job_queue[job]
        if view.queue_best[queue] < 0:
            view.queue_best[queue] = position
        elif how_of(own, view.queue_policy[queue]) != FIFO:
            rival = candidates[view.queue_best[queue]] // KINDS
            if compare(
                job_notes[job], job_notes[jobs + job], job_notes[2 * jobs + job], job_notes[rival], job_notes[jobs + rival], job_notes[2 * jobs + rival]
            ) < 0:  # fmt: skip
                view.queue_best[queue] = position


def how_of(own, policy):
    """How a leaf orders its jobs."""
    if policy == OWN:
        return FIFO if own == CAPACITY else own
    return policy


def rank_queue(how, view, queue, demand):
    """A queue's three numbers as its parent compares them, into queue_keys."""
    memory, vcores = view.queue_used_memory[queue], view.queue_used_vcores[queue]
    if how == CAPACITY:
        rank = capacity_rank(memory, vcores, view.cluster_memory[0], view.cluster_vcores[0], view.queue_capacity[queue], view.counts_vcores[0] == 1)
    elif how == FAIR:
        rank = fair_rank(memory, view.queue_min_memory[queue], demand, view.queue_weight[queue])
    else:
        rank = drf_rank(
            memory, vcores, view.cluster_memory[0], view.cluster_vcores[0],
            view.queue_min_memory[queue], view.queue_min_vcores[queue], view.queue_weight[queue],
        )  # fmt: skip
    view.queue_keys[RANK * queue], view.queue_keys[RANK * queue + 1], view.queue_keys[RANK * queue + 2] = rank


def stands_before(how, view, queue, rival):
    """Does a queue stand before a sibling that comes before it by name?"""
    k, r = RANK * queue, RANK * rival
    keys = view.queue_keys
    order = compare(keys[k], keys[k + 1], keys[k + 2], keys[r], keys[r + 1], keys[r + 2])
    return order < 0 or (order == 0.0 and how == CAPACITY and view.queue_in_file[queue] < view.queue_in_file[rival])


def down_the_tree(own, view):
    """The position of the candidate to serve, where queue_best holds each leaf's."""
    view.queue_demand[:] = view.queue_used_memory
    for queue in view.queue_bottom_up:
        view.queue_demand[queue] += view.queue_waiting_memory[queue]
    for place in range(len(view.queue_bottom_up) - 1):
        queue = view.queue_bottom_up[place]
        parent = view.queue_parent[queue]
        demand = min(view.queue_demand[queue], view.queue_max_memory[queue])
        view.queue_demand[parent] += demand - view.queue_used_memory[queue]
        if view.queue_best[queue] < 0:
            continue
        how = view.queue_policy[parent]
        if own == CAPACITY:
            how = CAPACITY
        elif how == OWN:
            how = own
        rank_queue(how, view, queue, demand)
        best = view.queue_best[parent]
        first = best < 0
        if not first:
            rival = view.job_queue[view.candidates[best] // KINDS]
            while view.queue_parent[rival] != parent:
                rival = view.queue_parent[rival]
            first = stands_before(how, view, queue, rival)
        if first:
            view.queue_best[parent] = view.queue_best[queue]
    return view.queue_best[0]


def pick(own, view, count):
    """The position of the chosen candidate. own: FAIR, DRF or CAPACITY, what a queue without a policy of its own does."""
    rank_changed(own, view, True)
    if len(view.queue_parent) == 2:
        if how_of(own, view.queue_policy[1]) == FIFO:
            return 0
        return best_of_all(view.candidates, count, len(view.job_queue), view.job_notes)
    best_of_leaves(own, view, count)
    return down_the_tree(own, view)


def rank_terms(share, about, unit=""):
    """The three numbers a job's rank is made of; share, unit: of the first ratio."""
    return (
        Term("needy", "Needy", JOBS, 0, "-1 for a job below its minimum share: those go first.", sense=-1, shared=True),
        Term("share", share, JOBS, 1, about, unit, sense=-1, shared=True),
        Term("second_share", "Second share", JOBS, 2, "Decides between equal shares; the least goes first.", sense=-1, shared=True),
        *QUEUE_TERMS,
    )
