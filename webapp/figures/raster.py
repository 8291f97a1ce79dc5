"""The Gantt chart as a picture, for more slices than a browser draws as bars.

Each pixel has the colour of the phase that covers most of it, the fainter the less of it is covered. A killed container is
drawn over all else, so that a rare one is never averaged away; then the highlighted job over the others.
"""

from __future__ import annotations

import numpy as np

from webapp import theme
from webapp.figures.gantt import DIM
from webapp.figures.png import data_url, png
from webapp.figures.rows import Rows
from webapp.figures.slices import Slices

SHADES = 6
FAINTEST = 0.3
GAP_ROW_PX = 4  # rows from this height on are parted by an empty line
STRIPE_PX = 4


def picture(slices: Slices, rows: Rows, window: tuple[int, int], width: int, dark: bool) -> dict:
    """An entry of layout.images: the window, `width` pixels wide, at the rows' height. slices: those the window shows."""
    lines = np.zeros((_lines(rows), width), np.uint8)
    if slices.lit.all():
        _paint(lines, slices, rows, window, SHADES / rows.per_px, False)
    else:
        _paint(lines, slices.take(~slices.lit), rows, window, SHADES / rows.per_px, True)
        _paint(lines, slices.take(slices.lit), rows, window, SHADES, False)
    return {
        "source": data_url(png(_hatched(_tall(lines, rows)), palette(dark))),
        "xref": "x",
        "yref": "y",
        "x": window[0] / 1000,
        "y": -0.5,
        "sizex": (window[1] - window[0]) / 1000,
        "sizey": rows.bottom + 0.5,
        "xanchor": "left",
        "yanchor": "top",
        "sizing": "stretch",
        "layer": "above",
    }


def palette(dark: bool) -> np.ndarray:
    """uint8[colours, 4]: nothing, then each phase and killed in SHADES shades, then the same dimmed."""
    found = [(0, 0, 0, 0)]
    for share in (1.0, DIM):
        for phase in (*theme.PHASES, theme.KILLED):
            found += [(*theme.rgb(phase.colour(dark)), round(255 * share * (FAINTEST + (1 - FAINTEST) * shade / (SHADES - 1)))) for shade in range(SHADES)]
    return np.array(found, np.uint8)


def coverage(line: np.ndarray, start: np.ndarray, end: np.ndarray, lines: int, width: int) -> np.ndarray:
    """float32[lines, width]: how much of each pixel the intervals [start, end) cover, in pixels; those of one line are added up.

    An interval is the difference of two ramps, so four numbers of it are put down and summed up along the line.
    """
    at = np.concatenate([start, end])
    whole = np.minimum(at.astype(np.int64), width)
    part = at - whole
    sign = np.ones(len(at))
    sign[len(start) :] = -1
    place = np.concatenate([line, line]) * (width + 2) + whole
    steps = np.bincount(np.concatenate([place, place + 1]), np.concatenate([sign * (1 - part), sign * part]), lines * (width + 2))
    return np.cumsum(steps.reshape(lines, width + 2)[:, :width], axis=1, dtype=np.float32)


def _paint(lines: np.ndarray, slices: Slices, rows: Rows, window: tuple[int, int], shades: float, dim: bool) -> None:
    """shades: how many a fully covered pixel of one row is worth; the highlighted job is drawn strong wherever it is."""
    height, width = lines.shape
    scale = width / (window[1] - window[0])
    line = slices.row // rows.per_px
    start = np.clip((slices.start - window[0]) * scale, 0, width)
    end = np.clip((slices.end - window[0]) * scale, 0, width)
    most = np.zeros(lines.shape, np.float32)
    covered = np.zeros(lines.shape, np.float32)
    phase = np.zeros(lines.shape, np.uint8)
    for number in range(len(theme.PHASES)):
        mask = slices.phase == number
        if mask.any():
            share = coverage(line[mask], start[mask], end[mask], height, width)
            covered += share
            more = share > most
            phase[more] = number
            np.maximum(most, share, out=most)
    shown = covered > 0.02 * rows.per_px
    shade = np.minimum(covered * shades, SHADES - 1).astype(np.uint8)
    base = 1 + dim * SHADES * (len(theme.PHASES) + 1)
    lines[shown] = (base + phase * SHADES + shade)[shown]
    if slices.killed.any():
        _paint_killed(lines, line[slices.killed], start[slices.killed], end[slices.killed], base)


def _paint_killed(lines: np.ndarray, line: np.ndarray, start: np.ndarray, end: np.ndarray, base: int) -> None:
    """Stripes over what was in vain, at least one pixel of them."""
    height, width = lines.shape
    first = np.minimum(start.astype(np.int64), width - 1)
    until = np.maximum(np.ceil(end).astype(np.int64), first + 1)
    inside = coverage(line, first, until, height, width) > 0.5
    stripe = np.arange(width) % STRIPE_PX < STRIPE_PX // 2
    ends = np.zeros(lines.shape, bool)
    ends[line, until - 1] = True
    lines[(inside & stripe) | ends] = base + len(theme.PHASES) * SHADES + SHADES - 1


def _hatched(pixels: np.ndarray) -> np.ndarray:
    """Waiting for maps with stripes of shuffle, its neighbour in the palette."""
    height, width = pixels.shape
    stripe = (np.arange(width) + np.arange(height)[:, None]) % STRIPE_PX == 0
    for first in (1 + theme.WAITING * SHADES, 1 + (len(theme.PHASES) + 1 + theme.WAITING) * SHADES):
        pixels[stripe & (pixels >= first) & (pixels < first + SHADES)] -= SHADES * (theme.WAITING - theme.SHUFFLE)
    return pixels


def _lines(rows: Rows) -> int:
    return rows.px if rows.per_px > 1 else rows.count


def _tall(lines: np.ndarray, rows: Rows) -> np.ndarray:
    """The lines at the rows' height in pixels."""
    times = int(rows.row_px) if rows.per_px == 1 else 1
    found = np.repeat(lines, times, axis=0)
    if times >= GAP_ROW_PX:
        found[times - 1 :: times] = 0
    return found
