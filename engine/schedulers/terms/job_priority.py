"""Dynamic job priority: the score of every waiting job, put before fifo, fair or capacity (DYNPRIO-1 to
DYNPRIO-3).

Paper      dynamic-priority Eq. 1, 2, Algorithm 1: p = (l - i) k1 + (Tr + Tw) / (Tr k2), the highest first; l
           jobs wait in the queue, this one is the i-th of them, has waited Tw since it arrived, runs for Tr
           by estimate (run_time_estimate.py) and has k2 splits
Ours       a job waits while any of its requests does, and keeps its score while it runs; the score orders the
           jobs inside a queue, whatever that queue's own policy, the base decides between queues; under fifo
           all jobs are one queue
Jobs       of MapReduce: estimates are of maps and reduces. Refuses applications of stages and demand
Knows      arrivals, waiting requests, input or number of maps, estimates
Ties       jobs in job order
Cost       one pass over the waiting requests, by the index (indexes/first_by_score.py) no further than a
           score can be higher, and one over the queues; the estimate once a job
"""

import math

from engine.schedulers.hadoop.queue_sharing import QUEUE_MEMORY
from engine.schedulers.policy import JOB, RUN, Parameter, StateArray, Term
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
    StateArray("estimated_jobs", RUN, "int64"),  # jobs before it have an estimate
    StateArray("max_split_share", RUN),  # of all these, the most that one split is of a job's splits
    StateArray("max_score_gain", RUN),  # and that a score grows in a millisecond
)


def score_waiting(view, k1, split_mb, by_queue):
    """Write the score of every waiting job, with its parts. by_queue: each leaf has a queue of its own."""
    estimate_arrived_jobs(view, split_mb)
    rank_waiting_jobs(view, by_queue)
    previous = -1
    for position in range(view.waiting_count):
        job = job_of(view, view.waiting_requests[position])
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
        job = job_of(view, view.waiting_requests[position])
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
        job = job_of(view, view.candidates[position])
        queue = view.job_queue[job] if by_queue else 0
        best = view.queue_best[queue]
        if best < 0 or view.score[job] > view.score[job_of(view, view.candidates[best])]:
            view.queue_best[queue] = position


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
