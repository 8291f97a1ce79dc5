"""Dynamic job priority: the score of every waiting job, put before fifo, fair or capacity (DYNPRIO-1 to
DYNPRIO-3).

Paper      dynamic-priority Eq. 1, 2, Algorithm 1: p = (l - i) k1 + (Tr + Tw) / (Tr k2), the highest first; l
           jobs wait in the queue, this one is the i-th of them, has waited Tw since it arrived, runs for Tr
           by estimate (run_time_estimate.py) and has k2 splits
Ours       a job waits while any of its requests does, and keeps its score while it runs; the score orders the
           jobs inside a queue, whatever that queue's own policy, the base decides between queues; under fifo
           all jobs are one queue
Knows      arrivals, waiting requests, input or number of maps, estimates
Ties       jobs in job order
Cost       one pass over the waiting requests, no further than a score can be higher where candidates are not
           listed, and one over the queues; the estimate once a job
"""

import math

from engine.schedulers.policy import JOB, QUEUE, RUN, Parameter, StateArray, Term
from engine.schedulers.terms.queue_sharing import QUEUE_MEMORY
from engine.schedulers.terms.run_time_estimate import RUN_TIME_MEMORY, run_time
from engine.schedulers.view import job_of

K1 = Parameter(
    "k1", 0.3, "weight of the place in the queue", "dynamic-priority Algorithm 1", low=0, high=1000
)
SPLIT_MB = Parameter(
    "split_mb", 128.0, "size of a split", "dynamic-priority Algorithm 1", low=0.001, high=1e9
)
SCORE_MEMORY = (
    *QUEUE_MEMORY,  # queue_demand: how many jobs wait in each queue, or were met there
    *RUN_TIME_MEMORY,
    StateArray("queue_score", QUEUE),  # of its best
    StateArray("queue_is_settled", QUEUE, "int64"),
    StateArray("estimated_jobs", RUN, "int64"),  # jobs before it have an estimate
    StateArray("max_split_share", RUN),  # of all these, the most that one split is of a job's splits
    StateArray("max_score_gain", RUN),  # and that a score grows in a millisecond
)
MARGIN = 1e-9  # of a bound on scores, for rounding


def score_waiting(view, k1, split_mb, by_queue):
    """Write the score of every waiting job, with its parts. by_queue: each leaf has a queue of its own."""
    estimate_arrived_jobs(view, split_mb)
    rank_waiting_jobs(view, by_queue)
    previous = -1
    for position in range(view.waiting_count):
        job = job_of(view.waiting_requests[position])
        if job != previous:
            previous = job
            view.waiting_jobs[job] = view.queue_demand[view.job_queue[job] if by_queue else 0]
            view.waited[job] = view.now - view.job_arrival[job]
            view.score[job] = score(
                view.waiting_jobs[job],
                view.place[job],
                k1,
                view.run_time[job],
                view.waited[job],
                view.splits[job],
            )


def rank_waiting_jobs(view, by_queue):
    """Each waiting job's place in its queue, from 1; how many wait there is left in queue_demand."""
    view.queue_demand[:] = 0
    previous = -1
    for position in range(view.waiting_count):
        job = job_of(view.waiting_requests[position])
        if job != previous:
            previous = job
            queue = view.job_queue[job] if by_queue else 0
            view.queue_demand[queue] += 1
            view.place[job] = view.queue_demand[queue]


def score(waiting_jobs, place, k1, run_time, waited, splits):
    """dynamic-priority Eq. 1; run and waited in the same unit."""
    return (waiting_jobs - place) * k1 + (run_time + waited) / (run_time * splits)


def splits(input_mb, maps, split_mb):
    """k2 = ceil(input / split), at least 1, or the number of maps where the input is not given (-1)."""
    return float(maps) if input_mb < 0.0 else max(1.0, math.ceil(input_mb / split_mb))


def best_by_score(view, count, by_queue):
    """queue_best = for each leaf (or for root, 0, alone) the position of the candidate whose job has the
    highest score, -1 without any.
    """
    view.queue_best[:] = -1
    for position in range(count):
        job = job_of(view.candidates[position])
        queue = view.job_queue[job] if by_queue else 0
        best = view.queue_best[queue]
        if best < 0 or view.score[job] > view.score[job_of(view.candidates[best])]:
            view.queue_best[queue] = position


def first_by_score(view, node, k1, split_mb, by_queue):
    """As score_waiting and best_by_score where candidates are not listed: how many leaves (or root alone)
    have a candidate.

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
        job = job_of(request)
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


def estimate_arrived_jobs(view, split_mb):
    """Of every job that has arrived since, once."""
    job = view.estimated_jobs[0]
    while job < len(view.job_arrival) and view.job_arrival[job] <= view.now:
        view.run_time[job] = run_time(view, job, split_mb)
        view.splits[job] = splits(view.job_input[job], view.job_maps[job], split_mb)
        view.max_split_share[0] = max(view.max_split_share[0], 1.0 / view.splits[job])
        view.max_score_gain[0] = max(view.max_score_gain[0], 1.0 / (view.run_time[job] * view.splits[job]))
        job += 1
    view.estimated_jobs[0] = job


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


def put_first(view, position):
    """The choice comes first of what was not listed."""
    view.candidates[0] = view.candidates[position]
    return 0


SCORE_TERMS = (
    Term(
        "score",
        "Score",
        JOB,
        "(waiting - place) x k1 + (run time + waited) / (run time x splits); the highest goes first.",
        direction=1,
        strip="score",
    ),
    Term("waiting_jobs", "Jobs waiting", JOB, "In its queue, with requests not served yet.", "jobs"),
    Term("place", "Place", JOB, "The job's place among them, by arrival."),
    Term("waited", "Waited", JOB, "Since the job arrived.", "ms"),
    Term("run_time", "Estimated run time", JOB, "As given, by earlier runs, or by phases.", "ms"),
    Term("splits", "Splits", JOB, "Of its input; the more, the less its waiting counts.", "splits"),
)
