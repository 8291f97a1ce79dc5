"""Fresh's largest deficit by kept scores (kept_scores.py), and its part for maps without a sum over all that waits.

All deficits of jobs that have begun grow alike but for what the jobs hold: so below a node none can be above the most there was at some time
before, more by what they all grew, less the fewest held x the time since. Where no node can have a larger one than what is found, nobody looks
below it; what is looked at is computed anew. Sums are kept within a margin for rounding; what lies within it of a limit is summed anew too.
"""

from engine.schedulers.policy import REQUEST, RUN, Memory
from engine.schedulers.terms.kept_scores import NOTHING, UNKNOWN, best_below, has_room, keep_score
from engine.schedulers.terms.masters import NONE
from engine.schedulers.view import MAP, MASTER, REDUCE, job_of, kind_of, request_of

DEFICIT, HELD, FRESH_SCORES = 0, 1, 2  # what is kept: the deficit at kept_since, and containers held, negative
KEPT_MS = 1000  # deficits are kept for so long before all are computed anew
MARGIN = 1e-6  # of a bound, for rounding, beside 1 container-ms
DEFICIT_MEMORY = (
    Memory("kept_since", RUN, "int64"),
    Memory("kept_fair_time", RUN),  # the integral of 1 / running jobs then
    Memory("kept_means", RUN, size=3),  # by kind: the sum of the known means of requests that wait
    Memory("kept_known", RUN, "int64", 3),  # how many
    Memory("kept_work", RUN, size=3),  # waiting x mean, of those
    Memory("kept_unknown", RUN, "int64", 3),  # containers that wait without a known mean
    Memory("kept_mean", REQUEST),  # what a request has in these sums, 0 for nothing
    Memory("kept_waiting", REQUEST, "int64"),
    Memory("kept_stack", RUN, "int64", 64),
)


def fair_now(view):
    """The integral of 1 / running jobs up to now."""
    if view.running_jobs[0] > 0:
        return view.fair_time[0] + (view.now[0] - view.fair_until[0]) / view.running_jobs[0]
    return view.fair_time[0]


def held_by(view, job):
    """Maps and reduces that a job holds."""
    return view.request_held[request_of(job, MAP)] + view.request_held[request_of(job, REDUCE)]


def deficit_of(view, job, held):
    """Container-ms the job is short of its fair time since it began."""
    served = view.job_served[job] + held * view.now[0]
    if view.job_start[job] < 0:
        return 0.0 - served
    return view.slots[0] * (fair_now(view) - view.fair_from[job]) - served


def keep_deficits(view, begins):
    """Bring all that is kept up to date. begins: nothing is kept yet."""
    is_old = begins or view.now[0] - view.kept_since[0] >= KEPT_MS
    if is_old:
        view.kept_since[0], view.kept_fair_time[0] = view.now[0], fair_now(view)
        for kind in range(3):
            view.kept_means[kind], view.kept_work[kind], view.kept_known[kind], view.kept_unknown[kind] = 0.0, 0.0, 0, 0
    jobs = len(view.job_arrival) if begins else view.changed[0]
    for place in range(jobs):
        keep_job(view, place if begins else view.changed[place + 1], is_old)
    if is_old and not begins:
        for place in range(view.waiting_count[0]):
            keep_job(view, job_of(view.waiting_requests[place]), True)
    if is_old:
        for place in range(view.waiting_count[0]):
            count_work(view, view.waiting_requests[place], 1)


def keep_job(view, job, is_old):
    """A job's scores; its part of the sums too, unless they are all made anew."""
    held = held_by(view, job)
    deficit = deficit_of(view, job, held) + held * (view.now[0] - view.kept_since[0])
    if view.job_start[job] >= 0:
        deficit -= view.slots[0] * (fair_now(view) - view.kept_fair_time[0])
    waits = view.request_waiting[request_of(job, MASTER)] > 0
    keep_score(view, DEFICIT, request_of(job, MASTER), 0.0 if waits else NOTHING)
    for kind in (REDUCE, MAP):
        request = request_of(job, kind)
        waiting = view.request_waiting[request]
        keep_score(view, DEFICIT, request, deficit if waiting > 0 else NOTHING)
        keep_score(view, HELD, request, -float(held) if waiting > 0 else NOTHING)
        if not is_old:
            count_work(view, request, -1)
        done = view.job_maps_done[job] if kind == MAP else view.job_reduces_done[job]
        time = view.job_maps_time[job] if kind == MAP else view.job_reduces_time[job]
        view.kept_waiting[request], view.kept_mean[request] = waiting, time / done if done > 0 else 0.0
        if not is_old:
            count_work(view, request, 1)


def count_work(view, request, sign):
    """What a request has in the sums, in (1) or out (-1)."""
    kind, waiting, mean = kind_of(request), view.kept_waiting[request], view.kept_mean[request]
    if waiting > 0 and mean > 0.0:
        view.kept_means[kind] += sign * mean
        view.kept_known[kind] += sign
        view.kept_work[kind] += sign * (waiting * mean)
    elif waiting > 0:
        view.kept_unknown[kind] += sign * waiting


def kept_kind(view):
    """MAP or REDUCE, the kind that the next container should be; UNKNOWN where the sums are too near."""
    if view.kept_known[MAP] + view.kept_unknown[MAP] == 0:
        return REDUCE
    if view.kept_known[REDUCE] + view.kept_unknown[REDUCE] == 0:
        return MAP
    of_maps = view.kept_means[MAP] / view.kept_known[MAP] if view.kept_known[MAP] > 0 else 1.0
    of_reduces = view.kept_means[REDUCE] / view.kept_known[REDUCE] if view.kept_known[REDUCE] > 0 else of_maps
    maps = view.kept_work[MAP] + view.kept_unknown[MAP] * of_maps
    reduces = view.kept_work[REDUCE] + view.kept_unknown[REDUCE] * of_reduces
    if not maps > 0.0 or not reduces > 0.0:
        return UNKNOWN
    target = min(max(view.slots[0] * maps / (maps + reduces), 1.0), view.slots[0] - 1.0)
    if abs(view.held_count[MAP] - target) <= MARGIN * view.slots[0]:
        return UNKNOWN
    return MAP if view.held_count[MAP] < target else REDUCE


def first_by_deficit(view, node, kind):
    """The request of a kind that fits whose job has the largest deficit, of equals the one that holds the fewest, then the first; NONE without one."""
    found, largest, fewest = NONE, 0.0, 0
    grown, since = view.slots[0] * (fair_now(view) - view.kept_fair_time[0]), view.now[0] - view.kept_since[0]
    for size in range(view.kept_sizes[0]):
        if view.kept_kind[size] != kind or not has_room(view, size, node):
            continue
        view.kept_stack[0], height = 1, 1
        while height > 0:
            height -= 1
            place = view.kept_stack[height]
            score = best_below(view, DEFICIT, size, place)
            if score == NOTHING:
                continue
            most = score + grown + best_below(view, HELD, size, place) * since
            margin = 1.0 + MARGIN * (abs(score) + abs(grown) + abs(most))
            if found != NONE and most + margin < largest:
                continue
            if place < view.kept_leaves[size]:
                left = best_below(view, DEFICIT, size, 2 * place) >= best_below(view, DEFICIT, size, 2 * place + 1)
                view.kept_stack[height], view.kept_stack[height + 1] = (2 * place + 1, 2 * place) if left else (2 * place, 2 * place + 1)
                height += 2
                continue
            request = view.kept_request[view.kept_begin[size] + place]
            held = held_by(view, job_of(request))
            deficit = deficit_of(view, job_of(request), held)
            is_first = deficit == largest and (held < fewest or (held == fewest and request < found))
            if found == NONE or deficit > largest or is_first:
                found, largest, fewest = request, deficit, held
    return found
