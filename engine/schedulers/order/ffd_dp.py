"""First fit decreasing by dot product: the request whose shape suits the node's free room best.

Paper      haste (there the baseline FFD-DP); fitness alone, saf Eq. 1
Knows      what is free on the node, sizes of requests
Ties       job order; in a job the map before the reduce. Masters come before all (ours: as haste has them)
Cost       one pass over the candidates
"""

from dataclasses import replace

from engine.policies.order.fitness import FITNESS_TERM, W_MEMORY, W_VCORES, fitness
from engine.policies.order.masters import NONE, first_master, prefers
from engine.policies.policy import ORDER, Policy


def choose(
    node, candidates, count, request_memory, request_vcores, node_memory, node_vcores, node_free_memory, node_free_vcores, request_notes, parameters
):  # fmt: skip
    best = first_master(candidates, count)
    if best != NONE:
        return best
    for position in range(count):
        request = candidates[position]
        request_notes[request] = fitness(
            request_memory[request], request_vcores[request], node_free_memory[node], node_free_vcores[node],
            node_memory[node], node_vcores[node], parameters[0], parameters[1],
        )  # fmt: skip
        if best == NONE or prefers(request_notes[request], request_notes[candidates[best]], request, candidates[best]):
            best = position
    return best


FFD_DP = Policy(
    "ffd-dp",
    "First fit decreasing, dot product",
    ORDER,
    choose,
    "haste, baseline FFD-DP; saf Eq. 1",
    (W_MEMORY, W_VCORES),
    rule="its shape suits the free room best",
    masters_first=True,
    request_notes=1,
    terms=(replace(FITNESS_TERM, sense=1),),
)
