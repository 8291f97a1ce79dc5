"""A run in words, for those who don't see the charts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine import NONE, OUTCOMES, WASTED, Run
from webapp import theme
from webapp.messages import msg

MAX_JOBS = 6


def describe(run: Run, summary: Mapping[str, Any], name: str = "", above: str = "") -> str:
    """What the charts of a run show, in a few sentences. summary: the run's metrics by key; name: of its
    scheduler, if not its own; above: how far its makespan is above the best possible, where that is known."""
    counts = {
        "jobs": run.workload.job_names,
        "containers": run.containers.job,
        "nodes": run.workload.node_names,
    }
    jobs, containers, nodes = (theme.count(len(things), noun) for noun, things in counts.items())
    head = f"{name or run.scheduler}: {jobs}, {containers} on {nodes}"
    if run.status != "finished":
        head += msg("figures.descriptions.deadlock_at", moment=theme.moment(run.at_ms))
    else:
        head += msg(
            "figures.descriptions.makespan",
            makespan_s=theme.duration(1000 * summary["makespan_s"]),
            ending=f" ({above})" if above else "",
        )
    used = msg(
        "figures.descriptions.vcores_and_memory_used",
        percent=theme.percent(summary["vcore_utilization"]),
        percent2=theme.percent(summary["memory_utilization"]),
    )
    counts = [(int((run.containers.outcome == outcome).sum()), OUTCOMES[outcome]) for outcome in WASTED]
    wasted = ", ".join(f"{theme.count(count, 'containers')} {word}" for count, word in counts if count)
    return ". ".join([f"{head}, {used}", *([wasted] if wasted else []), _order(run)]) + "."


def _order(run: Run) -> str:
    finish = run.jobs.finish
    done = np.flatnonzero(finish != NONE)
    if not len(done):
        return msg("figures.descriptions.no_job_finished")
    order = done[np.argsort(finish[done], kind="stable")]
    word = lambda job: msg("figures.descriptions.failed_at") if run.jobs.failed[job] else "at"
    named = [
        f"{run.workload.job_names[job]} {word(job)} {theme.moment(int(finish[job]))}"
        for job in order.tolist()
    ]
    if len(named) > MAX_JOBS:
        named = [*named[: MAX_JOBS - 1], msg("figures.descriptions.last", named=len(named), named2=named[-1])]
    return "Finished: " + ", ".join(named)
