"""fresh's choice: the largest deficit by cached scores (cached_scores.py), and the part for maps without a
sum over all that waits.

All deficits of jobs that have begun grow alike but for what the jobs hold: so below a node none can be above
the most there was at some time before, more by what they all grew, less the fewest held x the time since.
Where no node can have a larger one than what is found, that subtree is skipped; a leaf that is reached is
computed anew. Sums are kept within a margin for rounding; what lies within it of a limit is summed anew too.
"""

from engine.schedulers.indexes.cached_scores import (
    NOTHING,
    best_below,
    ensure_scores,
    first_waiting_master,
    fits_node,
    has_scores,
    score_arrays,
    update_score,
)
from engine.schedulers.policy import REQUEST, RUN, Index, StateArray
from engine.schedulers.terms.fair_deficit import deficit_of, fair_now
from engine.schedulers.terms.holdings import tasks_held
from engine.schedulers.terms.wanted_kind import count_slots, wanted_kind
from engine.schedulers.view import MAP, MASTER, NONE, REDUCE, UNDECIDED, job_of, kind_of, request_of

# what is kept: the deficit at cached_since, and containers held, negative
DEFICIT, HELD, FRESH_SCORES = 0, 1, 2
MAX_AGE_MS = 1000  # deficits are kept for so long before all are computed anew
MARGIN = 1e-6  # of a bound, for rounding, beside 1 container-ms
DEFICIT_MEMORY = (
    StateArray("cached_since", RUN, "int64"),
    StateArray("cached_fair_time", RUN),  # the integral of 1 / running jobs then
    StateArray("cached_mean_sum", RUN, size=3),  # by kind: the sum of the known means of requests that wait
    StateArray("cached_known_count", RUN, "int64", 3),  # how many
    StateArray("cached_work", RUN, size=3),  # waiting x mean, of those
    StateArray("cached_unknown_count", RUN, "int64", 3),  # containers that wait without a known mean
    StateArray("cached_mean", REQUEST),  # what a request has in these sums, 0 for nothing
    StateArray("cached_waiting", REQUEST, "int64"),
    StateArray("cached_stack", RUN, "int64", 64),
)


def find(view, node):
    is_first = not has_scores(view)
    if not ensure_scores(view):
        return UNDECIDED
    count_slots(view)
    update_deficits(view, is_first)
    master = first_waiting_master(view, DEFICIT, node)
    if master != NONE:
        return master
    kind = next_kind(view)
    if kind == UNDECIDED:
        kind = wanted_kind(view)
    best = first_by_deficit(view, node, kind)
    return best if best != NONE else first_by_deficit(view, node, MAP + REDUCE - kind)


def update_deficits(view, is_first):
    """Bring all that is kept up to date. is_first: nothing is kept yet."""
    is_expired = is_first or view.now - view.cached_since[0] >= MAX_AGE_MS
    if is_expired:
        view.cached_since[0], view.cached_fair_time[0] = view.now, fair_now(view)
        for kind in range(3):
            (
                view.cached_mean_sum[kind],
                view.cached_work[kind],
                view.cached_known_count[kind],
                view.cached_unknown_count[kind],
            ) = 0.0, 0.0, 0, 0
    for place in range(1, view.changed[0] + 1):
        update_job(view, view.changed[place], is_expired)
    if is_expired and not is_first:
        for place in range(view.waiting_count):
            update_job(view, job_of(view, view.waiting_requests[place]), True)
    if is_expired:
        for place in range(view.waiting_count):
            count_work(view, view.waiting_requests[place], 1)


def update_job(view, job, recomputes):
    """A job's scores; its part of the sums too, unless they are all made anew."""
    held = tasks_held(view, job)
    deficit = deficit_of(view, job, held) + held * (view.now - view.cached_since[0])
    if view.job_start[job] >= 0:
        deficit -= view.slots[0] * (fair_now(view) - view.cached_fair_time[0])
    waits = view.request_waiting[request_of(view, job, MASTER)] > 0
    update_score(view, DEFICIT, request_of(view, job, MASTER), 0.0 if waits else NOTHING)
    for kind in (REDUCE, MAP):
        request = request_of(view, job, kind)
        waiting = view.request_waiting[request]
        update_score(view, DEFICIT, request, deficit if waiting > 0 else NOTHING)
        update_score(view, HELD, request, -float(held) if waiting > 0 else NOTHING)
        if not recomputes:
            count_work(view, request, -1)
        done = view.job_maps_done[job] if kind == MAP else view.job_reduces_done[job]
        time = view.job_maps_time[job] if kind == MAP else view.job_reduces_time[job]
        view.cached_waiting[request], view.cached_mean[request] = waiting, time / done if done > 0 else 0.0
        if not recomputes:
            count_work(view, request, 1)


def count_work(view, request, sign):
    """What a request has in the sums, in (1) or out (-1)."""
    kind, waiting, mean = kind_of(view, request), view.cached_waiting[request], view.cached_mean[request]
    if waiting > 0 and mean > 0.0:
        view.cached_mean_sum[kind] += sign * mean
        view.cached_known_count[kind] += sign
        view.cached_work[kind] += sign * (waiting * mean)
    elif waiting > 0:
        view.cached_unknown_count[kind] += sign * waiting


def next_kind(view):
    """MAP or REDUCE, the kind that the next container should be; UNDECIDED where the sums are too near."""
    if view.cached_known_count[MAP] + view.cached_unknown_count[MAP] == 0:
        return REDUCE
    if view.cached_known_count[REDUCE] + view.cached_unknown_count[REDUCE] == 0:
        return MAP
    map_mean = (
        view.cached_mean_sum[MAP] / view.cached_known_count[MAP] if view.cached_known_count[MAP] > 0 else 1.0
    )
    reduce_mean = (
        view.cached_mean_sum[REDUCE] / view.cached_known_count[REDUCE]
        if view.cached_known_count[REDUCE] > 0
        else map_mean
    )
    maps = view.cached_work[MAP] + view.cached_unknown_count[MAP] * map_mean
    reduces = view.cached_work[REDUCE] + view.cached_unknown_count[REDUCE] * reduce_mean
    if not maps > 0.0 or not reduces > 0.0:
        return UNDECIDED
    target = min(max(view.slots[0] * maps / (maps + reduces), 1.0), view.slots[0] - 1.0)
    if abs(view.held_count[MAP] - target) <= MARGIN * view.slots[0]:
        return UNDECIDED
    return MAP if view.held_count[MAP] < target else REDUCE


def first_by_deficit(view, node, kind):
    """The request of a kind that fits whose job has the largest deficit, of equals the one that holds the
    fewest, then the first; NONE without one.
    """
    chosen, largest, min_held = NONE, 0.0, 0
    grown, since = (
        view.slots[0] * (fair_now(view) - view.cached_fair_time[0]),
        view.now - view.cached_since[0],
    )
    for size in range(view.cached_sizes[0]):
        if view.cached_kind[size] != kind or not fits_node(view, size, node):
            continue
        view.cached_stack[0], height = 1, 1
        while height > 0:
            height -= 1
            place = view.cached_stack[height]
            score = best_below(view, DEFICIT, size, place)
            if score == NOTHING:
                continue
            max_deficit = score + grown + best_below(view, HELD, size, place) * since
            margin = 1.0 + MARGIN * (abs(score) + abs(grown) + abs(max_deficit))
            if chosen != NONE and max_deficit + margin < largest:
                continue
            if place < view.cached_leaves[size]:
                left = best_below(view, DEFICIT, size, 2 * place) >= best_below(
                    view, DEFICIT, size, 2 * place + 1
                )
                view.cached_stack[height], view.cached_stack[height + 1] = (
                    (2 * place + 1, 2 * place) if left else (2 * place, 2 * place + 1)
                )
                height += 2
                continue
            request = view.cached_request[view.cached_offset[size] + place]
            held = tasks_held(view, job_of(view, request))
            deficit = deficit_of(view, job_of(view, request), held)
            is_first = deficit == largest and (held < min_held or (held == min_held and request < chosen))
            if chosen == NONE or deficit > largest or is_first:
                chosen, largest, min_held = request, deficit, held
    return chosen


LARGEST_DEFICIT = Index(find, (*DEFICIT_MEMORY, *score_arrays(FRESH_SCORES)), keeps_scores=True)
