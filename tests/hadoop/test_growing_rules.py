"""The golden files know what happens when a node joins: with a part of the rule switched off in Gantry,
decisions differ.
"""

from __future__ import annotations

import pytest

from engine.simulation.hadoop.queues import cluster_resource
from engine.simulation.kernel import heartbeats
from tests.hadoop.features import CAPACITY, SHARING
from tests.hadoop.rule_ablation import differs_without

ALL_ELSE = "nodes that join, all else"


def nothing(*_):
    pass


RULES = [
    *(
        ("FairScheduler updates at once", scheduler, ALL_ELSE, {(cluster_resource, "update"): nothing})
        for scheduler in SHARING
    ),
    *(
        (
            "waiting masters are looked at again",
            scheduler,
            ALL_ELSE,
            {(cluster_resource, "activate"): nothing},
        )
        for scheduler in CAPACITY
    ),
    *(
        ("limits are handed down", scheduler, ALL_ELSE, {(cluster_resource, "set_limits"): nothing})
        for scheduler in CAPACITY
    ),
    (
        "limits of users are computed when masters take containers",
        "capacity",
        ALL_ELSE,
        {(heartbeats, "tell_masters"): nothing},
    ),
]


@pytest.mark.parametrize(
    ("rule", "scheduler", "feature", "without"),
    RULES,
    ids=[f"{rule}, {scheduler}" for rule, scheduler, _, _ in RULES],
)
def test_without_it_a_decision_differs(
    rule: str, scheduler: str, feature: str, without: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert differs_without(without, scheduler, feature, monkeypatch), rule
