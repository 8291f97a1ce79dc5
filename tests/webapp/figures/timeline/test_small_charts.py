"""Two runs as Gantt charts on one time axis."""

from __future__ import annotations

import base64
from xml.etree import ElementTree

import pytest

from engine.dashboard import guide
from engine.simulation.simulate import simulate
from tests.webapp.svg_reading import boxes
from webapp import theme
from webapp.figures import Scene, case_charts, full_window, rows
from webapp.theme import DARK

SVG = "{http://www.w3.org/2000/svg}"


def read(address: str) -> ElementTree.Element:
    text = base64.b64decode(address.removeprefix("data:image/svg+xml;base64,")).decode()
    return ElementTree.fromstring(text.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))


@pytest.mark.parametrize(("width", "left"), [(600, 92), (300, 62)])
def test_both_charts_have_one_axis_the_same_rows_and_every_slice(width: int, left: int) -> None:
    case = guide("haste").wins
    runs = [simulate(case.scenario, name) for name in case.schedulers]
    items = [
        read(address)
        for address in case_charts(
            runs, ["<one>", "other"], ["what one shows", "what other shows"], width=width
        )
    ]
    first, last = full_window(runs)
    count = rows([Scene(run) for run in runs]).row_count
    assert [one.get("aria-label") for one in items] == ["what one shows", "what other shows"]
    assert [
        next(text.text for text in one.iter("text") if text.get("class") == "title") for one in items
    ] == ["<one>", "other"]
    assert len({one.get("height") for one in items}) == 1
    assert (
        len(
            {
                tuple(text.get("x") for text in one.iter("text") if text.get("class") == "time")
                for one in items
            }
        )
        == 1
    )
    for one, run in zip(items, runs):
        drawn = [box for phase in theme.PHASES for box in boxes(one, f"p-{phase.key}")]
        assert len(drawn) == len(Scene(run).container)
        px = (width - left - 12) / (last - first)
        assert max(box.x + box.wide for box in drawn) == pytest.approx((run.until_ms - first) * px, abs=0.6)
        high = max(box.y + box.high for box in drawn)
        assert high < count * max(16, 48 / count)


def test_it_is_in_the_scheme_that_is_asked_for() -> None:
    case = guide("fifo").wins
    runs = [simulate(case.scenario, name) for name in case.schedulers]
    dark, light = (
        read(case_charts(runs, case.schedulers, case.schedulers, dark=dark)[0]).find("style").text
        for dark in (True, False)
    )
    assert f"color-scheme:dark;background:{DARK.paper}" in dark
    assert "color-scheme:light" in light
