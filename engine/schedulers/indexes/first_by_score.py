"""The dynamic priorities' choice by one pass over what waits, no further than a score can be higher
(terms/job_priority.py).
"""

from engine.schedulers.hadoop.queue_sharing import choose_leaf
from engine.schedulers.policy import QUEUE, Index, StateArray
from engine.schedulers.terms.job_priority import estimate_arrived_jobs, score
from engine.schedulers.view import CAPACITY, FAIR, NONE, job_of

MARGIN = 1e-9  # of a bound on scores, for rounding
BEST_MEMORY = (
    StateArray("queue_score", QUEUE),  # of its best
    StateArray("queue_is_settled", QUEUE, "int64"),
)


def find_over_fifo(view, node, k1, split_mb):
    return view.candidates[0] if first_by_score(view, node, k1, split_mb, False) > 0 else NONE


def find_over_fair(view, node, k1, split_mb):
    leaves = first_by_score(view, node, k1, split_mb, True)
    return view.candidates[choose_leaf(FAIR, view)] if leaves > 0 else NONE


def find_over_capacity(view, node, k1, split_mb):
    leaves = first_by_score(view, node, k1, split_mb, True)
    return view.candidates[choose_leaf(CAPACITY, view)] if leaves > 0 else NONE


def first_by_score(view, node, k1, split_mb, by_queue):
    """As score_waiting and best_by_score, where a leaf's best alone becomes a candidate: how many leaves (or
    root alone) have one.

    A job's place counts against it, and nobody behind it has waited longer: so a leaf is settled once no
    score behind can be as high as its best.
    """
    estimate_arrived_jobs(view, split_mb)
    view.queue_best[:] = -1
    view.queue_demand[:] = 0
    view.queue_is_settled[:] = 0
    leaves, previous = 0, -1
    open_leaves = leaves_waiting(view, by_queue)
    for position in range(view.waiting_count):
        request = view.waiting_requests[position]
        job = job_of(view, request)
        queue = view.job_queue[job] if by_queue else 0
        if view.queue_is_settled[queue] == 1:
            continue
        waiting_jobs, waited = view.queue_waiting_jobs[queue], view.now - view.job_arrival[job]
        if job != previous:
            previous = job
            view.queue_demand[queue] += 1
            if view.queue_best[queue] >= 0:
                max_score = (
                    (waiting_jobs - view.queue_demand[queue]) * k1
                    + view.max_split_share[0]
                    + view.max_score_gain[0] * waited
                )
                if max_score + MARGIN * (1.0 + abs(max_score)) < view.queue_score[queue]:
                    view.queue_is_settled[queue] = 1
                    open_leaves -= 1
                    if open_leaves == 0:
                        break
                    continue
        if fits_node(view, node, request):
            job_score = score(
                waiting_jobs, view.queue_demand[queue], k1, view.run_time[job], waited, view.splits[job]
            )
            if view.queue_best[queue] < 0:
                view.queue_best[queue] = leaves
                leaves += 1
            elif job_score <= view.queue_score[queue]:
                continue
            view.candidates[view.queue_best[queue]] = request
            view.queue_score[queue] = job_score
    return leaves


def leaves_waiting(view, by_queue):
    """In how many leaves jobs wait; without queues all wait in root."""
    if not by_queue:
        return 1
    count = 0
    for queue in range(1, len(view.queue_parent)):
        count += view.queue_waiting_jobs[queue] > 0
    return count


def fits_node(view, node, request):
    """Does one container of it fit the node now?"""
    has_vcores = view.counts_vcores == 0 or view.request_vcores[request] <= view.node_free_vcores[node]
    return has_vcores and view.request_memory[request] <= view.node_free_memory[node]


FIFO_INDEX = Index(find_over_fifo, BEST_MEMORY)
FAIR_INDEX = Index(find_over_fair, BEST_MEMORY)
CAPACITY_INDEX = Index(find_over_capacity, BEST_MEMORY)
