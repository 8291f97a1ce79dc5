"""By what queues and jobs are compared under Hadoop's fair, drf and capacity: a rank, the smaller comes
first.

In Hadoop  FairSharePolicy, DominantResourceFairnessPolicy, PriorityUtilizationQueueOrderingPolicy
A rank is three numbers compared in turn: needy (-1) before not needy (0), then two ratios. A NaN difference
is a tie, as signum(NaN) cast to int is in Hadoop.
"""

import math

import numpy as np

from engine.resource_types import RESOURCE_COUNT
from engine.schedulers.amounts import THE_RUN

AFTER_ALL = 1e200  # times usage: more than any usage over a weight


def ratio(part, whole):
    """part / whole as Java divides doubles: infinite or NaN where whole is 0."""
    if whole > 0:
        return part / whole
    return math.inf if part > 0 else math.nan


def compare(needy, first, second, other_needy, other_first, other_second):
    """Below 0 when the first rank comes before the other, above 0 when after it, 0 in a tie."""
    if needy != other_needy:
        return needy - other_needy
    if first < other_first:
        return -1.0
    if first > other_first:
        return 1.0
    if second < other_second:
        return -1.0
    return 1.0 if second > other_second else 0.0


def fair_rank(used, min_share, demand, weight):
    """FairSharePolicy: needy below min(minimum share, demand) by memory, those by how far; then usage over
    weight. Who has no weight comes after all others, and of such who uses less comes first.
    """
    min_share = min(min_share, demand)
    if used < min_share:
        by_weight = used / weight if weight > 0 else (used + 1) * AFTER_ALL
        return -1.0, used / max(min_share, 1), by_weight
    if weight > 0:
        return 0.0, used / weight, 0.0
    return 0.0, math.inf, float(used)


def drf_rank(cluster, held, holder, min_shares, sharer, weight):
    """DominantResourceFairnessPolicy, with YARN-11482 mended (Hadoop 3.4): by the resource of which it holds
    the largest share of the cluster, then by the next. Without weight who uses something comes last, and who
    uses nothing ties with all.

    Amounts have a row for each resource: of the cluster; held, in the column `holder`; min_shares, in the
    column `sharer`.
    """
    first = dominant_resource(cluster, held, holder, 0)
    second = dominant_resource(cluster, held, holder, 1 << first)
    if held[first, holder] < min_shares[first, sharer]:
        return (
            -1.0,
            held[first, holder] / min_shares[first, sharer],
            ratio(held[second, holder], min_shares[second, sharer]),
        )
    return (
        0.0,
        ratio(share_of_cluster(cluster, held, holder, first), weight),
        ratio(share_of_cluster(cluster, held, holder, second), weight),
    )


def dominant_resource(cluster, amounts, amount, passed):
    """The resource of which an amount is the largest share of the cluster, of equal shares the first; passed:
    a bit for each resource that is not looked at.
    """
    dominant, largest = -1, 0.0
    for resource in range(RESOURCE_COUNT):
        if passed >> resource & 1 == 0:
            share = share_of_cluster(cluster, amounts, amount, resource)
            if dominant < 0 or share > largest:
                dominant, largest = resource, share
    return dominant


def share_of_cluster(cluster, amounts, amount, resource):
    """Of one resource; where the cluster has none of it, the amount itself, which is 0."""
    return amounts[resource, amount] / max(cluster[resource, THE_RUN], 1)


def dominant_share(cluster, amounts, amount):
    """The largest share of the cluster."""
    dominant = dominant_resource(cluster, amounts, amount, 0)
    return share_of_cluster(cluster, amounts, amount, dominant)


def capacity_rank(view, queue):
    """PriorityUtilizationQueueOrderingPolicy: used, with what is reserved, over guaranteed, then the larger
    guarantee.

    A guarantee is whole MB and vcores, at least the minimum allocation, and the ratio a float
    (CSQueueUtils.updateUsedCapacity).
    """
    part = view.queue_capacity[queue]
    if view.counts_vcores == 0:
        memory = view.queue_used_memory[queue] + view.queue_reserved_memory[queue]
        guaranteed = max(int(view.cluster_memory * part), view.min_allocation_memory)
        return 0.0, float(np.float32(memory) / np.float32(guaranteed)), -part
    used_share = guaranteed_share = 0.0
    for resource in range(RESOURCE_COUNT):
        whole = view.cluster_resource[resource, THE_RUN]
        if whole > 0:
            used = view.queue_used_resource[resource, queue] + view.queue_reserved_resource[resource, queue]
            guaranteed = max(int(whole * part), view.min_allocation_resource[resource, THE_RUN])
            used_share = max(used_share, used / whole)
            guaranteed_share = max(guaranteed_share, guaranteed / whole)
    return 0.0, float(np.float32(used_share / guaranteed_share)), -part


def round_up(amount, step):
    """The next whole minimum allocations."""
    return -(-amount // step) * step
