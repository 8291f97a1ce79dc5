"""What a part reads of the View is found in its functions and in those that they call."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from engine.simulation.cancellation import CancelToken
from engine.simulation.policy_binding import reads
from engine.simulation.simulate import prepare
from tests.examples import examples
from tests.strategies import BUSY, scenarios


@pytest.mark.parametrize(
    ("name", "does"),
    [("fresh", True), ("priority-fair", True), ("fifo", False), ("fair", False), ("capacity", False)],
)
def test_an_order_that_goes_through_what_waits_is_known_to(name: str, does: bool) -> None:
    assert reads(parse(name).order.policy, "waiting_requests") is does


def test_a_rule_that_does_so_at_its_windows_ends_alone_is_none() -> None:
    rule = parse("fair+ramp-up").reduce_start.policy
    assert reads(rule, "request_waiting") and not reads(rule, "waiting_requests")


@examples(3, 30)
@given(
    scenario=scenarios(BUSY),
    scheduler=st.sampled_from(
        ["fifo", "drf", "capacity(preemption=yes)", "fair(preemption=yes)", "haste", "omo"]
    ),
)
def test_every_array_of_a_run_has_one_dimension_and_lies_in_one_piece(
    scenario: Scenario, scheduler: str
) -> None:
    """jit.table takes no more of an array than where it begins and how many entries it has."""
    prepared = prepare(scenario, parse(scheduler), True, None, CancelToken())
    assert all(array.ndim == 1 and array.flags.c_contiguous for array in (*prepared.view, *prepared.state))
