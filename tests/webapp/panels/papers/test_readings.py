"""Of an experiment's readings one is shown; the others are told by what they change."""

from __future__ import annotations

from engine.papers import Fit, Ordered, Printed
from engine.papers.schema import FreeParameter
from tests.phrases import phrase
from tests.webapp.layout_reading import words
from tests.webapp.panels.papers.judged import result
from webapp.panels.papers import readings

CLAIMS = (Printed("A", "x", 10, "s", "Table 2"), Ordered("x before y", ("x", "y"), "text"))
HERE, THERE = {"x": [10.0], "y": [11.0]}, {"x": [10.0], "y": [9.0]}


def fit(speed: float) -> Fit:
    return Fit(
        "Bed",
        "Table 2",
        (FreeParameter("speed", "Speed", "MB/s", speed, 0.0, 200.0),),
        (Printed("A", "z", 10, "s", "Table 2"),),
        lambda values: {"z": 11.0},
    )


def test_the_reading_with_the_fewest_assumptions_is_shown_whatever_it_gives() -> None:
    made = result(CLAIMS, HERE, THERE, fits=(fit(38.0), None))
    assert made.experiment.shown.title == "Second" and made.shown is made.readings[1]
    assert readings.calibration(made.experiment) == phrase("papers.calibrated_as_second")
    assert result(CLAIMS, HERE, THERE).experiment.shown.title == "First", "of equal ones the first"


def test_the_others_are_folded_with_what_they_change() -> None:
    (other,) = readings.others(result(CLAIMS, HERE, THERE))
    assert phrase("papers.other_reading_changes_order") in words(other)
    assert readings.others(result(CLAIMS, HERE)) == []


def test_fits_and_notes_are_folded() -> None:
    made = result(CLAIMS, HERE, THERE, fits=(fit(38.0), fit(5.0)), notes={"n": "Tried 1 thing."})
    (fits,) = readings.fits(made)
    assert all(
        line in words(fits) for line in ("First", "Second", "Speed: 38 MB/s", "Speed: 5 MB/s", "residual")
    )
    (notes,) = readings.notes(made)
    assert "Tried 1 thing." in words(notes)
    plain = result(CLAIMS, HERE)
    assert readings.fits(plain) == [] == readings.notes(plain)


def test_pictures_beyond_two_are_folded_and_stand_beside_each_other_where_there_is_room() -> None:
    made = result(CLAIMS, HERE, pictures=3)
    two, more = readings.pictures(made, "a", False, 1200, False)
    assert len(two.children) == 2 and two.style == readings.columns(2)
    assert words(more.children[0]) == phrase("papers.more_pictures", 1)
    (narrow, _) = readings.pictures(made, "a", False, 600, False)
    assert narrow.style == readings.columns(1)
    assert readings.pictures(result(CLAIMS, HERE, pictures=0), "a", False, 1200, False) == []
