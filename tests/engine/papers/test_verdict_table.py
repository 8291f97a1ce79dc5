"""Experiments counted by verdict and claims by what they rest on."""

from __future__ import annotations

from engine.papers import PAPERS, ReadingRecord, Recorded, holding_claims, paper_experiments, verdict_table
from engine.papers.judge import VERDICTS
from tests.phrases import phrase

NAMES = [
    next(
        name
        for name, one in paper_experiments().items()
        if name.startswith(f"{paper.key}/") and len(one.claims) > 1
    )
    for paper in PAPERS[:2]
]


def kept(name: str, *verdicts: str, last: str = "agrees") -> Recorded:
    """One reading a verdict, all of whose claims agree but the last."""
    outcomes = ["agrees"] * len(paper_experiments()[name].claims)
    readings = [
        ReadingRecord(verdict, 2, (*outcomes[1:], last if place else "agrees"), {})
        for place, verdict in enumerate(verdicts)
    ]
    return Recorded({str(place): one for place, one in enumerate(readings)})


def test_a_row_a_paper_and_one_for_all() -> None:
    lines = verdict_table(
        {NAMES[0]: kept(NAMES[0], "agrees"), NAMES[1]: kept(NAMES[1], "agrees", "differs", last="differs")}
    ).splitlines()
    assert lines[0].startswith(
        phrase("papers.paper_experiments_formula_claims", "|", "|", " | ".join(VERDICTS), "|", "|", "|")
    )
    assert lines[2].startswith(f"| {PAPERS[0].key} | 1 | 0 | 0 | 0 | 0 | 1 |")
    assert lines[3].startswith(f"| {PAPERS[1].key} | 0 | 0 | 0 | 1 | 0 | 1 |")
    assert lines[4].startswith("| all | 1 | 0 | 0 | 1 | 0 | 2 |")


def test_a_claim_holds_if_it_does_under_every_reading_that_judges_it() -> None:
    name = NAMES[0]
    claims = len(paper_experiments()[name].claims)

    def total(one: Recorded) -> tuple[int, int]:
        result = holding_claims([name], {name: one}).values()
        return sum(agree for agree, _ in result), sum(of for _, of in result)

    assert total(kept(name, "agrees", "agrees")) == (claims, claims)
    assert total(kept(name, "agrees", "differs", last="differs")) == (claims - 1, claims)
    assert total(kept(name, "agrees", "differs", last="no verdict")) == (claims, claims)
    assert total(Recorded({"": ReadingRecord("agrees", 2, ("no verdict",) * claims, {})})) == (0, 0)
