"""Where the capacity goes: against numbers worked out by hand, and against a slow twin on random runs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.capacity.events import observed_end_ms
from engine.analysis.capacity.split import PARTS, CapacitySplit, capacity_split, ordered_columns
from engine.codes import KILLED
from engine.scenario.model import Scenario
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.handmade_runs import container, run, scenario, stage
from tests.oracle import simulator
from tests.oracle.naive_capacity import Twin
from tests.physics import physical
from tests.strategies import scenarios, scheduler_text, schedulers
from tests.tez_jobs import tez_run, tez_scenario

KEYS = [part.key for part in PARTS]


def pieces(found: CapacitySplit, resource: str) -> list[tuple]:
    """(from, {part: amount, without zeros}) of each piece."""
    parts = getattr(found, resource).parts.tolist()
    return [
        (time, {key: amount for key, amount in zip(KEYS, row) if amount})
        for time, row in zip(found.times.tolist(), parts)
    ]


def held_to_the_twin(of: Run) -> None:
    result, twin = capacity_split(of), Twin(of)
    assert (result.times[0], result.times[-1]) == (of.first_ms, of.until_ms)
    assert (np.diff(result.times) > 0).all()
    for moment in sorted({*twin.moments, *result.times[:-1].tolist()}):
        piece = np.searchsorted(result.times, moment, side="right") - 1
        expected = twin.at(moment)
        for number, resource in enumerate((result.memory, result.vcores)):
            assert dict(zip(KEYS, resource.parts[piece].tolist())) | {
                "wasted": int(resource.wasted[piece])
            } == {key: both[number] for key, both in expected.items()}, moment
    for resource, capacity in (
        (result.memory, of.workload.node_memory),
        (result.vcores, of.workload.node_vcores),
    ):
        assert resource.capacity == capacity.sum()
        assert (resource.parts.sum(axis=1) == resource.capacity).all()
        assert sum(resource.totals.values()) == resource.capacity * (of.until_ms - of.first_ms)


def test_a_map_that_waits_for_the_next_beat():
    # One node, beats at 0 and 1,000. The first map ends at 500, which is seen at 1,000; the second would fit
    # beside it, yet one a beat is given.
    of = scenario([(4096, 4)], [{"maps": stage(2, 1024, 1)}])
    result = capacity_split(
        run(of, [container(0, "map", 0, 0, 500), container(0, "map", 0, 1000, 1500, requested=0, index=1)])
    )
    assert pieces(result, "memory") == [
        (0, {"map": 1024, "not_given": 1024, "unwanted": 2048}),
        (500, {"unseen": 1024, "not_given": 1024, "unwanted": 2048}),
        (1000, {"map": 1024, "unwanted": 3072}),
    ]
    assert result.times.tolist() == [0, 500, 1000, 1500]
    totals = {"map": 1000, "unseen": 500, "not_given": 1000, "unwanted": 2 * 1000 + 3 * 500}
    assert result.vcores.totals == {key: totals.get(key, 0) for key in KEYS}


def test_room_in_pieces_that_fits_no_node():
    # Two nodes of 4 vcores run a map of 3 each; 1 vcore is free on either, a third map needs 3.
    of = scenario([(4096, 4), (4096, 4)], [{"maps": stage(3, 1024, 3)}])
    rows = [
        container(0, "map", 0, 0, 100),
        container(0, "map", 1, 0, 100, index=1),
        container(0, "map", 0, 1000, 1200, requested=0, index=2),
    ]
    assert pieces(capacity_split(run(of, rows)), "vcores")[0] == (0, {"map": 6, "fits_no_node": 2})
    assert pieces(capacity_split(run(of, rows)), "memory")[0] == (
        0,
        {"map": 2048, "fits_no_node": 1024, "unwanted": 5120},
    )


def test_of_what_waits_only_what_could_be_placed_now_was_not_given():
    # 30 maps of 5 vcores wait; on a node of 8 one fits, on a node of 4 none. So 5 of 12 idle vcores could be
    # given.
    of = scenario([(8192, 8), (8192, 4)], [{"maps": stage(30, 1024, 5)}], heartbeat_ms=0)
    rows = [
        container(0, "map", 0, 10 + 10 * index, 20 + 10 * index, requested=0, index=index)
        for index in range(30)
    ]
    assert pieces(capacity_split(run(of, rows)), "vcores")[0] == (0, {"not_given": 5, "fits_no_node": 7})
    assert pieces(capacity_split(run(of, rows)), "memory")[0] == (
        0,
        {"not_given": 1024, "fits_no_node": 16384 - 1024},
    )


def test_slots_are_room_too():
    of = scenario([(8, 8)], [{"maps": stage(2, 1, 1)}]).plain()
    of["cluster"]["nodes"][0]["map_slots"] = 1
    limited = type(scenario([(8, 8)], [{"maps": stage(2, 1, 1)}])).of(of)
    rows = [container(0, "map", 0, 0, 100), container(0, "map", 0, 1000, 1100, requested=0, index=1)]
    # While the first runs, its slot is taken; from its end to the beat at 1,000 the scheduler doesn't know
    # that it is free.
    assert [idle for _, idle in pieces(capacity_split(run(limited, rows)), "memory")] == [
        {"map": 1, "fits_no_node": 1, "unwanted": 6},
        {"unseen": 1, "fits_no_node": 1, "unwanted": 6},
        {"map": 1, "unwanted": 7},
    ]


# A map's output is 10 MB, fetched at 100 MB/s by one reduce: 100 ms.
FETCHING = {"maps": stage(2, 1, 1), "reduces": stage(1, 2, 1), "shuffle_mb_per_map": 10}
MAPS = [container(0, "map", 0, 0, 1000), container(0, "map", 0, 0, 2000, index=1)]


def test_a_reduce_fetches_what_there_is_and_waits_for_the_rest():
    of = scenario([(4, 4)], [FETCHING], heartbeat_ms=0)
    early = capacity_split(run(of, [*MAPS, container(0, "reduce", 0, 500, 3000, fetched=2100)]))
    assert {key: total for key, total in early.memory.totals.items() if total} == {
        "map": 1000 + 2000,
        "waiting": 2 * (500 + 900),  # 500 to 1,000 and 1,100 to 2,000
        "fetching": 2 * (100 + 100),
        "computing": 2 * 900,
        "unwanted": 4 * 3000 - 3000 - 2 * 2500,
    }
    # Launched at 1,950 it has the first part at 2,050 and the second at 2,150: it never waits.
    late = capacity_split(run(of, [*MAPS, container(0, "reduce", 0, 1950, 3000, fetched=2150)]))
    assert (late.memory.totals["fetching"], late.memory.totals["waiting"]) == (2 * 200, 0)


def test_a_reduce_waits_on_while_maps_are_missing():
    # Nothing to fetch: waiting before and after the first map's end is one wait, to the end of the run at
    # 1,500.
    of = scenario([(4, 4)], [{**FETCHING, "shuffle_mb_per_map": 0}])
    result = capacity_split(
        run(of, [MAPS[0], container(0, "reduce", 0, 500, None), container(0, "map", 0, 1500, None, index=1)])
    )
    assert (result.memory.totals["waiting"], result.memory.totals["fetching"]) == (2 * 1000, 0)


def test_room_of_a_reduce_that_is_killed_is_marked():
    of = scenario([(4, 4)], [FETCHING])
    rows = [
        *MAPS,
        container(0, "reduce", 0, 500, 1050, killed=True),
        container(0, "reduce", 0, 2000, 4000, fetched=2200, attempt=2),
    ]
    result = capacity_split(run(of, rows)).memory
    # 500 to 1,000 waiting, 1,000 to 1,050 fetching, then its room is unseen until the beat at 2,000.
    assert (result.totals["waiting"], result.totals["fetching"], result.wasted_total) == (
        2 * 500,
        2 * (50 + 200),
        2 * 550,
    )
    assert result.totals["unseen"] == 2 * (2000 - 1050)


def test_a_deadlock_wants_what_was_never_served_and_masters_held_back():
    job = {"am": {"memory_mb": 1, "vcores": 1}, "maps": stage(2, 3, 1)}
    of = scenario([(4, 4)], [job, {**job, "arrival_s": 0.1}, {**job, "arrival_s": 9}])
    stuck = run(
        of,
        [container(0, "am", 0, 0, None), container(0, "map", 0, 50, 1000)],
        waiting=[(0, "map", 1, 0), (1, "am", 1, 100)],
    )
    result = capacity_split(stuck)
    # Until 1,000. The master holds 1, the map 3: nothing is idle, though a map (3) and from 100 on a master
    # (1) wait.
    assert pieces(result, "memory") == [
        (0, {"master": 1, "not_given": 3}),
        (50, {"master": 1, "map": 3}),
        (100, {"master": 1, "map": 3}),
    ]
    assert pieces(result, "vcores")[1:] == [
        (50, {"master": 1, "map": 1, "fits_no_node": 1, "unwanted": 1}),
        (100, {"master": 1, "map": 1, "fits_no_node": 2}),
    ]


def test_a_master_is_wanted_from_its_jobs_arrival():
    of = scenario([(4, 4)], [{"am": {"memory_mb": 3, "vcores": 1}, "maps": stage(1, 1, 1)}])
    rows = [container(0, "am", 0, 1000, 3000, requested=500), container(0, "map", 0, 2000, 3000)]
    assert pieces(capacity_split(run(of, rows)), "memory")[0] == (0, {"not_given": 3, "unwanted": 1})


def test_nothing_ever_ran():
    of = scenario([(4, 4)], [{"maps": stage(1, 1, 1)}])
    result = capacity_split(run(of, [], waiting=[(0, "map", 1, 0)]))
    assert result.times.tolist() == [0]
    assert result.memory.parts.shape == (0, len(PARTS))
    assert set(result.memory.totals.values()) == {0}


def test_more_vcores_than_there_are_when_memory_alone_must_fit():
    of = scenario([(4, 1)], [{"maps": stage(3, 1, 1)}], heartbeat_ms=0)
    rows = [container(0, "map", 0, 0, 10, index=index) for index in range(2)] + [
        container(0, "map", 0, 5, 10, requested=0, index=2)
    ]
    result = capacity_split(run(of, rows, memory_only=True))
    assert pieces(result, "vcores") == [(0, {"map": 2, "unwanted": -1}), (5, {"map": 3, "unwanted": -2})]
    assert pieces(result, "memory")[0] == (0, {"map": 2, "not_given": 1, "unwanted": 1})


def test_totals_are_exact_beyond_64_bits():
    of = scenario([(10**9, 10**9)] * 3, [{"maps": stage(1, 10**9, 7, 1e8)}])
    totals = capacity_split(run(of, [container(0, "map", 0, 0, 10**11 - 1)])).memory.totals
    assert totals["map"] == 10**9 * (10**11 - 1)
    assert sum(totals.values()) == 3 * 10**9 * (10**11 - 1)


@given(scenarios(), schedulers())
def test_the_twin_agrees_on_random_runs(of, chosen):
    held_to_the_twin(simulate(of, scheduler_text(chosen)))


@given(physical(), schedulers())
def test_the_twin_agrees_with_the_physics_of_a_cluster(of, chosen):
    held_to_the_twin(simulate(of, scheduler_text(chosen)))


@st.composite
def shuffles(draw: st.DrawFn) -> Run:
    """Up to 30 maps and 5 reduces of two iterations whose times have nothing to do with each other; maps may
    miss, reduces may be killed.
    """
    maps, reduces = draw(st.integers(1, 30)), draw(st.integers(1, 5))
    job = {
        "maps": stage(maps, 1, 1),
        "reduces": stage(reduces, 2, 3),
        "shuffle_mb_per_map": draw(st.sampled_from([0, 0.07, 0.1, 1, 5, 7])),
        "iterations": 2,
    }
    of = scenario(
        [(1000, 1000)],
        [job],
        heartbeat_ms=draw(st.sampled_from([0, 7])),
        shuffle_mb_s=draw(st.sampled_from([100.0, 300.0])),
    )
    fetch = 1000.0 * job["shuffle_mb_per_map"] / reduces / of.cluster.shuffle_mb_s
    rows = []
    for number in (1, 2):
        complete = number == 1 or draw(st.booleans())
        ends = sorted(
            draw(
                st.lists(
                    st.integers(1, 200),
                    min_size=maps if complete else 0,
                    max_size=maps if complete else maps - 1,
                )
            )
        )
        rows += [container(0, "map", 0, 0, end, index=index, stage=number) for index, end in enumerate(ends)]
        for index in range(reduces):
            start = draw(st.integers(0, 250))
            given = {"index": index, "stage": number}
            latest = max(
                [start + maps * fetch, *(end + (maps - place) * fetch for place, end in enumerate(ends))]
            )
            fetched = int(np.ceil(latest - 1e-6))
            if complete and draw(st.booleans()):
                rows.append(
                    container(
                        0, "reduce", 0, start, fetched + draw(st.integers(1, 9)), fetched=fetched, **given
                    )
                )
            elif draw(st.booleans()):
                rows.append(
                    container(0, "reduce", 0, start, start + draw(st.integers(0, 60)), killed=True, **given)
                )
            elif not complete:
                rows.append(container(0, "reduce", 0, start, None, **given))
    return run(of, rows)


@given(shuffles())
def test_the_twin_agrees_on_any_shuffle(of):
    held_to_the_twin(of)


@given(scenarios(), schedulers())
def test_the_scheduler_sees_ends_when_the_oracle_does(of, chosen):
    result, expected = simulate(of, scheduler_text(chosen)), simulator.simulate(of, **chosen)
    ended = [number for number, one in enumerate(expected.containers) if one.seen is not None]
    seen = observed_end_ms(result, result.containers.end)[ended]
    truth = np.array([expected.containers[number].seen for number in ended], np.int64)
    # A kill at the instant of its node's beat may come before or after the beat; the run does not say which.
    killed = result.containers.outcome[ended] == KILLED
    assert (seen[~killed] == truth[~killed]).all()
    assert (abs(seen - truth)[killed] <= of.cluster.heartbeat_ms).all()


def test_containers_launch_before_their_tasks_begin():
    of = scenario([(4, 4)], [FETCHING])
    maps = [MAPS[0] | {"begin": 300}, MAPS[1]]
    made = run(
        of,
        [
            *maps,
            container(0, "reduce", 0, 500, 3000, fetched=2100, begin=700),
            container(0, "reduce", 0, 500, 600, begin=700, killed=True),
        ],
    )
    result = capacity_split(made).memory
    # The map launches for 300 ms, the first reduce for 200 and the second, which is killed while it does, for
    # 100.
    assert result.totals["launching"] == 300 + 2 * 200 + 2 * 100
    assert (result.totals["waiting"], result.totals["fetching"]) == (2 * (300 + 900), 2 * (100 + 100))
    assert result.wasted_total == 2 * 100
    held_to_the_twin(made)


def test_a_measured_master_launches_and_is_a_master_then():
    of = scenario([(4, 4)], [{"am": {"memory_mb": 2, "vcores": 1}, "maps": stage(1, 2, 1)}])
    made = run(of, [container(0, "am", 0, 0, 3000, begin=500), container(0, "map", 0, 1000, 2000)])
    result = capacity_split(made).memory
    # It launches for 500 ms and holds its 2 MB for 2,500 ms more.
    assert (result.totals["launching"], result.totals["master"], result.totals["map"]) == (
        2 * 500,
        2 * 2500,
        2 * 1000,
    )
    held_to_the_twin(made)


def test_a_lost_node_is_no_room_and_its_containers_are_seen_at_once():
    # Node 2 beats at 500, 1,500 …; it is lost from 1,400 to 3,200 with a map that runs, and one that ended at
    # 1,300 is seen then.
    outage = {"node": "node2", "lost_s": 1.4, "back_s": 3.2}
    of = scenario([(4, 4), (4, 4)], [{"maps": stage(4, 1, 1)}], outages=[outage])
    rows = [
        container(0, "map", 1, 0, 1300),
        container(0, "map", 1, 0, 1400, outcome="lost", index=1),
        container(0, "map", 0, 0, 900, outcome="failed", index=2),
    ]
    made = run(
        of,
        [
            *rows,
            container(0, "map", 0, 1000, 4000, index=3),
            container(0, "map", 0, 2000, 4000, index=2, attempt=2),
        ],
    )
    result = capacity_split(made).memory
    assert result.totals["down"] == 4 * (3200 - 1400)
    assert result.totals["unseen"] == (1000 - 900) + (1400 - 1300)
    assert result.totals["map"] == 1300 + 1400 + 900 + 3000 + 2000
    assert result.wasted_total == 1400 + 900
    held_to_the_twin(made)


def test_a_node_that_is_lost_before_the_first_job_and_for_good():
    of = scenario(
        [(4, 4), (4, 4)], [{"maps": stage(1, 1, 1), "arrival_s": 2}], outages=[{"node": "node1", "lost_s": 1}]
    )
    made = run(of, [container(0, "map", 1, 2000, 3000)])
    assert capacity_split(made).memory.totals["down"] == 4 * 1000
    held_to_the_twin(made)


@given(physical(), schedulers())
def test_parts_are_the_twins_with_the_physics_of_a_cluster(scenario, scheduler):
    held_to_the_twin(simulate(scenario, scheduler_text(scheduler)))


def test_held_containers_idle_and_their_tasks_fetch_wait_and_compute():
    split = capacity_split(tez_run())
    used = {"master": 5000, "task": 5000, "fetching": 2000, "waiting": 1000, "held_idle": 2000}
    assert {key: total for key, total in split.vcores.totals.items() if key in used} == used
    assert split.memory.totals == {
        key: 1024 * (total if key != "unwanted" else 16 * 5000 - sum(used.values()))
        for key, total in split.vcores.totals.items()
    }
    assert (split.vcores.parts.sum(axis=1) == 16).all()


def test_what_a_lost_container_held_is_wasted_whatever_its_task_did():
    # one container a node; the first is lost while its second task waits for input, 1000 after it began
    nodes = [{"count": 3, "memory_mb": 1024, "vcores": 1}]
    outages = [{"node": "node1-2", "lost_s": 2.5, "back_s": 3}]
    cluster = {"nodes": nodes, "heartbeat_ms": 0, "outages": outages}
    of = Scenario.of(tez_scenario().plain() | {"cluster": cluster})
    split = capacity_split(simulate(of, "fifo", plain=True)).vcores
    assert split.wasted_total == 2500
    assert int(ordered_columns(split.figures)[:, -1] @ split.lengths) == 1000  # neither fetched nor waited
