"""The temperature of simulated annealing: the entropy of the running tasks' fitness, which cools with every
draw (saf §4.3 - 4.5; SAF-2).

Ours       measured at the decision that needs it; fitness on what is free in the whole cluster, as shares of
           it, weights 1; masters are no tasks; equal fitness values count together
Cost       at a measurement the number of container sizes, squared
"""

from engine.schedulers.policy import REQUEST, RUN, Parameter, StateArray, Term
from engine.schedulers.terms.entropy import COOLINGS, ENTROPIES, cooled, entropy_of
from engine.schedulers.terms.fitness import fitness

ENTROPY = Parameter(
    "entropy", "shannon", "the entropy that measures the disorder of fitness", "saf §4.4", choices=ENTROPIES
)
ALPHA = Parameter(
    "alpha",
    0.5,
    "order of the Renyi entropy",
    "saf §4.4.2; the value is ours",
    low=0.001,
    high=10,
    excluded=1,
)
Q = Parameter("q", 0.8, "index of the Tsallis entropy", "saf §6, Fig. 11", low=0.001, high=10, excluded=1)
COOLING = Parameter("cooling", "exponential", "how the temperature falls", "saf §4.5", choices=COOLINGS)
RATE = Parameter("rate", 0.9, "cooling rate", "saf §4.5: 0.8 to 0.9", low=0.001, high=1)
COLD = Parameter(
    "cold",
    1.0,
    "temperature at or below which it is measured again",
    "ours; the paper gives none",
    low=0,
    high=1e9,
)
K = Parameter("k", 1000.0, "the constant K", "saf, worked example", low=1e-6, high=1e9)
STRIP = "temperature, entropy"
TEMPERATURE_FACTS = (
    Term(
        "temperature",
        "Temperature",
        RUN,
        "After this decision; 0: plain drf; none before it was measured.",
        strip=STRIP,
    ),
    Term(
        "entropy",
        "Entropy",
        RUN,
        "Of the running tasks' fitness, when the temperature was last measured.",
        strip=STRIP,
    ),
    Term("groups", "Fitness values", RUN, "How many different ones the running tasks had then."),
)
TEMPERATURE_MEMORY = (
    StateArray("hot", RUN, "int64"),  # 0: to be measured at the next decision that needs it
    StateArray("cycle", RUN),  # draws since then
    StateArray("group_share", REQUEST),  # of each fitness value, the share of running tasks that have it
)


def measure(view, kind, alpha, q, k):
    """A new temperature: the entropy of the fitness of all running tasks."""
    group_by_fitness(view)
    groups = int(view.groups[0])
    temperature = entropy_of(kind, view.group_share, groups, k, alpha, q) if groups > 0 else 0.0
    view.hot[0], view.cycle[0] = 1, 0.0
    view.temperature[0], view.entropy[0] = temperature, temperature


def group_by_fitness(view):
    """group_share of the `groups` different fitness values, in the order in which sizes have them first."""
    groups, total = 0, 0.0
    for number in range(view.sizes[0]):
        if view.size_running[number] > 0:
            total += view.size_running[number]
            if is_first_of_fitness(view, number):
                view.group_share[groups] = running_of_fitness(view, task_fitness(view, number))
                groups += 1
    for group in range(groups):
        view.group_share[group] /= total
    view.groups[0] = groups


def task_fitness(view, number):
    """saf Eq. 1 for a container of a size, on the whole cluster."""
    memory, vcores = view.cluster_memory, view.cluster_vcores
    free_memory, free_vcores = memory - view.queue_used_memory[0], vcores - view.queue_used_vcores[0]
    of_memory = fitness(view.size_memory[number], free_memory, memory, 1.0)
    return of_memory + fitness(view.size_vcores[number], free_vcores, vcores, 1.0)


def is_first_of_fitness(view, number):
    """Has no running size before this one the same fitness?"""
    value = task_fitness(view, number)
    same = 0
    for other in range(number):
        same += view.size_running[other] > 0 and task_fitness(view, other) == value
    return same == 0


def running_of_fitness(view, value):
    """How many tasks run whose fitness is this."""
    count = 0
    for number in range(view.sizes[0]):
        if task_fitness(view, number) == value:
            count += view.size_running[number]
    return count


def cool(view, cooling, rate, cold):
    """After a draw: one cycle colder, or to be measured anew."""
    if view.temperature[0] > cold:
        view.cycle[0] += 1.0
        view.temperature[0] = cooled(cooling, view.entropy[0], rate, view.cycle[0])
    else:
        view.hot[0] = 0
