"""The files that the papers' and schedulers' pages offer: numbers in full, as a spreadsheet reads them."""

from __future__ import annotations

import csv
import io
from urllib.parse import unquote

from engine.dashboard import Picture, Printed, Series, guide
from engine.papers import Reason, Similar
from engine.papers.schema import NOISE
from tests.webapp.panels.papers.judged import result
from webapp.panels.papers import downloads
from webapp.panels.papers.guide import measured


def rows(entry: downloads.Entry) -> list[list[str]]:
    head, _, text = entry[1]["href"].partition(",")
    assert head == "data:text/csv;charset=utf-8"
    return list(csv.reader(io.StringIO(unquote(text))))


def test_a_table_survives_commas_quotes_and_what_is_missing() -> None:
    title, given = downloads.table("a", ["x", "y"], [['1,5 "s"', None], ["§ 5\n", 1.25]])
    assert (title, given["download"]) == ("Numbers as CSV", "gantry-a.csv")
    assert rows((title, given)) == [["x", "y"], ['1,5 "s"', ""], ["§ 5\n", "1.25"]]


def test_a_picture_has_every_point_with_its_interval_unrounded() -> None:
    ours = Series("DRF", (8, 16), (390.123456, None), (380.0, None), (405.0, None))
    picture = Picture(
        "Fig. 8", "bars", "Nodes", "Makespan (s)", (Series("DRF", (8,), (400.0,), paper=True), ours)
    )
    assert rows(downloads.picture("a", picture)) == [
        ["Series", "Source", "Nodes", "Makespan (s)", "95 % from", "95 % to"],
        ["DRF", "paper", "8", "400.0", "", ""],
        ["DRF", "Gantry", "8", "390.123456", "380.0", "405.0"],
        ["DRF", "Gantry", "16", "", "", ""],
    ]


def test_claims_have_a_row_for_each_thing_that_they_say() -> None:
    claims = (
        Printed("Makespan", "x", 10, "s", "Table 2", basis="algorithm", against=("y", 5)),
        Similar("Both", ("x", "y"), "text", reason="r"),
        Printed("Lost", "x", 10, "s", "Fig. 3", untestable="no rate"),
    )
    made = result(claims, {"x": [9.0], "y": [1.0]}, reasons={"r": Reason(NOISE, "Noise.", "n")})
    rows_ = rows(downloads.claims("a", made.experiment, made.shown.findings))
    assert rows_[0][:9] == [
        *("Claim", "What", "Where", "Rests on", "What it says", "State", "Paper", "Band", "Gantry"),
    ]
    assert [row[4:6] for row in rows_[1:]] == [
        ["order", "holds"],
        ["gain", "does not hold"],
        ["absolute", "holds"],
        ["order", "does not hold"],
        ["absolute", "not testable"],
    ]
    assert rows_[3][6:10] == ["10", "1.0", "9.0", "s"]
    assert (rows_[4][-1], rows_[5][-2:]) == ("noise", ["no rate", ""])


def test_a_case_has_both_schedulers_in_full() -> None:
    wins = guide("fifo").wins
    rows_ = rows(downloads.case("a", wins, measured("fifo", 0)))
    assert rows_[0][1] == "Mean turnaround (s)"
    assert [row[0] for row in rows_[1:]] == list(wins.schedulers)
    assert float(rows_[1][1]) == 40
