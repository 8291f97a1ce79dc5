"""The frame all charts share: panels one under the other on one time axis, fixed margins, the page's look."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import quantities
from webapp import theme
from webapp.figures.plotly_arrays import escaped
from webapp.figures.ticks import time_ticks

GAP_PX = 30  # between panels, with the title of the lower one
TOP_PX = 30
BOTTOM_PX = 42
NARROW_PX = 480
TICK_PX = 76  # of a time below its axis and the room around it
MAX_TICKS = 7  # of a window; as many again stand ready on either side, for a drag
CLOCK_CHARACTER_PX = 8  # of a time's
FIXED_GRID = {"showgrid": True, "fixedrange": True}  # of an axis
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
    layout["legend"] = legend_below(look)
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
        layout["annotations"].append(plot_title(panel.title, title, look))
        layout["images"] += [image | {"xref": "x", "yref": f"y{suffix}"} for image in panel.images]
        data += [
            {"showlegend": False} | trace | {"xaxis": "x", "yaxis": f"y{suffix}"} for trace in panel.traces
        ]
    first, last = window[0] / 1000, window[1] / 1000
    reached = 2 * first - last, 2 * last - first
    layout["xaxis"] = time_axis("time ({})", reached, 3 * MAX_TICKS * TICK_PX, look) | outer_ticks(look)
    layout["xaxis"] |= {"anchor": f"y{suffix}", "range": [first, last], "showgrid": True}
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


def chart(data: list[dict], layout: dict, sides: dict[str, Any], px: int, min_px: int, dark: bool) -> dict:
    """A figure dict of one plot. layout: what is particular about it; px, min_px: how high the plot is, and
    how low it may be made.
    """
    around = sides["t"] + sides["b"]
    size = {"height": px + around, "meta": {"least": min_px + around}}
    return {"data": data, "layout": base(sides, dark) | size | layout}


def margins(left: int, top: int, right: int = 16) -> dict[str, int]:
    """Those of a chart with a horizontal axis of numbers below its plot."""
    return {"l": left, "r": right, "t": top, "b": BOTTOM_PX, "pad": 0}


def clock_px(axis: dict[str, Any]) -> int:
    """What a vertical axis needs at its left beyond the margin for m:ss, where it has longer times."""
    longest = max(map(len, axis.get("ticktext", ())), default=0)
    return max(longest - len("00:00"), 0) * CLOCK_CHARACTER_PX


def row_margins(width: int, top: int, wide: int = 120) -> dict[str, int]:
    """As `margins`, with room for the names of rows; wide: left, where the chart is not narrow."""
    return margins(84 if width < NARROW_PX else wide, top)


def plot_width(width: int, sides: dict[str, Any]) -> int:
    """What the margins leave of it."""
    return max(width - sides["l"] - sides["r"], 1)


def legend_above(look: theme.Look, **more: Any) -> dict:
    """A legend at the upper edge of the picture: on top of the plot plotly would leave it behind where a
    change of width, and with it of the legend's lines, moves the plot.
    """
    return _legend(look) | {"yref": "container", "y": 1, "yanchor": "top"} | more


def legend_below(look: theme.Look) -> dict:
    """Shown in a picture that leaves the page only."""
    return _legend(look) | {"yref": "container", "y": 0, "traceorder": "normal"}


def _legend(look: theme.Look) -> dict:
    place = {"orientation": "h", "x": 0, "xanchor": "left", "yanchor": "bottom"}
    return place | {"font": {"size": 12}, "bgcolor": theme.with_alpha(look.paper, 0)}


def still(legend: dict) -> dict:
    """The layout's part of a chart that shows this legend and is not dragged."""
    return {"showlegend": True, "legend": legend, "dragmode": False}


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


def number_axis(title: str, span: tuple[float, float], look: theme.Look, **more: Any) -> dict:
    """An axis of numbers over the span; more: what else is particular about it."""
    about = {"title": small(title, look), "range": list(span), "separatethousands": True}
    return plain_axis(look) | about | more


def measure_axis(
    title: str, unit: str, span: tuple[float, float], px: float, look: theme.Look, **more: Any
) -> dict:
    """An axis of a measure over the span, already in the unit that is shown, which is so many px long: as on
    a clock for s. unit: as in quantities.amount; more: as in number_axis, but for a clock.
    """
    if unit == "s":
        return time_axis(f"{escaped(title)} ({{}})", span, px, look)
    shown = quantities.title_with_unit(title, quantities.display_unit(unit)[1])
    return number_axis(escaped(shown), span, look, **more)


def row_axis(texts: list[str], look: theme.Look, **more: Any) -> dict:
    """An axis of rows from the top, named by these texts; more: what differs where not every row has one."""
    count = len(texts)
    rows = {"range": [count - 0.5, -0.5], "tickvals": list(range(count)), "ticktext": texts}
    return plain_axis(look) | {"tickmode": "array", "fixedrange": True} | rows | more


def zero_line(look: theme.Look) -> dict:
    """The part of an axis on which zero stands out, of what is less and what is more."""
    return FIXED_GRID | {"zeroline": True, "zerolinecolor": look.ink}


def outer_ticks(look: theme.Look) -> dict:
    """The part of an axis whose ticks are marked outside of the plot."""
    return {"ticks": "outside", "ticklen": 4, "tickcolor": look.line}


def widened(low: float, high: float, share: float) -> tuple[float, float]:
    """The span with so much of itself on either side; of the larger end where it is nothing."""
    margin = share * (high - low) or share * max(abs(high), 1.0)
    return low - margin, high + margin


def small(text: str, look: theme.Look) -> dict:
    """The title of an axis."""
    return {"text": text, "standoff": 4, "font": {"size": 12, "color": look.muted}}


def plot_title(text: str, top: float, look: theme.Look, left: float = 0) -> dict:
    """An annotation above a plot, whose upper left corner is there, in shares of all plots."""
    place = {"x": left, "xref": "paper", "xanchor": "left", "y": top, "yref": "paper", "yanchor": "bottom"}
    font = {"size": 12, "weight": 600, "color": look.ink}
    return place | {"text": text, "yshift": 4, "showarrow": False, "font": font}
