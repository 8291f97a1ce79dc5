"""Schedulers beside each other by where the capacity goes: one bar a run, as long as the run; and the same
over time, a small chart a run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from engine import Run, quantities
from engine.dashboard import (
    PARTS,
    CapacitySplit,
    CapacityUse,
    ResourceSplit,
    bin_means,
    capacity_use,
    display_name,
)
from webapp import theme
from webapp.figures.charts.area_traces import capacity_traces
from webapp.figures.frame import (
    FIXED_GRID,
    TOP_PX,
    chart,
    legend_below,
    margin,
    margins,
    outer_ticks,
    plain_axis,
    plot_title,
    plot_width,
    small,
    time_axis,
)
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.timeline.capacity_areas import capacity_levels, phase_of_part
from webapp.figures.timeline.usage_curves import ResourceView, memory_view, vcores_view
from webapp.figures.traces import bars, phase_marker, told
from webapp.messages import msg

HELD_PARTS = ("master", "launching", "map", "task", "fetching", "waiting", "computing")
RESOURCES = ("vcores", "memory")
MAX_PIECES = 2_000  # of a run's split that is kept: more than pixels
BAR_PX = 24
ROW_PX, MIN_ROW_PX = 54, 36  # of a bar and its name; in a low drawer
LABEL_PX = 30  # a bar narrower than this has no number in it
COLUMN_PX = 330
CELL_PX, MIN_CELL_PX = 170, 70  # of a small chart; in a low drawer, where all stand in one row
GAP_PX = 26
CHARACTER_PX = 7
MAX_LINES = 40  # of the table, a run


class CapacityAccount(NamedTuple):
    """A run by where its capacity goes, small whatever its size. uses: by resource; split: thinned to what a
    chart can show; scheduler: what it is called in pictures; full_name: in files, where that is another.
    """

    scheduler: str
    uses: dict[str, CapacityUse]
    resources: dict[str, ResourceView]
    split: CapacitySplit
    full_name: str = ""

    def in_full(self) -> CapacityAccount:
        """The same under the scheduler's full text, as files have it."""
        name = self.full_name or self.scheduler
        uses = {resource: use._replace(scheduler=name) for resource, use in self.uses.items()}
        return self._replace(scheduler=name, uses=uses)


def capacity_account(run: Run, split: CapacitySplit, name: str = "", full_name: str = "") -> CapacityAccount:
    """Of a run and its split, neither of which is kept. name: what it is called, by default its scheduler's
    display name.
    """
    full_name = full_name or name or run.scheduler
    name = name or display_name(run.scheduler)
    uses = {resource: capacity_use(name, run.status == "finished", split, resource) for resource in RESOURCES}
    resources = {"vcores": vcores_view(run), "memory": memory_view(run)}
    return CapacityAccount(name, uses, resources, downsample_split(split), full_name)


def downsample_split(split: CapacitySplit, max_pieces: int = MAX_PIECES) -> CapacitySplit:
    """The same split in at most so many pieces."""
    return split if len(split.times) - 1 <= max_pieces else average_split(split, max_pieces)


def average_split(split: CapacitySplit, pieces: int) -> CapacitySplit:
    """The split in so many pieces of equal length, each the mean over its time, so that every part keeps its
    total; one of no length stays.
    """
    times = split.times
    if len(times) < 2:
        return split
    edges = np.linspace(times[0], times[-1], pieces + 1)
    span = float(times[0]), float(times[-1])
    return CapacitySplit(
        edges,
        *(
            ResourceSplit(resource.capacity, bin_means(times, resource.figures, span, pieces), np.diff(edges))
            for resource in (split.memory, split.vcores)
        ),
    )


def capacity_figure(uses: Sequence[CapacityUse], *, dark: bool = False, width: int = 700) -> dict:
    """A bar a run, its length the run's, its pieces the parts in seconds of the whole cluster. uses: of one
    resource.
    """
    look = theme.look(dark)
    sides = margins(14, 8, right=24)
    plot = plot_width(width, sides)
    longest = max((use.length_ms for use in uses), default=0) / 1000 or 1.0
    rows = typed_array(np.arange(len(uses)), "f4")
    data, chips, before = [], [], np.zeros(len(uses))
    for part in PARTS:
        seconds = np.array([max(use.cluster_ms[part.key], 0) / 1000 for use in uses])
        if not seconds.any():
            continue
        phase = theme.PHASES_BY_KEY[phase_of_part(part.key)]
        numbers = [
            quantities.percent(round(use.share(part.key), 2)) if plot / longest * length >= LABEL_PX else ""
            for use, length in zip(uses, seconds)
        ]
        if phase.hatch:
            chips += [
                _number_chip(text, row, at, phase, dark)
                for row, (text, at) in enumerate(zip(numbers, (before + seconds / 2).tolist()))
                if text
            ]
        before = before + seconds
        edge = {"line": {"width": 1, "color": look.paper}}
        trace = bars(seconds, rows, phase_marker(phase, dark) | edge, name=phase.title, showlegend=True)
        trace |= told([_hover_text(use, part.title, part.key) for use in uses])
        data.append(
            trace
            | {
                "width": BAR_PX / ROW_PX,
                "text": [""] * len(uses) if phase.hatch else numbers,
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "constraintext": "none",
                "insidetextfont": {"size": 12, "color": theme.text_on(phase.colour(dark))},
            }
        )
    room = int(plot / CHARACTER_PX)
    x_axis = time_axis(msg("figures.capacity_bars.time_whole_cluster"), (0, longest), plot, look)
    bare = {"showticklabels": False, "showline": False, "fixedrange": True}
    layout = {
        "barmode": "stack",
        "legend": legend_below(look),
        "annotations": [*(_bar_title(use, row, room, look) for row, use in enumerate(uses)), *chips],
        "xaxis": x_axis | FIXED_GRID,
        "yaxis": plain_axis(look) | {"range": [len(uses) - 0.5, -0.5]} | bare,
    }
    return chart(data, layout, sides, len(uses) * ROW_PX, len(uses) * MIN_ROW_PX, dark)


def areas_figure(
    accounts: Sequence[CapacityAccount], resource: str, *, dark: bool = False, width: int = 700
) -> dict:
    """Where the capacity goes over time: a small chart a run, all on the same axes, in columns where there is
    room.
    """
    look = theme.look(dark)
    sides = margin(width)
    room = width - sides["l"] - sides["r"]
    columns = min(max(room // COLUMN_PX, 1), len(accounts))
    rows = -(-len(accounts) // columns)
    plot = (room - GAP_PX * (columns - 1)) / columns
    height = rows * (CELL_PX + TOP_PX) - TOP_PX
    first = int(min(account.split.times[0] for account in accounts))
    window = first, max(int(max(account.split.times[-1] for account in accounts)), first + 1)
    layout: dict = {"legend": legend_below(look), "annotations": []}
    data: list[dict] = []
    named: set[str] = set()
    highest = 0.0
    for number, account in enumerate(accounts):
        row, column = divmod(number, columns)
        suffix = "" if number == 0 else str(number + 1)
        left, top = column * (plot + GAP_PX) / room, 1 - row * (CELL_PX + TOP_PX) / height
        view = account.resources[resource]
        levels = capacity_levels(account.split, view.unit, window, int(plot))
        traces, axis = capacity_traces(levels, view, window, int(plot), dark)
        for trace in traces:
            shown = bool(trace.get("showlegend")) and trace["name"] not in named
            named |= {trace["name"]} if shown else set()
            data.append(trace | {"showlegend": shown, "xaxis": f"x{suffix}", "yaxis": f"y{suffix}"})
        highest = max(highest, axis["range"][1])
        across = {"domain": [left, left + plot / room], "anchor": f"y{suffix}"}
        up = {"domain": [max(top - CELL_PX / height, 0), top], "anchor": f"x{suffix}", "fixedrange": True}
        up |= {"title": small(view.unit, look)} if column == 0 else {}
        layout[f"xaxis{suffix}"] = _time(window, plot, look, number + columns >= len(accounts)) | across
        layout[f"yaxis{suffix}"] = plain_axis(look) | axis | up | {"showticklabels": column == 0}
        name = escaped(shortened(account.scheduler, int(plot / CHARACTER_PX)))
        layout["annotations"].append(plot_title(name, top, look, left))
    for number in range(len(accounts)):
        layout[f"yaxis{number + 1 if number else ''}"]["range"] = [0, highest]
    return chart(data, layout, sides, height, MIN_CELL_PX if rows == 1 else height, dark)


def parts_table(uses: Sequence[CapacityUse]) -> list[dict]:
    """A row a part: its share of capacity x time, and its seconds of the whole cluster, under each
    scheduler.
    """
    shown = _shown_keys(uses)
    of_part = lambda key: lambda use: use.cluster_ms[key]
    columns: list[tuple[str, Callable[[CapacityUse], float]]] = [
        *((part.title, of_part(part.key)) for part in PARTS if part.key in shown),
        (msg("figures.capacity_bars.all"), lambda use: use.length_ms),
        (msg("figures.capacity_bars.which_wasted_later_killed_failed_or"), lambda use: use.wasted_ms),
    ]
    table = []
    for title, ms in columns:
        row: dict = {"Use": title}
        for use in uses:
            row[f"{use.scheduler} (%)"] = round(100 * ms(use) / use.length_ms, 2) if use.length_ms else 0.0
            row[f"{use.scheduler} (s)"] = round(ms(use) / 1000, 3)
        table.append(row)
    return table


def areas_table(accounts: Sequence[CapacityAccount], resource: str) -> list[dict]:
    """A row a scheduler and a stretch of time: the mean share of each part, in percent."""
    table = []
    shown = _shown_keys([account.uses[resource] for account in accounts])
    for account in accounts:
        averaged = average_split(account.split, MAX_LINES)
        times = [round(ms / 1000, 3) for ms in averaged.times.tolist()]
        split = averaged.vcores if resource == "vcores" else averaged.memory
        for first, until, parts in zip(times, times[1:], (100 * split.parts / split.capacity).tolist()):
            shares = {
                f"{part.title} (%)": round(share, 2) + 0.0
                for part, share in zip(PARTS, parts)
                if part.key in shown
            }
            table.append({"Scheduler": account.scheduler, "From (s)": first, "Until (s)": until} | shares)
    return table


def _shown_keys(uses: Sequence[CapacityUse]) -> set[str]:
    """Of all parts, but those of executors only where there are some."""
    held = {key for use in uses for key, ms in use.cluster_ms.items() if ms}
    return {part.key for part in PARTS if part.key in held or phase_of_part(part.key) not in theme.OF_TASKS}


def held_shares(account: CapacityAccount, resource: str, pieces: int) -> list[float]:
    """The share of the resource that containers hold, in as many parts of the run's time."""
    averaged = average_split(account.split, pieces)
    split = averaged.vcores if resource == "vcores" else averaged.memory
    held = [number for number, part in enumerate(PARTS) if part.key in HELD_PARTS]
    return (split.parts[:, held].sum(axis=1) / split.capacity).tolist()


def _hover_text(use: CapacityUse, title: str, key: str) -> str:
    share, length = quantities.percent(use.share(key)), quantities.duration(use.cluster_ms[key])
    name = escaped(use.scheduler)
    return f"<b>{name}</b><br>{title}<br>{share} of capacity × time<br>{length} of the whole cluster"


def _bar_title(use: CapacityUse, row: int, room: int, look: theme.Look) -> dict:
    """A bar's name and length, above it."""
    length = f"{'makespan' if use.finished else 'deadlocked after'} {quantities.duration(use.length_ms)}"
    text = f"<b>{escaped(shortened(use.scheduler, max(room - len(length) - 2, 8)))}</b>  {length}"
    font = {"size": 12, "color": look.ink}
    place = {"x": 0, "xanchor": "left", "y": row - BAR_PX / ROW_PX / 2, "yanchor": "bottom", "yshift": 1}
    return place | {"text": text, "showarrow": False, "font": font}


def _number_chip(text: str, row: int, at: float, phase: theme.Phase, dark: bool) -> dict:
    """A number on a hatch, which would run through its digits."""
    colour = phase.colour(dark)
    look = {"bgcolor": colour, "borderpad": 1, "font": {"size": 12, "color": theme.text_on(colour)}}
    return {"text": text, "x": at, "y": row, "showarrow": False} | look


def _time(window: tuple[int, int], px: float, look: theme.Look, bottom: bool) -> dict:
    """The lowest chart of a column tells the time."""
    axis = time_axis("time ({})", (window[0] / 1000, window[1] / 1000), px, look)
    axis |= {"showticklabels": bottom, "fixedrange": True}
    return axis | (outer_ticks(look) if bottom else {"title": None})
