"""Fair shares of the moment: jobs of one weight are looked at together, and each gets what FairScheduler's
own loops give.
"""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.resource_types import MEMORY, RESOURCE_COUNT, VCORES
from engine.scenario.model import Scenario
from engine.schedulers.view import DRF, FAIR, FIFO, View
from engine.simulation.hadoop.fair import fair_updates
from engine.simulation.hadoop.fair.fair_shares import ITERATIONS, compute_shares, share_among_jobs
from engine.simulation.kernel.state import State
from engine.simulation.kernel.waiting_requests import set_active
from engine.simulation.simulate import simulate
from tests.examples import examples
from tests.physics import physical

JOBS = st.lists(
    st.tuples(
        st.sampled_from((0, 1, 1, 1)), st.sampled_from((1, 2)), st.sampled_from((1.0, 1.0, 1.0, 0.5, 3.0))
    ),
    min_size=1,
    max_size=12,
)


def zeros(count: int) -> np.ndarray:
    return np.zeros(count, np.int64)


def shared(total: int, weights: list[float]) -> list[int]:
    """ComputeFairShares.computeSharesInternal, a schedulable at a time, without minimum and maximum
    shares.
    """
    high = 1.0
    while sum(int(weight * high) for weight in weights) < total:
        high *= 2.0
    low = 0.0
    for _ in range(ITERATIONS):
        middle = (low + high) / 2.0
        taken = sum(int(weight * middle) for weight in weights)
        low, high = (middle, high) if taken < total else (low, middle)
        if taken == total:
            break
    return [int(weight * high) for weight in weights]


@given(JOBS, st.integers(1, 10**7), st.integers(1, 10**4), st.sampled_from((FAIR, DRF, FIFO)), st.randoms())
def test_each_job_gets_what_it_would_alone(
    jobs: list[tuple[int, int, float]], memory: int, vcores: int, how: int, random: Random
) -> None:
    """In whatever order they became active; under fifo the earliest in job order has all."""
    count = len(jobs)
    listed = random.sample(range(count), count)
    active, leaf, weight = (np.array(column) for column in zip(*jobs, strict=True))
    v = SimpleNamespace(
        job_is_active=active,
        job_queue=leaf,
        job_weight=weight,
        job_fair_resource=np.zeros((RESOURCE_COUNT, count), np.int64),
        queue_fair_resource=np.repeat([[memory], [vcores]], 3, axis=1),
    )
    s = SimpleNamespace(
        active_jobs=np.array(listed),
        active_count=count,
        ranks_by=0,
        schedulable_weight=np.zeros(count),
    )
    s.schedulable, s.schedulable_next, s.schedulable_min, s.schedulable_max, s.schedulable_share = (
        zeros(count) for _ in range(5)
    )
    among = [job for job in range(count) if active[job] and leaf[job] == 1]
    if not among:
        return
    share_among_jobs(v, s, 1, how)
    assert s.active_jobs[: s.active_count].tolist() == [job for job in listed if active[job]]
    if how == FIFO:
        assert v.job_fair_resource[:, among[0]].tolist() == [memory, vcores]
        among = among[:1]
    else:
        assert v.job_fair_resource[MEMORY, among].tolist() == shared(memory, weight[among].tolist())
    if how == DRF:
        assert v.job_fair_resource[VCORES, among].tolist() == shared(vcores, weight[among].tolist())
    others = np.delete(np.arange(count), among)
    assert not v.job_fair_resource[:, others].any()


def test_active_jobs_are_counted_in_their_queue_and_in_all_above_it() -> None:
    v = SimpleNamespace(
        job_is_active=zeros(3),
        job_queue=np.array([3, 3, 1]),
        queue_parent=np.array([-1, 0, 0, 2]),
        job_first_request=np.array([0, 3, 6, 9]),
        request_waiting=zeros(9),
    )
    s = SimpleNamespace(queue_active_jobs=zeros(4), active_jobs=zeros(3), active_count=0)
    for job in range(3):
        set_active(v, s, job, 1)
        set_active(v, s, job, 1)
    assert s.active_jobs.tolist() == [0, 1, 2] and s.active_count == 3
    assert s.queue_active_jobs.tolist() == [3, 1, 2, 2]
    set_active(v, s, 0, 0)
    set_active(v, s, 0, 0)
    assert s.queue_active_jobs.tolist() == [2, 1, 1, 1]


@examples(5, 40)
@given(physical(), st.sampled_from(("fair", "drf", "fair+autoadmin(floor=0.2)", "drf(preemption=yes)")))
def test_whenever_shares_are_found_the_active_jobs_are_those_counted(
    scenario: Scenario, scheduler: str
) -> None:
    def counted(v: View, s: State) -> None:
        expected = np.zeros_like(s.queue_active_jobs)
        for job in np.flatnonzero(v.job_is_active):
            queue = v.job_queue[job]
            while queue >= 0:
                expected[queue] += 1
                queue = v.queue_parent[queue]
        assert s.queue_active_jobs.tolist() == expected.tolist()
        listed = s.active_jobs[: s.active_count]
        assert (
            sorted(listed[v.job_is_active[listed] == 1].tolist()) == np.flatnonzero(v.job_is_active).tolist()
        )
        compute_shares(v, s)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(fair_updates, "compute_shares", counted)
        simulate(scenario, scheduler, plain=True)
