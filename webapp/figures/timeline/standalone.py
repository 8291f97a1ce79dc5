"""A run's chart as one drawing that needs nothing else: for the report, for files, and for pages that show a
small run.
"""

from __future__ import annotations

import base64
from html import escape

from engine import quantities
from engine.dashboard import CapacitySplit
from webapp import theme
from webapp.figures.ticks import time_ticks
from webapp.figures.timeline import style, svg
from webapp.figures.timeline.colouring import BY_PHASE, Colouring
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.run_chart import RunChart, run_chart
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.time_scale import TimeScale

RIGHT_PX, TITLE_PX, GAP_PX, TICKS_PX, LEGEND_PX = 12, 20, 8, 22, 22
# have their phase's colour where colours are stages'
STAGELESS = ("master", "launching", "executor_idle", "slots_free", "held_idle")
TOP_PX = 4  # over the rows where there is no title
RUN = 'data-run=""'  # of what a run drew
TICK_PX = 70  # between two times at least
MARK_MARGIN = 0.02  # of the time before a mark, room after it
ROW_PX, MAX_PX, MIN_PX = 16, 320, 48  # of a row and of all rows together


def with_full_height(row_layout: Rows) -> Rows:
    """The same rows as high as a drawing of its own gives them."""
    return row_layout._replace(px=min(max(row_layout.row_count * ROW_PX, MIN_PX), MAX_PX))


def height_around(strips: dict[str, int]) -> int:
    """px of a drawing without title and legend that are not its rows'."""
    return TOP_PX + sum(GAP_PX + TITLE_PX + height for height in strips.values()) + TICKS_PX


def draw_run(
    scene: Scene,
    split: CapacitySplit | None,
    row_layout: Rows,
    window: tuple[int, int],
    *,
    title: str,
    about: str,
    width: int = 690,
    left: int = 92,
    strips: dict[str, int] | None = None,
    highlight: str | None = None,
    colouring: Colouring = BY_PHASE,
    legend: bool = True,
    dark: bool = False,
    mark: tuple[int, str] | None = None,
) -> str:
    """An SVG element, `width` px wide with its margin of `left` px; its document has style.css() and
    style.hatches(). about: for those who don't see it; mark: a time in ms with what is said at it.
    """
    time_scale = TimeScale(window, window, width - left - RIGHT_PX)
    chart = run_chart(
        scene,
        split,
        row_layout,
        time_scale,
        margin_px=left,
        strips=strips,
        highlight=highlight,
        colouring=colouring,
        dark=dark,
    )
    parts = [svg.text_element(left, 14, title, "title")] if title else []
    top = TITLE_PX if title else TOP_PX
    parts += [
        _translated(0, top, chart.names),
        _translated(left, top, _grid(time_scale, row_layout.px) + _of_run(_clipped(chart, row_layout))),
    ]
    if mark:
        parts.append(_mark(*mark, time_scale, left, svg.LETTER_PX * len(title), top + row_layout.px))
    top += row_layout.px
    for strip, height in chart.strips:
        top += GAP_PX + TITLE_PX
        parts.append(svg.text_element(left, top - 6, strip.title, "title"))
        ticks = "".join(svg.text_element(-6, at + 4, words, "tick") for at, words in strip.ticks)
        parts.append(_translated(left, top, _grid(time_scale, height) + _of_run(strip.parts) + ticks))
        top += height
    parts.append(_translated(left, top, _time_labels(time_scale)))
    top += TICKS_PX
    if legend:
        keys, legend_lines = legend_keys(width - left, colouring, scene.legend, "capacity" in (strips or {}))
        parts.append(_translated(left, top + 4, keys))
        top += LEGEND_PX * legend_lines
    look = f'font-family="{escape(theme.FONT)}" font-size="12"'
    return (
        f'<svg viewBox="0 0 {width} {top:g}" width="{width}" height="{top:g}" role="img" '
        f'aria-label="{escape(about)}" {look}>{"".join(parts)}</svg>'
    )


def svg_document(element: str, dark: bool) -> str:
    """Such an element as a file of its own, on the page's paper, in one of the two schemes."""
    scheme = f"svg{{color-scheme:{'dark' if dark else 'light'};background:{theme.look(dark).paper}}}"
    inner = f"<style>{theme.css()}{style.css()}{scheme}</style>{style.hatches()}"
    head, _, remainder = element.partition(">")
    head = head.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return f"{head}>{inner}{remainder}"


def svg_data_url(element: str, dark: bool) -> str:
    """The same as an address that needs no request."""
    document = svg_document(element, dark).encode()
    return "data:image/svg+xml;base64," + base64.b64encode(document).decode("ascii")


def _of_run(parts: str) -> str:
    """What the run itself drew, so that a picture of what stands around it can leave it out."""
    return f"<g {RUN}>{parts}</g>"


def _translated(x: float, y: float, parts: str) -> str:
    return f'<g transform="translate({x:g} {y:g})">{parts}</g>'


def _clipped(chart: RunChart, row_layout: Rows) -> str:
    """The rows that are drawn, moved to where they are looked at; of those at the edges what is looked at."""
    moved = chart.gantt.replace(
        "<svg ", f'<svg y="{(chart.rows[0] - row_layout.range[0] - 0.5) * row_layout.row_px:.1f}" ', 1
    )
    return svg.svg_element(chart.time_scale.px, row_layout.px, moved)


def _grid(time_scale: TimeScale, height: float) -> str:
    lines = "".join(f"M{x:.1f} 0v{height:g}" for x, _ in _ticks(time_scale))
    return svg.path_element(lines, "gridline") + svg.path_element(f"M0 0v{height:g}h{time_scale.px}", "axis")


def _mark(at_ms: int, words: str, time_scale: TimeScale, left: int, title_px: float, bottom: float) -> str:
    """A line down to `bottom`, and its words beside the title, which is `title_px` wide."""
    x = (at_ms - time_scale.window[0]) * time_scale.scale
    width = svg.LETTER_PX * len(words)
    start = min(max(x - width / 2, title_px + 16), time_scale.width - width)
    line = svg.path_element(f"M{left + x:.1f} {TITLE_PX - 2}V{bottom:g}", "mark")
    return line + svg.text_element(left + max(start, 0), 14, words, "word")


def _ticks(time_scale: TimeScale) -> list[tuple[float, str]]:
    first, last = (ms / 1000 for ms in time_scale.window)
    return [
        ((1000 * second - time_scale.window[0]) * time_scale.scale, words)
        for second, words in time_ticks(first, last, max(time_scale.width // TICK_PX, 2))
    ]


def _time_labels(time_scale: TimeScale) -> str:
    return "".join(svg.text_element(x, 16, words, "time") for x, words in _ticks(time_scale))


def legend_keys(
    max_width: float, colouring: Colouring, present: frozenset[str], has_capacity: bool
) -> tuple[str, int]:
    """SVG of the colours and their names, and how many lines of LEGEND_PX they take. present: as
    Scene.legend; has_capacity: whether it is shown where the capacity goes, where idle room has colours too.
    """
    if colouring.is_by_phase:
        idle = (theme.WASTED, *theme.IDLE_USES)
        phases = [phase for phase in theme.legend(present) if has_capacity or phase not in idle]
        keys = [(f"p-{phase.key}", phase.title) for phase in phases]
    else:
        keys = [(f"g-{place}", name) for place, name in enumerate(colouring.names)]
        if colouring.others:
            keys.append((f"g-{len(theme.GROUPS)}", quantities.count(colouring.others, "others")))
        if colouring.stage_colour is not None:
            stageless = [phase for phase in theme.legend(present, theme.PHASES) if phase.key in STAGELESS]
            keys += [(f"p-{phase.key}", phase.title) for phase in stageless]
    parts, x, line = [], 0.0, 0
    for kind, words in keys:
        width = 32 + svg.LETTER_PX * len(words)
        if x and x + width > max_width:
            x, line = 0.0, line + 1
        top = LEGEND_PX * line
        parts.append(f'<rect x="{x:.1f}" y="{top + 1}" width="12" height="12" class="{kind}"/>')
        parts.append(svg.text_element(x + 17, top + 11, words, "word"))
        x += width
    return "".join(parts), line + 1
