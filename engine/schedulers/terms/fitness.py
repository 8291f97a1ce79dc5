"""Fitness: how well a request's shape suits what is free on a node (haste; saf Eq. 1, confirmed there;
HASTE-3).

F = sum over resources q of R[q] C[q] w[q], with R the request and C what is free, both as shares of the
node's capacity (ours: in MB and vcores memory would swamp the rest; the papers give no unit), w the weight,
1.
"""

from engine.schedulers.policy import REQUEST, Parameter, Term

W_MEMORY = Parameter(
    "w_memory",
    1.0,
    "weight of memory in fitness and in a request's size",
    "saf, worked example",
    low=0.0,
    high=1000.0,
)
W_VCORES = Parameter("w_vcores", 1.0, "weight of vcores", "saf, worked example", low=0.0, high=1000.0)
STRIP = "fitness, urgency"
FITNESS = Term(
    "fitness",
    "Fitness",
    REQUEST,
    "Request times free room, as shares of the node, over both resources.",
    strip=STRIP,
)


def fitness_of(view, request, node, w_memory, w_vcores):
    """F of one container of a request on a node."""
    memory, vcores = view.request_memory[request], view.request_vcores[request]
    return fitness_of_size(view, memory, vcores, node, w_memory, w_vcores)


def fitness_of_size(view, memory, vcores, node, w_memory, w_vcores):
    """F of a container of a size on a node."""
    of_memory = fitness(memory, view.node_free_memory[node], view.node_memory[node], w_memory)
    return of_memory + fitness(vcores, view.node_free_vcores[node], view.node_vcores[node], w_vcores)


def fitness(asked, free, capacity, weight):
    """What one resource adds to F."""
    return weight * (asked / capacity) * (free / capacity)


def size(memory, vcores, node_memory, node_vcores, w_memory, w_vcores):
    """A request as one number: the weighted sum of its shares of a node."""
    return w_memory * memory / node_memory + w_vcores * vcores / node_vcores
