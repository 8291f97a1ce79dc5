"""HaSTE-A: HaSTE with iterative jobs pulled forward the nearer they are to their end.

Paper      haste, alignment; formulas §3. Confirmed: iterative jobs earlier, later iterations more so; the factor by the proportion of
           iterative jobs, none when they are the majority. Reconstructed: A = iteration / iterations, 0 for other jobs;
           P = norm(F) + norm(U) + factor x norm(A). Ours: factor auto = 1 - p while p, the share of iterative jobs among
           the running, is at most a half, else 0
Knows      as haste, and the running iteration
Ties       as haste
Cost       as haste
"""

import math

from engine.policies.order.fitness import STRIP, W_MEMORY, W_VCORES
from engine.policies.order.haste import ALIGNMENT, FACTOR, FILLS, HASTE_MEMORY, HASTE_TERMS, INITIAL, INITIAL_FACT, PREFERENCE_TERM, prefer
from engine.policies.policy import NOTES, ORDER, REQUESTS, Parameter, Policy, Term


def choose(view, count, node, parameters, running_jobs):
    return prefer(view, count, node, parameters[0], parameters[1], factor_of(parameters[2], running_jobs[1], running_jobs[0]))


def factor_of(given, iterative, running):
    """The weight of alignment: as given, or by the share of iterative jobs."""
    if not math.isnan(given):
        return given
    share = iterative / running if running > 0 else 0.0
    return 1.0 - share if share <= 0.5 else 0.0


AUTO = "weight of alignment; auto: 1 less the share of iterative jobs, 0 when they are the majority"
FACTOR_PARAMETER = Parameter("factor", None, AUTO, "ours", low=0, high=100, words="auto")
ALIGNMENT_TERM = Term("alignment", "Alignment", REQUESTS, ALIGNMENT, "The running iteration over all of them; 0 for a job with one.", strip=STRIP)
HASTE_A = Policy(
    "haste-a",
    "HaSTE-A",
    ORDER,
    choose,
    "haste, alignment; formulas §3 (reconstructed)",
    (W_MEMORY, W_VCORES, FACTOR_PARAMETER),
    rule=("the sum of its fitness, urgency and alignment is the highest", FILLS),
    ground=INITIAL,
    masters_first=True,
    terms=(*HASTE_TERMS, ALIGNMENT_TERM, PREFERENCE_TERM),
    facts=(INITIAL_FACT, Term("factor", "Factor", NOTES, FACTOR, "The weight of alignment.", strip="factor")),
    **HASTE_MEMORY,
)
