"""What the kernel keeps so that a reduce's shuffle costs little, against looking at every map."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scenario.model import Scenario
from engine.schedulers.view import REDUCE
from engine.simulation.kernel.fetches import find_hull, latest_of_hull, output_lost
from engine.simulation.kernel.state import FAR
from engine.simulation.simulate import simulate


@given(st.lists(st.integers(0, 300), min_size=1, max_size=40), st.lists(st.integers(0, 200).map(lambda quarters: quarters / 4), max_size=20))
def test_the_maps_on_the_hull_tell_when_a_shuffle_ends(ends, fetching):
    ends, count, filler = sorted(ends), len(ends), [-7, -7]
    view = SimpleNamespace(job_maps=[2, count])
    state = SimpleNamespace(map_base=[0, 2], map_ends=filler + ends, hull=filler + [0] * count, hull_count=[0, 0])
    find_hull(view, state, 1)
    for each in fetching:
        assert latest_of_hull(view, state, 1, each) == max(end + (count - place) * each for place, end in enumerate(ends))


def test_spans_of_fetching_are_written_down_under_a_fetch_weight():
    # 30 maps end a second apart; each of 20 reduces fetches 10 ms from each: more spans than there was room for at first
    apart = {"nodes": [{"memory_mb": 1, "vcores": 1, "count": 30, "reduce_slots": 0}, {"memory_mb": 20, "vcores": 20, "count": 1, "map_slots": 0}]}
    maps = {"count": 30, "memory_mb": 1, "vcores": 1, "duration_s": {"values": [float(second) for second in range(1, 31)]}}
    reduces = {"count": 20, "memory_mb": 1, "vcores": 1, "duration_s": 1.0}
    one = {"maps": maps, "reduces": reduces, "shuffle_mb_per_map": 20, "slowstart": 0.0}
    cluster = {**apart, "heartbeat_ms": 0, "containers_per_heartbeat": None, "contention": 1.0, "fetch_weight": 0.05}
    run = simulate(Scenario.of({"version": 1, "cluster": cluster, "jobs": [one]}), "fifo+slowstart", plain=True)
    assert run.fetches.start.tolist() == [1000 * second for second in range(1, 31) for _ in range(20)]
    assert (run.fetches.end - run.fetches.start == 10).all()
    assert sorted(run.fetches.container.tolist()) == sorted(30 * np.flatnonzero(run.containers.kind == REDUCE).tolist())


@pytest.mark.parametrize(("slowed", "tasks"), [(False, 2), (True, 1)])
def test_reduces_wait_again_when_the_output_of_a_map_is_lost(slowed, tasks):
    # Of maps that ended at 10, 20 and 20 one of the latter is lost at 25. The first reduce computes already, the second fetches until 50
    view = SimpleNamespace(job_finished_maps=[2], job_maps=[3], job_fetch=[10.0], job_reduces=[2])
    rows = {"row_container": [0, 1], "row_request": [REDUCE, REDUCE], "row_left": [5.0, -1.0], "row_end": [30, 50]}
    containers = {"container_node": [0, 0], "container_shuffle_end": [25, 50], "container_start": [0, 0], "reduce_container": [0, 1]}
    node = {"tasks": [2], "is_dirty": [0], "dirty": [-1], "dirty_count": [0], "row_width": [2], "map_ends": [10, 20, 20], "fetch_latest": [50.0]}
    off = {"weighs_fetching": [0], "launches": [0], "map_base": [0], "reduce_base": [0]}
    state = SimpleNamespace(**rows, **containers, **node, **off)
    output_lost(view, state, 0, 20, 25, slowed)
    assert state.map_ends[:2] == [10, 20] and state.fetch_latest == [10 + 3 * 10]
    assert (state.container_shuffle_end, state.row_end, state.tasks, state.dirty_count) == ([25, -1], [30, FAR], [tasks], [int(slowed)])
