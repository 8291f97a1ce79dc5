"""Fetching told from waiting, worked out by hand; times in ms.

A map on either of two nodes, ending at 1000 and 3000, and two reduces on a third, from 0 on: each fetches an
even part of a map's output in 300.
"""

from __future__ import annotations

import pytest

from engine.analysis.capacity import events
from engine.analysis.capacity.split import capacity_split
from engine.analysis.metrics import critical_path_ms
from engine.analysis.phases import PHASES, phases
from engine.analysis.shuffles import fetching_ms, final_maps
from engine.schedulers.view import REDUCE
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.handmade_runs import container, run, stage
from tests.handmade_runs import scenario as by_hand
from tests.small_scenarios import job, node, scenario, tasks

UNEVEN = {"partitions": {"sizes": [3.0, 1.0]}}
LATE = {"launch_s": 0.5, "shuffle_latency_s": 0.1}
WEIGHED = {"contention": 1.0, "fetch_weight": 0.5}


def made(of_job: dict, **cluster) -> Run:
    one = job("a", tasks(2, [1.0, 3.0]), tasks(2, 1.0), shuffle_mb_per_map=60.0, slowstart=0.0, **of_job)
    result = scenario([node(1, count=2, reduce_slots=0), node(2, map_slots=0)], [one], **cluster)
    return simulate(result, "fifo+slowstart+admit-all", plain=True)


def totals(of: Run) -> tuple[int, int]:
    result = capacity_split(of).memory.totals
    return result["fetching"], result["waiting"]


def test_each_of_uneven_reduces_waits_by_itself():
    # 450 and 150 a map: the large one waits to 1000 and from 1450 to 3000, the small one to 1000 and from
    # 1150 to 3000
    result = made(UNEVEN)
    assert totals(result) == (2 * 450 + 2 * 150, 1000 + 1550 + 1000 + 1850)
    assert [fetching_ms(result, one) for one in (result.containers.kind == REDUCE).nonzero()[0]] == [900, 300]


def test_beyond_a_limit_uneven_reduces_are_taken_for_even_ones(monkeypatch):
    monkeypatch.setattr(events, "MAX_UNEVEN_GAPS", 3)  # two maps for each of two reduces
    # Both wait to 1000 and from 1300 to 3000
    assert totals(made(UNEVEN))[1] == 2 * (1000 + 1700)


@pytest.mark.parametrize("physics", [{}, WEIGHED])
def test_latency_counts_as_fetching_and_launch_does_not(physics):
    # All of it 500 later; waiting from 500 to 1500 and from 1800 to 3500. With the weight both fetch at full
    # speed, for k is 1
    result = made({}, **LATE, **physics)
    assert totals(result) == (2 * (300 + 300 + 100), 2 * (1000 + 1700))
    reduce = int((result.containers.kind == REDUCE).argmax())
    assert fetching_ms(result, reduce) == 700
    assert [(PHASES[kind], start, end) for of, kind, start, end in zip(*phases(result)) if of == reduce][
        :3
    ] == [
        ("launching", 0, 500),
        ("waiting", 500, 3500),
        ("shuffle", 3500, 3900),
    ]


def test_the_run_tells_when_reduces_fetched_under_a_fetch_weight():
    # k = 2 with a weight of 1: half as fast, 1000 to 1600 and 3000 to 3600
    result = made({}, contention=1.0, fetch_weight=1.0)
    assert totals(result) == (2 * 2 * 600, 2 * (1000 + 1400))


def test_no_schedule_is_shorter_than_a_large_part_takes():
    # Launch 500 and the longest map 3000; of the large part, 1.5 even ones, 450 to fetch, 100 of latency,
    # 1500 to compute
    assert critical_path_ms(made(UNEVEN, **LATE)).tolist() == [3500 + 450 + 100 + 1500]


def test_of_a_map_that_ran_again_the_last_end_counts():
    of = by_hand([(4, 4)], [{"maps": stage(2, 1, 1), "reduces": stage(1, 1, 1)}])
    rows = [
        container(0, "map", 0, 0, 9, killed=True),
        container(0, "map", 0, 0, 10),
        container(0, "map", 0, 0, 20, index=1),
        container(0, "map", 0, 30, 40, attempt=2),
    ]
    result = run(of, rows)
    assert sorted(result.containers.end[final_maps(result)].tolist()) == [20, 40]
