"""What Gantry reads in random files is what Hadoop's loader said of them, but for what is known."""

from __future__ import annotations

import json

import pytest

from engine.against_hadoop import Agreement, KnownDifference, checked_against_hadoop
from engine.errors import GantryError
from tests.examples import some
from tests.hadoop.loader.comparison import Compared, compare
from tests.hadoop.loader.gantry_answers import gantry_answer
from tests.hadoop.loader.hadoop_answers import COUNT, digest, golden, golden_cases
from tests.hadoop.loader.known import REASONS
from tests.hadoop.loader.tally import DIFFERENCES, SCHEDULERS, count, golden_results
from tests.hadoop.loader.written import written
from tests.hadoop.table import DOCUMENT, FILES_MARKS, files_table

RENEWED = "python -m tests.hadoop.loader renews it"


@pytest.mark.parametrize("family", SCHEDULERS)
def test_the_golden_files_are_of_these_cases(family: str) -> None:
    kept, answers = golden(family)
    assert kept == digest(golden_cases(family)), "make referee renews them"
    assert len(answers) == COUNT
    started = [one for one in answers if "refused" not in one]
    assert len(started) > COUNT / 2 and len(started) < 0.9 * COUNT


@pytest.mark.parametrize("family", SCHEDULERS)
def test_what_differs_is_what_differed(family: str) -> None:
    """Under --everything in all cases, with the numbers on the page."""
    compared = some(golden_cases(family), 250)
    recorded = next(one for one in checked_against_hadoop().files if one.scheduler == SCHEDULERS[family])
    checked, differing = count(family, golden_results(family, len(compared)), recorded.written)
    kept = json.loads(DIFFERENCES.read_text("utf-8"))[family]
    first = {kind: [one for one in numbers if one < len(compared)] for kind, numbers in kept.items()}
    assert differing == {kind: numbers for kind, numbers in first.items() if numbers}, RENEWED
    assert len(compared) < COUNT or checked == recorded, RENEWED


def test_every_kind_that_differs_has_its_reason() -> None:
    kept = json.loads(DIFFERENCES.read_text("utf-8"))
    assert set(REASONS) == {(family, kind) for family, kinds in kept.items() for kind in kinds}
    recorded = {one.scheduler: one.differences for one in checked_against_hadoop().files}
    for family, kinds in kept.items():
        assert recorded[SCHEDULERS[family]] == [
            KnownDifference(kind, SCHEDULERS[family], len(numbers), REASONS[family, kind])
            for kind, numbers in kinds.items()
        ], RENEWED


def test_the_document_says_what_was_found() -> None:
    text = files_table(checked_against_hadoop().files)
    assert f"{FILES_MARKS[0]}{text}{FILES_MARKS[1]}" in DOCUMENT.read_text("utf-8"), RENEWED


@pytest.mark.parametrize("family", SCHEDULERS)
def test_what_gantry_writes_it_reads_the_same(family: str) -> None:
    """Where Hadoop starts on the files; it is asked what it makes of those written by make referee. The jobs
    of the scenario may have queues that the first files don't list.
    """
    asked, (_, answers) = golden_cases(family), golden(family)
    started = [case for case, theirs in zip(asked, answers, strict=True) if "refused" not in theirs]
    for case in some(started, 60):
        first = gantry_answer(case.files, case)
        try:
            again = written(case)
        except GantryError:
            continue
        anew = gantry_answer(again.files, again)
        assert anew["settings"] == first["settings"], case.id
        assert {name: anew["queues"][name] for name in first["queues"]} == first["queues"], case.id


def test_a_difference_is_found() -> None:
    theirs = {"refused": ["IOException", "no"]}
    assert [one.is_same for one in compare("fair", theirs, {"refused": "none"})] == [True]
    assert [one.is_same for one in compare("fair", theirs, {})] == [False]
    values = Compared("weight", "root.a", 1.0, 1.0), Compared("weight", "root.a", 1.5, 1.0)
    assert [one.is_same for one in values] == [True, False]
    checked, differing = count("fair", [[values[0]], list(values)], Agreement(1, 2))
    assert checked.kinds == {"weight": Agreement(2, 3)} and differing == {"weight": [1]}
    assert f"| weight | {2} of {3} |" in files_table([checked])


def test_no_limit_is_none_and_a_float_is_as_java_has_it() -> None:
    same = [
        (2**31 - 1, None),
        (2**63 - 1, None),
        (0.7, 0.699999988079071),
        ([1024, 1], [1024, 1]),
        ("DRF", "drf"),
    ]
    differing = [(5, None), (0.7, 0.6999), ([1024, 1], None), (True, 1.0), (None, "root.a")]
    assert [Compared("", "", *both).is_same for both in same + differing] == [True] * 5 + [False] * 5
