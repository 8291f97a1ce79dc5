"""The sensitivity analysis: which experiments have it, its sliders, and the answers to their
movements.
"""

from __future__ import annotations

import pytest
from dash import Dash

from engine import GantryError, paper_experiments
from engine.papers import Ordered, Printed, Similar, sensitivity_parameters
from engine.papers.judge import judge_claim
from engine.papers.schema import FAILS, HOLDS, ORDER
from tests.phrases import phrase
from tests.webapp.followed_work import ended
from tests.webapp.layout_reading import as_json
from webapp.jobs import live_claims
from webapp.jobs.job_manager import Progress
from webapp.panels import long_work
from webapp.panels.papers import sensitivity_panel as panel
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache

NAME = "haste/packing"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Dash:
    shared_cache.hold_at_most(MAX_HELD)
    return Dash("test")


def answered(asked: dict) -> dict:
    return ended(panel.WORK, asked)["found"]


def test_the_sensitivity_analysis_is_on_pages_where_some_claim_does_not_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for states, has_panel in (([{ORDER: HOLDS}], False), ([{ORDER: HOLDS}, {ORDER: FAILS}], True)):
        monkeypatch.setattr(panel, "recorded_states", lambda names, states=states: {NAME: states})
        assert panel.has_sensitivity_panel(NAME) is has_panel
        assert (panel.layout(NAME, paper_experiments()[NAME]) != []) is has_panel


def test_a_slider_stops_at_what_the_experiment_has() -> None:
    for name in paper_experiments():
        for knob in panel.facts(name)["knobs"]:
            own_stops = [text for value, text in knob["stops"] if value is None]
            assert len(own_stops) == 1
            numbers = [value for value, _ in knob["stops"] if value is not None]
            assert numbers == sorted(numbers)


def test_a_slider_says_its_values_with_their_units() -> None:
    knobs = {knob.key: knob for knob in sensitivity_parameters("haste/mixed")}
    assert panel.text(knobs["fetch_mb_s"], 8) == "8 MB/s"
    assert (
        panel.text(knobs["reservations"], True) == "with"
        and panel.text(knobs["reservations"], False) == "without"
    )
    assert panel.text(knobs["slowstart"], None) == phrase("papers.as_each_has")


def test_every_claim_but_formulas_has_a_row() -> None:
    experiment = paper_experiments()["haste/mixed"]
    rows = panel._lamp_table(experiment).children[1].children
    assert len(rows) == len([claim for claim in experiment.claims if claim.basis != "formula"])


def test_an_answer_has_lamps_for_each_claim(cache: SharedCache) -> None:
    answer_ = answered({"experiment": NAME, "conditions": {}})
    claims = [claim for claim in paper_experiments()[NAME].claims if claim.basis != "formula"]
    assert len(answer_["lamps"]) == len(claims)
    assert all(
        numbers and all(state in panel.SIGNS for _, state in lamps) for lamps, numbers in answer_["lamps"]
    )


def test_lamps_are_counted_that_can_be_tested() -> None:
    samples = {"x": [10.0], "y": [20.0]}
    claims = (
        Printed("A", "x", 10, "s", "Table 1"),
        Ordered("B", ("y", "x"), "text"),
        Similar("C", ("x", "y"), "text", untestable="it can't fail"),
        Printed("D", "x", 10, "s", "Eq. 1", basis="formula"),
    )
    answer_ = panel.claim_lamps([judge_claim(claim, samples) for claim in claims])
    assert answer_ == {
        "holds": 1,
        "of": 2,
        "lamps": [
            [[["numbers", "holds"]], "10 s"],
            [[["order", "does not hold"]], "y 20, x 10"],
            [[["order", "not testable"]], "x 10, y 20"],
        ],
    }


def test_moved_physics_change_the_numbers(cache: SharedCache) -> None:
    knob = next(knob for knob in sensitivity_parameters("haste/memory-mixed") if knob.key == "fetch_mb_s")
    fast, slow = (
        answered({"experiment": "haste/memory-mixed", "conditions": {"fetch_mb_s": value}})
        for value in (knob.values[-1], knob.values[0])
    )
    assert fast["lamps"] != slow["lamps"]
    assert fast["seeds"] == live_claims.MOVING


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"experiment": "saf/nothing"},
        {"experiment": ["haste/mixed"]},
        {"experiment": "haste/mixed"},
        {"experiment": "haste/mixed", "conditions": {"fetch_mb_s": 3.1415}},
        {"experiment": "haste/mixed", "conditions": {"fetch_mb_s": [8]}},
        {"experiment": "haste/mixed", "conditions": {"seeds": 1}},
    ],
)
def test_what_no_page_asks_is_refused_in_a_sentence(asked: dict) -> None:
    with pytest.raises(GantryError, match=r"\.$"):
        panel.begin(asked)


@pytest.mark.parametrize(("here", "wait"), [(True, 0), (False, 250)])
def test_what_another_process_does_is_asked_after_four_times_a_second(
    cache: SharedCache, monkeypatch: pytest.MonkeyPatch, here: bool, wait: int
) -> None:
    """The old one: a hundred times, for no answer was held back while the work waited in the queue."""
    monkeypatch.setattr(long_work.job_manager, "progress", lambda *_: Progress(0, 1, "", is_local=here))
    job = {"id": "0123456789abcdef", "asked": {"experiment": NAME, "conditions": {}}}
    answer = long_work.follow(panel.WORK, {"job": job})
    assert (answer["job"], answer["wait"]) == (job, wait)


def test_a_failure_is_a_sentence(cache: SharedCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(live_claims, "judge_under", broken)
    answer = ended(panel.WORK, {"experiment": NAME, "conditions": {}})
    assert answer["state"] == "failed" and phrase("common.log_has_details") in answer["says"]


def test_the_page_says_over_how_many_seeds(cache: SharedCache) -> None:
    text = as_json(panel.layout("haste/mixed", paper_experiments()["haste/mixed"]))
    assert (
        phrase("papers.over_seeds_while_you_move", live_claims.MOVING) in text
        and phrase("papers.over_once_you_rest_and", live_claims.RESTING) in text
    )
