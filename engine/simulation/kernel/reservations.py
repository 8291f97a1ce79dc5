"""Reserved nodes: a request that was chosen and did not fit keeps a node until it fits, or until its job can't use it any more.

In Hadoop  FSAppAttempt.reserve, unreserve, assignReservedContainer; AbstractYarnScheduler.doneApplicationAttempt
"""

from __future__ import annotations

from engine.schedulers.view import PER_JOB
from engine.simulation.kernel.candidates import within_limits
from engine.simulation.kernel.clock import wake_parked


def reserve(v, s, node, request):
    v.node_reserved[node] = request
    v.request_reserved[request] += 1
    s.event_count[0] += 1
    wake_parked(s)


def give_up(v, s, node):
    v.request_reserved[v.node_reserved[node]] -= 1
    v.node_reserved[node] = -1
    s.event_count[0] += 1
    wake_parked(s)


def fits_now(v, s, node, request):
    return v.node_free_memory[node] >= v.request_memory[request] and v.node_free_vcores[node] >= s.fit_vcores[request]


def is_wanted(v, s, node, limits):
    """Can the job that a node is reserved for still use it?"""
    request = v.node_reserved[node]
    return v.request_waiting[request] > 0 and (limits == 0 or within_limits(v, request, limits))


def jobs_leave(v, s):
    """The end of a beat: jobs whose last container's end was seen on it are gone, and so is what was reserved for them."""
    for i in range(s.leaving_count[0]):
        job = s.leaving[i]
        v.job_is_active[job] = 0
        first = PER_JOB * job
        if v.request_reserved[first] + v.request_reserved[first + 1] + v.request_reserved[first + 2] > 0:
            for node in range(len(v.node_reserved)):
                if v.node_reserved[node] // PER_JOB == job:
                    give_up(v, s, node)
    s.leaving_count[0] = 0
    s.shares_are_stale[0] = 1
    wake_parked(s)
