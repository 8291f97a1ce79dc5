"""An optimum as text: a sentence, progress lines during the search, and values for JSON."""

from __future__ import annotations

from typing import Any

from engine.bounds.bound_text import NEGLIGIBLE_GAP, above_text, percent_above
from engine.bounds.optimum.optimum import Optimum
from engine.bounds.optimum.plan_solver import SearchProgress
from engine.simulation.run import Run

PROVED_BY = {"solver": "CP-SAT", "energy": "the energy between heads and tails"}
RELAXED = (
    "A plan knows every duration, and no limit of a queue holds it back. The bound leaves out contention, "
    "stragglers, distance and drawn launches, and takes "
    "fetching at the nominal rate"
)


def optimum_sentence(optimum: Optimum) -> str:
    """What was found and what is proved."""
    origin = f"the run of {optimum.scheduler}" if optimum.scheduler else "a plan that the simulator followed"
    if optimum.is_proved:
        return f"Optimum: {optimum.found_s:,.3f} s, {origin}; proved: no schedule is shorter."
    by = PROVED_BY.get(optimum.by, "the bounds")
    at_least = f"at least {optimum.at_least_s:,.3f} s, proved by {by}"
    return (
        f"Optimum: {optimum.found_s:,.3f} s found, {origin}; {at_least}; gap {100 * optimum.gap:.1f} %, "
        "not proved optimal."
    )


def relaxed_sentence(optimum: Optimum) -> str:
    """What a plan knows, and what the bound leaves out."""
    slow = (
        ""
        if optimum.keeps_slowstart
        else ". Reduces may start with the maps, as a compared scheduler does not keep the jobs' slow start"
    )
    return f"{RELAXED}{slow}."


def progress_line(progress: SearchProgress) -> str:
    """Such as 12 s: best 812.0 s, at least 790.4 s, gap 2.7 %."""
    return (
        f"{progress.seconds:.0f} s: best {progress.best_s:,.1f} s, at least {progress.at_least_s:,.1f} s, "
        f"gap {100 * progress.gap:.1f} %"
    )


def progress_text(progress: SearchProgress) -> str:
    """Such as Best found 812.0 s, proved at least 790.4 s, gap 2.8 %; the gap is rounded up."""
    at_least = (
        f", proved at least {progress.at_least_s:,.1f} s, gap {percent_above(progress.gap)}"
        if progress.at_least_s
        else ""
    )
    return f"Best found {progress.best_s:,.1f} s{at_least}"


def above_optimum(makespan_s: float | None, optimum: Optimum) -> float | None:
    """By what share a makespan is more than the best found; None in a deadlock, and where that is 0."""
    return None if makespan_s is None or not optimum.found_s else makespan_s / optimum.found_s - 1


def above_sentence(run: Run, makespan_s: float | None, optimum: Optimum) -> str:
    """How far a compared scheduler is from the best found and from the bound."""
    above = above_optimum(makespan_s, optimum)
    if above is None:
        return (
            f"{run.scheduler}: no makespan, for it ends in a deadlock."
            if makespan_s is None
            else f"{run.scheduler}: {makespan_s:,.3f} s."
        )
    of_bound = f", {above_text(makespan_s / optimum.at_least_s - 1)}" if optimum.at_least_s else ""
    distance = f"{100 * above:.1f} % above the best found" if above >= NEGLIGIBLE_GAP else "the best found"
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
