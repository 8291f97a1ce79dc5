"""How far runs are above the lower bounds, in words. "At most" is kept by rounding up."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine import quantities
from engine.bounds.lower_bounds import MAKESPAN, TURNAROUND, Bound, NoBound, above, lower_bounds, tightest
from engine.messages import msg
from engine.scenario.model import Scenario
from engine.schedulers.measured_policy import MEASURED
from engine.simulation.run import Run

NEGLIGIBLE_GAP = 5e-5  # a share below this is nothing: 0.005 %
WHOLE_PERCENT_FROM = 0.1  # from here on in whole percent
NAMES = {MAKESPAN: "makespan", TURNAROUND: msg("shared.mean_turnaround_2")}


def percent_above(share: float) -> str:
    """A share of 1, rounded up: "23 %", "4.1 %"; "0 %" of what is as good as nothing."""
    if share < NEGLIGIBLE_GAP:
        return quantities.percent(0)
    steps = 100 if share >= WHOLE_PERCENT_FROM else 1000
    return quantities.percent(math.ceil(share * steps - 1e-9) / steps)


def above_text(share: float) -> str:
    """ "at most 23 % above the best possible", "the best possible"."""
    return (
        msg("bounds.bound_text.best_possible")
        if share < NEGLIGIBLE_GAP
        else msg("bounds.bound_text.at_most_above_best_possible", percent_above=percent_above(share))
    )


def bound_sentences(
    runs: Sequence[Run],
    metrics: Sequence[Mapping[str, Any]],
    bounds: Sequence[Sequence[Bound]],
    format_seconds: Callable[[float], str],
) -> list[str]:
    """For makespan and mean turnaround: the tightest lower bound, which one it is, and how far above it each
    run is at most.

    metrics, bounds: of each run; format_seconds: s -> text. Runs that count memory alone are held against
    memory's bounds, in sentences of their own.
    """
    sentences = []
    is_mixed = len({run.memory_only for run, run_bounds in zip(runs, bounds, strict=True) if run_bounds}) > 1
    openings = {
        False: msg("bounds.bound_text.where_vcores_count_too_no") if is_mixed else "No",
        True: msg("bounds.bound_text.where_memory_alone_counts_no"),
    }
    for metric, name in NAMES.items():
        for memory_only in (False, True):
            rows = []
            for run, values, run_bounds in zip(runs, metrics, bounds, strict=True):
                bound = tightest(run_bounds, metric)
                share = above(values[metric], bound) if run.memory_only is memory_only else None
                if bound is not None and share is not None:
                    rows.append((share, run.scheduler, bound))
            if rows:
                sentences.append(
                    _sentence(
                        msg(
                            "bounds.bound_text.scheduler_can_beat", openings=openings[memory_only], name=name
                        ),
                        rows,
                        format_seconds,
                    )
                )
    return sentences


def _sentence(
    opening: str, rows: Sequence[tuple[float, str, Bound]], format_seconds: Callable[[float], str]
) -> str:
    bound = rows[0][2]
    ordered = sorted(rows, key=lambda row: row[0])
    reaching = [name for share, name, _ in ordered if share < NEGLIGIBLE_GAP]
    parts = (
        [f"{' and '.join(reaching)} {'reaches' if len(reaching) == 1 else 'reach'} it"] if reaching else []
    )
    for place, (share, name, _) in enumerate(ordered[len(reaching) :]):
        parts.append(
            f"{name} {percent_above(share)}"
            if place
            else msg("bounds.bound_text.at_most_above", name=name, percent_above=percent_above(share))
        )
    return (
        f"{opening} {format_seconds(bound.at_least)} ({bound.title[:1].lower()}{bound.title[1:]}): "
        f"{', '.join(parts)}."
    )


def run_notes(scenario: Scenario, runs: Sequence[Run], metrics: Sequence[Mapping[str, Any]]) -> list[str]:
    """The sentences for a table of runs in text, or why there are none; [] where all was measured."""
    simulated = [
        (run, values) for run, values in zip(runs, metrics, strict=True) if run.scheduler != MEASURED.name
    ]
    if not simulated:
        return []
    try:
        bounds = {
            memory_only: lower_bounds(scenario, memory_only)
            for memory_only in {run.memory_only for run, _ in simulated}
        }
    except NoBound as error:
        return [f"{str(error)[:1].upper()}{str(error)[1:]}."]
    return bound_sentences(
        [run for run, _ in simulated],
        [values for _, values in simulated],
        [bounds[run.memory_only] for run, _ in simulated],
        lambda seconds: quantities.duration(1000 * seconds, exact=True),
    )
