"""What is said of a curve over executors: with intervals, with a band, exact, and where there is nothing."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from types import SimpleNamespace

from engine import Scenario
from engine.studies.executor_curve import bands_of, executor_curve
from engine.studies.executor_text import (
    executor_headline,
    executor_plain,
    executor_table,
    interval_basis,
    others_text,
    path_text,
    present_text,
    sentences,
)
from engine.studies.measures import OTHERS_TIME, OWN_PATH
from engine.studies.result import StudyResult
from tests.engine.studies.made_curves import DYNAMIC, curve
from tests.phrases import phrase

FLAT = [[100, 100], [50, 50], [40, 40], [40, 40]]


def filled(found, key: str, values: list[float]):
    """The same with a metric's values, one a number of executors."""
    result: StudyResult = found.result
    place = result.study.metrics.index(key)
    result.values[:, 0, :, place] = [[value] * result.study.seeds for value in values]
    return found


def test_the_headline_names_the_fewest_that_suffice():
    found = curve(FLAT)
    headline = phrase("studies.more_make_no_faster", "etl", "40 s", "3 executors", "5 %", "40 s")
    assert executor_headline(found, 0) == headline
    rising = curve([[100, 100], [50, 50], [40, 40]])
    assert executor_headline(rising, 0) == phrase("studies.still_gains", "etl", "3 executors", "40 s")
    alone = phrase("studies.no_other_number", "etl", "40 s", "3 executors")
    assert executor_headline(curve([[40, 40]], (3,)), 0) == alone
    ended = curve([[math.nan] * 2, [math.nan] * 2, [40, 40]])
    assert executor_headline(ended, 0) == alone
    assert executor_headline(curve([[math.nan] * 2] * 2), 0) == phrase("studies.does_not_end_any", "etl")
    assert executor_headline(curve([[9], [8]]), 0) == phrase("studies.one_seed_cant_tell", "etl")


def test_what_holds_now_is_told():
    assert present_text(curve([[9, 9]] * 6), 0) == phrase("studies.at_present_at_most", "6 executors", "9 s")
    assert present_text(curve(FLAT), 0) == phrase("studies.at_present_at_most_not_tried", "6 executors")
    fixed = replace(curve(FLAT), is_dynamic=False)
    assert present_text(fixed, 0) == phrase("studies.at_present_not_tried", "6 executors")
    plain = DYNAMIC.plain()
    del plain["jobs"][0]["executors"]["dynamic"]["maximum"]
    without = executor_curve(curve(FLAT).result, Scenario.of(plain))
    assert present_text(without, 0) == phrase("studies.nothing_limits_executors", "etl")


def test_path_and_others_are_told_where_there_are_any():
    found = filled(filled(curve(FLAT), OWN_PATH, [21, 20, 20, 20]), OTHERS_TIME, [1, 2, 3, 4])
    assert "20 s" in path_text(found, 0) and path_text(found, 0) in sentences(found, 0)
    assert others_text(found, 0) == phrase("studies.others_take", "1 s", "1 executor", "4 s", 4)
    assert path_text(curve(FLAT), 0) == ""
    assert others_text(curve(FLAT), 0) == phrase("studies.no_other_job_ends")


def test_a_band_is_told_from_end_to_end():
    bands = bands_of(SimpleNamespace(low=0.5, high=2.0), SimpleNamespace(low=0.9, high=1.1))
    found = executor_curve(curve(FLAT).result, DYNAMIC, bands, "As far as the jobs were off.")
    assert "(50 s to 3 min 20 s)" in executor_headline(found, 0)
    said = interval_basis(found)
    assert said.startswith(found.says)
    assert said.endswith(phrase("studies.all_numbers_share_error"))


def test_a_number_that_has_no_value_says_why():
    found = curve(FLAT)
    found.result.because[1, 0] = "no node is large enough."
    found.result.because[3, 0] = "another reason"
    assert phrase("studies.no_value_with_executors", "2 to 4", "no node is large enough") in sentences(
        found, 0
    )


def test_the_table_and_the_json_have_every_number():
    found = curve(FLAT)
    table = executor_table(found)
    rows = [line.split()[0] for line in table.splitlines() if line[:1] == " " and line.split()]
    assert rows[-4:] == ["1", "2", "3", "4"]
    plain = json.loads(json.dumps(executor_plain(found), allow_nan=False))
    (of_fair,) = plain["schedulers"]
    assert (plain["application"], plain["executors"], of_fair["knee"]) == ("etl", 6, 3)
    assert [point["executors"] for point in of_fair["points"]] == [1, 2, 3, 4]
    assert of_fair["points"][0]["application_turnaround_s"] == {"mean": 100, "low": 100, "high": 100}
    assert of_fair["points"][0]["others_mean_turnaround_s"]["mean"] is None
