"""How long runs are thought to take: what is short is done at once, a crowd waits."""

from __future__ import annotations

from engine import Scenario
from tests.webapp.served import CROWD
from webapp.services import tasks
from webapp.services.run_seconds import seconds_of


def test_a_crowd_is_thought_to_take_long(small: dict) -> None:
    few, many = (seconds_of(Scenario.of(CROWD | {"cluster": CROWD["cluster"] | {"contention": rate}})) for rate in (0.0, 0.5))
    assert few < 1 < 60 < many
    assert seconds_of(Scenario.of(small), 4) < tasks.AT_ONCE_S
