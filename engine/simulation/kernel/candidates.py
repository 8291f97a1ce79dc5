"""What may be placed on a node: requests that fit it, within their queues' limits, of masters that are admitted (model 13)."""

from __future__ import annotations

from engine.schedulers.view import MAP, MASTER, PER_JOB, REDUCE
from engine.simulation.kernel.admission import may_run

NO_LIMITS, MAX_SHARES, MAX_CAPACITIES = range(3)  # which limits of queues hold


def used_share(v, queue):
    """The dominant share of the cluster that a queue uses, or its memory's share."""
    share = v.queue_used_memory[queue] / v.cluster_memory[0]
    return max(share, v.queue_used_vcores[queue] / v.cluster_vcores[0]) if v.counts_vcores[0] else share


def within_limits(v, request, limits):
    """May the request's queue and all above it have one container more?"""
    queue = v.job_queue[request // PER_JOB]
    allowed = True
    while queue >= 0 and allowed:
        if limits == MAX_SHARES:
            allowed = v.queue_used_memory[queue] + v.request_memory[request] <= v.queue_max_memory[queue] and (
                v.counts_vcores[0] == 0 or v.queue_used_vcores[queue] + v.request_vcores[request] <= v.queue_max_vcores[queue]
            )
        elif v.queue_parent[queue] >= 0:
            allowed = used_share(v, queue) < v.queue_max_capacity[queue]
        queue = v.queue_parent[queue]
    return allowed


def list_candidates(v, s, node, now, limits, line, admission, table):
    """Fill v.candidates with what fits the node; (how many, was anything that fits held back)."""
    memory = v.node_free_memory[node]
    vcores = v.node_free_vcores[node]
    count = 0
    held_back = False
    if memory >= s.least_waiting_memory[0] and vcores >= s.least_waiting_vcores[0]:
        maps = s.used_map_slots[node] < s.map_slots[node]
        reduces = s.used_reduce_slots[node] < s.reduce_slots[node]
        everything = (
            memory >= s.most_waiting_memory[0] and vcores >= s.most_waiting_vcores[0] and s.unadmitted_count[0] == 0 and s.may_mark_reduces_first[0] == 0
        )
        if everything and maps and reduces and limits == NO_LIMITS:
            count = v.waiting_count[0]
            v.candidates[:count] = v.waiting_requests[:count]
            return count, held_back
        marks = s.may_mark_reduces_first[0] == 1
        for i in range(v.waiting_count[0]):
            if s.waiting_memory[i] <= memory and s.waiting_vcores[i] <= vcores:
                request = v.waiting_requests[i]
                kind = request % PER_JOB
                if (kind == MAP and not maps) or (kind == REDUCE and not reduces):
                    continue
                if limits != NO_LIMITS and not within_limits(v, request, limits):
                    held_back = True
                    continue
                if kind == MASTER and not may_run(s, request // PER_JOB, line, admission, table, now):
                    held_back = True
                    continue
                if marks and kind == MAP and s.reduces_first[request // PER_JOB] == 1 and count > 0 and v.candidates[count - 1] == request - MAP + REDUCE:
                    continue
                v.candidates[count] = request
                count += 1
    return count, held_back
