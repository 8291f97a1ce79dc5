"""The runs of a scenario as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.analysis.metrics import METRICS, Metric, summary
from engine.output.text_columns import block_lines, blocks
from engine.scenario.model import Scenario
from engine.schedulers.names_beside import simulated
from engine.simulation.run import Run

MARK, UNMARKED = " *", "  "


def table(scenario: Scenario, runs: Sequence[Run], width: int = 100) -> str:
    """One line a metric and one column a scheduler, the best of those that are simulated marked; more schedulers than fit in `width` stand below.

    A deadlock is reported in a sentence.
    """
    work = runs[0].workload
    title = [f"{scenario.name or 'Scenario'}: {_count(len(work.job_names), 'job')} on {_count(len(work.node_names), 'node')}"]
    measured = [summary(run) for run in runs]
    own = simulated(run.scheduler for run in runs)
    compared = [run.scheduler in own for run in runs]
    columns = [[run.scheduler + UNMARKED, *cells] for run, cells in zip(runs, zip(*(_cells(metric, measured, compared) for metric in METRICS)))]
    heads = ["", *(metric.title for metric in METRICS)]
    parts = [block_lines(heads, block) for block in blocks(columns, width - max(map(len, heads)))]
    notes = [f"{MARK.strip()} best of {len(own)} schedulers"] if len(own) > 1 else []
    notes += [f"{run.scheduler}: deadlock at {run.at_ms / 1000:.10g} s: {run.because}" for run in runs if run.status == "deadlock"]
    return "\n\n".join(["\n".join(lines) for lines in [title, *parts, notes] if lines]) + "\n"


def _cells(metric: Metric, measured: Sequence[dict[str, Any]], compared: Sequence[bool]) -> list[str]:
    """The texts of one metric under all schedulers; of those compared that finished the best are marked where they differ."""
    finished = [one["makespan_s"] is not None and counts for one, counts in zip(measured, compared)]
    values = [one[metric.key] for one in measured]
    given = {value for value, compared in zip(values, finished) if compared}
    best = {"smaller": min, "larger": max}[metric.better](given) if metric.better and len(given) > 1 else None
    return [_text(metric.unit, value) + (MARK if compared and value == best else UNMARKED) for value, compared in zip(values, finished)]


def _text(unit: str, value: float | None) -> str:
    if value is None:
        return "–"
    if unit == "s":
        return f"{value:,.3f} s"
    if unit == "share":
        return f"{100 * value:.1f} %"
    return f"{value:.2f} x" if unit == "x" else f"{value:,}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
