"""How fast reduces fetch, and whose maps are pending, as a window's end finds it (omo §IV-C, V-A).

Speed: the mean over the reduces that fetch of what they get of the bandwidth, smoothed as the release
frequency is; 1 until one was seen. A reduce's progress tells it: omo's Task Monitor records "the running
progress of each map/reduce task". Where fetching counts for nothing in contention (CONTENTION-3) nothing
slows it, and it stays 1.
"""

from engine.schedulers.policy import RUN, StateArray, Term
from engine.schedulers.view import MAP, kind_of

FETCH_FACTS = (
    Term(
        "fetch_speed",
        "Fetch speed",
        RUN,
        "What reduces that fetch get of the bandwidth, moving average over the windows.",
        "share",
        strip="fetch speed",
    ),
    Term("pending_jobs", "Jobs with pending maps", RUN, "At the end of the last window.", "jobs"),
)
# 1 once a window's end found a reduce that fetches
FETCH_MEMORY = (StateArray("fetches_seen", RUN, "int64"),)


def observe_fetching(view, ema):
    """A window ends. Was anything learnt? Cost: one pass over the nodes."""
    fetching, speed = 0, 0.0
    for node in range(len(view.node_fetching)):
        if view.node_fetching[node] > 0:
            fetching += view.node_fetching[node]
            speed += view.node_fetching[node] / view.node_slowdown[node]
    if fetching == 0:
        return False
    previous = view.fetch_speed[0]
    view.fetch_speed[0] = (
        speed / fetching if view.fetches_seen[0] == 0 else ema * (speed / fetching) + (1.0 - ema) * previous
    )
    view.fetches_seen[0] = 1
    return view.fetch_speed[0] != previous


def observe_pending(view):
    """A window ends. Has the number of jobs with pending maps changed? Cost: one pass over the waiting
    requests.
    """
    previous = view.pending_jobs[0]
    view.pending_jobs[0] = 0.0
    for place in range(view.waiting_count):
        if kind_of(view, view.waiting_requests[place]) == MAP:
            view.pending_jobs[0] += 1.0
    return view.pending_jobs[0] != previous
