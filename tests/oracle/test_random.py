"""The oracle on random scenarios: it ends, and nothing impossible happens."""

from __future__ import annotations

from hypothesis import given

from engine.scenario.model import Scenario
from tests.examples import examples
from tests.invariants import check
from tests.oracle.simulator import simulate
from tests.strategies import scenarios, schedulers


@given(scenarios(), schedulers())
@examples(37, 300)
def test_invariants(scenario: Scenario, scheduler: dict) -> None:
    result = simulate(scenario, **scheduler)
    check(scenario, result, memory_only=scheduler["resources"] == "memory")


@given(scenarios())
@examples(3, 30)
def test_a_scenario_survives_its_file(scenario: Scenario) -> None:
    again = Scenario.read(scenario.json())
    assert again == scenario and again.canonical == scenario.canonical
    assert simulate(again) == simulate(scenario)
