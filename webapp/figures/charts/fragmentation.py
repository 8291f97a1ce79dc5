"""Free resources at one time: each node by its free vcores and memory, and what waits as corners: a node fits
what it is above and to the right of.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine import Run, quantities
from engine.dashboard import KINDS, FreeResources, WaitingSize, display_name, free_resources, waiting_sizes
from webapp import theme
from webapp.figures.charts.step_lines import legend, legend_margin, plain_margin
from webapp.figures.frame import FIXED_GRID, chart, plain_axis, plot_width, small, still
from webapp.figures.highlight import bright_groups
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.traces import lines, marks, told
from webapp.messages import msg

PLOT_PX = 300
MIN_PLOT_PX = 110  # of the plot, in a low drawer
MAX_SIZES = 6  # of what waits, those that want most memory together
MAX_NAMES = 5  # of nodes under the pointer
MIN_PX, MAX_PX = 9, 30  # of a circle
DIM = 0.25
KIND_WORDS = {"am": "masters", "map": "maps", "reduce": "reduces", "executor": "executors", "task": "tasks"}


class NodeGroups(NamedTuple):
    """Nodes with the same free resources: what is free on one of them, whether something that waits fits
    there, and indices of the nodes.
    """

    memory: np.ndarray
    vcores: np.ndarray
    fits: np.ndarray
    nodes: list[np.ndarray]

    @classmethod
    def of(cls, free: FreeResources, fits: np.ndarray) -> NodeGroups:
        """fits: bool[nodes]."""
        sizes, group_of_node, counts = np.unique(
            np.stack([free.memory, free.vcores, fits]), axis=1, return_inverse=True, return_counts=True
        )
        nodes = np.split(np.argsort(group_of_node.ravel(), kind="stable"), np.cumsum(counts)[:-1])
        return cls(sizes[0], sizes[1], sizes[2] > 0, nodes)


def fragmentation_figure(
    run: Run, at: int, *, highlighted: np.ndarray | None = None, dark: bool = False, width: int = 700
) -> dict:
    """A figure dict of the nodes at `at` ms; highlighted: bool[nodes], the others are dimmed, or None. Nodes
    with the same free resources are one circle.
    """
    look, sides = theme.look(dark), plain_margin(width)
    plot = plot_width(width, sides)
    free, all_sizes = free_resources(run, at), waiting_sizes(run, at)
    sizes = all_sizes[:MAX_SIZES]
    unit, per = _unit(run)
    groups = NodeGroups.of(free, fitting_nodes(run, free, all_sizes))
    bright = bright_groups(groups.nodes, highlighted)
    kinds = [
        (msg("figures.fragmentation.nodes_fit_waiting_request"), bright & groups.fits, False, 1.0),
        (msg("figures.fragmentation.nodes_fit_none"), bright & ~groups.fits, True, 1.0),
    ]
    kinds = kinds if sizes else [("nodes", bright, False, 1.0)]
    if not bright.all():
        kinds = [(msg("figures.fragmentation.not_highlighted"), ~bright, True, DIM), *kinds]
    data = [
        _circle_trace(run, groups, mask, title, hollow, per, theme.with_alpha(look.ink, strength), look)
        for title, mask, hollow, strength in kinds
    ]
    maxima = max(float(run.workload.node_vcores.max()), 1.0), float(run.workload.node_memory.max()) / per
    minima = min(float(free.vcores.min()), 0.0), min(float(free.memory.min()) / per, 0.0)
    span = [(low - 0.05 * high, 1.08 * high) for low, high in zip(minima, maxima)]
    data += [_corner_trace(run, size, number, span, per, look) for number, size in enumerate(sizes)]
    sides |= legend_margin([trace["name"] for trace in data], plot)
    titles = (
        msg("figures.fragmentation.free_vcores_node"),
        msg("figures.fragmentation.free_memory_node", unit=unit),
    )
    x_axis, y_axis = (
        plain_axis(look) | FIXED_GRID | {"title": small(title, look), "range": list(ends), "nticks": count}
        for title, ends, count in zip(titles, span, (max(plot // 60, 3), 6))
    )
    layout = still(legend(look)) | {"hoverdistance": 20, "xaxis": x_axis, "yaxis": y_axis}
    return chart(data, layout, sides, PLOT_PX, MIN_PLOT_PX, dark)


def fitting_nodes(run: Run, free: FreeResources, sizes: list[WaitingSize]) -> np.ndarray:
    """bool[nodes]: whether one container of any of these sizes fits there now, slots included."""
    fits = np.zeros(len(free.memory), bool)
    for size in sizes:
        slots = free.slots[list(size.kinds)].max(axis=0) > 0
        fits |= slots & (free.memory >= size.memory) & (run.memory_only | (free.vcores >= size.vcores))
    return fits


def size_text(run: Run, size: WaitingSize) -> str:
    """What waits: "12 maps of 2 GB, 1 vcore". Where no Spark runs, what is no task is a container of Tez."""
    has_executors = any(job.framework == "spark" for job in run.scenario.jobs)
    held = {} if has_executors else {"executor": "containers"}
    words = " and ".join((KIND_WORDS | held)[KINDS[kind]] for kind in size.kinds)
    words = words.removesuffix("s") if size.count == 1 else words
    return f"{size.count:,} {words} of {quantities.memory(size.memory)}, {quantities.vcores(size.vcores)}"


def fragmentation_rows(run: Run, at: int) -> list[dict]:
    """What waits by size, and then what is free on each node."""
    free = free_resources(run, at)
    names = run.workload.node_names
    rows = [
        {
            "What": "waits",
            "Name": size_text(run, size),
            "Memory (MB)": size.memory,
            "Vcores": size.vcores,
            "Containers": size.count,
            "Fit now": size.placeable,
            "Nodes that fit one": size.nodes,
        }
        for size in waiting_sizes(run, at)
    ]
    empty = {"Containers": None, "Fit now": None, "Nodes that fit one": None}
    per_node = zip(names, free.memory.tolist(), free.vcores.tolist())
    return rows + [
        {"What": "free", "Name": name, "Memory (MB)": memory, "Vcores": vcores} | empty
        for name, memory, vcores in per_node
    ]


def fragmentation_story(run: Run, at: int, why: str) -> str:
    """What is free, what waits, and what of it fits. why: what this time is."""
    free, sizes = free_resources(run, at), waiting_sizes(run, at)
    text = msg(
        "figures.fragmentation.under_at_and",
        scheduler=display_name(run.scheduler),
        moment=quantities.moment(at),
        why=why,
        memory=quantities.memory(int(free.memory.sum())),
        vcores=quantities.vcores(int(free.vcores.sum())),
    )
    available = quantities.count(int(((free.memory > 0) & (free.vcores > 0)).sum()), "nodes")
    text += msg("figures.fragmentation.available_on", count=available)
    if not sizes:
        return text + msg("figures.fragmentation.no_request_waits")
    groups = run.scenario.cluster.nodes
    limited = any(group.map_slots is not None or group.reduce_slots is not None for group in groups)
    counted = msg("figures.fragmentation.slots_counted") if limited else ""
    words = [f"{size_text(run, size)} ({_fit_text(size, counted)})" for size in sizes[:3]]
    more, left = "", ""
    if len(sizes) > 3:
        more = msg("figures.fragmentation.and", count=quantities.count(len(sizes) - 3, "further sizes"))
    if len(sizes) > MAX_SIZES:
        left = msg("figures.fragmentation.only_most_requested_sizes_shown", max_sizes=MAX_SIZES)
    words_said = "; ".join(words)
    return msg("figures.fragmentation.waiting_requests", text=text, words=words_said, more=more, left=left)


def _fit_text(size: WaitingSize, counted: str) -> str:
    """How many fit now, and where. counted: that slots are, where they are."""
    if not size.placeable:
        return msg("figures.fragmentation.none_fits_node")
    nodes = quantities.count(size.nodes, "nodes")
    return msg("figures.fragmentation.fit_now_on", placeable=size.placeable, count=nodes, counted=counted)


def _unit(run: Run) -> tuple[str, int]:
    return ("GB", 1024) if int(run.workload.node_memory.max()) >= 4096 else ("MB", 1)


def _circle_trace(
    run: Run,
    spots: NodeGroups,
    shown: np.ndarray,
    title: str,
    hollow: bool,
    per: int,
    ink: str,
    look: theme.Look,
) -> dict:
    """One trace of the spots that are shown. shown: bool[spots]."""
    chosen, names = np.flatnonzero(shown), run.workload.node_names
    sizes, texts, ids = [], [], []
    for spot in chosen.tolist():
        nodes = spots.nodes[spot]
        label = ", ".join(escaped(shortened(names[node])) for node in nodes[:MAX_NAMES])
        if len(nodes) > MAX_NAMES:
            label += msg("figures.fragmentation.and_more", nodes=len(nodes) - MAX_NAMES)
        free = f"{quantities.memory(int(spots.memory[spot]))}, {quantities.vcores(int(spots.vcores[spot]))}"
        texts.append(f"<b>{label}</b><br>free: {free}")
        ids.append(f"node:{names[nodes[0]]}" if len(nodes) == 1 else "")
        sizes.append(MIN_PX + (MAX_PX - MIN_PX) * math.sqrt((len(nodes) - 1) / len(names)))
    edge = {"width": 1.6, "color": ink if hollow else look.paper}
    marker = {"symbol": "circle-open" if hollow else "circle", "size": sizes, "color": ink, "line": edge}
    return marks(spots.vcores[chosen], spots.memory[chosen] / per, marker, name=title, ids=ids) | told(texts)


def _corner_trace(
    run: Run,
    size: WaitingSize,
    number: int,
    span: list[tuple[float, float]],
    per: int,
    look: theme.Look,
) -> dict:
    """From above down to its size and on to the right; where only memory must fit, a level line."""
    left, level = span[0][0] if run.memory_only else float(size.vcores), size.memory / per
    x, y = np.array([left, left, span[0][1]]), np.array([span[1][1], level, level])
    fit = "fits" if size.nodes == 1 else "fit"
    nodes = msg("figures.fragmentation.one", count=quantities.count(size.nodes, "nodes"), value=fit)
    dash = theme.DASHES[(number + 1) % len(theme.DASHES)]
    line = {"width": 1.6, "color": look.ink if number < 3 else look.muted, "dash": dash}
    name = size_text(run, size)
    hover = f"<b>{name}</b> wait<br>{nodes}<extra></extra>"
    return lines(x, y, line, name=name, hovertemplate=hover)
