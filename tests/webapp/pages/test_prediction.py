"""The page that says how well Gantry predicts: every number of the record, and honest where there is none."""

from __future__ import annotations

import pytest
from dash import Dash

from engine import quantities
from engine.dashboard import PredictedBatch, PredictionAccuracy, prediction_accuracy
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from webapp.pages import checked, limits, prediction

FOUND = PredictionAccuracy(
    "3.4.1",
    4,
    (
        PredictedBatch("capacity", "equal-b", 12, "equal", 0.021, 0.06, 1, 90, 0.04, 0.1),
        PredictedBatch(
            "fair",
            "mixed",
            14,
            "mixed-b",
            0.08,
            0.2,
            2,
            120,
            noise_median=0.09,
            noise_p90=0.21,
            again_median=0.011,
            again_p90=0.03,
            held_out_median=0.034,
            alone_turnaround_median=0.004,
        ),
        PredictedBatch("fair", "mixed-b", 10, "mixed", 0.09, 0.3, 1, 100, noise_median=0.05, noise_p90=0.2),
    ),
    ("one machine",),
    ("several racks",),
)


@pytest.fixture(autouse=True)
def app() -> None:
    """Addresses on a page are those of an application."""
    Dash("test")


def test_the_page_has_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prediction, "prediction_accuracy", lambda: FOUND)
    text = words(prediction.layout())
    assert phrase("pages.in_batches_median_error_jobs", 1, 3, 5, 1, 2) in text
    for said in (
        "2.1 %",
        "; 6 %",
        "9 %; 21 %",
        "1.1 %; 3 %",
        "3.4 %",
        "0.4 %",
        "one machine",
        "several racks",
        "mixed-b",
    ):
        assert said in text
    assert FOUND.jobs == 12 + 28 + 10 and f"{FOUND.jobs}" in text
    assert (
        as_json(prediction.layout()).count('"better"') == 2
        and as_json(prediction.layout()).count('"worse"') == 1
    )


def test_without_a_record_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prediction, "prediction_accuracy", lambda: PredictionAccuracy())
    text = words(prediction.layout())
    assert phrase("pages.no_record_real_cluster_yet") in text and "gantry-collect" in text and "%" not in text


def test_what_is_recorded_is_on_the_page() -> None:
    text = words(prediction.layout())
    for row in prediction_accuracy().rows:
        assert quantities.percent(row.median) in text and row.batch in text


def test_other_pages_lead_to_it() -> None:
    assert all('"/prediction"' in as_json(page.layout()) for page in (limits, checked))
