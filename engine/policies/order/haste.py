"""HaSTE: first fill each node as a knapsack, then prefer what fits the node and what its job needs most urgently.

Paper      haste; formulas §1, 2: fitness confirmed, urgency and the sum reconstructed (fitness.py, urgency.py, knapsack.py)
           preference P = norm(F) + norm(U), each normalised over the requests that fit: (x - min) / (max - min)
Knows      free room, sizes, assigned and running maps and reduces of the jobs
Ours       a term without a range counts 0; assigned maps are map progress (by the tokens); a node counts as filled for good
           once something on it has ended, or no map fits it any more
Ties       job order; in a job the map before the reduce. Masters come before all (confirmed)
Cost       two passes over the candidates
"""

from engine.policies.order.fitness import FITNESS, FITNESS_TERM, STRIP, W_MEMORY, W_VCORES, fitness, size
from engine.policies.order.knapsack import NO_CHOICE, ROWS, best_fill
from engine.policies.order.knapsack import NOTES as KNAPSACK_NOTES
from engine.policies.order.masters import NONE, first_master, prefers
from engine.policies.order.urgency import urgency
from engine.policies.policy import NOTES, ORDER, REQUESTS, Policy, Term
from engine.view import KINDS, MAP, REDUCE

# Rows of request_notes; the last is the knapsack's.
URGENCY, ALIGNMENT, PREFERENCE, FILL, KNAPSACK = range(FITNESS + 1, FITNESS + 6)
FACTOR, INITIAL = KNAPSACK_NOTES, KNAPSACK_NOTES + 1  # places in notes, after the knapsack's
FILLED, LEFT_MEMORY, LEFT_VCORES = range(3)  # rows of node_notes; what was left is kept as what was taken from the capacity


def choose(view, count, node, parameters):
    return prefer(view, count, node, parameters[0], parameters[1], 0.0)


def prefer(view, count, node, w_memory, w_vcores, factor):
    """The position of what HaSTE gives the node; factor: weight of alignment, 0 for HaSTE itself."""
    view.notes[FACTOR] = factor
    view.notes[INITIAL] = 0.0
    best = first_master(view.candidates, count)
    unfilled = not is_filled(view, count, node, best)
    if best == NONE and unfilled:
        best = best_fill(view, count, node, KNAPSACK * len(view.request_memory), FILL * len(view.request_memory), w_memory, w_vcores)
        view.notes[INITIAL] = 1.0 if best != NO_CHOICE else 0.0
    if best == NONE:
        best = best_now(view, count, node, w_memory, w_vcores, factor)
    if unfilled:
        remember(view, node, view.candidates[best])
    return best


def is_filled(view, count, node, master):
    """Has the node been filled once? Something on it has ended since the last choice there, or no map fits."""
    nodes, notes = len(view.node_memory), view.node_notes
    if notes[FILLED * nodes + node] == 0.0:
        expected_memory = view.node_memory[node] - notes[LEFT_MEMORY * nodes + node]
        expected_vcores = view.node_vcores[node] - notes[LEFT_VCORES * nodes + node]
        ended = view.node_free_memory[node] != expected_memory or view.node_free_vcores[node] != expected_vcores
        notes[FILLED * nodes + node] = 1.0 if ended or (master == NONE and not any_map(view.candidates, count)) else 0.0
    return notes[FILLED * nodes + node] == 1.0


def any_map(candidates, count):
    """Is a map among the candidates?"""
    found = False
    for position in range(count):
        found = found or candidates[position] % KINDS == MAP
    return found


def remember(view, node, request):
    """What the choice leaves free on a node that is not filled yet."""
    nodes = len(view.node_memory)
    view.node_notes[LEFT_MEMORY * nodes + node] += view.request_memory[request]
    view.node_notes[LEFT_VCORES * nodes + node] += view.request_vcores[request]


def best_now(view, count, node, w_memory, w_vcores, factor):
    """Real-time assignment: the highest preference, written down for each candidate with what it is made of."""
    requests, notes = len(view.request_memory), view.request_notes
    score(view, count, node, w_memory, w_vcores)
    least_f, most_f = span(notes, FITNESS * requests, view.candidates, count)
    least_u, most_u = span(notes, URGENCY * requests, view.candidates, count)
    least_a, most_a = span(notes, ALIGNMENT * requests, view.candidates, count)
    best = NONE
    for position in range(count):
        request = view.candidates[position]
        value = norm(notes[FITNESS * requests + request], least_f, most_f) + norm(notes[URGENCY * requests + request], least_u, most_u)
        value = value + factor * norm(notes[ALIGNMENT * requests + request], least_a, most_a)
        notes[PREFERENCE * requests + request] = value
        if best == NONE or prefers(value, notes[PREFERENCE * requests + view.candidates[best]], request, view.candidates[best]):
            best = position
    return best


def score(view, count, node, w_memory, w_vcores):
    """Fitness, urgency and alignment of every candidate, into request_notes."""
    requests, notes = len(view.request_memory), view.request_notes
    before = -1
    of_maps, of_reduces, alignment = 0.0, 0.0, 0.0
    for position in range(count):
        request = view.candidates[position]
        job = request // KINDS
        if job != before:
            before = job
            of_maps, of_reduces = job_urgency(view, job, node, w_memory, w_vcores)
            alignment = view.job_iteration[job] / view.job_iterations[job] if view.job_iterations[job] > 1 else 0.0
        notes[FITNESS * requests + request] = fitness(
            view.request_memory[request], view.request_vcores[request], view.node_free_memory[node], view.node_free_vcores[node],
            view.node_memory[node], view.node_vcores[node], w_memory, w_vcores,
        )  # fmt: skip
        notes[URGENCY * requests + request] = of_reduces if request % KINDS == REDUCE else of_maps
        notes[ALIGNMENT * requests + request] = alignment


def job_urgency(view, job, node, w_memory, w_vcores):
    """(U^m, U^r) of a job, sizes as shares of this node."""
    as_map, as_reduce = KINDS * job + MAP, KINDS * job + REDUCE
    node_memory, node_vcores = view.node_memory[node], view.node_vcores[node]
    map_size = size(view.request_memory[as_map], view.request_vcores[as_map], node_memory, node_vcores, w_memory, w_vcores)
    reduce_size = size(view.request_memory[as_reduce], view.request_vcores[as_reduce], node_memory, node_vcores, w_memory, w_vcores)
    return urgency(
        view.job_placed_maps[job], view.job_maps[job], view.job_placed_reduces[job],
        view.job_running_maps[job], view.job_running_reduces[job], map_size, reduce_size,
    )  # fmt: skip


def span(notes, row, candidates, count):
    """The least and the most of a row of request_notes over the candidates."""
    least = most = notes[row + candidates[0]]
    for position in range(1, count):
        value = notes[row + candidates[position]]
        least = min(least, value)
        most = max(most, value)
    return least, most


def norm(value, least, most):
    """Where a value lies between least and most, 0 to 1; 0 where there is no range."""
    return (value - least) / (most - least) if most > least else 0.0


HASTE_TERMS = (
    FITNESS_TERM,
    Term("urgency", "Urgency", REQUESTS, URGENCY, "How much the job's reduces wait for its maps, or its maps have done for its reduces.", strip=STRIP),
    Term("fill", "In the best fill", REQUESTS, FILL, "How many of it are in the best fill of the node, while it is filled for the first time.", "containers"),
)
SUM = "The terms, each from 0 to 1 over the candidates, added up."
PREFERENCE_TERM = Term("preference", "Preference", REQUESTS, PREFERENCE, SUM, sense=1, strip="preference")
FIRST_FILL = "1 while the node is filled for the first time, as a knapsack, which asks for the best fill alone."
INITIAL_FACT = Term("initial", "Initial assignment", NOTES, INITIAL, FIRST_FILL)
FILLS = "it belongs to what fills the node best, which is filled for the first time"
HASTE_MEMORY = {"notes": KNAPSACK_NOTES + 2, "request_notes": KNAPSACK + ROWS, "node_notes": 3}
HASTE = Policy(
    "haste",
    "HaSTE",
    ORDER,
    choose,
    "haste §III; formulas §1, 2 (urgency reconstructed)",
    (W_MEMORY, W_VCORES),
    rule=("the sum of its fitness and urgency is the highest", FILLS),
    ground=INITIAL,
    masters_first=True,
    terms=(*HASTE_TERMS, PREFERENCE_TERM),
    facts=(INITIAL_FACT,),
    **HASTE_MEMORY,
)
