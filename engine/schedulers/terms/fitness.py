"""Fitness: how well a request's shape suits the room left on a node (haste; saf Eq. 1, confirmed there).

F = sum over resources q of R[q] C[q] w[q], with R the request and C what is free, both as shares of the node's
capacity (ours: in MB and vcores memory would swamp the rest; the papers give no unit), w the weight, 1.
"""

from engine.policies.policy import REQUESTS, Parameter, Term

W_MEMORY = Parameter("w_memory", 1.0, "weight of memory in fitness and in a request's size", "saf, worked example", low=0.0, high=1000.0)
W_VCORES = Parameter("w_vcores", 1.0, "weight of vcores", "saf, worked example", low=0.0, high=1000.0)
FITNESS = 0  # row of request_notes
STRIP = "fitness, urgency"
FITNESS_TERM = Term("fitness", "Fitness", REQUESTS, FITNESS, "Request times free room, as shares of the node, over both resources.", strip=STRIP)


def fitness(memory, vcores, free_memory, free_vcores, node_memory, node_vcores, w_memory, w_vcores):
    """F of one container on a node; memory in MB."""
    return w_memory * (memory / node_memory) * (free_memory / node_memory) + w_vcores * (vcores / node_vcores) * (free_vcores / node_vcores)


def size(memory, vcores, node_memory, node_vcores, w_memory, w_vcores):
    """A request as one number: the weighted sum of its shares of a node."""
    return w_memory * memory / node_memory + w_vcores * vcores / node_vcores
