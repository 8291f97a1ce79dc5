"""The frame all charts share: panels one under the other on one time axis, fixed margins, the page's look."""

from __future__ import annotations

from typing import NamedTuple

from webapp import theme
from webapp.figures.ticks import time_ticks

GAP_PX = 30  # between panels, with the title of the lower one
TOP_PX = 30
BOTTOM_PX = 42
NARROW_PX = 480
TICK_PX = 76  # of a time below its axis and the room around it
MAX_TICKS = 7  # of a window; as many again stand ready on either side, for a drag
# finds the nearest point of a curve anywhere in its panel; without a limit plotly.js would find bars that are
# not under the pointer
FAR_PX = 1000


class Panel(NamedTuple):
    """One chart: traces and images without axes, its height in pixels, what is particular about its vertical
    axis, the room (px) below its title.
    """

    title: str
    px: int
    traces: list[dict]
    axis: dict
    over: int = 0
    images: tuple[dict, ...] = ()


def margin(width: int) -> dict[str, int]:
    """Fixed margins, so that charts of one width align; smaller in a narrow chart."""
    narrow = width < NARROW_PX
    return {"l": 62 if narrow else 92, "r": 10 if narrow else 16, "t": TOP_PX, "b": BOTTOM_PX, "pad": 0}


def frame(panels: list[Panel], window: tuple[int, int], sides: dict[str, int], dark: bool) -> dict:
    """A figure dict of the panels, the first on top; the time axis shows the window, given in ms.

    The page has one legend for all charts. A picture that leaves the page needs its own: set
    layout.showlegend, add 60 to height and margin.b.
    """
    look = theme.look(dark)
    height = sum(panel.px + panel.over for panel in panels) + GAP_PX * (len(panels) - 1)
    layout = base(sides, dark) | {"height": height + TOP_PX + BOTTOM_PX, "annotations": [], "images": []}
    layout["legend"] = {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "yref": "container",
        "y": 0,
        "yanchor": "bottom",
        "traceorder": "normal",
    }
    layout["legend"] |= {"font": {"size": 12}, "bgcolor": theme.with_alpha(look.paper, 0)}
    data = []
    above = 0
    for number, panel in enumerate(panels, start=1):
        suffix = "" if number == 1 else str(number)
        title = 1 - above / height
        above += panel.over
        top, bottom = 1 - above / height, 1 - (above + panel.px) / height
        above += panel.px + GAP_PX
        layout[f"yaxis{suffix}"] = (
            plain_axis(look) | {"domain": [max(bottom, 0), top], "fixedrange": True} | panel.axis
        )
        if "minor" in panel.axis:
            layout[f"yaxis{suffix}"]["minor"] = panel.axis["minor"] | {"gridcolor": look.grid, "gridwidth": 1}
        layout["annotations"].append(_title(panel.title, title, look))
        layout["images"] += [image | {"xref": "x", "yref": f"y{suffix}"} for image in panel.images]
        data += [
            {"showlegend": False} | trace | {"xaxis": "x", "yaxis": f"y{suffix}"} for trace in panel.traces
        ]
    first, last = window[0] / 1000, window[1] / 1000
    reached = 2 * first - last, 2 * last - first
    layout["xaxis"] = time_axis("time ({})", reached, 3 * MAX_TICKS * TICK_PX, look) | {
        "anchor": f"y{suffix}",
        "range": [first, last],
        "showgrid": True,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": look.line,
    }
    return {"data": data, "layout": layout}


def base(sides: dict[str, int], dark: bool) -> dict:
    """The layout's part that is the same for all charts."""
    look = theme.look(dark)
    return {
        "autosize": True,
        "margin": sides,
        "paper_bgcolor": look.paper,
        "plot_bgcolor": look.paper,
        "font": {"family": theme.FONT, "size": 12, "color": look.ink},
        "showlegend": False,
        "dragmode": "pan",
        "hovermode": "closest",
        "hoverdistance": FAR_PX,
        "hoverlabel": {
            "align": "left",
            "bgcolor": look.raised,
            "bordercolor": look.line,
            "font": {"family": theme.FONT, "size": 12, "color": look.ink},
        },
        "modebar": {"bgcolor": theme.with_alpha(look.paper, 0), "color": look.muted, "activecolor": look.ink},
        "barmode": "overlay",
    }


def heights(px: int, min_px: int, sides: int) -> dict:
    """The layout's part that says how high a chart is, and how low it may be made; px, least: of the plots;
    sides: of the margins around them.
    """
    return {"height": px + sides, "meta": {"least": min_px + sides}}


def plain_axis(look: theme.Look) -> dict:
    """What all axes have in common; automargin off, or charts of one width would not align."""
    return {
        "automargin": False,
        "zeroline": False,
        "showgrid": False,
        "gridcolor": look.grid,
        "showline": True,
        "linecolor": look.line,
        "tickfont": {"size": 12, "color": look.muted},
    }


def time_axis(title: str, span: tuple[float, float], px: float, look: theme.Look) -> dict:
    """An axis of times in s over the span, which is so many px long, with ticks as on a clock. title: with {}
    for their unit.
    """
    ticks = time_ticks(*span, max(int(px / TICK_PX), 2))
    unit = "h:mm:ss" if any(text.count(":") > 1 for _, text in ticks) else "m:ss"
    at, texts = ([tick[part] for tick in ticks] for part in (0, 1))
    return plain_axis(look) | {
        "range": list(span),
        "tickmode": "array",
        "tickvals": at,
        "ticktext": texts,
        "title": small(title.format(unit), look),
    }


def small(text: str, look: theme.Look) -> dict:
    """The title of an axis."""
    return {"text": text, "standoff": 4, "font": {"size": 12, "color": look.muted}}


def _title(text: str, top: float, look: theme.Look) -> dict:
    return {
        "text": text,
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": top,
        "yref": "paper",
        "yanchor": "bottom",
        "yshift": 4,
        "showarrow": False,
        "font": {"size": 12, "weight": 600, "color": look.ink},
    }
