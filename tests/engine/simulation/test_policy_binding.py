"""What a part reads of the View is found in its functions and in those that they call."""

from __future__ import annotations

import pytest

from engine.schedulers.scheduler import parse
from engine.simulation.policy_binding import reads


@pytest.mark.parametrize(
    ("name", "does"),
    [("fresh", True), ("priority-fair", True), ("fifo", False), ("fair", False), ("capacity", False)],
)
def test_an_order_that_goes_through_what_waits_is_known_to(name: str, does: bool) -> None:
    assert reads(parse(name).order.policy, "waiting_requests") is does


def test_a_rule_that_does_so_at_its_windows_ends_alone_is_none() -> None:
    rule = parse("fair+ramp-up").reduce_start.policy
    assert reads(rule, "request_waiting") and not reads(rule, "waiting_requests")
