"""The record a policy file ends with: its name, what it may be told, and its function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

ORDER, REDUCE_START, ADMISSION = "order", "reduce start", "admission"
HOOKS = {ORDER: ("node", "count"), REDUCE_START: ("job", "now"), ADMISSION: ("job", "now")}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a policy. Either `choices`, or a number from `low` to `high`; source is paper, Hadoop or ours.

    default None: not given (the policy reads NaN).
    """

    name: str
    default: float | str | None
    meaning: str
    source: str
    choices: tuple[str, ...] = ()
    low: float = float("-inf")
    high: float = float("inf")


@dataclass(frozen=True)
class Policy:
    """An order, a reduce-start rule or an admission rule.

    function: named parameters are View fields and the two numbers of its hook (HOOKS):
      order         (node, count) -> position in candidates[:count], or LEAVE
      reduce start  (job, now)    -> ASK or NOT_YET
      admission     (job, now)    -> ADMIT or HOLD
    rule: what the chosen request has over the others, to follow "because".
    limits: which limits of queues the engine holds for it: "", "max_share" or "max_capacity".
    notes, job_notes: how many float64 of its own memory it needs, in all and beside that for each job.
    """

    name: str
    title: str
    role: str
    function: Callable[..., int]
    source: str
    parameters: tuple[Parameter, ...] = ()
    rule: str = ""
    limits: str = ""
    notes: int = 0
    job_notes: int = 0


RESOURCES = Parameter(
    "resources",
    "both",
    "what must fit and what capacity counts: both, or memory alone as Hadoop's DefaultResourceCalculator",
    "Hadoop",
    choices=("both", "memory"),
)
