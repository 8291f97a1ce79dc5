"""First fit decreasing by dot product: the request whose shape suits what is free on the node best (HASTE-3).

Paper      haste (there the baseline FFD-DP); fitness alone, saf Eq. 1
Jobs       of any framework
Knows      what is free on the node, sizes of requests
Ties       job order; in a job the map before the reduce, or as `ties` says (the paper is silent). Masters
           come before all (ours: as haste has them)
Ours       priorities=yes: of a job only what Hadoop's own schedulers would offer, reduces (priority 10)
           before maps (20), whether or not they fit (RMContainerAllocator, AppSchedulingInfo)
Cost       one pass over the candidates; by its index (indexes/best_fit.py) the logarithm of the jobs for
           each whose requests changed, and for each size
"""

from dataclasses import replace

from engine.schedulers.indexes.best_fit import BEST_FIT
from engine.schedulers.policy import ORDER, Policy
from engine.schedulers.terms.fitness import FITNESS, W_MEMORY, W_VCORES, fitness_of
from engine.schedulers.terms.masters import TIES, first_master, is_higher
from engine.schedulers.terms.offers import PRIORITIES, is_offered
from engine.schedulers.view import LEAVE, NONE


def choose(view, node, candidates, count, fitness, w_memory, w_vcores, ties, priorities):
    master = first_master(view, count)
    if master != NONE:
        return master
    best = LEAVE
    for position in range(count):
        request = candidates[position]
        fitness[request] = fitness_of(view, request, node, w_memory, w_vcores)
        if is_offered(view, request, priorities) and (
            best == LEAVE or is_higher(view, fitness, request, candidates[best], ties)
        ):
            best = position
    return best


FFD_DP = Policy(
    "ffd-dp",
    "First fit decreasing, dot product",
    ORDER,
    choose,
    "haste, baseline FFD-DP; saf Eq. 1",
    (W_MEMORY, W_VCORES, TIES, PRIORITIES),
    rule="it fits the available resources best",
    masters_first=True,
    terms=(replace(FITNESS, direction=1),),
    index=BEST_FIT,
)
