"""A slide: the charts as they are looked at with the answer over them and the legend below, at 16:9, as one
drawing that needs nothing else.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from engine.dashboard import CapacitySplit
from webapp import theme
from webapp.figures.plotly_arrays import shortened
from webapp.figures.timeline import standalone, svg
from webapp.figures.timeline.colouring import Colouring
from webapp.figures.timeline.gantt import LABEL_ROW_PX
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene

WIDTH, HEIGHT = 1280, 720
MAX_CHARTS = 12
MARGIN, GAP, LEFT_PX = 20, 14, 92  # around all, between charts, and for the names of rows
HEAD_PX = 22  # over a chart: whose it is and its numbers
MIN_ROWS_PX, MAX_ROW_PX = 60, 44  # of all rows, and of one
LOW_STRIP_PX = 22
NAME_PX, LINE_PX, FOOT_PX = 20, 27, 32  # of the scenario's name, of a line of the answer, and of the legend
CLOCK_PX = 220  # of the foot, for the time of an animation
LETTER = 0.62  # of a letter's height is its width, in a bold face of any system
MAX_LINES = 3


class Panel(NamedTuple):
    """A chart and what stands over it. colour: of its scheduler, as theme.scheduler counts; facts: pairs of a
    title, which may be empty, and a value; split: None where no strip is wanted.
    """

    name: str
    colour: int
    facts: Sequence[tuple[str, str]]
    scene: Scene
    split: CapacitySplit | None
    rows: Rows
    colouring: Colouring


class Slide(NamedTuple):
    """svg: a document of its own, WIDTH x HEIGHT px; boxes: left, top, width and height of each chart's time
    axis, in its px.
    """

    svg: str
    boxes: list[tuple[int, int, int, int]]


def draw_slide(
    panels: Sequence[Panel],
    window: tuple[int, int],
    *,
    name: str,
    sentence: str,
    columns: int,
    strips: dict[str, int],
    highlight: str | None = None,
    dark: bool = False,
) -> Slide:
    """panels: at least one, at most MAX_CHARTS; window: ms; name: the scenario's; sentence: the answer;
    columns: of charts beside each other; strips: as of run_chart, for charts that have room for them.
    """
    parts, top = _title(name, sentence)
    lines = -(-len(panels) // columns)
    width = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) // columns
    layout = _layout(panels, top, lines, strips)
    boxes = []
    for place, panel in enumerate(panels):
        x, y = MARGIN + place % columns * (width + GAP), top + place // columns * (layout.height + GAP)
        drawing = standalone.draw_run(
            panel.scene,
            panel.split,
            panel.rows._replace(px=layout.rows_px),
            window,
            title="",
            about=panel.name,
            width=width,
            left=LEFT_PX,
            strips=layout.strips,
            highlight=highlight,
            colouring=panel.colouring,
            legend=False,
            dark=dark,
        )
        parts += [_head(panel, x, y, width), drawing.replace("<svg ", f'<svg x="{x}" y="{y + HEAD_PX}" ', 1)]
        left, upper = x + LEFT_PX, y + HEAD_PX + standalone.TOP_PX
        axis_px = width - LEFT_PX - standalone.RIGHT_PX
        boxes.append(
            (left, upper, axis_px, layout.height - HEAD_PX - standalone.TOP_PX - standalone.TICKS_PX)
        )
    parts.append(f'<g transform="translate({MARGIN} {HEIGHT - layout.foot + 4})">{layout.keys}</g>')
    look = f'font-family="{escape(theme.FONT)}" font-size="12"'
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    about = escape(f"{name}. {sentence}")
    element = f'<svg {size} role="img" aria-label="{about}" {look}>{"".join(parts)}</svg>'
    return Slide(standalone.svg_document(element, dark), boxes)


class _Layout(NamedTuple):
    """strips: that there is room for; keys: SVG of the legend; px: foot: of the legend, height: of a chart
    with its head, rows_px: of its rows.
    """

    strips: dict[str, int]
    keys: str
    foot: int
    height: int
    rows_px: int


def _layout(panels: Sequence[Panel], top: int, lines: int, strips: dict[str, int]) -> _Layout:
    """With the strips as they are wanted where rows have room for letters in their bars then, else with low
    ones where that helps, and with none where rows would be too low.
    """
    first, last = panels[0].rows.range
    present = frozenset().union(*(panel.scene.legend for panel in panels))
    layouts = []
    for shown in (strips, {key: min(height, LOW_STRIP_PX) for key, height in strips.items()}, {}):
        across = WIDTH - 2 * MARGIN - CLOCK_PX
        keys, key_lines = standalone.legend_keys(across, panels[0].colouring, present, "capacity" in shown)
        foot = FOOT_PX + (key_lines - 1) * standalone.LEGEND_PX
        height = (HEIGHT - top - foot - (lines - 1) * GAP - MARGIN // 2) // lines
        around = HEAD_PX + standalone.height_around(shown)
        rows_px = min(height - around, max(round((last - first) * MAX_ROW_PX), MIN_ROWS_PX))
        layouts.append(_Layout(shown, keys, foot, around + rows_px, rows_px))
    lettered = [one for one in layouts[:2] if one.rows_px >= LABEL_ROW_PX * (last - first)]
    roomy = [one for one in layouts if one.rows_px >= MIN_ROWS_PX]
    return (*lettered, *roomy, layouts[-1])[0]


def _title(name: str, sentence: str) -> tuple[list[str], int]:
    """The scenario's name and the answer in as many lines as it needs, and where what follows begins."""
    across = WIDTH - 2 * MARGIN
    parts, top, letter_px = [], MARGIN, LINE_PX - 7
    if name:
        words = shortened(name, int(across / (LETTER * 14)))
        parts.append(_text(MARGIN, top + 8, words, 14, "slide-name"))
        top += NAME_PX
    for line in textwrap.wrap(
        sentence, int(across / (LETTER * letter_px)), max_lines=MAX_LINES, placeholder=" …"
    ):
        parts.append(_text(MARGIN, top + letter_px, line, letter_px, "title"))
        top += LINE_PX
    return parts, top + 8


def _head(panel: Panel, x: int, y: int, width: int) -> str:
    """Whose chart it is, and as many of its numbers as there is room for, each whole."""
    room = width - 22 - LETTER * 15 * len(panel.name)
    spans = []
    for title, value in panel.facts:
        room -= svg.LETTER_PX * (len(title) + len(value) + 3)
        if room < 0:
            break
        title_span = f'<tspan dx="12" class="slide-name">{escape(title)}</tspan>' if title else ""
        spans.append(f'{title_span}<tspan dx="4" class="title">{escape(value)}</tspan>')
    name = shortened(panel.name, int((width - 22) / (LETTER * 15)))
    fill = f"fill:var(--scheduler-{panel.colour % len(theme.SCHEDULERS)})"
    dot = f'<circle cx="{x + 6}" cy="{y + 10}" r="6" style="{fill}"/>'
    words = f'<tspan class="title" font-size="15">{escape(name)}</tspan>{"".join(spans)}'
    return f'{dot}<text x="{x + 18}" y="{y + 15}">{words}</text>'


def _text(x: float, y: float, words: str, px: int, kind: str) -> str:
    return f'<g font-size="{px}">{svg.text_element(x, y, words, kind)}</g>'
