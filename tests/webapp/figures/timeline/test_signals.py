"""Strips of signals: one a name, step lines that hold what was measured, and no colour that would mean a
phase.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tests.webapp.svg_reading import classes, level_at, points, read
from webapp.figures.timeline.signals import MAX_SERIES, STRIP_PX, SignalStrip
from webapp.figures.timeline.signals import draw_strip as strip_drawn
from webapp.figures.timeline.time_scale import TimeScale

ASSETS = Path(__file__).resolve().parents[4] / "assets"
WHOLE = TimeScale((0, 100_000), (0, 100_000), 1000)


class Made(NamedTuple):
    """A signal as engine's signals gives it."""

    name: str
    title: str
    unit: str
    about: str
    part: str
    at_ms: np.ndarray
    values: np.ndarray
    series: str


def made(
    name: str, values: list[float], series: str = "", unit: str = "", at: list[int] | None = None
) -> Made:
    """Every 10 s a value, unless at says when, in ms."""
    times = np.array(at if at is not None else range(0, 10_000 * len(values), 10_000), np.int64)
    return Made(
        name, name.capitalize(), unit, f"What {name} is.", "order", times, np.array(values, float), series
    )


def drawn(signals: list[Made], place: TimeScale = WHOLE, highlight: str | None = None) -> dict:
    """The only strip of these signals."""
    (strip,) = SignalStrip.of(signals)
    return strip_drawn(strip, place, highlight)


def lines(found: dict) -> dict[str, list[list[tuple[float, float]]]]:
    """By their class, the corners of each unbroken piece of a series."""
    paths = {path.get("class"): path.get("d") for path in read(found["svg"]).iter("path")}
    return {kind: [points(f"M{piece}") for piece in d.split("M")[1:]] for kind, d in paths.items()}


def value(found: dict, y: float) -> float:
    """What a height says, by the strip's ticks."""
    (low, least), (high, most) = [
        (at, float(words.replace(",", "").replace("−", "-"))) for at, words in found["ticks"]
    ]
    return least + (y - low) / (high - low) * (most - least)


def test_signals_of_one_name_share_a_strip_titled_with_its_unit() -> None:
    signals = [
        made("release", [1, 2], "observed", "containers/s"),
        made("entropy", [3, 4]),
        made("release", [2, 3], "estimated", "containers/s"),
    ]
    one, other = (strip_drawn(strip, WHOLE) for strip in SignalStrip.of(signals))
    assert (one["title"], one["about"], one["series"]) == (
        "Release (containers/s)",
        "What release is.",
        ["observed", "estimated"],
    )
    assert (other["title"], other["series"]) == ("Entropy", [])  # one series needs no name
    assert (len(lines(one)), len(lines(other))) == (2, 1)


def test_a_value_holds_until_the_next_and_the_last_to_the_end() -> None:
    result = drawn([made("entropy", [5, 7, 6], at=[2000, 10_000, 50_000])])
    ((line,),) = lines(result).values()
    assert (line[0][0], line[-1][0]) == (20, 1000)
    for second, level in ((2, 5), (9.9, 5), (10, 7), (49.9, 7), (50, 6), (99, 6)):
        assert value(result, level_at(line, 10 * second)) == pytest.approx(level, abs=0.02)


def test_a_line_is_broken_where_its_value_is_unknown() -> None:
    result = drawn([made("entropy", [1, float("nan"), 3, 3], at=[0, 20_000, 60_000, 80_000])])
    ((first, second),) = lines(result).values()
    assert [(piece[0][0], piece[-1][0]) for piece in (first, second)] == [(0, 200), (600, 1000)]


def test_series_are_told_apart_by_their_place_and_no_colour_means_a_phase() -> None:
    result = drawn([made("score", [1, 2], f"job{number}") for number in range(4)])
    assert list(lines(result)) == [f"signal d-{number}" for number in range(4)]
    assert classes(result["svg"]) == {"signal", "d-0", "d-1", "d-2", "d-3"}


def test_every_series_has_a_rule() -> None:
    rules = "".join(path.read_text("utf-8") for path in ASSETS.glob("*.css"))
    for number in range(1, MAX_SERIES):  # the first is a line without dashes
        assert f".d-{number}" in rules
    assert ".signal" in rules


def test_of_many_series_some_are_drawn_with_the_highlighted_job_among_them() -> None:
    signals = [made("score", [1, 2], f"job{number}") for number in range(20)]
    assert drawn(signals)["series"] == [f"job{number}" for number in range(MAX_SERIES)]
    result = drawn(signals, highlight="job17")
    assert result["series"][:2] == ["job17", "job0"]
    assert result["title"] == f"Score, {MAX_SERIES} of 20"


@pytest.mark.parametrize(
    ("values", "unit", "texts", "title"),
    [
        ([301.03, 150, 0], "", ["0", "301"], "Reserve"),
        ([1024, 16_384], "MB", ["0", "16"], "Reserve (GB)"),
        ([512, 1024], "MB", ["0", "1,024"], "Reserve (MB)"),
        ([0, 20_000], "ms", ["0", "20"], "Reserve (s)"),
        ([0, 0.5], "share", ["0", "50"], "Reserve (%)"),
        ([-2, 2], "", ["−2", "2"], "Reserve"),
        ([7, 7], "", ["6", "8"], "Reserve"),
        ([float("nan"), float("nan")], "", ["0", "1"], "Reserve"),
    ],
)
def test_the_axis_spans_what_was_measured(
    values: list[float], unit: str, texts: list[str], title: str
) -> None:
    result = drawn([made("reserve", values, unit=unit)])
    assert [words for _, words in result["ticks"]] == texts
    assert result["title"] == title
    (low, high) = (at for at, _ in result["ticks"])
    assert 0 < high < low < STRIP_PX


def test_a_long_signal_is_thinned_and_keeps_its_extremes_and_its_axis() -> None:
    random = np.random.default_rng(1).normal(size=50_000)
    many = [made("entropy", random.tolist(), at=list(range(0, 100_000, 2)))]
    half = drawn(many, TimeScale((0, 50_000), (0, 50_000), 500))
    ((line,),) = lines(half).values()
    assert len(line) <= 2 * 4 * 500
    heights = [y for _, y in line]
    assert value(half, max(heights)) == pytest.approx(random[:25_001].min(), abs=0.02)
    assert value(half, min(heights)) == pytest.approx(random[:25_001].max(), abs=0.02)
    assert half["ticks"] == drawn(many)["ticks"]


def test_before_its_first_value_nothing_is_drawn() -> None:
    at = list(range(60_000, 100_000))
    assert (
        lines(drawn([made("entropy", [1.0] * len(at), at=at)], TimeScale((0, 50_000), (0, 50_000), 500)))
        == {}
    )
