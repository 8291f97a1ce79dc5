"""How CapacityScheduler lets a job with waiting maps wait for nodes near their blocks: it counts the beats on which they are asked.

In Hadoop  RegularContainerAllocator.tryAllocateOnNode, canAssign, getLocalityWaitFactor, doAllocation
A node with a block is taken at once, one on its rack after more than `node_delay` beats; any after more than `off_rack_delay` beats beyond
those, or where that is -1 the waiting maps times the part that the job's places are of the nodes: each with a block of any of its maps, for a
master names those where none waits any more with a count of 0, and the scheduler keeps them. All are at most the number of nodes. A node that
is given or reserved for a block on it or on its rack begins the count anew. Within a beat the scheduler counts down by itself: a place is gone
with the last of its maps, but a rack keeps a map that was given as if it were far, for the master has not yet said that it runs that one.
"""

import numpy as np

from engine.schedulers.policy import RUN, Memory
from engine.schedulers.view import MAP, job_of, kind_of

ON_NODE, ON_RACK, ANYWHERE, TOO_FAR = range(4)  # what a node is taken as
DELAY_MEMORY = (Memory("node_delay", RUN), Memory("off_rack_delay", RUN))


def count_missed(view, job):
    """One beat more; more than there are nodes are as many."""
    if view.job_missed[job] <= len(view.node_memory):
        view.job_missed[job] += 1
        view.missed_changed[0] = 1


def taken_as(view, request):
    """A request is asked: as what would it take the node? ANYWHERE where nothing is delayed."""
    job = job_of(request)
    if kind_of(request) != MAP or view.job_places[job] == 0:
        return ANYWHERE
    count_missed(view, job)
    nodes, missed = len(view.node_memory), view.job_missed[job]
    near = known_near(view, job)
    if near == ON_NODE:
        return ON_NODE
    if near == ON_RACK and min(nodes, view.node_delay[0]) < missed:
        return ON_RACK
    if view.off_rack_delay[0] > -1:
        return ANYWHERE if min(nodes, view.node_delay[0] + view.off_rack_delay[0]) < missed else TOO_FAR
    places = view.job_places[job]
    if view.job_was_near[job] == ON_NODE:
        places -= 1
    if view.job_was_near[job] <= ON_RACK < near:
        places -= 1
    part = min(np.float32(places) / np.float32(nodes), np.float32(1.0))
    return ANYWHERE if min(np.float32(nodes), np.float32(view.request_waiting[request]) * part) < missed else TOO_FAR


def known_near(view, job):
    """How near the scheduler takes the job's waiting maps to be."""
    return min(view.job_near[job], ON_RACK) if view.job_stray[job] > 0 else view.job_near[job]


def note_given(view, request, taken):
    """It is given the node, or reserves it."""
    if kind_of(request) == MAP:
        job = job_of(request)
        if taken == ANYWHERE and view.job_near[job] <= ON_RACK:
            view.job_stray[job] += 1
        elif taken == ON_RACK and view.job_near[job] > ON_RACK:
            view.job_stray[job] -= 1
    if taken < ANYWHERE:
        view.is_off_switch[0] = 0
        view.job_missed[job_of(request)] = 0
        view.missed_changed[0] = 1
