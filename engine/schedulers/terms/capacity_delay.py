"""How CapacityScheduler lets a job with waiting maps wait for nodes near their blocks: it counts the beats on which they are asked.

In Hadoop  RegularContainerAllocator.tryAllocateOnNode, canAssign, getLocalityWaitFactor, doAllocation
A node with a block is taken at once, one on its rack after more than `node_delay` beats, any after more than the waiting maps times the part
that their places are of the nodes (rack-locality-additional-delay is -1); all are at most the number of nodes. One that is given or reserved
for a block on the node or its rack begins the count anew.
"""

import numpy as np

from engine.schedulers.policy import RUN, Memory
from engine.schedulers.view import MAP, job_of, kind_of

ON_NODE, ON_RACK, ANYWHERE, TOO_FAR = range(4)  # what a node is taken as
DELAY_MEMORY = (Memory("node_delay", RUN),)


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
    if view.job_near[job] == ON_NODE:
        return ON_NODE
    if view.job_near[job] == ON_RACK and min(nodes, view.node_delay[0]) < missed:
        return ON_RACK
    part = min(np.float32(view.job_places[job]) / np.float32(nodes), np.float32(1.0))
    return ANYWHERE if min(np.float32(nodes), np.float32(view.request_waiting[request]) * part) < missed else TOO_FAR


def note_given(view, request, taken):
    """It is given the node, or reserves it."""
    if taken < ANYWHERE:
        view.is_off_switch[0] = 0
        view.job_missed[job_of(request)] = 0
        view.missed_changed[0] = 1
