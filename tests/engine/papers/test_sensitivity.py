"""An experiment with its physics moved: which knobs act, and that they do."""

from __future__ import annotations

import pytest

from engine.papers import (
    Conditions,
    experiment_conditions,
    judge_under,
    paper_experiments,
    sensitivity_parameters,
)
from engine.papers.sensitivity import SENSITIVITY_PARAMETERS

SHUFFLES = "haste/mixed"


def test_every_knob_is_a_condition() -> None:
    for knob in SENSITIVITY_PARAMETERS:
        Conditions(**{knob.key: knob.values[0]})
        assert list(knob.values) == sorted(set(knob.values))


@pytest.mark.parametrize("name", list(paper_experiments()))
def test_the_knobs_of_an_experiment_are_those_that_can_act(name: str) -> None:
    """Moving one away from what the scenario has changes the scenario or a scheduler."""
    show = paper_experiments()[name].shows()[0]
    assert {knob.key for knob in sensitivity_parameters(name)} == experiment_conditions(name).keys()
    for knob in sensitivity_parameters(name):
        if knob.key in ("reservations", "slowstart"):
            continue
        other = next(
            value for value in reversed(knob.values) if value != experiment_conditions(name)[knob.key]
        )
        assert Conditions(**{knob.key: other}).apply_to(show.scenario) != show.scenario


def test_what_has_nothing_to_fetch_has_no_fetch_rate() -> None:
    assert {"contention", "launch_s"} == experiment_conditions("dynamic-priority/table-1").keys()
    assert experiment_conditions(SHUFFLES)["slowstart"] == 0.05


def test_claims_are_judged_under_other_conditions() -> None:
    fast, slow = (judge_under("haste/simple", Conditions(fetch_mb_s=rate), seeds=1) for rate in (200, 1))
    assert [result.claim for result in fast] == list(paper_experiments()["haste/simple"].claims)
    assert [result.numbers for result in fast] != [result.numbers for result in slow]
