"""Reserved nodes: a request that was chosen and did not fit keeps a node until it fits, or until its job can't use it any more.

In Hadoop  FSAppAttempt.reserve, unreserve, assignReservedContainer; CapacityScheduler.allocateFromReservedContainer, FiCaSchedulerApp.reserve,
           unreserve; AbstractYarnScheduler.doneApplicationAttempt
"""

from __future__ import annotations

from engine.schedulers.policy import STARVED, WALKED
from engine.schedulers.view import PER_JOB
from engine.simulation.kernel.candidates import within_limits
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.fair_shares import jobs_change, nodes_reserved


def reserve(v, s, node, request):
    v.node_reserved[node] = request
    v.node_reserved_place[node] = s.reservation_count[0]
    s.reservation_count[0] += 1
    count_reserved(v, s, request, 1)


def give_up(v, s, node):
    request = v.node_reserved[node]
    v.node_reserved[node] = -1
    count_reserved(v, s, request, -1)


def count_reserved(v, s, request, change):
    v.request_reserved[request] += change
    v.request_reserved_most[request] = max(v.request_reserved_most[request], v.request_reserved[request]) if v.request_reserved[request] > 0 else 0
    v.request_reserved_at[request], v.request_reserved_by[request] = v.now[0], s.beating_node[0]
    if s.reserves[0] == WALKED:
        queue = v.job_queue[request // PER_JOB]
        while queue >= 0:
            v.queue_reserved_memory[queue] += change * v.request_memory[request]
            v.queue_reserved_vcores[queue] += change * v.request_vcores[request]
            queue = v.queue_parent[queue]
    s.event_count[0] += 1
    wake_parked(s)


def fits_now(v, s, node, request):
    return v.node_free_memory[node] >= v.request_memory[request] and v.node_free_vcores[node] >= s.fit_vcores[request]


def is_wanted(v, s, node, limits):
    """Can the job that a node is reserved for still use it? Limits of queues are asked under fair and drf alone."""
    request = v.node_reserved[node]
    return v.request_waiting[request] > 0 and (limits == 0 or s.reserves[0] != STARVED or within_limits(v, request, limits))


def jobs_leave(v, s):
    """The end of a beat: jobs whose last container's end was seen on it are gone, and so is what was reserved for them."""
    jobs_change(v, s)
    for i in range(s.leaving_count[0]):
        job = s.leaving[i]
        v.job_is_active[job] = 0
        if nodes_reserved(v, job) > 0:
            for node in range(len(v.node_reserved)):
                if v.node_reserved[node] // PER_JOB == job:
                    give_up(v, s, node)
    s.leaving_count[0] = 0
    wake_parked(s)
