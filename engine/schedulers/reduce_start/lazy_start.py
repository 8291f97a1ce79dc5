"""Lazy start: reduces begin when their shuffle will end with the maps, by the rate at which containers are released.

Paper      omo §IV-A, C, Eq. 2, 3, Algorithm 1: gap beta(x) = Ts - (x Ao D / (Fo (Ao - r)) + Tm) with x maps pending, r reduces, D running jobs,
           Ts = maps x output / bandwidth, Tm the mean map
Ours       printed, m' = argmin over [m', m] of beta: beta falls as x grows, so it holds only at m' = m, before any map has run, or never.
           Here: when |beta| is the smallest over [0, m'], that is when a step further would be no nearer to 0; at the latest at m' = 0;
           not before a map has ended, a window has ended, and Fo > 0 and Ao > r. Its reduces go before any map of their job
           (Principle 1), where a node could take either
Knows      placed and ended maps, the windows' averages (terms/release_frequency.py), how many jobs run
Cost       constant; asked when a map of the job is placed or ends, a job begins or finishes, or a window ends
"""

import math

from engine.schedulers.policy import JOB, REDUCE_START, Policy, Term
from engine.schedulers.terms.release_frequency import EMA, RELEASE_FACTS, RELEASE_MEMORY, WINDOW_S, close_window, is_known
from engine.schedulers.view import ASK, NOT_YET


def may_start(job, view):
    reduces, frequency, available = view.job_reduces[job], view.release_frequency[0], view.available[0]
    view.beta[job] = math.nan
    view.pending_maps[job] = view.job_maps[job] - view.job_placed_maps[job]
    if view.pending_maps[job] == 0:
        return ASK
    if view.job_maps_done[job] == 0 or not is_known(view) or available <= reduces:
        return NOT_YET
    view.shuffle_time[job] = view.job_maps[job] * view.job_fetch[job]
    view.map_time[job] = view.job_maps_time[job] / view.job_maps_done[job]
    view.beta[job] = gap(view.pending_maps[job], view.shuffle_time[job], view.map_time[job], frequency, available, reduces, view.running_jobs[0])
    view.step[job] = gap_step(frequency, available, reduces, view.running_jobs[0])
    return ASK if view.beta[job] + view.step[job] / 2 >= 0 else NOT_YET


def gap(pending, shuffle_time, map_time, frequency, available, reduces, running):
    """omo Eq. 3 in ms: from the end of the maps to that of the shuffle; frequency per ms. Eq. 2 is this with one job running."""
    return shuffle_time - (pending * available * running / (frequency * (available - reduces)) + map_time)


def gap_step(frequency, available, reduces, running):
    """By how much the gap falls with each map more that is pending, in ms."""
    return available * running / (frequency * (available - reduces))


LAZY_START = Policy(
    "lazy-start",
    "Lazy start",
    REDUCE_START,
    may_start,
    "omo §IV-A, C, Algorithm 1 (repaired)",
    (WINDOW_S, EMA),
    rule="a shuffle begun now would end nearest to the end of the maps",
    window="window_s",
    on_window=close_window,
    reduces_first=True,
    terms=(
        Term("beta", "Gap", JOB, "From the expected end of the maps to the end of the shuffle, if reduces began now.", "ms", strip="gap"),
        Term("step", "Gap a map", JOB, "By how much the gap falls with each map more that is pending.", "ms"),
        Term("pending_maps", "Maps pending", JOB, "Not placed yet.", "maps"),
        Term("shuffle_time", "Shuffle", JOB, "What a reduce needs to fetch its whole input.", "ms"),
        Term("map_time", "Mean map", JOB, "Of the job's maps that have ended.", "ms"),
    ),
    facts=RELEASE_FACTS,
    memory=RELEASE_MEMORY,
)
