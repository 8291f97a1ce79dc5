"""A search is run: answers that follow from arithmetic or from trying everything, what is not feasible, and
how sure an answer is.
"""

from __future__ import annotations

import json
import sys
from itertools import product

import numpy as np
import pytest

from engine import Search, Study, run_search, run_study, sample
from engine.dashboard import (
    CancelToken,
    Constraint,
    Dimension,
    Objective,
    ProcessRunner,
    SearchResult,
    SearchUnavailable,
    StudyFailed,
)
from engine.experiments.replications import estimate
from engine.scenario.model import Scenario
from tests.engine.studies.toys import hangs, many, one_map, two_jobs
from tests.phrases import phrase

MAP = Dimension("jobs[0].maps.duration_s", 1, 9, 1)
A, B = (Dimension(f"jobs[{place}].maps.duration_s", 1, 5, 1) for place in (0, 1))
MAKESPAN = Objective("makespan_s")


def run(scenario: dict, vary: tuple[Dimension, ...], *objectives: Objective, **more) -> SearchResult:
    return run_search(Search(scenario, vary, objectives or (MAKESPAN,), **{"schedulers": ("fifo",)} | more))


def wordcount() -> dict:
    return Scenario.read(sample("wordcount.json").read_bytes()).plain()


def random_batch() -> dict:
    return Scenario.read(sample("random-durations.json").read_bytes()).plain()


def test_the_shortest_map_is_found_and_exact() -> None:
    result = run(one_map(5.0), (MAP,))
    assert result.is_everything and len(result.trials) == 9 and result.trials[0].changed == {}
    assert result.best.trial.changed == {MAP.path: 1}
    assert result.best.estimates["makespan_s"] == (1.0, 0.0, 1) and result.best.differences["makespan_s"] == (
        -4.0,
        0.0,
        1,
    )
    assert result.best.is_surely_better(MAKESPAN)
    assert result.scenario(result.best.trial)["jobs"][0]["maps"]["duration_s"] == 1


def test_everything_is_tried_where_the_present_setting_is_none_of_it() -> None:
    """Ten settings by ten trials, and the present one of 5.5 s beside them: the last, of 1 s by the choices'
    order, is tried too.
    """
    result = run(one_map(5.5), (Dimension(MAP.path, choices=(10, 9, 8, 7, 6, 5, 4, 3, 2, 1)),), trials=10)
    assert result.is_everything and len(result.trials) == 11 and result.best.trial.values == (1.0,)


def test_a_constraint_is_respected() -> None:
    """The makespan is the map's duration: of those of at least 6.5 s the shortest is 7 s."""
    result = run(one_map(5.0), (MAP,), constraints=(Constraint("makespan_s", at_least=6.5),))
    assert (
        result.best.trial.values == (7.0,)
        and result.feasible == 3
        and result.best.holds(result.search.constraints[0])
    )
    assert result.trials[0].violations == (1.5,) and not result.trials[0].is_feasible
    assert not result.best.is_surely_better(MAKESPAN)  # the present one is shorter, and breaks it


def test_where_nothing_is_better_the_present_setting_is_the_answer() -> None:
    result = run(one_map(1.0), (MAP,))
    assert result.best.trial.number == 0 and result.best.differences == {}
    weights = run(one_map(1.0), (Dimension("jobs[0].weight", 1, 9, 1),))
    assert weights.best.trial.number == 0  # of equals the one that changes least


def test_the_sampler_finds_what_trying_everything_finds() -> None:
    """Slow start and two sizes of containers under two schedulers: 2 x 11 x 4 x 4 settings, of which 80 are
    tried.
    """
    vary = (
        Dimension("jobs[*].slowstart", 0, 1, 0.1),
        Dimension("jobs[*].maps.vcores", 1, 4),
        Dimension("jobs[*].reduces.vcores", 1, 4),
    )
    everything = run(wordcount(), vary, schedulers=("fifo", "fair"), trials=400)
    assert everything.is_everything and everything.search.space.size == 352
    tried = run(wordcount(), vary, schedulers=("fifo", "fair"), trials=80)
    assert len({one.setting for one in tried.trials[1:]}) == 79 and not tried.is_everything
    values = np.sort([one.values[0] for one in everything.trials])
    assert values[0] <= tried.best.trial.values[0] <= values[3] < values[100]  # of the best hundredth


def test_the_curve_is_the_front_of_everything() -> None:
    """Makespan a + b, longest wait a, which is to be long: b = 1, and a from 1 to 5."""
    result = run(two_jobs(), (A, B), MAKESPAN, Objective("max_wait_s", "larger"))
    assert [one.trial.values for one in result.front] == [(a + 1, a) for a in (1.0, 2.0, 3.0, 4.0, 5.0)]
    points = [(a + b, -a) for a, b in product(range(1, 6), repeat=2)]
    kept = {
        one
        for one in points
        if not any(other != one and other[0] <= one[0] and other[1] <= one[1] for other in points)
    }
    assert {(one.trial.values[0], -one.trial.values[1]) for one in result.front} == kept


@pytest.mark.parametrize("trials", [40, 310])
def test_a_sampled_curve_has_no_dominated_point(trials: int) -> None:
    """By either sampler; the constraint holds for each."""
    vary = (Dimension("jobs[*].slowstart"), Dimension("cluster.nodes.total", 4, 20))
    result = run(
        wordcount(),
        vary,
        MAKESPAN,
        Objective("memory_utilization", "larger"),
        trials=trials,
        constraints=(Constraint("makespan_s", at_most=400),),
    )
    points = [one.trial.values[:2] for one in result.front]
    assert len(points) > 3 and points == sorted(points)
    assert all(later[1] > before[1] for before, later in zip(points, points[1:]))
    feasible = [one.values[:2] for one in result.trials if one.is_feasible]
    assert not any(
        other[0] <= one[0] and other[1] >= one[1] and other != one for one in points for other in feasible
    )
    assert max(point[0] for point in points) <= 400


def test_the_answer_is_judged_on_seeds_that_chose_nothing() -> None:
    result = run(
        random_batch(), (Dimension("cluster.nodes.total", 2, 4),), seeds=2, fresh_seeds=7, first_seed=100
    )
    seeds = {
        one: run_study(Study(plain, ("fifo",), seeds=9, first_seed=100, metrics=("makespan_s",))).of(
            "makespan_s"
        )[0, 0]
        for one, plain in enumerate((result.search.scenario, result.scenario(result.best.trial)))
    }
    assert result.trials[0].values == (pytest.approx(seeds[0][:2].mean()),) and result.best.trial.values == (
        pytest.approx(seeds[1][:2].mean()),
    )
    mean, low, high, count = estimate((seeds[1][2:] - seeds[0][2:]).tolist())
    assert (
        result.best.differences["makespan_s"] == (pytest.approx(mean), pytest.approx((high - low) / 2), count)
        and count == 7
    )
    assert result.present.estimates["makespan_s"].mean == pytest.approx(seeds[0][2:].mean())


def test_luck_is_not_sold_as_better() -> None:
    """What a job is called decides its draws and nothing else: the name that is best by one seed is not so by
    others (the winner's curse).
    """
    batch = two_jobs()
    batch["jobs"][0]["maps"]["duration_s"] = batch["jobs"][1]["maps"]["duration_s"] = {
        "dist": "exponential",
        "mean": 10,
    }
    result = run(batch, (Dimension("jobs[0].name", choices=tuple("cdefghijklm")),), seeds=1)
    gain, apart = (
        result.best.trial.values[0] - result.trials[0].values[0],
        result.best.differences["makespan_s"],
    )
    assert gain < -3 and abs(apart.mean) < apart.half and not result.best.is_surely_better(MAKESPAN)


def test_the_same_search_gives_the_same_bytes_whatever_runs_it() -> None:
    of = Search(
        random_batch(),
        (Dimension("jobs[*].slowstart"),),
        (MAKESPAN,),
        ("fifo", "fair"),
        trials=15,
        fresh_seeds=5,
        seeds=2,
    )
    first, again = (json.dumps(run_search(of).plain()) for _ in range(2))
    pool = ProcessRunner(2)
    try:
        elsewhere = json.dumps(run_search(of, pool).plain())
    finally:
        pool.close()
    assert first == again == elsewhere and "NaN" not in first


def test_where_nothing_is_feasible_the_nearest_is_told() -> None:
    result = run(
        one_map(5.0),
        (MAP,),
        constraints=(Constraint("makespan_s", at_most=0.5), Constraint("max_wait_s", at_most=0)),
    )
    assert result.best is None and result.feasible == 0
    assert result.nearest.changed == {MAP.path: 1} and result.nearest.violations == (0.5, 0.0)
    assert result.plain()["scenario"] is None and result.plain()["nearest"]["violations"] == [0.5, 0.0]


def test_refused_values_are_not_feasible() -> None:
    """A map of 4 MB on nodes of 1 to 9 MB, two maps on one of 8: 12 maps on 2 nodes take 6 s, or 3."""
    result = run(many(), (Dimension("cluster.nodes[0].memory_mb", 1, 9, 1),))
    refused = [one for one in result.trials if one.because]
    assert [one.changed["cluster.nodes[0].memory_mb"] for one in refused] == [1, 2, 3]
    assert all("memory" in one.because and not one.is_feasible for one in refused)
    assert result.best.trial.values == (3.0,)


def test_a_deadlock_is_not_feasible() -> None:
    result = run(hangs(), (Dimension("cluster.nodes.total", 1, 3, 1),))
    assert result.trials[0].because and not result.trials[0].is_feasible
    assert (
        result.best.trial.changed == {"cluster.nodes.total": 2}
        and result.best.differences["makespan_s"].count == 0
    )


def test_the_sampler_gets_past_what_is_refused() -> None:
    """Of 60 sizes of nodes 3 in 4 are refused."""
    vary = (Dimension("cluster.nodes[0].memory_mb", 1, 5, 1), Dimension("cluster.nodes.total", 1, 12))
    result = run(many(24, 1), vary, trials=20, constraints=(Constraint("makespan_s", at_least=3),))
    assert 0 < result.feasible < 20 and result.best.trial.values[0] <= 4


def test_it_can_be_ended_and_answers_with_what_it_has() -> None:
    cancel_token = CancelToken()
    of = Search(wordcount(), (Dimension("jobs[*].slowstart"),), (MAKESPAN,), ("fifo", "fair"))
    result = run_search(
        of,
        progress=lambda progress: cancel_token.cancel() if len(progress.trials) == 5 else None,
        cancel_token=cancel_token,
    )
    assert result.is_ended and len(result.trials) == 5 and result.best.estimates == {}
    assert json.dumps(result.plain())
    nothing = run_search(of, cancel_token=cancel_token)
    assert nothing.is_ended and nothing.trials == () and nothing.best is None and json.dumps(nothing.plain())


def test_what_runs_it_may_fail_and_is_no_fault_of_a_setting() -> None:
    class Broken:
        def run(self, study, todo, cancel_token):
            raise StudyFailed("a process ended 3 times")

    with pytest.raises(StudyFailed):
        run_search(Search(one_map(), (MAP,), (MAKESPAN,)), Broken())


def test_progress_is_told_of_every_trial_and_setting() -> None:
    seen = []
    run_search(
        Search(one_map(), (MAP,), (MAKESPAN,), ("fifo",)),
        progress=lambda one: seen.append((len(one.trials), one.most, one.confirmed, one.to_confirm)),
    )
    assert seen == [*((trial, 9, 0, 0) for trial in range(1, 10)), (9, 9, 0, 1), (9, 9, 1, 1)]


def test_without_optuna_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(
        SearchUnavailable, match=phrase("common.search_needs_optuna_pip_install", r"'gantry-yarn\[search\]'")
    ):
        run(wordcount(), (Dimension("jobs[*].slowstart"),), trials=10)
    assert run(one_map(5.0), (MAP,)).best.trial.values == (1.0,)  # trying everything needs none
