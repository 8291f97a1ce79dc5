"""Choosing down the queue tree: what fair, drf and capacity have in common.

In Hadoop  FSParentQueue and FSLeafQueue.assignContainer; AbstractParentQueue and AbstractLeafQueue
Each leaf ranks its jobs, each parent its children; who stands first has the smaller rank, which is three
numbers compared in turn: needy (-1) before not needy (0), then two ratios. A NaN difference is a tie, as
signum(NaN) cast to int is in Hadoop. Jobs tie in job order, queues by name, under capacity in the file's order.
Cost       one pass over the candidates and one over the queues
"""

import math

from engine.view import CAPACITY, FAIR, FIFO, KINDS, OWN


def ratio(part, whole):
    """part / whole as Java divides doubles: infinite or NaN where whole is 0."""
    if whole > 0:
        return part / whole
    return math.inf if part > 0 else math.nan


def compare(needy, first, second, other_needy, other_first, other_second):
    """Below 0 when the first rank stands before the other, above 0 when after it, 0 in a tie."""
    if needy != other_needy:
        return needy - other_needy
    if first < other_first:
        return -1.0
    if first > other_first:
        return 1.0
    if second < other_second:
        return -1.0
    return 1.0 if second > other_second else 0.0


def fair_rank(used, least, demand, weight):
    """FairSharePolicy: needy below min(minimum share, demand) by memory; else usage over weight."""
    least = min(least, demand)
    if used < least:
        return -1.0, used / max(least, 1), 0.0
    return 0.0, used / weight, 0.0


def drf_rank(memory, vcores, cluster_memory, cluster_vcores, least_memory, least_vcores, weight):
    """DominantResourceFairnessPolicy for two resources, with YARN-11482 mended (Hadoop 3.4)."""
    memory_share = memory / cluster_memory
    vcore_share = vcores / cluster_vcores
    if vcore_share > memory_share:
        if vcores < least_vcores:
            return -1.0, vcores / least_vcores, ratio(memory, least_memory)
        return 0.0, vcore_share / weight, memory_share / weight
    if memory < least_memory:
        return -1.0, memory / least_memory, ratio(vcores, least_vcores)
    return 0.0, memory_share / weight, vcore_share / weight


def capacity_rank(memory, vcores, cluster_memory, cluster_vcores, guaranteed, memory_only):
    """PriorityUtilizationQueueOrderingPolicy: used over guaranteed, then the larger guarantee.

    A guarantee counts as at least 1 MB or 1 vcore (ours; Hadoop: the minimum allocation).
    """
    used = memory / cluster_memory
    floor = 1.0 / cluster_memory
    if not memory_only:
        used = max(used, vcores / cluster_vcores)
        floor = max(floor, 1.0 / cluster_vcores)
    return 0.0, used / max(guaranteed, floor), -guaranteed


RANK = 3  # numbers in a rank: of jobs in `notes` (all first numbers, then all second ones …), of queues in `queue_keys`


def rank_changed(
    own, cluster_memory, cluster_vcores, job_queue, job_weight, job_min_memory, job_min_vcores, job_used_memory, job_used_vcores,
    changed, queue_policy, notes,
):  # fmt: skip
    """A job's rank depends on what it holds alone, so only those whose holdings changed are ranked anew."""
    jobs = len(job_queue)
    for place in range(1, changed[0] + 1):
        job = changed[place]
        if how_of(own, queue_policy[job_queue[job]]) == FAIR:
            needy, first, second = fair_rank(job_used_memory[job], 0, 0, job_weight[job])
        else:
            needy, first, second = drf_rank(
                job_used_memory[job], job_used_vcores[job], cluster_memory[0], cluster_vcores[0],
                job_min_memory[job], job_min_vcores[job], job_weight[job],
            )  # fmt: skip
        notes[job] = needy
        notes[jobs + job] = first
        notes[2 * jobs + job] = second


def best_of_all(candidates, count, jobs, notes):
    """The position of the candidate whose job stands first: `compare`, with what is most often true asked first."""
    best = 0
    job = candidates[0] // KINDS
    best_needy, best_first, best_second = notes[job], notes[jobs + job], notes[2 * jobs + job]
    for position in range(1, count):
        job = candidates[position] // KINDS
        needy, first = notes[job], notes[jobs + job]
        if needy > best_needy:
            continue
        if needy == best_needy and (first > best_first or (not first < best_first and not notes[2 * jobs + job] < best_second)):
            continue
        best = position
        best_needy, best_first, best_second = needy, first, notes[2 * jobs + job]
    return best


def best_of_leaves(own, candidates, count, job_queue, queue_policy, queue_best, notes):
    """queue_best = for each leaf the position of the candidate whose job stands first in it, -1 without any."""
    jobs = len(job_queue)
    queue_best[:] = -1
    for position in range(count):
        job = candidates[position] // KINDS
        queue = job_queue[job]
        if queue_best[queue] < 0:
            queue_best[queue] = position
        elif how_of(own, queue_policy[queue]) != FIFO:
            rival = candidates[queue_best[queue]] // KINDS
            if compare(
                notes[job], notes[jobs + job], notes[2 * jobs + job], notes[rival], notes[jobs + rival], notes[2 * jobs + rival]
            ) < 0:  # fmt: skip
                queue_best[queue] = position


def how_of(own, policy):
    """How a leaf orders its jobs."""
    if policy == OWN:
        return FIFO if own == CAPACITY else own
    return policy


def pick(
    own, memory_only, candidates, count, cluster_memory, cluster_vcores,
    job_queue, job_weight, job_min_memory, job_min_vcores, job_used_memory, job_used_vcores, changed,
    queue_parent, queue_bottom_up, queue_in_file, queue_policy, queue_weight, queue_min_memory, queue_min_vcores, queue_max_memory,
    queue_capacity, queue_used_memory, queue_used_vcores, queue_waiting_memory, queue_best, queue_demand, queue_keys, notes,
):  # fmt: skip
    """The position of the chosen candidate. own: FAIR, DRF or CAPACITY, what a queue without a policy of its own does."""
    rank_changed(
        own, cluster_memory, cluster_vcores, job_queue, job_weight, job_min_memory, job_min_vcores, job_used_memory, job_used_vcores,
        changed, queue_policy, notes,
    )  # fmt: skip
    if len(queue_parent) == 2:
        if how_of(own, queue_policy[1]) == FIFO:
            return 0
        return best_of_all(candidates, count, len(job_queue), notes)
    best_of_leaves(own, candidates, count, job_queue, queue_policy, queue_best, notes)

    queue_demand[:] = queue_used_memory
    for queue in queue_bottom_up:
        queue_demand[queue] += queue_waiting_memory[queue]
    for place in range(len(queue_bottom_up) - 1):
        queue = queue_bottom_up[place]
        parent = queue_parent[queue]
        demand = min(queue_demand[queue], queue_max_memory[queue])
        queue_demand[parent] += demand - queue_used_memory[queue]
        if queue_best[queue] < 0:
            continue
        how = queue_policy[parent]
        if own == CAPACITY:
            how = CAPACITY
        elif how == OWN:
            how = own
        if how == CAPACITY:
            needy, first, second = capacity_rank(
                queue_used_memory[queue], queue_used_vcores[queue], cluster_memory[0], cluster_vcores[0], queue_capacity[queue], memory_only,
            )  # fmt: skip
        elif how == FAIR:
            needy, first, second = fair_rank(queue_used_memory[queue], queue_min_memory[queue], demand, queue_weight[queue])
        else:
            needy, first, second = drf_rank(
                queue_used_memory[queue], queue_used_vcores[queue], cluster_memory[0], cluster_vcores[0],
                queue_min_memory[queue], queue_min_vcores[queue], queue_weight[queue],
            )  # fmt: skip
        best = queue_best[parent]
        k = RANK * parent
        order = -1.0
        if best >= 0:
            order = compare(needy, first, second, queue_keys[k], queue_keys[k + 1], queue_keys[k + 2])
            rival = job_queue[candidates[best] // KINDS]
            while queue_parent[rival] != parent:
                rival = queue_parent[rival]
            if order == 0.0 and how == CAPACITY and queue_in_file[queue] < queue_in_file[rival]:
                order = -1.0
        if order < 0:
            queue_best[parent] = queue_best[queue]
            queue_keys[k] = needy
            queue_keys[k + 1] = first
            queue_keys[k + 2] = second
    return queue_best[0]
