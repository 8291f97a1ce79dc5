"""An optimum as text: a sentence, progress lines during the search, and values for JSON."""

from __future__ import annotations

from typing import Any

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
    if optimum.is_proved:
        return msg(
            "bounds.optimum_text.optimum_s_proved_no_schedule_shorter", found_s=optimum.found_s, origin=origin
        )
    by = PROVED_BY.get(optimum.by, msg("bounds.optimum_text.bounds"))
    at_least = msg("bounds.optimum_text.at_least_s_proved_by", at_least_s=optimum.at_least_s, by=by)
    return msg(
        "bounds.optimum_text.optimum_s_found_gap_not_proved",
        found_s=optimum.found_s,
        origin=origin,
        at_least=at_least,
        gap=100 * optimum.gap,
    )


def relaxed_sentence(optimum: Optimum) -> str:
    """What a plan knows, and what the bound leaves out."""
    slow = "" if optimum.keeps_slowstart else msg("bounds.optimum_text.reduces_may_start_with_maps_as")
    return f"{RELAXED}{slow}."


def progress_line(progress: SearchProgress) -> str:
    """Such as 12 s: best 812.0 s, at least 790.4 s, gap 2.7 %."""
    return msg(
        "bounds.optimum_text.s_best_s_at_least_s",
        seconds=progress.seconds,
        best_s=progress.best_s,
        at_least_s=progress.at_least_s,
        gap=100 * progress.gap,
    )


def progress_text(progress: SearchProgress) -> str:
    """Such as Best found 812.0 s, proved at least 790.4 s, gap 2.8 %; the gap is rounded up."""
    at_least = (
        msg(
            "bounds.optimum_text.proved_at_least_s_gap",
            at_least_s=progress.at_least_s,
            percent_above=percent_above(progress.gap),
        )
        if progress.at_least_s
        else ""
    )
    return msg("bounds.optimum_text.best_found_s", best_s=progress.best_s, at_least=at_least)


def above_optimum(makespan_s: float | None, optimum: Optimum) -> float | None:
    """By what share a makespan is more than the best found; None in a deadlock, and where that is 0."""
    return None if makespan_s is None or not optimum.found_s else makespan_s / optimum.found_s - 1


def above_sentence(run: Run, makespan_s: float | None, optimum: Optimum) -> str:
    """How far a compared scheduler is from the best found and from the bound."""
    above = above_optimum(makespan_s, optimum)
    if above is None:
        return (
            msg("bounds.optimum_text.no_makespan_for_ends_in_deadlock", scheduler=run.scheduler)
            if makespan_s is None
            else f"{run.scheduler}: {makespan_s:,.3f} s."
        )
    of_bound = f", {above_text(makespan_s / optimum.at_least_s - 1)}" if optimum.at_least_s else ""
    distance = (
        msg("bounds.optimum_text.above_best_found", above=100 * above)
        if above >= NEGLIGIBLE_GAP
        else msg("bounds.optimum_text.best_found")
    )
    return f"{run.scheduler}: {makespan_s:,.3f} s, {distance}{of_bound}."


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
