"""A run in words, for those who don't see the charts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine import Run, quantities
from engine.dashboard import NONE, OUTCOMES, WASTED, display_name, refusal_reasons
from webapp.messages import msg

MAX_JOBS = 6
MAX_REFUSED = 3


def describe(run: Run, summary: Mapping[str, Any], name: str = "", above: str = "") -> str:
    """What the charts of a run show, in a few sentences. summary: the run's metrics by key; name: of its
    scheduler, if not its own; above: how far its makespan is above the best possible, where that is known."""
    jobs = quantities.count(len(run.workload.job_names), run.noun)
    containers = quantities.count(len(run.containers.job), "containers")
    nodes = quantities.count(len(run.workload.node_names), "nodes")
    head = f"{name or display_name(run.scheduler)}: {jobs}, {containers} on {nodes}"
    if run.status == "refused":
        head += msg("figures.descriptions.every_job_refused")
    elif run.status == "deadlock":
        head += msg("figures.descriptions.deadlock_at", moment=quantities.moment(run.at_ms))
    else:
        head += msg(
            "figures.descriptions.makespan",
            makespan_s=quantities.duration(1000 * summary["makespan_s"]),
            ending=f" ({above})" if above else "",
        )
    used = msg(
        "figures.descriptions.vcores_and_memory_used",
        percent=quantities.percent(summary["vcore_utilization"]),
        percent2=quantities.percent(summary["memory_utilization"]),
    )
    counts = [(int((run.containers.outcome == outcome).sum()), OUTCOMES[outcome]) for outcome in WASTED]
    wasted = ", ".join(f"{quantities.count(count, 'containers')} {word}" for count, word in counts if count)
    refused = refusal_reasons(run)
    told = [msg("figures.descriptions.refused", reasons="; ".join(_first(list(refused.values()))))]
    parts = [f"{head}, {used}", *([wasted] if wasted else []), _order(run), *(told if refused else [])]
    return ". ".join(parts) + "."


def _first(named: list[str]) -> list[str]:
    """All, or the first few and how many more there are."""
    more = len(named) - MAX_REFUSED
    return [*named[:MAX_REFUSED], msg("figures.descriptions.more", more=more)] if more > 0 else named


def _order(run: Run) -> str:
    finish = run.jobs.finish
    done = np.flatnonzero(finish != NONE)
    if not len(done):
        return msg("figures.descriptions.no_job_finished")
    order = done[np.argsort(finish[done], kind="stable")]
    word = lambda job: msg("figures.descriptions.failed_at") if run.jobs.failed[job] else "at"
    named = [
        f"{run.workload.job_names[job]} {word(job)} {quantities.moment(int(finish[job]))}"
        for job in order.tolist()
    ]
    if len(named) > MAX_JOBS:
        named = [*named[: MAX_JOBS - 1], msg("figures.descriptions.last", named=len(named), named2=named[-1])]
    return "Finished: " + ", ".join(named)
