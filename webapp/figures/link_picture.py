"""The picture that a chat shows of a link: the charts of up to four runs over one time axis, drawn without a
browser.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from webapp import theme
from webapp.figures.letters import font
from webapp.figures.timeline import raster
from webapp.figures.timeline.rows import DEFAULT_OPTIONS, rows
from webapp.figures.timeline.scene import Scene
from webapp.messages import msg

WIDTH, HEIGHT = 1200, 630  # as Open Graph's readers cut it
MAX_CHARTS = 4
MARGIN, GAP = 40, 28
HEAD_PX, NAME_PX = 60, 40  # of the line over all charts, and over each
LARGE, SMALL = 34, 26  # letters, in px
COLOURS = 128
LOOK = theme.look(False)


class Panel(NamedTuple):
    """A run: its name, its makespan in words and in s, None of one that does not end; scene: None where the
    run is not at hand, and a bar as long as its makespan stands for its chart.
    """

    name: str
    words: str
    seconds: float | None
    scene: Scene | None = None


def link_picture(panels: Sequence[Panel], window: tuple[int, int], more: int) -> bytes:
    """A PNG of WIDTH x HEIGHT. panels: at most MAX_CHARTS, all with a scene or none; window: ms that the
    charts show; more: how many runs are left out.
    """
    image = Image.new("RGB", (WIDTH, HEIGHT), LOOK.paper)
    pen = ImageDraw.Draw(image)
    pen.text((MARGIN, MARGIN), "Gantry", LOOK.ink, font(LARGE))
    about = msg("figures.link_picture.one_time_axis")
    if more:
        about = msg("figures.link_picture.and_more", count=more)
    pen.text((WIDTH - MARGIN, MARGIN + 6), about, LOOK.muted, font(SMALL), "ra")
    columns = 1 if len(panels) <= 2 else 2
    lines = -(-len(panels) // columns)
    width = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) // columns
    height = (HEIGHT - 2 * MARGIN - HEAD_PX - (lines - 1) * GAP) // max(lines, 1)
    scenes = [panel.scene for panel in panels if panel.scene]
    layout = rows(scenes, DEFAULT_OPTIONS)._replace(px=height - NAME_PX) if scenes else None
    longest = max((panel.seconds or 0 for panel in panels), default=0) or 1
    for place, panel in enumerate(panels):
        left = MARGIN + place % columns * (width + GAP)
        top = MARGIN + HEAD_PX + place // columns * (height + GAP)
        pen.text((left + width, top), panel.words, LOOK.ink, font(SMALL), "ra")
        room = width - font(SMALL).getlength(panel.words) - GAP
        pen.text((left, top), _fitting(panel.name, room), LOOK.ink, font(SMALL))
        box = (left, top + NAME_PX, left + width, top + height)
        pen.rectangle(box, outline=LOOK.line)
        if panel.scene and layout:
            pixels, _, _ = raster.draw_pixels(panel.scene, layout, window, width)
            palette = raster.palette(False, theme.PHASES[: panel.scene.phase_count])
            chart = Image.fromarray(np.ascontiguousarray(palette[pixels]), "RGBA")
            # rows have whole pixels, which need not fill the box
            chart = chart.resize((width, height - NAME_PX), Image.Resampling.BOX)
            image.paste(chart, box[:2], chart)
        elif panel.seconds:
            end = left + round(width * panel.seconds / longest)
            pen.rectangle((*box[:2], end, box[3]), theme.scheduler(place, False))
    file = io.BytesIO()
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _fitting(name: str, room: float) -> str:
    """The name, cut where it is wider than the room."""
    if font(SMALL).getlength(name) <= room:
        return name
    while name and font(SMALL).getlength(f"{name}...") > room:
        name = name[:-1]
    return f"{name}..."
