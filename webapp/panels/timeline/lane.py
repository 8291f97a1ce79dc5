"""A lane: the charts of one scheduler's run as HTML, in which the page's script moves what is painted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webapp.messages import msg
from webapp.report.html import Markup, tag

COVERS = ("future", "span", "crosshair", "cursor", "mark")  # what lies over a chart


def lane(place: int, colour: int, label: str, head: Markup, drawing: dict[str, Any] | None = None) -> Markup:
    """One lane. place: of its run among those shown; colour: of its scheduler; head: what stands over it;
    drawing: of its chart as `viewport.render_view` has it, with px of its room and height, and the style of
    what is moved; None leaves room for it.
    """
    drawing = drawing or {"names": "", "gantt": "", "strips": [], "room": 0, "height": 0, "style": ""}
    names = tag("div", Markup(drawing["names"]), cls="names", style=f"width:{drawing['room']}px")
    rows = tag(
        "div",
        names,
        _plot(Markup(drawing["gantt"]), drawing["style"]),
        cls="rows",
        style=f"height:{drawing['height']}px",
    )
    strips = tag("div", *map(Markup, drawing["strips"]), cls="strips")
    covers = (tag("div", cls=kind, hidden="") for kind in COVERS)
    chart = tag(
        "div",
        tag("div", rows, strips, cls="painted", aria_hidden="true"),
        tag("div", *covers, cls="over"),
        cls="chart",
        tabindex=0,
        role="group",
        aria_labelledby=f"name-{place}",
        aria_describedby=f"story-{place}",
    )
    signals = tag("section", cls="signals", aria_label=msg("panels.lanes.signals_of", scheduler=label))
    return tag(
        "article",
        tag("header", head, cls="lane-head"),
        chart,
        signals,
        cls="lane",
        data_place=place,
        style=f"--own: var(--scheduler-{colour})",
    )


def strip(
    key: str,
    title: str,
    px: int,
    ticks: Sequence[tuple[float, str]],
    svg: str,
    room: float,
    about: str | None = None,
    series: Sequence[str] = (),
) -> Markup:
    """What stands below the rows on their time axis: its ticks, its title with the names of its series, and
    the drawing. px: its height; ticks: px from its top and words; room: px of the margin for them.
    """
    words = (tag("span", text, style=f"top:{min(max(at - 8, -2), px - 12):g}px") for at, text in ticks)
    names = tag("div", *words, cls="names", style=f"width:{room:g}px")
    titles = (tag("span", name, cls=f"series d-{number}") for number, name in enumerate(series))
    head = tag("span", title, *titles, cls="strip-title", title=about)
    return tag(
        "div", names, _plot(Markup(svg), "", head), cls="strip", data_strip=key, style=f"height:{px}px"
    )


def _plot(drawn: Markup, style: str, *over: Markup) -> Markup:
    """Room on the time axis, with the lines of the ruler's ticks behind what is drawn in it."""
    moving = tag("div", drawn, cls="moving", style=style or None)
    return tag("div", tag("div", cls="grid"), moving, *over, cls="plot")
