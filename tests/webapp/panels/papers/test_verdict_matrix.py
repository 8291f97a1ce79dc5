"""All verdicts at a glance: every claim of every experiment is a cell that leads to it."""

from __future__ import annotations

import json
import re

import pytest
from dash import Dash

from engine import paper_experiments, recorded
from webapp.panels.papers import verdict_matrix


@pytest.fixture(autouse=True)
def app() -> Dash:
    return Dash("test")


def test_every_claim_is_a_cell_that_leads_to_it_and_says_what_became_of_it() -> None:
    text = json.dumps(verdict_matrix.layout(), default=lambda one: one.to_plotly_json(), ensure_ascii=False)
    cells = re.findall(r'"/papers/([a-z0-9/-]+)#claim-(\d+)"', text)
    assert cells == [(name, str(number)) for name, one in paper_experiments().items() for number in range(1, len(one.claims) + 1)]
    for name, one in paper_experiments().items():
        for number, (claim, outcome) in enumerate(zip(one.claims, recorded()[name].outcomes, strict=True), start=1):
            assert json.dumps(f"Claim {number}, {claim.what}: {outcome}", ensure_ascii=False) in text
    assert text.count('"tabIndex": "0"') == 1, "the matrix is one stop of the Tab key"
