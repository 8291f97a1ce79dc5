"""How good schedulers are, not only which is better: how far each is above what no scheduler can beat."""

from __future__ import annotations

from functools import lru_cache

from engine import MEASURED, Bound, NoBound, above, container_count, lower_bounds, parse, tightest
from webapp import theme
from webapp.services.runs import Task

MOST_CONTAINERS = 300_000  # whose bounds are found while one waits for a table
METRICS = {"makespan_s": "Makespan under any scheduler is at least", "mean_turnaround_s": "Mean turnaround is at least"}


def sentences(task: Task) -> str:
    """Of makespan and mean turnaround: the tightest bound, and how far above it each scheduler is at most; "" where none can be told."""
    if not task.simulated or container_count(task.scenario.plain()) > MOST_CONTAINERS:
        return ""
    try:
        found = [_sentence(task, metric, words) for metric, words in METRICS.items()]
    except NoBound as error:
        return f"{str(error)[:1].upper()}{str(error)[1:]}."
    return " ".join(one for one in found if one)


def _sentence(task: Task, metric: str, words: str) -> str:
    memory_only = all(parse(name).memory_only for name in task.simulated)
    bound = tightest(_bounds(task, memory_only), metric)
    if bound is None:
        return ""
    parts = []
    for one in task.outcomes():
        if one.run.scheduler == MEASURED.name or one.metrics[metric] is None:
            continue
        own = tightest(_bounds(task, parse(one.run.scheduler).memory_only), metric)
        parts.append((above(one.metrics[metric], own), one.run.scheduler))
    if not parts:
        return ""
    least = f"{theme.amount(bound.at_least, 's')} ({bound.title[:1].lower()}{bound.title[1:]})"
    first, *others = [f"{name} {'is at most ' if not place else ''}{_percent(share)}" for place, (share, name) in enumerate(sorted(parts))]
    return f"{words} {least}: {', '.join([f'{first} above that', *others])}."


def _percent(share: float) -> str:
    return f"{100 * share:.{0 if share >= 0.1 else 1}f}\N{NO-BREAK SPACE}%"


@lru_cache(maxsize=16)
def _bounds(task: Task, memory_only: bool) -> list[Bound]:
    return lower_bounds(task.scenario, memory_only)
