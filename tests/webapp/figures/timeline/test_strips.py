"""Strips below a Gantt chart: what is in use to the px, and parts of the capacity that add up to it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import capacity_split
from engine.dashboard import PARTS
from engine.schedulers.view import MAP
from tests.phrases import phrase
from tests.webapp.figures.timeline.areas import area
from tests.webapp.figures.timeline.splits import CAPACITY, split
from tests.webapp.handmade_runs import run
from tests.webapp.svg_reading import level_at, points, read
from webapp.figures.timeline import run_chart, strips, usage_curves
from webapp.figures.timeline.capacity_areas import capacity_levels
from webapp.figures.timeline.rows import rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.strips import AREA_PHASES, HEADROOM, capacity_strip, usage_strip
from webapp.figures.timeline.time_scale import TimeScale
from webapp.figures.timeline.usage_curves import ResourceView

HIGH = 106  # px; of a strip of 106 % of the capacity 100 px are the capacity
WIDTH = 600
PLACE = TimeScale((0, 10_000), (0, 10_000), WIDTH)
VCORES = ResourceView("Vcores", "vcores", 1, np.zeros(0), CAPACITY)

spans = st.lists(st.tuples(st.integers(0, 90), st.integers(1, 40)), min_size=1, max_size=20)


def paths(strip: strips.Strip) -> dict[str, str]:
    return {path.get("class"): path.get("d") for path in read(strip.parts).iter("path")}


@settings(deadline=None)
@given(spans)
def test_the_curve_is_as_high_as_what_is_in_use(found: list[tuple[int, int]]) -> None:
    made = run([{"kind": MAP, "start": start, "end": start + long} for start, long in found], nodes=20)
    of, place = usage_curves.vcores_view(made), TimeScale((0, 140), (0, 140), 1400)
    line = points(
        paths(usage_strip("vcores", usage_curves.usage(made, of.size), None, of, place, HIGH))["use-line"]
    )
    for ms in range(140):
        held = sum(start <= ms < start + long for start, long in found)
        assert level_at(line, 10 * ms + 5) == pytest.approx(HIGH - 100 * held / of.capacity, abs=0.1)


def test_the_capacity_has_a_line_and_the_ticks_their_units() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 4_000}], nodes=2)
    of = usage_curves.memory_view(made)
    result = usage_strip("memory", usage_curves.usage(made, of.size), None, of, PLACE, HIGH)
    assert paths(result)["capacity-line"] == f"M0 6.0H{WIDTH}"
    assert result.ticks == ((pytest.approx(6.0), "8 GB"), (HIGH, "0"))
    assert (result.key, result.title) == ("memory", "Memory (GB)")


def test_the_highlighted_part_is_filled_and_all_else_is_a_line() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 9}, {"kind": MAP, "start": 0, "end": 5, "job": 1}], jobs=2)
    scene, place = Scene(made), TimeScale((0, 10), (0, 10), 100)
    chart = run_chart.run_chart(
        scene, capacity_split(made), rows([scene]), place, strips={"vcores": HIGH}, highlight="job:j1"
    )
    result = paths(chart.strips[0][0])
    assert set(result) == {"use-lit", "use-line", "capacity-line"}
    # one of four vcores for half of the 100 px
    assert area(result["use-lit"]) == pytest.approx(50 * 25, rel=0.01)


def test_of_a_long_run_the_highlighted_part_is_the_mean_of_each_pixel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = run([{"kind": MAP, "start": 0, "end": 12}, {"kind": MAP, "start": 0, "end": 6, "job": 1}], jobs=2)
    monkeypatch.setattr(run_chart, "MAX_STEPS", 1)
    scene, place = Scene(made), TimeScale((0, 12), (0, 12), 592)
    chart = run_chart.run_chart(
        scene, capacity_split(made), rows([scene]), place, strips={"vcores": HIGH}, highlight="job:j1"
    )
    assert area(paths(chart.strips[0][0])["use-lit"]) == pytest.approx(592 / 2 * 25, rel=0.01)


@pytest.mark.parametrize("pieces", [50, 5_000])
def test_areas_are_the_parts_and_add_up_to_the_capacity(pieces: int) -> None:
    result = split(pieces)
    strip = capacity_strip(capacity_levels(result, "vcores", (0, 10_000), WIDTH), VCORES, PLACE, HIGH)
    drawn = paths(strip)
    assert set(drawn) == {f"p-{key}" for key in AREA_PHASES}
    assert len(drawn) == len(PARTS)
    # Each covers what lies under it: from the lowest up, every area is larger by its part.
    sizes = [area(drawn[f"p-{key}"]) for key in AREA_PHASES]
    per = 100 / CAPACITY * WIDTH / 10_000  # px² of a vcore for 1 ms
    assert np.diff(sizes, prepend=0) == pytest.approx(
        [total * per for total in result.vcores.totals.values()], abs=0.002 * sizes[-1]
    )
    assert sizes[-1] == pytest.approx(100 * WIDTH, rel=0.002)
    assert [path.get("class") for path in read(strip.parts).iter("path")] == [
        f"p-{key}" for key in reversed(AREA_PHASES)
    ]
    assert strip.title == phrase("timeline.where_capacity_goes_vcores")


def test_what_is_wasted_later_is_crossed_over_the_reduces() -> None:
    result = split(50, killed=True)
    drawn = paths(capacity_strip(capacity_levels(result, "vcores", (0, 10_000), WIDTH), VCORES, PLACE, HIGH))
    hurt = float((result.vcores.wasted * np.diff(result.times)).sum())
    assert area(drawn["p-wasted"]) == pytest.approx(hurt * 100 / CAPACITY * WIDTH / 10_000, rel=0.01)
    assert "p-wasted" not in paths(
        capacity_strip(capacity_levels(split(50), "vcores", (0, 10_000), WIDTH), VCORES, PLACE, HIGH)
    )


def test_nothing_is_drawn_above_the_strip() -> None:
    result = capacity_strip(capacity_levels(split(200), "vcores", (0, 10_000), WIDTH), VCORES, PLACE, HIGH)
    heights = [float(number) for d in paths(result).values() for number in re.findall(r"V([\d.-]+)", d)]
    assert min(heights) >= HIGH * (1 - 1 / HEADROOM) - 0.1
    assert max(heights) <= HIGH
