"""The record of what agrees with Hadoop's schedulers."""

from __future__ import annotations

from engine import parse
from engine.against_hadoop import FILE, agreement_json
from engine.dashboard import Agreement, CheckedAgainstHadoop, CheckedFeature, checked_against_hadoop


def test_what_is_written_is_read_again() -> None:
    assert agreement_json(checked_against_hadoop()) == FILE.read_text("utf-8")


def test_totals_are_sums_over_features() -> None:
    features = [
        CheckedFeature(
            "one queue",
            "",
            2,
            {"fifo": Agreement(3, 4), "capacity": Agreement(5, 5), "capacity-drc": Agreement(6, 6)},
        ),
        CheckedFeature("queues", "", 1, {"capacity": Agreement(10, 20)}),
    ]
    names = {
        "fifo": "fifo(resources=memory)",
        "capacity": "capacity(resources=memory)",
        "capacity-drc": "capacity",
    }
    result = CheckedAgainstHadoop("3.4.1", names, features, 0, [], [], [])
    assert result.scripts == 3
    assert result.total(["capacity"]) == (15, 25)
    assert result.of_order("capacity") == (21, 31)
    assert result.of_order("fifo") == (3, 4)
    assert result.of_order("saf") == (0, 0)


def test_every_scheduler_of_the_record_is_one_of_gantrys() -> None:
    result = checked_against_hadoop()
    assert {parse(name).order.policy.name for name in result.schedulers.values()} == {
        "fifo",
        "fair",
        "drf",
        "capacity",
    }
    assert all(
        feature.about and feature.scripts and set(feature.agreement) <= set(result.schedulers)
        for feature in result.features
    )
