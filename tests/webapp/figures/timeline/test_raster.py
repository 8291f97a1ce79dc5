"""The Gantt chart as a picture, pixel by pixel."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import KILLED, Run
from tests.webapp.made import run
from webapp import theme
from webapp.figures.png import png
from webapp.figures.timeline.raster import SHADES, palette, picture
from webapp.figures.timeline.rows import Rows, Wanted, rows
from webapp.figures.timeline.scene import Scene


def unpacked(image: bytes) -> tuple[np.ndarray, np.ndarray]:
    """(pixels, palette) of a palette PNG without filters; checks its signature and check sums."""
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(image):
        (length,) = struct.unpack(">I", image[at : at + 4])
        name, data = image[at + 4 : at + 8], image[at + 8 : at + 8 + length]
        assert struct.unpack(">I", image[at + 8 + length : at + 12 + length])[0] == zlib.crc32(name + data)
        chunks[name] = data
        at += 12 + length
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not lines[:, 0].any()
    colours = np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)
    return lines[:, 1:], np.column_stack([colours, np.frombuffer(chunks[b"tRNS"], np.uint8)])


def drawn(made: Run, window: tuple[int, int], width: int, highlight: str | None = None, of: Rows | None = None) -> tuple[np.ndarray, dict]:
    """The picture's colours, uint8[height, width, 4], and its entry of layout.images."""
    scene = Scene(made)
    image = picture(scene, of or rows([scene]), window, width, False, highlight)
    pixels, colours = unpacked(base64.b64decode(image["source"].removeprefix("data:image/png;base64,")))
    return colours[pixels], image


def is_phase(pixel: np.ndarray, key: str) -> bool:
    return tuple(pixel[:3].tolist()) == theme.rgb(theme.colour(key, False)) and pixel[3] > 0


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_a_png_holds_its_pixels(height: int, width: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    pixels, colours = random.integers(0, 7, (height, width), np.uint8), random.integers(0, 256, (7, 4), np.uint8)
    found = unpacked(png(pixels, colours))
    assert (found[0] == pixels).all()
    assert (found[1] == colours).all()


def test_all_colours_fit_one_byte() -> None:
    assert len(palette(False)) == 1 + 2 * SHADES * (len(theme.PHASES) + 1) <= 256


def test_a_pixel_has_the_phase_that_covers_most_of_it() -> None:
    # One lane of 1 s on 10 pixels of 100 ms: map to 330, shuffle 330 to 430, reduce to 950; pixel 3 is 30 ms map and 70 ms shuffle, pixel 4 30 ms shuffle.
    made = run([{"kind": MAP, "start": 0, "end": 330}, {"kind": REDUCE, "start": 330, "shuffle_end": 430, "end": 950}])
    pixels, image = drawn(made, (0, 1000), 10)
    keys = ["map"] * 3 + ["shuffle"] + ["reduce"] * 6
    assert all(is_phase(pixel, key) for pixel, key in zip(pixels[0], keys))
    assert pixels[0, 2, 3] == 255
    assert pixels[0, 9, 3] < 255  # half of it is empty
    assert (image["x"], image["sizex"], image["y"], image["sizey"]) == (0, 1, -0.5, 1)


def test_waiting_for_maps_is_striped_with_shuffle() -> None:
    made = run([{"kind": REDUCE, "start": 0, "shuffle_end": 1_000, "end": 1_001}, {"kind": MAP, "start": 0, "end": 900}])
    pixels, _ = drawn(made, (0, 800), 16)
    reduce = pixels[0]
    assert [is_phase(pixel, "shuffle") for pixel in reduce[:8]] == [True, False, False, False] * 2
    assert all(is_phase(pixel, "waiting") for pixel in reduce[1:4])


def test_rows_are_parted_by_an_empty_line() -> None:
    pixels, _ = drawn(run([{"kind": MAP, "start": 0, "end": 50}, {"kind": MAP, "start": 0, "end": 50}]), (0, 50), 5)
    height = len(pixels) // 2
    assert not pixels[height - 1 :: height, :, 3].any()
    assert pixels[: height - 1, :, 3].all()


def test_many_rows_share_a_line_and_are_fainter_where_few_are_busy() -> None:
    containers = [{"kind": MAP, "start": 0, "end": 50, "node": node} for node in range(1000) if node % 10 == 0 or node < 3]
    made = run(containers, nodes=1000)
    of = rows([Scene(made)])
    pixels, image = drawn(made, (0, 50), 4, of=of)
    assert of.per_px == 3
    assert len(pixels) == of.px
    assert image["sizey"] == of.px * of.per_px
    assert pixels[0, 0, 3] == 255
    assert 0 < pixels[3, 0, 3] < 255  # one of the rows 9 to 11 is busy
    assert pixels[4, 0, 3] == 0  # none of 12 to 14


def test_a_rare_killed_container_is_never_averaged_away() -> None:
    maps = [{"kind": MAP, "start": 0, "end": 100_000, "node": node} for node in range(1000)]
    made = run([*maps, {"kind": REDUCE, "start": 50_000, "end": 50_001, "node": 500, "outcome": KILLED}], nodes=1000)
    pixels, _ = drawn(made, (0, 100_000), 200)
    assert sum(is_phase(pixel, "killed") for pixel in pixels.reshape(-1, 4)) == 1


def test_the_highlighted_job_is_drawn_over_the_others_and_they_are_dimmed() -> None:
    maps = [{"kind": MAP, "start": 0, "end": 100, "node": node, "job": int(node == 7)} for node in range(1000)]
    pixels, _ = drawn(run(maps, nodes=1000, jobs=2), (0, 100), 4, highlight="job:j1")
    opacity = pixels[:, 0, 3]
    assert opacity[7 // 3] == 255
    assert (np.delete(opacity, [7 // 3, len(opacity) - 1]) < 100).all()


def test_the_picture_covers_just_the_window() -> None:
    _, image = drawn(run([{"kind": MAP, "start": 0, "end": 9_000}]), (2_500, 4_000), 30)
    assert (image["x"], image["sizex"]) == (2.5, 1.5)


def test_a_rare_wait_is_never_averaged_away() -> None:
    # 999 maps keep a pixel line each third busy; one reduce waits 400 of 100,000 ms for them, in a line of 3 rows: no pixel is mostly waiting.
    maps = [{"kind": MAP, "start": 0, "end": 50_400, "node": node} for node in range(1000)]
    made = run([*maps, {"kind": REDUCE, "start": 50_000, "shuffle_end": 50_400, "end": 50_401, "node": 500}], nodes=1000)
    pixels, _ = drawn(made, (0, 100_000), 200)
    assert sum(is_phase(pixel, "waiting") for pixel in pixels.reshape(-1, 4)) == 1


def test_a_row_of_a_job_is_filled_as_far_as_the_job_holds_of_the_most() -> None:
    # j0 holds 4 vcores from 0 to 100 ms, the most there is; j1 one map, then one reduce, 1 vcore each: a quarter of its row.
    most = [{"kind": MAP, "start": 0, "end": 100} for _ in range(4)]
    made = run([*most, {"kind": MAP, "start": 0, "end": 50, "job": 1}, {"kind": REDUCE, "start": 50, "shuffle_end": 50, "end": 100, "job": 1}], nodes=2, jobs=2)
    pixels, _ = drawn(made, (0, 100), 10, of=rows([Scene(made)], Wanted("job")))
    tall = len(pixels) // 2
    filled = [int((pixels[part, column, 3] > 0).sum()) for part in (slice(0, tall), slice(tall, None)) for column in (2, 7)]
    assert filled == [tall - 1, tall - 1, round((tall - 1) / 4), round((tall - 1) / 4)]
    assert is_phase(pixels[-1, 2], "map")
    assert is_phase(pixels[-1, 7], "reduce")


def test_only_the_rows_looked_at_are_drawn() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 50, "node": node} for node in range(0, 1000, 2)], nodes=1000)
    scene = Scene(made)
    pixels, image = drawn(made, (0, 50), 5, of=rows([scene]).looked((100.5, 104.5)))
    assert (image["y"], image["sizey"]) == (99.5, 5)
    tall = len(pixels) // 5
    assert [bool(pixels[tall * place + 1, 0, 3]) for place in range(5)] == [True, False, True, False, True]
