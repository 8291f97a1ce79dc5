"""Amounts of memory and vcores as Hadoop's resource calculators compare and multiply them.

In Hadoop  Resources, DefaultResourceCalculator (counts 0: memory alone), DominantResourceCalculator
An amount is a pair (MB, vcores), which may be negative. Numbers are floats or doubles where Hadoop's are.
"""

import math

import numpy as np

NOTHING = (0, 0)


def plus(one, other):
    return one[0] + other[0], one[1] + other[1]


def minus(one, other):
    return one[0] - other[0], one[1] - other[1]


def each_least(one, other):
    """Resources.componentwiseMin."""
    return min(one[0], other[0]), min(one[1], other[1])


def each_most(one, other):
    return max(one[0], other[0]), max(one[1], other[1])


def times(amount, by):
    """Resources.multiply: cut to whole MB and vcores."""
    return int(amount[0] * by), int(amount[1] * by)


def compare(counts, within, one, other):
    """-1, 0 or 1: by the larger share of `within`, then the smaller; of a resource that `within` has none of, every share is infinite."""
    if counts == 0:
        return sign(one[0] - other[0])
    if one[0] == other[0] and one[1] == other[1]:
        return 0
    if within[0] == 0 and within[1] == 0:
        is_more, is_less = one[0] > other[0] or one[1] > other[1], one[0] < other[0] or one[1] < other[1]
        return int(is_more) - int(is_less)
    memory, vcores = share(one[0], within[0]), share(one[1], within[1])
    other_memory, other_vcores = share(other[0], within[0]), share(other[1], within[1])
    most, other_most = max(memory, vcores), max(other_memory, other_vcores)
    if most != other_most:
        return 1 if most > other_most else -1
    least, other_least = min(memory, vcores), min(other_memory, other_vcores)
    return int(least > other_least) - int(least < other_least)


def sign(number):
    return int(number > 0) - int(number < 0)


def share(part, whole):
    return part / whole if whole != 0 else math.inf


def larger_of(counts, within, one, other):
    return one if compare(counts, within, one, other) >= 0 else other


def smaller_of(counts, within, one, other):
    return one if compare(counts, within, one, other) <= 0 else other


def divided(counts, within, one, other):
    """ResourceCalculator.divide, a float: of memory, or of the larger shares of `within`; infinite where the other is nothing."""
    if counts == 0:
        part, whole = float(np.float32(one[0])), float(np.float32(other[0]))
    else:
        part, whole = largest_share(within, one), largest_share(within, other)
    if whole == 0.0:
        return 0.0 if counts == 0 and part == 0.0 else math.inf
    return float(np.float32(part / whole)) if counts == 1 else float(np.float32(part) / np.float32(whole))


def largest_share(within, amount):
    """At least 0; what `within` has none of does not count."""
    most = 0.0
    if within[0] != 0:
        most = max(most, amount[0] / within[0])
    if within[1] != 0:
        most = max(most, amount[1] / within[1])
    return most


def has_any(counts, amount):
    """ResourceCalculator.isAnyMajorResourceAboveZero."""
    return amount[0] > 0 or (counts == 1 and amount[1] > 0)


def is_within(counts, amount, room):
    """ResourceCalculator.fitsIn."""
    return amount[0] <= room[0] and (counts == 0 or amount[1] <= room[1])
