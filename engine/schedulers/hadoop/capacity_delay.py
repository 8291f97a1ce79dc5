"""How CapacityScheduler lets a job with waiting maps wait for nodes near their blocks: it counts the
heartbeats on which they are asked (LOCALITY-3).

In Hadoop  RegularContainerAllocator.tryAllocateOnNode, canAssign, getLocalityWaitFactor, doAllocation
A node with a block is taken at once, one on its rack after more than `node_delay` heartbeats; any after more
than `off_rack_delay` heartbeats beyond those, or where that is -1 the waiting maps times the part that the
job's places are of the nodes: each with a block of any of its maps, for a master names those where none waits
any more with a count of 0, and the scheduler keeps them. All are at most the number of nodes. A node that is
given or reserved for a block on it or on its rack begins the count anew. Within a heartbeat the scheduler
counts down by itself: a place is gone with the last of its maps, but a rack keeps a map that was given as if
it were far, for the master has not yet said that it runs that one.
"""

import numpy as np

from engine.schedulers.policy import RUN, StateArray
from engine.schedulers.view import DELAYED, MAP, NODE_LOCAL, OFF_SWITCH, RACK_LOCAL, job_of, kind_of

DELAY_MEMORY = (StateArray("node_delay", RUN), StateArray("off_rack_delay", RUN))


def count_missed_opportunity(view, job):
    """One heartbeat more; more than there are nodes are as many."""
    if view.job_missed_opportunities[job] <= len(view.node_memory):
        view.job_missed_opportunities[job] += 1
        view.missed_opportunities_changed = 1


def allowed_locality(view, request):
    """A request is asked: as what would it take the node? ANYWHERE where nothing is delayed."""
    job = job_of(view, request)
    if kind_of(view, request) != MAP or view.job_block_locations[job] == 0:
        return OFF_SWITCH
    count_missed_opportunity(view, job)
    nodes, missed = view.cluster_nodes, view.job_missed_opportunities[job]
    locality = known_locality(view, job)
    if locality == NODE_LOCAL:
        return NODE_LOCAL
    if locality == RACK_LOCAL and min(nodes, view.node_delay[0]) < missed:
        return RACK_LOCAL
    if view.off_rack_delay[0] > -1:
        return OFF_SWITCH if min(nodes, view.node_delay[0] + view.off_rack_delay[0]) < missed else DELAYED
    places = view.job_block_locations[job]
    if view.job_locality_before[job] == NODE_LOCAL:
        places -= 1
    if view.job_locality_before[job] <= RACK_LOCAL < locality:
        places -= 1
    part = min(np.float32(places) / np.float32(nodes), np.float32(1.0))
    return (
        OFF_SWITCH
        if min(np.float32(nodes), np.float32(view.request_waiting[request]) * part) < missed
        else DELAYED
    )


def known_locality(view, job):
    """How near the scheduler takes the job's waiting maps to be."""
    return (
        min(view.job_locality[job], RACK_LOCAL)
        if view.job_off_switch_maps[job] > 0
        else view.job_locality[job]
    )


def note_allocation(view, request, locality):
    """It is given the node, or reserves it."""
    if kind_of(view, request) == MAP:
        job = job_of(view, request)
        if locality == OFF_SWITCH and view.job_locality[job] <= RACK_LOCAL:
            view.job_off_switch_maps[job] += 1
        elif locality == RACK_LOCAL and view.job_locality[job] > RACK_LOCAL:
            view.job_off_switch_maps[job] -= 1
    if locality < OFF_SWITCH:
        view.is_off_switch = 0
        view.job_missed_opportunities[job_of(view, request)] = 0
        view.missed_opportunities_changed = 1
