"""Which kind of container FRESH wants next: S Wm / (Wm + Wr) of the cluster's S containers for maps, within
[1, S - 1], W = containers waiting x mean time (FRESH-2, a stand-in).

Ours       S: containers of the largest size that fit the empty cluster, at least 2; a mean that is missing is
           the mean of the known, a reduce's else a map's, else 1
"""

from engine.schedulers.policy import RUN, StateArray, Term
from engine.schedulers.terms.run_time_estimate import containers_at_once
from engine.schedulers.view import MAP, MASTER, REDUCE, job_of, kind_of

WANTED_MEMORY = (StateArray("slots", RUN, "int64"),)  # S, 0 before it is counted
WANTED_FACTS = (
    Term("target", "Maps wanted", RUN, "Containers that maps should have now.", "containers", strip="maps"),
    Term(
        "maps_held",
        "Maps held",
        RUN,
        "Containers that maps have now; below the number wanted a map is next.",
        "containers",
        strip="maps",
    ),
    Term("map_work", "Map work", RUN, "Maps waiting times their mean time.", "ms", strip="work left"),
    Term(
        "reduce_work",
        "Reduce work",
        RUN,
        "Reduces waiting times their mean time.",
        "ms",
        strip="work left",
    ),
)


def count_slots(view):
    """S, counted once: containers of the largest task size that fit the empty cluster."""
    if view.slots[0] == 0:
        memory, vcores = 1, 1
        for request in range(len(view.request_memory)):
            if kind_of(view, request) != MASTER:
                memory = max(memory, view.request_memory[request])
                vcores = max(vcores, view.request_vcores[request])
        view.slots[0] = max(2, containers_at_once(view, memory, vcores))


def wanted_kind(view):
    """MAP or REDUCE: which kind the next container should be."""
    count_slots(view)
    slots = view.slots[0]
    view.maps_held[0] = view.held_count[MAP]
    view.map_work[0], mean = work_left(view, MAP, view.job_maps_time, view.job_maps_done, 1.0)
    view.reduce_work[0], mean = work_left(view, REDUCE, view.job_reduces_time, view.job_reduces_done, mean)
    if view.map_work[0] < 0.0:
        view.target[0] = 0.0
        return REDUCE
    if view.reduce_work[0] < 0.0:
        view.target[0] = slots
        return MAP
    total_work = view.map_work[0] + view.reduce_work[0]
    target = slots * view.map_work[0] / total_work if total_work > 0.0 else slots / 2
    view.target[0] = min(max(target, 1.0), slots - 1.0)
    return MAP if view.maps_held[0] < view.target[0] else REDUCE


def work_left(view, kind, times, done, default):
    """(containers of a kind that wait x their jobs' mean time, -1 when none waits; the mean of the known
    means, `default` without one).
    """
    known_count, total = 0, 0.0
    for place in range(view.waiting_count):
        job = job_of(view, view.waiting_requests[place])
        if kind_of(view, view.waiting_requests[place]) == kind and done[job] > 0:
            known_count += 1
            total += times[job] / done[job]
    mean = total / known_count if known_count > 0 else default
    work = -1.0
    for place in range(view.waiting_count):
        request = view.waiting_requests[place]
        job = job_of(view, request)
        if kind_of(view, request) == kind:
            work = max(work, 0.0) + view.request_waiting[request] * (
                times[job] / done[job] if done[job] > 0 else mean
            )
    return work, mean
