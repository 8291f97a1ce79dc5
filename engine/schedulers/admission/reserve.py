"""Reserve: a fixed amount of the cluster is kept from masters, for tasks (AUTOADMIN-1).

Paper      autoadmin §2.3: a master starts only if what all admitted masters hold leaves the reserve
Ours       an amount of vcores, of memory, or a fraction of both; no job overtakes one that is held back
Knows      what admitted masters hold
Cost       constant
"""

import math

from engine.resource_types import MEMORY, RESOURCE_COUNT, VCORES
from engine.schedulers.amounts import THE_RUN
from engine.schedulers.policy import ADMISSION, NO_OVERTAKING, RUN, Masters, Parameter, Policy, Term
from engine.schedulers.view import ADMIT, HOLD, MASTER, request_of


def may_start(job, view, vcores, memory_mb, fraction):
    view.masters_memory[0], view.masters_vcores[0] = view.admitted_memory, view.admitted_vcores
    are_left = leaves(view, job, VCORES, vcores) and leaves(view, job, MEMORY, memory_mb)
    for resource in range(RESOURCE_COUNT):
        part = fraction * view.cluster_resource[resource, THE_RUN]
        are_left = are_left and leaves(view, job, resource, part)
    return ADMIT if are_left else HOLD


def leaves(view, job, resource, reserve):
    """Would masters with the job's leave the reserve of a resource, if one is given?"""
    admitted = view.admitted_resource[resource, THE_RUN]
    master = view.request_resource[resource, request_of(view, job, MASTER)]
    return math.isnan(reserve) or view.cluster_resource[resource, THE_RUN] - admitted - master >= reserve


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
