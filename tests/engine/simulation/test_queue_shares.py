"""What queues are entitled to: weights between minimum and maximum shares, capacities down the tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Scenario
from engine.dashboard import QueueShare, queue_shares

NODES = [{"count": 10, "memory_mb": 1000, "vcores": 10}]
JOB = {"maps": {"count": 1, "memory_mb": 1, "vcores": 1, "duration_s": 1}}


def of(*queues: dict) -> dict[str, QueueShare]:
    scenario = Scenario.of(
        {
            "version": 1,
            "cluster": {"nodes": NODES},
            "queues": list(queues),
            "jobs": [{**JOB, "queue": _leaf(queues)}],
        }
    )
    return {share.name: share for share in queue_shares(scenario)}


def _leaf(queues: tuple[dict, ...]) -> str:
    return queues[-1]["name"] if queues else "root.default"


def test_without_weight_a_queue_has_its_minimum() -> None:
    minimum = {"memory_mb": 1000, "vcores": 0}
    by_name = of({"name": "root.a", "weight": 0, "min_share": minimum}, {"name": "root.b", "weight": 0})
    assert [share.steady_share for share in by_name.values()] == pytest.approx([1, 0.1, 0, 0.9])


def test_weights_share_what_the_parent_has() -> None:
    by_name = of({"name": "root.a", "weight": 2}, {"name": "root.a.x"}, {"name": "root.a.y", "weight": 3})
    assert [(share.name, share.depth) for share in by_name.values()] == [
        ("root", 0),
        ("root.a", 1),
        ("root.a.x", 2),
        ("root.a.y", 2),
        ("root.default", 1),
    ]
    assert by_name["root.a"].steady_share == pytest.approx(2 / 3) and by_name[
        "root.default"
    ].steady_share == pytest.approx(1 / 3)
    assert by_name["root.a.x"].steady_share == pytest.approx(1 / 6) and by_name[
        "root.a.y"
    ].steady_share == pytest.approx(1 / 2)


def test_a_maximum_leaves_more_to_the_others_and_a_minimum_less() -> None:
    by_name = of(
        {"name": "root.a", "max_share": {"memory_mb": 1000, "vcores": 99}},
        {"name": "root.b", "min_share": {"memory_mb": 8000, "vcores": 0}},
    )
    assert by_name["root.a"].steady_share == pytest.approx(0.1) and by_name[
        "root.a"
    ].max_share == pytest.approx(0.1)
    assert by_name["root.b"].steady_share == pytest.approx(0.8) and by_name[
        "root.default"
    ].steady_share == pytest.approx(0.1)


def test_capacities_multiply_down_the_tree() -> None:
    by_name = of(
        {"name": "root.a", "capacity_pct": 60, "max_capacity_pct": 80},
        {"name": "root.default", "capacity_pct": 40},
        {"name": "root.a.x"},
    )
    assert (
        by_name["root.a"].capacity,
        by_name["root.a.x"].capacity,
        by_name["root.default"].capacity,
    ) == pytest.approx((0.6, 0.6, 0.4))
    assert (by_name["root.a"].max_capacity, by_name["root.a.x"].max_capacity) == pytest.approx((0.8, 0.8))


@given(
    st.lists(
        st.tuples(st.floats(0.01, 100), st.integers(0, 2_000), st.integers(0, 12_000)), min_size=1, max_size=6
    )
)
def test_shares_are_within_their_limits_and_fill_the_cluster_where_they_can(
    drawn: list[tuple[float, int, int]],
) -> None:
    queues = [
        {
            "name": f"root.q{number}",
            "weight": weight,
            "min_share": {"memory_mb": low, "vcores": 0},
            "max_share": {"memory_mb": max(low, high, 1), "vcores": 1},
        }
        for number, (weight, low, high) in enumerate(drawn)
    ]
    by_name = of(*queues)
    shares = [by_name[queue["name"]].steady_share * 10_000 for queue in queues]
    for queue, share in zip(queues, shares):
        assert queue["min_share"]["memory_mb"] - 1e-6 <= share <= queue["max_share"]["memory_mb"] + 1e-6
    least = sum(queue["min_share"]["memory_mb"] for queue in queues)
    assert sum(shares) + by_name["root.default"].steady_share * 10_000 == pytest.approx(
        max(10_000, least), rel=1e-6
    )
