"""The golden files know how much FairScheduler gives a node on a heartbeat: with a part of the rule switched
off in Gantry, decisions differ.
"""

from __future__ import annotations

import pytest

from engine.schedulers.amounts import THE_RUN
from engine.schedulers.scheduler import Scheduler
from engine.simulation.kernel import heartbeats
from tests.hadoop.rule_ablation import differs_without

HALF, RESERVING = "half a node a beat", "half a node a beat, reservations"


def by_memory(v, s, node, placed):
    return placed == 0 or v.node_free_memory[node] >= s.half_free_memory


def until_half(v, s, node, placed):
    return placed == 0 or (v.node_free_resource[:, node] > s.half_free_resource[:, THE_RUN]).all()


RULES = [
    *(
        ("dynamic.max.assign is on", scheduler, feature, {(Scheduler, "uses_dynamic_max_assign"): False})
        for feature in (HALF, RESERVING)
        for scheduler in ("fair", "drf")
    ),
    ("vcores count too", "drf", HALF, {(heartbeats, "may_assign_more"): by_memory}),
    ("exactly half is not yet too much", "fair", HALF, {(heartbeats, "may_assign_more"): until_half}),
    ("exactly half is not yet too much", "drf", HALF, {(heartbeats, "may_assign_more"): until_half}),
]


@pytest.mark.parametrize(
    ("rule", "scheduler", "feature", "without"),
    RULES,
    ids=[f"{rule}, {scheduler}, {feature}" for rule, scheduler, feature, _ in RULES],
)
def test_without_it_a_decision_differs(
    rule: str, scheduler: str, feature: str, without: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert differs_without(without, scheduler, feature, monkeypatch), rule
