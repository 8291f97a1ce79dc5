"""The oracle on random scenarios: it ends, and nothing impossible happens."""

from __future__ import annotations

from hypothesis import given, settings

from engine.scenario.model import Scenario
from tests.invariants import check
from tests.oracle.simulator import simulate
from tests.strategies import scenarios, schedulers


@given(scenarios(), schedulers())
@settings(max_examples=300)
def test_invariants(scenario: Scenario, scheduler: dict) -> None:
    result = simulate(scenario, **scheduler)
    check(scenario, result, memory_only=scheduler["resources"] == "memory")


@given(scenarios())
@settings(max_examples=30)
def test_a_scenario_survives_its_file(scenario: Scenario) -> None:
    again = Scenario.read(scenario.json())
    assert again == scenario and again.canonical == scenario.canonical
    assert simulate(again) == simulate(scenario)
