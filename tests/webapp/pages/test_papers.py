"""The gallery's pages: one that lists all experiments, and one for each."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from dash import Dash

from engine import paper_experiments
from engine.dashboard import PAPERS, overall_sentence, paper_sentence, recorded_states
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json
from webapp import pages
from webapp.pages import papers
from webapp.panels.papers import experiment as panel

NAMES = list(paper_experiments())


@pytest.fixture(autouse=True)
def app() -> Iterator[Dash]:
    """Addresses on a page are those of an application."""
    yield Dash("test")


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def test_the_list_has_every_experiment_and_what_holds() -> None:
    text = as_json(papers.index())
    states = recorded_states()
    assert overall_sentence(states) in text
    for paper in PAPERS:
        assert all(
            quoted(line) in text for line in (paper.title, paper.source, paper_sentence(paper, states))
        )
    for name, experiment in paper_experiments().items():
        assert f'"/papers/{name}"' in text
        assert quoted(experiment.title) in text
        assert quoted(experiment.where) in text


def test_all_claims_can_be_taken_away() -> None:
    rows = list(papers._claim_rows())
    assert len(rows) == sum(len(experiment.claims) for experiment in paper_experiments().values())
    assert all(len(row) == len(papers.CLAIM_COLUMNS) for row in rows)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_tells_all_of_its_experiment_and_opens_its_scenarios(name: str) -> None:
    experiment = paper_experiments()[name]
    text = as_json(papers.layout(*name.split("/")))
    for line in (
        experiment.title,
        experiment.where,
        experiment.notice,
        experiment.setting,
        *experiment.assumptions,
        *experiment.conflicts,
    ):
        assert quoted(line) in text
    for show in experiment.shows():
        address = panel.address(show)
        assert address.startswith("/?s="), "too large for a link"
        assert address in text
    assert papers.title(*name.split("/")) == f"{experiment.title} - Gantry"


def test_the_pages_lead_from_one_to_the_next() -> None:
    for place, name in enumerate(NAMES):
        text = as_json(papers.layout(*name.split("/")))
        assert (f'"/papers/{NAMES[place - 1]}"' in text) == (place > 0)
        if place + 1 < len(NAMES):
            assert f'"/papers/{NAMES[place + 1]}"' in text


def test_a_name_that_none_has() -> None:
    assert phrase("pages.this_address_has_no_page") in as_json(papers.layout("saf", "nothing"))
    assert papers.title("saf", "nothing") == "Not found - Gantry"
    assert pages.has_page(f"papers/{NAMES[0]}") and pages.has_page("papers")
    assert pages.has_page("papers/saf")
    assert not pages.has_page("papers/sag") and not pages.has_page("papers/")


def test_a_paper_has_a_page_of_its_experiments() -> None:
    text = as_json(papers.paper_layout("saf"))
    assert '"/papers/saf/table-4"' in text
    assert "/papers/omo/" not in text
    (haste,) = [paper for paper in PAPERS if paper.key == "haste"]
    assert as_json(papers.paper_layout("haste")).count(quoted(haste.unreadable)) == 1
    assert phrase("pages.this_address_has_no_page") in as_json(papers.paper_layout("sag"))
