"""A run's chart as one drawing that needs nothing else: for the report, for files, and for pages that show a small run."""

from __future__ import annotations

import base64
from html import escape

from engine import CapacitySplit
from webapp import theme
from webapp.figures.timeline import style, svg
from webapp.figures.timeline.colouring import PHASE, Colouring
from webapp.figures.timeline.place import Place
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.run_chart import RunChart, run_chart
from webapp.figures.timeline.scene import Scene

RIGHT_PX, TITLE_PX, GAP_PX, TICKS_PX, LEGEND_PX = 12, 20, 8, 22, 22
TICK_PX = 70  # between two times at least
ROW_PX, MOST_PX, LEAST_PX = 16, 320, 48  # of a row and of all rows together


def tall(of: Rows) -> Rows:
    """The same rows as high as a drawing of its own gives them."""
    return of._replace(px=min(max(of.count * ROW_PX, LEAST_PX), MOST_PX))


def drawing(
    scene: Scene,
    split: CapacitySplit | None,
    of: Rows,
    window: tuple[int, int],
    *,
    title: str,
    about: str,
    width: int = 690,
    left: int = 92,
    strips: dict[str, int] | None = None,
    highlight: str | None = None,
    colouring: Colouring = PHASE,
    legend: bool = True,
    dark: bool = False,
) -> str:
    """An SVG element, `width` px wide with its margin of `left` px; its document has style.css() and style.hatches(). about: for those who don't see it."""
    place = Place(window, window, width - left - RIGHT_PX)
    chart = run_chart(scene, split, of, place, room=left, strips=strips, highlight=highlight, colouring=colouring, dark=dark)
    found = [svg.text(left, 14, title, "title")] if title else []
    top = TITLE_PX if title else 4
    found += [_at(0, top, chart.names), _at(left, top, _grid(place, of.px) + _clipped(chart, of))]
    top += of.px
    for strip, high in chart.strips:
        top += GAP_PX + TITLE_PX
        found.append(svg.text(left, top - 6, strip.title, "title"))
        ticks = "".join(svg.text(-6, at + 4, words, "tick") for at, words in strip.ticks)
        found.append(_at(left, top, _grid(place, high) + strip.parts + ticks))
        top += high
    found.append(_at(left, top, _times(place)))
    top += TICKS_PX
    if legend:
        keys, more = _legend(width - left, colouring, scene)
        found.append(_at(left, top + 4, keys))
        top += LEGEND_PX * more
    look = f'font-family="{escape(theme.FONT)}" font-size="12"'
    return f'<svg viewBox="0 0 {width} {top:g}" width="{width}" height="{top:g}" role="img" aria-label="{escape(about)}" {look}>{"".join(found)}</svg>'


def document(element: str, dark: bool) -> str:
    """Such an element as a file of its own, on the page's paper, in one of the two schemes."""
    scheme = f"svg{{color-scheme:{'dark' if dark else 'light'};background:{theme.look(dark).paper}}}"
    inner = f"<style>{theme.css()}{style.css()}{scheme}</style>{style.hatches()}"
    head, _, rest = element.partition(">")
    return f"{head.replace('<svg ', '<svg xmlns={0}http://www.w3.org/2000/svg{0} '.format(chr(34)), 1)}>{inner}{rest}"


def address(element: str, dark: bool) -> str:
    """The same as an address that needs no request."""
    return "data:image/svg+xml;base64," + base64.b64encode(document(element, dark).encode()).decode("ascii")


def _at(x: float, y: float, parts: str) -> str:
    return f'<g transform="translate({x:g} {y:g})">{parts}</g>'


def _clipped(chart: RunChart, of: Rows) -> str:
    """The rows that are drawn, moved to where they are looked at; of those at the edges what is looked at."""
    moved = chart.gantt.replace("<svg ", f'<svg y="{(chart.rows[0] - of.range[0] - 0.5) * of.row_px:.1f}" ', 1)
    return svg.drawing(chart.place.px, of.px, moved)


def _grid(place: Place, high: float) -> str:
    lines = "".join(f"M{x:.1f} 0v{high:g}" for x, _ in _ticks(place))
    return svg.path(lines, "gridline") + svg.path(f"M0 0v{high:g}h{place.px}", "axis")


def _ticks(place: Place) -> list[tuple[float, str]]:
    first, last = (ms / 1000 for ms in place.window)
    return [((1000 * second - place.window[0]) * place.scale, words) for second, words in theme.ticks(first, last, max(place.width // TICK_PX, 2))]


def _times(place: Place) -> str:
    return "".join(svg.text(x, 16, words, "time") for x, words in _ticks(place))


def _legend(room: float, colouring: Colouring, scene: Scene) -> tuple[str, int]:
    """Colours and their names, and how many lines they take."""
    keys = [(f"p-{phase.key}", phase.title) for phase in theme.legend(scene.legend)]
    if colouring.of is not None:
        keys = [(f"g-{place}", name) for place, name in enumerate(colouring.names)]
        keys += [(f"g-{len(theme.GROUPS)}", theme.count(colouring.others, "others"))] if colouring.others else []
    found, x, line = [], 0.0, 0
    for kind, words in keys:
        wide = 24 + svg.LETTER_PX * len(words)
        if x and x + wide > room:
            x, line = 0.0, line + 1
        found.append(
            f'<rect x="{x:.1f}" y="{LEGEND_PX * line + 1}" width="12" height="12" class="{kind}"/>' + svg.text(x + 17, LEGEND_PX * line + 11, words, "word")
        )
        x += wide
    return "".join(found), line + 1
