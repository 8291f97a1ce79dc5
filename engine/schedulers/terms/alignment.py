"""Alignment: how near an iterative job is to its end (haste, alignment; HASTE-A-1 to HASTE-A-4).

Reconstructed  A = iteration / iterations, 0 for other jobs
Ours       factor auto = 1 - p while p, the share of iterative jobs among the running, is at most a half, else
           0
"""

import math

from engine.schedulers.policy import REQUEST, Parameter, Term
from engine.schedulers.terms.fitness import STRIP

AUTO = "weight of alignment; auto: 1 less the share of iterative jobs, 0 when they are the majority"
FACTOR = Parameter("factor", None, AUTO, "ours", low=0, high=100, none_word="auto")
ALIGNMENT = Term(
    "alignment",
    "Alignment",
    REQUEST,
    "The running iteration over all of them; 0 for a job with one.",
    strip=STRIP,
)


def alignment_of(view, job):
    """A of a job."""
    return view.job_iteration[job] / view.job_iterations[job] if view.job_iterations[job] > 1 else 0.0


def factor_of(factor, iterative, running):
    """The weight of alignment: as given, or by the share of iterative jobs."""
    if not math.isnan(factor):
        return factor
    share = iterative / running if running > 0 else 0.0
    return 1.0 - share if share <= 0.5 else 0.0
