"""The capacity split as a picture: where it changes faster than pixels, one image moves more smoothly under the hand than ten areas."""

from __future__ import annotations

import numpy as np

from engine import PARTS
from webapp import theme
from webapp.figures.png import data_url, png
from webapp.figures.timeline.capacity_areas import KILLABLE, SAME, Levels

TILE_PX = 5  # of the hatches


def pieces(levels: Levels, end: float, per: int, tall: int, dark: bool) -> dict:
    """An entry of layout.images, without its axes: parts stacked from 0 to the axis' end, `tall` lines, a column a point; colours as the areas have them.

    per: how many of the levels' units are one of the axis'.
    """
    top = end * per
    phases = [theme.BY_KEY[SAME.get(part.key, part.key)] for part in PARTS]
    shown = levels.level[:-1].clip(0)
    height = (tall - 1 - np.arange(tall) + 0.5)[:, None] * (top / tall)
    edges = np.cumsum(shown[:, :-1], axis=1)
    pixels = np.zeros((tall, len(shown)), np.uint8)
    for number in reversed(range(len(phases))):
        pixels[(height < edges[:, number]) & (shown[:, number] > 0)] = 1 + 2 * number
    across, down = np.arange(len(shown))[None, :], np.arange(tall)[:, None]
    for number, phase in enumerate(phases):
        if phase.hatch:
            line = (across + down) % TILE_PX == 0 if phase.hatch == "/" else (across % TILE_PX == 0) & (down % TILE_PX == 0)
            pixels[(pixels == 1 + 2 * number) & line] += 1
    under = edges[:, KILLABLE - 1]
    killed = (height >= under) & (height < under + shown[:, -1]) & (((across + down) % TILE_PX == 0) | ((across - down) % TILE_PX == 0))
    pixels[killed] = 1 + 2 * len(phases)
    return {
        "source": data_url(png(pixels, _palette(phases, dark))),
        "x": float(levels.time[0]) / 1000,
        "y": end,
        "sizex": float(levels.time[-1] - levels.time[0]) / 1000,
        "sizey": end,
        "xanchor": "left",
        "yanchor": "top",
        "sizing": "stretch",
        "layer": "above",
    }


def _palette(phases: list[theme.Phase], dark: bool) -> np.ndarray:
    """uint8[colours, 4]: nothing, then each phase and its hatch, then killed."""
    found = [(0, 0, 0, 0)]
    for phase in phases:
        found += [(*theme.rgb(colour), 255) for colour in (phase.colour(dark), theme.hatching(phase.key, dark))]
    return np.array([*found, (*theme.rgb(theme.KILLED.colour(dark)), 255)], np.uint8)
