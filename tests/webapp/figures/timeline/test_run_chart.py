"""The chart of a run: bars while there are few, a picture where there are many, and what is looked at of
it.
"""

from __future__ import annotations

import re

import pytest

from engine import capacity_split
from engine.schedulers.view import MAP
from engine.simulation.run import Run
from tests.webapp.handmade_runs import run
from tests.webapp.svg_reading import boxes, read
from webapp.figures.timeline import run_chart as module
from webapp.figures.timeline.colouring import colouring
from webapp.figures.timeline.rows import RowOptions, rows
from webapp.figures.timeline.run_chart import STRIPS, RunChart, chart_to_json, full_window, run_chart
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.time_scale import TimeScale


def many(count: int, nodes: int = 5) -> Run:
    return run(
        [
            {"kind": MAP, "start": 10 * number, "end": 10 * number + 9, "node": number % nodes}
            for number in range(count)
        ],
        nodes=nodes,
    )


def chart(
    made: Run,
    window: tuple[int, int] | None = None,
    seen: tuple[float, float] | None = None,
    by: str = "lane",
    px: int = 240,
    **look,
) -> RunChart:
    scene = Scene(made)
    every = full_window([made])
    of = rows([scene], RowOptions(by)).zoomed_to(seen)._replace(px=px)
    return run_chart(scene, capacity_split(made), of, TimeScale.of(window or every, every, 600), **look)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """As many bars as are drawn: a number that is quickly made."""
    monkeypatch.setattr(module, "MAX_BARS", 100)
    return 100


@pytest.mark.parametrize("more", [0, 1])
def test_more_slices_than_a_browser_likes_become_a_picture(few: int, more: int) -> None:
    result = chart(many(few + more))
    assert (result.exact, result.slices) == (not more, few + more)
    assert len(list(read(result.gantt).iter("image"))) == more
    assert len(boxes(read(result.gantt), "p-map")) == (0 if more else few)


def test_a_narrow_window_of_a_large_run_is_exact(few: int) -> None:
    result = chart(many(500), (1_000, 1_500))
    assert (result.exact, result.slices) == (True, 50)
    assert len(boxes(read(result.gantt), "p-map")) == 100  # half a window on either side too
    assert result.time_scale.drawn == (750, 1_750)


def test_rows_too_low_for_bars_become_a_picture_until_few_of_them_are_looked_at() -> None:
    assert not chart(many(400, nodes=400)).exact
    result = chart(many(400, nodes=400), seen=(50.0, 150.0))
    assert (result.exact, result.slices, result.rows) == (True, 100, (50, 150))
    assert len(boxes(read(result.gantt), "p-map")) == 100


def test_rows_that_hold_all_of_something_are_a_picture() -> None:
    assert not chart(many(5), by="node").exact
    assert chart(many(5), by="lane").exact


@pytest.mark.parametrize("px", [200, 240, 290])
def test_a_picture_is_as_high_as_its_rows(px: int) -> None:
    result = chart(many(300, nodes=300), px=px)  # two rows a line: 150 lines over all of the height
    (image,) = read(result.gantt).iter("image")
    assert result.rows == (0, 300)
    assert float(image.get("height")) == px
    assert float(image.get("width")) == result.time_scale.px


def test_strips_are_those_that_are_wanted_with_their_heights() -> None:
    made = many(20)
    assert chart(made).strips == ()
    result = chart(made, strips={"capacity": 80, "memory": 30})
    assert [(strip.key, high) for strip, high in result.strips] == [("memory", 30), ("capacity", 80)]
    assert [strip.key for strip, _ in chart(made, strips=dict.fromkeys(STRIPS, 9)).strips] == list(STRIPS)


def test_what_is_not_highlighted_is_dimmed() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 9}, {"kind": MAP, "start": 0, "end": 9, "job": 1}], jobs=2)
    assert 'class="dim"' in chart(made, highlight="job:j1").gantt
    assert 'class="dim"' in chart(made, highlight="phase:map").gantt
    assert chart(made, highlight="job:none").gantt == chart(made).gantt


def test_colour_says_whose_a_bar_is() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 9}, {"kind": MAP, "start": 0, "end": 9, "job": 1}], jobs=2)
    imported = read(chart(made, colouring=colouring(made, "job")).gantt)
    assert [len(boxes(imported, kind)) for kind in ("p-map", "g-0", "g-1")] == [0, 1, 1]


def test_what_the_page_gets() -> None:
    made = many(20)
    window = (20, 100)
    result = chart_to_json(chart(made, window, strips={"vcores": 30}), 92)
    assert result["drawn"] == {"x0": 0, "x1": 140, "y0": 0, "y1": 5}
    assert (result["exact"], result["slices"]) == (True, 8)
    (strip,) = result["strips"]
    assert (strip["key"], strip["px"], strip["title"]) == ("vcores", 30, "Vcores")
    assert [words for _, words in strip["ticks"]] == ["20 vcores", "0"]
    widths = [
        float(re.match(r'<svg width="([\d.]+)"', drawing)[1])
        for drawing in (result["gantt"], strip["svg"], result["names"])
    ]
    assert widths == [1050, 1050, 92]  # 140 of 80 ms that are 600 px
    for drawing in (result["gantt"], strip["svg"], result["names"]):
        read(drawing)


def test_the_whole_is_from_the_first_arrival_to_a_little_after_the_last_end() -> None:
    assert full_window(
        [run([{"kind": MAP, "start": 0, "end": 1_000}]), run([{"kind": MAP, "start": 0, "end": 5_000}])]
    ) == (0, 5_100)
    assert full_window([run([{"kind": MAP, "start": 0, "end": 1}])]) == (0, 2)
