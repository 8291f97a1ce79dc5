"""The canonical scenario: whole milliseconds for times, x_ fields as they are."""

from __future__ import annotations

import json

from tests.small_scenarios import job, node, scenario, tasks


def test_times_become_milliseconds_and_own_fields_stay():
    spread = {"dist": "uniform", "low": 1.0, "high": 2.0005, "x_runs": 5, "x_note": "measured"}
    one = json.loads(scenario([node()], [job("a", tasks(1, spread), arrival_s=1.5, x_lag_s=0.5)]).canonical)
    assert one["jobs"][0]["maps"]["duration_ms"] == {
        "dist": "uniform",
        "low": 1000,
        "high": 2001,
        "x_runs": 5,
        "x_note": "measured",
    }
    assert (one["jobs"][0]["arrival_ms"], one["jobs"][0]["x_lag_s"]) == (1500, 0.5)
