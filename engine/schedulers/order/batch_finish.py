"""Batch finish: the last maps of one job in one go, where that frees its reduces soonest; else fair sharing.

Paper      omo §IV-D, Eq. 4, 5, Algorithm 2: tfair = K m / Fo + Tm; s = (K - 1) m + Fo (K - 1) Tm / K containers for the others in that
           time; tbatch = s Ao / (Fo (Ao + r)); the job with the largest gain tfair - tbatch; K is D, the number of running jobs
Ours       tbatch = tfair (K - 1)/K Ao/(Ao + r) is always the smaller, so Algorithm 2 never refuses, and prefers the most pending maps;
           here too the maximum decides, among maps that fit this node, of jobs with a pending map and a mean map time
           candidates=all: also jobs that have not begun their reduces (Fig. 11 sets slow start 1, where the printed rule finds none)
Knows      pending maps, mean map times, the windows' averages (terms/release_frequency.py), and what fair knows
Ties       the first in job order
Cost       one pass over the candidates and one over the queues
"""

from engine.schedulers.policy import ORDER, REQUEST, RUN, Memory, Parameter, Policy, Term
from engine.schedulers.terms.queue_sharing import QUEUE_MEMORY, pick, rank_terms
from engine.schedulers.terms.release_frequency import EMA, RELEASE_FACTS, RELEASE_MEMORY, WINDOW_S, close_window, is_known
from engine.schedulers.view import FAIR, MAP, job_of, kind_of

NONE = -1
ALL = 1.0


def choose(view, count, candidates):
    batch = best_batch(view, count, candidates == ALL)
    fair = pick(FAIR, view, count)  # asked always: it must see whose holdings changed
    view.ground[0] = batch != NONE
    return fair if batch == NONE else batch


def best_batch(view, count, everyone):
    """The position of the map whose job gains most by finishing its maps in one go; NONE where nothing can be said."""
    best = NONE
    frequency, available, running = view.release_frequency[0], view.available[0], view.running_jobs[0]
    if not is_known(view) or running == 0:
        return best
    for position in range(count):
        request = view.candidates[position]
        job = job_of(request)
        begun = everyone or view.job_placed_reduces[job] > 0
        if kind_of(request) == MAP and begun and view.job_maps_done[job] > 0 and available + view.job_reduces[job] > 0.0:
            map_time = view.job_maps_time[job] / view.job_maps_done[job]
            view.t_fair[request] = time_fair(view.request_waiting[request], map_time, frequency, running)
            view.t_batch[request] = time_batch(view.request_waiting[request], map_time, frequency, available, view.job_reduces[job], running)
            view.gain[request] = view.t_fair[request] - view.t_batch[request]
            if view.gain[request] > 0.0 and (best == NONE or view.gain[request] > view.gain[view.candidates[best]]):
                best = position
    return best


def time_fair(pending, map_time, frequency, running):
    """omo Eq. 4 in ms: when the job's maps end under fair sharing."""
    return running * pending / frequency + map_time


def time_batch(pending, map_time, frequency, available, reduces, running):
    """omo Eq. 5 in ms: when the others have had as many containers, if this job's maps go first."""
    others = (running - 1) * pending + frequency * (running - 1) * map_time / running
    return others * available / (frequency * (available + reduces))


BATCH_TERMS = (
    Term("gain", "Gain", REQUEST, "Time under fair less time in a batch; the most is finished in a batch.", "ms", sense=1, strip="gain"),
    Term("t_fair", "Time, fair", REQUEST, "Until the job's maps have ended under fair sharing.", "ms"),
    Term("t_batch", "Time, batch", REQUEST, "Until the others have had as many containers if this job's maps go first.", "ms"),
    *rank_terms("Memory for its weight", "MB the job holds, divided by its weight; under fair the least goes first.", "MB"),
)
BATCH_MEMORY = (Memory("ground", RUN, "int64"), *RELEASE_MEMORY, *QUEUE_MEMORY)
CANDIDATES = Parameter("candidates", "started", "whose maps: of jobs that have begun their reduces, or of all", "omo Algorithm 2", choices=("started", "all"))
BY_FAIR, IN_A_BATCH = "its job holds the least memory for its weight", "finishing its job's maps in one go gains most"
BATCH_FINISH = Policy(
    "batch-finish",
    "Batch finish",
    ORDER,
    choose,
    "omo §IV-D, Algorithm 2",
    (WINDOW_S, EMA, CANDIDATES),
    rule=(BY_FAIR, IN_A_BATCH),
    ground="ground",
    limits="max_share",
    window="window_s",
    on_window=close_window,
    default_reduce_start="slowstart",
    spreads_load=True,
    terms=BATCH_TERMS,
    facts=RELEASE_FACTS,
    memory=BATCH_MEMORY,
)
