"""Which requests may come first on a node, where an order goes by a job's rank in its leaf alone
(policy.ranks_by): the first of each leaf and size.

Requests of one leaf, size and kind of container (master or task) form a group, a heap of BRANCHES branches by
their job's rank, and those of them that may reserve a node a second one, whose entries are numbered after all
requests. A job's rank, and which of its requests are in their heaps, are found anew when what it holds, waits
for or is known to want has changed; so a decision costs a look at each group, and the logarithm of the jobs
for each that changed. Where a group's first does not stand for the others, the caller lists all candidates
instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import (
    FIFO,
    MAP,
    MASTER,
    NEVER,
    NO_QUEUES,
    NONE,
    PASS_OVER,
    REDUCE,
    STARVED,
    UNDECIDED,
)
from engine.jit import PolicyFunction, inlined
from engine.run_records import (
    GROUP,
    JOB,
    RANKS,
    REQUEST,
    Flags,
    Floats,
    Ints,
    Record,
    Size,
    array,
    given,
    number,
)
from engine.schedulers.amounts import fits
from engine.schedulers.hadoop.queue_sharing import job_rank, leaf_policy
from engine.simulation.hadoop.fair.fair_shares import (
    fair_share,
    reserved_nodes,
    usage_share,
)
from engine.simulation.hadoop.fair.fair_updates import has_known_demand
from engine.simulation.hadoop.fair.reservable_nodes import max_reserved_nodes
from engine.simulation.kernel.admission import is_held_back_master
from engine.simulation.kernel.candidates import can_reserve_node, exceeds_limits, fits_empty_node
from engine.simulation.kernel.node_rows import limits_kinds
from engine.simulation.kernel.waiting_requests import may_reserve

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Shortlist(Record):
    """Of requests that are alike, the first by the order's rank."""

    ranks_by: int = number("", "FAIR or DRF: the first of each group is listed alone; 0: all candidates are")
    shortlist_depth: int = number("", "how many jobs of a group are listed")
    group_begin: Ints = given(GROUP, "", "where its heap begins in `ranked`")
    group_size: Ints = array(Size(GROUP, 2), "", "entries of its heap")
    ranked: Ints = array(Size(REQUEST, 2), "", "heaps of requests", when=RANKS)
    ranked_first: Floats = array(Size(REQUEST, 2), "", "their jobs' rank_first", when=RANKS)
    ranked_second: Floats = array(Size(REQUEST, 2), "", "the same of rank_second", when=RANKS)
    ranked_place: Ints = array(
        Size(REQUEST, 2), "", "of a request, -1 while it is in none", initial=-1, when=RANKS
    )
    entry_job: Ints = given(Size(REQUEST, 2), "", "the job of a heap's entry")
    rank_first: Floats = array(JOB, "", "of a job", when=RANKS)
    rank_second: Floats = array(JOB, "", "the second of its rank, for equal firsts", when=RANKS)
    is_starving: Flags = array(JOB, "", "of a job, below its fair share when that was last asked", when=RANKS)
    usage_share: Floats = array(JOB, "", "of a job, what it then held (fair_shares.py)", when=RANKS)
    stale_jobs: Ints = array(JOB, "", "whose rank and requests are to be looked at", when=RANKS)
    is_stale: Flags = array(JOB, "", "1: it is in `stale_jobs`", when=RANKS)
    stale_count: int = number("", "of `stale_jobs`")
    has_mixed_requests: Flags = array(JOB, "", "a job whose master and tasks wait at once", when=RANKS)
    mixed_count: int = number("", "jobs whose master and tasks wait at once")


BRANCHES = 4  # of which one line of the cache holds the ranks


@inlined
def shortlist(v: View, s: State, node: int, now: int, admission: PolicyFunction, table: int) -> int:
    """Fill v.candidates with the first of each group that the node could be given or reserve, in the order of
    requests; how many, or UNDECIDED.
    """
    update_stale_ranks(v, s)
    if s.mixed_count > 0 or limits_kinds(s, node):
        return UNDECIDED
    count = 0
    # where nothing can be given: does the node wait for any change, whatever else was held back?
    waits_for_change = s.reserving_count > 0
    for group in range(s.group_count):
        if s.group_size[group] == 0:
            continue
        has_room = fits(s.group_resource, group, v.node_free_resource, node)
        request = first_of_group(v, s, node, group, has_room)
        if request == UNDECIDED:
            return UNDECIDED
        if request == NONE:
            continue
        if is_held_back_master(v, s, request, admission, table, now):
            if s.masters_interchangeable == 0:
                return UNDECIDED
            waits_for_change = waits_for_change or has_room
            continue
        if not has_room and not can_reserve_node(v, s, node, request):
            return UNDECIDED
        count = insert_candidate(v, request, count)
        if s.shortlist_depth > 1 and s.group_size[group] > 1:
            first = s.group_begin[group]
            second = s.ranked[first_child(s, first, first + s.group_size[group], first)]
            count = insert_candidate(v, second, count)
    return count if count > 0 or waits_for_change else UNDECIDED


@inlined
def first_of_group(v: View, s: State, node: int, group: int, fits: int) -> int:
    """The first request of a group that the node could be given, where the group fits it, or reserve; NONE
    where there is none, UNDECIDED where the first does not stand for the others.
    """
    request = s.ranked[s.group_begin[group]]
    if fits:
        return UNDECIDED if exceeds_limits(v, request, s.limits) else request
    if s.stops_job == NEVER:
        return NONE
    if not fits_empty_node(v, s, node, request):
        return UNDECIDED
    if not may_reserve(v, s, request):
        return NONE
    if s.preempts == 1:
        return request
    reserving = s.group_count + group
    if s.group_size[reserving] == 0:
        return NONE
    return s.ranked[s.group_begin[reserving]] - len(v.request_memory)


def update_stale_ranks(v: View, s: State) -> None:
    """The ranks of all jobs for which something has changed."""
    for place in range(s.stale_count):
        job = s.stale_jobs[place]
        s.is_stale[job] = 0
        update_rank(v, s, job)
    s.stale_count = 0


def insert_candidate(v: View, request: int, count: int) -> int:
    """One candidate more, in the order of requests."""
    place = count
    while place > 0 and v.candidates[place - 1] > request:
        v.candidates[place] = v.candidates[place - 1]
        place -= 1
    v.candidates[place] = request
    return count + 1


def update_rank(v: View, s: State, job: int) -> None:
    """The job's rank, and its requests' places in their heaps."""
    policy = (
        s.ranks_by
        if v.queue_scheme == NO_QUEUES
        else leaf_policy(s.ranks_by, v.queue_policy[v.job_queue[job]])
    )
    first, second = 0.0, 0.0
    if policy != FIFO:
        _, first, second = job_rank(v, policy, job)
    change = rank_change(first, second, s.rank_first[job], s.rank_second[job])
    s.rank_first[job], s.rank_second[job] = first, second
    s.usage_share[job] = usage_share(v, policy, job)
    s.is_starving[job] = s.reserves == STARVED and s.usage_share[job] < fair_share(v, policy, job)
    reserves = s.is_starving[job] == 1 and reserved_nodes(v, job) < max_reserved_nodes(v.cluster_nodes)
    wants = v.job_runnable_since[job] >= 0 and (v.update_interval == 0 or has_known_demand(v, job))
    base = v.job_first_request[job]
    for request in range(base, v.job_first_request[job + 1]):
        if v.request_waiting[request] > 0 or s.ranked_place[request] >= 0:
            is_listed = wants and v.request_waiting[request] > 0 and not is_superseded(v, s, base, request)
            if is_listed and request == base + MASTER:
                is_listed = s.overtaking == PASS_OVER or s.admitted[job] == 1 or s.admits_all == 1
            update_heap(s, request, is_listed, change)
            update_heap(
                s,
                len(v.request_memory) + request,
                is_listed and reserves and may_reserve(v, s, request),
                change,
            )
    waiting_tasks = v.request_waiting[base + REDUCE] + v.request_waiting[base + MAP]
    has_mixed_requests = v.request_waiting[base + MASTER] > 0 and waiting_tasks > 0
    s.mixed_count += has_mixed_requests - s.has_mixed_requests[job]
    s.has_mixed_requests[job] = has_mixed_requests


def rank_change(first: float, second: float, first_before: int, second_before: int) -> int:
    """-1: the rank has improved, 1: it has worsened, 0: unchanged."""
    if first != first_before:
        return -1 if first < first_before else 1
    if second != second_before:
        return -1 if second < second_before else 1
    return 0


def update_heap(s: State, entry: int, is_listed: bool, change: int) -> None:
    """Puts an entry into its heap, takes it out, or moves it; change: rank_change of its job."""
    place = s.ranked_place[entry]
    if is_listed and place < 0:
        heap_push(s, entry)
    elif not is_listed and place >= 0:
        heap_remove(s, entry)
    elif is_listed and change < 0:
        sift_up(s, entry, place)
    elif is_listed and change > 0:
        sift_down(s, entry, place)


def is_superseded(v: View, s: State, base: int, request: int) -> bool:
    """Does an earlier request of the job stand for it? One of its group always does, under an order that
    stops jobs any.
    """
    superseded = False
    for earlier in range(base, request):
        superseded = superseded or (
            v.request_waiting[earlier] > 0
            and (s.stops_job != NEVER or s.group_of[earlier] == s.group_of[request])
        )
    return superseded


def ranks_before(s: State, entry: int, first: int, second: int, place: int) -> bool:
    """By rank, then in the order of requests: before the one at a place; first, second: its job's two
    ratios.
    """
    if first != s.ranked_first[place]:
        return first < s.ranked_first[place]
    if second != s.ranked_second[place]:
        return second < s.ranked_second[place]
    return entry < s.ranked[place]


def heap_set(s: State, entry: int, first: int, second: int, place: int) -> None:
    s.ranked[place], s.ranked_first[place], s.ranked_second[place] = entry, first, second
    s.ranked_place[entry] = place


def heap_push(s: State, entry: int) -> None:
    group = s.group_of[entry]
    place = s.group_begin[group] + s.group_size[group]
    s.group_size[group] += 1
    sift_up(s, entry, place)


def heap_remove(s: State, entry: int) -> None:
    """The last entry of its heap takes its position."""
    group = s.group_of[entry]
    place = s.ranked_place[entry]
    s.ranked_place[entry] = -1
    s.group_size[group] -= 1
    last = s.ranked[s.group_begin[group] + s.group_size[group]]
    if last != entry and sift_up(s, last, place) == place:
        sift_down(s, last, place)


def sift_up(s: State, entry: int, place: int) -> int:
    """Moves an entry up its heap; its final position."""
    job = s.entry_job[entry]
    begin, first, second = s.group_begin[s.group_of[entry]], s.rank_first[job], s.rank_second[job]
    while place > begin:
        parent = begin + (place - begin - 1) // BRANCHES
        if not ranks_before(s, entry, first, second, parent):
            break
        heap_set(s, s.ranked[parent], s.ranked_first[parent], s.ranked_second[parent], place)
        place = parent
    heap_set(s, entry, first, second, place)
    return place


def sift_down(s: State, entry: int, place: int) -> None:
    """Moves an entry down its heap."""
    job, group = s.entry_job[entry], s.group_of[entry]
    first, second = s.rank_first[job], s.rank_second[job]
    begin = s.group_begin[group]
    end = begin + s.group_size[group]
    child = first_child(s, begin, end, place)
    while child >= 0 and not ranks_before(s, entry, first, second, child):
        heap_set(s, s.ranked[child], s.ranked_first[child], s.ranked_second[child], place)
        place = child
        child = first_child(s, begin, end, place)
    heap_set(s, entry, first, second, place)


def first_child(s: State, begin: int, end: int, place: int) -> int:
    """The smallest child of a position in the heap from begin to end, -1 without children."""
    child = begin + BRANCHES * (place - begin) + 1
    best = child if child < end else -1
    for other in range(child + 1, min(child + BRANCHES, end)):
        if ranks_before(s, s.ranked[other], s.ranked_first[other], s.ranked_second[other], best):
            best = other
    return best
