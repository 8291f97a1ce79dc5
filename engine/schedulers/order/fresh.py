"""FRESH: as many maps at a time as their part of the work left, and each job its fair time on containers of either kind.

Paper      omo [12] (FRESH, CLOUD'14) and §V-A. Confirmed: containers take either kind, fairness counts both together, the deficit decides.
           Its equations can't be had: the rest is a stand-in, ours (formulas §5)
Rule       both kinds wait: S Wm / (Wm + Wr) of the cluster's S containers for maps, within [1, S - 1], W = containers waiting x mean time;
           a job's deficit is S x the integral of 1 / running jobs since it began, less the time it has held containers
Ours       S: containers of the largest size that fit the empty cluster, at least 2; a mean that is missing is the mean of the known,
           a reduce's else a map's, else 1; what fits no request of the kind goes to the other; masters first, they are no slots
Knows      waiting requests, ended tasks' mean times, held containers
Ties       the fewest held, then job order
Cost       one pass over the waiting requests and one over the candidates
"""

from engine.policies.order.masters import NONE, first_master
from engine.policies.policy import NOTES, ORDER, REQUESTS, Policy, Term
from engine.view import KINDS, MAP, REDUCE

SLOTS, TARGET, MAPS_HELD, MAP_WORK, REDUCE_WORK, OTHER_KIND = range(6)  # places in notes
DEFICIT = 0  # row of request_notes


def choose(view, count):
    best = first_master(view.candidates, count)
    if best != NONE:
        return best
    if view.notes[SLOTS] == 0.0:
        view.notes[SLOTS] = slots(view)
    kind = wanted(view)
    best = neediest(view, count, kind)
    view.notes[OTHER_KIND] = 1.0 if best == NONE else 0.0
    return best if best != NONE else neediest(view, count, MAP + REDUCE - kind)


def slots(view):
    """S: containers of the largest task size that fit the empty cluster."""
    memory, vcores, found = 1, 1, 0
    for request in range(len(view.request_memory)):
        if request % KINDS != 0:
            memory = max(memory, view.request_memory[request])
            vcores = max(vcores, view.request_vcores[request])
    for node in range(len(view.node_memory)):
        found += min(view.node_memory[node] // memory, view.node_vcores[node] // vcores)
    return max(2, found)


def wanted(view):
    """MAP or REDUCE: which kind the next container should be."""
    notes = view.notes
    notes[MAPS_HELD] = view.held_count[MAP]
    notes[MAP_WORK], mean = work_left(view, MAP, view.job_maps_time, view.job_maps_done, 1.0)
    notes[REDUCE_WORK], mean = work_left(view, REDUCE, view.job_reduces_time, view.job_reduces_done, mean)
    if notes[MAP_WORK] < 0.0 or notes[REDUCE_WORK] < 0.0:
        notes[TARGET] = 0.0 if notes[MAP_WORK] < 0.0 else notes[SLOTS]
        return REDUCE if notes[MAP_WORK] < 0.0 else MAP
    both = notes[MAP_WORK] + notes[REDUCE_WORK]
    target = notes[SLOTS] * notes[MAP_WORK] / both if both > 0.0 else notes[SLOTS] / 2
    notes[TARGET] = min(max(target, 1.0), notes[SLOTS] - 1.0)
    return MAP if notes[MAPS_HELD] < notes[TARGET] else REDUCE


def work_left(view, kind, times, done, unknown):
    """(containers of a kind that wait x their jobs' mean time, -1 when none waits; the mean of the known means, `unknown` without one)."""
    known, total = 0, 0.0
    for place in range(view.waiting_count[0]):
        job = view.waiting[place] // KINDS
        if view.waiting[place] % KINDS == kind and done[job] > 0:
            known += 1
            total += times[job] / done[job]
    mean = total / known if known > 0 else unknown
    work = -1.0
    for place in range(view.waiting_count[0]):
        request = view.waiting[place]
        job = request // KINDS
        if request % KINDS == kind:
            work = max(work, 0.0) + view.request_waiting[request] * (times[job] / done[job] if done[job] > 0 else mean)
    return work, mean


def neediest(view, count, kind):
    """The position of the request of a kind whose job has the largest deficit; NONE without one."""
    best, most, fewest = NONE, 0.0, 0
    for position in range(count):
        request = view.candidates[position]
        job = request // KINDS
        if request % KINDS == kind:
            held = view.request_held[KINDS * job + MAP] + view.request_held[KINDS * job + REDUCE]
            short = deficit(view, job, held)
            view.request_notes[request] = short
            view.request_notes[len(view.request_memory) + request] = held
            if best == NONE or short > most or (short == most and held < fewest):
                best, most, fewest = position, short, held
    return best


def deficit(view, job, held):
    """Container-ms the job is short of its fair share since it began."""
    if view.job_start[job] < 0:
        return 0.0 - (view.job_served[job] + held * view.now[0])
    fair = view.fair_time[0]
    if view.running_jobs[0] > 0:
        fair = fair + (view.now[0] - view.fair_time[1]) / view.running_jobs[0]
    return view.notes[SLOTS] * (fair - view.job_fair_from[job]) - (view.job_served[job] + held * view.now[0])


FRESH = Policy(
    "fresh",
    "FRESH",
    ORDER,
    choose,
    "omo [12], §V-A; formulas §5 (a stand-in)",
    rule=(
        "containers of its kind are below their part of the work left, and its job has had the least of its fair time",
        "no request of the kind that is short of its part fits, and its job has had the least of its fair time",
    ),
    ground=OTHER_KIND,
    masters_first=True,
    notes=OTHER_KIND + 1,
    request_notes=2,
    terms=(
        Term("deficit", "Deficit", REQUESTS, DEFICIT, "Container time the job is short of its fair share since it began; the most goes first.", "ms", sense=1),
        Term("held", "Held", REQUESTS, DEFICIT + 1, "Containers its job holds; decides between equal deficits.", "containers", sense=-1),
    ),
    facts=(
        Term("target", "Maps wanted", NOTES, TARGET, "Containers that maps should have now.", "containers", strip="maps"),
        Term("maps_held", "Maps held", NOTES, MAPS_HELD, "Containers that maps have now; below the number wanted a map is next.", "containers", strip="maps"),
        Term("map_work", "Map work", NOTES, MAP_WORK, "Maps waiting times their mean time.", "ms", strip="work left"),
        Term("reduce_work", "Reduce work", NOTES, REDUCE_WORK, "Reduces waiting times their mean time.", "ms", strip="work left"),
    ),
)
