"""A run that goes on from a snapshot under a changed scenario is the changed scenario's run, byte for byte; whether it does go on is tried too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.errors import SchedulerError, TooLarge
from engine.scenario.model import Scenario
from engine.scenario.presets import presets
from engine.simulation.changed_future import first_difference_ms, simulate_ahead
from engine.simulation.simulate import simulate
from engine.simulation.snapshots import MOST_SNAPSHOTS, snapshots
from tests.engine.simulation.test_snapshots import assert_same
from tests.physics import PARTS, locality, outages, physical
from tests.small import job, master, node, scenario, tasks
from tests.strategies import BUSY, ORDERS, SMALL, durations, named_schedulers, scenarios, seconds

FOUR = presets()[0].scenario
ORDINARY = ["fifo", "fair", "drf", "capacity", "haste", "omo", "ffd-dp", "haste-a", "batch-finish", "priority-fair", "weighted"]


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
            one["slowstart"], one["weight"] = draw(st.sampled_from([0.0, 0.5, 1.0])), draw(st.sampled_from([0.5, 2.0]))
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
        known = snapshots(before, text, sorted({int(part * at), at}), plain=plain)
    except TooLarge:
        assume(False)
    found = simulate_ahead(after, text, known, [at // 2, at + 1, 2 * at], plain=plain)
    assert_same(found.run, whole)
    for snapshot in found.kept:
        assert_same(simulate_ahead(after, text, [snapshot], plain=plain).run, whole)
    return found.from_ms


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=10)
@given(data=st.data(), before=scenarios(SMALL) | scenarios(BUSY), part=st.floats(0, 1))
def test_under_every_order_with_any_rules(order, data, before, part):
    check(before, data.draw(changed(before)), data.draw(named_schedulers(orders=(order,))), part)


@settings(max_examples=30)
@given(data=st.data(), before=physical(), scheduler=named_schedulers(), part=st.floats(0, 1))
def test_with_the_physics_of_a_cluster(data, before, scheduler, part):
    check(before, data.draw(changed(before)), scheduler, part)
