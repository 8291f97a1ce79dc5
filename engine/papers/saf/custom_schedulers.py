"""Schedulers whose orders are not in the catalogue."""

from __future__ import annotations

from typing import Any

from engine.papers.columns import FULL_NAMES
from engine.papers.saf.pairwise import PAIRWISE
from engine.papers.saf.published_code import PUBLISHED
from engine.papers.saf.readings import HEAD_OF_LINE
from engine.schedulers.legacy_names import parse_in_full
from engine.schedulers.policy import Policy
from engine.schedulers.scheduler import Part, Scheduler


def scheduler(policy: Policy, *, like: str = "", **given: float | str) -> Scheduler:
    """The order with the parameters given, the others as they are. like: a scheduler written in full, whose
    other rules it has; those of the other columns if none is named.
    """
    usual = parse_in_full(like or FULL_NAMES["fifo"])
    values = tuple(given.get(parameter.name, parameter.default) for parameter in policy.parameters)
    return Scheduler(Part(policy, values), usual.reduce_start, usual.admission)


def saf_by_request(**given: Any) -> Scheduler:
    """Algorithm 1 on Fig. 2's shares, with these of its parameters."""
    return scheduler(PAIRWISE, shares="request", **given)


SAF_PAIRWISE = scheduler(PAIRWISE)
AS_PUBLISHED = scheduler(PUBLISHED)
DRF_BY_REQUEST = saf_by_request(pick="least")
SAF_BY_REQUEST = saf_by_request()
LARGEST_FIRST = saf_by_request(pick="most")
IN_LINE = scheduler(HEAD_OF_LINE)
