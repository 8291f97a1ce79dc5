"""A chart that needs nothing else: well-formed, in order on its paper, with colours by class alone."""

from __future__ import annotations

import base64
import re
from xml.etree import ElementTree

import pytest

from engine import capacity_split
from engine.codes import KILLED
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import Run
from tests.phrases import phrase
from tests.webapp.handmade_runs import run
from tests.webapp.svg_reading import boxes, words
from webapp import theme
from webapp.figures.timeline import colouring, standalone, svg
from webapp.figures.timeline.rows import rows
from webapp.figures.timeline.run_chart import full_window
from webapp.figures.timeline.scene import Scene

SVG = "{http://www.w3.org/2000/svg}"
TWO = [{"kind": MAP, "start": 0, "end": 20_000}, {"kind": MAP, "start": 10_000, "end": 15_000}]
EVIL = "</svg><script>alert(1)</script>\"'&"
STRIPS = {"memory": 30, "vcores": 30, "capacity": 60}


def drawing(made: Run, seen: tuple[float, float] | None = None, **look) -> str:
    scene = Scene(made)
    look = {"title": "a title", "about": "what it shows", "strips": STRIPS} | look
    return standalone.draw_run(
        scene,
        capacity_split(made),
        standalone.with_full_height(rows([scene]).zoomed_to(seen)),
        look.pop("window", full_window([made])),
        **look,
    )


def test_a_bar_is_as_long_as_its_container() -> None:
    # The window is 0 to 20,400 ms on 690 - 92 - 12 = 586 px; two lanes of 24 px.
    result = ElementTree.fromstring(drawing(run(TWO)))
    second = 586 / 20.4
    one, other = boxes(result, "p-map")
    assert (one.x, one.wide) == (pytest.approx(0.4), pytest.approx(20 * second - 0.8, abs=0.1))
    assert (other.x, other.wide) == (
        pytest.approx(10 * second + 0.4, abs=0.1),
        pytest.approx(5 * second - 0.8, abs=0.1),
    )
    assert other.y - one.y == 24


def test_all_of_it_lies_on_its_paper_one_under_the_other() -> None:
    result = ElementTree.fromstring(drawing(run(TWO)))
    _, _, wide, high = (float(number) for number in result.get("viewBox").split())
    assert (float(result.get("width")), float(result.get("height"))) == (wide, high)
    tops = [
        float(re.match(r"translate\((\d+) ([\d.]+)\)", group.get("transform"))[2])
        for group in result.findall("g")
    ]
    assert tops == sorted(tops)
    assert tops[-1] < high
    assert words(result, "title") == [
        "a title",
        "Memory (MB)",
        "Vcores",
        phrase("timeline.where_capacity_goes_vcores"),
    ]


def test_all_letters_of_the_legend_lie_in_the_drawing() -> None:
    for width in (300, 690):
        legend = ElementTree.fromstring(drawing(run(TWO), width=width)).findall("g")[-1]
        items = [(float(text.get("x")), float(text.get("y")), text.text) for text in legend.iter("text")]
        assert [text for _, _, text in items] == [phase.title for phase in theme.legend({"map"})]
        assert max(x + svg.LETTER_PX * len(text) for x, _, text in items) < width - 92
        for (x, y, text), (after, below, _) in zip(items, items[1:]):
            assert below > y or x + svg.LETTER_PX * len(text) < after
    assert "Waiting for input" not in drawing(run(TWO), legend=False)


def test_the_legend_names_whose_colours_they_are() -> None:
    made = run([*TWO, {"kind": MAP, "start": 0, "end": 9, "job": 1}], names=["one", "<two>"])
    legend = ElementTree.fromstring(drawing(made, colouring=colouring.colouring(made, "job"))).findall("g")[
        -1
    ]
    assert [text.text for text in legend.iter("text")] == ["one", "<two>"]
    assert [patch.get("class") for patch in legend.iter("rect")] == ["g-0", "g-1"]


@pytest.mark.parametrize("dark", [False, True])
def test_a_document_is_well_formed_and_in_its_scheme(dark: bool) -> None:
    made = run(
        [{"kind": REDUCE, "start": 5, "end": 30, "outcome": KILLED}, {"kind": MAP, "start": 10, "end": 70}],
        names=["<b>&'\""],
    )
    text = standalone.svg_document(drawing(made, title=EVIL, about=EVIL, dark=dark), dark)
    result = ElementTree.fromstring(text)
    assert result.tag == f"{SVG}svg"
    assert not list(result.iter(f"{SVG}script"))
    assert result.get("aria-label") == EVIL
    style = "".join(one.text for one in result.iter(f"{SVG}style"))
    assert f"color-scheme:{'dark' if dark else 'light'}" in style
    assert theme.look(dark).paper in style.split("svg{")[-1]


def test_colours_are_classes_alone() -> None:
    made = run(
        [{"kind": REDUCE, "start": 5, "end": 30, "outcome": KILLED}, {"kind": MAP, "start": 10, "end": 70}]
    )
    for look in ({}, {"highlight": "phase:map"}, {"colouring": colouring.colouring(made, "job")}):
        result = ElementTree.fromstring(standalone.svg_document(drawing(made, **look), False))
        for element in result.iter():
            assert not {"fill", "stroke", "color"} & set(element.attrib)
            assert "fill" not in element.get("style", "")


def test_rows_that_are_partly_looked_at_do_not_run_over_the_title() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 90, "node": node} for node in range(10)], nodes=10)
    result = ElementTree.fromstring(drawing(made, seen=(2.5, 6.5), strips={}))
    clip = next(element for element in result.iter("svg") if element is not result)
    inner = next(element for element in clip.iter("svg") if element is not clip)
    assert (
        float(clip.get("height")) == standalone.with_full_height(rows([Scene(made)]).zoomed_to((2.5, 6.5))).px
    )
    row = float(clip.get("height")) / 4
    assert float(inner.get("y")) == pytest.approx(-row / 2)
    assert len(boxes(inner, "p-map")) == 5


def test_an_address_is_the_document() -> None:
    element = drawing(run(TWO))
    address = standalone.svg_data_url(element, True)
    assert base64.b64decode(
        address.removeprefix("data:image/svg+xml;base64,")
    ).decode() == standalone.svg_document(element, True)


def test_a_drawing_of_its_own_is_no_higher_than_a_page() -> None:
    of = lambda nodes: (
        standalone.with_full_height(rows([Scene(run([{"kind": MAP, "start": 0, "end": 9}], nodes=nodes))])).px
    )
    assert (of(1), of(5), of(1000)) == (standalone.MIN_PX, 5 * standalone.ROW_PX, standalone.MAX_PX)
