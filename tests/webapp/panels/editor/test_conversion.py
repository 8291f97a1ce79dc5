"""The draft's scheduler converted: the scenario, what is told, and what it is set beside."""

from __future__ import annotations

from typing import Any

import pytest

from engine import FormatError, Scenario, simulate
from engine.scenario.presets import sample
from webapp.panels.editor.conversion import KINDS, converted_draft

RECORDED = Scenario.read(sample("recorded-batch.json").read_bytes())


HEAVY = [{"name": "root.a", "weight": 20000.0}, {"name": "root.b"}]


def without_record(**more: Any) -> dict[str, Any]:
    return {key: value for key, value in RECORDED.plain().items() if key != "measured"} | more


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_converted_told_and_runs(kind: str) -> None:
    answer = converted_draft(kind, without_record(), ["haste", "drf", "capacity(resources=memory)"])
    draft, before = answer["draft"], "capacity(resources=memory)" if kind == "fair" else "drf"
    assert answer["pinned"]["schedulers"] == [before]
    (after,) = draft["schedulers"]
    assert after.startswith("fair" if kind == "fair" else "capacity")
    assert draft["assumed"] and all(sentence.endswith(".") for sentence in draft["assumed"])
    assert simulate(Scenario.of(draft["scenario"]), after).status == "finished"


def test_what_was_measured_stands_beside_it() -> None:
    answer = converted_draft("weights", RECORDED.plain(), ["fair"])
    pinned = answer["pinned"]
    assert "measured" not in answer["draft"]["scenario"]
    assert pinned["schedulers"] == ["measured", "fair"] and pinned["name"] == RECORDED.name
    assert "measured" in pinned["scenario"]


@pytest.mark.parametrize(
    ("kind", "scenario", "says"),
    [
        ("other", without_record(), "weights"),
        ("weights", {"version": 1}, "CapacityScheduler"),
        ("weights", without_record(queues=HEAVY), "20000"),
    ],
)
def test_what_cant_be_converted_is_said(kind: str, scenario: Any, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        converted_draft(kind, scenario, ["fair"])
