"""How long a job will run, where it does not say (dynamic-priority §4, EstimatingRunTime; formulas §6: both forms are ours).

First run   start-up, then for each iteration waves of maps, the whole shuffle of one reduce, waves of reduces; a wave is as many
            containers as the empty cluster holds; durations are the means of their distributions
Known job   mean over the newest 5 earlier runs h, scaled by input D: sum w T (D / D_h) / sum w, w = 1 / (1 + |D - D_h| / D)
            earlier runs: jobs of the same name but for a number at its end that had finished when this one arrived
"""

import math

from engine.schedulers.view import MAP, REDUCE, request_of

NEWEST = 5


def run_time(view, job, split_mb):
    """Estimated run time of a job in ms, at least 1: its own estimate_s, by its history, or as a first run. Cost: jobs + nodes."""
    if view.job_estimate[job] >= 0:
        return max(1.0, float(view.job_estimate[job]))
    known = by_history(view, job, split_mb)
    return max(1.0, known if known >= 0.0 else first_run(view, job))


def by_history(view, job, split_mb):
    """The weighted mean of the newest earlier runs, in ms; -1 without any."""
    own = input_of(view, job, split_mb)
    weights, times = 0.0, 0.0
    newer = -1
    for _ in range(NEWEST):
        run = newest_before(view, job, newer)
        if run < 0:
            break
        other = input_of(view, run, split_mb)
        weight = 1.0 / (1.0 + abs(own - other) / own)
        times += weight * (view.job_finish[run] - view.job_start[run]) * (own / other)
        weights += weight
        newer = run
    return times / weights if weights > 0.0 else -1.0


def newest_before(view, job, newer):
    """The run of the same family that finished last by the job's arrival, and before `newer` (-1: any); later in job order is newer."""
    found = -1
    for run in range(view.job_family[job], job):
        at = view.job_finish[run]
        if view.job_family[run] == view.job_family[job] and 0 <= at <= view.job_arrival[job]:
            earlier = newer < 0 or at < view.job_finish[newer] or (at == view.job_finish[newer] and run < newer)
            if earlier and (found < 0 or at >= view.job_finish[found]):
                found = run
    return found


def input_of(view, job, split_mb):
    """A job's input in MB, at least 1: as given, or a split a map."""
    return max(1.0, view.job_input[job] if view.job_input[job] >= 0.0 else view.job_maps[job] * split_mb)


def first_run(view, job):
    """By phases, in ms."""
    time = math.ceil(view.job_maps[job] / at_once(view, request_of(job, MAP))) * view.job_map_mean[job]
    if view.job_reduces[job] > 0:
        time = time + view.job_maps[job] * view.job_fetch[job]
        time = time + math.ceil(view.job_reduces[job] / at_once(view, request_of(job, REDUCE))) * view.job_reduce_mean[job]
    return max(view.job_startup[job], 0) + view.job_iterations[job] * time


def at_once(view, request):
    """How many containers of a request the empty cluster holds, at least 1."""
    found = 0
    for node in range(len(view.node_memory)):
        found += min(view.node_memory[node] // view.request_memory[request], view.node_vcores[node] // view.request_vcores[request])
    return max(1, found)
