"""Results in words, as JSON and as a table."""

from __future__ import annotations

import json
import math

import pytest

from engine.papers import (
    PAPERS,
    Ordered,
    Printed,
    Similar,
    paper_experiments,
    reproduce,
    result_text,
    results_json,
)
from engine.papers.judge import VERDICTS, judge_claim
from engine.papers.reporting import (
    counts,
    finding_text,
    fit_lines,
    named_numbers,
    number,
    order_text,
    outcome,
)
from tests.phrases import phrase

NAME = "dynamic-priority/table-1"
FITS = {
    reading.fit.title: reading.fit
    for one in paper_experiments().values()
    for reading in one.readings
    if reading.fit
}


def test_an_experiment_in_words() -> None:
    text = result_text(NAME, reproduce(paper_experiments()[NAME])).splitlines()
    assert text[0].startswith("dynamic-priority/table-1: " + phrase("papers.six_jobs_by_hand_table", 1))
    assert text[1].startswith("  agrees, on ")
    assert text[4].startswith("  " + phrase("papers.average_waiting_time_under_score", 18.33, 18.33, 0))


def test_results_as_json() -> None:
    observed = json.loads(results_json({NAME: reproduce(paper_experiments()[NAME])}))
    (one,) = observed["experiments"]
    (reading,) = one["readings"]
    assert (one["id"], one["verdict"], reading["verdict"]) == (NAME, "agrees", "agrees")
    assert reading["findings"][0]["ours"]["fifo/mean_wait_s"] == {
        "mean": 26.0,
        "low": None,
        "high": None,
        "seeds": 1,
        "deadlock": False,
    }
    assert observed["verdicts"] == {"dynamic-priority": {one: int(one == "agrees") for one in VERDICTS}}


def test_verdicts_are_counted_by_paper() -> None:
    first, second = PAPERS[0].key, PAPERS[-1].key
    verdicts = {f"{first}/a": "agrees", f"{first}/b": "differs", f"{second}/c": "differs"}
    assert counts(verdicts)[first]["agrees"] == 1
    assert counts(verdicts)[second] == {one: int(one == "differs") for one in VERDICTS}


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        (Ordered("", ("haste/makespan_s", ("fifo/makespan_s", "drf/makespan_s")), ""), "haste < fifo, drf"),
        (
            Ordered("", ("haste/makespan_s", "haste/wait_s"), "", ties=True),
            phrase("papers.haste_makespan_haste_wait"),
        ),
        (Similar("", ("8/fair/x", "8/drf/x"), ""), "8 · fair ≈ 8 · drf"),
    ],
)
def test_orders_in_signs(claim: Ordered | Similar, says: str) -> None:
    assert order_text(claim) == says


def test_numbers_have_the_unit_that_ends_their_name() -> None:
    claim = Ordered("", ("a/memory_utilization", "b/memory_utilization"), "")
    assert named_numbers(
        judge_claim(claim, {"a/memory_utilization": [0.25], "b/memory_utilization": [0.5]})
    ) == [("a", "25 %"), ("b", "50 %")]
    seconds = Ordered("", ("a/makespan_s", "b/makespan_s"), "")
    assert named_numbers(judge_claim(seconds, {"a/makespan_s": [1.5], "b/makespan_s": [math.inf]})) == [
        ("a", "1.5 s"),
        ("b", "deadlock"),
    ]


def test_a_claim_may_name_the_unit() -> None:
    claim = Similar("", ("a/reserve", "b/reserve"), "", unit="vcores")
    assert named_numbers(judge_claim(claim, {"a/reserve": [2.0], "b/reserve": [3.0]})) == [
        ("a", "2 vcores"),
        ("b", "3 vcores"),
    ]


def test_what_becomes_of_a_claim() -> None:
    samples = {"x": [10.0]}
    assert outcome(judge_claim(Printed("", "x", 11, "s", ""), samples, {"x"})) == phrase(
        "papers.no_verdict_used_in_fit"
    )
    assert outcome(judge_claim(Printed("", "x", 11, "s", "", untestable="not defined"), samples)) == phrase(
        "papers.no_verdict_not_defined"
    )
    assert [
        outcome(judge_claim(Printed("", "x", paper, "s", "", side=True), samples)) for paper in (11, 90, -90)
    ] == ["agrees", "same direction", "differs"]
    assert finding_text(judge_claim(Printed("Growth", "x", 9, "%", "", is_minimum=True), samples)) == phrase(
        "papers.growth_paper_at_least_gantry", 9, 10, 0
    )


@pytest.mark.parametrize(
    ("value", "says"),
    [(2258.4, "2,258"), (0.98, "0.98"), (1.0, "1"), (0.123456, "0.1235"), (math.inf, "deadlock")],
)
def test_numbers(value: float, says: str) -> None:
    assert number(value) == says


@pytest.mark.parametrize("name", FITS)
def test_a_fit_tells_its_parameters_its_cells_and_its_residual(name: str) -> None:
    fit = FITS[name]
    lines = fit_lines(fit)
    assert len(lines) == len(fit.free) + len(fit.cells) + 1
    assert len(fit.free) <= 4
    assert lines[-1].startswith("residual")
