"""Two runs of one scenario: who is matched with whom, by hand and against a slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from engine.analysis.difference import PLACEMENT_FIELDS, Difference, difference, placement_digest
from engine.codes import EXECUTOR, FINISHED, NONE
from engine.scenario.model import Scenario
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.handmade_runs import container, run, scenario, stage
from tests.spark_jobs import MIXED
from tests.strategies import scenarios, scheduler_text, schedulers

OF = scenario(
    [(4096, 4), (4096, 4)],
    [{"maps": stage(2, 1024, 1), "reduces": stage(1, 1024, 1)}, {"maps": stage(1, 1024, 1)}],
)
FIRST = run(
    OF,
    [
        container(0, "map", 0, 0, 1000),
        container(0, "map", 0, 100, 900, index=1),
        container(0, "reduce", 1, 1000, 3000, fetched=1500),
        container(1, "map", 0, 1200, 2000),
    ],
)
SECOND = run(
    OF,
    [
        container(1, "map", 0, 0, 800),
        container(0, "map", 1, 300, 1300),
        container(0, "reduce", 1, 400, 700, killed=True),
        container(0, "map", 0, 700, 1500, index=1),
        container(0, "reduce", 1, 1500, 3500, fetched=2000, attempt=2),
    ],
)


def test_tasks_are_matched_by_the_attempt_that_finished() -> None:
    result = difference(FIRST, SECOND)
    # Job by job, maps before reduces: map 0 from 0 to 300, map 1 from 100 to 700, the reduce from 1,000 to
    # 1,500, and job 2's map from 1,200 to 0.
    assert result.start_ms.tolist() == [300, 600, 500, -1200]
    assert result.end_ms.tolist() == [300, 600, 500, -1200]
    assert result.moved.tolist() == [True, False, False, False]
    assert (result.only_a, result.only_b) == (0, 1)  # the reduce that was killed
    assert result.finish_ms.tolist() == [3500 - 3000, 800 - 2000]
    assert result.compared.all()
    assert not result.alike


def test_a_job_that_never_finishes_is_not_compared() -> None:
    stuck = run(
        OF, [container(0, "map", 0, 0, 1000), container(1, "map", 0, 0, None)], waiting=[(0, "map", 1, 0)]
    )
    result = difference(FIRST, stuck)
    assert result.compared.tolist() == [False, False]
    assert result.finish_ms.tolist() == [0, 0]
    assert (len(result.in_a), result.only_a, result.only_b) == (1, 3, 1)


def test_a_run_is_like_itself() -> None:
    for one in (FIRST, SECOND):
        assert difference(one, one).alike
    assert placement_digest(FIRST) != placement_digest(SECOND)


def test_another_killed_attempt_is_a_difference() -> None:
    rows = [
        container(0, "map", 0, 0, 1000),
        container(0, "map", 0, 0, 1000, index=1),
        container(1, "map", 0, 0, 1000),
    ]
    early, late = (
        run(OF, [*rows, container(0, "reduce", 1, start, 900, killed=True)]) for start in (400, 500)
    )
    assert len(difference(early, late).in_a) == 3
    assert difference(early, early).alike
    assert not difference(early, late).alike


def test_runs_of_other_scenarios_cannot_be_compared() -> None:
    other = run(scenario([(1, 1)], [{"maps": stage(1, 1, 1)}]), [container(0, "map", 0, 0, 1)])
    with pytest.raises(ValueError, match="same scenario"):
        difference(FIRST, other)


def by_name(of: Run) -> dict[tuple, int]:
    """The finished attempt of each task."""
    names = zip(
        *(getattr(of.containers, field).tolist() for field in ("job", "stage", "kind", "index", "outcome"))
    )
    return {name[:4]: number for number, name in enumerate(names) if name[4] == FINISHED}


def held_to_the_twin(found: Difference) -> None:
    first, second = by_name(found.a), by_name(found.b)
    assert sorted(zip(found.in_a.tolist(), found.in_b.tolist())) == sorted(
        (first[name], second[name]) for name in first.keys() & second.keys()
    )
    jobs = found.b.containers.job[found.in_b]
    assert (np.diff(jobs) >= 0).all()
    for job, (before, after) in enumerate(zip(found.a.jobs.finish.tolist(), found.b.jobs.finish.tolist())):
        assert found.compared[job] == (NONE not in (before, after))
        assert found.finish_ms[job] == (after - before if found.compared[job] else 0)


@given(scenarios(), schedulers(), schedulers())
def test_the_twin_matches_the_same_containers_of_random_runs(of, first, second) -> None:
    a, b = (simulate(of, scheduler_text(chosen)) for chosen in (first, second))
    held_to_the_twin(difference(a, b))
    assert difference(a, simulate(of, scheduler_text(first))).alike
    rows = [
        sorted(zip(*(getattr(one.containers, field).tolist() for field in PLACEMENT_FIELDS)))
        for one in (a, b)
    ]
    assert difference(a, b).alike == (rows[0] == rows[1])
    rows = [
        sorted(
            zip(*(getattr(one.containers, field).tolist() for field in (*PLACEMENT_FIELDS, "shuffle_end")))
        )
        for one in (a, b)
    ]
    assert (placement_digest(a) == placement_digest(b)) == (rows[0] == rows[1])


def test_executors_are_matched_by_their_order() -> None:
    fair, fifo = (simulate(Scenario.of(MIXED), scheduler) for scheduler in ("fair", "fifo"))
    found = difference(fair, fifo)
    for field in ("job", "kind", "index"):
        assert (
            getattr(fair.containers, field)[found.in_a] == getattr(fifo.containers, field)[found.in_b]
        ).all()
    finished = [
        (run.containers.kind == EXECUTOR) & (run.containers.outcome == FINISHED) for run in (fair, fifo)
    ]
    both = set(fair.containers.index[finished[0]]) & set(fifo.containers.index[finished[1]])
    assert int((fair.containers.kind[found.in_a] == EXECUTOR).sum()) == len(both) > 0
    assert difference(fair, fair).alike
