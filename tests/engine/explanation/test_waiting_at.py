"""What waits at a moment, and what keeps it."""

from __future__ import annotations

from engine.explanation.waiting_at import waiting_at
from engine.schedulers.scheduler import parse
from engine.simulation.simulate import simulate
from tests.small_scenarios import job, master, node, scenario, tasks


def test_what_waits_is_told_with_what_keeps_it() -> None:
    """One MB: a's map until 2 s, then b's. At 1 s b's waits for room; at 3 s nothing waits."""
    run = simulate(scenario([node(1)], [job(name, tasks(1, 2.0)) for name in "ab"]), "fifo+slowstart")
    fifo = parse("fifo+slowstart")
    (one,) = waiting_at(run, fifo, 1000)
    assert (one.job, one.count, one.since, one.rule) == (1, 1, 0, "room")
    assert waiting_at(run, fifo, 3000) == [] == waiting_at(run, fifo, 9000)


def test_a_deadlock_waits_for_ever() -> None:
    """A master of 2 of 2 MB is more than half."""
    run = simulate(scenario([node(2)], [job("a", tasks(1), am=master(memory=2))]), "fair+slowstart")
    (one,) = waiting_at(run, parse("fair+slowstart"), run.at_ms)
    assert (one.rule, one.setting) == ("am-share", "maxAMShare")
