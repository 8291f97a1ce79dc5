"""The capacity split: areas that add up, exact where there is room and true on average where there is not."""

from __future__ import annotations

import numpy as np

from engine.analysis.capacity.split import PARTS, CapacitySplit, ResourceSplit
from engine.schedulers.view import MAP
from tests.webapp.made import numbers, run
from webapp import theme
from webapp.figures import Scene, run_figure
from webapp.figures.timeline.capacity_areas import levels

CAPACITY = 4
MADE = Scene(run([{"kind": MAP, "start": 0, "end": 10_000}]))


def split(pieces: int, seed: int = 1, killed: bool = False) -> CapacitySplit:
    """Parts at random that add up to the capacity, over 10 s."""
    random = np.random.default_rng(seed)
    times = np.sort(np.concatenate([[0, 10_000], random.choice(np.arange(1, 10_000), pieces - 1, replace=False)]))
    vcores = random.multinomial(CAPACITY, np.full(len(PARTS), 1 / len(PARTS)), pieces)
    hurt = vcores[:, 2] if killed else np.zeros(pieces, np.int64)
    return CapacitySplit(times, *(ResourceSplit(size * CAPACITY, size * np.column_stack([vcores, hurt]), np.diff(times)) for size in (1024, 1)))


def stacked(figure: dict) -> list[dict]:
    return [trace for trace in figure["data"] if trace.get("stackgroup")]


def test_every_part_has_a_colour() -> None:
    figure = run_figure(MADE, split(50), window=(0, 10_000))
    assert len(stacked(figure)) == len(PARTS)
    assert len({(area["fillcolor"], area.get("fillpattern", {}).get("shape")) for area in stacked(figure)}) == len(PARTS)


def test_few_pieces_are_exact() -> None:
    found = split(50)
    areas = stacked(run_figure(MADE, found, window=(0, 10_000)))
    for number, area in enumerate(areas):
        assert numbers(area["x"])[:-1].tolist() == (found.times / 1000).tolist()
        assert numbers(area["y"])[:-2].tolist() == found.vcores.parts[:, number].tolist()


def test_many_pieces_are_averaged_and_still_add_up() -> None:
    found = split(5_000)
    of = levels(found, "vcores", (0, 10_000), 222)
    shown = of.level[:-1, :-1]
    assert of.even
    assert len(shown) == 148
    assert np.allclose(shown.sum(axis=1), CAPACITY, atol=1e-5)
    assert np.allclose(shown.mean(axis=0) * 10_000, list(found.vcores.totals.values()), rtol=1e-5)
    assert np.allclose(of.held.level, of.level[:, :5].sum(axis=1))


def test_the_window_cuts_out() -> None:
    found = split(50)
    window = int(found.times[10]), int(found.times[20])
    areas = stacked(run_figure(MADE, found, window=window, all_of=window))
    assert numbers(areas[0]["x"])[[0, -1]].tolist() == [window[0] / 1000, window[1] / 1000]
    assert numbers(areas[1]["y"])[0] == found.vcores.parts[10, 1]


def test_after_the_end_there_is_nothing() -> None:
    for pieces in (50, 5_000):
        of = levels(split(pieces), "vcores", (0, 20_000), 300)
        assert not of.level[of.time > 10_067].any()  # 67 ms: a bin of 1.5 pixels


def test_memory_is_told_in_gigabytes() -> None:
    figure = run_figure(MADE, split(50), resource="memory", window=(0, 10_000))
    assert figure["layout"]["annotations"][-1]["text"] == "Where the capacity goes (MB)"
    assert sum(numbers(area["y"])[1] for area in stacked(figure)) == CAPACITY * 1024


def test_what_was_killed_later_is_hatched_over_the_reduces() -> None:
    found = split(50, killed=True)
    figure = run_figure(MADE, found, window=(0, 10_000))
    (hatched,) = [trace for trace in figure["data"] if trace.get("fill") == "tonexty"]
    assert hatched["fillpattern"]["fgcolor"] == theme.KILLED.light
    under = figure["data"][figure["data"].index(hatched) - 1]
    assert (numbers(hatched["y"]) - numbers(under["y"]))[:-2].tolist() == found.vcores.killed.tolist()
    assert not [trace for trace in run_figure(MADE, split(50), window=(0, 10_000))["data"] if trace.get("fill") == "tonexty"]


def test_the_pointer_reads_all_parts_with_units() -> None:
    found = split(50)
    pointer = run_figure(MADE, found, window=(0, 10_000))["data"][-1]
    lines = pointer["hovertext"][0].split("<br>")
    assert lines[0] == "<b>at 0 s</b>"
    assert len(lines) - 1 == (found.vcores.parts[0] > 0).sum()
    assert all("vcores, " in line and line.endswith(" %") for line in lines[1:])
    assert len(pointer["hovertext"]) == len(numbers(pointer["x"]))


def test_a_picture_that_leaves_the_page_can_have_its_legend() -> None:
    figure = run_figure(MADE, split(50, killed=True), window=(0, 10_000))
    assert figure["layout"]["showlegend"] is False
    assert sorted(trace["name"] for trace in figure["data"] if trace["showlegend"]) == sorted(phase.title for phase in theme.LEGEND)
