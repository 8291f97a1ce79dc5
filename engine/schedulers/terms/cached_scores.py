"""Scores of requests that are kept from decision to decision: the best of those that fit a node, without a look at the others.

Requests of one kind and size have a binary tree a score, in job order, whose nodes have the best score below them, NOTHING where none waits.
So of equals the first is found, and a job whose score changes costs the logarithm of the jobs. Who keeps scores is asked where room alone
decides (view.UNLISTED), is told in view.changed of every job that may score otherwise, and lists the candidates itself where it can't say.
"""

import math

from engine.schedulers.policy import REQUEST, RUN, Memory
from engine.schedulers.terms.masters import NONE
from engine.schedulers.view import MASTER, kind_of

MOST_SIZES = 64  # of more, all candidates are listed
NODES = 4  # of trees for each request: each has fewer than twice as many leaves as requests
NOTHING = -math.inf
UNKNOWN = -2  # the candidates are to be listed
NOT_YET, TOO_MANY = 0, -1  # counts of sizes


def scores_memory(scores):
    """The arrays of an order that keeps so many scores a request."""
    return (
        Memory("kept_sizes", RUN, "int64"),  # kinds and sizes; NOT_YET or TOO_MANY
        Memory("kept_kind", RUN, "int64", MOST_SIZES),
        Memory("kept_memory", RUN, "int64", MOST_SIZES),
        Memory("kept_vcores", RUN, "int64", MOST_SIZES),
        Memory("kept_begin", RUN, "int64", MOST_SIZES),  # of its trees: their first node stands one behind
        Memory("kept_leaves", RUN, "int64", MOST_SIZES),  # a power of 2
        Memory("kept_size", REQUEST, "int64"),
        Memory("kept_leaf", REQUEST, "int64"),
        Memory("kept_request", REQUEST, "int64", NODES),  # of a leaf
        Memory("kept_best", REQUEST, size=NODES * scores),  # the nodes of all trees, score by score
    )


def has_scores(view):
    """Are they kept? From the first decision without a list on, unless there are too many sizes."""
    return view.kept_sizes[0] > NOT_YET


def may_keep_scores(view):
    """Are they kept from now on? Cost: at first all requests x sizes."""
    if view.kept_sizes[0] == NOT_YET:
        plant(view)
    return has_scores(view)


def plant(view):
    """The sizes and their empty trees."""
    sizes = 0
    for request in range(len(view.request_memory)):
        size, memory, vcores = 0, view.request_memory[request], view.request_vcores[request]
        while size < sizes and not is_of(view, size, kind_of(request), memory, vcores):
            size += 1
        if size == MOST_SIZES:
            view.kept_sizes[0] = TOO_MANY
            return
        if size == sizes:
            view.kept_kind[size], view.kept_memory[size], view.kept_vcores[size] = kind_of(request), memory, vcores
            sizes += 1
        view.kept_size[request] = size
        view.kept_leaf[request] = view.kept_leaves[size]
        view.kept_leaves[size] += 1
    begin = 0
    for size in range(sizes):
        leaves = 1
        while leaves < view.kept_leaves[size]:
            leaves *= 2
        view.kept_leaves[size], view.kept_begin[size] = leaves, begin
        begin += 2 * leaves
    for request in range(len(view.request_memory)):
        size = view.kept_size[request]
        view.kept_leaf[request] += view.kept_leaves[size]
        view.kept_request[view.kept_begin[size] + view.kept_leaf[request]] = request
    view.kept_best[:] = NOTHING
    view.kept_sizes[0] = sizes


def is_of(view, size, kind, memory, vcores):
    """Is it the size of such a request?"""
    return view.kept_kind[size] == kind and view.kept_memory[size] == memory and view.kept_vcores[size] == vcores


def keep_score(view, score, request, value):
    """The request's score is this from now on."""
    base = score * len(view.kept_request) + view.kept_begin[view.kept_size[request]]
    node = view.kept_leaf[request]
    while node > 0 and view.kept_best[base + node] != value:
        view.kept_best[base + node] = value
        node //= 2
        value = max(view.kept_best[base + 2 * node], view.kept_best[base + 2 * node + 1])


def best_below(view, score, size, node):
    """The best score of the requests below a node of the size's tree, 1 for all."""
    return view.kept_best[score * len(view.kept_request) + view.kept_begin[size] + node]


def has_room(view, size, node):
    """Does one container of the size fit the node now?"""
    has_vcores = view.counts_vcores[0] == 0 or view.kept_vcores[size] <= view.node_free_vcores[node]
    return has_vcores and view.kept_memory[size] <= view.node_free_memory[node]


def first_of_best(view, score, node, kind):
    """The first request of those that fit the node with the best score, of one kind or (NONE) of all; NONE where there is none."""
    found, best = NONE, NOTHING
    for size in range(view.kept_sizes[0]):
        if (kind == NONE or view.kept_kind[size] == kind) and has_room(view, size, node):
            value = best_below(view, score, size, 1)
            if value > best or (value == best and found != NONE):
                first = first_below(view, score, size, value)
                found = first if value > best else min(found, first)
                best = value
    return found


def first_below(view, score, size, value):
    """The first of the size with a score that is the best of its tree."""
    node = 1
    while node < view.kept_leaves[size]:
        node *= 2
        if best_below(view, score, size, node) != value:
            node += 1
    return view.kept_request[view.kept_begin[size] + node]


def first_waiting_master(view, score, node):
    """The first master that fits, NONE without one; masters have a score of 0 alone while they wait."""
    return first_of_best(view, score, node, MASTER)


def list_candidates(view, node):
    """Write view.candidates where nobody has: what waits and fits; how many."""
    count = 0
    for place in range(view.waiting_count[0]):
        request = view.waiting_requests[place]
        has_vcores = view.counts_vcores[0] == 0 or view.request_vcores[request] <= view.node_free_vcores[node]
        if has_vcores and view.request_memory[request] <= view.node_free_memory[node]:
            view.candidates[count] = request
            count += 1
    return count


def put_first(view, request):
    """The choice stands first of what was not listed."""
    view.candidates[0] = request
    return 0
