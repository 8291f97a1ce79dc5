"""First fit decreasing by dot product: the request whose shape suits what is free on the node best.

Paper      haste (there the baseline FFD-DP); fitness alone, saf Eq. 1
Knows      what is free on the node, sizes of requests
Ties       job order; in a job the map before the reduce, or as `ties` says (the paper is silent). Masters come before all (ours: as haste has them)
Cost       one pass over the candidates
"""

from dataclasses import replace

from engine.schedulers.policy import ORDER, Policy
from engine.schedulers.terms.fitness import FITNESS, W_MEMORY, W_VCORES, fitness_of
from engine.schedulers.terms.masters import NONE, TIES, first_master, is_higher


def choose(view, node, candidates, count, fitness, w_memory, w_vcores, ties):
    master = first_master(candidates, count)
    if master != NONE:
        return master
    best = 0
    for position in range(count):
        fitness[candidates[position]] = fitness_of(view, candidates[position], node, w_memory, w_vcores)
        if is_higher(fitness, candidates[position], candidates[best], ties):
            best = position
    return best


FFD_DP = Policy(
    "ffd-dp",
    "First fit decreasing, dot product",
    ORDER,
    choose,
    "haste, baseline FFD-DP; saf Eq. 1",
    (W_MEMORY, W_VCORES, TIES),
    rule="its shape suits the free room best",
    masters_first=True,
    terms=(replace(FITNESS, sense=1),),
)
