"""The readings of an experiment: their names, fits and notes."""

from __future__ import annotations

from engine.dashboard import Fit, Printed
from engine.papers.schema import FreeParameter
from tests.phrases import phrase
from tests.webapp.layout_reading import words
from tests.webapp.panels.papers.judged import result
from webapp.panels.papers import readings

CLAIMS = (Printed("A", "x", 10, "s", "Table 2"), Printed("B", "y", 4, "", "Eq. 1", basis="formula"))


def fit(speed: float) -> Fit:
    return Fit(
        "Bed",
        "Table 2",
        (FreeParameter("speed", "Speed", "MB/s", speed, 0.0, 200.0),),
        (Printed("A", "z", 10, "s", "Table 2"),),
        lambda values: {"z": 11.0},
    )


def test_one_reading_is_a_sentence() -> None:
    assert words(readings.heads(result(CLAIMS, {"x": [10.0], "y": [4.0]}), 1200)) == phrase(
        "papers.calibration_calibrated_as_first"
    )


def test_formulas_are_counted_apart() -> None:
    result_ = result(CLAIMS, {"x": [10.0], "y": [4.0]})
    assert readings.rests_on(result_.readings[0]) == phrase("papers.on_claim_formula_agrees", 1, 1, 1)


def test_each_of_several_has_its_verdict_its_fit_and_its_notes() -> None:
    result_ = result(
        CLAIMS,
        {"x": [10.0], "y": [4.0]},
        {"x": [1.0], "y": [4.0]},
        fits=(fit(38.0), fit(5.0)),
        notes=("Tried 1 thing.",),
    )
    assert words(readings.heads(result_, 1200)).count(phrase("papers.too_little_judge")) == 2
    fits = words(readings.fits(result_, 1200))
    assert all(
        line in fits
        for line in (
            "Free parameters: First",
            "Free parameters: Second",
            "Speed: 38 MB/s",
            "Speed: 5 MB/s",
            "residual",
        )
    )
    assert phrase("papers.what_was_tried_first") in words(readings.notes(result_, 1200)) and phrase(
        "papers.what_was_tried_second"
    ) in words(readings.notes(result_, 1200))


def test_without_fit_or_notes_nothing_is_said() -> None:
    result_ = result(CLAIMS, {"x": [10.0], "y": [4.0]})
    assert readings.fits(result_, 1200) == [] == readings.notes(result_, 1200)


def test_columns_of_pictures_have_the_room_there_is() -> None:
    result_ = result(CLAIMS, {"x": [10.0], "y": [4.0]}, {"x": [1.0], "y": [4.0]})
    (columns,) = readings.pictures(result_, "a", False, 1200, False)
    assert [words(column.children[0]) for column in columns.children] == ["First", "Second"]
    assert columns.style == {"gridTemplateColumns": "repeat(2, minmax(0, 1fr))"}
    (narrow,) = readings.pictures(result_, "a", False, 600, False)
    assert narrow.style == {"gridTemplateColumns": "repeat(1, minmax(0, 1fr))"}
