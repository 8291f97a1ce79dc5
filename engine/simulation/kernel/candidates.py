"""What may be placed on a node: requests that fit it, within their queues' limits, of masters that are admitted (model 13)."""

from __future__ import annotations

from engine.kernel.admission import may_run
from engine.kernel.state import LEAST_MEMORY, LEAST_VCORES, MARKS, MASTERS, MOST_MEMORY, MOST_VCORES
from engine.speed import helper
from engine.view import KINDS, MAP, MASTER, REDUCE

NO_LIMITS, MAX_SHARES, MAX_CAPACITIES = range(3)  # which limits of queues hold


@helper
def used_share(v, queue):
    """The dominant share of the cluster that a queue uses, or its memory's share."""
    share = v.queue_used_memory[queue] / v.cluster_memory[0]
    return max(share, v.queue_used_vcores[queue] / v.cluster_vcores[0]) if v.counts_vcores[0] else share


@helper
def within_limits(v, request, limits):
    """May the request's queue and all above it have one container more?"""
    queue = v.job_queue[request // KINDS]
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


@helper
def list_candidates(v, s, node, now, limits, line, admission, table):
    """Fill v.candidates with what fits the node; (how many, was anything that fits held back)."""
    memory = v.node_free_memory[node]
    vcores = v.node_free_vcores[node]
    count = 0
    held_back = False
    if memory >= s.sizes[LEAST_MEMORY] and vcores >= s.sizes[LEAST_VCORES]:
        maps = s.used_map_slots[node] < s.map_slots[node]
        reduces = s.used_reduce_slots[node] < s.reduce_slots[node]
        everything = memory >= s.sizes[MOST_MEMORY] and vcores >= s.sizes[MOST_VCORES] and s.sizes[MASTERS] == 0 and s.sizes[MARKS] == 0
        if everything and maps and reduces and limits == NO_LIMITS:
            count = v.waiting_count[0]
            v.candidates[:count] = v.waiting[:count]
            return count, held_back
        marks = s.sizes[MARKS] == 1
        for i in range(v.waiting_count[0]):
            if s.waiting_memory[i] <= memory and s.waiting_vcores[i] <= vcores:
                request = v.waiting[i]
                kind = request % KINDS
                if (kind == MAP and not maps) or (kind == REDUCE and not reduces):
                    continue
                if limits != NO_LIMITS and not within_limits(v, request, limits):
                    held_back = True
                    continue
                if kind == MASTER and not may_run(s, request // KINDS, line, admission, table, now):
                    held_back = True
                    continue
                if marks and kind == MAP and s.reduces_first[request // KINDS] == 1 and count > 0 and v.candidates[count - 1] == request - MAP + REDUCE:
                    continue
                v.candidates[count] = request
                count += 1
    return count, held_back
