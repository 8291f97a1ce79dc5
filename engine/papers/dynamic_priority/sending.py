"""The lab's schedulers: Fair and Capacity as Hadoop has them by default, and the score before them.

Paper      §5.2: "In the new_Fair (new_Capacity) method, first, we ran our proposed method then we utilized
           the Fair (Capacity) method". Algorithm 1 sends one job of the queue "for running", the one with the
           highest score. So the score says which of the waiting jobs is sent next; those that are sent share
           the cluster as Fair or Capacity has it
How many   as many as the base lets run: Hadoop holds masters back above half of the queue's fair share (Fair)
           or a tenth of the cluster (Capacity). The score changes nothing of that but who is the next
Queue      l counts the jobs that have arrived and were not sent, i is a job's place among them by arrival,
           T_w is Eq. 2's
Others     `priority-fair` and `priority-capacity` of the catalogue order the containers of all running jobs
           by the score, in place of Fair's sharing
Cost       two passes over the jobs each time a master could start
"""

from collections.abc import Callable
from dataclasses import replace

from engine.schedulers.admission.am_limit import AM_LIMIT
from engine.schedulers.admission.am_limit import may_start as is_within_am_limit
from engine.schedulers.admission.am_share import AM_SHARE
from engine.schedulers.admission.am_share import may_start as is_within_am_share
from engine.schedulers.legacy_names import parse_in_full
from engine.schedulers.policy import ADMISSION, Policy
from engine.schedulers.scheduler import Part, Scheduler
from engine.schedulers.terms.job_priority import K1, SPLIT_MB, score, splits
from engine.schedulers.terms.run_time_estimate import RUN_TIME_MEMORY, run_time
from engine.schedulers.view import ADMIT, HOLD

FAIR = "fair(reservations=yes, update_ms=500)+ramp-up+am-share(limit=0.5)"
CAPACITY = "capacity(reservations=yes, user_limits=yes)+ramp-up+am-limit(limit=0.1)"
# the score on the containers of running jobs, on the same Hadoop
IN_QUEUE = {
    "fair": FAIR,
    "priority-fair": "priority-fair+ramp-up+am-share(limit=0.5)",
    "capacity": CAPACITY,
    "priority-capacity": "priority-capacity+ramp-up+am-limit(limit=0.1)",
}


def within_share_by_score(view, job, now, limit, k1, split_mb):
    if is_within_am_share(view, job, limit) == HOLD:
        return HOLD
    return ADMIT if has_highest_score(view, job, now, k1, split_mb) else HOLD


def within_limit_by_score(view, job, now, limit, k1, split_mb):
    if is_within_am_limit(view, job, limit) == HOLD:
        return HOLD
    return ADMIT if has_highest_score(view, job, now, k1, split_mb) else HOLD


def has_highest_score(view, job, now, k1, split_mb):
    """Has no job that was not sent yet a higher score than this one? Ties: the first in job order."""
    waiting, place = 0, 0
    for other in range(len(view.job_arrival)):
        if is_waiting(view, other, now):
            waiting += 1
            if other == job:
                place = waiting
    own_score = score_of(view, job, waiting, place, now, k1, split_mb)
    place = 0
    for other in range(len(view.job_arrival)):
        if is_waiting(view, other, now):
            place += 1
            if other != job:
                other_score = score_of(view, other, waiting, place, now, k1, split_mb)
                if other_score > own_score or (other_score == own_score and other < job):
                    return False
    return True


def is_waiting(view, job, now):
    """Has it arrived, and no container yet?"""
    return view.job_arrival[job] <= now and view.job_start[job] < 0


def score_of(view, job, waiting, place, now, k1, split_mb):
    return score(
        waiting,
        place,
        k1,
        run_time(view, job, split_mb),
        now - view.job_arrival[job],
        splits(view.job_input[job], view.job_maps[job], split_mb),
    )


def _by_score(name: str, title: str, function: Callable[..., int], base: Policy) -> Policy:
    return Policy(
        name,
        title,
        ADMISSION,
        function,
        "dynamic-priority Algorithm 1, §5.2",
        (*base.parameters, K1, SPLIT_MB),
        rule=f"{base.rule}, and of the jobs that wait it has the highest score",
        facts=base.facts,
        memory=RUN_TIME_MEMORY,
    )


SHARE_BY_SCORE = _by_score("am-share-by-score", "AM share, by score", within_share_by_score, AM_SHARE)
LIMIT_BY_SCORE = _by_score("am-limit-by-score", "AM limit, by score", within_limit_by_score, AM_LIMIT)


def sent_by_score(base: str, k1: float = float(K1.default or 0.0)) -> Scheduler:
    """Fair or Capacity, to which jobs are sent in the order of the score."""
    scheduler = parse_in_full(base)
    policy = SHARE_BY_SCORE if base == FAIR else LIMIT_BY_SCORE
    values = (*scheduler.admission.values, k1, SPLIT_MB.default)
    return replace(scheduler, admission=Part(policy, values))


def schedulers(k1: float = float(K1.default or 0.0)) -> dict[str, str | Scheduler]:
    """The four of §5.2, by the labels of their samples."""
    return {
        "fair": FAIR,
        "priority-fair": sent_by_score(FAIR, k1),
        "capacity": CAPACITY,
        "priority-capacity": sent_by_score(CAPACITY, k1),
    }


SCHEDULERS = schedulers()
