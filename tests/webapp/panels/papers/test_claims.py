"""The table of claims: the paper's numbers with their bands, and Gantry's under each reading."""

from __future__ import annotations

import math

from engine import paper_experiments, reproduce
from engine.dashboard import Fit, Printed, Similar
from engine.papers.schema import FreeParameter
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from tests.webapp.panels.papers.judged import result
from webapp.panels.papers.claims import claims_table, verdict_badge


def rows(table) -> list:
    return table.children.children[1].children


def heads(table) -> list[str]:
    return [words(head) for head in table.children.children[0].children.children]


def test_each_claim_can_be_linked_to() -> None:
    one = paper_experiments()["dynamic-priority/table-1"]
    rows_ = rows(claims_table(reproduce(one)))
    assert [row.id for row in rows_] == [f"claim-{number}" for number in range(1, len(one.claims) + 1)]


def test_a_claim_says_what_it_rests_on_and_how_near_ours_must_be() -> None:
    claims = (
        Printed("A", "x", 10, "s", "Table 2", noise=0.6),
        Printed("B", "y", 4, "", "Eq. 1", basis="formula"),
        Similar("C", ("x", "y"), "text", basis="algorithm"),
    )
    table = claims_table(result(claims, {"x": [9.0], "y": [4.0]}))
    assert heads(table) == ["What", "Paper", "Gantry", "Error", "Verdict"]
    texts = [words(row) for row in rows(table)]
    assert "test bed" in texts[0] and phrase("papers.s_s_papers_noise", 10, 2.6, 0.6) in texts[0]
    assert "formula" in texts[1] and "4 ± 0.5" in texts[1]
    assert "algorithm" in texts[2]


def test_under_two_readings_there_is_one_row_a_claim() -> None:
    claims = (Printed("A", "x", 10, "s", "Table 2"),)
    table = claims_table(result(claims, {"x": [10.5]}, {"x": [13.0]}))
    assert heads(table) == ["What", "Paper", "First", "Second"]
    (row,) = rows(table)
    assert [" ".join(words(cell).split()) for cell in row.children[2:]] == [
        "✓ agrees 5 % off 10.5 s",
        "✗ differs 30 % off 13 s",
    ]
    assert [getattr(cell, "data-head") for cell in row.children[1:]] == ["Paper", "First", "Second"]


def test_claims_without_a_verdict_say_so_under_the_reading_that_gives_none() -> None:
    cell = Printed("A", "x", 10, "s", "Table 2")
    fit = Fit(
        "Bed",
        "Table 2",
        (FreeParameter("speed", "Speed", "", 1.0, 0.0, 2.0),),
        (cell,),
        lambda values: {"x": 10.0},
    )
    claims = (cell, Printed("B", "y", 10, "s", "Fig. 8", untestable="the paper does not define it"))
    table = claims_table(result(claims, *[{"x": [10.0], "y": [10.0]}] * 2, fits=(fit, None)))
    fitted, other = ([words(part) for part in row.children] for row in rows(table))
    assert phrase("papers.no_verdict_used_in_fit") in fitted[2] and "agrees" in fitted[3]
    assert all(phrase("papers.no_verdict_paper_does_not") in cell for cell in other[2:])


def test_a_deadlock_is_named() -> None:
    claims = (Printed("A", "x", 10, "s", "Fig. 2"), Similar("B", ("x", "y"), "text"))
    text = as_json(claims_table(result(claims, {"x": [math.inf], "y": [1.0]})))
    assert text.count("deadlock") >= 3
    assert "Infinity" not in text


def test_a_verdict_is_a_sign_and_a_word() -> None:
    assert words(verdict_badge("depends on the reading")) == phrase("papers.depends_on_reading_2")
    assert "both" in verdict_badge("depends on the reading").className
    assert words(verdict_badge("too little to judge")).startswith("?")
