"""An animation: what has not happened yet is not on it, what is drawn keeps its colour, and it is small."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageSequence

from webapp import theme
from webapp.figures.animation import COLOURS, FRAME_MS, FRAMES, LAST_MS, LINE_PX, animation
from webapp.figures.slide import CLOCK_PX, FOOT_PX, HEIGHT, WIDTH

BOXES = [(100, 100, 400, 200), (700, 100, 400, 200)]
MAP = theme.rgb(theme.PHASES_BY_KEY["map"].light)
PAPER, INK = (theme.rgb(colour) for colour in (theme.LIGHT.paper, theme.LIGHT.ink))
MAX_BYTES = 400_000


def slides(dark: bool = False) -> tuple[Image.Image, Image.Image]:
    """Two charts that are full of maps, and the same without."""
    empty = Image.new("RGB", (WIDTH, HEIGHT), theme.look(dark).paper)
    full = empty.copy()
    for left, top, width, height in BOXES:
        full.paste(MAP, (left, top, left + width, top + height))
    return full, empty


def frames(made: bytes) -> list[np.ndarray]:
    """uint8[frames][height, width, 3], as a viewer shows them."""
    image = Image.open(io.BytesIO(made))
    assert (image.format, image.size, image.info["loop"]) == ("GIF", (WIDTH, HEIGHT), 0)
    return [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(image)]


def test_only_what_has_started_is_drawn_up_to_a_line_for_now() -> None:
    # From 0:10 to 0:50 of 0:00 to 1:40: from 40 to 200 of 400 px.
    full, empty = slides()
    shown = frames(animation(full, empty, BOXES, (0, 100_000), (10_000, 50_000), False))
    assert len(shown) == FRAMES
    for number, frame in enumerate(shown):
        passed = round(400 * (10_000 + round(40_000 * number / (FRAMES - 1))) / 100_000)
        for left, top, width, height in BOXES:
            line = frame[top : top + height, left : left + width]
            assert (line[:, :passed] == MAP).all()
            assert (line[:, passed : passed + LINE_PX] == INK).all()
            assert (line[:, passed + LINE_PX :] == PAPER).all()
    outside = np.ones((HEIGHT, WIDTH), bool)
    outside[100:300] = outside[-FOOT_PX:, -CLOCK_PX:] = False
    assert all((frame[outside] == PAPER).all() for frame in shown)


@pytest.mark.parametrize("dark", [False, True])
def test_the_time_is_told_in_each_frame(dark: bool) -> None:
    shown = frames(animation(*slides(dark), BOXES, (0, 1000), (0, 1000), dark))
    clocks = {frame[-FOOT_PX:, -CLOCK_PX:].tobytes() for frame in shown}
    assert len(clocks) == FRAMES
    ink = theme.rgb(theme.look(dark).ink)
    assert all((frame[-FOOT_PX:, -CLOCK_PX:] == ink).all(axis=2).any() for frame in shown)


def test_it_stands_at_its_end_and_begins_again() -> None:
    made = animation(*slides(), BOXES, (0, 1000), (0, 1000), False)
    image = Image.open(io.BytesIO(made))
    shown_ms = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]
    assert shown_ms == [FRAME_MS] * (FRAMES - 1) + [LAST_MS]


def test_it_is_of_bounded_size_whatever_is_drawn() -> None:
    made = animation(*slides(), BOXES, (0, 1000), (0, 1000), False)
    assert len(made) < MAX_BYTES
    noise = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    whole = [(0, 0, WIDTH, HEIGHT)]
    made = animation(Image.fromarray(noise), slides()[1], whole, (0, 1000), (0, 1000), False)
    assert len(made) < 3 * WIDTH * HEIGHT
    assert len(frames(made)) == FRAMES


def test_the_most_frequent_colours_stay_as_they_are() -> None:
    full, empty = slides()
    for number in range(2 * COLOURS):  # shades, of a pixel each
        full.putpixel((100 + number % 400, 100 + number // 400), (number % 256, 7, 7))
    last = frames(animation(full, empty, BOXES, (0, 1000), (0, 1000), False))[-1]
    assert (last[110:300, 100:500] == MAP).all()


def test_frames_that_are_alike_are_told_all_the_same() -> None:
    full, empty = slides()
    shown = frames(animation(full, empty, BOXES, (0, 10**9), (5, 9), False))
    assert len(shown) == FRAMES
