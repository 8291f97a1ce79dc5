"""An experiment with its physics moved: which knobs act, and that they do."""

from __future__ import annotations

import pytest

from engine.papers import Conditions, judged_under, knobs_of, own, paper_experiments
from engine.papers.what_it_takes import KNOBS

SHUFFLES = "haste/mixed"


def test_every_knob_is_a_condition() -> None:
    for knob in KNOBS:
        Conditions(**{knob.key: knob.values[0]})
        assert list(knob.values) == sorted(set(knob.values))


@pytest.mark.parametrize("name", list(paper_experiments()))
def test_the_knobs_of_an_experiment_are_those_that_can_act(name: str) -> None:
    """Moving one away from what the scenario has changes the scenario or a scheduler."""
    show = paper_experiments()[name].shows()[0]
    assert {knob.key for knob in knobs_of(name)} == own(name).keys()
    for knob in knobs_of(name):
        if knob.key in ("reservations", "slowstart"):
            continue
        other = next(value for value in reversed(knob.values) if value != own(name)[knob.key])
        assert Conditions(**{knob.key: other}).of(show.scenario) != show.scenario


def test_what_has_nothing_to_fetch_has_no_fetch_rate() -> None:
    assert {"contention", "launch_s"} == own("dynamic-priority/table-1").keys()
    assert own(SHUFFLES)["slowstart"] == 0.05


def test_claims_are_judged_under_other_conditions() -> None:
    fast, slow = (judged_under("haste/simple", Conditions(fetch_mb_s=rate), seeds=1) for rate in (200, 1))
    assert len(fast) == len(paper_experiments()["haste/simple"].readings)
    assert [found.claim for found in fast[0]] == list(paper_experiments()["haste/simple"].claims)
    assert [found.numbers for found in fast[0]] != [found.numbers for found in slow[0]]
