"""The drawings of a report, read back."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import capacity_split
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import KILLED, Run
from tests.webapp.made import run
from webapp.figures import Scene, rows, whole
from webapp.report import svg_charts


def svg(made: Run, window: tuple[int, int]) -> str:
    scene = Scene(made)
    return svg_charts.drawing(scene, capacity_split(made), rows([scene]), window, "what it shows")


def drawn(of) -> ElementTree.Element:
    return ElementTree.fromstring(svg(of, whole([of])))


def boxes(path: str) -> list[tuple[float, ...]]:
    """x, y, width and height of each bar of a path."""
    return [tuple(float(number) for number in re.findall(r"[\d.]+", box)[:4]) for box in path.split("z")[:-1]]


def test_a_bar_is_as_long_as_its_container() -> None:
    # The window is 0 to 20,400 ms; 5 s of it are 5 / 20.4 of the plot. Rows of one node: 54 px for two lanes, 27 each.
    found = drawn(run([{"kind": MAP, "start": 0, "end": 20_000}, {"kind": MAP, "start": 10_000, "end": 15_000}]))
    (bars,) = [path.get("d") for path in found.iter("path") if path.get("stroke-width") == ".4"]
    second = svg_charts.PLOT / 20.4
    assert boxes(bars) == [pytest.approx((0, 0, 20 * second, 26), abs=0.06), pytest.approx((10 * second, 27, 5 * second, 26), abs=0.06)]


def test_what_was_killed_is_crossed_out() -> None:
    found = drawn(run([{"kind": REDUCE, "start": 5, "end": 30, "outcome": KILLED}, {"kind": MAP, "start": 10, "end": 70}]))
    fills = [path.get("fill") for path in found.iter("path") if path.get("stroke-width") == ".4"]
    assert fills == [svg_charts.theme.PHASES[svg_charts.theme.MAP_PHASE].light, "url(#waiting)", "url(#killed)"]


def test_every_hatch_that_is_used_is_defined() -> None:
    defined = set(re.findall(r'id="(\w+)"', svg_charts.patterns()))
    used = set(re.findall(r"url\(#(\w+)\)", svg(run([{"kind": MAP, "start": 0, "end": 9}]), (0, 9))))
    assert used <= defined
    assert "waiting" in defined


def test_all_letters_of_the_legend_lie_in_the_drawing() -> None:
    last = re.findall(r'<text x="([\d.]+)"[^>]*>([^<]*)<', "".join(svg_charts._legend()))[-1]
    assert float(last[0]) + svg_charts.LEGEND_LETTER_PX * len(last[1]) < svg_charts.WIDTH


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 5)), min_size=2, max_size=12))
def test_steps_and_areas_trace_the_levels(steps: list[tuple[int, int]]) -> None:
    x = np.cumsum([width for width, _ in steps]).astype(float)
    y = np.array([level for _, level in steps], float)
    corners = points(svg_charts._steps(x, y))
    for place in range(len(x) - 1):
        assert level_at(corners, x[place] + 0.5) == y[place]
    area = points(re.search(r'd="([^"]*)z"', svg_charts._area(x, np.zeros(len(x)), y, "red"))[1])
    enclosed = abs(sum(a * d - b * c for (a, b), (c, d) in zip(area, area[1:] + area[:1]))) / 2  # the shoelace formula
    assert enclosed == pytest.approx(float((y[:-1] * np.diff(x)).sum()))


def points(path: str) -> list[tuple[float, float]]:
    """The corners of a path of M, H and V."""
    found: list[tuple[float, float]] = []
    for kind, numbers in re.findall(r"([MHV])([\d. -]+)", path):
        values = [float(number) for number in numbers.split()]
        x, y = found[-1] if found else (0.0, 0.0)
        found.append(tuple(values) if kind == "M" else (values[0], y) if kind == "H" else (x, values[0]))
    return found


def level_at(corners: list[tuple[float, float]], x: float) -> float:
    """The height of the level line over x."""
    return next(b for (a, b), (c, d) in zip(corners, corners[1:]) if a <= x < c and b == d)
