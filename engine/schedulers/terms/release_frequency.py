"""How often containers are released, by windows and a moving average (omo §IV-A, Eq. 1 and the two before it;
OMO-1).

f = released in the window / its length; a = available containers at its end; F_o = ema x f + (1 - ema) x F_o,
A_o likewise.
Ours: containers released are counted (the paper's YARN form counts what would fit), finished maps and reduces
as their ends are seen; the average begins with the first window; the weight, which the paper calls beta as it
does the gap, has no value there.
"""

from engine.schedulers.policy import RUN, Parameter, StateArray, Term
from engine.schedulers.view import NO_CHANGE

CHANGED = 0
WINDOW_S = Parameter("window_s", 10.0, "length of a window in s", "omo §V-C, Fig. 7", low=0.001, high=1e6)
EMA = Parameter(
    "ema",
    0.5,
    "weight of the newest window in the moving average",
    "ours; the paper gives none",
    low=0.01,
    high=1,
)
STRIP = "release frequency"
RELEASE_FACTS = (
    Term(
        "release_frequency",
        "Release frequency",
        RUN,
        "Containers released, moving average over the windows.",
        "per ms",
        strip=STRIP,
    ),
    Term(
        "released",
        "Released in the last window",
        RUN,
        "Containers released in the last window that ended.",
        "per ms",
        strip=STRIP,
    ),
    Term(
        "available",
        "Available containers",
        RUN,
        "To be released soon, moving average over the windows.",
        "containers",
        strip="available",
    ),
)
RELEASE_MEMORY = (
    StateArray("windows_closed", RUN, "int64"),  # 1 once there was one
    StateArray("released_before", RUN, "int64"),  # containers, at the end of the last window
)


def close_window(window, view, ema):
    """One window ends: NO_CHANGE when nothing was learnt. Cost: constant."""
    observed = (view.released_containers - view.released_before[0]) / window
    frequency, free = observed, float(view.available_containers)
    unchanged = False
    if view.windows_closed[0] == 1:
        frequency = ema * observed + (1.0 - ema) * view.release_frequency[0]
        free = ema * view.available_containers + (1.0 - ema) * view.available[0]
        unchanged = frequency == view.release_frequency[0] and free == view.available[0]
    view.windows_closed[0] = 1
    view.release_frequency[0] = frequency
    view.available[0] = free
    view.released[0] = observed
    view.released_before[0] = view.released_containers
    return NO_CHANGE if unchanged else CHANGED


def is_known(view):
    """Has a window ended, in which containers were released?"""
    return view.windows_closed[0] == 1 and view.release_frequency[0] > 0.0
