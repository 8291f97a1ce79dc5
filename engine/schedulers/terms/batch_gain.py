"""What a job gains by finishing its last maps in one go (omo §IV-D, Eq. 4, 5; OMO-4).

tfair = K m / Fo + Tm; s = (K - 1) m + Fo (K - 1) Tm / K containers for the others in that time; tbatch = s Ao
/ (Fo (Ao + r)); the gain is tfair - tbatch; K is D, the number of running jobs.
"""

from engine.schedulers.policy import REQUEST, Parameter, Term
from engine.schedulers.terms.release_frequency import is_known
from engine.schedulers.view import job_of

ALL = 1.0  # of CANDIDATES
BATCH_OFF = 1.0  # of BATCHES
CANDIDATES = Parameter(
    "candidates",
    "started",
    "whose maps: of jobs that have begun their reduces, or of all",
    "omo Algorithm 2",
    choices=("started", "all"),
)
BATCHES = Parameter(
    "batch", "yes", "are the last maps of a job finished in a batch", "omo §V-D2a", choices=("yes", "no")
)
GAIN_TERMS = (
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
)


def gain_of(view, request, all_jobs):
    """What a map's job gains, in ms; 0 where nothing can be said. all_jobs: also of jobs that have not begun
    their reduces.
    """
    frequency, available, running = view.release_frequency[0], view.available[0], view.running_jobs[0]
    if not is_known(view) or running == 0:
        return 0.0
    job = job_of(view, request)
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
