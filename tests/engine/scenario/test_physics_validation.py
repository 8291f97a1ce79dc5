"""What outages and nodes that join must keep to: faults with their paths."""

from __future__ import annotations

import pytest

from engine.errors import ScenarioError
from engine.scenario.model import Scenario
from tests.phrases import phrase
from tests.small_scenarios import job, node, scenario, tasks


def faults(nodes: list[dict], outages: list[dict]) -> list[tuple[str, str]]:
    with pytest.raises(ScenarioError) as caught:
        scenario(nodes, [job("a", tasks(1))], outages=outages)
    return [(fault.path, fault.message) for fault in caught.value.faults]


def made(nodes: list[dict], outages: list[dict]) -> Scenario:
    return scenario(nodes, [job("a", tasks(1))], outages=outages)


def lost(name: str, lost_s: float, back_s: float | None = None) -> dict:
    return {"node": name, "lost_s": lost_s, "back_s": back_s}


def test_all_nodes_may_be_away_at_once() -> None:
    assert made([node(2)], [lost("node1", 0, 60)]).cluster.varies
    both = [lost("node1", 1, 3), lost("node2", 2)]
    assert made([node(2), node(2)], both).cluster.varies
    assert made([node(2, count=3) | {"joins_s": 9.0}], []).cluster.varies
    assert not made([node(2)], []).cluster.varies


def test_but_not_for_good() -> None:
    outages = [lost("node1", 4), lost("node2", 1, 3), lost("node2", 5)]
    assert faults([node(2), node(2)], outages) == [
        ("cluster.outages[2].lost_s", phrase("scenario.no_node_left_none_comes_back", 5))
    ]
    assert faults([node(2)], [lost("node1", 0)])[0][1] == phrase("scenario.no_node_left_none_comes_back", 0)


def test_a_node_is_lost_after_it_has_joined() -> None:
    nodes = [node(2), node(2) | {"joins_s": 2.0}]
    for at in (0, 1.5, 2):
        assert faults(nodes, [lost("node2", at, 9)]) == [
            ("cluster.outages[0].lost_s", phrase("scenario.joins_at_must_be_lost_after", "node2", 2, at))
        ]
    assert made(nodes, [lost("node2", 2.001)]).cluster.outages[0].lost_s == 2.001


def test_outages_of_a_node_come_one_after_another() -> None:
    nodes = [node(2), node(2)]
    assert faults(nodes, [lost("node1", 1, 3), lost("node1", 3)]) == [
        ("cluster.outages[1].lost_s", phrase("scenario.is_already_lost_at_s", "node1", 3))
    ]
    assert faults(nodes, [lost("node1", 1, 1)]) == [
        ("cluster.outages[0].back_s", phrase("scenario.must_be_after_lost_s", 1, 1))
    ]
