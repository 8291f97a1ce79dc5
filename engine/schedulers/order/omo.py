"""OMO: reduces that were asked for first, then the last maps of a job in a batch, then fair sharing (OMO-6).

Paper      omo §IV-E, Algorithm 3
           1  lazy start: of the jobs whose reduces were asked for, the one that holds the fewest containers
           2  batch finish: the last maps of one job in one go (batch_finish.py)
           3  fair sharing
           batch=no leaves 2 out: "the Batch Finish algorithm in the Execution Predictor (EP) Module is
           disabled" (§V-D2a, Lazy Start alone) It is made with lazy-start (reduce_start/lazy_start.py), which
           asks for the reduces; what is repaired stands there and in batch_finish.py
Knows      as batch finish, and how many containers jobs hold
Ties       job order
Cost       as batch finish
"""

from engine.schedulers.order.batch_finish import (
    BATCH_MEMORY,
    BATCH_TERMS,
    BY_FAIR,
    GAIN,
    IN_A_BATCH,
    SHARE,
    best_batch,
    update_gains,
)
from engine.schedulers.policy import (
    BY_WEIGHT,
    ORDER,
    REQUEST,
    Assignment,
    Defaults,
    Parameter,
    Policy,
    Queues,
    Term,
    Windows,
)
from engine.schedulers.reduce_start.lazy_start import BANDWIDTH, JOBS
from engine.schedulers.terms.cached_scores import (
    NOTHING,
    first_with_best_score,
    has_scores,
    list_candidates,
    put_first,
    score_arrays,
    update_score,
)
from engine.schedulers.terms.queue_sharing import choose_by_share
from engine.schedulers.terms.release_frequency import EMA, RELEASE_FACTS, WINDOW_S, close_window
from engine.schedulers.view import (
    FAIR,
    LEAVE,
    MAP,
    MASTER,
    NONE,
    REDUCE,
    UNLISTED,
    job_of,
    kind_of,
    request_of,
)

BY_FAIR_SHARE, BY_BATCH, BY_LAZY_START = range(3)  # grounds
BATCH_OFF = 1.0
FEWEST_HELD = 2  # a kept score beside batch finish's


def choose(view, count, node, batch):
    is_first = not has_scores(view)
    uses_scores = update_gains(view, count, False)
    if has_scores(view):
        jobs = len(view.job_arrival) if is_first else view.changed[0]
        for place in range(jobs):
            update_held(view, place if is_first else view.changed[place + 1])
    if count == UNLISTED:
        if uses_scores:
            request = first_unlisted(view, node, batch)
            return LEAVE if request == NONE else put_first(view, request)
        listed = list_candidates(view, node)
        return put_first(view, view.candidates[choose_listed(view, listed, batch)]) if listed > 0 else LEAVE
    return choose_listed(view, count, batch)


def update_held(view, job):
    """The fewer containers a job holds, the better for its reduces."""
    request = request_of(job, REDUCE)
    update_score(
        view,
        FEWEST_HELD,
        request,
        -float(held_by(view, job)) if view.request_waiting[request] > 0 else NOTHING,
    )


def first_unlisted(view, node, batch):
    """The choice by cached scores, NONE where nothing fits."""
    view.ground[0] = BY_LAZY_START
    request = first_with_best_score(view, FEWEST_HELD, node, REDUCE)
    if request == NONE and batch != BATCH_OFF:
        view.ground[0] = BY_BATCH
        request = first_with_best_score(view, GAIN, node, MAP)
    if request == NONE:
        view.ground[0] = BY_FAIR_SHARE
        request = first_with_best_score(view, SHARE, node, NONE)
    return request


def choose_listed(view, count, batch):
    """The position of the choice among the candidates."""
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
        if kind_of(request) == REDUCE:
            view.held[request] = held_by(view, job_of(request))
            if best == NONE or view.held[request] < view.held[view.candidates[best]]:
                best = position
    return best


def held_by(view, job):
    """Containers a job holds."""
    return (
        view.request_held[request_of(job, MASTER)]
        + view.request_held[request_of(job, REDUCE)]
        + view.request_held[request_of(job, MAP)]
    )


HELD = Term(
    "held",
    "Containers held",
    REQUEST,
    "By the job of a reduce that was asked for; the fewest goes first of all.",
    "containers",
    direction=-1,
)
BATCHES = Parameter(
    "batch", "yes", "are the last maps of a job finished in a batch", "omo §V-D2a", choices=("yes", "no")
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
    assignment=Assignment(spreads_load=True),
    terms=(HELD, *BATCH_TERMS),
    facts=RELEASE_FACTS,
    memory=(*BATCH_MEMORY, *score_arrays(3)),
    keeps_scores=True,
)
