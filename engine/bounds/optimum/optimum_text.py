"""An optimum as text: a sentence, progress lines during the search, and values for JSON."""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.bounds.bound_text import NEGLIGIBLE_GAP, above_text, percent_above
from engine.bounds.optimum.optimum import Optimum
from engine.bounds.optimum.plan_solver import SearchProgress
from engine.messages import msg
from engine.simulation.run import Run

PROVED_BY = {"solver": "CP-SAT", "energy": msg("bounds.optimum_text.energy_between_heads_and_tails")}
RELAXED = msg("bounds.optimum_text.plan_knows_every_duration_and_no")


def optimum_sentence(optimum: Optimum) -> str:
    """What was found and what is proved."""
    origin = (
        msg("bounds.optimum_text.run", scheduler=optimum.scheduler)
        if optimum.scheduler
        else msg("bounds.optimum_text.plan_simulator_followed")
    )
    result = _exact(optimum.found_s)
    if optimum.is_proved:
        return msg("bounds.optimum_text.optimum_proved_no_schedule_shorter", found=result, origin=origin)
    by = PROVED_BY.get(optimum.by, msg("bounds.optimum_text.bounds"))
    at_least = msg("bounds.optimum_text.at_least_proved_by", at_least=_exact(optimum.at_least_s), by=by)
    return msg(
        "bounds.optimum_text.optimum_found_gap_not_proved",
        found=result,
        origin=origin,
        at_least=at_least,
        gap=percent_above(optimum.gap),
    )


def relaxed_sentence(optimum: Optimum) -> str:
    """What a plan knows, and what the bound leaves out."""
    slow = "" if optimum.keeps_slowstart else msg("bounds.optimum_text.reduces_may_start_with_maps_as")
    return f"{RELAXED}{slow}."


def progress_line(progress: SearchProgress) -> str:
    """Such as 12 s: best 13 min 32 s, at least 13 min 10.4 s, gap 2.7 %."""
    return msg(
        "bounds.optimum_text.after_best_at_least",
        elapsed=quantities.duration(1000 * round(progress.seconds)),
        best=quantities.duration(1000 * progress.best_s),
        at_least=quantities.duration(1000 * progress.at_least_s),
        gap=percent_above(progress.gap),
    )


def progress_text(progress: SearchProgress) -> str:
    """Such as Best found 13 min 32 s, proved at least 13 min 10.4 s, gap 2.8 %; the gap is rounded up."""
    at_least = (
        msg(
            "bounds.optimum_text.proved_at_least_gap",
            at_least=quantities.duration(1000 * progress.at_least_s),
            gap=percent_above(progress.gap),
        )
        if progress.at_least_s
        else ""
    )
    return msg(
        "bounds.optimum_text.best_found_2",
        best=quantities.duration(1000 * progress.best_s),
        at_least=at_least,
    )


def above_optimum(makespan_s: float | None, optimum: Optimum) -> float | None:
    """By what share a makespan is more than the best found; None in a deadlock, and where that is 0."""
    return None if makespan_s is None or not optimum.found_s else makespan_s / optimum.found_s - 1


def above_sentence(run: Run, makespan_s: float | None, optimum: Optimum) -> str:
    """How far a compared scheduler is from the best found and from the bound."""
    above = above_optimum(makespan_s, optimum)
    if above is None or makespan_s is None:
        return (
            msg("bounds.optimum_text.no_makespan_for_ends_in_deadlock", scheduler=run.scheduler)
            if makespan_s is None
            else f"{run.scheduler}: {_exact(makespan_s)}."
        )
    of_bound = f", {above_text(makespan_s / optimum.at_least_s - 1)}" if optimum.at_least_s else ""
    distance = (
        msg("bounds.optimum_text.above_best_found", above=quantities.percent(above))
        if above >= NEGLIGIBLE_GAP
        else msg("bounds.optimum_text.best_found")
    )
    return f"{run.scheduler}: {_exact(makespan_s)}, {distance}{of_bound}."


def _exact(seconds: float) -> str:
    return quantities.duration(1000 * seconds, exact=True)


def optimum_plain(optimum: Optimum) -> dict[str, Any]:
    """For JSON."""
    return {
        "makespan_s": optimum.found_s,
        "at_least_s": optimum.at_least_s,
        "gap": optimum.gap,
        "proved": optimum.is_proved,
        "proved_by": optimum.by,
        "scheduler": optimum.scheduler or None,
        "keeps_slowstart": optimum.keeps_slowstart,
        "seconds": optimum.seconds,
    }
