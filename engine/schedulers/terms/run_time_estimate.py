"""How long a job will run, where it does not say (dynamic-priority §4, EstimatingRunTime; RUNTIME-1,
RUNTIME-2: both forms are ours).

First run   start-up, then for each iteration waves of maps, the whole shuffle of one reduce, waves of
            reduces; a wave is as many containers as the empty cluster holds; durations are the means of their
            distributions
Known job   mean over the newest 5 earlier runs h, scaled by input D: sum w T (D / D_h) / sum w, w = 1 / (1 +
            |D - D_h| / D) earlier runs: jobs of the same name but for a number at its end that had finished
            when this one arrived
"""

import math

from engine.schedulers.policy import RUN, StateArray
from engine.schedulers.view import KINDS, MAP, REDUCE, kind_of, request_of

MAX_RUNS = 5
RUN_TIME_MEMORY = (
    StateArray("newest_runs", RUN, "int64", size=MAX_RUNS),
    StateArray(
        "last_size_memory", RUN, "int64", size=len(KINDS)
    ),  # by kind of container the size last asked for
    StateArray("last_size_vcores", RUN, "int64", size=len(KINDS)),
    StateArray(
        "last_size_at_once", RUN, "int64", size=len(KINDS)
    ),  # and how many of it the empty cluster holds, 0 before it is asked
)


def run_time(view, job, split_mb):
    """Estimated run time of a job in ms, at least 1: its own estimate_s, by its history, or as a first run.
    Cost: jobs + nodes.
    """
    if view.job_estimate[job] >= 0:
        return max(1.0, float(view.job_estimate[job]))
    estimate = by_history(view, job, split_mb)
    return max(1.0, estimate if estimate >= 0.0 else first_run(view, job))


def by_history(view, job, split_mb):
    """The weighted mean of the newest earlier runs, in ms; -1 without any."""
    job_input = input_of(view, job, split_mb)
    weights, weighted_sum = 0.0, 0.0
    for place in range(list_newest(view, job)):
        run = view.newest_runs[place]
        run_input = input_of(view, run, split_mb)
        weight = 1.0 / (1.0 + abs(job_input - run_input) / job_input)
        weighted_sum += weight * (view.job_finish[run] - view.job_start[run]) * (job_input / run_input)
        weights += weight
    return weighted_sum / weights if weights > 0.0 else -1.0


def list_newest(view, job):
    """newest_runs: the runs of its family that had finished when it arrived, the last first, later in job
    order before earlier; how many, at most NEWEST.
    """
    count = 0
    for run in range(view.job_family[job], job):
        finish = view.job_finish[run]
        if view.job_family[run] != view.job_family[job] or finish < 0 or finish > view.job_arrival[job]:
            continue
        if view.job_start[run] < 0:  # refused
            continue
        place = count
        while place > 0 and finish >= view.job_finish[view.newest_runs[place - 1]]:
            if place < MAX_RUNS:
                view.newest_runs[place] = view.newest_runs[place - 1]
            place -= 1
        if place < MAX_RUNS:
            view.newest_runs[place] = run
            count = min(count + 1, MAX_RUNS)
    return count


def input_of(view, job, split_mb):
    """A job's input in MB, at least 1: as given, or a split a map."""
    return max(1.0, view.job_input[job] if view.job_input[job] >= 0.0 else view.job_maps[job] * split_mb)


def first_run(view, job):
    """By phases, in ms."""
    maps_at_once = cached_containers_at_once(view, request_of(view, job, MAP))
    time = math.ceil(view.job_maps[job] / maps_at_once) * view.job_map_mean[job]
    if view.job_reduces[job] > 0:
        time = time + view.job_maps[job] * view.job_fetch[job]
        reduces_at_once = cached_containers_at_once(view, request_of(view, job, REDUCE))
        time = time + math.ceil(view.job_reduces[job] / reduces_at_once) * view.job_reduce_mean[job]
    return max(view.job_startup[job], 0) + view.job_iterations[job] * time


def cached_containers_at_once(view, request):
    """As containers_at_once, which is asked once for jobs of one size after another."""
    kind, memory, vcores = kind_of(view, request), view.request_memory[request], view.request_vcores[request]
    if (
        view.last_size_at_once[kind] == 0
        or view.last_size_memory[kind] != memory
        or view.last_size_vcores[kind] != vcores
    ):
        view.last_size_memory[kind], view.last_size_vcores[kind], view.last_size_at_once[kind] = (
            memory,
            vcores,
            containers_at_once(view, memory, vcores),
        )
    return view.last_size_at_once[kind]


def containers_at_once(view, memory, vcores):
    """How many containers of a size the empty cluster holds, at least 1."""
    count = 0
    for node in range(len(view.node_memory)):
        count += min(view.node_memory[node] // memory, view.node_vcores[node] // vcores)
    return max(1, count)
