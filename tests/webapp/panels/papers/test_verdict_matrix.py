"""All verdicts at a glance: a cell an experiment, and a cell a claim that leads to it."""

from __future__ import annotations

import csv
import io
import re
from urllib.parse import unquote

import pytest
from dash import Dash

from engine import paper_experiments
from engine.dashboard import BASES, PAPERS, ReadingRecord, Recorded, holding_claims, recorded
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from webapp.panels.papers import verdict_matrix


@pytest.fixture(autouse=True)
def app() -> Dash:
    return Dash("test")


def record(*outcomes: tuple[str, ...]) -> Recorded:
    return Recorded({str(place): ReadingRecord("differs", 2, one, {}) for place, one in enumerate(outcomes)})


def test_every_claim_is_a_cell_that_leads_to_it_and_says_what_became_of_it() -> None:
    text = as_json(verdict_matrix.claims())
    cells = re.findall(r'"/papers/([a-z0-9/-]+)#claim-(\d+)"', text)
    assert cells == [
        (name, str(number))
        for name, one in paper_experiments().items()
        if name in recorded()
        for number in range(1, len(one.claims) + 1)
    ]
    labels = re.findall(r'"aria-label": "Claim (\d+) \((formula|algorithm|test bed)\)', text)
    assert len(labels) == len(cells)
    assert text.count('"tabIndex": "0"') == 1, "the matrix is one stop of the Tab key"


def test_a_claim_on_which_readings_part_depends_on_them() -> None:
    result = verdict_matrix._outcomes(
        record(
            ("agrees", "holds", "no verdict", "no verdict"),
            ("agrees", "does not hold", "differs", "no verdict"),
        )
    )
    assert result == ["agrees", phrase("papers.depends_on_reading"), "differs", "no verdict"]


def test_every_experiment_is_a_cell_with_its_verdict_and_its_claims_by_what_they_rest_on() -> None:
    layout = verdict_matrix.layout()
    text = as_json(layout)
    assert all(f'"href": "/papers/{name}"' in text for name in paper_experiments())
    assert text.count('"tabIndex": "0"') == 1, "the matrix is one stop of the Tab key"
    name = next(iter(recorded()))
    cell = verdict_matrix._cell(name, True)
    counts = {basis: (hold, of) for basis, (hold, of) in holding_claims([name], recorded()).items() if of}
    label = f"{paper_experiments()[name].title}: {recorded()[name].verdict}" + "".join(
        f"; {hold} of {of} {basis} claims hold" for basis, (hold, of) in counts.items()
    )
    assert getattr(cell, "aria-label") == label
    assert all(f"{hold}/{of}" in words(cell) for hold, of in counts.values())


def test_what_holds_is_counted_by_what_it_rests_on() -> None:
    table = words(verdict_matrix._held_table())
    assert all(f"{basis.capitalize()} claims" in table for basis in BASES)
    assert all(paper.title in table for paper in PAPERS)
    hold, of = holding_claims(recorded(), recorded())["test bed"]
    assert f"{hold} of {of}" in table


def test_the_verdicts_as_a_file() -> None:
    entries = re.findall(r'"href": "data:text/csv;charset=utf-8,([^"]+)"', as_json(verdict_matrix.layout()))
    result = list(csv.reader(io.StringIO(unquote(entries[0]))))
    assert result[0] == ["Paper", "Experiment", "Verdict", "Rests on", "Claims that hold", "Claims judged"]
    assert sum(int(row[5]) for row in result[1:]) == sum(
        of for _, of in holding_claims(recorded(), recorded()).values()
    )
