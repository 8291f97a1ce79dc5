"""Scores of requests that are kept from decision to decision: the best of those that fit a node, without a
look at the others.

Requests of one kind and size have a binary tree a score, in job order, whose nodes have the best score below
them, NOTHING where none waits. So of equals the first is found, and a job whose score changes costs the
logarithm of the jobs. An index that keeps them gets in view.changed every job whose score may have changed.
"""

import math

from engine.schedulers.policy import REQUEST, RUN, StateArray
from engine.schedulers.view import MASTER, NONE, kind_of

MAX_SIZES = 64  # of more, candidates are listed
TREE_NODES_PER_REQUEST = 4  # of trees for each request: each has fewer than twice as many leaves as requests
NOTHING = -math.inf
NOT_COUNTED, TOO_MANY = 0, -1  # counts of sizes


def score_arrays(scores):
    """The arrays of an index that keeps so many scores a request."""
    return (
        StateArray("cached_sizes", RUN, "int64"),  # kinds and sizes; NOT_COUNTED or TOO_MANY
        StateArray("cached_kind", RUN, "int64", MAX_SIZES),
        StateArray("cached_memory", RUN, "int64", MAX_SIZES),
        StateArray("cached_vcores", RUN, "int64", MAX_SIZES),
        StateArray(
            "cached_offset", RUN, "int64", MAX_SIZES
        ),  # of its trees: their first node stands one behind
        StateArray("cached_leaves", RUN, "int64", MAX_SIZES),  # a power of 2
        StateArray("cached_size", REQUEST, "int64"),
        StateArray("cached_leaf", REQUEST, "int64"),
        StateArray("cached_request", REQUEST, "int64", TREE_NODES_PER_REQUEST),  # of a leaf
        StateArray(
            "cached_best", REQUEST, size=TREE_NODES_PER_REQUEST * scores
        ),  # the nodes of all trees, score by score
    )


def has_scores(view):
    """Are they kept already?"""
    return view.cached_sizes[0] > NOT_COUNTED


def ensure_scores(view):
    """Are they kept from now on? Not of too many sizes. Cost: at first all requests x sizes."""
    if view.cached_sizes[0] == NOT_COUNTED:
        build_trees(view)
    return has_scores(view)


def build_trees(view):
    """The sizes and their empty trees."""
    sizes = 0
    for request in range(len(view.request_memory)):
        size, memory, vcores = 0, view.request_memory[request], view.request_vcores[request]
        while size < sizes and not is_size_of(view, size, kind_of(view, request), memory, vcores):
            size += 1
        if size == MAX_SIZES:
            view.cached_sizes[0] = TOO_MANY
            return
        if size == sizes:
            view.cached_kind[size], view.cached_memory[size], view.cached_vcores[size] = (
                kind_of(view, request),
                memory,
                vcores,
            )
            sizes += 1
        view.cached_size[request] = size
        view.cached_leaf[request] = view.cached_leaves[size]
        view.cached_leaves[size] += 1
    begin = 0
    for size in range(sizes):
        leaves = 1
        while leaves < view.cached_leaves[size]:
            leaves *= 2
        view.cached_leaves[size], view.cached_offset[size] = leaves, begin
        begin += 2 * leaves
    for request in range(len(view.request_memory)):
        size = view.cached_size[request]
        view.cached_leaf[request] += view.cached_leaves[size]
        view.cached_request[view.cached_offset[size] + view.cached_leaf[request]] = request
    view.cached_best[:] = NOTHING
    view.cached_sizes[0] = sizes


def is_size_of(view, size, kind, memory, vcores):
    """Is it the size of such a request?"""
    return (
        view.cached_kind[size] == kind
        and view.cached_memory[size] == memory
        and view.cached_vcores[size] == vcores
    )


def update_score(view, score, request, value):
    """The request's score is this from now on."""
    base = score * len(view.cached_request) + view.cached_offset[view.cached_size[request]]
    node = view.cached_leaf[request]
    while node > 0 and view.cached_best[base + node] != value:
        view.cached_best[base + node] = value
        node //= 2
        value = max(view.cached_best[base + 2 * node], view.cached_best[base + 2 * node + 1])


def best_below(view, score, size, node):
    """The best score of the requests below a node of the size's tree, 1 for all."""
    return view.cached_best[score * len(view.cached_request) + view.cached_offset[size] + node]


def fits_node(view, size, node):
    """Does one container of the size fit the node now?"""
    has_vcores = view.counts_vcores == 0 or view.cached_vcores[size] <= view.node_free_vcores[node]
    return has_vcores and view.cached_memory[size] <= view.node_free_memory[node]


def first_with_best_score(view, score, node, kind):
    """The first request of those that fit the node with the best score, of one kind or (NONE) of all; NONE
    where there is none.
    """
    chosen, best = NONE, NOTHING
    for size in range(view.cached_sizes[0]):
        if (kind == NONE or view.cached_kind[size] == kind) and fits_node(view, size, node):
            value = best_below(view, score, size, 1)
            if value > best or (value == best and chosen != NONE):
                first = first_with_score(view, score, size, value)
                chosen = first if value > best else min(chosen, first)
                best = value
    return chosen


def first_with_score(view, score, size, value):
    """The first of the size with a score that is the best of its tree."""
    node = 1
    while node < view.cached_leaves[size]:
        node *= 2
        if best_below(view, score, size, node) != value:
            node += 1
    return view.cached_request[view.cached_offset[size] + node]


def first_waiting_master(view, score, node):
    """The first master that fits, NONE without one; masters have a score of 0 alone while they wait."""
    return first_with_best_score(view, score, node, MASTER)
