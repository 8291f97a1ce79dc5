"""Lazy start: reduces begin when their shuffle will end with the maps, by the rate at which containers are released.

Paper      omo §IV-A, C, Eq. 2, 3, Algorithm 1: gap beta(x) = Ts - (x Ao D / (Fo (Ao - r)) + Tm) with x maps pending, r reduces, D running jobs,
           Ts = maps x output / bandwidth, Tm the mean map
Ours       printed, m' = argmin over [m', m] of beta: beta falls as x grows, so it holds only at m' = m, before any map has run, or never.
           Here: when |beta| is the smallest over [0, m'], that is when a step further would be no nearer to 0; at the latest at m' = 0;
           not before a map has ended, a window has ended, and Fo > 0 and Ao > r. Its reduces go before any map of their job
           (Principle 1), where a node could take either
Knows      placed and ended maps, the windows' averages (release.py), how many jobs run
Cost       constant; asked when a map of the job is placed or ends, a job begins or finishes, or a window ends
"""

import math

from engine.policies.policy import JOBS, REDUCE_START, Policy, Term
from engine.policies.release import AVAILABLE, EMA, FREQUENCY, PLACES, RELEASE_FACTS, WINDOW_S, WINDOWS, close_window
from engine.view import ASK, NOT_YET

BETA, STEP, PENDING, SHUFFLE_TIME, MAP_TIME = range(5)  # rows of job_notes


def may_start(
    job, notes, job_notes, running_jobs, job_maps, job_placed_maps, job_reduces, job_fetch, job_maps_done, job_maps_time, job_arrival
):  # fmt: skip
    jobs = len(job_arrival)
    job_notes[BETA * jobs + job] = math.nan
    pending = job_maps[job] - job_placed_maps[job]
    job_notes[PENDING * jobs + job] = pending
    if pending == 0:
        return ASK
    if job_maps_done[job] == 0 or notes[WINDOWS] == 0.0 or notes[FREQUENCY] <= 0.0 or notes[AVAILABLE] <= job_reduces[job]:
        return NOT_YET
    shuffle_time = job_maps[job] * job_fetch[job]
    map_time = job_maps_time[job] / job_maps_done[job]
    beta = gap(pending, shuffle_time, map_time, notes[FREQUENCY], notes[AVAILABLE], job_reduces[job], running_jobs[0])
    step = gap_step(notes[FREQUENCY], notes[AVAILABLE], job_reduces[job], running_jobs[0])
    job_notes[BETA * jobs + job] = beta
    job_notes[STEP * jobs + job] = step
    job_notes[SHUFFLE_TIME * jobs + job] = shuffle_time
    job_notes[MAP_TIME * jobs + job] = map_time
    return ASK if beta + step / 2 >= 0 else NOT_YET


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
    notes=PLACES,
    job_notes=MAP_TIME + 1,
    window="window_s",
    on_window=close_window,
    reduces_first=True,
    terms=(
        Term("beta", "Gap", JOBS, BETA, "From the expected end of the maps to the end of the shuffle, if reduces began now.", "ms", strip="gap"),
        Term("step", "Gap a map", JOBS, STEP, "By how much the gap falls with each map more that is pending.", "ms"),
        Term("pending_maps", "Maps pending", JOBS, PENDING, "Not placed yet.", "maps"),
        Term("shuffle_time", "Shuffle", JOBS, SHUFFLE_TIME, "What a reduce needs to fetch its whole input.", "ms"),
        Term("map_time", "Mean map", JOBS, MAP_TIME, "Of the job's maps that have ended.", "ms"),
    ),
    facts=RELEASE_FACTS,
)
