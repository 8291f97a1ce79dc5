"""The golden files know when a job has to wait for others to leave: with a part of the rule switched off in
Gantry, decisions differ.
"""

from __future__ import annotations

import pytest

from engine.simulation.hadoop.capacity.users import queue_of
from engine.simulation.hadoop.queues import arrivals, reservations, running_limits
from engine.simulation.hadoop.queues.running_limits import count_run, is_allowed
from engine.simulation.kernel.requests import first_unfinished
from tests.hadoop.features import CAPACITY, SHARING
from tests.hadoop.rule_ablation import differs_without

OF_QUEUE, OF_USER, ALL_ELSE, RAMP_UP = (
    "running jobs of a queue",
    "running jobs of a user",
    "running jobs, all else",
    "running jobs, ramp-up",
)
BOTH = (*SHARING, *CAPACITY)


def always(v, s, job):
    return True


def of_leaf_alone(v, s, job):
    return s.queue_running_jobs[v.job_queue[job]] < s.queue_max_running_jobs[v.job_queue[job]]


def of_the_users_jobs_in_the_leaf(v, s, job):
    owner, running = s.job_owner[job], 0
    for other in range(s.arrived_jobs):
        running += (
            s.job_owner[other] == owner
            and v.job_queue[other] == v.job_queue[job]
            and v.job_is_active[other] == 1
        )
    return running < s.owner_max_running_jobs[owner]


def the_last_first(v, s, gone, rule, table, now):
    count_run(v, s, gone, -1)
    for job in range(s.arrived_jobs - 1, first_unfinished(v, s) - 1, -1):
        if v.job_runnable_since[job] < 0 and is_allowed(v, s, job):
            v.job_runnable_since[job] = now
            s.non_runnable_count -= 1
            count_run(v, s, job, 1)
            arrivals.run_job(v, s, job, rule, table, now)


def never_forgotten(v, job):
    pass


def anew(v, job):
    """The limit of the others is computed again at once."""
    forget_user(v, job)
    v.queue_user_is_stale[queue_of(v, v.job_user[job])] = 1


forget_user = reservations.forget_user


def each_has(limit):
    return {(running_limits, "is_allowed"): limit, (arrivals, "is_allowed"): limit}


RULES = [
    *(
        ("no more than so many run", scheduler, feature, each_has(always))
        for feature in (OF_QUEUE, OF_USER, ALL_ELSE, RAMP_UP)
        for scheduler in BOTH
    ),
    *(
        ("those above a queue limit it too", scheduler, OF_QUEUE, each_has(of_leaf_alone))
        for scheduler in BOTH
    ),
    *(
        ("a user's jobs count in all queues", scheduler, OF_USER, each_has(of_the_users_jobs_in_the_leaf))
        for scheduler in BOTH
    ),
    *(
        (
            "the first submitted runs first",
            scheduler,
            OF_QUEUE,
            {(reservations, "run_waiting_jobs"): the_last_first},
        )
        for scheduler in BOTH
    ),
    *(
        (
            "a user without a job that may run is forgotten",
            scheduler,
            ALL_ELSE,
            {(reservations, "forget_user"): never_forgotten},
        )
        for scheduler in CAPACITY
    ),
    ("and the limit of the others stays", "capacity", ALL_ELSE, {(reservations, "forget_user"): anew}),
]


@pytest.mark.parametrize(
    ("rule", "scheduler", "feature", "without"),
    RULES,
    ids=[f"{rule}, {scheduler}, {feature}" for rule, scheduler, feature, _ in RULES],
)
def test_without_it_a_decision_differs(
    rule: str, scheduler: str, feature: str, without: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert differs_without(without, scheduler, feature, monkeypatch), rule
