"""OMO: reduces that were asked for first, then the last maps of a job in a batch, then fair sharing (OMO-6).

Paper      omo §IV-E, Algorithm 3
           1  lazy start: of the jobs whose reduces were asked for, the one that holds the fewest containers
           2  batch finish: the last maps of one job in one go (batch_finish.py)
           3  fair sharing
           batch=no leaves 2 out: "the Batch Finish algorithm in the Execution Predictor (EP) Module is
           disabled" (§V-D2a, Lazy Start alone) It is made with lazy-start (reduce_start/lazy_start.py), which
           asks for the reduces; what is repaired stands there and in batch_finish.py
Jobs       of MapReduce: batches and lazy start are of maps. Refuses applications of stages and demand
Knows      as batch finish, and how many containers jobs hold
Ties       job order
Cost       as batch finish
"""

from engine.schedulers.hadoop.queue_sharing import choose_by_share
from engine.schedulers.indexes.cached_gains import OMO_INDEX
from engine.schedulers.order.batch_finish import BATCH_MEMORY, BATCH_TERMS, BY_FAIR, IN_A_BATCH, best_batch
from engine.schedulers.policy import (
    BY_WEIGHT,
    ORDER,
    REQUEST,
    Assignment,
    Defaults,
    Policy,
    Queues,
    Term,
    Windows,
)
from engine.schedulers.reduce_start.lazy_start import BANDWIDTH, JOBS
from engine.schedulers.terms.batch_gain import BATCH_OFF, BATCHES
from engine.schedulers.terms.holdings import containers_held
from engine.schedulers.terms.release_frequency import EMA, RELEASE_FACTS, WINDOW_S, close_window
from engine.schedulers.view import FAIR, NONE, REDUCE, job_of, kind_of

BY_FAIR_SHARE, BY_BATCH, BY_LAZY_START = range(3)  # grounds


def choose(view, count, batch):
    fair = choose_by_share(FAIR, view, count)  # asked always: it must see whose holdings changed
    view.ground[0] = BY_LAZY_START
    reduce = reduce_of_smallest_job(view, count)  # 1
    if reduce != NONE:
        return reduce
    last = NONE if batch == BATCH_OFF else best_batch(view, count, False)  # 2
    view.ground[0] = BY_FAIR_SHARE if last == NONE else BY_BATCH
    return fair if last == NONE else last  # 3


def reduce_of_smallest_job(view, count):
    """The position of the reduce whose job holds the fewest containers; NONE without a reduce."""
    best = NONE
    for position in range(count):
        request = view.candidates[position]
        if kind_of(view, request) == REDUCE:
            view.held[request] = containers_held(view, job_of(view, request))
            if best == NONE or view.held[request] < view.held[view.candidates[best]]:
                best = position
    return best


HELD = Term(
    "held",
    "Containers held",
    REQUEST,
    "By the job of a reduce that was asked for; the fewest goes first of all.",
    "containers",
    direction=-1,
)
OMO = Policy(
    "omo",
    "OMO",
    ORDER,
    choose,
    "omo §IV-E, Algorithm 3",
    (WINDOW_S, EMA, JOBS, BANDWIDTH, BATCHES),
    rule=(
        BY_FAIR,
        IN_A_BATCH,
        "its job's reduces have been asked for, and of such jobs it holds the fewest containers",
    ),
    ground="ground",
    queues=Queues(BY_WEIGHT),
    windows=Windows("window_s", close_window),
    defaults=Defaults(reduce_start="lazy-start", is_paired=True),
    assignment=Assignment(spreads_load=True, weighs_tasks=True),
    terms=(HELD, *BATCH_TERMS),
    facts=RELEASE_FACTS,
    memory=BATCH_MEMORY,
    index=OMO_INDEX,
)
