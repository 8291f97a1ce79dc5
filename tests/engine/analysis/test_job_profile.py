"""A job's life, spreads and waits, by hand and against slow twins and numpy's quantiles."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Scenario
from engine.analysis.job_profile import Holder, JobLife, Quartiles, holders, job_profile, job_waits
from engine.codes import FINISHED, NONE
from engine.schedulers.view import KINDS, MAP, REDUCE
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.examples import examples
from tests.handmade_runs import container, run, scenario, stage
from tests.strategies import BUSY, scenarios, scheduler_text, schedulers

MASTER_OF = {"memory_mb": 512, "vcores": 1, "startup_s": 1}
OF = scenario(
    [(4096, 4)],
    [
        {"name": "a", "am": MASTER_OF, "maps": stage(3, 1024, 1), "reduces": stage(1, 1024, 2)},
        {"name": "b", "maps": stage(1, 2048, 1)},
    ],
)
BY_HAND = run(
    OF,
    [
        container(0, "am", 0, 1000, 12_000, requested=0),
        container(1, "map", 0, 0, 4000),
        container(0, "map", 0, 2000, 5000),
        container(0, "map", 0, 4000, 5000, requested=2000, index=1),
        container(0, "map", 0, 6000, 9000, requested=2000, index=2),
        container(0, "reduce", 0, 5000, 5500, killed=True),
        container(0, "reduce", 0, 7000, 12_000, requested=6000, fetched=9500, attempt=2),
    ],
)


def waits(of: Run, job: int) -> list[tuple[int, int, int]]:
    """(since, until, container) of each."""
    return list(zip(*(column.tolist() for column in job_waits(of, job))))


def test_the_life_of_a_job() -> None:
    result = job_profile(BY_HAND, 0)
    assert result.life == JobLife(0, 1000, 2000, 5000, 9000, 5000, 7000, 9500, 12_000)
    assert result.maps_before_reduces == pytest.approx(2 / 3)  # two maps of three had ended at 5 s
    assert result.outcomes == (5, 1, 0, 0, 0)
    assert result.never_started == 0


def test_a_map_only_job_without_a_master_has_no_such_moments() -> None:
    result = job_profile(BY_HAND, 1)
    assert result.life == JobLife(0, NONE, 0, NONE, 4000, NONE, NONE, NONE, 4000)
    assert result.maps_before_reduces is None
    assert result.spreads == {"map": Quartiles(1, *[4000] * 5), "map_wait": Quartiles(1, *[0] * 5)}


def test_spreads_are_of_what_finished_and_waits_of_all_that_started() -> None:
    result = job_profile(BY_HAND, 0).spreads
    # The maps last 1, 3 and 3 s: one quarter of three is rank 1, two quarters rank 2, three quarters rank 3.
    assert result["map"] == Quartiles(3, 1000, 1000, 3000, 3000, 3000)
    assert result["shuffle"] == Quartiles(1, *[2500] * 5)
    assert result["reduce"] == Quartiles(1, *[2500] * 5)
    assert result["am_wait"] == Quartiles(1, *[1000] * 5)
    assert result["map_wait"] == Quartiles(3, 0, 0, 2000, 4000, 4000)
    assert result["reduce_wait"] == Quartiles(2, 0, 0, 0, 1000, 1000)


def test_waits_are_cut_at_each_start() -> None:
    # The master from 0 to 1 s; maps 1 and 2 from 2 s on, cut when map 1 starts at 4 s and the reduce at 5 s;
    # the second attempt from 6 s to 7 s.
    order = {
        (KINDS[kind], at): number
        for number, (kind, at) in enumerate(
            zip(BY_HAND.containers.kind.tolist(), BY_HAND.containers.start.tolist())
        )
    }
    spans = [
        ("am", 0, 1000),
        ("map", 2000, 4000),
        ("reduce", 4000, 5000),
        ("map", 5000, 6000),
        ("reduce", 6000, 7000),
    ]
    assert waits(BY_HAND, 0) == [(since, until, order[kind, until]) for kind, since, until in spans]
    assert waits(BY_HAND, 1) == []


def test_who_held_the_cluster_meanwhile() -> None:
    # From 2 to 4 s b's map holds 2048 of 4096 MB and 1 of 4 vcores; a's master and first map 1536 MB and 2
    # vcores.
    assert holders(BY_HAND, 2000, 4000) == [Holder(1, 0.5, 0.25), Holder(0, 0.375, 0.5)]
    # now vcores are fuller
    assert holders(BY_HAND, 3000, 5000) == [
        Holder(0, 1536 / 4096 + 0.125, 0.625),
        Holder(1, 0.25, 0.125),
    ]
    assert holders(BY_HAND, 20_000, 21_000) == []
    assert holders(BY_HAND, 3000, 3000) == []


def test_a_deadlock_has_waits_without_end() -> None:
    rows = [container(0, "am", 0, 0, None), container(0, "map", 0, 1000, 2000)]
    stuck = run(OF, rows, waiting=[(0, "map", 2, 1000), (1, "map", 1, 0)])
    first, second = job_profile(stuck, 0), job_profile(stuck, 1)
    assert first.life == JobLife(0, 0, 1000, NONE, NONE, NONE, NONE, NONE, NONE)
    assert (first.outcomes, first.never_started) == ((1, 0, 1, 0, 0), 2)
    assert waits(stuck, 0) == [(1000, 2000, NONE)]
    assert second.life == JobLife(0, *[NONE] * 8)
    assert (second.spreads, len(second.containers), second.never_started) == ({}, 0, 1)
    assert waits(stuck, 1) == [(0, 2000, NONE)]
    assert holders(stuck, 0, 2000) == [Holder(0, 512 / 4096 + 0.125, 0.375)]


def test_a_wait_without_end_may_begin_after_the_last_start() -> None:
    stuck = run(OF, [container(0, "am", 0, 0, None)], waiting=[(0, "map", 3, 1000)])
    assert stuck.until_ms == 0
    assert waits(stuck, 0) == [(1000, 1000, NONE)]


def test_a_job_that_is_not_there() -> None:
    with pytest.raises(IndexError):
        job_profile(BY_HAND, 2)


ORDERS = (
    ("submitted", "master", "first_map", "maps_end", "finish"),
    ("reduces_asked", "first_reduce", "last_reduce", "shuffle_end", "finish"),
)


def waits_by_ms(of: Run, job: int) -> set[int]:
    """Each ms in which something of the job is asked for and not placed."""
    c, waiting = of.containers, of.waiting
    spans = zip(c.requested[c.job == job].tolist(), c.start[c.job == job].tolist())
    unserved = [(since, of.until_ms) for since in waiting.since[waiting.job == job].tolist()]
    return {ms for since, until in [*spans, *unserved] for ms in range(since, until)}


@examples(5, 40)
@given(scenarios(BUSY), schedulers())
def test_every_job_of_random_runs(of, chosen) -> None:
    result = simulate(of, scheduler_text(chosen))
    jobs = range(len(result.workload.job_names))
    profiles = [job_profile(result, job) for job in jobs]
    numbers = sorted(number for one in profiles for number in one.containers.tolist())
    assert numbers == list(range(len(result.containers.job)))
    assert [sum(one.outcomes) for one in profiles] == [len(one.containers) for one in profiles]
    assert sum(one.never_started for one in profiles) == result.waiting.count.sum()
    for job, one in zip(jobs, profiles):
        check_life(one.life)
        check_waits(result, job)


def check_life(life: JobLife) -> None:
    for names in ORDERS:
        known = [at for name in names if (at := getattr(life, name)) != NONE]
        assert known == sorted(known)
    assert life.maps_end <= life.shuffle_end or life.shuffle_end == NONE
    assert (life.maps_end == NONE) <= (life.finish == NONE)


def check_waits(of: Run, job: int) -> None:
    """They do not overlap, cover what is asked for, and nobody holds more than there is meanwhile."""
    c, spans = of.containers, waits(of, job)
    assert all(one[1] <= other[0] for one, other in zip(spans, spans[1:]))
    if of.until_ms < 5000:
        assert {ms for since, until, _ in spans for ms in range(since, until)} == waits_by_ms(of, job)
    for since, until, number in spans:
        assert number == NONE or (c.start[number], c.job[number]) == (until, job)
        shares = holders(of, since, until)
        assert of.memory_only or sum(share.vcores for share in shares) <= 1 + 1e-9
        assert sum(share.memory for share in shares) <= 1 + 1e-9


@given(st.lists(st.integers(1, 50), min_size=1, max_size=40))
def test_quartiles_are_numpys_of_the_inverted_distribution(seconds) -> None:
    of = scenario(
        [(1024 * len(seconds), len(seconds))],
        [
            {
                "maps": {
                    "count": len(seconds),
                    "memory_mb": 1024,
                    "vcores": 1,
                    "duration_s": {"values": seconds},
                }
            }
        ],
    )
    result = job_profile(simulate(of, "fifo"), 0).spreads["map"]
    expected = np.quantile(1000 * np.array(seconds), [0, 0.25, 0.5, 0.75, 1], method="inverted_cdf")
    assert list(result) == [len(seconds), *expected.astype(int).tolist()]


def test_a_job_of_200_000_containers_is_told_without_a_line_for_each() -> None:
    of = scenario([(1024, 1)] * 8, [{"maps": stage(100_000, 1, 1), "reduces": stage(100_000, 1, 1)}])
    rows = container(0, "map", 0, 0, 1)
    kind = np.repeat([MAP, REDUCE], 100_000)
    one = run(of, [rows])
    generator = np.random.default_rng(1)
    start = np.sort(generator.integers(0, 10**6, 200_000))
    requested, fetched, end = (
        start - generator.integers(0, 1000, 200_000),
        start + 500,
        start + generator.integers(1000, 10**5, 200_000),
    )
    zeros, ones = np.zeros(200_000, np.int64), np.ones(200_000, np.int64)
    columns = (
        zeros,
        ones,
        kind,
        zeros,
        ones,
        zeros,
        requested,
        start,
        np.where(kind == REDUCE, fetched, NONE),
        end,
        zeros + FINISHED,
        start,
    )
    many = Run(**{**vars(one), "containers": type(one.containers)(*columns)})
    lines = 0

    def count(_frame: FrameType, _event: str, _value: object) -> Any:
        nonlocal lines
        lines += 1
        return count

    sys.settrace(count)
    try:
        result = job_profile(many, 0)
        job_waits(many, 0)
    finally:
        sys.settrace(None)
    assert len(result.containers) == 200_000
    assert lines < 5000  # none for each container


def test_a_node_that_is_not_up_is_not_free() -> None:
    """Half of the cluster joins at 10 s: until then the only map holds all there is."""
    plain = scenario([(1024, 1), (1024, 1)], [{"maps": stage(2, 1024, 1)}]).plain()
    plain["cluster"]["nodes"][1]["joins_s"] = 10
    only = simulate(Scenario.of(plain), "fifo")
    since = int(only.containers.start[0])
    assert holders(only, since, since + 1000) == [Holder(0, 1.0, 1.0)]
