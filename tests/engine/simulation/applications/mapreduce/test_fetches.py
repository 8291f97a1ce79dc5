"""What the kernel keeps so that a reduce's shuffle costs little, against looking at every map."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.scenario.model import Scenario
from engine.schedulers.view import REDUCE
from engine.simulation.applications.mapreduce.fetches import find_hull, latest_of_hull
from engine.simulation.simulate import simulate


@given(
    st.lists(st.integers(0, 300), min_size=1, max_size=40),
    st.lists(st.integers(0, 200).map(lambda quarters: quarters / 4), max_size=20),
)
def test_the_maps_on_the_hull_tell_when_a_shuffle_ends(ends, fetching):
    ends, count, filler = sorted(ends), len(ends), [-7, -7]
    view = SimpleNamespace(job_maps=[2, count])
    state = SimpleNamespace(
        map_base=[0, 2], map_ends=filler + ends, hull=filler + [0] * count, hull_count=[0, 0]
    )
    find_hull(view, state, 1)
    for each in fetching:
        assert latest_of_hull(view, state, 1, each) == max(
            end + (count - place) * each for place, end in enumerate(ends)
        )


def test_spans_of_fetching_are_written_down_under_a_fetch_weight():
    # 30 maps end a second apart; each of 20 reduces fetches 10 ms from each: more spans than there was room
    # for at first
    apart = {
        "nodes": [
            {"memory_mb": 1, "vcores": 1, "count": 30, "reduce_slots": 0},
            {"memory_mb": 20, "vcores": 20, "count": 1, "map_slots": 0},
        ]
    }
    maps = {
        "count": 30,
        "memory_mb": 1,
        "vcores": 1,
        "duration_s": {"values": [float(second) for second in range(1, 31)]},
    }
    reduces = {"count": 20, "memory_mb": 1, "vcores": 1, "duration_s": 1.0}
    one = {"maps": maps, "reduces": reduces, "shuffle_mb_per_map": 20, "slowstart": 0.0}
    cluster = {
        **apart,
        "heartbeat_ms": 0,
        "containers_per_heartbeat": None,
        "contention": 1.0,
        "fetch_weight": 0.05,
    }
    run = simulate(
        Scenario.of({"version": 1, "cluster": cluster, "jobs": [one]}), "fifo+slowstart", plain=True
    )
    assert run.fetches.start.tolist() == [1000 * second for second in range(1, 31) for _ in range(20)]
    assert (run.fetches.end - run.fetches.start == 10).all()
    assert sorted(run.fetches.container.tolist()) == sorted(
        30 * np.flatnonzero(run.containers.kind == REDUCE).tolist()
    )
