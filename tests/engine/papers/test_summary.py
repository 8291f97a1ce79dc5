"""Claims counted, and what they say of an experiment, a paper and all five in a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.papers import PAPERS, paper_experiments, recorded_states
from engine.papers.judge import tally
from engine.papers.schema import (
    FAILS,
    HOLDS,
    NOISE,
    NOT_TESTABLE,
    ORDER,
    Experiment,
    Ordered,
    Paper,
    Reading,
    Reason,
    Theme,
)
from engine.papers.summary import (
    causes,
    claims_of,
    experiment_sentence,
    overall_sentence,
    paper_sentence,
    summary_table,
    tallies,
)
from tests.phrases import phrase

STATES = recorded_states()


def claim(theme: str = "", reason: str = "") -> Ordered:
    return Ordered("a before b", ("a", "b"), "text", theme=theme, reason=reason)


def an_experiment(*claims: Ordered, **more) -> Experiment:
    reading = Reading(lambda trial: None, "Says.")  # type: ignore[arg-type, return-value]
    return Experiment("x", "X", "Fig. 1", "Setting.", "Notice.", tuple, (reading,), claims, **more)


@pytest.fixture
def a_paper(monkeypatch):
    def make(*themes: str) -> Paper:
        experiment = an_experiment(*(claim(theme) for theme in themes))
        monkeypatch.setattr("engine.papers.summary.paper_experiments", lambda: {"p/x": experiment})
        of = {"beats": Theme("that a beats b", "workloads")}
        return Paper("p", "P", "Someone", "About.", (experiment,), themes=of)

    return make


@pytest.mark.parametrize(
    ("states", "says"),
    [
        ((HOLDS,), phrase("papers.a_beats_b_holds")),
        ((FAILS,), phrase("papers.a_beats_b_does_not")),
        ((NOT_TESTABLE,), phrase("papers.a_beats_b_not_testable")),
        ((HOLDS, NOT_TESTABLE), phrase("papers.a_beats_b_holds")),
        ((HOLDS, HOLDS), phrase("papers.a_beats_b_in_both")),
        ((HOLDS, HOLDS, HOLDS), phrase("papers.a_beats_b_in_all", 3)),
        ((FAILS, FAILS), phrase("papers.a_beats_b_in_none", 2)),
        ((HOLDS, FAILS, HOLDS), phrase("papers.a_beats_b_in_some", 2, 3)),
    ],
)
def test_a_paper_in_a_sentence(a_paper, states: tuple[str, ...], says: str) -> None:
    paper = a_paper(*["beats"] * len(states))
    assert paper_sentence(paper, {"p/x": [{ORDER: state} for state in states]}) == says


def test_an_experiment_in_a_sentence_with_the_causes() -> None:
    reasons = {"n": Reason(NOISE, "Noise.", "n")}
    experiment = an_experiment(claim(), claim(reason="n"), reasons=reasons)
    states = [{ORDER: HOLDS}, {ORDER: FAILS}]
    assert causes(experiment, states) == {NOISE: 1}
    assert experiment_sentence(experiment, states) == phrase("papers.holds_order_cause_noise", 1, 2, 1)
    assert causes(experiment, [{ORDER: HOLDS}] * 2) == {}
    assert experiment_sentence(replace(experiment, claims=()), []) == phrase("papers.no_claim_can_be_tested")


def test_the_counts_of_all_are_those_of_the_papers() -> None:
    of_papers = [tallies(STATES, paper.key) for paper in PAPERS]
    for lamp, counted in tallies(STATES).items():
        assert counted == tuple(sum(one[lamp][place] for one in of_papers) for place in range(3))
    assert sum(1 for _ in claims_of(STATES)) == sum(len(one.claims) for one in paper_experiments().values())


def test_the_sentence_on_all_has_the_numbers_of_the_table() -> None:
    orders = tally(one.states for one in claims_of(STATES) if one.claim.basis == "test bed")[ORDER]
    assert f"{orders.holds} of {orders.tested} claims" in overall_sentence(STATES)
    last = summary_table(STATES).splitlines()[-1]
    assert last.startswith("| all |") and f"| {orders.holds} of {orders.tested} |" in last
