"""What a change gives, in a table beside what is there: with a verdict where something changes."""

from __future__ import annotations

import pytest

from engine.prediction.answer import MetricChange
from engine.prediction.band import Band
from webapp.panels.questions import answer_cards

BAND = Band(0.9, 1.1, 7, "")


@pytest.mark.parametrize(
    ("after_s", "band", "shown"),
    [
        (100.0, BAND, ("no change", None)),
        (95.0, BAND, ("5 s shorter, 5 %", "questions-within")),
        (200.0, BAND, ("1 min 40 s longer, 100 %", "questions-beyond")),
        (200.0, None, ("1 min 40 s longer, 100 %", None)),
        (None, BAND, ("nothing to compare", None)),
    ],
)
def test_a_change_is_judged_where_there_is_one(
    after_s: float | None, band: Band | None, shown: tuple
) -> None:
    span = answer_cards._change(MetricChange("makespan_s", "Makespan", 100.0, after_s, band))
    assert (span.children, getattr(span, "className", None)) == shown
