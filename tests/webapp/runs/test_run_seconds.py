"""How long runs are thought to take: what is short is done at once, a crowd waits."""

from __future__ import annotations

from engine import Scenario
from tests.webapp.live_server import CROWD
from webapp.jobs import job_manager
from webapp.runs.time_estimates import estimate_seconds


def test_a_crowd_is_thought_to_take_long(small: dict) -> None:
    few, many = (
        estimate_seconds(Scenario.of(CROWD | {"cluster": CROWD["cluster"] | {"contention": rate}}))
        for rate in (0.0, 0.5)
    )
    assert few < 1 < 60 < many
    assert estimate_seconds(Scenario.of(small), 4) < job_manager.IMMEDIATE_S
