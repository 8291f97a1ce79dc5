"""Strips of signals: one a name, step lines that hold what was measured, and no colour that would mean a phase."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from tests.webapp.made import numbers
from webapp import theme
from webapp.figures.timeline.signals import MOST_SERIES, Strip, signals_figure

WHOLE = (0, 100_000)


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


def made(name: str, values: list[float], series: str = "", unit: str = "", at: list[int] | None = None) -> Made:
    """Every 10 s a value, unless at says when, in ms."""
    times = np.array(at if at is not None else range(0, 10_000 * len(values), 10_000), np.int64)
    return Made(name, name.capitalize(), unit, f"What {name} is.", "order", times, np.array(values, float), series)


def drawn(signals: list[Made], **look) -> dict:
    return signals_figure(Strip.of(signals), **{"window": WHOLE, "whole": WHOLE} | look)


def titles(figure: dict) -> list[str]:
    return [one["text"] for one in figure["layout"]["annotations"]]


def test_signals_of_one_name_share_a_strip_titled_with_its_unit() -> None:
    figure = drawn([made("release", [1, 2], "observed", "containers/s"), made("entropy", [3, 4]), made("release", [2, 3], "estimated", "containers/s")])
    assert titles(figure) == ["Release (containers/s)", "Entropy"]
    assert figure["layout"]["annotations"][0]["hovertext"] == "What release is."
    assert [(trace["name"], trace["yaxis"], trace["showlegend"]) for trace in figure["data"]] == [
        ("observed", "y", True),
        ("estimated", "y", True),
        ("", "y2", False),
    ]


def test_a_value_holds_until_the_next_and_the_last_to_the_end() -> None:
    (line,) = drawn([made("entropy", [5, 7, 6], at=[2000, 10_000, 50_000])])["data"]
    x, y = numbers(line["x"]), numbers(line["y"])
    assert (x[0], x[-1]) == (2.0, 100.0)
    for second, level in ((2, 5), (9.9, 5), (10, 7), (49.9, 7), (50, 6), (99, 6)):
        assert y[np.searchsorted(x, second, "right") - 1] == level
    assert line["line"]["shape"] == "hv"


def test_series_are_told_apart_by_dashes_and_greys_only() -> None:
    for dark in (False, True):
        lines = drawn([made("score", [1, 2], f"job{number}") for number in range(4)], dark=dark)["data"]
        assert len({line["line"]["dash"] for line in lines}) == 4
        assert {line["line"]["color"] for line in lines} <= {theme.look(dark).ink, theme.look(dark).muted}


def test_of_many_series_some_are_drawn_with_the_highlighted_job_among_them() -> None:
    signals = [made("score", [1, 2], f"job{number}") for number in range(20)]
    assert [line["name"] for line in drawn(signals)["data"]] == [f"job{number}" for number in range(MOST_SERIES)]
    figure = drawn(signals, highlight="job17")
    assert [line["name"] for line in figure["data"]][:2] == ["job17", "job0"]
    assert titles(figure) == [f"Score, {MOST_SERIES} of 20"]


@pytest.mark.parametrize(
    ("values", "unit", "texts", "title"),
    [
        ([301.03, 150, 0], "", ["0", "150.5", "301"], "Reserve"),
        ([1024, 16_384], "MB", ["0", "8", "16"], "Reserve (GB)"),
        ([512, 1024], "MB", ["0", "512", "1,024"], "Reserve (MB)"),
        ([0, 20_000], "ms", ["0", "10", "20"], "Reserve (s)"),
        ([0, 0.5], "share", ["0", "0.25", "0.5"], "Reserve (share of 1)"),
        ([-2, 2], "", ["−2", "0", "2"], "Reserve"),
        ([7, 7], "", ["6", "7", "8"], "Reserve"),
        ([float("nan"), float("nan")], "", ["0", "0.5", "1"], "Reserve"),
    ],
)
def test_the_axis_spans_what_was_measured(values: list[float], unit: str, texts: list[str], title: str) -> None:
    figure = drawn([made("reserve", values, unit=unit)])
    assert figure["layout"]["yaxis"]["ticktext"] == texts
    assert titles(figure) == [title]


def test_a_short_signal_is_there_whole_at_every_zoom_and_a_long_one_is_thinned() -> None:
    few = drawn([made("entropy", [1, 2, 3])], window=(15_000, 16_000))
    assert few["layout"]["meta"]["complete"]
    assert few["layout"]["xaxis"]["range"] == [15, 16]
    assert numbers(few["data"][0]["x"])[0] == 0
    random = np.random.default_rng(1).normal(size=50_000)
    many = drawn([made("entropy", random.tolist(), at=list(range(0, 100_000, 2)))], window=(0, 50_000), width=500)
    assert not many["layout"]["meta"]["complete"]
    shown = numbers(many["data"][0]["y"])
    assert len(shown) <= 4 * 500
    assert (shown.min(), shown.max()) == (random[:25_001].min(), random[:25_001].max())
    assert many["layout"]["yaxis"] == drawn([made("entropy", random.tolist(), at=list(range(0, 100_000, 2)))], width=500)["layout"]["yaxis"]


def test_before_its_first_value_nothing_is_drawn() -> None:
    at = list(range(60_000, 100_000))
    (line,) = drawn([made("entropy", [1.0] * len(at), at=at)], window=(0, 50_000))["data"]
    assert len(numbers(line["x"])) == 0


def test_names_that_do_not_fit_beside_the_title_stand_over_the_strip() -> None:
    signals = [made("score", [1, 2], f"wordcount{number}") for number in range(4)]
    wide, narrow = (drawn(signals, width=width)["layout"] for width in (900, 320))
    assert wide["legend"]["xanchor"] == "right"
    assert narrow["legend"]["xanchor"] == "left"
    assert narrow["height"] > wide["height"]
    assert all(one["bgcolor"].endswith(",0)") for one in (wide["legend"], narrow["legend"]))


def test_names_are_no_markup() -> None:
    figure = drawn([made("score", [1, 2], "<b>a</b>"), made("score", [1, 2], "b")])
    assert figure["data"][0]["name"] == "&lt;b&gt;a&lt;/b&gt;"
