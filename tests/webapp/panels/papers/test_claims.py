"""The table of claims with their lamps, and the reasons of those that do not hold."""

from __future__ import annotations

import math

from engine import paper_experiments, reproduce
from engine.papers import Ordered, Printed, Reason, Result, Similar
from engine.papers.schema import NOISE, PHYSICS
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from tests.webapp.panels.papers.judged import result
from webapp.panels.papers.claims import MAX_AT_ONCE, claims_table, reasons


def table_of(made: Result) -> list:
    return claims_table(made.experiment, made.shown.findings)


def rows(region) -> list:
    return region.children.children[2].children


def heads(region) -> list[str]:
    return [words(head) for head in region.children.children[1].children.children]


def cells(row) -> list[str]:
    return [" ".join(words(cell).split()) for cell in row.children]


def test_each_claim_can_be_linked_to() -> None:
    """The first are in sight, the others a click away."""
    made = reproduce(paper_experiments()["dynamic-priority/table-1"])
    in_sight, more = table_of(made)
    others = rows(more.children[1])
    assert len(rows(in_sight)) == MAX_AT_ONCE
    ids = [row.id for row in (*rows(in_sight), *others)]
    assert sorted(ids) == sorted(f"claim-{number}" for number in range(1, len(made.experiment.claims) + 1))
    assert words(more.children[0]) == phrase("papers.more_claims", len(others))


def test_a_claim_has_a_lamp_for_each_thing_that_it_says() -> None:
    claims = (
        Printed("A", "x", 10, "s", "Table 2", against=("base", 20)),
        Printed("B", "y", 4, "", "Eq. 1", basis="formula"),
        Ordered("C", ("x", "base"), "text"),
    )
    (table,) = table_of(result(claims, {"x": [9.0], "y": [4.0], "base": [11.0]}))
    assert heads(table) == ["Claim", "Order", "Gain", "Numbers", "Gantry"]
    first, second, third = map(cells, rows(table))
    assert first[1:4] == [
        "✓ holds",
        phrase("papers.lamp_does_not_hold", "−18.18", "−50", 11),
        "✓ holds 9 s paper 10 s ± 2 s",
    ]
    assert second[1:4] == ["", "", "✓ holds 4 paper 4 ± 0.5"]
    assert third[1:] == ["✓ holds", "", "", "x 9 base 11"]
    assert "reproduced in part" in first[0] and phrase("papers.repeated_from_formulas") in second[0]


def test_columns_are_those_that_claims_need() -> None:
    (table,) = table_of(result((Ordered("C", ("x", "y"), "text"),), {"x": [9.0], "y": [10.0]}))
    assert heads(table) == ["Claim", "Order", "Gantry"]


def test_what_can_be_tested_and_is_spoken_of_stands_first() -> None:
    claims = [Printed("lost", "x", 10, "s", "text", untestable="The rate is not given")]
    claims += [Printed(str(number), "x", 10, "s", "text") for number in range(MAX_AT_ONCE)]
    claims += [Printed("theme", "x", 10, "s", "text", theme="t")]
    in_sight, more = table_of(result(claims, {"x": [10.0]}))
    assert [row.id for row in rows(in_sight)] == ["claim-2", "claim-3", "claim-4", "claim-6"]
    assert phrase("papers.not_testable_rate") in cells(rows(more.children[1])[0])[1]


def test_a_deadlock_is_named() -> None:
    claims = (Printed("A", "x", 10, "s", "Fig. 2"), Similar("B", ("x", "y"), "text"))
    text = as_json(table_of(result(claims, {"x": [math.inf], "y": [1.0]})))
    assert text.count("deadlock") >= 3
    assert "Infinity" not in text


def test_a_reason_stands_with_its_cause_its_claims_and_what_shows_it() -> None:
    claims = (
        Ordered("A", ("x", "y"), "text", reason="slow"),
        Ordered("B", ("y", "x"), "text"),
        Ordered("C", ("x", "y"), "text", reason="slow"),
    )
    given = {"slow": Reason(PHYSICS, "Fetching is slow.", "rates"), "noise": Reason(NOISE, "Noise.", "n")}
    made = result(claims, {"x": [2.0], "y": [1.0]}, reasons=given)
    (table,) = table_of(made)
    assert "cause: physics" in cells(rows(table)[0])[0] and "cause" not in cells(rows(table)[1])[0]
    _, entries = reasons(made.experiment, made.shown.findings, {"rates": "At 5 MB/s it holds."})
    (entry,) = entries.children
    assert " ".join(words(entry).split()) == phrase("papers.physics_fetching_slow", 5)
    assert entry.children[0].title == "Claims 1, 3"
    assert reasons(made.experiment, made.shown.findings[1:2], {}) == []
