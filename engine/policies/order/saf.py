"""SAF: dominant resource fairness that gives the runner-up a chance, by simulated annealing.

Paper      saf §4, 5, Algorithm 1. Neither of the two first is needy: the runner-up is picked when exp(-difference of shares / T)
           exceeds a random number; T is the entropy of the running tasks' fitness (entropy.py) and cools at every draw; at or
           below `cold` it is measured anew. T = 0: plain drf
Ours       n requests in drf's order, one draw a decision, between first and runner-up; the temperature is measured at the decision
           that needs it; fitness on the room free in the whole cluster, in shares of it; masters are no tasks; queues are not
           known. cold has no value in the paper (its authors' code has 0, which is never reached)
At T = 301 the runner-up wins nearly always (p > 0.99): so it is in the paper's own worked example, and it is not tuned here.
Knows      memory and vcores held, minimum shares and weights of jobs, which tasks run
Ties       jobs in job order
Cost       one pass over the candidates; at a new temperature one over the sizes of containers, squared
"""

import math

from engine.policies.order.entropy import COOLINGS, ENTROPIES, cooled, entropy
from engine.policies.order.ranks import compare
from engine.policies.order.sharing import RANK, rank_changed, rank_terms
from engine.policies.policy import NOTES, ORDER, Parameter, Policy, Term
from engine.policies.random import next_uniform
from engine.view import DRF, KINDS, MAP, REDUCE

STARTED, HOT, TEMPERATURE, START, CYCLE, GROUPS, DIFFERENCE, CHANCE, DRAW, SECOND, CLASSES, RANDOM = range(12)  # places in notes
SEEN_HELD, CLASS_OF, SIZE_MEMORY, SIZE_VCORES, RUNNING, GROUP = range(6)  # rows of request_notes; the last four hold a number a class of size
SHARE = 1  # row of job_notes


def choose(view, count, parameters):
    notes = view.notes
    notes[DIFFERENCE], notes[CHANCE], notes[DRAW], notes[SECOND] = math.nan, math.nan, math.nan, 0.0
    rank_changed(DRF, view, False)
    if notes[STARTED] == 0.0:
        begin(view)
    count_changed(view)
    first, second = two_first(view, count)
    jobs = len(view.job_arrival)
    if second < 0 or view.job_notes[view.candidates[first] // KINDS] < 0.0:
        return first
    if notes[HOT] == 0.0:
        measure(view, parameters)
    if notes[TEMPERATURE] <= 0.0:
        notes[HOT] = 0.0
        return first
    notes[DIFFERENCE] = view.job_notes[SHARE * jobs + view.candidates[second] // KINDS] - view.job_notes[SHARE * jobs + view.candidates[first] // KINDS]
    notes[CHANCE] = math.exp(-notes[DIFFERENCE] / notes[TEMPERATURE])
    notes[DRAW] = next_uniform(notes, RANDOM)
    notes[SECOND] = 1.0 if notes[CHANCE] > notes[DRAW] else 0.0
    cool(notes, parameters)
    return second if notes[SECOND] == 1.0 else first


def begin(view):
    """The generator's start, and the classes of equal container size, numbered by first appearance over the jobs."""
    notes = view.notes
    notes[STARTED] = 1.0
    notes[TEMPERATURE], notes[START], notes[GROUPS] = math.nan, math.nan, math.nan
    notes[RANDOM], notes[RANDOM + 1] = view.seed[0], view.seed[1]
    requests = len(view.request_memory)
    for job in range(len(view.job_arrival)):
        for kind in (REDUCE, MAP):
            request = KINDS * job + kind
            if kind == MAP or view.job_reduces[job] > 0:
                view.request_notes[CLASS_OF * requests + request] = class_of(view, request)


def class_of(view, request):
    """The number of the class of a request's size, a new one if there is none."""
    notes, requests = view.request_notes, len(view.request_memory)
    classes = int(view.notes[CLASSES])
    for number in range(classes):
        if notes[SIZE_MEMORY * requests + number] == view.request_memory[request] and notes[SIZE_VCORES * requests + number] == view.request_vcores[request]:
            return number
    notes[SIZE_MEMORY * requests + classes] = view.request_memory[request]
    notes[SIZE_VCORES * requests + classes] = view.request_vcores[request]
    view.notes[CLASSES] = classes + 1
    return classes


def count_changed(view):
    """Keep how many tasks of each class run, from the jobs whose holdings changed."""
    notes, requests = view.request_notes, len(view.request_memory)
    for place in range(1, view.changed[0] + 1):
        job = view.changed[place]
        for kind in (REDUCE, MAP):
            request = KINDS * job + kind
            more = view.request_held[request] - notes[SEEN_HELD * requests + request]
            if more != 0.0:
                notes[SEEN_HELD * requests + request] += more
                notes[RUNNING * requests + int(notes[CLASS_OF * requests + request])] += more


def two_first(view, count):
    """The positions of the first candidates of the two first jobs by drf; the second -1 where there is one job."""
    first, second, before = -1, -1, -1
    for position in range(count):
        job = view.candidates[position] // KINDS
        if job != before:
            before = job
            if first < 0 or stands_before(view, position, first):
                first, second = position, first
            elif second < 0 or stands_before(view, position, second):
                second = position
    return first, second


def stands_before(view, position, other):
    """Does a candidate's job stand before that of an earlier candidate?"""
    jobs, notes = len(view.job_arrival), view.job_notes
    job, rival = view.candidates[position] // KINDS, view.candidates[other] // KINDS
    return compare(notes[job], notes[jobs + job], notes[2 * jobs + job], notes[rival], notes[jobs + rival], notes[2 * jobs + rival]) < 0


def measure(view, parameters):
    """A new temperature: the entropy of the fitness of all running tasks, equal values together."""
    notes, values, requests = view.notes, view.request_notes, len(view.request_memory)
    memory, vcores = view.cluster_memory[0], view.cluster_vcores[0]
    free_memory, free_vcores = memory - view.queue_used_memory[0], vcores - view.queue_used_vcores[0]
    groups, total = 0, 0.0
    for number in range(int(notes[CLASSES])):
        running = values[RUNNING * requests + number]
        if running > 0.0:
            total += running
            fitness = task_fitness(values[SIZE_MEMORY * requests + number], values[SIZE_VCORES * requests + number], free_memory, free_vcores, memory, vcores)
            if is_new(values, requests, number, fitness, free_memory, free_vcores, memory, vcores):
                values[GROUP * requests + groups] = running_with(values, requests, int(notes[CLASSES]), fitness, free_memory, free_vcores, memory, vcores)
                groups += 1
    for group in range(groups):
        values[GROUP * requests + group] /= total
    heat = 0.0
    if groups > 0:
        p = values[GROUP * requests : GROUP * requests + groups]
        heat = entropy(int(parameters[0]), p, groups, parameters[6], parameters[1], parameters[2])
    notes[HOT], notes[START], notes[TEMPERATURE], notes[CYCLE], notes[GROUPS] = 1.0, heat, heat, 0.0, groups


def task_fitness(memory, vcores, free_memory, free_vcores, cluster_memory, cluster_vcores):
    """saf Eq. 1 on the whole cluster, requests and room as shares of it, weights 1."""
    return memory / cluster_memory * (free_memory / cluster_memory) + vcores / cluster_vcores * (free_vcores / cluster_vcores)


def is_new(values, requests, number, fitness, free_memory, free_vcores, memory, vcores):
    """Has no running class before this one the same fitness?"""
    for other in range(number):
        if values[RUNNING * requests + other] > 0.0:
            size_memory, size_vcores = values[SIZE_MEMORY * requests + other], values[SIZE_VCORES * requests + other]
            if task_fitness(size_memory, size_vcores, free_memory, free_vcores, memory, vcores) == fitness:
                return False
    return True


def running_with(values, requests, classes, fitness, free_memory, free_vcores, memory, vcores):
    """How many tasks run whose fitness is this."""
    found = 0.0
    for number in range(classes):
        size_memory, size_vcores = values[SIZE_MEMORY * requests + number], values[SIZE_VCORES * requests + number]
        if task_fitness(size_memory, size_vcores, free_memory, free_vcores, memory, vcores) == fitness:
            found += values[RUNNING * requests + number]
    return found


def cool(notes, parameters):
    """After a draw: one cycle colder, or to be measured anew."""
    if notes[TEMPERATURE] > parameters[5]:
        notes[CYCLE] += 1.0
        notes[TEMPERATURE] = cooled(int(parameters[3]), notes[START], parameters[4], notes[CYCLE])
    else:
        notes[HOT] = 0.0


SAF = Policy(
    "saf",
    "SAF, simulated annealing",
    ORDER,
    choose,
    "saf §4, 5, Algorithm 1",
    (
        Parameter("entropy", "shannon", "what measures the disorder of fitness", "saf §4.4", choices=ENTROPIES),
        Parameter("alpha", 0.5, "order of the Renyi entropy", "saf §4.4.2; the value is ours", low=0.001, high=10, never=1),
        Parameter("q", 0.8, "index of the Tsallis entropy", "saf §6, Fig. 11", low=0.001, high=10, never=1),
        Parameter("cooling", "exponential", "how the temperature falls", "saf §4.5", choices=COOLINGS),
        Parameter("rate", 0.9, "cooling rate", "saf §4.5: 0.8 to 0.9", low=0.001, high=1),
        Parameter("cold", 1.0, "temperature at or below which it is measured anew", "ours; the paper gives none", low=0, high=1e9),
        Parameter("k", 1000.0, "the constant K", "saf, worked example", low=1e-6, high=1e9),
    ),
    rule=("its job comes first by dominant share", "its job comes second by dominant share, and the draw was in its favour"),
    ground=SECOND,
    notes=RANDOM + 2,
    job_notes=RANK,
    request_notes=GROUP + 1,
    terms=rank_terms("Dominant share", "The larger of the job's shares of the cluster's memory and vcores, divided by its weight.")[:3],
    facts=(
        Term("temperature", "Temperature", NOTES, TEMPERATURE, "After this decision; 0: plain drf; none before it was measured.", strip="temperature, entropy"),
        Term("entropy", "Entropy", NOTES, START, "Of the running tasks' fitness, when the temperature was last measured.", strip="temperature, entropy"),
        Term("groups", "Fitness values", NOTES, GROUPS, "How many different ones the running tasks had then."),
        Term("difference", "Difference of shares", NOTES, DIFFERENCE, "Runner-up's less first's; none without a draw."),
        Term("chance", "Chance of the runner-up", NOTES, CHANCE, "exp(-difference / temperature); none without a draw.", strip="chance, draw"),
        Term("draw", "Draw", NOTES, DRAW, "A random number from 0 to 1; below the chance the runner-up is picked.", strip="chance, draw"),
    ),
)
