"""Batch finish: the last maps of one job in one go, where that frees its reduces soonest; else fair sharing
(OMO-4, OMO-5).

Paper      omo §IV-D, Eq. 4, 5, Algorithm 2: tfair = K m / Fo + Tm; s = (K - 1) m + Fo (K - 1) Tm / K
           containers for the others in that time; tbatch = s Ao / (Fo (Ao + r)); the job with the largest
           gain tfair - tbatch; K is D, the number of running jobs
Ours       tbatch = tfair (K - 1)/K Ao/(Ao + r) is always the smaller, so Algorithm 2 never refuses, and
           prefers the most pending maps; here too the maximum decides, among maps that fit this node, of jobs
           with a pending map and a mean map time candidates=all: also jobs that have not begun their reduces
           (Fig. 11 sets slow start 1, where the printed rule finds none)
Knows      pending maps, mean map times, the windows' averages (terms/release_frequency.py), and what fair
           knows
Ties       the first in job order
Cost       the logarithm of the jobs for each whose tasks changed, and for the choice; a pass over the waiting
           requests when the averages or the number of running jobs have; one over the candidates and one over
           the queues where these are listed
"""

from engine.schedulers.policy import (
    BY_WEIGHT,
    ORDER,
    REQUEST,
    RUN,
    Assignment,
    Defaults,
    Parameter,
    Policy,
    Queues,
    StateArray,
    Term,
    Windows,
)
from engine.schedulers.terms.cached_scores import (
    NOTHING,
    ensure_scores,
    first_with_best_score,
    has_scores,
    list_candidates,
    put_first,
    score_arrays,
    update_score,
)
from engine.schedulers.terms.queue_sharing import (
    QUEUE_MEMORY,
    choose_by_share,
    leaf_policy,
    rank_changed_jobs,
    rank_terms,
)
from engine.schedulers.terms.release_frequency import (
    EMA,
    RELEASE_FACTS,
    RELEASE_MEMORY,
    WINDOW_S,
    close_window,
    is_known,
)
from engine.schedulers.view import DRF, FAIR, LEAVE, MAP, NONE, PER_JOB, UNLISTED, job_of, kind_of, request_of

ALL = 1.0
SHARE, GAIN = range(2)  # kept scores


def choose(view, count, node, candidates):
    uses_scores = update_gains(view, count, candidates == ALL)
    if count == UNLISTED:
        if uses_scores:
            batch = first_with_best_score(view, GAIN, node, MAP)
            view.ground[0] = batch != NONE
            request = first_with_best_score(view, SHARE, node, NONE) if batch == NONE else batch
            return LEAVE if request == NONE else put_first(view, request)
        listed = list_candidates(view, node)
        return (
            put_first(view, view.candidates[choose_listed(view, listed, candidates)]) if listed > 0 else LEAVE
        )
    return choose_listed(view, count, candidates)


def update_gains(view, count, all_jobs):
    """Are gains, and how little jobs hold for their weight, kept for this decision? Asked always; never where
    queues have to be chosen between.
    """
    if count != UNLISTED and not has_scores(view):
        return False
    is_first = not has_scores(view)
    if (
        len(view.queue_parent) > 2
        or leaf_policy(FAIR, view.queue_policy[1]) == DRF
        or not ensure_scores(view)
    ):
        return False
    rank_changed_jobs(FAIR, view, True)
    jobs = len(view.job_arrival) if is_first else view.changed[0]
    for place in range(jobs):
        update_gain(view, place if is_first else view.changed[place + 1], all_jobs)
    averages_changed = (
        view.cached_frequency[0] != view.release_frequency[0] or view.cached_available[0] != view.available[0]
    )
    if averages_changed or view.cached_running[0] != view.running_jobs[0]:
        view.cached_frequency[0], view.cached_available[0], view.cached_running[0] = (
            view.release_frequency[0],
            view.available[0],
            view.running_jobs[0],
        )
        for place in range(view.waiting_count):
            if kind_of(view.waiting_requests[place]) == MAP:
                update_score(
                    view,
                    GAIN,
                    view.waiting_requests[place],
                    gain_score(view, view.waiting_requests[place], all_jobs),
                )
    return True


def update_gain(view, job, all_jobs):
    """A job's requests: what it holds for its weight, nothing where the first in job order goes first, and
    the gain of its maps.
    """
    share = view.share[job] if leaf_policy(FAIR, view.queue_policy[1]) == FAIR else 0.0
    for request in range(PER_JOB * job, PER_JOB * job + PER_JOB):
        update_score(view, SHARE, request, -share if view.request_waiting[request] > 0 else NOTHING)
    update_score(view, GAIN, request_of(job, MAP), gain_score(view, request_of(job, MAP), all_jobs))


def gain_score(view, request, all_jobs):
    """The gain of a waiting map, NOTHING where there is none."""
    if not is_known(view) or view.running_jobs[0] == 0 or view.request_waiting[request] == 0:
        return NOTHING
    gain = gain_of(
        view, request, all_jobs, view.release_frequency[0], view.available[0], view.running_jobs[0]
    )
    return gain if gain > 0.0 else NOTHING


def choose_listed(view, count, candidates):
    """The position of the choice among the candidates."""
    batch = best_batch(view, count, candidates == ALL)
    fair = choose_by_share(FAIR, view, count)  # asked always: it must see whose holdings changed
    view.ground[0] = batch != NONE
    return fair if batch == NONE else batch


def best_batch(view, count, all_jobs):
    """The position of the map whose job gains most by finishing its maps in one go; NONE where nothing can be
    said.
    """
    best = NONE
    frequency, available, running = view.release_frequency[0], view.available[0], view.running_jobs[0]
    if not is_known(view) or running == 0:
        return best
    for position in range(count):
        request = view.candidates[position]
        if kind_of(request) == MAP:
            gain = gain_of(view, request, all_jobs, frequency, available, running)
            if gain > 0.0 and (best == NONE or gain > view.gain[view.candidates[best]]):
                best = position
    return best


def gain_of(view, request, all_jobs, frequency, available, running):
    """What a job gains by finishing its maps in one go, in ms; 0 where nothing can be said."""
    job = job_of(request)
    has_begun = all_jobs or view.job_placed_reduces[job] > 0
    if not has_begun or view.job_maps_done[job] == 0 or available + view.job_reduces[job] <= 0.0:
        return 0.0
    map_time = view.job_maps_time[job] / view.job_maps_done[job]
    view.t_fair[request] = time_fair(view.request_waiting[request], map_time, frequency, running)
    view.t_batch[request] = time_batch(
        view.request_waiting[request], map_time, frequency, available, view.job_reduces[job], running
    )
    view.gain[request] = view.t_fair[request] - view.t_batch[request]
    return view.gain[request]


def time_fair(pending, map_time, frequency, running):
    """omo Eq. 4 in ms: when the job's maps end under fair sharing."""
    return running * pending / frequency + map_time


def time_batch(pending, map_time, frequency, available, reduces, running):
    """omo Eq. 5 in ms: when the others have had as many containers, if this job's maps go first."""
    other_containers = (running - 1) * pending + frequency * (running - 1) * map_time / running
    return other_containers * available / (frequency * (available + reduces))


BATCH_TERMS = (
    Term(
        "gain",
        "Gain",
        REQUEST,
        "Time under fair less time in a batch; the most is finished in a batch.",
        "ms",
        direction=1,
        strip="gain",
    ),
    Term("t_fair", "Time, fair", REQUEST, "Until the job's maps have ended under fair sharing.", "ms"),
    Term(
        "t_batch",
        "Time, batch",
        REQUEST,
        "Until the others have had as many containers if this job's maps go first.",
        "ms",
    ),
    *rank_terms(
        "Memory for its weight",
        "MB the job holds, divided by its weight; under fair the smallest goes first.",
        "MB",
    ),
)
BATCH_MEMORY = (
    StateArray("ground", RUN, "int64"),
    StateArray("cached_frequency", RUN),  # for which gains are kept
    StateArray("cached_available", RUN),
    StateArray("cached_running", RUN, "int64"),
    *RELEASE_MEMORY,
    *QUEUE_MEMORY,
)
CANDIDATES = Parameter(
    "candidates",
    "started",
    "whose maps: of jobs that have begun their reduces, or of all",
    "omo Algorithm 2",
    choices=("started", "all"),
)
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
    assignment=Assignment(spreads_load=True),
    terms=BATCH_TERMS,
    facts=RELEASE_FACTS,
    memory=(*BATCH_MEMORY, *score_arrays(2)),
    keeps_scores=True,
)
