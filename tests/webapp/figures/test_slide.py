"""A slide: everything lies on it, its charts are those of the page, and what it says is whole where there is
room.
"""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from engine import capacity_split, presets, simulate
from tests.phrases import phrase
from tests.webapp.svg_reading import words
from webapp.figures import Scene, full_window, rows
from webapp.figures.slide import HEIGHT, MAX_CHARTS, WIDTH, Panel, Slide, draw_slide
from webapp.figures.timeline import colouring, standalone

SVG = "{http://www.w3.org/2000/svg}"
STRIPS = {"memory": 34, "vcores": 34}
FACTS = [("Makespan", "4:52"), ("", "+7.4 %"), ("Mean turnaround", "2:38")]
SENTENCE = phrase("slides.a_long_answer")


def drawn(count: int = 2, columns: int = 1, name: str = "fair", **more) -> Slide:
    made = simulate(presets()[0].scenario, "fair")
    scene, layout = Scene(made), rows([Scene(made)])
    panel = Panel(name, 1, FACTS, scene, capacity_split(made), layout, colouring.BY_PHASE)
    look = {"name": "Four jobs", "sentence": SENTENCE, "strips": STRIPS} | more
    return draw_slide([panel] * count, full_window([made]), columns=columns, **look)


def plain(slide: Slide) -> ElementTree.Element:
    return ElementTree.fromstring(slide.svg.replace('xmlns="http://www.w3.org/2000/svg" ', "", 1))


@pytest.mark.parametrize(("count", "columns"), [(1, 1), (2, 1), (3, 2), (MAX_CHARTS, 2)])
def test_every_chart_has_its_place_on_the_slide(count: int, columns: int) -> None:
    slide = drawn(count, columns)
    result = plain(slide)
    assert result.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}" and WIDTH * 9 == HEIGHT * 16
    charts = [one for one in result if one.tag == "svg" and one.get("x")]
    assert len(charts) == len(slide.boxes) == count
    for chart, (left, top, width, height) in zip(charts, slide.boxes, strict=True):
        x, y = float(chart.get("x")), float(chart.get("y"))
        assert x < left and left + width <= x + float(chart.get("width"))
        assert y < top and top + height + standalone.TICKS_PX == y + float(chart.get("height"))
    for box, other in zip(slide.boxes, slide.boxes[columns:]):
        assert box[1] + box[3] + standalone.TICKS_PX < other[1]
    assert slide.boxes[-1][1] + slide.boxes[-1][3] + 2 * standalone.TICKS_PX < HEIGHT
    assert len({tuple(box[::2]) for box in slide.boxes}) == min(columns, count)


def test_it_says_what_stands_over_the_charts_of_the_page() -> None:
    result = plain(drawn())
    lines = words(result, "title")
    answer = [line for line in lines if line in SENTENCE]
    assert " ".join(answer) == SENTENCE and len(answer) == 2
    assert words(result, "slide-name") == ["Four jobs"]
    heads = [" ".join(span.text for span in text) for text in result.iter("text") if len(text)]
    assert heads == ["fair Makespan 4:52 +7.4 % Mean turnaround 2:38"] * 2
    assert "Master" in words(result, "word") and phrase("slides.free_but_fragmented") not in words(result)


def test_what_has_no_room_is_left_out_whole_and_a_name_is_cut_last() -> None:
    heads = [text for text in plain(drawn(2, 2, "fair " * 10)).iter("text") if len(text)]
    assert [span.text for span in heads[0]] == ["fair " * 10, "Makespan", "4:52"]
    (name,) = [text for text in plain(drawn(1, 1, "x" * 999)).iter("text") if len(text)][0]
    assert len(name.text) < 150 and "…" in name.text
    result = plain(drawn(sentence="word " * 999))
    assert sum(line.startswith("word") for line in words(result, "title")) == 3


def test_strips_are_lower_and_then_away_where_rows_need_the_room() -> None:
    tall = {"memory": 60, "vcores": 60}
    usual, low = (drawn(1, strips=strips).boxes[0][3] for strips in (STRIPS, tall))
    assert usual == low  # there is room for so many rows with letters in both
    assert "Memory (GB)" in words(plain(drawn(1)), "title")
    assert "Memory (GB)" not in words(plain(drawn(MAX_CHARTS, 2)), "title")


def test_without_what_the_runs_drew_axes_and_names_are_left() -> None:
    result = plain(drawn())
    groups = [one for one in result.iter("g") if one.get("data-run") == ""]
    assert len(groups) == 2 * (1 + len(STRIPS))
    assert any(path.get("class") == "p-map" for group in groups for path in group.iter("path"))
    for group in groups:
        group.clear()
    left = {path.get("class") for path in result.iter("path")}
    assert "gridline" in left and not {"p-map", "use", "use-line"} & left
    assert "worker-1" in words(result, "name")
