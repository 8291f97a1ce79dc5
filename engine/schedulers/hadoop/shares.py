"""By what queues and jobs are compared under Hadoop's fair, drf and capacity: a rank, the smaller comes
first.

In Hadoop  FairSharePolicy, DominantResourceFairnessPolicy, PriorityUtilizationQueueOrderingPolicy
A rank is three numbers compared in turn: needy (-1) before not needy (0), then two ratios. A NaN difference
is a tie, as signum(NaN) cast to int is in Hadoop.
"""

import math

import numpy as np

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


def drf_rank(memory, vcores, cluster_memory, cluster_vcores, min_share_memory, min_share_vcores, weight):
    """DominantResourceFairnessPolicy for two resources, with YARN-11482 mended (Hadoop 3.4). Without weight
    who uses something comes last, and who uses nothing ties with all.
    """
    memory_share = memory / cluster_memory
    vcore_share = vcores / cluster_vcores
    if vcore_share > memory_share:
        if vcores < min_share_vcores:
            return -1.0, vcores / min_share_vcores, ratio(memory, min_share_memory)
        return 0.0, ratio(vcore_share, weight), ratio(memory_share, weight)
    if memory < min_share_memory:
        return -1.0, memory / min_share_memory, ratio(vcores, min_share_vcores)
    return 0.0, ratio(memory_share, weight), ratio(vcore_share, weight)


def capacity_rank(view, memory, vcores, guaranteed):
    """PriorityUtilizationQueueOrderingPolicy: used over guaranteed, then the larger guarantee.

    A guarantee is whole MB and vcores, at least the minimum allocation, and the ratio a float
    (CSQueueUtils.updateUsedCapacity).
    """
    if view.counts_vcores == 0:
        return (
            0.0,
            float(
                np.float32(memory)
                / np.float32(max(int(view.cluster_memory * guaranteed), view.min_allocation_memory))
            ),
            -guaranteed,
        )
    share, second = (
        int(view.cluster_memory * guaranteed) / view.cluster_memory,
        int(view.cluster_vcores * guaranteed) / view.cluster_vcores,
    )
    min_first, min_second = (
        view.min_allocation_memory / view.cluster_memory,
        view.min_allocation_vcores / view.cluster_vcores,
    )
    min_larger, min_smaller = max(min_first, min_second), min(min_first, min_second)
    if max(share, second) < min_larger or (
        max(share, second) == min_larger and min(share, second) < min_smaller
    ):
        share, second = min_first, min_second
    return (
        0.0,
        float(
            np.float32(max(memory / view.cluster_memory, vcores / view.cluster_vcores) / max(share, second))
        ),
        -guaranteed,
    )


def is_less(view, counts_vcores, memory, vcores, other_memory, other_vcores):
    """By memory alone (DefaultResourceCalculator.compare), or by the larger share of the cluster, then the
    smaller (DominantResourceCalculator).
    """
    if not counts_vcores:
        return memory < other_memory
    share, second = memory / view.cluster_memory, vcores / view.cluster_vcores
    other_share, other_second = other_memory / view.cluster_memory, other_vcores / view.cluster_vcores
    if max(share, second) != max(other_share, other_second):
        return max(share, second) < max(other_share, other_second)
    return min(share, second) < min(other_share, other_second)


def round_down(view, memory, vcores):
    """(memory, vcores) in whole minimum allocations (ResourceCalculator.roundDown)."""
    return (
        memory // view.min_allocation_memory * view.min_allocation_memory,
        vcores // view.min_allocation_vcores * view.min_allocation_vcores,
    )


def round_up(amount, step):
    """The next whole minimum allocations."""
    return -(-amount // step) * step


def larger(view, memory, vcores, other_memory, other_vcores):
    if is_less(view, view.counts_vcores == 1, memory, vcores, other_memory, other_vcores):
        return other_memory, other_vcores
    return memory, vcores


def smaller(view, memory, vcores, other_memory, other_vcores):
    if is_less(view, view.counts_vcores == 1, other_memory, other_vcores, memory, vcores):
        return other_memory, other_vcores
    return memory, vcores
