"""What is drawn while a number moves against the figures that are drawn at rest: the same bars, levels and parts."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from engine import Run, Scenario, capacity_split, simulate
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import KILLED
from tests.webapp.made import run as made
from webapp import theme
from webapp.figures.timeline import preview, usage_curves
from webapp.figures.timeline.preview import DIM_BIT, FINE, KILLED_BIT, TALL, colours, previews
from webapp.figures.timeline.rows import rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.slices import slices

PLOT = 400


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    task = {"memory_mb": 1024, "vcores": 1}
    job = {"name": "a", "count": 3, "am": task, "maps": {"count": 9, **task, "duration_s": 7}, "reduces": {"count": 2, **task, "duration_s": 5}}
    nodes = [{"name": "n", "count": 3, "memory_mb": 4096, "vcores": 4, "rack": "r1"}, {"name": "m", "count": 1, "memory_mb": 4096, "vcores": 4, "rack": "r2"}]
    scenario = Scenario.of({"version": 1, "cluster": {"nodes": nodes}, "jobs": [job]})
    return [simulate(scenario, name) for name in ("fifo", "fair")]


def drawn(runs: list[Run], **look) -> dict:
    return previews(runs, [capacity_split(run) for run in runs], **{"window": None, "plot": PLOT, "left": 92, "highlight": None, "dark": False} | look)


def held(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<" + kind).astype(float)


def test_bars_are_the_slices_of_the_figure(runs):
    found = drawn(runs)
    low, high = (1000 * second for second in found["window"])
    scenes = [Scene(run) for run in runs]
    of = rows(scenes)
    assert found["rows"]["px"] == of.px
    for scene, chart in zip(scenes, found["charts"]):
        expected, bars = slices(scene, of), chart["gantt"]
        assert np.allclose(low + held(bars["x0"], "u2") / FINE * (high - low), expected.start, atol=(high - low) / FINE)
        assert np.allclose(low + held(bars["x1"], "u2") / FINE * (high - low), expected.end, atol=(high - low) / FINE)
        assert held(bars["row"], "u2").tolist() == expected.row.tolist()
        assert held(bars["kind"], "u1").tolist() == expected.phase.tolist()


def test_a_killed_bar_and_those_of_other_jobs_are_told():
    containers = [
        {"kind": MAP, "start": 0, "end": 100},
        {"kind": REDUCE, "start": 0, "end": 50, "outcome": KILLED, "index": 1},
        {"kind": MAP, "job": 1, "start": 100, "end": 200},
    ]
    run = made(containers, jobs=2)
    kinds = held(drawn([run], highlight="job:j0")["charts"][0]["gantt"]["kind"], "u1").astype(int).tolist()
    assert sorted(kinds) == sorted([theme.MAP_PHASE, theme.MAP_PHASE + DIM_BIT, theme.WAITING_PHASE + KILLED_BIT])


def test_levels_are_those_of_the_curve_in_each_pixel(runs):
    found = drawn(runs)
    window = [round(1000 * second) for second in found["window"]]
    for run, chart in zip(runs, found["charts"]):
        for of, curve in zip((usage_curves.memory(run), usage_curves.vcores(run)), chart["curves"]):
            steps = usage_curves.used(run, of.size)
            top = of.capacity / curve["full"]
            low, high = (held(curve[key], "u1") * top / TALL for key in ("low", "high"))
            for pixel in range(0, PLOT, 7):  # the slow way: every level that is there within the pixel
                begin, end = (window[0] + (window[1] - window[0]) * (pixel + shift) / PLOT for shift in (0, 1))
                first = max(np.searchsorted(steps.time, begin, "right") - 1, 0)
                levels = steps.level[first : max(np.searchsorted(steps.time, end, "left"), first + 1)]
                assert (levels.min(), levels.max()) == pytest.approx((low[pixel], high[pixel]), abs=0.51 * top / TALL)


def test_areas_are_the_parts_and_add_up_to_the_capacity(runs):
    found = drawn(runs)
    for run, chart in zip(runs, found["charts"]):
        areas, of = chart["areas"], capacity_split(run)
        capacity = of.vcores.capacity
        top = 1.06 * capacity
        edges = np.array([held(edge, "u1") for edge in areas["edges"]]) * top / TALL
        assert (np.diff(edges, axis=0) >= -1e-9).all()
        inside = np.arange(PLOT - 1)[(np.arange(PLOT - 1) + 1) / PLOT * found["window"][1] * 1000 <= run.until_ms]
        assert np.allclose(edges[-1][inside], capacity, atol=0.51 * top / TALL)
        # Over the whole run each part has the resource-seconds of the split.
        span = (found["window"][1] - found["window"][0]) * 1000
        parts = np.diff(edges, axis=0, prepend=0).mean(axis=1) * span
        totals = np.array(list(of.vcores.totals.values()))[areas["parts"]]
        assert np.allclose(parts, totals, atol=1.1 * top / TALL * span)


def test_a_window_shows_its_part(runs):
    found = drawn(runs, window=(5_000, 12_000))
    assert found["window"] == [5, 12]
    bars = found["charts"][0]["gantt"]
    assert held(bars["x0"], "u2").min() == 0
    assert held(bars["x1"], "u2").max() <= FINE


def test_many_slices_are_a_picture(runs, monkeypatch):
    monkeypatch.setattr(preview.run_chart, "MOST_BARS", 3)
    assert drawn(runs)["charts"][0]["gantt"]["picture"].startswith("data:image/png;base64,")


def test_rows_have_their_names_and_racks_their_line(runs):
    found = drawn(runs)["rows"]
    assert found["names"] == ["n-1", "n-2", "n-3", "m"]
    lanes = np.max([Scene(run).on_nodes.used for run in runs], axis=0)
    assert found["racks"] == [lanes[:3].sum() - 0.5]


def test_colours_are_those_of_the_phases():
    for dark in (False, True):
        found = colours(dark)
        assert [one["colour"] for one in found["phases"]] == [phase.colour(dark) for phase in theme.PHASES]
        assert found["look"]["paper"] == theme.look(dark).paper
