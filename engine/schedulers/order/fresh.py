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
Jobs       of MapReduce: containers are of maps or reduces. Refuses applications of stages and demand
Knows      waiting requests, ended tasks' mean times, held containers
Ties       the fewest held, then job order
Cost       one pass over the waiting requests and one over the candidates; by its index
           (indexes/cached_deficits.py) the logarithm of the jobs for each whose tasks changed, and for each
           that may have the largest deficit, and all that waits once a second of the run
"""

from engine.schedulers.indexes.cached_deficits import LARGEST_DEFICIT
from engine.schedulers.policy import ORDER, REQUEST, RUN, Assignment, Defaults, Policy, StateArray, Term
from engine.schedulers.terms.fair_deficit import FAIR_TIME_MEMORY, deficit_of
from engine.schedulers.terms.holdings import tasks_held
from engine.schedulers.terms.masters import first_master
from engine.schedulers.terms.wanted_kind import WANTED_FACTS, WANTED_MEMORY, wanted_kind
from engine.schedulers.view import MAP, NONE, REDUCE, job_of, kind_of


def choose(view, count):
    master = first_master(view, count)
    if master != NONE:
        return master
    kind = wanted_kind(view)  # 1
    best = largest_deficit(view, count, kind)  # 2
    view.other_kind[0] = best == NONE
    return best if best != NONE else largest_deficit(view, count, MAP + REDUCE - kind)


def largest_deficit(view, count, kind):
    """The position of the request of a kind whose job has the largest deficit; NONE without one."""
    best, largest, min_held = NONE, 0.0, 0
    for position in range(count):
        request = view.candidates[position]
        if kind_of(view, request) == kind:
            job = job_of(view, request)
            held = tasks_held(view, job)
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
    assignment=Assignment(spreads_load=True, weighs_tasks=True),
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
    facts=WANTED_FACTS,
    memory=(
        StateArray("other_kind", RUN, "int64"),  # 1: nothing of the wanted kind fitted
        StateArray("followed_jobs", RUN, "int64"),  # that run since fair_until
        *WANTED_MEMORY,
        *FAIR_TIME_MEMORY,
    ),
    index=LARGEST_DEFICIT,
)
