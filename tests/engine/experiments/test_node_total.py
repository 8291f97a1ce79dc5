"""Nodes in all: spread in proportion, one by one, over hosts that stand alone too."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ScenarioError
from engine.experiments.node_total import NODES_TOTAL, apportion, scale_groups

COUNTS = st.lists(st.integers(1, 60), min_size=1, max_size=12)


def one_by_one(counts, total):
    """The slow way: each node goes to the group with the largest claim, of equal ones to the place whose
    reversed bits are least.
    """
    bits = max(1, (len(counts) - 1).bit_length())
    result = [0] * len(counts)
    for _ in range(total):
        claim = lambda place: (
            -Fraction(counts[place], 2 * result[place] + 1),
            int(f"{place:0{bits}b}"[::-1], 2),
        )
        result[min(range(len(counts)), key=claim)] += 1
    return result


@given(counts=COUNTS, total=st.integers(1, 300))
def test_as_if_they_were_given_out_one_by_one(counts, total):
    assert apportion(counts, total) == one_by_one(counts, total)


@given(counts=COUNTS)
def test_what_there_is_stays_as_it_is(counts):
    assert apportion(counts, sum(counts)) == counts


def test_in_proportion():
    assert apportion([20, 16], 9) == [5, 4]
    assert apportion([20, 16], 72) == [40, 32]


def test_hosts_that_stand_alone_are_dropped_and_added_all_over_the_list():
    assert apportion([1] * 8, 4) == [1, 0, 1, 0, 1, 0, 1, 0]
    assert apportion([1] * 8, 12) == [2, 1, 2, 1, 2, 1, 2, 1]
    hosts = [{"name": f"a{place}", "count": 1, "rack": "r1" if place < 18 else "r2"} for place in range(36)]
    kept = scale_groups(hosts, NODES_TOTAL, 9)
    assert sum(host["count"] for host in kept) == len(kept) == 9
    assert {host["rack"] for host in kept} == {"r1", "r2"}
    assert len(hosts) == 36 and hosts[1]["count"] == 1  # what was given stays


@pytest.mark.parametrize(
    ("groups", "total"),
    [
        ([{"count": 1}], 0),
        ([{"count": 1}], True),
        ([{"count": 1}], "3"),
        ([{}], 3),
        ([3], 3),
        ([], 3),
        (None, 3),
    ],
)
def test_what_is_no_number_of_nodes_is_refused(groups, total):
    with pytest.raises(ScenarioError, match="nodes"):
        scale_groups(groups, NODES_TOTAL, total)
