"""SAF: dominant resource fairness that gives the runner-up a chance, by simulated annealing (SAF-1).

Paper      saf §4, 5, Algorithm 1
           1  of the two jobs that come first by dominant share, a needy one is picked at once
           2  the temperature T is the entropy of the running tasks' fitness (terms/temperature.py)
           3  the runner-up is picked when exp(-difference of shares / T) exceeds a random number, else the
              first
           4  T cools at every draw; at or below `cold` it is measured anew
Ours       n requests in drf's order, one draw a decision, between first and runner-up; T = 0: plain drf;
           queues are not known. cold has no value in the paper (its authors' code has 0, which is never
           reached)
At T = 301 the runner-up wins nearly always (p > 0.99): so it is in the paper's own worked example, and it is
not tuned here.
Jobs       of MapReduce: running maps and reduces make T. Refuses applications of stages and demand
Knows      memory and vcores held, minimum shares and weights of jobs, which tasks run
Ties       jobs in job order
Cost       one pass over the candidates; at a new temperature one over the sizes of containers, squared
"""

import math

from engine.schedulers.hadoop.queue_sharing import job_before, rank_changed_jobs, rank_terms
from engine.schedulers.policy import DRF, ORDER, RUN, Assignment, Policy, Ranked, StateArray, Term
from engine.schedulers.terms.random_numbers import RANDOM, next_uniform
from engine.schedulers.terms.running_tasks import SIZES_MEMORY, update_running_tasks
from engine.schedulers.terms.temperature import (
    ALPHA,
    COLD,
    COOLING,
    ENTROPY,
    RATE,
    TEMPERATURE_FACTS,
    TEMPERATURE_MEMORY,
    K,
    Q,
    cool,
    measure,
)
from engine.schedulers.view import NONE, job_of


def choose(view, count, entropy, alpha, q, cooling, rate, cold, k):
    begin(view)
    rank_changed_jobs(DRF, view, False)
    update_running_tasks(view)
    first, runner_up = first_two_jobs(view, count)
    if runner_up == NONE or view.needy[job_at(view, first)] < 0.0:  # 1
        return first
    if view.hot[0] == 0:
        measure(view, int(entropy), alpha, q, k)  # 2
    if view.temperature[0] <= 0.0:
        view.hot[0] = 0
        return first
    view.difference[0] = view.share[job_at(view, runner_up)] - view.share[job_at(view, first)]  # 3
    view.chance[0] = math.exp(-view.difference[0] / view.temperature[0])
    view.draw[0] = next_uniform(view.random_state)
    view.runner_up[0] = view.chance[0] > view.draw[0]
    cool(view, int(cooling), rate, cold)  # 4
    return runner_up if view.runner_up[0] == 1 else first


def begin(view):
    """Nothing is drawn yet in this decision; before the first one nothing is measured, and the generator
    starts from the run's seed.
    """
    view.difference[0], view.chance[0], view.draw[0], view.runner_up[0] = math.nan, math.nan, math.nan, 0
    if view.random_state[0] == 0:
        view.random_state[0], view.random_state[1] = view.seed[0], view.seed[1]
        view.temperature[0], view.entropy[0], view.groups[0] = math.nan, math.nan, math.nan


def first_two_jobs(view, count):
    """The positions of the first candidates of the two first jobs by drf; the second NONE where there is one
    job.
    """
    first, second, previous = NONE, NONE, NONE
    for position in range(count):
        job = job_at(view, position)
        if job != previous:
            previous = job
            if first == NONE or job_before(view, job, job_at(view, first)):
                first, second = position, first
            elif second == NONE or job_before(view, job, job_at(view, second)):
                second = position
    return first, second


def job_at(view, position):
    """The job of a candidate."""
    return job_of(view, view.candidates[position])


DOMINANT_SHARE = "The larger of the job's shares of the cluster's memory and vcores, divided by its weight."
SAF = Policy(
    "saf",
    "SAF, simulated annealing",
    ORDER,
    choose,
    "saf §4, 5, Algorithm 1",
    (ENTROPY, ALPHA, Q, COOLING, RATE, COLD, K),
    rule=(
        "its job comes first by dominant share",
        "its job comes second by dominant share, and the draw was in its favour",
    ),
    ground="runner_up",
    ranked=Ranked(DRF, compares=2),
    terms=rank_terms("Dominant share", DOMINANT_SHARE, "share")[:3],
    facts=(
        *TEMPERATURE_FACTS,
        Term(
            "difference",
            "Difference of shares",
            RUN,
            "The runner-up's share minus the first one's; none without a draw.",
        ),
        Term(
            "chance",
            "Probability of the runner-up",
            RUN,
            "exp(-difference / temperature); none without a draw.",
            strip="chance, draw",
        ),
        Term(
            "draw",
            "Draw",
            RUN,
            "A random number from 0 to 1; below the probability the runner-up is chosen.",
            strip="chance, draw",
        ),
    ),
    memory=(StateArray("runner_up", RUN, "int64"), RANDOM, *SIZES_MEMORY, *TEMPERATURE_MEMORY),
    assignment=Assignment(weighs_tasks=True),
)
