"""The map of a whole run, on which the page marks what is looked at."""

from __future__ import annotations

from webapp.figures.timeline.colouring import BY_PHASE, Colouring
from webapp.figures.timeline.raster import draw_picture
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene

WIDTH_PX, HEIGHT_PX = 900, 24


def minimap(
    scene: Scene,
    row_layout: Rows,
    window: tuple[int, int],
    dark: bool,
    highlight: str | None = None,
    colouring: Colouring = BY_PHASE,
) -> str:
    """The address of a small picture of all rows of a run; window: ms."""
    return draw_picture(
        scene, row_layout.zoomed_to(None)._replace(px=HEIGHT_PX), window, WIDTH_PX, dark, highlight, colouring
    )[0]
