"""Lanes hold no overlap and are as few as can be."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.lanes import pack_lanes
from engine.codes import NONE, RUNNING
from engine.schedulers.view import MAP
from tests.webapp.handmade_runs import run

spans = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 15), st.integers(0, 2)), min_size=1, max_size=40
)


def made(found: list[tuple[int, int, int]]):
    return run(
        [{"kind": MAP, "start": start, "end": start + length, "node": node} for start, length, node in found],
        nodes=3,
    )


def test_the_lowest_free_lane_is_taken() -> None:
    # a: 0-10 lane 0; b: 2-4 lane 1; c: 4-6 begins when b ends, so lane 1 again; d: 5-9 meets a and c, lane 2.
    result = pack_lanes(
        run([{"kind": MAP, "start": start, "end": end} for start, end in ((0, 10), (2, 4), (4, 6), (5, 9))])
    )
    assert result.lane.tolist() == [0, 1, 1, 2]
    assert result.used.tolist() == [3]


def test_what_never_ends_keeps_its_lane() -> None:
    stuck = {"kind": MAP, "start": 0, "end": NONE, "outcome": RUNNING}
    assert pack_lanes(
        run([stuck, {"kind": MAP, "start": 50, "end": 60}], status="deadlock")
    ).lane.tolist() == [0, 1]


def test_a_node_that_ran_nothing_uses_no_lane() -> None:
    assert pack_lanes(run([{"kind": MAP, "start": 0, "end": 1, "node": 1}], nodes=3)).used.tolist() == [
        0,
        1,
        0,
    ]


@given(spans)
def test_no_two_containers_of_a_lane_overlap(found) -> None:
    made_run = made(found)
    c, lane = made_run.containers, pack_lanes(made_run).lane
    for i in range(len(lane)):
        for j in range(i):
            if (c.node[i], lane[i]) == (c.node[j], lane[j]):
                assert c.end[j] <= c.start[i]


@given(spans)
def test_as_many_lanes_as_ever_ran_at_once(found) -> None:
    """The depth of a set of intervals bounds any partition from below (Kleinberg and Tardos 4.1)."""
    made_run = made(found)
    c = made_run.containers
    for node in range(3):
        depth = [int(((c.node == node) & (c.start <= at) & (c.end > at)).sum()) for at in np.unique(c.start)]
        assert pack_lanes(made_run).used[node] == max(depth)
