"""Haste's initial task assignment: an empty node is filled once, as a knapsack (knapsack.py); from then on
requests are chosen in real time (HASTE-2, PLACE-4).

Ours       a node counts as filled for good once something on it has ended, or no map fits it any more
"""

from engine.schedulers.policy import NODE, REQUEST, RUN, StateArray, Term
from engine.schedulers.terms.knapsack import KNAPSACK_MEMORY, best_fill
from engine.schedulers.view import NONE, REDUCE, kind_of

FILL = Term(
    "fill",
    "In the best fill",
    REQUEST,
    "How many of it are in the best fill of the node, while it is filled for the first time.",
    "containers",
)
INITIAL = Term(
    "initial",
    "Initial assignment",
    RUN,
    "1 while the node is filled for the first time, as a knapsack, which asks for the best fill alone.",
)
FILL_MEMORY = (
    StateArray("filled", NODE, "int64"),
    StateArray("given_memory", NODE, "int64"),  # what the node was given while it is filled
    StateArray("given_vcores", NODE, "int64"),
    *KNAPSACK_MEMORY,
)


def is_first_fill(view, count, node):
    """Is the node still filled for the first time? Not once something on it has ended, or neither master nor
    map fits.
    """
    if view.filled[node] == 0:
        ended_memory = view.node_free_memory[node] != view.node_memory[node] - view.given_memory[node]
        ended_vcores = view.node_free_vcores[node] != view.node_vcores[node] - view.given_vcores[node]
        view.filled[node] = ended_memory or ended_vcores or only_reduces(view, count)
    return view.filled[node] == 0


def only_reduces(view, count):
    """Is there neither a master nor a map among the candidates?"""
    others = 0
    for position in range(count):
        others += kind_of(view, view.candidates[position]) != REDUCE
    return others == 0


def first_of_best_fill(view, count, node, w_memory, w_vcores):
    """The position of the first request of the node's best fill; NONE when rounding leaves none that fits."""
    chosen = best_fill(view, count, node, w_memory, w_vcores)
    view.initial[0] = 0.0 if chosen == NONE else 1.0
    return chosen


def add_to_fill(view, node, request):
    """What the choice takes of a node that is filled for the first time."""
    view.given_memory[node] += view.request_memory[request]
    view.given_vcores[node] += view.request_vcores[request]
