"""The optimum where it is known by hand, and the law: never longer than a compared scheduler's run, never
below what is proved.
"""

from __future__ import annotations

import sys

import pytest

from engine.bounds.lower_bounds import NoBound
from engine.bounds.optimum import optimum
from engine.bounds.optimum.optimum import Optimum, find_optimum
from engine.bounds.optimum.optimum_text import (
    above_sentence,
    optimum_plain,
    optimum_sentence,
    progress_line,
    progress_text,
)
from engine.bounds.optimum.plan_solver import SearchProgress
from engine.bounds.optimum.planned_batch import Rules
from engine.papers.haste.workloads import alignment, packing
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from engine.simulation.cancellation import CancelToken
from engine.simulation.simulate import simulate
from tests.handmade_runs import scenario, stage
from tests.phrases import phrase

HASTE_LIKE = {
    "am": {"memory_mb": 1, "vcores": 1, "startup_s": {"dist": "uniform", "low": 1.0, "high": 3.0}},
    "shuffle_mb_per_map": 20.0,
}


def found(scheduler: Scenario, *names: str, seconds: float = 20.0, on_progress=lambda _: None) -> Optimum:
    schedulers = [parse(name) for name in names or ("fifo",)]
    return find_optimum(
        scheduler, [(one, simulate(scheduler, one, plain=True)) for one in schedulers], seconds, on_progress
    )


def batch() -> Scenario:
    """Jobs whose maps lean to vcores and to memory, with masters, a shuffle and spread durations, on three
    nodes.
    """
    scheduler = {"dist": "lognormal", "mean": 4.0, "sd": 1.0}
    jobs = [
        {
            **HASTE_LIKE,
            "maps": {**stage(6, 1, 3), "duration_s": scheduler},
            "reduces": {**stage(2, 1, 1), "duration_s": scheduler},
        },
        {
            **HASTE_LIKE,
            "maps": {**stage(6, 3, 1), "duration_s": scheduler},
            "reduces": {**stage(2, 1, 2), "duration_s": scheduler},
            "iterations": 2,
        },
    ]
    return scenario([(5, 5), (5, 5), (4, 8)], jobs)


def test_large_tasks_first_is_proved() -> None:
    """HaSTE's packing: tasks of 1, 1, 3, 3 GB on 4 GB, a minute each. FIFO takes three rounds; two are the
    least, as 8 GB minutes need.
    """
    one = found(packing(), "fifo")
    assert (one.found_s, one.at_least_s, one.is_proved) == (120.0, 120.0, True)
    assert optimum_sentence(one._replace(scheduler="")) == phrase(
        "optimum.optimum_s_plan_simulator_followed", "2 min"
    )


def test_it_begins_with_the_best_run_of_any_order_under_the_same_rules() -> None:
    """ffd-dp takes two rounds where fifo, which alone is compared, takes three; omo is none to begin with,
    for its reduces start by a rule of its own.
    """
    one = found(packing(), "fifo")
    assert (one.scheduler, one.run.scheduler) == ("ffd-dp", "optimum")
    assert optimum_sentence(one) == phrase("optimum.optimum_s_run_ffd_dp", "2 min")
    others = {run.scheduler for run in optimum._other_runs(batch(), Rules(), {"fair"}, CancelToken())}
    assert {"fifo", "drf", "haste"} <= others and not {"fair", "omo"} & others
    looser = {
        run.scheduler
        for run in optimum._other_runs(
            batch(), Rules(keeps_slowstart=False, per_heartbeat=False), set(), CancelToken()
        )
    }
    assert looser >= others | {"fair", "omo", "capacity"}


def test_where_a_scheduler_is_the_best_it_is_its_run() -> None:
    """HaSTE-A's alignment: 5 minutes, which haste-a(factor=0) reaches; 6 x 2 + 3 x 2 x 1 = 18 GB minutes on 4
    GB are 4.5 minutes.
    """
    assert found(alignment(), "fifo", seconds=3.0).found_s == 300.0
    one = found(scenario([(4, 4)], [{"maps": stage(2, 4, 4, 10.0)}]), "fifo")
    assert one.scheduler == "fifo" and one.run.scheduler == "optimum" and one.is_proved
    assert optimum_sentence(one).startswith(phrase("optimum.optimum_s_run_fifo_proved", "20 s"))


def test_the_law() -> None:
    scheduler, names = batch(), ("fifo", "fair", "haste+slowstart", "omo", "fifo(resources=memory)")
    on_progress: list[SearchProgress] = []
    one = found(scheduler, *names, seconds=3.0, on_progress=on_progress.append)
    runs = [simulate(scheduler, name, plain=True) for name in names]
    assert one.at_least_s <= one.found_s <= min((run.until_ms - run.first_ms) / 1000 for run in runs)
    assert one.run.until_ms - one.run.first_ms == round(1000 * one.found_s)
    assert all(
        later.best_s <= before.best_s and later.at_least_s >= before.at_least_s
        for before, later in zip(on_progress, on_progress[1:])
    )
    assert on_progress[-1].best_s == one.found_s and on_progress[-1].at_least_s == one.at_least_s
    assert not one.keeps_slowstart, "omo starts reduces by a rule of its own"
    assert optimum_plain(one)["makespan_s"] == one.found_s
    assert phrase("optimum.above_best_found") in above_sentence(
        runs[0], runs[0].jobs.finish.max() / 1000, one
    )


def test_who_listens_may_end_it() -> None:
    def refuse(_: SearchProgress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        found(batch(), on_progress=refuse)


def test_halted_it_has_the_best_so_far() -> None:
    """A search of five minutes that is halted at its first words takes seconds, and what it has is a run."""
    cancel_token, on_progress = CancelToken(), []

    def enough(progress: SearchProgress) -> None:
        on_progress.append(progress)
        cancel_token.cancel()

    run = simulate(batch(), "fifo", plain=True)
    one = find_optimum(batch(), [(parse("fifo"), run)], 300.0, enough, cancel_token=cancel_token)
    assert len(on_progress) == 1 and one.seconds < 60
    assert one.at_least_s <= one.found_s <= (run.until_ms - run.first_ms) / 1000


def test_progress_in_words() -> None:
    assert progress_text(SearchProgress(12.3, 1812.04, 1790.4)) == phrase(
        "optimum.best_found_s_proved_at", "30 min 12 s", "29 min 50 s", "1.3 %"
    )
    assert progress_text(SearchProgress(0.5, 12.0, 0.0)) == "Best found 12 s"


def test_a_line_of_progress() -> None:
    assert progress_line(SearchProgress(12.3, 812.04, 790.4)) == phrase(
        "optimum.s_best_s_at_least", "12 s", "13 min 32 s", "13 min 10 s", "2.8 %"
    )


def test_too_large_is_one_sentence() -> None:
    with pytest.raises(
        NoBound,
        match="^"
        + phrase("optimum.optimum_looked_for_up_containers", "2,000", ".*", "3,000", "1 node")
        + "$",
    ):
        found(scenario([(4, 4)], [{"maps": stage(3000, 1, 1)}]))


def test_beside_one_that_kills_masters_there_is_none() -> None:
    with pytest.raises(NoBound, match="preemption=yes"):
        found(batch(), "fair(preemption=yes)")


def test_without_a_finished_run_there_is_none() -> None:
    """Two jobs whose masters fill the node: neither ever starts a map under fifo."""
    job = {"am": {"memory_mb": 2, "vcores": 1, "startup_s": 5.0}, "maps": stage(1, 2, 1)}
    with pytest.raises(NoBound, match="name another"):
        found(scenario([(4, 4)], [job, job]), "fifo")


def test_without_ortools_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools", None)
    with pytest.raises(
        NoBound,
        match="^" + phrase("optimum.optimum_needs_ortools_pip_install", r"'gantry-yarn\[optimum\]'") + "$",
    ):
        found(batch())
