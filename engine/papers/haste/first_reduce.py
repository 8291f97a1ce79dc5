"""Other readings of HaSTE's urgency where it is not defined: a job that has no reduce yet, whose U^r is 0 / 0
in what is left of the formula.

The engine's reading is the limit (terms/urgency.py): such a reduce is the more urgent, the more room its
job's maps hold. None of these is adopted.
"""

from __future__ import annotations

from dataclasses import replace

from engine.schedulers.legacy_names import parse_in_full
from engine.schedulers.order.haste import before_preference, note_choice, prefer, rate
from engine.schedulers.scheduler import Scheduler
from engine.schedulers.terms.masters import highest
from engine.schedulers.view import NONE, REDUCE, job_of, kind_of


def first_at_zero(view, count, node, w_memory, w_vcores, ties):
    """HaSTE whose first reduce has an urgency of 0."""
    chosen = before_preference(view, count, node, w_memory, w_vcores)
    if chosen == NONE:
        rate(view, count, node, w_memory, w_vcores)
        for position in range(count):
            request = view.candidates[position]
            if kind_of(view, request) == REDUCE and view.job_placed_reduces[job_of(view, request)] == 0:
                view.urgency[request] = 0.0
        prefer(view, count)
        chosen = highest(view, view.preference, count, ties)
    return note_choice(view, node, chosen)


def first_not_preferred(view, count, node, w_memory, w_vcores, ties):
    """HaSTE whose first reduce comes after everything else that fits."""
    chosen = before_preference(view, count, node, w_memory, w_vcores)
    if chosen == NONE:
        rate(view, count, node, w_memory, w_vcores)
        prefer(view, count)
        for position in range(count):
            request = view.candidates[position]
            if kind_of(view, request) == REDUCE and view.job_placed_reduces[job_of(view, request)] == 0:
                view.preference[request] = -1.0
        chosen = highest(view, view.preference, count, ties)
    return note_choice(view, node, chosen)


READINGS = {"0": first_at_zero, "lower than any other": first_not_preferred}


def read_otherwise(scheduler: str) -> dict[str, Scheduler]:
    """HaSTE, written in full, with each of these readings, by what the first reduce's urgency is taken
    for.
    """
    plain = parse_in_full(scheduler)
    return {
        words: replace(
            plain,
            order=replace(plain.order, policy=replace(plain.order.policy, function=function, index=None)),
        )
        for words, function in READINGS.items()
    }
