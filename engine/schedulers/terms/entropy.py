"""How hot a cluster is: entropies of a distribution, and how a temperature cools (saf §4.4, 4.5, Eq. 3;
SAF-3, SAF-4).

Base 10 and the constant K as in saf's worked example: K = 1000 and two equal values give 301.03. Hartley,
collision and min are printed without K and are multiplied by it here (ours), so that all are of one kind.
"""

import math

ENTROPIES = ("shannon", "hartley", "collision", "min", "renyi", "tsallis")
COOLINGS = ("exponential", "linear", "logarithmic", "quadratic")
SHANNON, HARTLEY, COLLISION, MIN, RENYI, TSALLIS = range(6)
EXPONENTIAL, LINEAR, LOGARITHMIC, QUADRATIC = range(4)


def entropy_of(kind, p, count, constant, alpha, q):
    """H of the probabilities p[:count], which sum to 1; 0 or more, in units of `constant`. alpha: Renyi's; q:
    Tsallis's.
    """
    total, largest = 0.0, 0.0
    for i in range(count):
        largest = max(largest, p[i])
        if kind == SHANNON:
            total += p[i] * math.log10(p[i])
        elif kind == COLLISION:
            total += p[i] * p[i]
        elif kind == RENYI:
            total += math.pow(p[i], alpha)
        elif kind == TSALLIS:
            total += math.pow(p[i], q)
    if kind == SHANNON:
        return -constant * total
    if kind == HARTLEY:
        return constant * math.log10(count)
    if kind == COLLISION:
        return -constant * math.log10(total)
    if kind == MIN:
        return -constant * math.log10(largest)
    if kind == RENYI:
        return constant / (1.0 - alpha) * math.log10(total)
    return constant / (q - 1.0) * (1.0 - total)


def cooled(kind, start, rate, cycle):
    """The temperature after so many cycles. Quadratic is T0 / (1 + rate log(1 + k^2)), as printed."""
    if kind == EXPONENTIAL:
        return start * math.pow(rate, cycle)
    if kind == LINEAR:
        return start / (1.0 + rate * cycle)
    if kind == LOGARITHMIC:
        return start / (1.0 + rate * math.log10(1.0 + cycle))
    return start / (1.0 + rate * math.log10(1.0 + cycle * cycle))
