"""What FairScheduler knows is as old as its last update, worked by hand."""

from __future__ import annotations

import pytest

from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.small_scenarios import job, node, of, scenario, tasks


def starts(update_ms: int, arrival_s: float) -> list[int]:
    """Of two maps, on a node that beats every 100 ms."""
    case = scenario([node(4)], [job("a", tasks(2, 5.0), arrival_s=arrival_s)], heartbeat_ms=100, each=1)
    return [
        c.start
        for c in of(result_of(simulate(case, f"fair(update_ms={update_ms})+slowstart+admit-all")), "map")
    ]


@pytest.mark.parametrize(
    ("update_ms", "arrival_s", "expected"),
    [(0, 0.25, [300, 400]), (500, 0.25, [500, 600]), (500, 0.5, [500, 600]), (500, 0.6, [1000, 1100])],
)
def test_a_new_job_waits_for_the_next_update(update_ms, arrival_s, expected):
    assert starts(update_ms, arrival_s) == expected
