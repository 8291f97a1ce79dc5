"""Batch finish: the last maps of one job in one go, where that frees its reduces soonest; else fair sharing
(OMO-4, OMO-5).

Paper      omo §IV-D, Eq. 4, 5, Algorithm 2: tfair = K m / Fo + Tm; s = (K - 1) m + Fo (K - 1) Tm / K
           containers for the others in that time; tbatch = s Ao / (Fo (Ao + r)); the job with the largest
           gain tfair - tbatch (terms/batch_gain.py); K is D, the number of running jobs
Ours       tbatch = tfair (K - 1)/K Ao/(Ao + r) is always the smaller, so Algorithm 2 never refuses, and
           prefers the most pending maps; here too the maximum decides, among maps that fit this node, of jobs
           with a pending map and a mean map time candidates=all: also jobs that have not begun their reduces
           (Fig. 11 sets slow start 1, where the printed rule finds none)
Jobs       of MapReduce: a batch is of maps. Refuses applications of stages and demand
Knows      pending maps, mean map times, the windows' averages (terms/release_frequency.py), and what fair
           knows
Ties       the first in job order
Cost       one pass over the candidates and one over the queues; by its index (indexes/cached_gains.py) the
           logarithm of the jobs for each whose tasks changed, and for the choice, and a pass over the waiting
           requests when the averages or the number of running jobs have
"""

from engine.schedulers.hadoop.queue_sharing import QUEUE_MEMORY, choose_by_share, rank_terms
from engine.schedulers.indexes.cached_gains import BATCH_INDEX
from engine.schedulers.policy import (
    BY_WEIGHT,
    ORDER,
    RUN,
    Assignment,
    Defaults,
    Policy,
    Queues,
    StateArray,
    Windows,
)
from engine.schedulers.terms.batch_gain import ALL, CANDIDATES, GAIN_TERMS, gain_of
from engine.schedulers.terms.release_frequency import (
    EMA,
    RELEASE_FACTS,
    RELEASE_MEMORY,
    WINDOW_S,
    close_window,
)
from engine.schedulers.view import FAIR, MAP, NONE, kind_of


def choose(view, count, candidates):
    batch = best_batch(view, count, candidates == ALL)
    fair = choose_by_share(FAIR, view, count)  # asked always: it must see whose holdings changed
    view.ground[0] = batch != NONE
    return fair if batch == NONE else batch


def best_batch(view, count, all_jobs):
    """The position of the map whose job gains most by finishing its maps in one go; NONE where nothing can be
    said.
    """
    best, largest = NONE, 0.0
    for position in range(count):
        request = view.candidates[position]
        if kind_of(view, request) == MAP:
            gain = gain_of(view, request, all_jobs)
            if gain > largest:
                best, largest = position, gain
    return best


BATCH_TERMS = (
    *GAIN_TERMS,
    *rank_terms(
        "Memory for its weight",
        "MB the job holds, divided by its weight; under fair the smallest goes first.",
        "MB",
    ),
)
BATCH_MEMORY = (StateArray("ground", RUN, "int64"), *RELEASE_MEMORY, *QUEUE_MEMORY)
BY_FAIR, IN_A_BATCH = (
    "its job holds the least memory for its weight",
    "finishing its job's maps in one go gains most",
)
BATCH_FINISH = Policy(
    "batch-finish",
    "Batch finish",
    ORDER,
    choose,
    "omo §IV-D, Algorithm 2",
    (WINDOW_S, EMA, CANDIDATES),
    rule=(BY_FAIR, IN_A_BATCH),
    ground="ground",
    queues=Queues(BY_WEIGHT),
    windows=Windows("window_s", close_window),
    defaults=Defaults(reduce_start="slowstart"),
    assignment=Assignment(spreads_load=True, weighs_tasks=True),
    terms=BATCH_TERMS,
    facts=RELEASE_FACTS,
    memory=BATCH_MEMORY,
    index=BATCH_INDEX,
)
