"""The Gantt chart as a picture, pixel by pixel."""

from __future__ import annotations

import base64
import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.codes import KILLED
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import Run
from tests.webapp.figures.timeline.pixels import is_phase, unpacked
from tests.webapp.handmade_runs import run
from tests.webapp.svg_reading import boxes, read
from webapp import theme
from webapp.figures.png import png
from webapp.figures.timeline import gantt
from webapp.figures.timeline.colouring import BY_PHASE, OWNER_COLOURS, Colouring, colouring
from webapp.figures.timeline.raster import SHADES, draw_picture, palette
from webapp.figures.timeline.rows import RowOptions, Rows, rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.slices import visible_slices
from webapp.figures.timeline.time_scale import TimeScale

HIGH = 96  # px of all rows
spans = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 500), st.integers(1, 300)), min_size=1, max_size=15
)


def drawn(
    made: Run,
    window: tuple[int, int],
    width: int,
    highlight: str | None = None,
    of: Rows | None = None,
    colours: Colouring = BY_PHASE,
) -> tuple[np.ndarray, tuple[int, int]]:
    """The picture's colours, uint8[height, width, 4]; the first row it shows and the one after the last."""
    scene = Scene(made)
    source, first, until = draw_picture(
        scene, of or rows([scene])._replace(px=HIGH), window, width, False, highlight, colours
    )
    pixels, shades = unpacked(base64.b64decode(source.removeprefix("data:image/png;base64,")))
    return shades[pixels], (first, until)


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_a_png_holds_its_pixels(height: int, width: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    pixels, colours = (
        random.integers(0, 7, (height, width), np.uint8),
        random.integers(0, 256, (7, 4), np.uint8),
    )
    result = unpacked(png(pixels, colours))
    assert (result[0] == pixels).all()
    assert (result[1] == colours).all()


def test_all_colours_fit_one_byte() -> None:
    colours = (*OWNER_COLOURS, *theme.PHASES)
    assert len(palette(False, colours)) == 1 + 2 * SHADES * (len(colours) + 1) <= 256


def test_a_pixel_has_the_phase_that_covers_most_of_it() -> None:
    # One lane of 1 s on 10 pixels of 100 ms: map to 330, shuffle 330 to 430, reduce to 950; pixel 3 is 30 ms
    # map and 70 ms shuffle, pixel 4 30 ms shuffle.
    made = run(
        [
            {"kind": MAP, "start": 0, "end": 330},
            {"kind": REDUCE, "start": 330, "shuffle_end": 430, "end": 950},
        ]
    )
    pixels, shown = drawn(made, (0, 1000), 10)
    keys = ["map"] * 3 + ["shuffle"] + ["reduce"] * 6
    assert all(is_phase(pixel, key) for pixel, key in zip(pixels[0], keys))
    assert pixels[0, 2, 3] == 255
    assert pixels[0, 9, 3] < 255  # half of it is empty
    assert shown == (0, 1)


def test_waiting_for_maps_is_striped_with_shuffle() -> None:
    made = run(
        [
            {"kind": REDUCE, "start": 0, "shuffle_end": 1_000, "end": 1_001},
            {"kind": MAP, "start": 0, "end": 900},
        ]
    )
    pixels, _ = drawn(made, (0, 800), 16)
    reduce = pixels[0]
    assert [is_phase(pixel, "shuffle") for pixel in reduce[:8]] == [True, False, False, False] * 2
    assert all(is_phase(pixel, "waiting") for pixel in reduce[1:4])


def test_rows_are_parted_by_an_empty_line() -> None:
    pixels, _ = drawn(
        run([{"kind": MAP, "start": 0, "end": 50}, {"kind": MAP, "start": 0, "end": 50}]), (0, 50), 5
    )
    height = len(pixels) // 2
    assert not pixels[height - 1 :: height, :, 3].any()
    assert pixels[: height - 1, :, 3].all()


def test_many_rows_share_a_line_and_are_fainter_where_few_are_busy() -> None:
    containers = [
        {"kind": MAP, "start": 0, "end": 50, "node": node}
        for node in range(1000)
        if node % 10 == 0 or node < 3
    ]
    made = run(containers, nodes=1000)
    of = rows([Scene(made)])._replace(px=400)
    pixels, shown = drawn(made, (0, 50), 4, of=of)
    assert len(pixels) == 334  # three rows a line
    assert shown == (0, 1002)
    assert pixels[0, 0, 3] == 255
    assert 0 < pixels[3, 0, 3] < 255  # one of the rows 9 to 11 is busy
    assert pixels[4, 0, 3] == 0  # none of 12 to 14


def test_a_rare_killed_container_is_never_averaged_away() -> None:
    maps = [{"kind": MAP, "start": 0, "end": 100_000, "node": node} for node in range(1000)]
    made = run(
        [*maps, {"kind": REDUCE, "start": 50_000, "end": 50_001, "node": 500, "outcome": KILLED}], nodes=1000
    )
    pixels, _ = drawn(made, (0, 100_000), 200)
    assert sum(is_phase(pixel, "killed") for pixel in pixels.reshape(-1, 4)) == 1


def test_a_killed_container_is_drawn_whatever_colour_means() -> None:
    made = run(
        [{"kind": MAP, "start": 0, "end": 100}, {"kind": REDUCE, "start": 20, "end": 90, "outcome": KILLED}]
    )
    pixels, _ = drawn(made, (0, 100), 50, colours=colouring(made, "job"))
    assert sum(is_phase(pixel, "killed") for pixel in pixels[-2]) > 10
    assert tuple(pixels[0, 25, :3]) == theme.rgb(theme.group(0, False))


def test_of_very_many_jobs_neighbours_are_told_apart() -> None:
    """A million containers were one wall in one colour."""
    maps = [{"kind": MAP, "start": 10 * job, "end": 10 * job + 10, "job": job} for job in range(40)]
    made = run(maps, jobs=40)
    pixels, _ = drawn(made, (0, 400), 40, colours=colouring(made, "job"))
    line = pixels[0, :, :3]
    assert (line[1:] != line[:-1]).any(axis=1).all()


def test_the_highlighted_job_is_drawn_over_the_others_and_they_are_dimmed() -> None:
    maps = [
        {"kind": MAP, "start": 0, "end": 100, "node": node, "job": int(node == 7)} for node in range(1000)
    ]
    made = run(maps, nodes=1000, jobs=2)
    pixels, _ = drawn(made, (0, 100), 4, highlight="job:j1", of=rows([Scene(made)])._replace(px=400))
    opacity = pixels[:, 0, 3]
    assert opacity[7 // 3] == 255
    assert (np.delete(opacity, [7 // 3, len(opacity) - 1]) < 100).all()


def test_the_picture_covers_just_the_window() -> None:
    made = run(
        [{"kind": MAP, "start": 0, "end": 3_000}, {"kind": MAP, "start": 3_500, "end": 9_000, "job": 1}],
        jobs=2,
    )
    pixels, _ = drawn(made, (2_500, 4_000), 30)  # 50 ms a pixel
    seen = pixels[:, :, 3].any(axis=0)
    assert seen.tolist() == [True] * 10 + [False] * 10 + [True] * 10


def test_a_rare_wait_is_never_averaged_away() -> None:
    # 999 maps keep a pixel line each third busy; one reduce waits 400 of 100,000 ms for them, in a line of 3
    # rows: no pixel is mostly waiting.
    maps = [{"kind": MAP, "start": 0, "end": 50_400, "node": node} for node in range(1000)]
    made = run(
        [*maps, {"kind": REDUCE, "start": 50_000, "shuffle_end": 50_400, "end": 50_401, "node": 500}],
        nodes=1000,
    )
    pixels, _ = drawn(made, (0, 100_000), 200)
    assert sum(is_phase(pixel, "waiting") for pixel in pixels.reshape(-1, 4)) == 1


def test_a_row_of_a_job_is_filled_as_far_as_the_job_holds_of_the_most() -> None:
    # j0 holds 4 vcores from 0 to 100 ms, the most there is; j1 one map, then one reduce, 1 vcore each: a
    # quarter of its row.
    most = [{"kind": MAP, "start": 0, "end": 100} for _ in range(4)]
    made = run(
        [
            *most,
            {"kind": MAP, "start": 0, "end": 50, "job": 1},
            {"kind": REDUCE, "start": 50, "shuffle_end": 50, "end": 100, "job": 1},
        ],
        nodes=2,
        jobs=2,
    )
    pixels, _ = drawn(made, (0, 100), 10, of=rows([Scene(made)], RowOptions("job"))._replace(px=HIGH))
    tall = len(pixels) // 2
    filled = [
        int((pixels[part, column, 3] > 0).sum())
        for part in (slice(0, tall), slice(tall, None))
        for column in (2, 7)
    ]
    assert filled == [tall - 1, tall - 1, round((tall - 1) / 4), round((tall - 1) / 4)]
    assert is_phase(pixels[-1, 2], "map")
    assert is_phase(pixels[-1, 7], "reduce")


def test_only_the_rows_looked_at_are_drawn() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 50, "node": node} for node in range(0, 1000, 2)], nodes=1000)
    scene = Scene(made)
    pixels, shown = drawn(made, (0, 50), 5, of=rows([scene]).zoomed_to((100.5, 104.5))._replace(px=HIGH))
    assert shown == (100, 105)
    tall = len(pixels) // 5
    assert [bool(pixels[tall * place + 1, 0, 3]) for place in range(5)] == [True, False, True, False, True]


@settings(deadline=None)
@given(spans, st.integers(0, 300), st.sampled_from(["phase", "job"]))
def test_the_picture_and_the_bars_agree(found, first: int, by: str) -> None:
    """A pixel within a bar has its colour, one that no bar touches has none."""
    containers = [
        {"kind": MAP, "start": start, "end": start + long, "node": node, "job": node % 2}
        for node, start, long in found
    ]
    made = run(containers, nodes=3, jobs=2)
    window, width, scene = (first, first + 300), 60, Scene(made)
    of = rows([scene])
    of = of._replace(px=12 * of.row_count)
    colours = colouring(made, by) if by != "phase" else BY_PHASE
    pixels, _ = drawn(made, window, width, of=of, colours=colours)
    place = TimeScale(window, window, width)
    every = read(gantt.draw_bars(made, visible_slices(scene, of, scene.within(window)), of, place, colours))
    kinds = (
        {"p-map": theme.rgb(theme.colour("map", False))}
        if by == "phase"
        else {f"g-{place}": theme.rgb(theme.group(place, False)) for place in range(2)}
    )
    for row in range(of.row_count):
        line = pixels[12 * row + 5]
        touched = np.zeros(width, bool)
        for kind, colour in kinds.items():
            for box in boxes(every, kind):
                if round((box.y - 0.8) / 12) == row:
                    left, right = max(box.x - gantt.EDGE - 0.1, 0), box.x + box.wide + gantt.EDGE + 0.1
                    whole = line[math.ceil(box.x + 0.1) : math.floor(box.x + box.wide - 0.1)]
                    assert (whole[:, :3] == colour).all()
                    assert (whole[:, 3] == 255).all()
                    touched[math.floor(left) : math.ceil(right)] = True
        assert not line[~touched, 3].any()
