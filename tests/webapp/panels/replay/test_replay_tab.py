"""The tab Measured: its sentences, tables and charts of a record whose truth is known, and what stands there
without one.
"""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from urllib.parse import unquote

import pytest
from dash import Dash

from engine import predict
from engine.dashboard import JobError, Prediction, ReplayErrors
from engine.scenario.model import Scenario
from tests.phrases import phrase
from tests.spark_jobs import MIXED
from tests.webapp.layout_reading import as_json, words
from tests.webapp.replay_record import record
from webapp.jobs import prediction
from webapp.panels.replay import (
    collector,
    fit_table,
    job_table,
    no_record,
    replay_pictures,
    replay_tab,
    replay_text,
)
from webapp.runs.cache import SharedCache
from webapp.runs.task import build_task
from webapp.url.url_state import RunRequest

ROWS = (
    JobError(
        1,
        "late",
        10.0,
        100.0,
        110.0,
        0.1,
        1 / 9,
        "Its master took 9.0 s to its first ask, 5.0 s in the simulation.",
    ),
    JobError(0, "<early", 0.0, 50.0, 49.0, -0.02, -0.02, ""),
)
ERRORS = ReplayErrors(
    ROWS,
    0.06,
    0.092,
    0.04,
    0.065,
    0.1,
    0.045,
    0.1,
    ("1 job not compared: failed, killed or without an end in the record",),
    0,
)


@pytest.fixture(scope="module")
def found() -> Prediction:
    return predict(Scenario.of(record()), "fair")


@pytest.fixture(autouse=True)
def app() -> None:
    """Addresses in the tab are those of an application."""
    Dash("test")


def test_the_answer_stands_first(found: Prediction) -> None:
    of = replace(found, held_out=ERRORS)
    assert replay_text.headline(of) == phrase("replay.jobs_held_out_simulated_finish", 2, 6, 9.2, 90)
    one = replace(ERRORS, rows=ROWS[:1], median=0.1)
    assert replay_text.headline(replace(found, held_out=one)) == phrase(
        "replay.one_job_judged_simulated_finish", 10
    )
    spark = replace(of, scenario=Scenario.of(MIXED))
    assert "2 applications" in replay_text.headline(spark)
    none = ReplayErrors((), None, None, None, None, None, None, None, (), 0)
    assert replay_text.headline(replace(found, held_out=none)) == replay_text.NOTHING_JUDGED
    assert replay_text.facts(replace(found, held_out=none, replay=none)) == []


def test_which_way_and_from_what(found: Prediction) -> None:
    of = replace(found, held_out=ERRORS)
    assert replay_text.facts(of)[:2] == [
        (phrase("replay.on_average_job_finishes"), "4 % too late"),
        (phrase("replay.last_one_finishes"), "10 % too late"),
    ]
    assert phrase("replay.fitted_from_other_jobs_and", 3) in replay_text.basis(of)
    assert phrase("replay.job_not_compared", 1) in replay_text.basis(of)
    assert (replay_text.early_or_late(-0.023), replay_text.early_or_late(0.0001)) == (
        "2.3 % too early",
        "on time",
    )


def test_the_band_is_said_of_the_jobs_it_comes_from(found: Prediction) -> None:
    band = replace(found.band, low=0.9, high=1.2, of=7)
    said = replay_text.band_text(replace(found, band=band), 100.0)
    assert said == phrase("replay.from_replay_under_fair_what", "1 min 40 s", "1 min 30 s", "2 min", 7)
    assert phrase("replay.as_for_jobs", 80, 12) in replay_text.band_text(
        replace(found, band=replace(band, of=12)), 100.0
    )
    assert replay_text.band_text(replace(found, band=replace(band, of=0)), 100.0) == ""


def test_answers_of_a_fitted_scenario_have_their_band(found: Prediction) -> None:
    plain = record()
    carried = {"scheduler": "fair", "finish": [0.9, 1.2, 7], "turnaround": [0.8, 1.5, 7]}
    fitted = Scenario.of({**plain, prediction.REPLAY_FIELD: carried})
    values = [("measured", 90.0), ("fair", 100.0), ("capacity", None)]
    assert replay_text.answers_text(fitted, "makespan_s", values) == phrase(
        "replay.from_replay_under_fair_jobs", 7, "1 min 30 s", "2 min"
    )
    assert replay_text.answers_text(fitted, "mean_turnaround_s", values).endswith(
        phrase("replay.fair_would_take_s_min", "1 min 20 s", "2 min 30 s")
    )
    assert replay_text.answers_text(fitted, "fairness", values) == ""
    assert replay_text.answers_text(Scenario.of(plain), "makespan_s", values) == replay_text.NOT_FITTED
    assert (
        replay_text.answers_text(
            Scenario.of({key: part for key, part in plain.items() if key != "measured"}), "makespan_s", values
        )
        == ""
    )


def test_the_table_of_jobs_opens_their_pages_and_its_file_has_plain_numbers() -> None:
    text = as_json(job_table.layout(ERRORS))
    assert '"data-open-job": "late"' in text and '"data-open-job": "<early"' in text
    assert words(job_table.layout(ERRORS)).count(phrase("replay.master_took_s", "9.0")) == 1
    rows = list(csv.DictReader(io.StringIO(_file(text))))
    assert [(row["Job"], float(row["Off (s)"]), float(row["Error (%)"])) for row in rows] == [
        ("late", 10.0, 10.0),
        ("<early", -1.0, -2.0),
    ]


def test_of_many_jobs_the_worst_are_shown_and_the_file_has_all() -> None:
    many = replace(ERRORS, rows=ROWS[:1] * (job_table.MAX_ROWS + 5))
    parts = job_table.layout(many)
    assert as_json(parts).count('"data-open-job"') == job_table.MAX_ROWS
    assert phrase("common.first_jobs", 60, 65) in words(parts)
    assert len(list(csv.DictReader(io.StringIO(_file(as_json(parts)))))) == 65


def test_what_was_fitted_has_its_interval_and_what_was_not_its_reason(found: Prediction) -> None:
    text = words(fit_table.layout(found.whole))
    for one in found.whole.parameters:
        assert one.title in text
    shown = _file(as_json(fit_table.layout(found.whole)))
    assert len(list(csv.reader(io.StringIO(shown)))) == 1 + len(found.whole.parameters)
    assert phrase("replay.not_in_record") in text and "from the record:" not in text


def test_the_pictures_show_every_job_and_the_highlighted_one_stands_out() -> None:
    of = predict(Scenario.of(record()), "fair")
    cards = replay_pictures.pictures(of, of.replay, {"job-3"}, False, 600)
    text = as_json(cards)
    assert all(f'"job:job-{number}"' in text for number in range(6))
    assert "<b>job-3</b>" in text and '<b>job-2</b>"' not in text
    assert (
        as_json(replay_pictures.variants(of, True, 600)).count(phrase("replay.durations_from_history_only"))
        >= 2
    )


def test_a_result_without_a_record_says_how_to_bring_one(cache: SharedCache, small: dict) -> None:
    text = as_json(no_record.layout(build_task(RunRequest(small, ("fair",)))))
    assert no_record.NO_RECORD in text and f'"/{collector.NAME}"' in text and '"/prediction"' in text
    assert no_record.NO_SCHEDULER in as_json(
        no_record.layout(build_task(RunRequest(record(), ("measured",))))
    )


def test_the_sample_is_a_record_that_is_replayed_within_ten_percent(cache: SharedCache) -> None:
    task = build_task(RunRequest.of(no_record.sample_batch()))
    assert task.names == no_record.SAMPLE_SCHEDULERS
    result = predict(task.scenario, "fair")
    assert len(result.replay.rows) == 14 and result.replay.median < 0.1


def test_it_is_replayed_under_what_is_simulated(cache: SharedCache) -> None:
    task = build_task(RunRequest(record(), ("measured", "fair", "capacity")))
    assert [replay_tab.chosen_scheduler(task, chosen) for chosen in ("capacity", "measured", None)] == [
        "capacity",
        "fair",
        "fair",
    ]
    assert replay_tab.chosen_scheduler(build_task(RunRequest(record(), ("measured",))), None) is None
    assert replay_tab.selected(task, "job:job-2") == {"job-2"}
    assert replay_tab.selected(task, "user:ann") == {"job-1", "job-3", "job-5"}
    assert replay_tab.selected(task, "node:n-1") == set()


def test_what_the_store_holds_may_be_anything() -> None:
    for said in (
        None,
        3,
        [],
        {"key": 3},
        {"key": "x" * 16, "scheduler": "fair"},
        {"key": None, "scheduler": []},
    ):
        assert replay_tab.task_and_prediction(said) == (None, None)


def _file(layout: str) -> str:
    """The CSV that a menu of a layout holds."""
    return unquote(layout.partition("data:text/csv;charset=utf-8,")[2].partition('"')[0])
