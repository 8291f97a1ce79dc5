"""What it takes: which experiments have the sensitivity panel, its sliders, and the answers to their
movements.
"""

from __future__ import annotations

import pytest
from dash import Dash

from engine import GantryError, paper_experiments
from engine.dashboard import Ordered, Printed, ReadingRecord, Recorded, Similar, sensitivity_parameters
from engine.papers.judge import judge_claim
from tests.phrases import phrase
from tests.webapp.followed_work import ended
from tests.webapp.layout_reading import as_json, words
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


def test_the_sensitivity_panel_is_on_pages_that_do_not_agree_under_every_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def known(*verdicts: str) -> dict:
        return {
            NAME: Recorded(
                {str(place): ReadingRecord(verdict, 2, (), {}) for place, verdict in enumerate(verdicts)}
            )
        }

    for verdicts, has_sensitivity_panel in (
        (("agrees",), False),
        (("agrees", "agrees"), False),
        (("agrees", "differs"), True),
        (("too little to judge",), True),
    ):
        monkeypatch.setattr(panel, "recorded", lambda verdicts=verdicts: known(*verdicts))
        assert panel.has_sensitivity_panel(NAME) is has_sensitivity_panel
    assert panel.layout(NAME, paper_experiments()[NAME]) != []
    monkeypatch.setattr(panel, "recorded", lambda: known("agrees"))
    assert panel.layout(NAME, paper_experiments()[NAME]) == []


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


def test_every_claim_but_formulas_has_a_badge() -> None:
    experiment = paper_experiments()["haste/mixed"]
    rows = panel._badge_table(experiment).children[1].children
    assert len(rows) == len([claim for claim in experiment.claims if claim.basis != "formula"])
    assert all(words(row).count("not judged yet") == len(experiment.readings) for row in rows)


def test_an_answer_has_a_badge_a_claim_under_each_reading(cache: SharedCache) -> None:
    answer_ = answered({"experiment": NAME, "conditions": {}})
    experiment = paper_experiments()[NAME]
    assert len(answer_["readings"]) == len(experiment.readings)
    reading = answer_["readings"][0]
    assert len(reading["badges"]) == len([claim for claim in experiment.claims if claim.basis != "formula"])
    assert all(word in (*panel.MARKS, panel.NO_VERDICT) and numbers for word, numbers in reading["badges"])


def test_badges_count_the_claims_that_have_a_say() -> None:
    samples = {"x": [10.0], "y": [20.0]}
    claims = (
        Printed("A", "x", 10, "s", "Table 1"),
        Ordered("B", ("y", "x"), "text"),
        Similar("C", ("x", "y"), "text", untestable="it can't fail"),
        Printed("D", "x", 10, "s", "Eq. 1", basis="formula"),
    )
    answer_ = panel.claim_badges(tuple(judge_claim(claim, samples) for claim in claims))
    assert answer_ == {
        "holds": 1,
        "of": 2,
        "badges": [["agrees", "10 s"], ["does not hold", "y 20, x 10"], ["no verdict", "x 10, y 20"]],
    }


def test_moved_physics_change_the_numbers(cache: SharedCache) -> None:
    knob = next(knob for knob in sensitivity_parameters("haste/memory-mixed") if knob.key == "fetch_mb_s")
    fast, slow = (
        answered({"experiment": "haste/memory-mixed", "conditions": {"fetch_mb_s": value}})
        for value in (knob.values[-1], knob.values[0])
    )
    assert fast["readings"] != slow["readings"]
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
