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
from webapp.figures.frame import BOTTOM_PX, base, plot_width, row_axis, time_axis
from webapp.figures.highlight import bright_groups
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.png import data_url, png
from webapp.figures.traces import image, marks, tick_names
from webapp.messages import msg

MAX_PX = 420  # height of the lines together
LINE_PX = 18  # of one, at most
LABEL_PX = 13
SHADES = 64
MIN_OPACITY = 0.05  # an idle node is not quite paper
DIM = 0.28
TOP_PX = 40
BAR_PX = (150, 10)  # of the scale of shades
SCALE_PX = 18  # from the picture up to its upper edge
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
    look, sides = theme.look(dark), named_margin(width) | {"t": TOP_PX}
    plot = plot_width(width, sides)
    lines = node_lines(run.workload.node_racks)
    edges, share = node_utilization(run, resource, plot, lines.line)
    count, height = len(lines.nodes), len(lines.nodes) * lines.px
    shade = 1 + np.rint(np.clip(share, 0, 1) * (SHADES - 1)).astype(np.int64)
    pixels = shade + SHADES * ~bright_groups(lines.nodes, highlighted)[:, None]
    scaled = np.repeat(pixels, lines.px, axis=0).astype(np.uint8)
    if lines.px >= GAP_FROM_PX:
        scaled[lines.px - 1 :: lines.px] = 0
    first, until = edges[0] / 1000, max(edges[-1] / 1000, edges[0] / 1000 + 0.001)
    names = [_line_name(run, nodes) for nodes in lines.nodes]
    colours, scale = palette(dark), np.arange(1, SHADES + 1, dtype=np.uint8)[None, :]
    scale_top, scale_width = 1 + SCALE_PX / height, min(BAR_PX[0] / plot, 0.5)
    layout = {
        "height": height + TOP_PX + BOTTOM_PX,
        "dragmode": False,
        "xaxis": time_axis("time ({})", (first, until), plot, look) | {"fixedrange": True},
        "yaxis": _row_axis(lines, names, name_chars(sides), look),
        "images": [
            image(data_url(png(scaled, colours)), first, -0.5, until - first, count),
            image(data_url(png(scale, colours)), 0, scale_top, scale_width, BAR_PX[1] / height, "paper"),
        ],
        "annotations": _scale_labels(resource, scale_width, height, look),
    }
    return {"data": [_hover_points(share, edges, names, lines, plot)], "layout": base(sides, dark) | layout}


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
    share = lambda resource: node_utilization(run, resource, 1).share[:, 0].tolist()
    ran = np.bincount(run.containers.node, minlength=len(work.node_names)).tolist()
    has_racks = any(work.node_racks)
    rows = zip(work.node_names, work.node_racks, share("memory"), share("vcores"), ran)
    return [
        {"Node": name}
        | ({"Rack": rack} if has_racks else {})
        | {"Memory used (%)": round(100 * m, 2), "Vcores used (%)": round(100 * v, 2), "Containers": number}
        for name, rack, m, v, number in rows
    ]


def heat_story(run: Run, resource: str) -> str:
    """The fullest and the emptiest node, and how many nodes share a line."""
    lines = node_lines(run.workload.node_racks)
    share = node_utilization(run, resource, 1).share[:, 0]
    fullest, emptiest = int(share.argmax()), int(share.argmin())
    names, percent = run.workload.node_names, lambda part: quantities.percent(float(part))
    text = msg(
        "figures.node_heatmap.under_nodes_used_on_average",
        scheduler=display_name(run.scheduler),
        percent=percent(share.mean()),
        resource=resource,
    )
    if share[fullest] > share[emptiest]:
        text += msg(
            "figures.node_heatmap.from_on_to_on",
            percent=percent(share[emptiest]),
            names=names[emptiest],
            percent2=percent(share[fullest]),
            names2=names[fullest],
        )
    if len(lines.nodes) < len(names):
        per_line = quantities.count(len(lines.nodes[0]), "nodes")
        text += msg("figures.node_heatmap.line_mean_up_to", count=per_line)
    idle = int((share == 0).sum())
    if not idle:
        return text + "."
    return text + msg("figures.node_heatmap.ran_nothing", count=quantities.count(idle, "nodes"))


def _line_name(run: Run, nodes: np.ndarray) -> str:
    names = run.workload.node_names
    return names[nodes[0]] if len(nodes) == 1 else f"{names[nodes[0]]} to {names[nodes[-1]]}"


def _row_axis(lines: NodeLines, names: list[str], max_chars: int, look: theme.Look) -> dict:
    shown = range(0, len(names), max(-(-LABEL_PX // lines.px), 1))
    first = (names[row].split(" to ")[0] if len(lines.nodes[row]) > 1 else names[row] for row in shown)
    span = [len(names) - 0.5, -0.5]
    return row_axis(tick_names(first, max_chars), look, range=span, tickvals=list(shown))


def _scale_labels(resource: str, width: float, height: int, look: theme.Look) -> list[dict]:
    place = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "y": 1 + SCALE_PX / height}
    where = place | {"showarrow": False, "font": {"size": 12, "color": look.muted}}
    ends = [(0, "left", "0 %"), (width / 2, "center", "50 %"), (width, "right", "100 %")]
    labels = [where | {"x": x, "xanchor": anchor, "text": text} for x, anchor, text in ends]
    beside = {"x": width, "xanchor": "left", "xshift": 8, "yanchor": "middle"}
    beside |= {"y": 1 + (SCALE_PX - BAR_PX[1] / 2) / height}
    unit = where | beside | {"text": msg("figures.node_heatmap.allocated", resource=resource)}
    return [*labels, unit]


def _hover_points(
    share: np.ndarray, edges: np.ndarray, names: list[str], lines: NodeLines, plot: int
) -> dict:
    """Points nobody sees, near enough to each other that the pointer always finds one."""
    rows = np.arange(0, len(names), max(HOVER_PX // lines.px, 1))
    columns = np.arange(0, share.shape[1], max(round(HOVER_PX * share.shape[1] / plot), 1))
    row, column = (grid.ravel() for grid in np.meshgrid(rows, columns, indexing="ij"))
    middle = (edges[column] + edges[column + 1]) / 2
    label = [escaped(shortened(name)) for name in names]
    texts = [
        f"<b>{label[line]}</b> at {quantities.moment(round(ms))}"
        for line, ms in zip(row.tolist(), middle.tolist())
    ]
    ids = {"ids": [f"node:{names[line]}" for line in row.tolist()]} if len(lines.line) == len(names) else {}
    hover = {
        "text": texts,
        "customdata": typed_array(100 * share[row, column], "f4"),
        "hovertemplate": "%{text}<br>%{customdata:.1~f} % held<extra></extra>",
    }
    unseen = {"opacity": 0, "size": 1}
    return marks(middle / 1000, typed_array(row, "f4"), unseen, showlegend=False) | hover | ids
