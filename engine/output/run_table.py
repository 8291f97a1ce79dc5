"""The runs of a scenario as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import quantities
from engine.analysis.metrics import METRICS, UNDONE, Metric, contenders, summary
from engine.messages import msg
from engine.output.text_columns import format_block, split_blocks
from engine.scenario.model import Scenario
from engine.schedulers.labels import simulated
from engine.simulation.refused_jobs import refusal_reasons
from engine.simulation.run import Run

MAX_REFUSED = 5  # jobs of which is told why they were refused
BEST_MARK, NO_MARK = " *", "  "
UNITS = {"s": "s", "share": "%", "x": "x"}  # that a line's head names, for its numbers stand without


def table(scenario: Scenario, runs: Sequence[Run], width: int = 100) -> str:
    """One line a metric and one column a scheduler, the best of those that are simulated marked; more
    schedulers than fit in `width` stand below.

    A deadlock is reported in a sentence.
    """
    work = runs[0].workload
    title = [
        f"{scenario.name or 'Scenario'}: {quantities.count(len(work.job_names), runs[0].noun)} on "
        f"{quantities.count(len(work.node_names), 'nodes')}"
    ]
    summaries = [summary(run) for run in runs]
    simulated_names = simulated(run.scheduler for run in runs)
    compared = [place for place, run in enumerate(runs) if run.scheduler in simulated_names]
    columns = [
        [run.scheduler + NO_MARK, *cells]
        for run, cells in zip(runs, zip(*(_cells(metric, summaries, compared) for metric in METRICS)))
    ]
    heads = [
        "",
        *(quantities.title_with_unit(metric.title, UNITS.get(metric.unit, "")) for metric in METRICS),
    ]
    parts = [format_block(heads, block) for block in split_blocks(columns, width - max(map(len, heads)))]
    notes = [_best_note(summaries, compared)] if len(compared) > 1 else []
    notes += [
        msg(
            "output.run_table.deadlock_at",
            scheduler=run.scheduler,
            moment=quantities.moment(run.at_ms),
            because=run.because,
        )
        for run in runs
        if run.status == "deadlock"
    ]
    notes += [note for run in runs for note in _refusals(run)]
    return "\n\n".join(["\n".join(lines) for lines in [title, *parts, notes] if lines]) + "\n"


def _best_note(summaries: Sequence[dict[str, Any]], compared: Sequence[int]) -> str:
    """What the mark means: of which schedulers the best is meant."""
    count = len(compared)
    if contenders(summaries, compared) == contenders(summaries, compared, UNDONE[0]):
        return msg("output.run_table.best_schedulers", strip=BEST_MARK.strip(), simulated_names=count)
    return msg("output.run_table.best_of_fewest_undone", strip=BEST_MARK.strip(), count=count)


def _refusals(run: Run) -> list[str]:
    """A line a job that was refused, of the first few; one alone where all were."""
    if run.status == "refused":
        return [msg("output.run_table.all_refused", scheduler=run.scheduler, because=run.because)]
    reasons = list(refusal_reasons(run).values())
    lines = [
        msg("output.run_table.refused_job", scheduler=run.scheduler, because=reason)
        for reason in reasons[:MAX_REFUSED]
    ]
    if len(reasons) > MAX_REFUSED:
        more = quantities.count(len(reasons) - MAX_REFUSED, run.noun)
        lines.append(msg("output.run_table.more_refused", scheduler=run.scheduler, more=more))
    return lines


def _cells(metric: Metric, summaries: Sequence[dict[str, Any]], places: Sequence[int]) -> list[str]:
    """The texts of one metric under all schedulers; of those at `places` that it may rank the best are marked
    where they differ.
    """
    compared = contenders(summaries, places, metric.key)
    values = [run_summary[metric.key] for run_summary in summaries]
    distinct_values = {values[place] for place in compared}
    best = (
        {"smaller": min, "larger": max}[metric.better](distinct_values)
        if metric.better and len(distinct_values) > 1
        else None
    )
    return [
        _text(metric.unit, value) + (BEST_MARK if place in compared and value == best else NO_MARK)
        for place, value in enumerate(values)
    ]


def _text(unit: str, value: float | None) -> str:
    if value is None:
        return quantities.NO_VALUE
    if unit == "s":
        return f"{value:,.3f}"
    if unit == "share":
        return f"{100 * value:.1f}"
    return f"{value:.2f}" if unit == "x" else f"{value:,}"
