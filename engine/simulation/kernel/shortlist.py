"""Who may come first on a node, where an order goes by a job's rank in its leaf alone (policy.ranks_by): the first of each leaf and size.

Requests of one leaf, size and kind of container (master or task) form a group, a heap of BRANCHES branches by their job's rank, and those of them that may
reserve a node a second one, whose entries are numbered after all requests. A job's rank, and which of its requests are in their heaps, are found anew when
what it holds, waits for or is known to want has changed; so a decision costs a look at each group, and the logarithm of the jobs for each that changed.
Where a group's first does not stand for the others, the caller lists all candidates instead.
"""

from __future__ import annotations

from engine.jit import inlined
from engine.schedulers.policy import NEVER, PASS_OVER, STARVED
from engine.schedulers.terms.queue_sharing import how_of, job_rank
from engine.schedulers.view import FIFO, MASTER, NO_QUEUES, PER_JOB
from engine.simulation.kernel.admission import may_run
from engine.simulation.kernel.candidates import NO_LIMITS, could_be_placed, is_offered, within_limits
from engine.simulation.kernel.fair_shares import fair_share, held_share, most_reserved, nodes_reserved
from engine.simulation.kernel.fair_updates import is_known_to_want
from engine.simulation.kernel.waiting import may_reserve
from engine.simulation.workload import NO_LIMIT

UNKNOWN = -2  # all candidates are to be listed
BRANCHES = 4  # of which one line of the cache holds the ranks


@inlined
def shortlist(v, s, node, now, limits, line, admission, table):
    """Fill v.candidates with the first of each group that the node could be given or reserve, in the order of requests; how many, or UNKNOWN."""
    for place in range(s.stale_count[0]):
        job = s.stale_jobs[place]
        s.is_stale[job] = 0
        find_place(v, s, job, line)
    s.stale_count[0] = 0
    if s.odd_count[0] > 0 or s.map_slots[node] != NO_LIMIT or s.reduce_slots[node] != NO_LIMIT:
        return UNKNOWN
    memory, vcores = v.node_free_memory[node], v.node_free_vcores[node]
    count = 0
    parks = s.reserving_count[0] > 0  # where nothing can be given: does the node wait for any change, whatever else was held back?
    for group in range(s.group_count[0]):
        if s.group_size[group] == 0:
            continue
        first = s.group_begin[group]
        request = s.ranked[first]
        fits = s.group_memory[group] <= memory and s.group_vcores[group] <= vcores
        if fits and limits != NO_LIMITS and not within_limits(v, request, limits):
            return UNKNOWN
        if not fits:
            if s.stops_job[0] == NEVER:
                continue
            if not could_be_placed(v, s, node, request, limits):
                return UNKNOWN
            if not may_reserve(v, s, request):
                continue
            if s.preempts[0] == 0:
                reservers = s.group_count[0] + group
                if s.group_size[reservers] == 0:
                    continue
                request = s.ranked[s.group_begin[reservers]] - len(v.request_memory)
        if request % PER_JOB == MASTER and not may_run(s, request // PER_JOB, line, admission, table, now):
            if s.masters_alike[0] == 0:
                return UNKNOWN
            parks = parks or fits
            continue
        if not fits and not is_offered(v, s, node, request, limits):
            return UNKNOWN
        count = insert(v, request, count)
        if s.shortlist_depth[0] > 1 and s.group_size[group] > 1:
            count = insert(v, s.ranked[first_of_children(s, first, first + s.group_size[group], first)], count)
    return count if count > 0 or parks else UNKNOWN


def insert(v, request, count):
    """One candidate more, in the order of requests."""
    place = count
    while place > 0 and v.candidates[place - 1] > request:
        v.candidates[place] = v.candidates[place - 1]
        place -= 1
    v.candidates[place] = request
    return count + 1


def find_place(v, s, job, line):
    """The job's rank, and its requests' places in their heaps."""
    how = s.ranks_by[0] if v.tree[0] == NO_QUEUES else how_of(s.ranks_by[0], v.queue_policy[v.job_queue[job]])
    first, second = 0.0, 0.0
    if how != FIFO:
        _, first, second = job_rank(v, how, job)
    moves = direction(first, second, s.rank_first[job], s.rank_second[job])
    s.rank_first[job], s.rank_second[job] = first, second
    s.rank_first[len(v.job_queue) + job], s.rank_second[len(v.job_queue) + job] = first, second
    s.held_share[job] = held_share(v, how, job)
    s.is_starving[job] = s.reserves[0] == STARVED and s.held_share[job] < fair_share(v, how, job)
    reserves = s.is_starving[job] == 1 and nodes_reserved(v, job) < most_reserved(len(v.node_memory))
    wants = v.job_runs_since[job] >= 0 and (v.update_interval[0] == 0 or is_known_to_want(v, job))
    base = PER_JOB * job
    for request in range(base, base + PER_JOB):
        if v.request_waiting[request] > 0 or s.ranked_place[request] >= 0:
            is_in = wants and v.request_waiting[request] > 0 and not is_behind(v, s, base, request)
            if is_in and request == base + MASTER:
                is_in = line == PASS_OVER or s.admitted[job] == 1 or s.admits_all[0] == 1
            keep_place(s, request, is_in, moves)
            keep_place(s, len(v.request_memory) + request, is_in and reserves and may_reserve(v, s, request), moves)
    is_odd = v.request_waiting[base + MASTER] > 0 and v.request_waiting[base + 1] + v.request_waiting[base + 2] > 0
    s.odd_count[0] += is_odd - s.is_odd[job]
    s.is_odd[job] = is_odd


def direction(first, second, first_before, second_before):
    """-1: a rank stands further in front than before, 1: further behind, 0: where it stood."""
    if first != first_before:
        return -1 if first < first_before else 1
    if second != second_before:
        return -1 if second < second_before else 1
    return 0


def keep_place(s, entry, is_in, moves):
    """In its heap or not, and where it now belongs there; moves: direction of its job's rank."""
    place = s.ranked_place[entry]
    if is_in and place < 0:
        enter(s, entry)
    elif not is_in and place >= 0:
        leave(s, entry)
    elif is_in and moves < 0:
        rise(s, entry, place)
    elif is_in and moves > 0:
        sink(s, entry, place)


def is_behind(v, s, base, request):
    """Does an earlier request of the job stand for it? One of its group always does, under an order that stops jobs any."""
    stands = False
    for earlier in range(base, request):
        stands = stands or (v.request_waiting[earlier] > 0 and (s.stops_job[0] != NEVER or s.group_of[earlier] == s.group_of[request]))
    return stands


def stands_before(s, entry, first, second, place):
    """By rank, then in the order of requests: before the one at a place; first, second: its job's two ratios."""
    if first != s.ranked_first[place]:
        return first < s.ranked_first[place]
    if second != s.ranked_second[place]:
        return second < s.ranked_second[place]
    return entry < s.ranked[place]


def put(s, entry, first, second, place):
    s.ranked[place], s.ranked_first[place], s.ranked_second[place] = entry, first, second
    s.ranked_place[entry] = place


def enter(s, entry):
    group = s.group_of[entry]
    place = s.group_begin[group] + s.group_size[group]
    s.group_size[group] += 1
    rise(s, entry, place)


def leave(s, entry):
    """The last of its heap takes its place."""
    group = s.group_of[entry]
    place = s.ranked_place[entry]
    s.ranked_place[entry] = -1
    s.group_size[group] -= 1
    last = s.ranked[s.group_begin[group] + s.group_size[group]]
    if last != entry and rise(s, last, place) == place:
        sink(s, last, place)


def rise(s, entry, place):
    """Towards the first of its heap, as far as it stands before others; its place."""
    job = entry // PER_JOB
    begin, first, second = s.group_begin[s.group_of[entry]], s.rank_first[job], s.rank_second[job]
    while place > begin:
        parent = begin + (place - begin - 1) // BRANCHES
        if not stands_before(s, entry, first, second, parent):
            break
        put(s, s.ranked[parent], s.ranked_first[parent], s.ranked_second[parent], place)
        place = parent
    put(s, entry, first, second, place)
    return place


def sink(s, entry, place):
    """Away from the first of its heap, as far as others stand before it."""
    job, group = entry // PER_JOB, s.group_of[entry]
    first, second = s.rank_first[job], s.rank_second[job]
    begin = s.group_begin[group]
    end = begin + s.group_size[group]
    child = first_of_children(s, begin, end, place)
    while child >= 0 and not stands_before(s, entry, first, second, child):
        put(s, s.ranked[child], s.ranked_first[child], s.ranked_second[child], place)
        place = child
        child = first_of_children(s, begin, end, place)
    put(s, entry, first, second, place)


def first_of_children(s, begin, end, place):
    """Who stands first below a place of the heap from begin to end, -1 where there is nobody."""
    child = begin + BRANCHES * (place - begin) + 1
    best = child if child < end else -1
    for other in range(child + 1, min(child + BRANCHES, end)):
        if stands_before(s, s.ranked[other], s.ranked_first[other], s.ranked_second[other], best):
            best = other
    return best
