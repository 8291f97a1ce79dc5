"""What is said of an optimum: in a sentence, line by line while it is looked for, and as plain values."""

from __future__ import annotations

from typing import Any

from engine.bounds.bound_words import OPTIMAL, above_words, percent_above
from engine.bounds.optimum.optimum import Optimum
from engine.bounds.optimum.plan_solver import SearchProgress
from engine.simulation.run import Run

PROVED_BY = {"solver": "CP-SAT", "energy": "the energy between heads and tails"}
RELAXED = (
    "A plan knows every duration, and no limit of a queue holds it back. The bound leaves out contention, stragglers, distance and drawn launches, and takes "
    "fetching at the nominal rate"
)


def optimum_sentence(found: Optimum) -> str:
    """What was found and what is proved."""
    whose = f"the run of {found.of}" if found.of else "a plan that the simulator followed"
    if found.is_proved:
        return f"Optimum: {found.found_s:,.3f} s, {whose}; proved: no schedule is shorter."
    by = PROVED_BY.get(found.by, "the bounds")
    least = f"at least {found.at_least_s:,.3f} s, proved by {by}"
    return f"Optimum: {found.found_s:,.3f} s found, {whose}; {least}; gap {100 * found.gap:.1f} %, not proved optimal."


def relaxed_sentence(found: Optimum) -> str:
    """What a plan knows, and what the bound leaves out."""
    slow = "" if found.own_slowstart else ". Reduces may start with the maps, as a compared scheduler does not keep the jobs' slow start"
    return f"{RELAXED}{slow}."


def progress_line(heard: SearchProgress) -> str:
    """Such as 12 s: best 812.0 s, at least 790.4 s, gap 2.7 %."""
    return f"{heard.seconds:.0f} s: best {heard.best_s:,.1f} s, at least {heard.at_least_s:,.1f} s, gap {100 * heard.gap:.1f} %"


def progress_words(heard: SearchProgress) -> str:
    """Such as Best found 812.0 s, proved at least 790.4 s, gap 2.8 %; the gap is rounded up."""
    least = f", proved at least {heard.at_least_s:,.1f} s, gap {percent_above(heard.gap)}" if heard.at_least_s else ""
    return f"Best found {heard.best_s:,.1f} s{least}"


def above_optimum(makespan_s: float | None, found: Optimum) -> float | None:
    """By what share a makespan is more than the best found; None in a deadlock, and where that is 0."""
    return None if makespan_s is None or not found.found_s else makespan_s / found.found_s - 1


def above_sentence(run: Run, makespan_s: float | None, found: Optimum) -> str:
    """How far a compared scheduler is from the best found and from the bound."""
    above = above_optimum(makespan_s, found)
    if above is None:
        return f"{run.scheduler}: no makespan, for it ends in a deadlock." if makespan_s is None else f"{run.scheduler}: {makespan_s:,.3f} s."
    of_bound = f", {above_words(makespan_s / found.at_least_s - 1)}" if found.at_least_s else ""
    said = f"{100 * above:.1f} % above the best found" if above >= OPTIMAL else "the best found"
    return f"{run.scheduler}: {makespan_s:,.3f} s, {said}{of_bound}."


def optimum_plain(found: Optimum) -> dict[str, Any]:
    """For JSON."""
    return {
        "makespan_s": found.found_s,
        "at_least_s": found.at_least_s,
        "gap": found.gap,
        "proved": found.is_proved,
        "proved_by": found.by,
        "scheduler": found.of or None,
        "keeps_slowstart": found.own_slowstart,
        "seconds": found.seconds,
    }
