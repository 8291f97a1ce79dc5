"""The record of how well a real cluster was predicted."""

from __future__ import annotations

import json

from engine.dashboard import prediction_accuracy
from engine.prediction import prediction_accuracy as room

ROW = {
    "scheduler": "fair",
    "batch": "mixed",
    "jobs": 14,
    "fitted_on": "mixed-b",
    "median": 0.02,
    "p90": 0.05,
    "noise_median": None,
    "later": 3,
}


def test_a_row_is_read_with_what_is_known_of_it() -> None:
    result = room.read(
        json.dumps(
            {
                "hadoop": "3.4.1",
                "nodes": 4,
                "covered": ["a"],
                "not_covered": ["b"],
                "rows": [ROW, ROW | {"runs": 2}],
            }
        )
    )
    assert (result.hadoop, result.nodes, result.covered, result.not_covered, result.jobs) == (
        "3.4.1",
        4,
        ("a",),
        ("b",),
        42,
    )
    assert (result.rows[0].median, result.rows[0].noise_median, result.rows[1].runs) == (0.02, None, 2)


def test_shares_are_shares() -> None:
    assert all(0 <= row.median <= row.p90 < 1 and row.jobs > 0 for row in prediction_accuracy().rows)
