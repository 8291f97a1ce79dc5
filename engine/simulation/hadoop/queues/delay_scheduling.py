"""Delay scheduling: a job lets nodes pass that are far from its maps' blocks, until it has missed too many
(LOCALITY-3, LOCALITY-4).

In Hadoop  FSAppAttempt.assignContainer, getAllowedLocalityLevel, allocate;
           RegularContainerAllocator.tryAllocateOnNode, canAssign, doAllocation
Every heartbeat on which an order comes to a job's maps counts, whether a map fits the node or not, so nodes
are asked as long as that changes anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import NODE_LOCAL, OFF_SWITCH, RELAXED, STARVED
from engine.run_records import JOB, RUN, Floats, Ints, Record, Size, array, number
from engine.simulation.applications.seam import nearest_distance, prefers_nodes
from engine.simulation.hadoop.fair.reservable_nodes import is_reservable
from engine.simulation.hadoop.queues.reservations import fits_now
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.waiting_requests import may_reserve

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Delays(Record):
    """Jobs that wait for nearer nodes."""

    delays: int = number("", "NO_DELAYS, RELAXED or COUNTED (codes.py); NO_DELAYS where maps have no blocks")
    max_off_switch: int = number(
        "", "containers far from their blocks that a node is given on a heartbeat, 0: no limit of their own"
    )
    missed_streak: Ints = array(
        Size(RUN, 2),
        "",
        "heartbeats on which nothing but missed scheduling opportunities changed, the last of them in "
        "a row, and event_count then",
    )
    allowed_distance: Ints = array(
        JOB,
        "",
        "how far from its blocks a job takes nodes, -1 before it was asked; under RELAXED",
        initial=-1,
    )
    max_missed: Floats = array(
        Size(RUN, 2),
        "",
        "missed opportunities, as a part of the nodes, after which it takes farther ones: than node- "
        "local, than rack-local",
    )


# rounds: counts that a refused container sets back again and again lead nowhere, and are no sign that
# anything will happen
ENDLESS = 400


def passes_over(v: View, s: State, node: int, request: int) -> bool:
    """The order has come to a request: is it one of maps that let the node pass, or that neither fit it nor
    may reserve it?
    """
    if s.delays != RELAXED or not prefers_nodes(v, request):
        return False
    if skips_node(v, s, node, request):
        return True
    reserves = s.reserves == STARVED and may_reserve(v, s, request) and is_reservable(v, s, node, request)
    return not reserves and not fits_now(v, s, node, request)


def skips_node(v: View, s: State, node: int, request: int) -> bool:
    """One more heartbeat on which a job's maps are asked: are all their blocks farther than the job takes
    now?
    """
    job = v.request_job[request]
    # more than that is as much
    has_changed = v.job_missed_opportunities[job] <= v.cluster_nodes * max(
        s.max_missed[NODE_LOCAL], s.max_missed[NODE_LOCAL + 1]
    )
    v.job_missed_opportunities[job] += has_changed
    level = s.allowed_distance[job]
    if level < 0 or (
        level < OFF_SWITCH and v.job_missed_opportunities[job] > v.cluster_nodes * s.max_missed[level]
    ):
        v.job_missed_opportunities[job] *= level < 0
        s.allowed_distance[job] = level + 1
        has_changed = True
    if has_changed:
        s.event_count += 1
        wake_parked(s)
    return nearest_distance(v, s, job, node) > s.allowed_distance[job]


def note_distances(v: View, s: State, node: int, is_first_ask: bool) -> None:
    """For an order that delays maps itself: how far the node is from their blocks, and was when the heartbeat
    began.
    """
    for i in range(v.waiting_count):
        if prefers_nodes(v, v.waiting_requests[i]):
            job = v.request_job[v.waiting_requests[i]]
            v.job_locality[job] = nearest_distance(v, s, job, node)
            if is_first_ask:
                v.job_locality_before[job], v.job_off_switch_maps[job] = v.job_locality[job], 0


def note_missed(v: View, s: State) -> None:
    """Such an order may have counted a heartbeat for some job: then others may be served on the next one."""
    if v.missed_opportunities_changed == 1:
        v.missed_opportunities_changed = 0
        s.missed_streak[0] = s.missed_streak[0] + 1 if s.missed_streak[1] == s.event_count else 0
        if s.missed_streak[0] < ENDLESS * len(s.awake):
            s.event_count += 1
        s.missed_streak[1] = s.event_count
        wake_parked(s)
