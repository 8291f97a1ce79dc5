"""Results of experiments that the tests make up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.papers import Claim, Experiment, Fit, Picture, Reading, ReadingResult, Result, Series
from engine.papers.gallery import judge_claims
from engine.papers.schema import Measurement

NAMES = ("First", "Second", "Third")
BARS = Picture("Fig. 1", "bars", "", "Time (s)", (Series("ours", ("a",), (1.0,)),))


def result(
    claims: Sequence[Claim],
    *samples: Mapping[str, Sequence[float]],
    notes: Mapping[str, str] | None = None,
    fits: Sequence[Fit | None] = (None, None),
    pictures: int = 1,
    **given,
) -> Result:
    """An experiment with a reading for each of the samples; given: other fields of `Experiment`."""
    of = zip(NAMES, samples, fits)
    readings = tuple(
        Reading(
            lambda trial, one=one: Measurement(one),
            f"Calibrated as the {name.lower()}.",
            name.lower() if len(samples) > 1 else "",
            name,
            fit,
        )
        for name, one, fit in of
    )
    experiment = Experiment(
        "key", "Title", "Fig. 1", "Set.", "Notice.", lambda: (), readings, tuple(claims), **given
    )
    judged = tuple(
        ReadingResult(one, (BARS,) * pictures, notes or {}, judge_claims(experiment, reading, one))
        for reading, one in zip(readings, samples)
    )
    return Result(experiment, judged)
