"""Amounts of memory and vcores as Hadoop's resource calculators compare and multiply them.

In Hadoop  Resources, DefaultResourceCalculator (counts 0: memory alone), DominantResourceCalculator
An amount is a pair (MB, vcores), which may be negative. Numbers are floats or doubles where Hadoop's are.
"""

import math
from typing import TypeAlias

import numpy as np

Amount: TypeAlias = tuple[int, int]  # MB, vcores
NOTHING: Amount = (0, 0)


def plus(left, right):
    return left[0] + right[0], left[1] + right[1]


def minus(left, right):
    return left[0] - right[0], left[1] - right[1]


def componentwise_min(left, right):
    """Resources.componentwiseMin."""
    return min(left[0], right[0]), min(left[1], right[1])


def componentwise_max(left, right):
    return max(left[0], right[0]), max(left[1], right[1])


def times(amount, factor):
    """Resources.multiply: cut to whole MB and vcores."""
    return int(amount[0] * factor), int(amount[1] * factor)


def compare(counts_vcores, cluster, left, right):
    """-1, 0 or 1: by the larger share of `within`, then the smaller; of a resource that `within` has none of,
    every share is infinite.
    """
    if counts_vcores == 0:
        return sign(left[0] - right[0])
    if left[0] == right[0] and left[1] == right[1]:
        return 0
    if cluster[0] == 0 and cluster[1] == 0:
        is_more, is_less = left[0] > right[0] or left[1] > right[1], left[0] < right[0] or left[1] < right[1]
        return int(is_more) - int(is_less)
    memory, vcores = share(left[0], cluster[0]), share(left[1], cluster[1])
    other_memory, other_vcores = share(right[0], cluster[0]), share(right[1], cluster[1])
    larger, other_larger = max(memory, vcores), max(other_memory, other_vcores)
    if larger != other_larger:
        return 1 if larger > other_larger else -1
    smaller, other_smaller = min(memory, vcores), min(other_memory, other_vcores)
    return int(smaller > other_smaller) - int(smaller < other_smaller)


def sign(number):
    return int(number > 0) - int(number < 0)


def share(part, whole):
    return part / whole if whole != 0 else math.inf


def max_of(counts_vcores, cluster, left, right):
    return left if compare(counts_vcores, cluster, left, right) >= 0 else right


def min_of(counts_vcores, cluster, left, right):
    return left if compare(counts_vcores, cluster, left, right) <= 0 else right


def divide(counts_vcores, cluster, left, right):
    """ResourceCalculator.divide, a float: of memory, or of the larger shares of `within`; infinite where the
    other is nothing.
    """
    if counts_vcores == 0:
        part, whole = float(np.float32(left[0])), float(np.float32(right[0]))
    else:
        part, whole = largest_share(cluster, left), largest_share(cluster, right)
    if whole == 0.0:
        return 0.0 if counts_vcores == 0 and part == 0.0 else math.inf
    return (
        float(np.float32(part / whole)) if counts_vcores == 1 else float(np.float32(part) / np.float32(whole))
    )


def largest_share(cluster, amount):
    """At least 0; what `within` has none of does not count."""
    largest = 0.0
    if cluster[0] != 0:
        largest = max(largest, amount[0] / cluster[0])
    if cluster[1] != 0:
        largest = max(largest, amount[1] / cluster[1])
    return largest


def is_any_above_zero(counts_vcores, amount):
    """ResourceCalculator.isAnyMajorResourceAboveZero."""
    return amount[0] > 0 or (counts_vcores == 1 and amount[1] > 0)


def is_within(counts_vcores, amount, limit):
    """ResourceCalculator.fitsIn."""
    return amount[0] <= limit[0] and (counts_vcores == 0 or amount[1] <= limit[1])
