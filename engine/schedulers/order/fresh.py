"""FRESH: as many maps at a time as their part of the work left, and each job its fair time on containers of
either kind.

Paper      omo [12] (FRESH, CLOUD'14) and §V-A. Confirmed: containers take either kind, fairness counts both
           together, the deficit decides. Its equations can't be had: the rest is a stand-in, ours (FRESH-2,
           FRESH-3)
Rule       1  both kinds wait: S Wm / (Wm + Wr) of the cluster's S containers for maps, within [1, S - 1], W =
           containers waiting x mean time
           2  of the kind below its target, the request whose job has the largest deficit: S x the integral of
              1 / running jobs since the job began, less the time it has held containers
Ours       S: containers of the largest size that fit the empty cluster, at least 2; a mean that is missing is
           the mean of the known, a reduce's else a map's, else 1; what fits no request of the kind goes to
           the other; masters first, they are no slots
Knows      waiting requests, ended tasks' mean times, held containers
Ties       the fewest held, then job order
Cost       the logarithm of the jobs for each whose tasks changed, and for each that may have the largest
           deficit (terms/cached_deficits.py); all that waits once a second of the run; one pass over the
           waiting requests and one over the candidates where these are listed
"""

from engine.schedulers.policy import JOB, ORDER, REQUEST, RUN, Assignment, Defaults, Policy, StateArray, Term
from engine.schedulers.terms.cached_deficits import (
    DEFICIT,
    DEFICIT_MEMORY,
    FRESH_SCORES,
    deficit_of,
    first_by_deficit,
    held_by,
    next_kind,
    update_deficits,
)
from engine.schedulers.terms.cached_scores import (
    ensure_scores,
    first_waiting_master,
    has_scores,
    list_candidates,
    put_first,
    score_arrays,
)
from engine.schedulers.terms.masters import first_master
from engine.schedulers.terms.run_time_estimate import containers_at_once
from engine.schedulers.view import LEAVE, MAP, MASTER, NONE, REDUCE, UNDECIDED, UNLISTED, job_of, kind_of


def choose(view, count, node):
    is_first = not has_scores(view)
    if has_scores(view) or (count == UNLISTED and ensure_scores(view)):
        if view.slots[0] == 0:
            view.slots[0] = slots_of(view)
        update_deficits(view, is_first)
    if count == UNLISTED:
        if has_scores(view):
            request = first_unlisted(view, node)
            return LEAVE if request == NONE else put_first(view, request)
        listed = list_candidates(view, node)
        return put_first(view, view.candidates[choose_listed(view, listed)]) if listed > 0 else LEAVE
    return choose_listed(view, count)


def first_unlisted(view, node):
    """The choice by cached scores, NONE where nothing fits."""
    master = first_waiting_master(view, DEFICIT, node)
    if master != NONE:
        return master
    kind = next_kind(view)
    if kind == UNDECIDED:
        kind = wanted_kind(view)
    best = first_by_deficit(view, node, kind)
    view.other_kind[0] = best == NONE
    return best if best != NONE else first_by_deficit(view, node, MAP + REDUCE - kind)


def choose_listed(view, count):
    """The position of the choice among the candidates."""
    master = first_master(view.candidates, count)
    if master != NONE:
        return master
    if view.slots[0] == 0:
        view.slots[0] = slots_of(view)
    kind = wanted_kind(view)  # 1
    best = largest_deficit(view, count, kind)  # 2
    view.other_kind[0] = best == NONE
    return best if best != NONE else largest_deficit(view, count, MAP + REDUCE - kind)


def slots_of(view):
    """S: containers of the largest task size that fit the empty cluster."""
    memory, vcores = 1, 1
    for request in range(len(view.request_memory)):
        if kind_of(request) != MASTER:
            memory = max(memory, view.request_memory[request])
            vcores = max(vcores, view.request_vcores[request])
    return max(2, containers_at_once(view, memory, vcores))


def wanted_kind(view):
    """MAP or REDUCE: which kind the next container should be."""
    view.maps_held[0] = view.held_count[MAP]
    view.map_work[0], mean = work_left(view, MAP, view.job_maps_time, view.job_maps_done, 1.0)
    view.reduce_work[0], mean = work_left(view, REDUCE, view.job_reduces_time, view.job_reduces_done, mean)
    if view.map_work[0] < 0.0:
        view.target[0] = 0.0
        return REDUCE
    if view.reduce_work[0] < 0.0:
        view.target[0] = view.slots[0]
        return MAP
    total_work = view.map_work[0] + view.reduce_work[0]
    target = view.slots[0] * view.map_work[0] / total_work if total_work > 0.0 else view.slots[0] / 2
    view.target[0] = min(max(target, 1.0), view.slots[0] - 1.0)
    return MAP if view.maps_held[0] < view.target[0] else REDUCE


def work_left(view, kind, times, done, default):
    """(containers of a kind that wait x their jobs' mean time, -1 when none waits; the mean of the known
    means, `unknown` without one).
    """
    known_count, total = 0, 0.0
    for place in range(view.waiting_count):
        job = job_of(view.waiting_requests[place])
        if kind_of(view.waiting_requests[place]) == kind and done[job] > 0:
            known_count += 1
            total += times[job] / done[job]
    mean = total / known_count if known_count > 0 else default
    work = -1.0
    for place in range(view.waiting_count):
        request = view.waiting_requests[place]
        job = job_of(request)
        if kind_of(request) == kind:
            work = max(work, 0.0) + view.request_waiting[request] * (
                times[job] / done[job] if done[job] > 0 else mean
            )
    return work, mean


def largest_deficit(view, count, kind):
    """The position of the request of a kind whose job has the largest deficit; NONE without one."""
    best, largest, min_held = NONE, 0.0, 0
    for position in range(count):
        request = view.candidates[position]
        if kind_of(request) == kind:
            job = job_of(request)
            held = held_by(view, job)
            deficit = deficit_of(view, job, held)
            if best == NONE or deficit > largest or (deficit == largest and held < min_held):
                best, largest, min_held = position, deficit, held
            view.deficit[request], view.held[request] = deficit, held
    return best


def follow(job, now, view):
    """The integral of 1 / running jobs goes on to now, when a job has begun or some (-1) have finished."""
    if view.followed_jobs[0] > 0:
        view.fair_time[0] += (now - view.fair_until[0]) / view.followed_jobs[0]
    view.fair_until[0] = now
    view.followed_jobs[0] = view.running_jobs[0]
    if job >= 0:
        view.fair_from[job] = view.fair_time[0]
    return 0


FRESH = Policy(
    "fresh",
    "FRESH",
    ORDER,
    choose,
    "omo [12], §V-A; FRESH-1 to FRESH-3 (a stand-in)",
    rule=(
        "its kind has fewer containers than its part of the remaining work, and its job has had the least of "
        "its fair time",
        "no request of the kind with too few containers fits, and its job has had the least of its fair time",
    ),
    ground="other_kind",
    masters_first=True,
    defaults=Defaults(reduce_start="slowstart"),
    on_jobs=follow,
    keeps_scores=True,
    assignment=Assignment(spreads_load=True),
    terms=(
        Term(
            "deficit",
            "Deficit",
            REQUEST,
            "Container time the job is short of its fair share since it began; the most goes first.",
            "ms",
            direction=1,
        ),
        Term(
            "held",
            "Held",
            REQUEST,
            "Containers its job holds; decides between equal deficits.",
            "containers",
            direction=-1,
        ),
    ),
    facts=(
        Term(
            "target", "Maps wanted", RUN, "Containers that maps should have now.", "containers", strip="maps"
        ),
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
    ),
    memory=(
        StateArray("slots", RUN, "int64"),  # S
        StateArray("other_kind", RUN, "int64"),  # 1: nothing of the wanted kind fitted
        StateArray("fair_time", RUN),  # the integral of 1 / running jobs, in ms,
        StateArray("fair_until", RUN, "int64"),  # up to this time
        StateArray("fair_from", JOB),  # the integral when the job began
        StateArray("followed_jobs", RUN, "int64"),  # that run since then
        *DEFICIT_MEMORY,
        *score_arrays(FRESH_SCORES),
    ),
)
