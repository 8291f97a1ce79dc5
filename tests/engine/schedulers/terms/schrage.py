"""The random numbers of the paper that SAF comes from, computed as its own program does."""

from __future__ import annotations


def by_schrage(one, two):
    """The paper's own program (Fig. 3 there): no intermediate value leaves 32 bits."""
    k = one // 53668
    one = 40014 * (one - k * 53668) - k * 12211
    one += 2147483563 if one < 0 else 0
    k = two // 52774
    two = 40692 * (two - k * 52774) - k * 3791
    two += 2147483399 if two < 0 else 0
    z = one - two
    return one, two, z + 2147483562 if z < 1 else z
