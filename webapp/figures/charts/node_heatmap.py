"""How full each node is over time, as a picture: the darker (in dark pages, the lighter), the more of it is held. One hue, so that it prints in grey."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine import Run, node_utilization
from webapp import theme
from webapp.figures.charts.step_lines import name_room, named_margin
from webapp.figures.frame import BOTTOM_PX, base, plain_axis, time_axis
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.png import data_url, png
from webapp.figures.short_names import cut_names

MOST_PX = 420  # height of the lines together
LINE_PX = 18  # of one, at most
LABEL_PX = 13
SHADES = 64
FAINTEST = 0.05  # an idle node is not quite paper
DIM = 0.28
TOP_PX = 40
BAR_PX = (150, 10)
HOVER_PX = 16
GAP_PX = 5  # lines from this height on are parted by an empty one


class Lines(NamedTuple):
    """line: int64[nodes]; nodes: those of each line from the top; px: height of one line."""

    line: np.ndarray
    nodes: list[np.ndarray]
    px: int


def lines(racks: Sequence[str]) -> Lines:
    """A line a node, nodes of a rack together; as many nodes to a line as are needed to stay within MOST_PX."""
    place = {rack: number for number, rack in enumerate(dict.fromkeys(racks))}
    order = np.argsort([place[rack] for rack in racks], kind="stable")
    each = -(-len(order) // MOST_PX)
    nodes = np.split(order, np.arange(each, len(order), each))
    line = np.empty(len(order), np.int64)
    line[order] = np.arange(len(order)) // each
    return Lines(line, nodes, max(min(MOST_PX // len(nodes), LINE_PX), 1))


def heat_figure(run: Run, resource: str, *, highlighted: np.ndarray | None = None, dark: bool = False, width: int = 700) -> dict:
    """A figure dict; resource: "memory" or "vcores"; highlighted: bool[nodes], the others are dimmed, or None."""
    look, sides = theme.look(dark), named_margin(width)
    sides["t"] = TOP_PX
    plot = max(width - sides["l"] - sides["r"], 1)
    of = lines(run.workload.node_racks)
    found = node_utilization(run, resource, plot, of.line)
    count, high = len(of.nodes), len(of.nodes) * of.px
    bright = np.ones(count, bool) if highlighted is None else np.array([highlighted[nodes].any() for nodes in of.nodes])
    pixels = np.minimum(1 + np.rint(np.clip(found.share, 0, 1) * (SHADES - 1)).astype(np.int64), SHADES) + SHADES * ~bright[:, None]
    tall = np.repeat(pixels, of.px, axis=0).astype(np.uint8)
    if of.px >= GAP_PX:
        tall[of.px - 1 :: of.px] = 0
    window = found.edges[0] / 1000, max(found.edges[-1] / 1000, found.edges[0] / 1000 + 0.001)
    names = [_named(run, nodes) for nodes in of.nodes]
    layout = base(sides, dark) | {"height": high + sides["t"] + BOTTOM_PX, "dragmode": False}
    fixed = plain_axis(look) | {"fixedrange": True}
    layout["xaxis"] = time_axis("time ({})", window, plot, look) | {"fixedrange": True}
    layout["yaxis"] = fixed | _labels(of, names, name_room(sides))
    layout["images"] = [
        _image(data_url(png(tall, palette(dark))), "x", "y", (window[0], -0.5), (window[1] - window[0], count)),
        _image(data_url(png(np.arange(1, SHADES + 1, dtype=np.uint8)[None, :], palette(dark))), *_bar(plot, high)),
    ]
    layout["annotations"] = _scale(resource, plot, high, look)
    return {"data": [_hover(found.share, found.edges, names, of, plot)], "layout": layout}


def palette(dark: bool) -> np.ndarray:
    """uint8[colours, 4]: nothing, SHADES from idle to full, and the same dimmed."""
    look = theme.look(dark)
    paper, ink = np.array(theme.rgb(look.paper)), np.array(theme.rgb(look.ink))
    part = (FAINTEST + (1 - FAINTEST) * np.linspace(0, 1, SHADES))[:, None]
    opaque = np.concatenate([np.rint(paper + (ink - paper) * part), np.full((SHADES, 1), 255)], axis=1)
    faint = opaque * [1, 1, 1, DIM]
    return np.concatenate([np.zeros((1, 4)), opaque, faint]).astype(np.uint8)


def heat_rows(run: Run) -> list[dict]:
    """A row a node: its mean utilization, and what ran there."""
    work = run.workload
    memory, vcores = (node_utilization(run, resource, 1).share[:, 0].tolist() for resource in ("memory", "vcores"))
    ran = np.bincount(run.containers.node, minlength=len(work.node_names)).tolist()
    rows = zip(work.node_names, work.node_racks, memory, vcores, ran)
    racks = any(work.node_racks)
    return [
        {"Node": name} | ({"Rack": rack} if racks else {}) | {"Memory used (%)": round(100 * m, 2), "Vcores used (%)": round(100 * v, 2), "Containers": number}
        for name, rack, m, v, number in rows
    ]


def heat_story(run: Run, resource: str) -> str:
    """The fullest and the emptiest node, and how many nodes share a line."""
    of = lines(run.workload.node_racks)
    share = node_utilization(run, resource, 1).share[:, 0]
    most, least = int(share.argmax()), int(share.argmin())
    names = run.workload.node_names
    text = f"Under {run.scheduler} {theme.percent(float(share.mean()))} of a node's {resource} is used on average"
    if share[most] > share[least]:
        text += f", from {theme.percent(float(share[least]))} on {names[least]} to {theme.percent(float(share[most]))} on {names[most]}"
    if len(of.nodes) < len(names):
        text += f"; a line is the mean of up to {theme.count(len(of.nodes[0]), 'nodes')}"
    idle = int((share == 0).sum())
    return text + (f"; {theme.count(idle, 'nodes')} ran nothing." if idle else ".")


def _named(run: Run, nodes: np.ndarray) -> str:
    names = run.workload.node_names
    return names[nodes[0]] if len(nodes) == 1 else f"{names[nodes[0]]} to {names[nodes[-1]]}"


def _labels(of: Lines, names: list[str], most: int) -> dict:
    every = max(-(-LABEL_PX // of.px), 1)
    shown = range(0, len(names), every)
    first = tuple(names[row].split(" to ")[0] if len(of.nodes[row]) > 1 else names[row] for row in shown)
    texts = [escaped(name) for name in cut_names(first, most)]
    return {"range": [len(names) - 0.5, -0.5], "tickmode": "array", "tickvals": list(shown), "ticktext": texts}


def _image(source: str, xref: str, yref: str, at: tuple[float, float], size: tuple[float, float]) -> dict:
    """Stretched from its upper left corner, so that a pixel of it is a pixel of the page."""
    found = {"source": source, "xref": xref, "yref": yref, "x": at[0], "y": at[1], "sizex": size[0], "sizey": size[1]}
    return found | {"xanchor": "left", "yanchor": "top", "sizing": "stretch", "layer": "above"}


def _bar(plot: int, high: int) -> tuple:
    """Where the scale stands, over the picture."""
    return "paper", "paper", (0, 1 + 18 / high), (_bar_share(plot), BAR_PX[1] / high)


def _bar_share(plot: int) -> float:
    return min(BAR_PX[0] / plot, 0.5)


def _scale(resource: str, plot: int, high: int, look: theme.Look) -> list[dict]:
    where = {"xref": "paper", "yref": "paper", "showarrow": False, "yanchor": "bottom", "y": 1 + 18 / high, "font": {"size": 12, "color": look.muted}}
    wide = _bar_share(plot)
    ends = [(0, "left", "0 %"), (wide / 2, "center", "50 %"), (wide, "right", "100 %")]
    found = [where | {"x": x, "xanchor": anchor, "text": text} for x, anchor, text in ends]
    beside = {"x": wide, "xanchor": "left", "xshift": 8, "yanchor": "middle", "y": 1 + (18 - BAR_PX[1] / 2) / high, "text": f"of {resource} held"}
    return [*found, where | beside]


def _hover(share: np.ndarray, edges: np.ndarray, names: list[str], of: Lines, plot: int) -> dict:
    """Points nobody sees, near enough to each other that the pointer always finds one."""
    rows = np.arange(0, len(names), max(HOVER_PX // of.px, 1))
    columns = np.arange(0, share.shape[1], max(round(HOVER_PX * share.shape[1] / plot), 1))
    row, column = (grid.ravel() for grid in np.meshgrid(rows, columns, indexing="ij"))
    middle = (edges[column] + edges[column + 1]) / 2
    label = [escaped(shortened(name)) for name in names]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": typed_array(middle / 1000, "f8"),
        "y": typed_array(row, "f4"),
        "marker": {"opacity": 0, "size": 1},
        "text": [f"<b>{label[one]}</b> at {theme.moment(round(ms))}" for one, ms in zip(row.tolist(), middle.tolist())],
        "customdata": typed_array(share[row, column], "f4"),
        "hovertemplate": "%{text}<br>%{customdata:.1%} held<extra></extra>",
        "showlegend": False,
    } | ({"ids": [f"node:{names[one]}" for one in row.tolist()]} if len(of.line) == len(names) else {})
