"""A run that pauses at any instant, or is restored there, and goes on is the run that did not stop, array for
array and byte for byte.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.codes import PAUSED
from engine.errors import TooLarge
from engine.scenario.presets import presets
from engine.schedulers.scheduler import parse
from engine.simulation.cancellation import CancelToken
from engine.simulation.pausable_run import PausableRun
from engine.simulation.run import Run
from engine.simulation.simulate import ArraySizes, finish_run, larger_sizes, prepare, simulate
from tests.engine.agreement import without_seen
from tests.engine.results import result_of
from tests.engine.simulation.same import assert_same
from tests.examples import examples
from tests.oracle.simulator import ExcludedChoice, simulate_named
from tests.physics import physical
from tests.small_scenarios import job, master, node, placed, scenario, tasks
from tests.strategies import BUSY, ORDERS, in_gigabytes, named_schedulers, scenarios

FOUR = presets()[0].scenario


def at_start(scenario, text: str, plain: bool) -> PausableRun:
    """With as much room as it needs to its end; it has been there, and is restored."""
    array_sizes = None
    while True:
        paused_run = PausableRun(prepare(scenario, parse(text), plain, None, CancelToken(), array_sizes))
        start = paused_run.save()
        array_sizes = larger_sizes(paused_run.prepared, paused_run.advance())
        if not array_sizes:
            paused_run.restore(start)
            return paused_run


def to_end(paused_run: PausableRun) -> Run:
    """Its arrays are the paused run's, until that is restored."""
    return finish_run(paused_run.prepared, paused_run.advance(), paused_run.node)


def check(scenario, text: str, part: float, plain: bool = True) -> None:
    """At the beginning, at the instants of two containers, one ms after one of them, and after the end."""
    try:
        whole = simulate(scenario, text, plain=plain)
    except TooLarge:
        assume(False)
    starts = whole.containers.start if len(whole.containers.start) else np.zeros(1, np.int64)
    at = int(starts[int(part * (len(starts) - 1))])
    paused_run, saved = at_start(scenario, text, plain), []
    assert paused_run.advance(0) == PAUSED
    for until_ms in (0, at, at + 1, int(starts[-1]), whole.until_ms + 1):
        paused_run.advance(until_ms)
        saved.append(paused_run.save())
    assert_same(to_end(paused_run), whole)
    for copies in saved:
        paused_run.restore(copies)
        assert_same(to_end(paused_run), whole)


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=4)
@given(scenario=scenarios() | scenarios(BUSY), rules=st.data(), part=st.floats(0, 1))
def test_under_every_order_with_any_rules(order, scenario, rules, part):
    check(scenario, rules.draw(named_schedulers(orders=(order,))), part)


@examples(2, 12)
@given(scenario=physical(), scheduler=named_schedulers(), part=st.floats(0, 1))
def test_with_the_physics_of_a_cluster(scenario, scheduler, part):
    check(scenario, scheduler, part)


@examples(2, 10)
@given(
    scenario=scenarios(BUSY),
    order=st.sampled_from(["fair(preemption=yes, wait_before_kill_ms=30)", "capacity(preemption=yes)"]),
    part=st.floats(0, 1),
)
def test_where_containers_are_killed_for_other_jobs(scenario, order, part):
    check(scenario, order, part)


@pytest.mark.parametrize("scheduler", ["fifo", "fair", "capacity"])
def test_compiled_it_is_the_same(scheduler):
    for part in (0.1, 0.6):
        check(FOUR, scheduler, part, plain=False)


def changed(scenario, text: str, number: int, plain: bool = True) -> tuple[Run, Run, PausableRun]:
    """The run, the run with the choice of one of its containers changed, and its course."""
    whole = simulate(scenario, text, plain=plain)
    c = whole.containers
    array_sizes = ArraySizes(4 * len(c.job) + 64, 64, 16 * len(c.job) if whole.fetches else -1)
    paused_run = PausableRun(prepare(scenario, parse(text), plain, None, CancelToken(), array_sizes))
    paused_run.advance(int(c.start[number]))
    paused_run.exclude(number, int(c.node[number]), int(c.job[number]))
    return whole, to_end(paused_run), paused_run


def check_changed(scenario, text: str) -> None:
    """Three choices of a run, each changed in the kernel and in the oracle."""
    whole = simulate(scenario, text, plain=True)
    c, work = whole.containers, whole.workload
    for number in {len(c.job) * part // 6 for part in (1, 3, 5)} - {len(c.job)}:
        _, other, paused_run = changed(scenario, text, number)
        excluded = ExcludedChoice(
            int(c.start[number]), number, work.node_names[c.node[number]], work.job_names[c.job[number]]
        )
        assert without_seen(result_of(other)) == without_seen(simulate_named(scenario, text, excluded))
        for column in ("job", "stage", "kind", "index", "node", "requested", "start"):
            assert np.array_equal(getattr(other.containers, column)[:number], getattr(c, column)[:number])
        if not paused_run.has_excluded:
            assert_same(other, whole)


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=2)
@given(
    scenario=scenarios(BUSY).filter(lambda one: one.cluster.heartbeat_ms not in range(1, 7)), rules=st.data()
)  # the oracle visits every beat
def test_one_choice_is_changed_as_the_oracle_changes_it(order, scenario, rules):
    check_changed(scenario, rules.draw(named_schedulers(orders=(order,))))


@pytest.mark.parametrize("order", ["fair", "capacity", "capacity(user_limits=no)"])
@settings(max_examples=5)
@given(scenario=scenarios(BUSY), rule=st.sampled_from(["", "+slowstart+admit-all"]))
def test_and_where_requests_reserve_nodes(order, scenario, rule):
    check_changed(in_gigabytes(scenario), order + rule)


def test_what_is_chosen_when_the_one_that_was_is_no_candidate():
    """One node for one container at a time; fifo runs a's two maps of 1 s, then b's of 5 s. Without a at the
    first choice b goes first.
    """
    two = scenario([node(1)], [job("a", tasks(2, 1.0)), job("b", tasks(1, 5.0))])
    whole, other, paused_run = changed(two, "fifo", 0)
    assert paused_run.has_excluded and placed(result_of(whole)) == "aab" and placed(result_of(other)) == "baa"
    assert changed(two, "fifo", 1, plain=False)[1].containers.job.tolist() == [0, 1, 0]
    whole, other, paused_run = changed(two, "fifo", 2)
    # of all that waits there is nothing but b
    assert not paused_run.has_excluded and placed(result_of(other)) == "aab"


def test_what_the_cluster_has_no_room_for_is_no_alternative():
    """Beside a's master nothing but its map fits, and b's master would have to reserve the only node, which
    capacity never grants beyond the whole cluster.
    """
    two = scenario(
        [node(3 * 1024)],
        [job(name, tasks(1, 1.0), am=master(memory=2 * 1024)) for name in "ab"],
        heartbeat_ms=1000,
    )
    for order in ("capacity(user_limits=no)+slowstart+admit-all", "capacity+slowstart+admit-all"):
        whole, other, paused_run = changed(two, order, 1)
        assert not paused_run.has_excluded and placed(result_of(other)) == "aabb"
        assert_same(other, whole)
        check_changed(two, order)


def test_what_copies_take():
    """Containers are 61 bytes each, with an eighth more room and 16; all of this run's arrays, with the
    tables that say where they lie, are less than 38 kB.
    """
    copies = at_start(FOUR, "fair", plain=True).save()
    assert 61 * 148 < sum(array.nbytes for array in copies) < 38_000
