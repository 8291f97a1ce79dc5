"""Beats: when the next one is due, and what happens at one (model 3, 4, 13).

Node i of N beats at i * heartbeat // N and every heartbeat after. The walk over the nodes stands at `beat_node` of round `beat_round`;
with a heartbeat of 0 all rounds belong to one instant, until one of them places nothing.
"""

from __future__ import annotations

from engine.jit import call, inlined
from engine.schedulers.policy import ACTIVATE, COUNTED, NO_DELAYS, NO_RESERVATIONS, ORDER_JOBS, PASS_OVER, RELAXED, STARVED, WALKED
from engine.schedulers.terms.capacity_delay import count_missed
from engine.schedulers.terms.capacity_walk import is_full
from engine.schedulers.view import BY_MEMORY_FOR_SIZE, LEAVE, MAP, MARKED, MARKED_LATER, MASTER, PER_JOB, UNLISTED
from engine.simulation.kernel.admission import admit_in_line, may_run
from engine.simulation.kernel.candidates import could_be_placed, list_candidates
from engine.simulation.kernel.capacity_monitor import next_round
from engine.simulation.kernel.claimed_room import drop_claims
from engine.simulation.kernel.clock import next_awake, park, sleep, wake_parked
from engine.simulation.kernel.delays import lets_pass, note_distances, note_missed, passes_over
from engine.simulation.kernel.fair_shares import beats_so_far
from engine.simulation.kernel.fair_updates import next_update, note_beat
from engine.simulation.kernel.out_of_band import first_due
from engine.simulation.kernel.outages import next_outage
from engine.simulation.kernel.preemption import next_kill
from engine.simulation.kernel.reservations import fits_now, give_up, has_slot, is_wanted, jobs_leave, reserve
from engine.simulation.kernel.running import place, see
from engine.simulation.kernel.shortlist import UNKNOWN, shortlist
from engine.simulation.kernel.speculation import next_look
from engine.simulation.kernel.state import FAR, FORGONE, NO_OTHER
from engine.simulation.kernel.windows import next_window, wake_masters

PLACED, BAD_ANSWER, MORE_CONTAINERS, MORE_WIDTH = range(4)  # what came of a beat


@inlined
def next_instant(v, s, heartbeat):
    """The earliest end, timer, window, arrival or beat after the instant that is over; FAR when there is none."""
    if s.resting_count[0] > 0:
        wake_masters(v, s, v.now[0] + 1)
    upcoming = min(s.times[1], next_window(s, v.now[0]), next_update(v, s, v.now[0]), next_outage(s), next_look(s, v.now[0]), next_round(v, s, v.now[0]))
    arrived = s.arrived_jobs[0]
    if arrived < len(v.job_arrival):
        upcoming = min(upcoming, v.job_arrival[arrived])
    if s.preempts[0] == 1:
        upcoming = min(upcoming, next_kill(s))
        if upcoming < FAR:  # starvation grows with time: where anything is still to come, no update is left out
            upcoming = min(upcoming, (v.now[0] // v.update_interval[0] + 1) * v.update_interval[0])
    if heartbeat > 0 and (upcoming < FAR or s.quiet_beats[0] <= len(s.awake) or s.event_count[0] != s.quiet_event_count[0]):
        node = next_awake(s, s.beat_node[0])
        turn = s.beat_round[0]
        if node < 0:
            node = next_awake(s, 0)
            turn += 1
        if node >= 0:
            upcoming = min(upcoming, node * heartbeat // len(s.awake) + turn * heartbeat)
    return upcoming


def turn_to(s, now, heartbeat):
    """The walk over the nodes goes on to the first one that beats at `now` or later."""
    if heartbeat > 0:
        turn = now // heartbeat
        due = (now % heartbeat * len(s.awake) + heartbeat - 1) // heartbeat
        if turn > s.beat_round[0] or (turn == s.beat_round[0] and due > s.beat_node[0]):
            s.beat_round[0] = turn
            s.beat_node[0] = due
    else:
        s.beat_node[0] = 0


@inlined
def next_beating(s, now, heartbeat):
    """The next node that beats at this instant and is awake, or that is due out of band; -1 when there is none, or no job is left."""
    if s.unfinished_jobs[0] == 0:
        return -1
    node = next_awake(s, s.beat_node[0])
    turn = s.beat_round[0]
    if node < 0:
        node = next_awake(s, 0)
        turn += 1
    if heartbeat > 0:
        is_regular = node >= 0 and node * heartbeat // len(s.awake) + turn * heartbeat == now
        if s.due_count[0] > 0:
            due = first_due(s, node if is_regular else len(s.awake), now, heartbeat)
            if due >= 0:
                return due
        if not is_regular:
            return -1
        s.beat_round[0] = turn
        s.is_extra[0] = 0
    s.beat_node[0] = node + 1
    return node


@inlined
def beat(v, s, node, now, per_beat, limits, line, slowed, functions, order, order_table, admission, admission_table):
    """A node's beat: the scheduler sees what ended there, then places what its order chooses. Returns PLACED or why it can't go on."""
    if s.reserves[0] == WALKED and v.heartbeat[0] > 0:
        v.beats[0] = beats_so_far(v, s)
    if s.unseen[node] > 0:
        see(v, s, node, now)
        wake_parked(s)
    note_beat(v, s)
    done = PLACED
    before = s.event_count[0]
    if s.preempts[0] == 1 and s.node_claims[node] > 0:
        done = serve_claims(v, s, node, now, limits, line, slowed, functions, order_table, admission, admission_table)
        if done != PLACED:
            return done
    if v.node_reserved[node] < 0 or gives_up(v, s, node, now, limits, line, admission, admission_table):
        done = serve(v, s, node, now, per_beat, limits, line, slowed, functions, order, order_table, admission, admission_table)
    elif v.node_reserved[node] >= 0 and is_taken(v, s, node, v.node_reserved[node]):
        done = start_reserved(v, s, node, now, slowed, functions, order_table)
    elif v.node_reserved[node] >= 0:
        v.request_reserved_extra[v.node_reserved[node]] += s.is_extra[0]
        if s.event_count[0] == before:
            park(s, node)
    if s.leaving_count[0] > 0 and done == PLACED:
        jobs_leave(v, s, line, admission, admission_table, now)
    s.quiet_beats[0] = s.quiet_beats[0] + 1 if s.event_count[0] == s.quiet_event_count[0] else 0
    s.quiet_event_count[0] = s.event_count[0]
    return done


def is_taken(v, s, node, request):
    """Does the request that a node is reserved for get it on this beat?"""
    if s.delays[0] == COUNTED and request % PER_JOB == MAP:
        count_missed(v, request // PER_JOB)
        note_missed(v, s)
    if not fits_now(v, s, node, request) or not has_slot(s, node, request):
        return False
    return s.delays[0] != RELAXED or request % PER_JOB != MAP or not lets_pass(v, s, node, request)


def gives_up(v, s, node, now, limits, line, admission, table):
    """Is the node free for others on this beat? A job that can't use it any more gives it up, under capacity with effect from the next beat."""
    if is_wanted(v, s, node, now, limits, line, admission, table):
        return False
    give_up(v, s, node)
    return s.reserves[0] == STARVED


@inlined
def serve(v, s, node, now, per_beat, limits, line, slowed, functions, order, order_table, admission, admission_table):
    """What the order chooses is placed, or reserves the node, until it leaves it. Returns PLACED or why it can't go on."""
    placed = off_switch = 0
    half_memory, half_vcores = v.node_free_memory[node] - v.node_free_memory[node] // 2, v.node_free_vcores[node] - v.node_free_vcores[node] // 2
    may_sleep = (s.preempts[0] == 0 or s.node_claims[node] == 0) and s.reserving_count[0] == 0 and s.walks_always[0] == 0 and s.delays[0] == NO_DELAYS
    while goes_on(v, s, node, placed, per_beat, half_memory, half_vcores) and (s.most_off_switch[0] == 0 or off_switch < s.most_off_switch[0]):
        if s.masters_in_line[0] > 0 and line != ACTIVATE:
            admit_in_line(v, s, node, admission, admission_table, now)
        count, held_back = UNKNOWN, True
        forgoes = s.forgo_container[0] == s.container_count[0] and s.forgo_node[0] == node
        is_unlisted = s.walks_unlisted[0] == 1 and not forgoes and is_all_offered(v, s, node, line)
        if forgoes:
            count, is_active, runs_since = forgo(v, s, node, now, limits, line, admission, admission_table)
        elif is_unlisted and s.reserves[0] == WALKED and is_full(v, node):
            v.waits_for_time[0] = 0
            park(s, node)
            return PLACED
        elif is_unlisted:
            count, held_back = UNLISTED, False
        elif s.ranks_by[0] > 0:
            count = shortlist(v, s, node, now, limits, line, admission, admission_table)
        if count == UNKNOWN:
            count, held_back = list_candidates(v, s, node, now, limits, line, admission, admission_table)
        before = s.event_count[0]
        chosen = LEAVE
        if count > 0 or is_unlisted or s.walks_always[0] == 1:
            if s.delays[0] == COUNTED:
                note_distances(v, s, node, placed == 0)
            chosen = call(order, order_table, node, count)
            if is_unlisted and chosen == 0 and is_held_master(v, s, now, line, admission, admission_table):
                count, held_back = list_candidates(v, s, node, now, limits, line, admission, admission_table)
                chosen = call(order, order_table, node, count) if count > 0 else LEAVE
            forget_changes(v, s)
            note_missed(v, s)
        while 0 <= chosen < count and passes_over(v, s, node, v.candidates[chosen]):
            count -= 1
            v.candidates[chosen:count] = v.candidates[chosen + 1 : count + 1]
            chosen = call(order, order_table, node, count) if count > 0 else LEAVE
        if forgoes:
            v.job_is_active[s.forgo_job[0]], v.job_runs_since[s.forgo_job[0]] = is_active, runs_since
        if chosen < LEAVE or chosen >= max(count, 1):
            return BAD_ANSWER
        if chosen == LEAVE:
            if v.waits_for_time[0] == 1 or s.event_count[0] != before or forgoes:
                v.waits_for_time[0] = 0
            elif held_back or count > 0 or not may_sleep:
                park(s, node)
            else:
                sleep(s, node)
            return PLACED
        request = v.candidates[chosen]
        if v.give_up_node[0] >= 0:
            give_up(v, s, v.give_up_node[0])
            v.give_up_node[0] = -1
        if s.reserves[0] != NO_RESERVATIONS and not fits_now(v, s, node, request):
            reserve(v, s, node, request)
            return PLACED
        done = start(v, s, request, node, now, slowed, functions, order_table)
        if done != PLACED:
            return done
        placed += 1
        off_switch += v.is_off_switch[0]
    if may_sleep and (v.node_free_memory[node] < s.least_waiting_memory[0] or v.node_free_vcores[node] < s.least_waiting_vcores[0]):
        sleep(s, node)
    return PLACED


def forgo(v, s, node, now, limits, line, admission, table):
    """One choice of a run is changed: the job that was served is no candidate of it, if another one is; a walk down the queues does not meet it either.

    Returns (how many candidates there are, job_is_active, job_runs_since), the latter two to be put back once the order was asked; fair shares, whose
    list would forget the job, are not found in between.
    """
    job, only_first = s.forgo_job[0], s.serves_first[0]
    is_active, runs_since = v.job_is_active[job], v.job_runs_since[job]
    s.serves_first[0] = 0
    count, _ = list_candidates(v, s, node, now, limits, line, admission, table)
    s.serves_first[0] = only_first
    others = 0
    for i in range(count):
        others += v.candidates[i] // PER_JOB != job
    if others == 0:
        s.forgo_container[0] = NO_OTHER
    elif others < count:  # if it is none, the node was asked for this container before, in vain
        s.forgo_container[0] = FORGONE
        v.job_is_active[job], v.job_runs_since[job] = 0, -1
        kept = 0
        for i in range(count):
            if v.candidates[i] // PER_JOB != job:
                v.candidates[kept] = v.candidates[i]
                kept += 1
        count = kept
    return count, is_active, runs_since


@inlined
def is_all_offered(v, s, node, line):
    """Is every request that waits one that may be placed as far as it fits? To an order that reserves all are, whether they fit or not."""
    if s.reserves[0] == WALKED:
        return s.reserving_count[0] > 0
    has_room = v.node_free_memory[node] >= s.least_waiting_memory[0] and v.node_free_vcores[node] >= s.least_waiting_vcores[0]
    return has_room and (line == PASS_OVER or s.unadmitted_count[0] == 0) and s.kept_count[0] == 0


@inlined
def is_held_master(v, s, now, line, admission, table):
    """Is what an order found itself a master that may not start?"""
    request = v.candidates[0]
    return request % PER_JOB == MASTER and not may_run(s, request // PER_JOB, line, admission, table, now)


@inlined
def goes_on(v, s, node, placed, per_beat, half_memory, half_vcores):
    """May the node be given one container more on this beat (FairScheduler.shouldContinueAssigning)? half_*: what is to stay free of what was."""
    if s.assigns_half[0] == 0:
        return per_beat == 0 or placed < per_beat
    is_vcores_left = v.counts_vcores[0] == 0 or v.node_free_vcores[node] >= half_vcores
    return placed == 0 or (v.node_free_memory[node] >= half_memory and is_vcores_left)


def start(v, s, request, node, now, slowed, functions, order_table):
    """A container of the request starts on the node. Returns PLACED or why it can't."""
    if s.container_count[0] == len(s.container_job):
        return MORE_CONTAINERS
    if s.row_count[node] == s.row_width[0]:
        return MORE_WIDTH
    job = request // PER_JOB
    begins = v.job_start[job] < 0
    place(v, s, request, node, now, slowed)
    if begins and s.order_follows_jobs[0] == 1:
        call(functions[ORDER_JOBS], order_table, job, now)
    wake_parked(s)
    return PLACED


def take_reserved_code(v, s, node):
    """What a node was reserved for was a container already, and keeps its number."""
    if s.preempts[0] == 1:
        s.container_code[s.container_count[0] - 1] = s.reserved_code[node]
        s.containers_made[v.node_reserved[node] // PER_JOB] -= 1


def serve_claims(v, s, node, now, limits, line, slowed, functions, order_table, admission, admission_table):
    """Jobs for which room was made on the node come before all others. Returns PLACED or why it can't go on."""
    drop_claims(v, s, node, False)
    claim = 0
    while claim < s.claim_count[0]:
        job = s.claim_job[claim]
        request = -1
        if s.claim_node[claim] == node:
            request = first_for(v, s, node, job, now, limits, line, admission, admission_table)
        if request < 0:
            claim += 1
            continue
        done = start(v, s, request, node, now, slowed, functions, order_table)
        if done != PLACED:
            return done
        if claim < s.claim_count[0] and (s.claim_job[claim] != job or s.claim_node[claim] != node):
            continue  # it had all it claimed, and the next stands in its place
    return PLACED


def first_for(v, s, node, job, now, limits, line, admission, table):
    """The job's first request that could be placed on the node, if it fits now; -1 otherwise (FSAppAttempt.assignContainer)."""
    for request in range(PER_JOB * job, PER_JOB * job + PER_JOB):
        if v.request_waiting[request] > 0 and could_be_placed(v, s, node, request, limits):
            may_start = request % PER_JOB != MASTER or may_run(s, job, line, admission, table, now)
            return request if may_start and fits_now(v, s, node, request) and has_slot(s, node, request) else -1
    return -1


def start_reserved(v, s, node, now, slowed, functions, order_table):
    """The container that a node is reserved for; a leaf is not told of it (AbstractLeafQueue.apply)."""
    request = v.node_reserved[node]
    job = request // PER_JOB
    marked = v.job_is_marked[job]
    done = start(v, s, request, node, now, slowed, functions, order_table)
    if done == PLACED:
        take_reserved_code(v, s, node)
        give_up(v, s, node)
    if marked != MARKED and request % PER_JOB != MASTER and v.queue_ordering[v.job_queue[job]] == BY_MEMORY_FOR_SIZE:
        marked = MARKED_LATER
    v.job_is_marked[job] = marked
    return done


def forget_changes(v, s):
    """The order has been asked: it knows what every job holds."""
    for entry in range(1, v.changed[0] + 1):
        s.is_changed[v.changed[entry]] = 0
    v.changed[0] = 0
