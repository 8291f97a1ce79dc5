"""Dynamic job priority: the score of every waiting job, put before fifo, fair or capacity.

Paper      dynamic-priority Eq. 1, 2, Algorithm 1: p = (l - i) k1 + (Tr + Tw) / (Tr k2), the highest first; l jobs wait in the queue,
           this one is the i-th of them, has waited Tw since it arrived, runs for Tr by estimate (estimate.py) and has k2 splits
Ours       a job waits while any of its requests does, and keeps its score while it runs; the score orders the jobs inside a queue,
           whatever that queue's own policy, the base decides between queues; under fifo all jobs are one queue
Knows      arrivals, waiting requests, input or number of maps, estimates
Ties       jobs in job order
Cost       one pass over the waiting requests and one over the queues; the estimate once a job
"""

import math

from engine.policies.order.estimate import run_time
from engine.policies.policy import JOBS, Parameter, Term
from engine.view import KINDS

SCORE, WAITERS, PLACE, WAITED, RUN_TIME, SPLITS = range(6)  # rows of job_notes
ROWS = SPLITS + 1
K1 = Parameter("k1", 0.3, "weight of the place in the queue", "dynamic-priority Algorithm 1", low=0, high=1000)
SPLIT_MB = Parameter("split_mb", 128.0, "size of a split", "dynamic-priority Algorithm 1", low=0.001, high=1e9)


def score_waiting(view, parameters, by_queue):
    """Write the score of every waiting job, with its parts, into job_notes. by_queue: each leaf has a queue of its own."""
    jobs, notes = len(view.job_arrival), view.job_notes
    view.queue_demand[:] = 0  # how many wait in each leaf, as far as they were met
    before = -1
    for place in range(view.waiting_count[0]):
        job = view.waiting[place] // KINDS
        if job != before:
            before = job
            queue = view.job_queue[job] if by_queue else 0
            view.queue_demand[queue] += 1
            notes[PLACE * jobs + job] = view.queue_demand[queue]
    before = -1
    for place in range(view.waiting_count[0]):
        job = view.waiting[place] // KINDS
        if job != before:
            before = job
            if notes[RUN_TIME * jobs + job] == 0.0:
                notes[RUN_TIME * jobs + job] = run_time(view, job, parameters[1])
                notes[SPLITS * jobs + job] = splits(view.job_input[job], view.job_maps[job], parameters[1])
            notes[WAITERS * jobs + job] = view.queue_demand[view.job_queue[job] if by_queue else 0]
            notes[WAITED * jobs + job] = view.now[0] - view.job_arrival[job]
            notes[SCORE * jobs + job] = score(
                notes[WAITERS * jobs + job], notes[PLACE * jobs + job], parameters[0],
                notes[RUN_TIME * jobs + job], notes[WAITED * jobs + job], notes[SPLITS * jobs + job],
            )  # fmt: skip


def score(waiters, place, k1, run, waited, splits):
    """dynamic-priority Eq. 1; run and waited in the same unit."""
    return (waiters - place) * k1 + (run + waited) / (run * splits)


def splits(input_mb, maps, split_mb):
    """k2 = ceil(input / split), at least 1, or the number of maps where the input is not given (-1)."""
    return float(maps) if input_mb < 0.0 else max(1.0, math.ceil(input_mb / split_mb))


def best_by_score(view, count, by_queue):
    """queue_best = for each leaf (or for root, 0, alone) the position of the candidate whose job has the highest score, -1 without any."""
    view.queue_best[:] = -1
    for position in range(count):
        job = view.candidates[position] // KINDS
        queue = view.job_queue[job] if by_queue else 0
        best = view.queue_best[queue]
        if best < 0 or view.job_notes[job] > view.job_notes[view.candidates[best] // KINDS]:
            view.queue_best[queue] = position


SCORE_TERMS = (
    Term("score", "Score", JOBS, SCORE, "(waiting - place) x k1 + (run time + waited) / (run time x splits); the highest goes first.", sense=1, strip="score"),
    Term("waiting_jobs", "Jobs waiting", JOBS, WAITERS, "In its queue, with requests not served yet.", "jobs"),
    Term("place", "Place", JOBS, PLACE, "The job's place among them, by arrival."),
    Term("waited", "Waited", JOBS, WAITED, "Since the job arrived.", "ms"),
    Term("run_time", "Estimated run time", JOBS, RUN_TIME, "As given, by earlier runs, or by phases.", "ms"),
    Term("splits", "Splits", JOBS, SPLITS, "Of its input; the more, the less its waiting counts.", "splits"),
)
