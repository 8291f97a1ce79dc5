"""Schedulers beside each other by where the capacity goes: one bar a run, as long as the run; and the same over time, a small chart a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine import PARTS, CapacitySplit, CapacityUse, ResourceSplit, Run, capacity_use, means
from webapp import theme
from webapp.figures.charts.area_traces import areas
from webapp.figures.frame import BOTTOM_PX, TOP_PX, base, heights, margin, plain_axis, small, time_axis
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.timeline.capacity_areas import SAME, levels
from webapp.figures.timeline.usage_curves import Resource, memory, vcores

HELD = ("master", "launching", "map", "fetching", "waiting", "computing")
RESOURCES = ("vcores", "memory")
MOST_PIECES = 2_000  # of a run's split that is kept: more than pixels
BAR_PX = 24
ROW_PX, LEAST_ROW_PX = 54, 36  # of a bar and its name; in a low drawer
LABEL_PX = 30  # a bar narrower than this has no number in it
COLUMN_PX = 330
CELL_PX, LEAST_CELL_PX = 170, 70  # of a small chart; in a low drawer, where all stand in one row
GAP_PX = 26
CHARACTER_PX = 7
MOST_LINES = 40  # of the table, a run


class Account(NamedTuple):
    """A run by where its capacity goes, small whatever its size. uses: by resource; split: thinned to what a chart can show."""

    scheduler: str
    uses: dict[str, CapacityUse]
    resources: dict[str, Resource]
    split: CapacitySplit


def account(run: Run, split: CapacitySplit, name: str = "") -> Account:
    """Of a run and its split, neither of which is kept. name: what it is called, by default its scheduler's name."""
    name = name or run.scheduler
    uses = {resource: capacity_use(name, run.status == "finished", split, resource) for resource in RESOURCES}
    return Account(name, uses, {"vcores": vcores(run), "memory": memory(run)}, thinned(split))


def thinned(split: CapacitySplit, most: int = MOST_PIECES) -> CapacitySplit:
    """The same split in at most so many pieces."""
    return split if len(split.times) - 1 <= most else averaged(split, most)


def averaged(split: CapacitySplit, pieces: int) -> CapacitySplit:
    """The split in so many pieces of equal length, each the mean over its time, so that every part keeps its total; one of no length stays."""
    times = split.times
    if len(times) < 2:
        return split
    edges = np.linspace(times[0], times[-1], pieces + 1)
    lengths = np.diff(edges)

    span = float(times[0]), float(times[-1])
    both = (ResourceSplit(of.capacity, means(times, of.figures, span, pieces), lengths) for of in (split.memory, split.vcores))
    return CapacitySplit(edges, *both)


def spent_figure(uses: Sequence[CapacityUse], *, dark: bool = False, width: int = 700) -> dict:
    """A bar a run, its length the run's, its pieces the parts in seconds of the whole cluster. uses: of one resource."""
    look = theme.look(dark)
    sides = {"l": 14, "r": 24, "t": 8, "b": BOTTOM_PX, "pad": 0}
    longest = max((one.length_ms for one in uses), default=0) / 1000 or 1.0
    px = (width - sides["l"] - sides["r"]) / longest
    rows = typed_array(np.arange(len(uses)), "f4")
    data, chips, before = [], [], np.zeros(len(uses))
    for part in PARTS:
        seconds = np.array([max(one.cluster_ms[part.key], 0) / 1000 for one in uses])
        if not seconds.any():
            continue
        phase = theme.BY_KEY[SAME.get(part.key, part.key)]
        numbers = [theme.percent(round(one.share(part.key), 2)) if px * length >= LABEL_PX else "" for one, length in zip(uses, seconds)]
        if phase.hatch:
            chips += [_chip(text, row, at, phase, dark) for row, (text, at) in enumerate(zip(numbers, (before + seconds / 2).tolist())) if text]
        before = before + seconds
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "x": typed_array(seconds, "f8"),
                "y": rows,
                "width": BAR_PX / ROW_PX,
                "name": phase.title,
                "showlegend": True,
                "marker": _filling(phase, look, dark),
                "text": [""] * len(uses) if phase.hatch else numbers,
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "constraintext": "none",
                "insidetextfont": {"size": 12, "color": theme.text_on(phase.colour(dark))},
                "hovertext": [_hover_text(one, part.title, one.cluster_ms[part.key], one.share(part.key)) for one in uses],
                "hoverinfo": "text",
            }
        )
    room = int((width - sides["l"] - sides["r"]) / CHARACTER_PX)
    layout = base(sides, dark) | {
        **heights(len(uses) * ROW_PX, len(uses) * LEAST_ROW_PX, sides["t"] + sides["b"]),
        "barmode": "stack",
        "legend": _legend(look),
        "annotations": [*(_over(one, row, room, look) for row, one in enumerate(uses)), *chips],
        "xaxis": time_axis("time of the whole cluster ({})", (0, longest), px * longest, look) | {"showgrid": True, "fixedrange": True},
        "yaxis": plain_axis(look) | {"range": [len(uses) - 0.5, -0.5], "showticklabels": False, "showline": False, "fixedrange": True},
    }
    return {"data": data, "layout": layout}


def areas_figure(accounts: Sequence[Account], resource: str, *, dark: bool = False, width: int = 700) -> dict:
    """Where the capacity goes over time: a small chart a run, all on the same axes, in columns where there is room."""
    look = theme.look(dark)
    sides = margin(width)
    room = width - sides["l"] - sides["r"]
    columns = min(max(room // COLUMN_PX, 1), len(accounts))
    rows = -(-len(accounts) // columns)
    plot = (room - GAP_PX * (columns - 1)) / columns
    height = rows * (CELL_PX + TOP_PX) - TOP_PX
    ends = min(one.split.times[0] for one in accounts), max(one.split.times[-1] for one in accounts)
    window = int(ends[0]), max(int(ends[1]), int(ends[0]) + 1)
    layout = base(sides, dark) | {**heights(height, LEAST_CELL_PX if rows == 1 else height, TOP_PX + BOTTOM_PX), "legend": _legend(look), "annotations": []}
    data: list[dict] = []
    named: set[str] = set()
    highest = 0.0
    for number, one in enumerate(accounts):
        row, column = divmod(number, columns)
        suffix = "" if number == 0 else str(number + 1)
        left, top = column * (plot + GAP_PX) / room, 1 - row * (CELL_PX + TOP_PX) / height
        found = levels(one.split, one.resources[resource].unit, window, int(plot))
        traces, axis = areas(found, one.resources[resource], window, int(plot), dark)
        for trace in traces:
            shown = bool(trace.get("showlegend")) and trace["name"] not in named
            named |= {trace["name"]} if shown else set()
            data.append(trace | {"showlegend": shown, "xaxis": f"x{suffix}", "yaxis": f"y{suffix}"})
        highest = max(highest, axis["range"][1])
        bottom = number + columns >= len(accounts)
        layout[f"xaxis{suffix}"] = _time(window, plot, look, bottom) | {"domain": [left, left + plot / room], "anchor": f"y{suffix}"}
        layout[f"yaxis{suffix}"] = plain_axis(look) | axis | {"domain": [max(top - CELL_PX / height, 0), top], "anchor": f"x{suffix}", "fixedrange": True}
        layout[f"yaxis{suffix}"] |= {"showticklabels": column == 0} | ({"title": small(one.resources[resource].unit, look)} if column == 0 else {})
        layout["annotations"].append(_title(escaped(shortened(one.scheduler, int(plot / CHARACTER_PX))), left, top, look))
    for number in range(len(accounts)):
        layout[f"yaxis{number + 1 if number else ''}"]["range"] = [0, highest]
    return {"data": data, "layout": layout}


def parts_table(uses: Sequence[CapacityUse]) -> list[dict]:
    """A row a part: its share of capacity x time, and its seconds of the whole cluster, under each scheduler."""
    titles = [(part.title, lambda one, key=part.key: one.cluster_ms[key]) for part in PARTS]
    titles += [("All of it", lambda one: one.length_ms), ("Of which wasted later: killed, failed or lost", lambda one: one.wasted_ms)]
    found = []
    for title, ms in titles:
        row: dict = {"Use": title}
        for one in uses:
            row[f"{one.scheduler} (%)"] = round(100 * ms(one) / one.length_ms, 2) if one.length_ms else 0.0
            row[f"{one.scheduler} (s)"] = round(ms(one) / 1000, 3)
        found.append(row)
    return found


def areas_table(accounts: Sequence[Account], resource: str) -> list[dict]:
    """A row a scheduler and a stretch of time: the mean share of each part, in percent."""
    found = []
    for one in accounts:
        few = averaged(one.split, MOST_LINES)
        of = few.vcores if resource == "vcores" else few.memory
        for first, until, parts in zip(few.times[:-1].tolist(), few.times[1:].tolist(), (100 * of.parts / of.capacity).tolist()):
            shares = {f"{part.title} (%)": round(share, 2) + 0.0 for part, share in zip(PARTS, parts)}
            found.append({"Scheduler": one.scheduler, "From (s)": round(first / 1000, 3), "Until (s)": round(until / 1000, 3)} | shares)
    return found


def busy(one: Account, resource: str, pieces: int) -> list[float]:
    """The share of the resource that containers hold, in as many parts of the run's time."""
    few = averaged(one.split, pieces)
    of = few.vcores if resource == "vcores" else few.memory
    held = [number for number, part in enumerate(PARTS) if part.key in HELD]
    return (of.parts[:, held].sum(axis=1) / of.capacity).tolist()


def _filling(phase: theme.Phase, look: theme.Look, dark: bool) -> dict:
    marker: dict = {"color": phase.colour(dark), "line": {"width": 1, "color": look.paper}}
    if phase.hatch:
        marker["pattern"] = {"shape": phase.hatch, "fgcolor": theme.hatching(phase.key, dark), "bgcolor": phase.colour(dark), "size": 6, "solidity": 0.2}
    return marker


def _hover_text(one: CapacityUse, title: str, ms: float, share: float) -> str:
    return f"<b>{escaped(one.scheduler)}</b><br>{title}<br>{theme.percent(share)} of capacity × time<br>{theme.duration(ms)} of the whole cluster"


def _over(one: CapacityUse, row: int, room: int, look: theme.Look) -> dict:
    """A bar's name and length, above it."""
    length = f"{'makespan' if one.finished else 'deadlocked after'} {theme.duration(one.length_ms)}"
    text = f"<b>{escaped(shortened(one.scheduler, max(room - len(length) - 2, 8)))}</b>  {length}"
    return {
        "text": text,
        "x": 0,
        "xanchor": "left",
        "y": row - BAR_PX / ROW_PX / 2,
        "yanchor": "bottom",
        "yshift": 1,
        "showarrow": False,
        "font": {"size": 12, "color": look.ink},
    }


def _chip(text: str, row: int, at: float, phase: theme.Phase, dark: bool) -> dict:
    """A number on a hatch, which would run through its digits."""
    colour = phase.colour(dark)
    font = {"size": 12, "color": theme.text_on(colour)}
    return {"text": text, "x": at, "y": row, "showarrow": False, "bgcolor": colour, "borderpad": 1, "font": font}


def _title(text: str, left: float, top: float, look: theme.Look) -> dict:
    place = {"x": left, "xref": "paper", "xanchor": "left", "y": top, "yref": "paper", "yanchor": "bottom", "yshift": 4, "showarrow": False}
    return place | {"text": text, "font": {"size": 12, "weight": 600, "color": look.ink}}


def _time(window: tuple[int, int], px: float, look: theme.Look, bottom: bool) -> dict:
    """The lowest chart of a column tells the time."""
    axis = time_axis("time ({})", (window[0] / 1000, window[1] / 1000), px, look) | {"showticklabels": bottom, "fixedrange": True}
    return axis | ({"ticks": "outside", "ticklen": 4, "tickcolor": look.line} if bottom else {"title": None})


def _legend(look: theme.Look) -> dict:
    """Shown in a picture that leaves the page only."""
    where = {"orientation": "h", "x": 0, "xanchor": "left", "yref": "container", "y": 0, "yanchor": "bottom", "traceorder": "normal"}
    return where | {"font": {"size": 12}, "bgcolor": theme.faded(look.paper, 0)}
