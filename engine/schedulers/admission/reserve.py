"""Reserve: a fixed amount of the cluster is kept from masters, for tasks.

Paper      autoadmin §2.3: a master starts only if what all admitted masters hold leaves the reserve
Ours       an amount of vcores, of memory, or a fraction of both; no job overtakes one that is held back
Knows      what admitted masters hold
Cost       constant
"""

import math

from engine.policies.policy import ADMISSION, NO_OVERTAKING, NOTES, Parameter, Policy, Term
from engine.view import ADMIT, HOLD, KINDS, MASTER

MASTERS_MEMORY, MASTERS_VCORES = range(2)  # places in notes


def may_start(
    job, parameters, notes, cluster_memory, cluster_vcores, admitted_memory, admitted_vcores, request_memory, request_vcores
):  # fmt: skip
    notes[MASTERS_MEMORY], notes[MASTERS_VCORES] = admitted_memory[0], admitted_vcores[0]
    memory = cluster_memory[0] - admitted_memory[0] - request_memory[KINDS * job + MASTER]
    vcores = cluster_vcores[0] - admitted_vcores[0] - request_vcores[KINDS * job + MASTER]
    enough = leaves(vcores, parameters[0]) and leaves(memory, parameters[1])
    by_fraction = leaves(vcores, parameters[2] * cluster_vcores[0]) and leaves(memory, parameters[2] * cluster_memory[0])
    return ADMIT if enough and by_fraction else HOLD


def leaves(left, reserve):
    """Is the reserve left, if one is given?"""
    return math.isnan(reserve) or left >= reserve


MASTERS_FACTS = (
    Term("masters_memory", "Masters' memory", NOTES, MASTERS_MEMORY, "Of all admitted masters, before this one.", "MB", strip="memory"),
    Term("masters_vcores", "Masters' vcores", NOTES, MASTERS_VCORES, "Of all admitted masters, before this one.", "vcores", strip="vcores"),
)
RESERVE = Policy(
    "reserve",
    "Static reserve",
    ADMISSION,
    may_start,
    "autoadmin §2.3",
    (
        Parameter("vcores", None, "vcores kept from masters", "autoadmin §2.3", low=0, high=1e9),
        Parameter("memory_mb", None, "memory in MB kept from masters", "ours", low=0, high=1e12),
        Parameter("fraction", None, "share of memory and of vcores kept from masters", "ours", low=0, high=1),
    ),
    rule="with it the masters leave the reserve",
    notes=2,
    line=NO_OVERTAKING,
    facts=MASTERS_FACTS,
)
