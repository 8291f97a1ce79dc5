"""Names of jobs that recur."""

from __future__ import annotations

import pytest

from engine.scenario.history.recurring_jobs import recurring_groups, stem


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("daily-load-2026-11-24", "daily-load"),
        ("daily-load-20261124T0300", "daily-load"),
        ("hourly 2026/11/24 03:00:00 report", "hourly report"),
        ("oozie:launcher:ID=0000012-260101000000000-oozie-W", "oozie:launcher:ID= oozie-W"),
        ("f81d4fae-7dec-11d0-a765-00a0c91e6bf6-merge", "merge"),
        ("select count(*) from t (Stage-1)", "select count(*) from t (Stage-1)"),
        ("job_1700000000000_0001", ""),
        ("wordcount", "wordcount"),
        ("", ""),
        ("2026", ""),
    ],
)
def test_stems(name: str, kept: str) -> None:
    assert stem(name) == kept


def test_stages_of_a_query_are_jobs_of_their_own_and_one_alone_is_no_group() -> None:
    assert recurring_groups(["q 1 (Stage-1)", "q 2 (Stage-1)", "q 1 (Stage-2)", "load-7", "12", "13"]) == [
        "q (Stage-1)",
        "q (Stage-1)",
        "",
        "",
        "",
        "",
    ]
    assert recurring_groups(["9" * 10_000, "a" * 100_000]) == ["", ""]
