"""Weighted: an order composed of known terms by weights.

Rule       P = sum of weight x norm(term), norm = (x - min) / (max - min) over the candidates, 0 without a range; the highest goes first
Terms      fitness, urgency and alignment as haste's; share: the smaller the job's dominant share for its weight, the better;
           waiting: the longer since it was asked for; remaining: the fewer tasks of its job are left; arrival: the earlier
Source     ours; a negative weight turns a term round
Ties       the order of candidates. Masters come before all
Cost       a pass over the candidates a term
"""

from engine.policies.order.fitness import FITNESS, FITNESS_TERM
from engine.policies.order.haste import ALIGNMENT, URGENCY, norm, score, span
from engine.policies.order.masters import NONE, first_master
from engine.policies.policy import ORDER, REQUESTS, Parameter, Policy, Term
from engine.view import KINDS

SHARE, WAITING, REMAINING, ARRIVAL, PREFERENCE = range(ALIGNMENT + 1, ALIGNMENT + 6)  # rows of request_notes, after haste's


def choose(view, count, node, parameters):
    best = first_master(view.candidates, count)
    if best != NONE:
        return best
    requests, notes = len(view.request_memory), view.request_notes
    score(view, count, node, 1.0, 1.0)
    for position in range(count):
        rate(view, view.candidates[position])
    for place in range(len(parameters)):
        if parameters[place] != 0.0:
            row = (FITNESS + place) * requests
            least, most = span(notes, row, view.candidates, count)
            for position in range(count):
                request = view.candidates[position]
                notes[PREFERENCE * requests + request] += parameters[place] * norm(notes[row + request], least, most)
    for position in range(count):
        if best == NONE or notes[PREFERENCE * requests + view.candidates[position]] > notes[PREFERENCE * requests + view.candidates[best]]:
            best = position
    return best


def rate(view, request):
    """The terms that are not haste's, each the higher the better, and a preference of 0."""
    requests, notes, job = len(view.request_memory), view.request_notes, request // KINDS
    memory, vcores = view.job_used_memory[job] / view.cluster_memory[0], view.job_used_vcores[job] / view.cluster_vcores[0]
    tasks = view.job_maps[job] + view.job_reduces[job]
    left = tasks - view.job_finished_maps[job] - view.job_finished_reduces[job] + (view.job_iterations[job] - view.job_iteration[job]) * tasks
    notes[SHARE * requests + request] = -(max(memory, vcores) / view.job_weight[job])
    notes[WAITING * requests + request] = view.now[0] - view.request_asked[request]
    notes[REMAINING * requests + request] = -left
    notes[ARRIVAL * requests + request] = -view.job_arrival[job]
    notes[PREFERENCE * requests + request] = 0.0


def weight(name, meaning, default=0.0):
    """One weight."""
    return Parameter(name, default, f"weight of {meaning}", "ours", low=-10, high=10)


SUM = "The terms, each from 0 to 1 over the candidates, times their weights, added up."
WEIGHTED = Policy(
    "weighted",
    "Weighted terms",
    ORDER,
    choose,
    "ours, of the papers' terms",
    (
        weight("fitness", "how well the request suits the free room", 1.0),
        weight("urgency", "how much the job's other kind of task waits for it"),
        weight("alignment", "how far an iterative job is"),
        weight("share", "how little the job holds"),
        weight("waiting", "how long the request has waited"),
        weight("remaining", "how little of the job is left"),
        weight("arrival", "how early the job arrived"),
    ),
    rule="the weighted sum of its terms is the highest",
    masters_first=True,
    request_notes=PREFERENCE + 1,
    terms=(
        FITNESS_TERM,
        Term("urgency", "Urgency", REQUESTS, URGENCY, "How much the job's reduces wait for its maps, or its maps have done for its reduces."),
        Term("alignment", "Alignment", REQUESTS, ALIGNMENT, "The running iteration over all of them; 0 for a job with one."),
        Term("share", "Dominant share, negative", REQUESTS, SHARE, "Less what the job holds of the cluster for its weight."),
        Term("waiting", "Waited", REQUESTS, WAITING, "Since the request was made.", "ms"),
        Term("remaining", "Tasks left, negative", REQUESTS, REMAINING, "Less the tasks of its job that have not finished.", "tasks"),
        Term("arrival", "Arrival, negative", REQUESTS, ARRIVAL, "Less the time at which its job arrived.", "ms"),
        Term("preference", "Preference", REQUESTS, PREFERENCE, SUM, sense=1, strip="preference"),
    ),
)
