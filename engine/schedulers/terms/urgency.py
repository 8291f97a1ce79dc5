"""Urgency: how much a job's running reduces wait for its maps (haste; reconstructed, HASTE-4 to HASTE-6).

Rules (confirmed)  1 the further the maps, the more urgent they are  2 so too the more its reduces hold 3
                   reduces before maps iff what its reduces hold / what all its tasks hold < map progress
Equations (by the tokens that were left of the paper's text; their operators are ours)
    U^m = A^m/T^m x A^r R^r        U^r = U^m x A^m/T^m x (O^m R^m + O^r R^r) / (O^r R^r)
with A assigned, T all, O running tasks, R the size of one. The paper's common denominator cancels in the
normalisation. Ours: where no reduce has finished A^r R^r and O^r R^r cancel, also at 0 (its limit); where no
reduce runs but some have finished, U^r = U^m.
"""

from engine.schedulers.policy import REQUEST, Term
from engine.schedulers.terms.fitness import STRIP, size
from engine.schedulers.view import MAP, REDUCE, request_of

URGENCY = Term(
    "urgency",
    "Urgency",
    REQUEST,
    "How much the job's reduces wait for its maps, or its maps have done for its reduces.",
    strip=STRIP,
)


def urgency_of(view, job, node, w_memory, w_vcores):
    """(U^m, U^r) of a job, sizes as shares of this node."""
    return urgency_on(view, job, view.node_memory[node], view.node_vcores[node], w_memory, w_vcores)


def urgency_on(view, job, node_memory, node_vcores, w_memory, w_vcores):
    """(U^m, U^r) of a job on nodes of this capacity."""
    as_map, as_reduce = request_of(view, job, MAP), request_of(view, job, REDUCE)
    map_size = size(
        view.request_memory[as_map], view.request_vcores[as_map], node_memory, node_vcores, w_memory, w_vcores
    )
    reduce_size = size(
        view.request_memory[as_reduce],
        view.request_vcores[as_reduce],
        node_memory,
        node_vcores,
        w_memory,
        w_vcores,
    )
    return urgency(
        view.job_placed_maps[job], view.job_maps[job], view.job_placed_reduces[job],
        view.job_running_maps[job], view.job_running_reduces[job], map_size, reduce_size,
    )  # fmt: skip


def urgency(placed_maps, maps, placed_reduces, running_maps, running_reduces, map_size, reduce_size):
    """(U^m, U^r) by their numbers."""
    progress = placed_maps / maps
    map_urgency = progress * (placed_reduces * reduce_size)
    held = running_maps * map_size + running_reduces * reduce_size
    if running_reduces == placed_reduces:
        return map_urgency, progress * progress * held
    if running_reduces * reduce_size == 0.0:
        return map_urgency, map_urgency
    return map_urgency, map_urgency * progress * held / (running_reduces * reduce_size)
