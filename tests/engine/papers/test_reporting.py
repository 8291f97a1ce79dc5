"""Results in words, as JSON and as a table."""

from __future__ import annotations

import json
import math

import pytest

from engine.papers import (
    Experiment,
    Ordered,
    Printed,
    Reading,
    Similar,
    changes,
    paper_experiments,
    reproduce,
    result_text,
    results_json,
)
from engine.papers.judge import judge_claim
from engine.papers.reporting import finding_text, fit_lines, lamp_text, named_numbers, number, order_text
from engine.papers.schema import Measurement
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
    assert text[1] == "  " + phrase("papers.holds_order_gain_numbers", 2, 2, 2, 2, 17, 17)
    assert text[4].startswith("  " + phrase("papers.average_waiting_time_under_score", 18.33, 18.33))


def test_results_as_json() -> None:
    observed = json.loads(results_json({NAME: reproduce(paper_experiments()[NAME])}))
    first, second = observed["claims"][:2]
    assert (first["id"], first["basis"], first["cause"]) == (f"{NAME}#1", "algorithm", None)
    assert (first["order"], first["gain"]) == (None, None)
    assert {key: first["absolute"][key] for key in ("state", "paper", "ours", "unit")} == {
        "state": "holds",
        "paper": 26,
        "ours": 26,
        "unit": "s",
    }
    assert second["order"]["state"] == second["gain"]["state"] == "holds"
    assert second["gain"]["paper"] == pytest.approx(100 * (18.33 - 26) / 26)
    assert first["ours"]["fifo/mean_wait_s"] == {
        "mean": 26.0,
        "low": None,
        "high": None,
        "seeds": 1,
        "deadlock": False,
    }
    summary = observed["summary"]["dynamic-priority"]
    assert summary["absolute"] == {"holds": 17, "fails": 0, "not_testable": 0}
    assert summary["sentence"].startswith("Dynamic job prioritization: ")
    assert [one["id"] for one in observed["experiments"]] == [NAME]


def test_a_reading_says_which_lamps_it_changes() -> None:
    experiment = Experiment(
        *("x", "X", "Fig. 1", "Setting.", "Notice.", tuple),
        tuple(
            Reading(lambda trial, made=made: Measurement({"a": [made], "b": [2.0]}), "Says.", key, key)
            for key, made in (("first", 1.0), ("other", 3.0), ("same", 1.5))
        ),
        (Ordered("a before b", ("a", "b"), "text"),),
    )
    (other, changed), (same, nothing) = changes(reproduce(experiment))
    assert (other.key, changed) == ("other", [phrase("papers.other_changes_a_before_b")])
    assert (same.key, nothing) == ("same", ["same changes nothing."])


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


def test_a_claim_in_a_line() -> None:
    samples = {"x": [10.0]}
    growth = judge_claim(Printed("Growth", "x", 9, "%", "", is_minimum=True, side=True), samples)
    assert finding_text(growth) == phrase("papers.growth_paper_at_least_gantry", 9, 10, 10, 9, 1.8)
    lost = judge_claim(Printed("", "x", 11, "s", "", untestable="not defined"), samples)
    assert lamp_text(lost.lamps["absolute"]) == phrase("papers.not_testable_not_defined")


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
