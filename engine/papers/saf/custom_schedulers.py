"""Schedulers whose orders are not in the catalogue."""

from __future__ import annotations

from engine.papers.columns import FULL_NAMES
from engine.papers.saf.published_code import PUBLISHED
from engine.papers.saf.readings import BY_REQUEST, HEAD_OF_LINE
from engine.schedulers.legacy_names import parse_in_full
from engine.schedulers.policy import Policy
from engine.schedulers.scheduler import Part, Scheduler


def scheduler(policy: Policy, **given: float | str) -> Scheduler:
    """The order with the parameters given, the others as they are, and with the rules of the other
    columns.
    """
    usual = parse_in_full(FULL_NAMES["fifo"])
    values = tuple(given.get(parameter.name, parameter.default) for parameter in policy.parameters)
    return Scheduler(Part(policy, values), usual.reduce_start, usual.admission)


AS_PUBLISHED = scheduler(PUBLISHED)
DRF_BY_REQUEST = scheduler(BY_REQUEST)
SAF_BY_REQUEST = scheduler(BY_REQUEST, pick="annealed")
LARGEST_FIRST = scheduler(BY_REQUEST, pick="most")
IN_LINE = scheduler(HEAD_OF_LINE)
