"""Play as an animated picture (GIF89a): a slide in which nothing is drawn that has not happened yet, with a
line for now and the time.

Each frame holds what changed since the one before it; all else in it is transparent.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import GifImagePlugin, Image, ImageDraw

from engine import quantities
from webapp import theme
from webapp.figures.letters import font
from webapp.figures.slide import CLOCK_PX, FOOT_PX, HEIGHT, MARGIN, WIDTH

FRAMES = 120
FRAME_MS, LAST_MS = 100, 4000  # that a frame is shown, and the last one
COLOURS = 255
LINE_PX = 2
CLOCK_LETTERS, CLOCK_Y = 24, 11  # px: its height, and its middle from the upper edge of the foot
NOTHING = 255  # the colour of what is as it was in the frame before
STEPS_MS = (1, 10, 100, 1000)  # to which times are told: the largest with which no two frames are alike

Box = tuple[int, int, int, int]


def animation(
    full: Image.Image,
    empty: Image.Image,
    boxes: Sequence[Box],
    window: tuple[int, int],
    played: tuple[int, int],
    dark: bool,
) -> bytes:
    """A GIF of WIDTH x HEIGHT that runs FRAMES * FRAME_MS and then stands, again and again. full, empty: RGB,
    the slide, and the same without what the runs drew; boxes: of their time axes, as Slide has them; window:
    ms that these show; played: from when to when it plays, within the window.
    """
    times = np.linspace(*played, FRAMES).round().astype(int).tolist()
    clocks = _clocks(times, theme.look(dark))
    whole = full.copy()
    whole.paste(clocks[-1], (WIDTH - CLOCK_PX, HEIGHT - FOOT_PX))
    colours = _Colours(whole)
    full_pixels, empty_pixels = colours.indices(full), colours.indices(empty)
    ink = colours.indices(Image.new("RGB", (1, 1), theme.look(dark).ink))[0, 0]
    size = colours.image.resize((WIDTH, HEIGHT))
    blocks, before = GifImagePlugin.getheader(size, info={"loop": 0})[0], None
    for ms, clock in zip(times, clocks, strict=True):
        frame = empty_pixels.copy()
        for left, top, width, height in boxes:
            passed = round(width * (ms - window[0]) / (window[1] - window[0]))
            rows, now = slice(top, top + height), left + passed
            frame[rows, left:now] = full_pixels[rows, left:now]
            frame[rows, now : now + LINE_PX] = ink
        frame[-FOOT_PX:, -CLOCK_PX:] = colours.indices(clock)
        blocks += _changed(frame, before, LAST_MS if clock is clocks[-1] else FRAME_MS)
        before = frame
    return b"".join(blocks) + b";"


def _clocks(times: Sequence[int], look: theme.Look) -> list[Image.Image]:
    """Times in words, told as exactly as they differ."""
    apart = (times[-1] - times[0]) / (FRAMES - 1)
    step = max((step for step in STEPS_MS if step <= apart), default=1)
    clocks = []
    for ms in times:
        image = Image.new("RGB", (CLOCK_PX, FOOT_PX), look.paper)
        place = CLOCK_PX - MARGIN, CLOCK_Y
        words = quantities.duration(ms // step * step, exact=True)
        ImageDraw.Draw(image).text(place, words, look.ink, font(CLOCK_LETTERS), "rm", stroke_width=0.4)
        clocks.append(image)
    return clocks


class _Colours:
    """The colours of all frames, COLOURS of them at most: the most frequent of a picture, which stay as they
    are; shades of edges become the nearest of them. image: has them as its palette.
    """

    def __init__(self, picture: Image.Image) -> None:
        counted: list = sorted(picture.getcolors(picture.width * picture.height) or [], reverse=True)
        colours = np.array([colour for _, colour in counted[:COLOURS]])
        self.image = Image.new("P", (1, 1))
        self.image.putpalette(np.resize(colours, (256, 3)).ravel().tolist())
        # Pillow alone finds no more than colours that are near
        self._exact = np.full(1 << 24, NOTHING, np.uint8)
        self._exact[_codes(colours)] = np.arange(len(colours))

    def indices(self, picture: Image.Image) -> np.ndarray:
        """uint8[height, width]: places in the palette, none of them NOTHING."""
        exact = self._exact[_codes(np.asarray(picture))]
        near = np.asarray(picture.quantize(palette=self.image, dither=Image.Dither.NONE))
        return np.where(exact != NOTHING, exact, np.where(near != NOTHING, near, 0)).astype(np.uint8)


def _codes(colours: np.ndarray) -> np.ndarray:
    """int32: red, green and blue of the last axis as one number."""
    return colours.astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)


def _changed(frame: np.ndarray, before: np.ndarray | None, duration: int) -> list[bytes]:
    """The part of a frame in which it differs from the one before."""
    if before is None:
        return GifImagePlugin.getdata(Image.fromarray(frame, "P"), duration=duration)
    differs = frame != before
    rows, columns = (np.flatnonzero(differs.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        rows = columns = np.zeros(1, int)
    part = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    pixels = np.where(differs[part], frame[part], NOTHING).astype(np.uint8)
    offset = int(columns[0]), int(rows[0])
    return GifImagePlugin.getdata(
        Image.fromarray(pixels, "P"), offset, duration=duration, transparency=NOTHING, disposal=1
    )
