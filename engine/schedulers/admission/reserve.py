"""Reserve: a fixed amount of the cluster is kept from masters, for tasks (AUTOADMIN-1).

Paper      autoadmin §2.3: a master starts only if what all admitted masters hold leaves the reserve
Ours       an amount of vcores, of memory, or a fraction of both; no job overtakes one that is held back
Knows      what admitted masters hold
Cost       constant
"""

import math

from engine.schedulers.policy import ADMISSION, NO_OVERTAKING, RUN, Masters, Parameter, Policy, Term
from engine.schedulers.view import ADMIT, HOLD, MASTER, request_of


def may_start(job, view, vcores, memory_mb, fraction):
    request = request_of(view, job, MASTER)
    view.masters_memory[0], view.masters_vcores[0] = view.admitted_memory, view.admitted_vcores
    remaining_memory = view.cluster_memory - view.admitted_memory - view.request_memory[request]
    remaining_vcores = view.cluster_vcores - view.admitted_vcores - view.request_vcores[request]
    leaves_amounts = leaves(remaining_vcores, vcores) and leaves(remaining_memory, memory_mb)
    leaves_fraction = leaves(remaining_vcores, fraction * view.cluster_vcores) and leaves(
        remaining_memory, fraction * view.cluster_memory
    )
    return ADMIT if leaves_amounts and leaves_fraction else HOLD


def leaves(remaining, reserve):
    """Is the reserve left, if one is given?"""
    return math.isnan(reserve) or remaining >= reserve


MASTERS_FACTS = (
    Term(
        "masters_memory",
        "Masters' memory",
        RUN,
        "Of all admitted masters, before this one.",
        "MB",
        strip="memory",
    ),
    Term(
        "masters_vcores",
        "Masters' vcores",
        RUN,
        "Of all admitted masters, before this one.",
        "vcores",
        strip="vcores",
    ),
)
RESERVE = Policy(
    "reserve",
    "Static reserve",
    ADMISSION,
    may_start,
    "autoadmin §2.3",
    (
        Parameter("vcores", None, "vcores reserved for tasks", "autoadmin §2.3", low=0, high=1e9),
        Parameter("memory_mb", None, "memory in MB reserved for tasks", "ours", low=0, high=1e12),
        Parameter(
            "fraction", None, "share of memory and of vcores reserved for tasks", "ours", low=0, high=1
        ),
    ),
    rule="with it the ApplicationMasters do not use the reserve",
    masters=Masters(overtaking=NO_OVERTAKING),
    facts=MASTERS_FACTS,
)
