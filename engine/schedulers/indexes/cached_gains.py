"""batch-finish's and omo's choice by cached scores (cached_scores.py): what its job gains, of a map; how
little its job holds for its weight; how few containers it holds, of a reduce. Where queues have to be
chosen between, candidates are listed.
"""

from engine.schedulers.hadoop.queue_sharing import leaf_policy, rank_changed_jobs
from engine.schedulers.indexes.cached_scores import (
    NOTHING,
    ensure_scores,
    first_with_best_score,
    score_arrays,
    update_score,
)
from engine.schedulers.policy import RUN, Index, StateArray
from engine.schedulers.terms.batch_gain import ALL, BATCH_OFF, gain_of
from engine.schedulers.terms.holdings import containers_held
from engine.schedulers.view import DRF, FAIR, MAP, NONE, REDUCE, UNDECIDED, kind_of, request_of

SHARE, GAIN, FEWEST_HELD = range(3)  # kept scores


def find_batch(view, node, candidates):
    if not keep_gains(view, candidates == ALL):
        return UNDECIDED
    request = first_with_best_score(view, GAIN, node, MAP)
    return request if request != NONE else first_with_best_score(view, SHARE, node, NONE)


def find_omo(view, node, batch):
    if not keep_gains(view, False):
        return UNDECIDED
    for place in range(1, view.changed[0] + 1):
        request = request_of(view, view.changed[place], REDUCE)
        held = -float(containers_held(view, view.changed[place]))
        update_score(view, FEWEST_HELD, request, held if view.request_waiting[request] > 0 else NOTHING)
    request = first_with_best_score(view, FEWEST_HELD, node, REDUCE)
    if request == NONE and batch != BATCH_OFF:
        request = first_with_best_score(view, GAIN, node, MAP)
    return request if request != NONE else first_with_best_score(view, SHARE, node, NONE)


def keep_gains(view, all_jobs):
    """Are gains, and how little jobs hold for their weight, kept for this decision?"""
    if (
        len(view.queue_parent) > 2
        or leaf_policy(FAIR, view.queue_policy[1]) == DRF
        or not ensure_scores(view)
    ):
        return False
    rank_changed_jobs(FAIR, view, True)
    for place in range(1, view.changed[0] + 1):
        update_job(view, view.changed[place], all_jobs)
    averages_changed = (
        view.cached_frequency[0] != view.release_frequency[0] or view.cached_available[0] != view.available[0]
    )
    if averages_changed or view.cached_running[0] != view.running_jobs[0]:
        view.cached_frequency[0], view.cached_available[0], view.cached_running[0] = (
            view.release_frequency[0],
            view.available[0],
            view.running_jobs[0],
        )
        for place in range(view.waiting_count):
            if kind_of(view, view.waiting_requests[place]) == MAP:
                update_gain(view, view.waiting_requests[place], all_jobs)
    return True


def update_job(view, job, all_jobs):
    """A job's requests: what it holds for its weight, nothing where the first in job order goes first, and
    the gain of its maps.
    """
    share = view.share[job] if leaf_policy(FAIR, view.queue_policy[1]) == FAIR else 0.0
    for request in range(view.job_first_request[job], view.job_first_request[job + 1]):
        update_score(view, SHARE, request, -share if view.request_waiting[request] > 0 else NOTHING)
    update_gain(view, request_of(view, job, MAP), all_jobs)


def update_gain(view, request, all_jobs):
    """The gain of a map, NOTHING where it does not wait or there is none."""
    gain = gain_of(view, request, all_jobs) if view.request_waiting[request] > 0 else 0.0
    update_score(view, GAIN, request, gain if gain > 0.0 else NOTHING)


GAIN_MEMORY = (
    StateArray("cached_frequency", RUN),  # for which gains are kept
    StateArray("cached_available", RUN),
    StateArray("cached_running", RUN, "int64"),
)
BATCH_INDEX = Index(find_batch, (*GAIN_MEMORY, *score_arrays(2)), keeps_scores=True)
OMO_INDEX = Index(find_omo, (*GAIN_MEMORY, *score_arrays(3)), keeps_scores=True)
