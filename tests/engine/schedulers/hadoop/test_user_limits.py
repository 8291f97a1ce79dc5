"""Users' limits (UsersManager.computeUserLimit), worked by hand."""

from __future__ import annotations

import pytest

from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.small_scenarios import job, node, of, scenario, tasks

HALF = {"name": "root.q", "capacity_pct": 50.0}
REST = {"name": "root.default", "capacity_pct": 50.0}
TEXTBOOK = "capacity(resources=memory, reservations=no)+slowstart+admit-all"


def at_once(users: list[str], limits: dict, scheduler: str = TEXTBOOK) -> list[int]:
    """How many of 20 maps of 1 MB each user's job runs at first on a node of 16 MB."""
    jobs = [job(f"of-{user}", tasks(20, 50.0), queue="root.q", user=user) for user in users]
    result = of(result_of(simulate(scenario([node(16)], jobs, [HALF | limits, REST]), scheduler)), "map")
    return [sum(c.job == f"of-{user}" and c.start == 0 for c in result) for user in users]


@pytest.mark.parametrize(("factor", "most"), [(0.5, 5), (1.0, 9), (1.5, 13), (3.0, 16)])
def test_one_user_gets_the_guarantee_times_the_factor_and_the_container_that_passes_it(factor, most):
    """The guarantee is 8 MB; it is more that is compared, so one container may pass it."""
    assert at_once(["ann"], {"user_limit_factor": factor}) == [most]


def test_without_users_limits_one_user_may_have_all():
    assert at_once(["ann"], {}, TEXTBOOK.replace("reservations=no", "reservations=no, user_limits=no")) == [
        16
    ]


def test_two_users_share_what_they_hold():
    """With min_user_limit_pct 50 ann is passed over once she holds more than half of the 16 MB that both hold
    in the end, and bob goes on.
    """
    assert at_once(["ann", "bob"], {"min_user_limit_pct": 50, "user_limit_factor": 3.0}) == [9, 7]
