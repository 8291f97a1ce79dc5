"""What a container did, in words: the text under the pointer."""

from __future__ import annotations

import numpy as np

from engine import KILLED, MAP, MASTER, NONE, REDUCE, RUNNING, Run
from webapp import theme
from webapp.figures.plotly_arrays import escaped, shortened

WORDS = {MASTER: "master", MAP: "map", REDUCE: "reduce"}


def details(run: Run, containers: np.ndarray) -> list[str]:
    """The text of each of these containers (indices into run.containers), names escaped, lines parted by <br>."""
    work = run.workload
    fields = [field[containers].tolist() for field in run.containers]
    sizes: dict[tuple[int, int], str] = {}
    nodes = [escaped(shortened(name)) + (f" in {escaped(shortened(rack))}" if rack else "") for name, rack in zip(work.node_names, work.node_racks)]
    found = []
    for job, stage, kind, index, attempt, node, requested, start, shuffle_end, end, outcome in zip(*fields):
        if (job, kind) not in sizes:
            request = 3 * job + kind
            sizes[job, kind] = f"{theme.memory(int(work.request_memory[request]))}, {theme.vcores(int(work.request_vcores[request]))}"
        task = WORDS[kind] if kind == MASTER else f"{WORDS[kind]} {index}"
        if work.job_iterations[job] > 1:
            task += f", iteration {stage}"
        if attempt > 1:
            task += f", attempt {attempt}"
        lines = [
            f"<b>{escaped(shortened(work.job_names[job]))}</b> {task}",
            f"{nodes[node]}: {sizes[job, kind]}",
            f"asked for at {theme.seconds(requested)}, waited {theme.duration(start - requested)}",
        ]
        until = run.at_ms if end == NONE else end
        if kind == REDUCE:
            lines.append(_span("shuffle", start, until if shuffle_end == NONE else shuffle_end))
            if shuffle_end != NONE:
                fetching = min(round(work.job_maps[job] * work.job_fetch_ms[job]), shuffle_end - start)
                lines.append(f"of it {theme.duration(fetching)} fetching, {theme.duration(shuffle_end - start - fetching)} waiting for maps")
                lines.append(_span("reduce", shuffle_end, until))
        else:
            lines.append(_span(WORDS[kind], start, until))
        if outcome == KILLED:
            lines.append(f"killed after {theme.duration(until - start)}: work lost")
        if outcome == RUNNING:
            lines.append("never ends: deadlock")
        found.append("<br>".join(lines))
    return found


def _span(what: str, start: int, end: int) -> str:
    return f"{what} {theme.duration(end - start)}, {theme.seconds(start)} to {theme.seconds(end)}"
