"""Attempts that are slow, whatever they compute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.simulation.applications.attempt_draws import STRAGGLES, TAIL, attempt_draw

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def straggler_factor(s: State, job: int, attempt: int, stage: int, kind: int, index: int) -> float:
    """How many times as long an attempt computes: 1, or the factor of stragglers, with a Pareto tail that
    begins there.
    """
    if s.stragglers[0] == 0.0:
        return 1.0
    if attempt_draw(s.job_key[job], attempt, STRAGGLES, stage, kind, index) >= s.stragglers[0]:
        return 1.0
    if s.stragglers[2] == 0.0:
        return s.stragglers[1]
    return s.stragglers[1] * attempt_draw(s.job_key[job], attempt, TAIL, stage, kind, index) ** (
        -1.0 / s.stragglers[2]
    )
