"""A claim of a paper as a question over the dashboard's charts."""

from __future__ import annotations

from urllib.parse import parse_qs, urlparse

import pytest
from dash import Dash

from engine import paper_experiments
from tests.phrases import phrase
from tests.webapp.layout_reading import words
from webapp.panels.papers import claim_question, static_charts
from webapp.panels.papers.claim_question import asked_claim, line, run_link

NAME = "haste/packing"


@pytest.fixture(autouse=True)
def app() -> Dash:
    return Dash("test")


def test_run_this_paper_opens_the_scenario_with_the_claim() -> None:
    show = paper_experiments()[NAME].shows()[0]
    href = run_link(NAME, show).href
    assert href.startswith(static_charts.address(show.scenario, show.schedulers))
    assert parse_qs(urlparse(href).query)[claim_question.QUERY] == [NAME]


def test_the_question_has_its_answer_folded_and_the_way_back() -> None:
    (room,) = line({"claim": NAME})
    number, claim = asked_claim(NAME)
    question, answer = room.children
    assert claim.what in words(question) and words(question).endswith(phrase("papers.do_you_see_it"))
    assert "holds" in words(answer) and answer.children[2].href == f"/papers/{NAME}#claim-{number}"


@pytest.mark.parametrize("query", [{}, {"claim": "saf/nothing"}, {"claim": ["haste/packing"]}, {"claim": ""}])
def test_an_address_without_a_claim_has_no_question(query: dict) -> None:
    assert line(query) == []


def test_every_experiment_with_claims_asks_about_one_of_them() -> None:
    for name, experiment in paper_experiments().items():
        asked = asked_claim(name)
        assert (asked is None) == (not experiment.claims)
        if asked:
            number, claim = asked
            assert experiment.claims[number - 1] is claim
