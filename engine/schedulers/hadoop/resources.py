"""Amounts of resources as Hadoop's resource calculators compare and multiply them.

In Hadoop  Resources, DefaultResourceCalculator (counts_vcores 0: memory alone), DominantResourceCalculator
An amount is a tuple with an entry for each resource, which may be negative. Numbers are floats or doubles
where Hadoop's are.
"""

import math

import numpy as np

from engine.resource_types import MEMORY, RESOURCE_COUNT, Amount, put
from engine.schedulers.amounts import THE_RUN

NOTHING: Amount = (0,) * RESOURCE_COUNT
NO_SHARES = (-math.inf,) * RESOURCE_COUNT


def amount_of(amounts, column):
    """What a field of amounts has in a column."""
    amount = NOTHING
    for resource in range(RESOURCE_COUNT):
        amount = put(amount, resource, amounts[resource, column])
    return amount


def set_amount(amounts, column, amount):
    for resource in range(RESOURCE_COUNT):
        amounts[resource, column] = amount[resource]


def add_amount(amounts, column, amount):
    for resource in range(RESOURCE_COUNT):
        amounts[resource, column] += amount[resource]


def plus(left, right):
    total = left
    for resource in range(RESOURCE_COUNT):
        total = put(total, resource, left[resource] + right[resource])
    return total


def minus(left, right):
    rest = left
    for resource in range(RESOURCE_COUNT):
        rest = put(rest, resource, left[resource] - right[resource])
    return rest


def componentwise_min(left, right):
    """Resources.componentwiseMin."""
    least = left
    for resource in range(RESOURCE_COUNT):
        least = put(least, resource, min(left[resource], right[resource]))
    return least


def componentwise_max(left, right):
    most = left
    for resource in range(RESOURCE_COUNT):
        most = put(most, resource, max(left[resource], right[resource]))
    return most


def times(amount, factor):
    """Resources.multiply: cut to whole MB and vcores."""
    product = amount
    for resource in range(RESOURCE_COUNT):
        product = put(product, resource, int(amount[resource] * factor))
    return product


def compare(counts_vcores, cluster, left, right):
    """-1, 0 or 1: by the largest share of `cluster`, then the next, and so on; of a resource that it has none
    of, every share is infinite.
    """
    if counts_vcores == 0:
        return sign(left[MEMORY] - right[MEMORY])
    if left == right:
        return 0
    if cluster == NOTHING:
        return is_any_more(left, right) - is_any_more(right, left)
    shares, other_shares = sorted_shares(cluster, left), sorted_shares(cluster, right)
    for place in range(RESOURCE_COUNT):
        if shares[place] != other_shares[place]:
            return 1 if shares[place] > other_shares[place] else -1
    return 0


def sign(number):
    return int(number > 0) - int(number < 0)


def is_any_more(left, right):
    """1 where there is more of a resource, else 0."""
    more = 0
    for resource in range(RESOURCE_COUNT):
        more |= int(left[resource] > right[resource])
    return more


def sorted_shares(cluster, amount):
    """Of each resource, the largest first: each share in turn goes to its place, and the smaller move on."""
    shares = NO_SHARES
    for resource in range(RESOURCE_COUNT):
        moved = share(amount[resource], cluster[resource])
        for place in range(RESOURCE_COUNT):
            larger, moved = max(shares[place], moved), min(shares[place], moved)
            shares = put(shares, place, larger)
    return shares


def share(part, whole):
    return part / whole if whole != 0 else math.inf


def max_of(counts_vcores, cluster, left, right):
    return left if compare(counts_vcores, cluster, left, right) >= 0 else right


def min_of(counts_vcores, cluster, left, right):
    return left if compare(counts_vcores, cluster, left, right) <= 0 else right


def divide(counts_vcores, cluster, left, right):
    """ResourceCalculator.divide, a float: of memory, or of the largest shares of `cluster`; infinite where
    the other is nothing.
    """
    if counts_vcores == 0:
        part, whole = float(np.float32(left[MEMORY])), float(np.float32(right[MEMORY]))
    else:
        part, whole = largest_share(cluster, left), largest_share(cluster, right)
    if whole == 0.0:
        return 0.0 if counts_vcores == 0 and part == 0.0 else math.inf
    return (
        float(np.float32(part / whole)) if counts_vcores == 1 else float(np.float32(part) / np.float32(whole))
    )


def largest_share(cluster, amount):
    """At least 0; what `cluster` has none of does not count."""
    largest = 0.0
    for resource in range(RESOURCE_COUNT):
        if cluster[resource] != 0:
            largest = max(largest, amount[resource] / cluster[resource])
    return largest


def is_any_above_zero(counts_vcores, amount):
    """ResourceCalculator.isAnyMajorResourceAboveZero."""
    return not is_within(counts_vcores, amount, NOTHING)


def is_within(counts_vcores, amount, limit):
    """ResourceCalculator.fitsIn."""
    lacking = 0
    for resource in range(RESOURCE_COUNT):
        lacking += int(amount[resource] > limit[resource] and (resource == MEMORY or counts_vcores == 1))
    return lacking == 0


def of_cluster(view):
    return amount_of(view.cluster_resource, THE_RUN)


def is_less(view, left, right):
    """As the run's calculator compares, by shares of the cluster."""
    return compare(view.counts_vcores, of_cluster(view), left, right) < 0


def larger(view, left, right):
    return right if is_less(view, left, right) else left


def smaller(view, left, right):
    return right if is_less(view, right, left) else left


def round_down(view, amount):
    """In whole minimum allocations (ResourceCalculator.roundDown)."""
    rounded = amount
    for resource in range(RESOURCE_COUNT):
        step = view.min_allocation_resource[resource, THE_RUN]
        rounded = put(rounded, resource, amount[resource] // step * step)
    return rounded
