"""Which containers start earlier, later or elsewhere in a second run: a mark each with a tail to where it
started in the first, or a picture.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import quantities
from engine.dashboard import TASK, Difference, bin_coverage
from webapp import theme
from webapp.figures.charts.job_gains import shift_text
from webapp.figures.container_words import task_text
from webapp.figures.frame import chart, legend_below, plot_width, row_axis, row_margins, time_axis
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.png import data_url, png
from webapp.figures.timeline.run_chart import full_window
from webapp.figures.traces import UNSEEN, image, legend_mark, lines, marks, tick_names, told, with_gaps
from webapp.messages import msg

MAX_MARKS = 2_000
MAX_PX = 480  # height of all rows
MARKS_FROM_PX = 10  # lower rows have no room for marks
ROW_PX, MIN_ROW_PX = 44, 16  # of a row with marks; in a low drawer
ROW_FILL = 0.84  # of a row, over which a job's containers are spread in the order of their starts
LABEL_PX = 13
CHARACTER_PX = 6.3
SHADES = 6
MIN_OPACITY = 0.35
DIM = 0.15  # of what is not selected
MIN_COVERED = 0.02  # of a pixel line; less is left empty


class ShiftRows(NamedTuple):
    """jobs: int64[rows], by arrival; row, place: of each matched container, its row and its place in it, 0 at
    the top to 1, 0.5 in rows of a pixel.

    px: height of all rows; per_px: rows in one pixel line.
    """

    jobs: np.ndarray
    row: np.ndarray
    place: np.ndarray
    px: int
    per_px: int

    @property
    def exact(self) -> bool:
        """There is room for a mark each."""
        return len(self.row) <= MAX_MARKS and self.px >= MARKS_FROM_PX * len(self.jobs)


def shift_rows(diff: Difference) -> ShiftRows:
    """The rows: a job each, its containers spread in the order of their starts in the second run."""
    job = diff.b.containers.job[diff.in_b].astype(np.int64)
    counts = np.bincount(job, minlength=len(diff.b.workload.job_names))
    jobs = np.flatnonzero(counts)
    number = np.cumsum(counts > 0) - 1
    per_px = max(-(-len(jobs) // MAX_PX), 1)
    px = -(-len(jobs) // per_px) if per_px > 1 else len(jobs) * min(MAX_PX // max(len(jobs), 1), ROW_PX)
    place = _start_ranks(diff, job, counts) if px > len(jobs) else np.full(len(job), 0.5)
    return ShiftRows(jobs, number[job], place, px, per_px)


def _start_ranks(diff: Difference, job: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """float64[matched], 0 to 1: each container's rank by start within its job. counts: containers of each
    job.
    """
    # containers are in the order of their starts
    order = np.argsort(job * len(diff.b.containers.job) + diff.in_b)
    rank = np.empty(len(job), np.int64)
    rank[order] = np.arange(len(job)) - np.repeat(np.cumsum(counts) - counts, counts)
    return (rank + 0.5) / counts[job]


def shifts_figure(
    diff: Difference, *, highlighted: np.ndarray | None = None, dark: bool = False, width: int = 700
) -> dict:
    """Time is that of the second run. highlighted: bool[jobs], the selected ones; None: all.
    layout.meta.mode: "exact" or "raster".
    """
    look, sides = theme.look(dark), row_margins(width, 8)
    plot = plot_width(width, sides)
    window = full_window((diff.a, diff.b))
    rows = shift_rows(diff)
    highlighted = np.ones(len(diff.b.workload.job_names), bool) if highlighted is None else highlighted
    images = [] if rows.exact else [_picture(diff, rows, window, plot, highlighted, dark)]
    data = _marks(diff, rows, highlighted, dark) if rows.exact else _legend_traces(diff, dark)
    min_px = min(len(rows.jobs) * MIN_ROW_PX, rows.px) if rows.exact else rows.px
    x_axis = time_axis("time ({})", (window[0] / 1000, window[1] / 1000), plot, look)
    layout = {
        "legend": legend_below(look),
        "images": images,
        "hoverdistance": 20,
        "xaxis": x_axis | {"showgrid": rows.exact, "fixedrange": True},
        "yaxis": _row_axis(diff, rows, sides["l"], look),
    }
    figure = chart(data, layout, sides, rows.px, min_px, dark)
    figure["layout"]["meta"]["mode"] = "exact" if rows.exact else "raster"
    return figure


def shift_table(diff: Difference) -> list[dict]:
    """How many containers start, and end, by how much earlier (below 0) or later; classes of 1, 2, 5, 10 …"""
    max_shift = max(int(np.abs(shift).max(initial=0)) for shift in (diff.start_ms, diff.end_ms))
    steps = [0, *(step * 10**power for power in range(2, 20) for step in (1, 2, 5))]
    last = next(place for place, step in enumerate(steps) if step >= max_shift)
    edges = steps[: last + 1]

    def counted(shift: np.ndarray) -> np.ndarray:
        places = np.sign(shift) * np.searchsorted(edges, np.abs(shift))
        return np.bincount(places + last, minlength=2 * last + 1)

    starts, ends = counted(diff.start_ms), counted(diff.end_ms)
    filled = np.flatnonzero(starts + ends)
    table = []
    for place in range(filled[0], filled[-1] + 1) if len(filled) else ():
        size, sign = abs(place - last), 1 if place > last else -1
        low, high = sorted((sign * edges[max(size - 1, 0)], sign * edges[size]))
        table.append(
            {
                "Shift from (s)": low / 1000,
                "to (s)": high / 1000,
                "Starts (containers)": int(starts[place]),
                "Ends (containers)": int(ends[place]),
            }
        )
    return table


def _marks(diff: Difference, rows: ShiftRows, highlighted: np.ndarray, dark: bool) -> list[dict]:
    """A mark a container, hollow when it is on another node; below them the tails."""
    y = rows.row + ROW_FILL * (rows.place - 0.5)
    at, before = diff.b.containers.start[diff.in_b] / 1000, diff.a.containers.start[diff.in_a] / 1000
    selected = highlighted[diff.b.containers.job[diff.in_b]]
    signs = (
        (theme.EARLIER, diff.start_ms < 0),
        (theme.LATER, diff.start_ms > 0),
        (theme.UNCHANGED, diff.start_ms == 0),
    )
    tails, points = [], []
    for shift, chosen in signs:
        colour = shift.colour(dark)
        tail = np.flatnonzero(chosen & selected)
        if shift is not theme.UNCHANGED and len(tail):
            x, level = with_gaps(before[tail], at[tail]), with_gaps(y[tail], y[tail])
            tails.append(lines(x, level, {"color": theme.with_alpha(colour, 0.4), "width": 1}) | UNSEEN)
        for moved in (False, True):
            which = chosen & (diff.moved == moved)
            node = (
                msg("figures.container_shifts.on_another_node")
                if moved
                else msg("figures.container_shifts.on_same_node")
            )
            edge = {"width": 1.2 if moved else 0, "color": colour}
            marker = {"symbol": shift.symbol + "-open" * moved, "size": 6, "color": colour, "line": edge}
            is_named = False
            for mask, opacity in ((which & selected, 1), (which & ~selected, DIM)):
                if mask.any():
                    texts = [_hover_text(diff, match) for match in np.flatnonzero(mask).tolist()]
                    about = {"opacity": opacity, "name": shift.title + node, "showlegend": not is_named}
                    points.append(marks(at[mask], y[mask], marker) | told(texts) | about)
                    is_named = True
    return tails + points


def _hover_text(diff: Difference, match: int) -> str:
    a, b = diff.a.containers, diff.b.containers
    before, now = diff.in_a[match], diff.in_b[match]
    nodes = diff.b.workload.node_names
    where = escaped(shortened(nodes[b.node[now]]))
    if diff.moved[match]:
        where += msg("figures.container_shifts.instead", escaped=escaped(shortened(nodes[a.node[before]])))
    name = f"{shortened(diff.b.workload.job_names[b.job[now]])}, {shortened(task_text(diff.b, now))}"
    start, end = (
        f"at {quantities.moment(int(ms))}, {shift_text(int(shift))}"
        for ms, shift in ((b.start[now], diff.start_ms[match]), (b.end[now], diff.end_ms[match]))
    )
    iteration = "" if b.kind[now] == TASK else f"iteration {b.stage[now]}, "
    return f"<b>{escaped(name)}</b><br>{iteration}on {where}<br>starts {start}<br>ends {end}"


def _row_axis(diff: Difference, rows: ShiftRows, left: int, look: theme.Look) -> dict:
    """The axis of rows, with as many names as fit."""
    names = diff.b.workload.job_names
    bottom = rows.px * rows.per_px - 0.5 if rows.per_px > 1 else len(rows.jobs) - 0.5
    step = max(-(-LABEL_PX * len(rows.jobs) // max(rows.px, 1)), 1)
    shown = range(0, len(rows.jobs), step)
    texts = tick_names((names[rows.jobs[row]] for row in shown), int((left - 8) / CHARACTER_PX))
    return row_axis(texts, look, range=[bottom, -0.5], tickvals=list(shown))


def strongest_ms(diff: Difference) -> int:
    """The shift that has the strongest shade: 95 % of containers shift by no more."""
    sizes = np.abs(diff.start_ms)
    if not len(sizes):
        return 1
    return int(np.quantile(sizes, 0.95, method="lower")) or int(sizes.max()) or 1


def _picture(
    diff: Difference,
    rows: ShiftRows,
    window: tuple[int, int],
    width: int,
    highlighted: np.ndarray,
    dark: bool,
) -> dict:
    """Each pixel has the mean shift of the containers that run there, by how much of it each covers."""
    if rows.per_px > 1:
        line = rows.row // rows.per_px
    else:
        row_height = rows.px // len(rows.jobs)
        line = rows.row * row_height + (rows.place * row_height).astype(np.int64)
    c = diff.b.containers
    chosen = np.flatnonzero(highlighted[c.job[diff.in_b]])
    start, end = c.start[diff.in_b[chosen]], c.end[diff.in_b[chosen]]
    owners, kinds, shape = np.arange(len(chosen)), np.zeros(len(chosen), np.int8), (rows.px, 1, width)

    def summed(weight: np.ndarray) -> np.ndarray:
        return bin_coverage(owners, kinds, start, end, line[chosen], weight, window, shape)[:, 0]

    shifts, amount = diff.start_ms[chosen].astype(float), summed(np.ones(len(chosen)))
    is_covered = amount > MIN_COVERED
    shifted = summed(np.maximum(shifts, 0)) - summed(np.maximum(-shifts, 0))
    mean = np.divide(shifted, amount, out=np.zeros_like(shifted), where=is_covered) / strongest_ms(diff)
    shade = np.ceil(np.abs(mean) * SHADES).clip(0, SHADES).astype(np.uint8)
    pixels = np.where(is_covered, 1 + shade + SHADES * ((mean > 0) & (shade > 0)), 0).astype(np.uint8)
    source, left = data_url(png(pixels, _palette(dark))), window[0] / 1000
    height = float(rows.px * rows.per_px if rows.per_px > 1 else len(rows.jobs))
    return image(source, left, -0.5, (window[1] - window[0]) / 1000, height)


def _palette(dark: bool) -> np.ndarray:
    """uint8[colours, 4]: nothing, no shift, then earlier and later in shades."""
    opacity = np.rint(255 * np.linspace(MIN_OPACITY, 1, SHADES)).astype(int).tolist()
    colours = [(0, 0, 0, 0), (*theme.rgb(theme.UNCHANGED.colour(dark)), 90)]
    for shift in (theme.EARLIER, theme.LATER):
        colours += [(*theme.rgb(shift.colour(dark)), alpha) for alpha in opacity]
    return np.array(colours, np.uint8)


def _legend_traces(diff: Difference, dark: bool) -> list[dict]:
    strongest = quantities.duration(strongest_ms(diff))
    traces = []
    for shift in theme.SHIFTS:
        name = shift.title
        if shift is not theme.UNCHANGED:
            name = msg("figures.container_shifts.full_colour_by_or_more", title=name, full_shift=strongest)
        traces.append(legend_mark(name, shift.colour(dark)))
    return traces
