"""Dominant shares and dues: against numbers of the paper and of hand, and against a slow twin on random
runs.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis import fair_shares as module
from engine.analysis.fair_shares import ENTITIES, DominantShares, dominant_shares, entities, path_weights
from engine.scenario.model import Scenario
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from engine.simulation.workload import workload
from tests.examples import examples
from tests.handmade_runs import container, run, scenario, stage
from tests.oracle.naive_shares import filled, granule, moment
from tests.strategies import BUSY, named_schedulers, scenarios


def only(of: Run, by: str = "job") -> DominantShares:
    return dominant_shares(of, by, 1)


def test_the_paper_s_example() -> None:
    # Ghodsi 2011, 4.1: 9 CPUs and 18 GB; A's tasks take 1 CPU and 4 GB, B's 3 CPUs and 1 GB. Three tasks of A
    # and two of B: both have 2/3.
    of = scenario([(18, 9)], [{"maps": stage(30, 4, 1)}, {"maps": stage(30, 1, 3)}])
    rows = [container(0, "map", 0, 0, 100, index=index) for index in range(3)] + [
        container(1, "map", 0, 0, 100, index=index) for index in range(2)
    ]
    waiting = [(0, "map", 27, 0), (1, "map", 28, 0)]
    result = only(run(of, rows, waiting=waiting))
    assert result.share[:, 0] == pytest.approx([2 / 3, 2 / 3])
    assert result.fair_share[:, 0] == pytest.approx([2 / 3, 2 / 3])
    assert result.below_ms.tolist() == [0, 0]


def test_who_lacks_a_container_is_below_its_due() -> None:
    # 4 GB; the first job holds 3, the second holds 1 and wants another: each is due 2. So the second lacks 1
    # of 4 for as long as it waits, 60 of 100 ms.
    of = scenario([(4, 100)], [{"maps": stage(3, 1, 1)}, {"maps": stage(2, 1, 1)}])
    rows = [container(0, "map", 0, 0, 60 + 40 * (index > 0), index=index) for index in range(3)]
    rows += [container(1, "map", 0, 0, 100), container(1, "map", 0, 60, 100, index=1, requested=0)]
    result = only(run(of, rows))
    assert result.below_ms.tolist() == [0, 60]
    assert result.active_ms.tolist() == [100, 100]
    assert result.total_deficit.tolist() == [0, 0.25 * 60]
    assert result.deficit[1, 0] == pytest.approx(0.25 * 0.6)
    # 2 of 4 each while the second wants 2, and what they hold afterwards
    assert result.fair_share[:, 0] == pytest.approx([0.5, 0.5])


def test_lacking_less_than_a_container_is_nobody_s_fault() -> None:
    # 3 containers for two jobs that want 2 each: both are due 1.5, and the one that has 1 lacks half a
    # container.
    of = scenario([(3, 100)], [{"maps": stage(2, 1, 1)}, {"maps": stage(2, 1, 1)}])
    rows = [
        container(0, "map", 0, 0, 50),
        container(0, "map", 0, 0, 50, index=1),
        container(1, "map", 0, 0, 100),
        container(1, "map", 0, 50, 100, index=1),
    ]
    rows[3]["requested"] = 0
    assert only(run(of, rows)).below_ms.tolist() == [0, 0]


def test_queues_without_weight() -> None:
    tasks = {"maps": {"count": 1, "memory_mb": 1, "vcores": 1, "duration_s": 1}}
    queues = [{"name": "root.a", "weight": 0}, {"name": "root.a.x"}, {"name": "root.b.y", "weight": 0}]
    scenario = Scenario.of(
        {
            "version": 1,
            "cluster": {"nodes": [{"count": 1, "memory_mb": 9, "vcores": 9}]},
            "queues": queues,
            "jobs": [{"queue": name, **tasks} for name in ("root.a.x", "root.b.y")],
        }
    )
    assert entities(simulate(scenario, "fair"), "queue")[2].tolist() == [module.MIN_WEIGHT, module.MIN_WEIGHT]


def test_weights_of_jobs_users_and_queues() -> None:
    tasks = {"maps": stage(8, 1, 1), "am": {"memory_mb": 1, "vcores": 1}}
    of = Scenario.of(
        {
            "version": 1,
            "cluster": {"nodes": [{"count": 1, "memory_mb": 8, "vcores": 8}]},
            "queues": [
                {"name": "root.a", "weight": 3},
                {"name": "root.b.x", "weight": 1},
                {"name": "root.b.y", "weight": 3},
                {"name": "root.c"},
            ],
            "jobs": [
                {"queue": "root.b.y", "user": "zoe", "weight": 2.5, **tasks},
                {"queue": "root.a", "user": "ann", **tasks},
                {"queue": "root.a", **tasks},
            ],
        }
    )
    of_run = simulate(of, "fair")
    assert entities(of_run, "job")[2].tolist() == [2.5, 1, 1]
    names, of_job, weight = entities(of_run, "user")
    assert (names, of_job.tolist(), weight.tolist()) == (["ann", "default", "zoe"], [2, 0, 1], [1, 1, 1])
    names, of_job, weight = entities(of_run, "queue")
    # a: 3 of 3 + 1 + 1 + 1 (root.default); b.y: 3 of 4 of b's 1 of 6.
    assert (names, of_job.tolist()) == (["root.a", "root.b.y"], [1, 0, 0])
    assert weight == pytest.approx([3 / 6, 3 / 4 / 6])
    assert path_weights(workload(of).queues)[0] == 1


def test_capacities_are_weights_of_queues_where_there_are_any() -> None:
    jobs = [{"queue": name, "maps": stage(1, 1, 1)} for name in ("root.a", "root.b")]
    plain = scenario([(8, 8)], jobs, queues=("root.a", "root.b")).plain()
    plain["queues"] = [
        {"name": "root.a", "capacity_pct": 70, "weight": 5},
        {"name": "root.b", "capacity_pct": 30},
    ]
    plain["queues"].append({"name": "root.default", "capacity_pct": 0})
    assert entities(simulate(Scenario.of(plain), "capacity"), "queue")[2] == pytest.approx([0.7, 0.3])


def test_a_run_that_takes_no_time() -> None:
    result = only(run(scenario([(4, 4)], [{"maps": stage(1, 1, 1)}]), [], waiting=[(0, "map", 1, 0)]))
    assert (result.share.shape, result.below_ms.tolist()) == ((1, 1), [0])


amounts = st.integers(0, 6).map(lambda number: Fraction(number, 4))


@given(
    st.lists(
        st.tuples(amounts, amounts, st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(7, 2)])),
        min_size=1,
        max_size=6,
    )
)
def test_progressive_filling_of_the_twin_wastes_nothing_and_is_strategy_proof_in_size(rows) -> None:
    """Of the twin itself: nobody gets more than it wants, nothing is over capacity, and who wants more has no
    smaller share for its weight than another.
    """
    demands, weights = [(a, b) for a, b, _ in rows], [weight for *_, weight in rows]
    dominant, fair_share = [max(pair) for pair in demands], filled(demands, weights)
    used = [
        sum(fair_share[one] * demands[one][k] / dominant[one] for one in range(len(rows)) if dominant[one])
        for k in (0, 1)
    ]
    assert all(0 <= got <= most for got, most in zip(fair_share, dominant))
    assert max(used) <= 1
    short = [one for one in range(len(rows)) if fair_share[one] < dominant[one]]
    assert not short or max(used) == 1
    assert all(
        fair_share[one] / weights[one] >= fair_share[other] / weights[other]
        for one in short
        for other in range(len(rows))
    )


@examples(3, 30)
@given(
    scenarios(BUSY),
    named_schedulers(orders=("fifo", "fair", "drf", "capacity", "haste")),
    st.sampled_from(ENTITIES),
    st.integers(1, 7),
)
def test_the_twin_agrees_on_random_runs(of, scheduler, by, columns) -> None:
    made = simulate(of, scheduler)
    result = dominant_shares(made, by, columns)
    first, until = made.first_ms, made.until_ms
    count = len(result.names)
    totals = [[[Fraction(0)] * count for _ in range(len(result.edges) - 1)] for _ in range(3)]
    below, wanted, total_deficit = [0] * count, [0] * count, [Fraction(0)] * count
    small = granule(made, by)
    for begin, end in _pieces(made, result.edges.tolist()):
        share, fair_share, demand = moment(made, by, begin)
        column = int(np.searchsorted(result.edges, begin, side="right")) - 1
        for one in range(count):
            # The fast one allows 1e-9 of a container for rounding.
            lacks = (
                fair_share[one] - share[one]
                if fair_share[one] - share[one] >= small[one] * (1 - Fraction(1, 10**9))
                else 0
            )
            wanted[one] += (end - begin) * (demand[one] > 0)
            below[one] += (end - begin) * (lacks > 0)
            total_deficit[one] += (end - begin) * lacks
            for total, amount in zip(totals, (share[one], fair_share[one], lacks)):
                total[column][one] += (end - begin) * amount
    assert result.active_ms.tolist() == wanted
    assert result.below_ms.tolist() == below
    assert result.total_deficit == pytest.approx([float(one) for one in total_deficit], rel=1e-9, abs=1e-9)
    if until > first:
        widths = np.diff(result.edges)
        for fast, slow in zip((result.share, result.fair_share, result.deficit), totals):
            assert pytest.approx(np.array(slow, float) / widths[:, None], rel=1e-5, abs=1e-7) == fast.T


def _pieces(made: Run, edges: list[int]) -> list[tuple[int, int]]:
    """Between two of these moments nothing changes."""
    c = made.containers
    moments = {
        *edges,
        *c.requested.tolist(),
        *c.start.tolist(),
        *c.end.tolist(),
        *made.jobs.arrival.tolist(),
        *made.waiting.since.tolist(),
    }
    inside = sorted(moment for moment in moments if made.first_ms <= moment <= made.until_ms)
    return list(zip(inside, inside[1:]))


def test_a_very_large_run_is_looked_at_on_a_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    # Jobs of 10 s in a cluster with room for one: looked at every 1/60 of the run, shares are off by that at
    # most.
    of = scenario([(2, 2)], [{"maps": stage(20, 2, 1, 10.0)}, {"maps": stage(20, 2, 1, 10.0)}])
    made = simulate(of, "fair")
    exact = dominant_shares(made, "job", 4)
    monkeypatch.setattr(module, "BUDGET", 2 * 60)
    rough = dominant_shares(made, "job", 4)
    assert (exact.step_ms, rough.step_ms) == (1, -(-(made.until_ms - made.first_ms) // 60))
    assert rough.share.sum(axis=1) == pytest.approx(exact.share.sum(axis=1), abs=4 * 40 / 60)
