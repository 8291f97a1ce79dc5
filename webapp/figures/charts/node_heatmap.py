"""How full each node is over time, as a picture: the darker (in dark pages, the lighter), the more of it is
held. One hue, so that it prints in grey.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine import Run, node_utilization, quantities
from engine.dashboard import display_name
from webapp import theme
from webapp.figures.charts.step_lines import name_chars, named_margin
from webapp.figures.frame import BOTTOM_PX, base, plain_axis, time_axis
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.png import data_url, png
from webapp.figures.short_names import cut_names
from webapp.messages import msg

MAX_PX = 420  # height of the lines together
LINE_PX = 18  # of one, at most
LABEL_PX = 13
SHADES = 64
MIN_OPACITY = 0.05  # an idle node is not quite paper
DIM = 0.28
TOP_PX = 40
BAR_PX = (150, 10)
HOVER_PX = 16
GAP_FROM_PX = 5  # lines from this height on are parted by an empty one


class NodeLines(NamedTuple):
    """line: int64[nodes]; nodes: those of each line from the top; px: height of one line."""

    line: np.ndarray
    nodes: list[np.ndarray]
    px: int


def node_lines(racks: Sequence[str]) -> NodeLines:
    """A line a node, nodes of a rack together; as many nodes to a line as are needed to stay within
    MAX_PX.
    """
    place = {rack: number for number, rack in enumerate(dict.fromkeys(racks))}
    order = np.argsort([place[rack] for rack in racks], kind="stable")
    nodes_per_line = -(-len(order) // MAX_PX)
    nodes = np.split(order, np.arange(nodes_per_line, len(order), nodes_per_line))
    line = np.empty(len(order), np.int64)
    line[order] = np.arange(len(order)) // nodes_per_line
    return NodeLines(line, nodes, max(min(MAX_PX // len(nodes), LINE_PX), 1))


def heat_figure(
    run: Run, resource: str, *, highlighted: np.ndarray | None = None, dark: bool = False, width: int = 700
) -> dict:
    """A figure dict; resource: "memory" or "vcores"; highlighted: bool[nodes], the others are dimmed, or
    None.
    """
    look, sides = theme.look(dark), named_margin(width)
    sides["t"] = TOP_PX
    plot = max(width - sides["l"] - sides["r"], 1)
    lines = node_lines(run.workload.node_racks)
    utilization = node_utilization(run, resource, plot, lines.line)
    count, height = len(lines.nodes), len(lines.nodes) * lines.px
    bright = (
        np.ones(count, bool)
        if highlighted is None
        else np.array([highlighted[nodes].any() for nodes in lines.nodes])
    )
    pixels = (
        np.minimum(1 + np.rint(np.clip(utilization.share, 0, 1) * (SHADES - 1)).astype(np.int64), SHADES)
        + SHADES * ~bright[:, None]
    )
    scaled = np.repeat(pixels, lines.px, axis=0).astype(np.uint8)
    if lines.px >= GAP_FROM_PX:
        scaled[lines.px - 1 :: lines.px] = 0
    window = (
        utilization.edges[0] / 1000,
        max(utilization.edges[-1] / 1000, utilization.edges[0] / 1000 + 0.001),
    )
    names = [_line_name(run, nodes) for nodes in lines.nodes]
    layout = base(sides, dark) | {"height": height + sides["t"] + BOTTOM_PX, "dragmode": False}
    fixed = plain_axis(look) | {"fixedrange": True}
    layout["xaxis"] = time_axis("time ({})", window, plot, look) | {"fixedrange": True}
    layout["yaxis"] = fixed | _labels(lines, names, name_chars(sides))
    layout["images"] = [
        _image(
            data_url(png(scaled, palette(dark))), "x", "y", (window[0], -0.5), (window[1] - window[0], count)
        ),
        _image(
            data_url(png(np.arange(1, SHADES + 1, dtype=np.uint8)[None, :], palette(dark))),
            *_scale_place(plot, height),
        ),
    ]
    layout["annotations"] = _scale_labels(resource, plot, height, look)
    return {
        "data": [_hover_points(utilization.share, utilization.edges, names, lines, plot)],
        "layout": layout,
    }


def palette(dark: bool) -> np.ndarray:
    """uint8[colours, 4]: nothing, SHADES from idle to full, and the same dimmed."""
    look = theme.look(dark)
    paper, ink = np.array(theme.rgb(look.paper)), np.array(theme.rgb(look.ink))
    part = (MIN_OPACITY + (1 - MIN_OPACITY) * np.linspace(0, 1, SHADES))[:, None]
    opaque = np.concatenate([np.rint(paper + (ink - paper) * part), np.full((SHADES, 1), 255)], axis=1)
    faint = opaque * [1, 1, 1, DIM]
    return np.concatenate([np.zeros((1, 4)), opaque, faint]).astype(np.uint8)


def heat_rows(run: Run) -> list[dict]:
    """A row a node: its mean utilization, and what ran there."""
    work = run.workload
    memory, vcores = (
        node_utilization(run, resource, 1).share[:, 0].tolist() for resource in ("memory", "vcores")
    )
    ran = np.bincount(run.containers.node, minlength=len(work.node_names)).tolist()
    rows = zip(work.node_names, work.node_racks, memory, vcores, ran)
    racks = any(work.node_racks)
    return [
        {"Node": name}
        | ({"Rack": rack} if racks else {})
        | {"Memory used (%)": round(100 * m, 2), "Vcores used (%)": round(100 * v, 2), "Containers": number}
        for name, rack, m, v, number in rows
    ]


def heat_story(run: Run, resource: str) -> str:
    """The fullest and the emptiest node, and how many nodes share a line."""
    lines = node_lines(run.workload.node_racks)
    share = node_utilization(run, resource, 1).share[:, 0]
    fullest, emptiest = int(share.argmax()), int(share.argmin())
    names = run.workload.node_names
    text = msg(
        "figures.node_heatmap.under_nodes_used_on_average",
        scheduler=display_name(run.scheduler),
        percent=quantities.percent(float(share.mean())),
        resource=resource,
    )
    if share[fullest] > share[emptiest]:
        text += msg(
            "figures.node_heatmap.from_on_to_on",
            percent=quantities.percent(float(share[emptiest])),
            names=names[emptiest],
            percent2=quantities.percent(float(share[fullest])),
            names2=names[fullest],
        )
    if len(lines.nodes) < len(names):
        text += msg(
            "figures.node_heatmap.line_mean_up_to", count=quantities.count(len(lines.nodes[0]), "nodes")
        )
    idle = int((share == 0).sum())
    return text + (
        msg("figures.node_heatmap.ran_nothing", count=quantities.count(idle, "nodes")) if idle else "."
    )


def _line_name(run: Run, nodes: np.ndarray) -> str:
    names = run.workload.node_names
    return names[nodes[0]] if len(nodes) == 1 else f"{names[nodes[0]]} to {names[nodes[-1]]}"


def _labels(lines: NodeLines, names: list[str], max_chars: int) -> dict:
    step = max(-(-LABEL_PX // lines.px), 1)
    shown = range(0, len(names), step)
    first = tuple(names[row].split(" to ")[0] if len(lines.nodes[row]) > 1 else names[row] for row in shown)
    texts = [escaped(name) for name in cut_names(first, max_chars)]
    return {
        "range": [len(names) - 0.5, -0.5],
        "tickmode": "array",
        "tickvals": list(shown),
        "ticktext": texts,
    }


def _image(source: str, xref: str, yref: str, at: tuple[float, float], size: tuple[float, float]) -> dict:
    """Stretched from its upper left corner, so that a pixel of it is a pixel of the page."""
    placement = {
        "source": source,
        "xref": xref,
        "yref": yref,
        "x": at[0],
        "y": at[1],
        "sizex": size[0],
        "sizey": size[1],
    }
    return placement | {"xanchor": "left", "yanchor": "top", "sizing": "stretch", "layer": "above"}


def _scale_place(plot: int, height: int) -> tuple:
    """Where the scale stands, over the picture."""
    return "paper", "paper", (0, 1 + 18 / height), (_scale_width(plot), BAR_PX[1] / height)


def _scale_width(plot: int) -> float:
    return min(BAR_PX[0] / plot, 0.5)


def _scale_labels(resource: str, plot: int, height: int, look: theme.Look) -> list[dict]:
    where = {
        "xref": "paper",
        "yref": "paper",
        "showarrow": False,
        "yanchor": "bottom",
        "y": 1 + 18 / height,
        "font": {"size": 12, "color": look.muted},
    }
    scale_width = _scale_width(plot)
    ends = [(0, "left", "0 %"), (scale_width / 2, "center", "50 %"), (scale_width, "right", "100 %")]
    labels = [where | {"x": x, "xanchor": anchor, "text": text} for x, anchor, text in ends]
    unit_label = {
        "x": scale_width,
        "xanchor": "left",
        "xshift": 8,
        "yanchor": "middle",
        "y": 1 + (18 - BAR_PX[1] / 2) / height,
        "text": msg("figures.node_heatmap.allocated", resource=resource),
    }
    return [*labels, where | unit_label]


def _hover_points(
    share: np.ndarray, edges: np.ndarray, names: list[str], lines: NodeLines, plot: int
) -> dict:
    """Points nobody sees, near enough to each other that the pointer always finds one."""
    rows = np.arange(0, len(names), max(HOVER_PX // lines.px, 1))
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
        "text": [
            f"<b>{label[line]}</b> at {quantities.moment(round(ms))}"
            for line, ms in zip(row.tolist(), middle.tolist())
        ],
        "customdata": typed_array(100 * share[row, column], "f4"),
        "hovertemplate": "%{text}<br>%{customdata:.1~f} % held<extra></extra>",
        "showlegend": False,
    } | ({"ids": [f"node:{names[line]}" for line in row.tolist()]} if len(lines.line) == len(names) else {})
