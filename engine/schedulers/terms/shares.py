"""By what queues and jobs are compared under Hadoop's fair, drf and capacity: a rank, the smaller stands first.

A rank is three numbers compared in turn: needy (-1) before not needy (0), then two ratios. A NaN difference is a
tie, as signum(NaN) cast to int is in Hadoop.
"""

import math

import numpy as np


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
    """FairSharePolicy: needy below min(minimum share, demand) by memory, those by how far; then usage over weight."""
    least = min(least, demand)
    if used < least:
        return -1.0, used / max(least, 1), used / weight
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


def capacity_rank(memory, vcores, cluster_memory, cluster_vcores, guaranteed, counts_vcores, least_memory, least_vcores):
    """PriorityUtilizationQueueOrderingPolicy: used over guaranteed, then the larger guarantee.

    A guarantee is whole MB and vcores, at least the minimum allocation, and the ratio a float (CSQueueUtils.updateUsedCapacity).
    """
    if not counts_vcores:
        return 0.0, float(np.float32(memory) / np.float32(max(int(cluster_memory * guaranteed), least_memory))), -guaranteed
    share, other = int(cluster_memory * guaranteed) / cluster_memory, int(cluster_vcores * guaranteed) / cluster_vcores
    least, least_other = least_memory / cluster_memory, least_vcores / cluster_vcores
    floor, below = max(least, least_other), min(least, least_other)
    if max(share, other) < floor or (max(share, other) == floor and min(share, other) < below):
        share, other = least, least_other
    return 0.0, float(np.float32(max(memory / cluster_memory, vcores / cluster_vcores) / max(share, other))), -guaranteed


def is_less(view, counts_vcores, memory, vcores, than_memory, than_vcores):
    """By memory alone (DefaultResourceCalculator.compare), or by the larger share of the cluster, then the smaller (DominantResourceCalculator)."""
    if not counts_vcores:
        return memory < than_memory
    share, other = memory / view.cluster_memory[0], vcores / view.cluster_vcores[0]
    than_share, than_other = than_memory / view.cluster_memory[0], than_vcores / view.cluster_vcores[0]
    if max(share, other) != max(than_share, than_other):
        return max(share, other) < max(than_share, than_other)
    return min(share, other) < min(than_share, than_other)


def down_to_least(view, memory, vcores):
    """(memory, vcores) in whole minimum allocations (ResourceCalculator.roundDown)."""
    return memory // view.least_memory[0] * view.least_memory[0], vcores // view.least_vcores[0] * view.least_vcores[0]


def up_to_least(amount, least):
    """The next whole minimum allocations."""
    return -(-amount // least) * least


def larger(view, memory, vcores, other_memory, other_vcores):
    if is_less(view, view.counts_vcores[0] == 1, memory, vcores, other_memory, other_vcores):
        return other_memory, other_vcores
    return memory, vcores


def smaller(view, memory, vcores, other_memory, other_vcores):
    if is_less(view, view.counts_vcores[0] == 1, other_memory, other_vcores, memory, vcores):
        return other_memory, other_vcores
    return memory, vcores
