"""Which containers start earlier, later or elsewhere in a second run: a mark each with a tail to where it started in the first, or a picture."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import KINDS, Difference, covered
from webapp import theme
from webapp.figures.charts.job_gains import shift_text
from webapp.figures.frame import BOTTOM_PX, NARROW_PX, base, heights, plain_axis, time_axis
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.png import data_url, png
from webapp.figures.short_names import cut_names
from webapp.figures.timeline.run_chart import whole

MOST_MARKS = 2_000
MOST_PX = 480  # height of all rows
EXACT_PX = 10  # lower rows have no room for marks
ROW_PX, LEAST_ROW_PX = 44, 16  # of a row with marks; in a low drawer
SPREAD = 0.84  # of a row, over which a job's containers are spread in the order of their starts
LABEL_PX = 13
CHARACTER_PX = 6.3
SHADES = 6
FAINTEST = 0.35
DIM = 0.15  # of what is not selected
COVERED = 0.02  # of a pixel line; less is left empty
KIND_WORDS = dict(zip(KINDS, ("master", "reduce", "map")))


class Rows(NamedTuple):
    """jobs: int64[rows], by arrival; row, place: of each matched container, its row and its place in it, 0 at the top to 1, 0.5 in rows of a pixel.

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
        return len(self.row) <= MOST_MARKS and self.px >= EXACT_PX * len(self.jobs)


def rows(of: Difference) -> Rows:
    """The rows: a job each, its containers spread in the order of their starts in the second run."""
    job = of.b.containers.job[of.in_b].astype(np.int64)
    counts = np.bincount(job, minlength=len(of.b.workload.job_names))
    jobs = np.flatnonzero(counts)
    number = np.cumsum(counts > 0) - 1
    per_px = max(-(-len(jobs) // MOST_PX), 1)
    px = -(-len(jobs) // per_px) if per_px > 1 else len(jobs) * min(MOST_PX // max(len(jobs), 1), ROW_PX)
    place = _places(of, job, counts) if px > len(jobs) else np.full(len(job), 0.5)
    return Rows(jobs, number[job], place, px, per_px)


def _places(of: Difference, job: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """float64[matched], 0 to 1: each container's rank by start within its job. counts: containers of each job."""
    order = np.argsort(job * len(of.b.containers.job) + of.in_b)  # containers are in the order of their starts
    rank = np.empty(len(job), np.int64)
    rank[order] = np.arange(len(job)) - np.repeat(np.cumsum(counts) - counts, counts)
    return (rank + 0.5) / counts[job]


def shifts_figure(of: Difference, *, highlighted: np.ndarray | None = None, dark: bool = False, width: int = 700) -> dict:
    """Time is that of the second run. highlighted: bool[jobs], the selected ones; None: all. layout.meta.mode: "exact" or "raster"."""
    look = theme.look(dark)
    left = 84 if width < NARROW_PX else 120
    sides = {"l": left, "r": 16, "t": 8, "b": BOTTOM_PX, "pad": 0}
    plot = max(width - sides["l"] - sides["r"], 1)
    window = whole((of.a, of.b))
    found = rows(of)
    highlighted = np.ones(len(of.b.workload.job_names), bool) if highlighted is None else highlighted
    images = [] if found.exact else [_picture(of, found, window, plot, highlighted, dark)]
    data = _marks(of, found, highlighted, dark) if found.exact else _keys(of, dark)
    least = min(len(found.jobs) * LEAST_ROW_PX, found.px) if found.exact else found.px
    layout = base(sides, dark) | {
        **heights(found.px, least, sides["t"] + sides["b"]),
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "yref": "container", "y": 0, "yanchor": "bottom", "font": {"size": 12}}
        | {"traceorder": "normal", "bgcolor": theme.faded(look.paper, 0)},
        "images": images,
        "hoverdistance": 20,
        "xaxis": time_axis("time ({})", (window[0] / 1000, window[1] / 1000), plot, look) | {"showgrid": found.exact, "fixedrange": True},
        "yaxis": plain_axis(look) | _names(of, found, left) | {"fixedrange": True},
    }
    layout["meta"]["mode"] = "exact" if found.exact else "raster"
    return {"data": data, "layout": layout}


def shift_table(of: Difference) -> list[dict]:
    """How many containers start, and end, by how much earlier (below 0) or later; classes of 1, 2, 5, 10 …"""
    most = max(int(np.abs(shift).max(initial=0)) for shift in (of.start_ms, of.end_ms))
    edges = [0]
    while edges[-1] < most:
        edges.append(next(step * 10**power for power in range(2, 20) for step in (1, 2, 5) if step * 10**power > edges[-1]))
    last = len(edges) - 1

    def counted(shift: np.ndarray) -> np.ndarray:
        return np.bincount(np.sign(shift) * np.searchsorted(edges, np.abs(shift)) + last, minlength=2 * last + 1)

    starts, ends = counted(of.start_ms), counted(of.end_ms)
    some = np.flatnonzero(starts + ends)
    table = []
    for place in range(some[0], some[-1] + 1) if len(some) else ():
        size = abs(place - last)
        low, high = sorted(((1 if place > last else -1) * edges[max(size - 1, 0)], (1 if place > last else -1) * edges[size]))
        table.append({"Shift from (s)": low / 1000, "to (s)": high / 1000, "Starts (containers)": int(starts[place]), "Ends (containers)": int(ends[place])})
    return table


def _marks(of: Difference, found: Rows, highlighted: np.ndarray, dark: bool) -> list[dict]:
    """A mark a container, hollow when it is on another node; below them the tails."""
    y = found.row + SPREAD * (found.place - 0.5)
    at, before = of.b.containers.start[of.in_b] / 1000, of.a.containers.start[of.in_a] / 1000
    selected = highlighted[of.b.containers.job[of.in_b]]
    signs = ((theme.EARLIER, of.start_ms < 0), (theme.LATER, of.start_ms > 0), (theme.ALIKE, of.start_ms == 0))
    tails, marks = [], []
    for shift, chosen in signs:
        tail = np.flatnonzero(chosen & selected)
        if shift is not theme.ALIKE and len(tail):
            tails.append(_tails(before[tail], at[tail], y[tail], shift.colour(dark)))
        for moved in (False, True):
            which = chosen & (of.moved == moved)
            name = shift.title + (", on another node" if moved else ", on the same node")
            groups = [(places, seen) for places, seen in ((np.flatnonzero(which & selected), True), (np.flatnonzero(which & ~selected), False)) if len(places)]
            for number, (places, seen) in enumerate(groups):
                text = [_hover_text(of, one) for one in places.tolist()]
                marks.append(_mark(at[places], y[places], text, shift, moved, dark) | {"opacity": 1 if seen else DIM, "name": name, "showlegend": number == 0})
    return tails + marks


def _mark(at: np.ndarray, y: np.ndarray, text: list[str], shift: theme.Shift, moved: bool, dark: bool) -> dict:
    colour = shift.colour(dark)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": typed_array(at, "f8"),
        "y": typed_array(y, "f8"),
        "marker": {"symbol": shift.symbol + "-open" * moved, "size": 6, "color": colour, "line": {"width": 1.2 if moved else 0, "color": colour}},
        "hovertext": text,
        "hoverinfo": "text",
    }


def _tails(before: np.ndarray, at: np.ndarray, y: np.ndarray, colour: str) -> dict:
    """A line from each start in the first run to that in the second, in seconds."""
    nothing = np.full(len(at), np.nan)
    x, level = (np.stack(columns, axis=1).ravel() for columns in ((before, at, nothing), (y, y, nothing)))
    line = {"color": theme.faded(colour, 0.4), "width": 1}
    return {
        "type": "scatter",
        "mode": "lines",
        "x": typed_array(x, "f8"),
        "y": typed_array(level, "f8"),
        "line": line,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _hover_text(of: Difference, one: int) -> str:
    a, b = of.a.containers, of.b.containers
    before, now = of.in_a[one], of.in_b[one]
    nodes = of.b.workload.node_names
    where = escaped(shortened(nodes[b.node[now]]))
    if of.moved[one]:
        where += f" instead of {escaped(shortened(nodes[a.node[before]]))}"
    name = f"{shortened(of.b.workload.job_names[b.job[now]])}, {KIND_WORDS[KINDS[b.kind[now]]]} {b.index[now]}"
    start, end = (f"at {theme.moment(int(ms))}, {shift_text(int(shift))}" for ms, shift in ((b.start[now], of.start_ms[one]), (b.end[now], of.end_ms[one])))
    return f"<b>{escaped(name)}</b><br>iteration {b.stage[now]}, on {where}<br>starts {start}<br>ends {end}"


def _names(of: Difference, found: Rows, left: int) -> dict:
    """The axis of rows, with as many names as fit."""
    names = of.b.workload.job_names
    bottom = found.px * found.per_px - 0.5 if found.per_px > 1 else len(found.jobs) - 0.5
    every = max(-(-LABEL_PX * len(found.jobs) // max(found.px, 1)), 1)
    shown = range(0, len(found.jobs), every)
    texts = [escaped(name) for name in cut_names(tuple(names[found.jobs[row]] for row in shown), int((left - 8) / CHARACTER_PX))]
    return {"range": [bottom, -0.5], "tickmode": "array", "tickvals": list(shown), "ticktext": texts}


def strongest_ms(of: Difference) -> int:
    """The shift that has the strongest shade: 95 % of containers shift by no more."""
    sizes = np.abs(of.start_ms)
    return int(np.partition(sizes, place := int(0.95 * (len(sizes) - 1)))[place]) or int(sizes.max(initial=0)) or 1 if len(sizes) else 1


def _picture(of: Difference, found: Rows, window: tuple[int, int], width: int, highlighted: np.ndarray, dark: bool) -> dict:
    """Each pixel has the mean shift of the containers that run there, by how much of it each covers."""
    tall = found.px // len(found.jobs) if found.per_px == 1 else 1
    line = found.row // found.per_px if found.per_px > 1 else found.row * tall + (found.place * tall).astype(np.int64)
    c = of.b.containers
    chosen = np.flatnonzero(highlighted[c.job[of.in_b]])
    start, end = c.start[of.in_b[chosen]], c.end[of.in_b[chosen]]
    owners, kinds, shape = np.arange(len(chosen)), np.zeros(len(chosen), np.int8), (found.px, 1, width)

    def summed(weight: np.ndarray) -> np.ndarray:
        return covered(owners, kinds, start, end, line[chosen], weight, window, shape)[:, 0]

    shifts, amount = of.start_ms[chosen].astype(float), summed(np.ones(len(chosen)))
    some = amount > COVERED
    shifted = summed(np.maximum(shifts, 0)) - summed(np.maximum(-shifts, 0))
    mean = np.divide(shifted, amount, out=np.zeros_like(shifted), where=some) / strongest_ms(of)
    shade = np.ceil(np.abs(mean) * SHADES).clip(0, SHADES).astype(np.uint8)
    pixels = np.where(some, 1 + shade + SHADES * ((mean > 0) & (shade > 0)), 0).astype(np.uint8)
    return {
        "source": data_url(png(pixels, _palette(dark))),
        "xref": "x",
        "yref": "y",
        "x": window[0] / 1000,
        "y": -0.5,
        "sizex": (window[1] - window[0]) / 1000,
        "sizey": float(found.px * found.per_px if found.per_px > 1 else len(found.jobs)),
        "xanchor": "left",
        "yanchor": "top",
        "sizing": "stretch",
        "layer": "above",
    }


def _palette(dark: bool) -> np.ndarray:
    """uint8[colours, 4]: nothing, no shift, then earlier and later in shades."""
    found = [(0, 0, 0, 0), (*theme.rgb(theme.ALIKE.colour(dark)), 90)]
    for shift in (theme.EARLIER, theme.LATER):
        found += [(*theme.rgb(shift.colour(dark)), round(255 * (FAINTEST + (1 - FAINTEST) * shade / (SHADES - 1)))) for shade in range(SHADES)]
    return np.array(found, np.uint8)


def _keys(of: Difference, dark: bool) -> list[dict]:
    """Marks of nothing, for the legend alone."""
    most = theme.duration(strongest_ms(of))
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [None],
            "y": [None],
            "name": shift.title if shift is theme.ALIKE else f"{shift.title}, full colour: by {most} or more",
            "showlegend": True,
            "marker": {"symbol": "square", "size": 11, "color": shift.colour(dark)},
            "hoverinfo": "skip",
        }
        for shift in theme.SHIFTS
    ]
