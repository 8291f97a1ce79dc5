"""Free room, what waits for it, and when it is most scattered: by hand, and against the twin of the capacity
split.
"""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.capacity.split import capacity_split
from engine.analysis.fragmentation import WaitingSize, free_resources, most_fragmented, waiting_sizes
from engine.schedulers.view import KINDS, MAP, MASTER, REDUCE
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.examples import examples
from tests.handmade_runs import container, run, scenario, stage
from tests.oracle.naive_capacity import Twin
from tests.strategies import scenarios, scheduler_text, schedulers


def test_room_that_is_free_and_of_no_use() -> None:
    # Two nodes of 4 vcores run a map of 3 each to 100; the third is placed at the beat of 1,000.
    of = scenario([(4096, 4), (4096, 4)], [{"maps": stage(3, 1024, 3)}])
    made = run(
        of,
        [
            container(0, "map", 0, 0, 100),
            container(0, "map", 1, 0, 100, index=1),
            container(0, "map", 0, 1000, 1200, requested=0, index=2),
        ],
    )
    room = free_resources(made, 50)
    assert (room.memory.tolist(), room.vcores.tolist()) == ([3072, 3072], [1, 1])
    assert waiting_sizes(made, 50) == [
        WaitingSize(memory=1024, vcores=3, kinds=(MAP,), count=1, nodes=0, placeable=0)
    ]
    assert most_fragmented(capacity_split(made)) == 0
    # The second node beats at 500: from then on its end is seen, and the map would fit there.
    assert free_resources(made, 500).vcores.tolist() == [1, 4]
    assert waiting_sizes(made, 500)[0].nodes == 1
    assert waiting_sizes(made, 1000) == []


def test_one_size_of_two_kinds_is_one_threshold() -> None:
    job = {"maps": stage(2, 2, 1), "reduces": stage(1, 2, 1), "am": {"memory_mb": 1, "vcores": 1}}
    of = scenario([(4, 4)], [job, {**job, "arrival_s": 0.02}], heartbeat_ms=0)
    rows = [container(0, "am", 0, 0, None), container(0, "map", 0, 10, None)]
    result = waiting_sizes(
        run(of, rows, waiting=[(0, "map", 1, 5), (0, "reduce", 1, 10), (1, "am", 1, 20)]), 10
    )
    # 1 of 4 GB is free: neither the map nor the reduce of 2 GB fits. The second job's master, which would,
    # comes at 20.
    assert result == [WaitingSize(memory=2, vcores=1, kinds=(REDUCE, MAP), count=2, nodes=0, placeable=0)]


def test_a_run_in_which_nothing_is_scattered_is_looked_at_in_its_middle() -> None:
    made = run(scenario([(4, 4)], [{"maps": stage(1, 1, 1)}]), [container(0, "map", 0, 0, 100)])
    assert most_fragmented(capacity_split(made)) == 50
    assert waiting_sizes(made, 50) == []
    assert (
        most_fragmented(
            capacity_split(
                run(scenario([(4, 4)], [{"maps": stage(1, 1, 1)}]), [], waiting=[(0, "map", 1, 0)])
            )
        )
        == 0
    )


def free_by_node(twin: Twin, made: Run, at: int) -> list[list[int]]:
    """Memory and vcores that each node has left; what never ends is held at the run's end too."""
    free = [[int(memory), int(vcores)] for memory, vcores, *_ in twin._nodes()]
    for c, end in zip(twin.containers, made.containers.end.tolist()):
        never_ends = c.end == made.until_ms and end < 0
        if c.start <= at and (at < c.seen or never_ends):
            free[c.node][0] -= c.size[0]
            free[c.node][1] -= c.size[1]
    return free


def requests_by_size(twin: Twin, at: int) -> Counter:
    """How many requests wait, by size and kind."""
    wanted: Counter = Counter()
    for c in twin.containers:
        if c.asked <= at < c.start:
            wanted[c.size, KINDS.index(c.kind)] += 1
    for job, kind, count, since in twin.never:
        if since <= at:
            wanted[twin._size(job, kind), KINDS.index(kind)] += count
    return wanted


@examples(7, 60)
@given(scenarios(), schedulers(), st.integers(0, 10**6))
def test_the_twin_agrees_on_random_runs(of, chosen, choose_by_share) -> None:
    made = simulate(of, scheduler_text(chosen))
    twin = Twin(made)
    at = twin.moments[choose_by_share % len(twin.moments)] if twin.moments else made.first_ms
    wanted = requests_by_size(twin, at)
    result = free_resources(made, at)
    assert [list(pair) for pair in zip(result.memory.tolist(), result.vcores.tolist())] == free_by_node(
        twin, made, at
    )
    sizes = waiting_sizes(made, at)
    assert {(one.memory, one.vcores): (one.count, set(one.kinds)) for one in sizes} == {
        size: (
            sum(n for (other, _), n in wanted.items() if other == size),
            {kind for other, kind in wanted if other == size},
        )
        for size, _ in wanted
    }
    # What could be placed is what the split calls "fits a node, not given", as far as idle room goes; the
    # split ends with the run.
    for resource, field in enumerate(("memory", "vcores")):
        given = sum(one.placeable * getattr(one, field) for one in sizes)
        assert not twin.moments or twin.at(at)["not_given"][resource] <= given


def test_masters_held_back_for_ever_wait_from_their_jobs_arrival() -> None:
    job = {"am": {"memory_mb": 2, "vcores": 1}, "maps": stage(1, 4, 1)}
    made = run(
        scenario([(4, 4)], [job, {**job, "arrival_s": 0.1}], heartbeat_ms=0),
        [container(0, "am", 0, 0, None)],
        waiting=[(0, "map", 1, 0)],
    )
    assert [one.kinds for one in waiting_sizes(made, 50)] == [(MAP,)]
    assert [(one.kinds, one.nodes) for one in waiting_sizes(made, 100)] == [((MAP,), 0), ((MASTER,), 1)]
