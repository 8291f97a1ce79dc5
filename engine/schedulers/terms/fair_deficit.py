"""How much a job is short of its fair time: S x the integral of 1 / running jobs since it began, less the
time it has held containers (FRESH-3, a stand-in). S: wanted_kind.py.
"""

from engine.schedulers.policy import JOB, RUN, StateArray

FAIR_TIME_MEMORY = (
    StateArray("fair_time", RUN),  # the integral of 1 / running jobs, in ms,
    StateArray("fair_until", RUN, "int64"),  # up to this time
    StateArray("fair_from", JOB),  # the integral when the job began
)


def fair_now(view):
    """The integral of 1 / running jobs up to now."""
    if view.running_jobs[0] > 0:
        return view.fair_time[0] + (view.now - view.fair_until[0]) / view.running_jobs[0]
    return view.fair_time[0]


def deficit_of(view, job, held):
    """Container-ms the job is short of its fair time since it began."""
    served = view.job_container_time[job] + held * view.now
    if view.job_start[job] < 0:
        return 0.0 - served
    return view.slots[0] * (fair_now(view) - view.fair_from[job]) - served
