"""A run that goes on from a snapshot under a changed scenario is the changed scenario's run, byte for byte;
whether it does go on is tried too.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.errors import SchedulerError, TooLarge
from engine.scenario.model import Scenario
from engine.scenario.presets import presets
from engine.simulation import shortlist_arrays
from engine.simulation.incremental_run import first_difference_ms, simulate_incrementally
from engine.simulation.simulate import simulate
from engine.simulation.snapshots import MAX_SNAPSHOTS, snapshots
from tests.engine.simulation.same import assert_same
from tests.engine.simulation.shortlists import CACHED_SCORE_ORDERS, where_room_decides
from tests.examples import examples
from tests.phrases import phrase
from tests.physics import outages, physical
from tests.small_scenarios import job, master, node, scenario, tasks
from tests.strategies import BUSY, ORDERS, SMALL, durations, named_schedulers, scenarios, seconds

FOUR = presets()[0].scenario
# those two number all sizes when they first decide
ORDINARY = [order for order in ORDERS if order not in ("saf", "fresh")]


def batch(jobs: int = 8, **third: object) -> Scenario:
    """Jobs of two sizes by turns, one a second; the third from the end with these values instead."""
    sizes = [{"memory": 1, "vcores": 2}, {"memory": 2, "vcores": 1}]
    listed = [
        job(f"j{n}", tasks(6, 0.7, **sizes[n % 2]), tasks(2, 0.5), am=master(0.1), arrival_s=float(n))
        for n in range(jobs)
    ]
    listed[-3] |= third
    return scenario([node(5, 5), node(5, 5), node(5, 5)], listed, heartbeat_ms=100)


def goes_on(before: Scenario, after: Scenario, text: str) -> int | None:
    """From where, with snapshots at 0 and at the first difference; the run is the whole one."""
    at = first_difference_ms(before, after)
    whole, known_snapshots = simulate(after, text, plain=True), snapshots(before, text, [0, at], plain=True)
    incremental = simulate_incrementally(after, text, known_snapshots, plain=True)
    assert_same(incremental.run, whole)
    return incremental.from_ms


@st.composite
def changed(draw: DrawFn, before: Scenario) -> Scenario:
    """The scenario with one or two things changed of its jobs or outages."""
    plain = before.plain()
    for _ in range(draw(st.integers(1, 2))):
        one = draw(st.sampled_from(plain["jobs"]))
        stage = one[draw(st.sampled_from(["maps", "reduces"]))] if one.get("reduces") else one["maps"]
        other = draw(st.sampled_from(plain["jobs"]))
        change = draw(st.integers(0, 9))
        if change <= 2:
            one["arrival_s"] = draw(seconds())
        elif change <= 4:
            stage["duration_s"] = draw(durations(max(stage["count"], 1)))
        elif change == 5:
            one["slowstart"], one["weight"] = (
                draw(st.sampled_from([0.0, 0.5, 1.0])),
                draw(st.sampled_from([0.5, 2.0])),
            )
        elif change == 6:
            stage["memory_mb"], stage["vcores"] = other["maps"]["memory_mb"], other["maps"]["vcores"]
        elif change == 7:
            one["interval_s"], one["priority"] = draw(seconds()), draw(st.sampled_from([0, 3]))
        elif change == 8:
            one["user"], one["queue"] = other.get("user", "default"), other.get("queue", "root.default")
        else:
            one["min_share"] = {"memory_mb": draw(st.integers(0, 4)), "vcores": draw(st.integers(0, 4))}
    if before.cluster.outages and draw(st.booleans()):
        outages(draw, plain)
    try:
        return Scenario.of(plain)
    except Exception:  # a container that fits no node, or a queue no longer a leaf
        assume(False)


def check(before: Scenario, after: Scenario, text: str, part: float, plain: bool = True) -> int | None:
    """Gone on with from a part of the time up to the first difference; from where."""
    try:
        whole = simulate(after, text, plain=plain)
        at = first_difference_ms(before, after)
        at = whole.until_ms if at is None else at
        known_snapshots = snapshots(before, text, sorted({int(part * at), at}), plain=plain)
    except TooLarge:
        assume(False)
    incremental = simulate_incrementally(after, text, known_snapshots, [at // 2, at + 1, 2 * at], plain=plain)
    assert_same(incremental.run, whole)
    for snapshot in incremental.snapshots_taken:
        assert_same(simulate_incrementally(after, text, [snapshot], plain=plain).run, whole)
    return incremental.from_ms


@pytest.mark.parametrize("order", ORDERS)
@examples(2, 10)
@given(data=st.data(), before=scenarios(SMALL) | scenarios(BUSY), part=st.floats(0, 1))
def test_under_every_order_with_any_rules(order, data, before, part):
    check(before, data.draw(changed(before)), data.draw(named_schedulers(orders=(order,))), part)


@examples(3, 30)
@given(data=st.data(), before=physical(), scheduler=named_schedulers(), part=st.floats(0, 1))
def test_with_the_physics_of_a_cluster(data, before, scheduler, part):
    check(before, data.draw(changed(before)), scheduler, part)


@pytest.mark.parametrize("order", CACHED_SCORE_ORDERS)
@settings(max_examples=6)
@given(
    data=st.data(), before=(scenarios(SMALL) | scenarios(BUSY)).map(where_room_decides), part=st.floats(0, 1)
)
def test_by_scores_that_are_kept(order, data, before, part):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortlist_arrays, "MIN_JOBS", 0)
        check(before, data.draw(changed(before)), order, part)


@settings(max_examples=6)
@given(
    data=st.data(),
    before=scenarios(BUSY),
    order=st.sampled_from(["fair(preemption=yes, wait_before_kill_ms=30)", "capacity(preemption=yes)"]),
)
def test_where_containers_are_killed_for_other_jobs(data, before, order):
    check(before, data.draw(changed(before)), order, 1.0)


@pytest.mark.parametrize("order", ORDINARY)
@pytest.mark.parametrize("jobs", [8, 40])
def test_what_is_ordinary_goes_on(order, jobs):
    """A job that comes later, one that comes sooner, so that another stands in its place, and one whose tasks
    take longer.
    """
    before, at = batch(jobs), 1000 * (jobs - 3)
    size = (before.jobs[-3].maps.memory_mb, before.jobs[-3].maps.vcores)
    assert goes_on(before, batch(jobs, arrival_s=jobs + 1.5), order) == at
    assert goes_on(before, batch(jobs, arrival_s=jobs - 4.5), order) == at - 1500
    assert goes_on(before, batch(jobs, maps=tasks(6, 2.0, *size)), order) == at
    assert goes_on(before, batch(jobs, maps=tasks(9, 0.7, *size), slowstart=1.0, am=master(0.7)), order) == at


@pytest.mark.parametrize("order", ["saf", "fresh"])
def test_orders_that_number_all_sizes_go_on_where_those_stay_in_their_places(order):
    before = batch()
    size = (before.jobs[-3].maps.memory_mb, before.jobs[-3].maps.vcores)
    assert goes_on(before, batch(maps=tasks(6, 2.0, *size)), order) == 5000
    assert goes_on(before, batch(arrival_s=3.5), order) == 0  # before anything is decided


def test_saf_and_fresh_know_sizes_that_are_still_to_come():
    """A container of 5 MB makes a third size, and of 15 slots three: from the first decision on, though its
    job comes later.
    """
    before = batch()
    for order, other in (("fresh", tasks(6, 0.7, 5, 5)), ("saf", tasks(6, 0.7, 1, 1))):
        (late,) = snapshots(before, order, [4000], plain=True)
        assert simulate_incrementally(batch(maps=other), order, [late], plain=True).from_ms is None


def test_a_job_ranked_before_it_arrives_is_ranked_anew():
    """drf has ranked all jobs at its first decision. Of b and c, which come while a has the node, c goes
    first once it has a minimum share.
    """
    before, after = (
        scenario(
            [node(1)],
            [
                job("a", tasks(1, 3.0)),
                job("b", tasks(1, 1.0), arrival_s=1.5),
                job("c", tasks(1, 1.0), arrival_s=1.5, min_share=share),
            ],
        )
        for share in (None, {"memory_mb": 1, "vcores": 1})
    )
    assert [simulate(one, "drf", plain=True).containers.job.tolist() for one in (before, after)] == [
        [0, 1, 2],
        [0, 2, 1],
    ]
    assert goes_on(before, after, "drf") == 1500


def test_a_snapshot_after_the_first_difference_is_not_gone_on_from():
    before = batch()
    known_snapshots = snapshots(before, "fair", [4000, 4300, 5000], plain=True)
    assert simulate_incrementally(batch(arrival_s=4.2), "fair", known_snapshots, plain=True).from_ms == 4000
    first = lost(before, ("node2", 5.0, None))
    known_snapshots = snapshots(first, "fair", [4000, 4300, 5000], plain=True)
    assert (
        simulate_incrementally(
            lost(before, ("node2", 4.2, None)), "fair", known_snapshots, plain=True
        ).from_ms
        == 4000
    )


def test_what_concerns_all_is_run_from_the_beginning():
    before, plain = batch(), batch().plain()
    (late,) = snapshots(before, "fair", [4000], plain=True)
    changed_scenarios = [
        plain | {"seed": 1},
        plain | {"cluster": plain["cluster"] | {"heartbeat_ms": 200}},
        plain | {"queues": [{"name": "root.default", "weight": 2.0}]},
        plain | {"jobs": plain["jobs"][:-1]},
        plain | {"jobs": [plain["jobs"][0] | {"arrival_s": 0.5}, *plain["jobs"][1:]]},
    ]
    assert [first_difference_ms(before, Scenario.of(other)) for other in changed_scenarios] == [0, 0, 0, 0, 0]
    for other in changed_scenarios:
        incremental = simulate_incrementally(Scenario.of(other), "fair", [late], plain=True)
        assert incremental.from_ms is None
        assert_same(incremental.run, simulate(Scenario.of(other), "fair", plain=True))
    assert simulate_incrementally(before, "drf", [late], plain=True).from_ms is None
    assert simulate_incrementally(before, "fair", [late], plain=True).from_ms == 4000


def lost(before: Scenario, *outages: tuple[str, float, float | None]) -> Scenario:
    plain = before.plain()
    plain["cluster"]["outages"] = [{"node": node, "lost_s": at, "back_s": back} for node, at, back in outages]
    return Scenario.of(plain)


@pytest.mark.parametrize("order", ["fifo", "fair", "capacity", "haste"])
def test_a_node_that_is_lost_later_or_is_another(order):
    """From the run that has an outage, just before it; a run without one keeps less of its tasks, so it is no
    beginning of one with.
    """
    before, first = batch(), lost(batch(), ("node2", 3.0, None))
    assert goes_on(first, lost(batch(), ("node3", 3.0, 6.0)), order) == 3000
    assert goes_on(first, lost(batch(), ("node2", 4.1, None)), order) == 3000
    assert goes_on(first, lost(batch(), ("node2", 3.0, None), ("node1", 5.0, 5.5)), order) == 5000
    assert goes_on(before, first, order) is None


def test_one_run_goes_on_from_the_latest_of_many_and_takes_more_on_its_way():
    before, after = batch(), batch(arrival_s=6.5)
    known_snapshots = snapshots(before, "fair", [0, 2000, 4000, 6000], plain=True)
    incremental = simulate_incrementally(
        after, "fair", known_snapshots, [3000, 4500, 6200, 10**9], plain=True
    )
    assert incremental.from_ms == 4000 and [one.at_ms for one in incremental.snapshots_taken] == [4500, 6200]
    assert simulate_incrementally(after, "fair", incremental.snapshots_taken, plain=True).from_ms == 6200
    assert simulate_incrementally(before, "fair", incremental.snapshots_taken, plain=True).from_ms == 4500


def test_where_two_runs_differ_first():
    before = batch()
    assert first_difference_ms(before, batch()) is None
    assert first_difference_ms(before, Scenario.of(batch().plain() | {"name": "another"})) is None
    assert first_difference_ms(before, batch(arrival_s=9.0)) == 5000
    assert first_difference_ms(before, batch(arrival_s=4.2)) == 4200
    assert first_difference_ms(before, batch(slowstart=0.9)) == 5000
    assert first_difference_ms(lost(before, ("node1", 3.0, 4.0)), lost(before, ("node1", 3.0, 4.5))) == 4000
    assert first_difference_ms(lost(before, ("node1", 3.0, 4.0)), before) == 3000
    copies = [
        Scenario.of(
            {**before.plain(), "jobs": [{**before.plain()["jobs"][0], "count": 3, "interval_s": gap}]}
        )
        for gap in (1.0, 2.0)
    ]
    assert first_difference_ms(*copies) == 1000  # the second copy's; the first stays


def test_compiled_and_plain_go_on_from_each_other():
    before, after = batch(), batch(arrival_s=6.5)
    for plain in (True, False):
        incremental = simulate_incrementally(
            after, "fair", snapshots(before, "fair", [5000], plain=plain), plain=not plain
        )
        assert incremental.from_ms == 5000
        assert_same(incremental.run, simulate(after, "fair", plain=True))


def test_one_that_needs_more_room_is_run_from_its_beginning():
    """Two nodes with room for 70 containers each: a row has room for 64 at first, and the second job's 140
    come after the snapshot.
    """
    before = scenario(
        [node(70), node(70)], [job("a", tasks(4, 1.0)), job("b", tasks(140, 1.0), arrival_s=2.0)]
    )
    after = scenario(
        [node(70), node(70)], [job("a", tasks(4, 1.0)), job("b", tasks(140, 1.0), arrival_s=1.0)]
    )
    incremental = simulate_incrementally(
        after, "fifo", snapshots(before, "fifo", [500], plain=True), plain=True
    )
    assert incremental.from_ms is None
    assert_same(incremental.run, simulate(after, "fifo", plain=True))


def test_what_is_refused():
    with pytest.raises(SchedulerError, match=phrase("simulation.cant_be_gone_on_with")):
        simulate_incrementally(FOUR, "measured")
    with pytest.raises(ValueError, match=phrase("simulation.snapshots_one_run_must_be", 17, 16)):
        simulate_incrementally(FOUR, "fair", at_ms=range(MAX_SNAPSHOTS + 1))
