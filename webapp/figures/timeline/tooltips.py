"""What a container did, in words: the text under the pointer."""

from __future__ import annotations

from engine import KILLED, MAP, MASTER, NONE, REDUCE, RUNNING, Run, fetching_ms
from webapp import theme
from webapp.figures.plotly_arrays import shortened

WORDS = {MASTER: "master", MAP: "map", REDUCE: "reduce"}


def details(run: Run, container: int) -> list[str]:
    """Lines about this container (an index into run.containers): the first names it, the others say what it did. Plain text: who writes markup escapes it."""
    work = run.workload
    job, stage, kind, index, attempt, node, requested, start, shuffle_end, end, outcome = (int(field[container]) for field in run.containers[:11])
    request = 3 * job + kind
    task = WORDS[kind] if kind == MASTER else f"{WORDS[kind]} {index}"
    if work.job_iterations[job] > 1:
        task += f", iteration {stage}"
    if attempt > 1:
        task += f", attempt {attempt}"
    rack = work.node_racks[node]
    where = shortened(work.node_names[node]) + (f" in {shortened(rack)}" if rack else "")
    lines = [
        f"{shortened(work.job_names[job])} {task}",
        f"{where}: {theme.memory(int(work.request_memory[request]))}, {theme.vcores(int(work.request_vcores[request]))}",
        f"asked for at {theme.moment(requested)}, waited {theme.duration(start - requested)}",
    ]
    until = run.at_ms if end == NONE else end
    if kind == REDUCE:
        lines.append(_span("shuffle", start, until if shuffle_end == NONE else shuffle_end))
        if shuffle_end != NONE:
            fetching = fetching_ms(run, container)
            lines.append(f"of it {theme.duration(fetching)} fetching, {theme.duration(shuffle_end - start - fetching)} waiting for maps")
            lines.append(_span("reduce", shuffle_end, until))
    else:
        lines.append(_span(WORDS[kind], start, until))
    if outcome == KILLED:
        lines.append(f"killed after {theme.duration(until - start)}: work lost")
    if outcome == RUNNING:
        lines.append("never ends: deadlock")
    return lines


def _span(what: str, start: int, end: int) -> str:
    return f"{what} {theme.duration(end - start)}, {theme.moment(start)} to {theme.moment(end)}"
