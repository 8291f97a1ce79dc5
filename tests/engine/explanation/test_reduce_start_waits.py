"""A reduce before its master asked for it: slow start, and what ramp-up leaves to reduces."""

from __future__ import annotations

from tests.engine.explanation.waits import PLAIN, spans
from tests.small_scenarios import job, master, node, scenario, tasks


def test_a_reduce_waits_for_slow_start() -> None:
    """Half of four maps, of which two run at a time for 1 s; the reduce then has the room of one of them."""
    one = job("a", tasks(4, [1.0] * 4), tasks(1), slowstart=0.5)
    found = spans(scenario([node(2)], [one]), f"fifo{PLAIN}", "a/1/reduce/0/1")
    assert found == [(0.0, 1.0, "slow-start", "a", 2.0, 0.0)]


def test_ramp_up_leaves_reduces_too_little_while_few_maps_have_finished() -> None:
    """A master of 1 MB and 4 of 16 maps at a time on 5 MB. At 1 s a quarter has finished: reduces may have a
    quarter of the 4 MB that maps have, 1, and one asks for 2. At 2 s half has: 2 MB.
    """
    one = job("a", tasks(16, [1.0] * 16), tasks(1, 1.0, 2), slowstart=0.1, am=master())
    found = spans(scenario([node(5)], [one]), "fifo+ramp-up(limit=1)+admit-all", "a/1/reduce/0")
    slow_start, ramp_up = found[:2]
    assert slow_start == (0.0, 1.0, "slow-start", "a", 2.0, 0.0)
    assert ramp_up == (1.0, 2.0, "reduce-start", "a", 1.0, 2.0)
