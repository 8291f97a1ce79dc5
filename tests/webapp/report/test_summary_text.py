"""What a report says in words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from engine import Scenario, presets, quantities, simulate, summary
from engine.dashboard import capacity_use
from tests.phrases import phrase
from webapp.report import summary_text
from webapp.runs.cache import SharedCache
from webapp.runs.task import build_task, with_pinned
from webapp.runs.warm_up import FIRST_SCHEDULERS
from webapp.url.url_state import RunRequest

SMALL = {"count": 1, "memory_mb": 1, "vcores": 1, "duration_s": 1}


def outcome(
    name: str, makespan: float | None, turnaround: float | None = None, placement: str = "", failed: int = 0
) -> SimpleNamespace:
    status = "finished" if makespan is not None else "deadlock"
    run = SimpleNamespace(scheduler=name, status=status, at_ms=5_000, because="made so")
    metrics = {"makespan_s": makespan, "mean_turnaround_s": turnaround, "failed_jobs": failed}
    return SimpleNamespace(
        run=run,
        metrics=metrics,
        placement=(placement or name, 0),
        is_scheduled=name != "measured",
        planned=None,
    )


def verdict(outcomes: list) -> list[str]:
    """Of runs without a scenario, which have no bounds."""
    return summary_text.verdict(outcomes, lambda one, metric: "")


def test_how_far_the_best_is_above_the_best_possible() -> None:
    far = {
        ("a", "makespan_s"): "at most 23 % above the best possible",
        ("b", "mean_turnaround_s"): "the best possible",
    }
    above = lambda one, metric: far[one.run.scheduler, metric]
    assert summary_text.verdict([outcome("a", 60, 50), outcome("b", 80, 40)], above) == [
        phrase("report.batch_finished_first_under_m", "1 min", "23 %", "25 %", "1 min 20 s"),
        phrase("report.jobs_mean_turnaround_shortest_under", 40, 20, 50),
    ]
    assert summary_text.verdict([outcome("a", 60)], above) == [
        phrase("report.makespan_under_m_s_at", "1 min", "23 %")
    ]


def test_the_best_and_by_how_much() -> None:
    # (80 - 60) / 80 = 25 %; (50 - 40) / 50 = 20 %.
    sentences = verdict([outcome("a", 60, 50), outcome("b", 80, 40), outcome("c", 60, 45)])
    assert sentences == [
        phrase("report.batch_finished_first_under_and", "1 min", "25 %", "1 min 20 s"),
        phrase("report.jobs_mean_turnaround_shortest_under_b", 40, 20, 50),
    ]


def test_all_alike_one_alone_and_none() -> None:
    # nobody else is there to finish
    assert verdict([outcome("a", 9, 9), outcome("b", 9, 9)])[0] == phrase(
        "report.makespan_s_under_both_schedulers", 9
    )
    assert verdict([outcome("a", 9, 9), outcome("b", 9, 9), outcome("c", None)])[1] == phrase(
        "report.makespan_s_under_both_schedulers_finish", 9
    )
    assert verdict([outcome("a", 9, 8), outcome("b", None)]) == [
        phrase("report.b_deadlocks_at_made_so", "0:05"),
        phrase("report.makespan_under_s", 9),
        phrase("report.mean_turnaround_job_under_s", 8),
    ]


def test_when_all_deadlock_that_is_said_first() -> None:
    assert verdict([outcome("a", None), outcome("b", None)]) == [
        "Both schedulers deadlock.",
        phrase("report.deadlocks_at_made_so", "0:05"),
        phrase("report.b_deadlocks_at_made_so", "0:05"),
    ]
    assert verdict([outcome(name, None) for name in "abc"])[0] == "All 3 schedulers deadlock."
    assert verdict([outcome("a", None)]) == [phrase("report.deadlocks_at_and_never_finishes", "0:05")]


def test_equal_runs_are_named_once() -> None:
    sentences = verdict([outcome("a", 60, 50, "x"), outcome("b", 80, 60), outcome("c", 60, 50, "x")])
    assert sentences[0] == phrase("report.batch_finished_first_under_m_s", "1 min", "25 %", "1 min 20 s")
    assert sentences[-1] == phrase("report.c_container_for_container_same", "=")


def test_a_run_is_no_better_for_jobs_that_failed() -> None:
    sentences = verdict([outcome("a", 10, 8, failed=1), outcome("b", 80, 40), outcome("c", 60, 45)])
    assert sentences[:2] == [
        phrase("report.job_fails_under", 1),
        phrase("report.batch_finished_first_under_c", "1 min", "25 %", "1 min 20 s"),
    ]
    assert verdict([outcome("a", 10, failed=2), outcome("b", 10, failed=2)]) == [
        phrase("report.jobs_fail_under_jobs_fail", 2, 2),
        phrase("report.makespan_s_under_both_schedulers", 10),
    ]


def test_the_verdict_as_data(cache: SharedCache, small: dict) -> None:
    small["jobs"][0] |= {"count": 4, "am": {"memory_mb": 1024, "vcores": 1}}
    one, two, stuck = summary_text.verdict_chips(
        build_task(RunRequest(small, ("fifo", "fifo(resources=memory)", "fair+admit-all")))
    )
    assert one | {"makespan": ""} == {
        "place": 0,
        "makespan": "",
        "difference": "",
        "best": True,
        "deadlock": False,
    }
    assert (two["makespan"], two["best"]) == (one["makespan"], True)
    assert (stuck["deadlock"], stuck["best"], stuck["difference"]) == (True, False, "")


def test_chips_say_how_much_longer_than_the_best(cache: SharedCache, small: dict) -> None:
    pinned = build_task(RunRequest(small, ("fifo",)))
    small["jobs"][0]["maps"]["duration_s"] = 20
    own = with_pinned(build_task(RunRequest(small, ("fifo", "fifo+slowstart(at=1)"))), pinned)
    chips = summary_text.verdict_chips(own)
    spans = [shown_run.outcome.metrics["makespan_s"] for shown_run in own.shown]
    assert [chip["makespan"] for chip in chips] == [quantities.clock(span) for span in spans]
    assert chips[1]["difference"] == quantities.whole_percent(spans[1] / min(spans[0], spans[2]) - 1)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1234.5, "1,234.5 s"),
        ({"dist": "normal", "mean": 20, "sd": 5}, "normal(20, 5) s"),
        ({"dist": "exponential", "mean": 0.5}, "exponential(0.5) s"),
        ({"values": [1, 2, 3, 4, 5, 6, 7]}, "values(1, 2, 3, 4, 5, 6, …) s"),
    ],
)
def test_durations_as_one_composes_them(value: object, text: str) -> None:
    assert summary_text.duration_text(value) == text


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (["a", "b(x=1, y=2)", "c"], "a, b(x=1, y=2) and c"),
        (["a", "b, c", "d"], "a; b, c; and d"),
    ],
)
def test_names_in_a_sentence(names: list[str], text: str) -> None:
    assert summary_text.join_names(names) == text


def test_the_story_of_the_example_is_computed(cache: SharedCache) -> None:
    task = build_task(RunRequest(presets()[0].scenario.plain(), FIRST_SCHEDULERS))
    fair, haste = task.outcomes()
    makespans = [one.metrics["makespan_s"] for one in (fair, haste)]
    waiting = [capacity_use("", True, one.split, "vcores").share("waiting") for one in (fair, haste)]
    story = summary_text.story([fair, haste])
    assert story == summary_text.story([haste, fair])
    assert story == phrase(
        "report.story_of_the_example",
        quantities.whole_percent(1 - makespans[1] / makespans[0]),
        quantities.whole_percent(waiting[1]),
        quantities.whole_percent(waiting[0]),
    )


def test_no_story_is_told_where_there_is_none(cache: SharedCache, small: dict) -> None:
    same = build_task(RunRequest(small, ("fifo", "fifo(resources=memory)"))).outcomes()
    assert summary_text.story(same) == summary_text.story(same[:1]) == ""
    small["jobs"][0] |= {"count": 4, "am": {"memory_mb": 1024, "vcores": 1}}
    assert summary_text.story(build_task(RunRequest(small, ("fifo", "fair+admit-all"))).outcomes()) == ""


def _outcomes(data: dict) -> list[SimpleNamespace]:
    """Under fair and capacity."""
    runs = [simulate(Scenario.of(data), scheduler) for scheduler in ("fair", "capacity")]
    return [
        SimpleNamespace(
            run=run, metrics=summary(run), placement=(run.scheduler, 0), is_scheduled=True, planned=None
        )
        for run in runs
    ]


def test_a_run_is_no_better_for_jobs_that_it_refused() -> None:
    """As for those that failed; Hadoop's reason is told where it is the same under all."""
    jobs = [{"name": name, "maps": SMALL, "queue": f"root.{name}"} for name in "xy"]
    data = {"version": 1, "cluster": {"nodes": [{"count": 1, "memory_mb": 8, "vcores": 8}]}, "jobs": jobs}
    closed = {"name": "root.y", "max_share": {"memory_mb": 0, "vcores": 0}}
    data["queues"] = [{"name": "root.x"}, closed]
    fair, capacity = _outcomes(data)
    assert (fair.metrics["refused_jobs"], capacity.metrics["refused_jobs"]) == (1, 0)
    sentences = verdict([fair, capacity])
    assert sentences[0] == phrase("report.job_is_refused", 1, "fair", "y", "root.y")
    assert "fair" not in " ".join(sentences[1:])
    data["queues"] = [{"name": "root.x"}, closed | {"state": "stopped"}]
    assert verdict(_outcomes(data))[0] == phrase("report.jobs_are_refused", 1, "fair", 1, "capacity")
