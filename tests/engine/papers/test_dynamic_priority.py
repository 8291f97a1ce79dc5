"""Dynamic priority's experiments: the table worked by hand, the lab against the paper, and that every claim
finds its numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine.analysis.metrics import makespan_ms, summary
from engine.papers.columns import FULL_NAMES, columns, full_names
from engine.papers.dynamic_priority import PAPER, sets, worked_examples
from engine.papers.dynamic_priority.batches import busy_vcores, usage
from engine.papers.dynamic_priority.lab import (
    BATCH_GB,
    GB,
    OUTPUT,
    SIZES_GB,
    SPLIT_MB,
    batch,
    benchmark_set,
    random_test,
)
from engine.papers.dynamic_priority.random_sets import random_six_jobs
from engine.papers.dynamic_priority.sending import CAPACITY, FAIR, sent_by_score
from engine.papers.dynamic_priority.sets import reduction_pct
from engine.papers.dynamic_priority.waits import FIRST_CONTAINER, LESS_RUN_TIME, alone_s, run_uncached, runs
from engine.papers.schema import ALGORITHM, TEST_BED, Printed
from engine.papers.trial import Conditions, Trial
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler
from engine.schedulers.terms import job_priority
from engine.schedulers.view import MAP, MASTER
from engine.simulation.simulate import simulate

benchmark_set.__test__ = False  # a set of the paper's tests, none of ours
FEW = range(1, 3)


def test_every_printed_number_is_in_the_paper(shared: Callable[[str], Path]) -> None:
    text = shared("papers/dynamic-priority.txt").read_text()
    numbers = [
        claim.number for one in PAPER.experiments for claim in one.claims if isinstance(claim, Printed)
    ]
    assert len(numbers) == 23
    assert all(re.search(rf"(?<![\d.]){number:g}(?![\d.]*\d)", text) for number in numbers)
    for said in (
        "15:50 to 16:50",
        "interval 5 to 10:45",
        "17:22 - 18:21 to 12:21 - 13: 7",
        "20.4%",
        "15.5%",
        "21.2% to 17.4%",
        "1G, 2G",
        "3G, 5G, 10G, and 20GB",
        "100 Mbps",
    ):
        assert said in text


@pytest.mark.parametrize(
    ("scheduler", "order", "wait", "turnaround"),
    [
        (worked_examples.FIFO, "J4 J3 J1 J2 J6 J5", 26.0, 39.1667),
        (worked_examples.SCORE, "J4 J1 J3 J6 J2 J5", 18.3333, 31.5),
        (worked_examples.SCORE_03, "J4 J1 J6 J3 J2 J5", 15.3333, 28.5),
    ],
)
def test_table_1(scheduler: str, order: str, wait: float, turnaround: float) -> None:
    """The paper's two Gantt charts; with k1 = 0.3 J6 runs at 12, and the means are 15.33 and 28.5."""
    run = simulate(worked_examples.table_1(), FULL_NAMES[scheduler])
    names = [run.workload.job_names[job] for job in run.containers.job[np.argsort(run.containers.start)]]
    assert names == order.split()
    assert summary(run)["mean_wait_s"] == pytest.approx(wait, abs=1e-4)
    assert summary(run)["mean_turnaround_s"] == pytest.approx(turnaround, abs=1e-4)


def test_the_scores_of_the_second_decision() -> None:
    """At 10 s J3, J1 and J2 wait: 2 + 27/200, 1 + 6/2 and 0 + 30/450."""
    assert worked_examples.second_decision() == pytest.approx(
        {"J1": 4.0, "J2": 0.0666667, "J3": 2.135}, abs=1e-6
    )


def test_drawn_sets_are_like_table_1() -> None:
    for seed in range(1, 30):
        jobs = random_six_jobs(seed).jobs
        assert len(jobs) == 6 and jobs[0].arrival_s == 0
        assert all(
            0 <= job.arrival_s <= 12
            and 2 <= job.maps.duration_s <= 30
            and job.input_mb == 64 * job.maps.duration_s
            for job in jobs
        )


@pytest.mark.parametrize("scheduler", [worked_examples.FIFO, worked_examples.SCORE])
def test_turnaround_is_waiting_and_run_time(scheduler: str) -> None:
    scenario = random_six_jobs(1)
    result = summary(simulate(scenario, FULL_NAMES[scheduler]))
    assert result["mean_turnaround_s"] - result["mean_wait_s"] == pytest.approx(
        sum(job.maps.duration_s for job in scenario.jobs) / 6
    )


@pytest.mark.parametrize("benchmark", OUTPUT)
def test_lab_is_the_papers(benchmark: str) -> None:
    """Table 2 and section 5.2: twelve slaves of 4 GB and 4 threads, 100 Mbps, inputs of 1 to 20 GB in splits
    of 128 MB; output by OMO's Table 4.
    """
    scenario = benchmark_set(3, benchmark, 16)
    (nodes,) = scenario.cluster.nodes
    assert (nodes.count, nodes.memory_mb, nodes.vcores, scenario.cluster.shuffle_mb_s) == (
        12,
        4 * GB,
        4,
        100 / 8,
    )
    assert len(scenario.jobs) == 16 and all(
        job.maps.count == job.input_mb / SPLIT_MB for job in scenario.jobs
    )
    assert {job.input_mb / GB for job in scenario.jobs} <= set(SIZES_GB) == {1, 2, 3, 5, 10, 20}
    gaps = np.diff([job.arrival_s for job in scenario.jobs])
    assert (gaps == 0).any() and (gaps > 0).any()
    complete = {"terasort": 20, "wordcount": 3.9, "inverted-index": 3.45}[benchmark]
    assert scenario.jobs[0].shuffle_mb_per_map * 160 / GB == pytest.approx(complete)


def test_batches_are_12_gb_at_once() -> None:
    for seed in range(1, 30):
        jobs = batch(seed).jobs
        assert sum(job.input_mb for job in jobs) == BATCH_GB * GB
        assert {job.arrival_s for job in jobs} == {0}


def test_one_queue_makes_both_orders_of_containers_one() -> None:
    runs = [
        simulate(benchmark_set(1, "wordcount", 4), FULL_NAMES[name])
        for name in ("priority-fair", "priority-capacity")
    ]
    assert (runs[0].containers.start == runs[1].containers.start).all()


def queue(run_times: dict[str, tuple[float, int]], scheduler: str | Scheduler) -> list[str]:
    """In which order jobs are sent of which one runs at a time: arrivals and seconds, of one map each."""
    one = {"memory_mb": GB, "vcores": 1}
    jobs = [
        {"name": name, "arrival_s": arrival, "estimate_s": run, "input_mb": 64 * run, "am": one,
         "maps": {**one, "count": 1, "duration_s": run}}
        for name, (arrival, run) in run_times.items()
    ]  # fmt: skip
    cluster = {"nodes": [{"count": 1, "memory_mb": 4 * GB, "vcores": 4}], "heartbeat_ms": 0}
    run = simulate(Scenario.of({"version": 1, "cluster": cluster, "jobs": jobs}), scheduler)
    masters = run.containers.kind == MASTER
    jobs_in_order = run.containers.job[masters][np.argsort(run.containers.start[masters], kind="stable")]
    return [run.workload.job_names[job] for job in jobs_in_order]


def test_the_score_says_who_is_sent_next() -> None:
    """Table 1 where a tenth of 4 GB lets one master run at a time: the second Gantt chart, k1 = 1, and FIFO's
    without the score; k1 = 0.3 is the third of `test_table_1`.
    """
    of = {name: (float(arrival), run) for name, (arrival, run) in worked_examples.JOBS.items()}
    assert queue(of, CAPACITY) == ["J4", "J3", "J1", "J2", "J6", "J5"]
    assert queue(of, sent_by_score(CAPACITY, k1=1.0)) == ["J4", "J1", "J3", "J6", "J2", "J5"]
    assert queue(of, sent_by_score(CAPACITY)) == ["J4", "J1", "J6", "J3", "J2", "J5"]


@pytest.mark.parametrize("base", [FAIR, CAPACITY])
def test_with_a_place_that_outweighs_all_the_base_is_what_it_was(base: str) -> None:
    made = benchmark_set(3, "wordcount", 8)
    first, second = (simulate(made, chosen).containers for chosen in (base, sent_by_score(base, k1=1000.0)))
    assert summary(simulate(made, base))["mean_turnaround_s"] == pytest.approx(
        summary(simulate(made, sent_by_score(base, k1=1000.0)))["mean_turnaround_s"], rel=0.02
    )
    assert len(first.start) == len(second.start)


def test_busy_vcores_by_hand() -> None:
    """A map of 10 s, 100 MB to fetch at 10 MB/s, a reduce of 5 s: 15 vcore-seconds at work in 25 s."""
    one = {"memory_mb": GB, "vcores": 1, "count": 1}
    job = {
        "maps": {**one, "duration_s": 10},
        "reduces": {**one, "duration_s": 5},
        "shuffle_mb_per_map": 100,
        "am": {"memory_mb": GB, "vcores": 1},
    }
    cluster = {
        "nodes": [{"count": 1, "memory_mb": 4 * GB, "vcores": 4}],
        "heartbeat_ms": 0,
        "shuffle_mb_s": 10,
    }
    run = simulate(Scenario.of({"version": 1, "cluster": cluster, "jobs": [job]}), FULL_NAMES["capacity"])
    assert makespan_ms(run) == 25_000
    assert busy_vcores(run, np.array([0, 10_000, 20_000, 25_000])).tolist() == [1, 0, 1]
    assert usage(run) == pytest.approx(
        {"cpu_pct": 100 * 15 / (4 * 25), "duration_min": 25 / 60, "memory_gb_min": (25 + 10 + 15) / 60}
    )


def test_usage_times_duration_is_the_work() -> None:
    products = [
        result["cpu_pct"] * result["duration_min"]
        for result in (
            usage(simulate(batch(2), name)) for name in full_names(("fair", "capacity", "priority-capacity"))
        )
    ]
    assert products == pytest.approx([products[0]] * 3)


def test_arithmetic_of_the_conflicts() -> None:
    """Usage x duration of the printed numbers."""
    by_default = 9 * 60
    assert [by_default, by_default / 12, 10 * 60 + 45 - 5 * 60] == [540, 45, 345]
    again = 7.2 * 59
    assert [round(again), round(again / 13.1, 1), round(13.1 * 46)] == [425, 32.4, 603]
    assert round(100 * (13.1 * 46 / again - 1)) == 42


def test_a_small_job_gains_a_place_after_1_4_times_its_run_time() -> None:
    """k1 = 0.3 a place, and (1 + waited / run time) / 8 for 1 GB in splits of 128 MB; the job before it has
    endless splits, so that its place is all it has.
    """
    k1, of_1_gb = job_priority.K1.default, job_priority.splits(GB, 0, SPLIT_MB)
    before = job_priority.score(2, 1, k1, 100, 0, math.inf)
    assert job_priority.score(2, 2, k1, 100, 140, of_1_gb) == pytest.approx(before)
    assert job_priority.score(2, 2, k1, 100, 139, of_1_gb) < before - 1e-3


def test_reductions_are_of_the_mean() -> None:
    changes = reduction_pct([0.0, 10.0, 20.0], [5.0, 5.0, 5.0])
    assert changes == [-50, 50, 150]
    assert sum(changes) / 3 == pytest.approx(100 * (30 - 15) / 30)


def test_a_reduce_a_slave_shares_the_work() -> None:
    one, more = benchmark_set(1, "terasort", 4), benchmark_set(1, "terasort", 4, reduces=12)
    assert {job.reduces.count for job in one.jobs} == {1} and {job.reduces.count for job in more.jobs} == {12}
    assert [12 * job.reduces.duration_s.mean for job in more.jobs] == pytest.approx(
        [job.reduces.duration_s.mean for job in one.jobs]
    )
    run = simulate(more, FULL_NAMES["fair"])
    assert run.status == "finished" and (run.containers.kind == MAP).sum() == sum(
        job.maps.count for job in one.jobs
    )


def test_the_mean_gap_is_what_it_says() -> None:
    """Half of the jobs come with the one before, the others after 0 to 60 s: 15 s; 400 gaps spread by 1 s
    about it.
    """
    gaps = np.concatenate(
        [
            np.diff([job.arrival_s for job in benchmark_set(seed, "wordcount", 16).jobs])
            for seed in range(1, 31)
        ]
    )
    assert gaps.mean() == pytest.approx(15, abs=4) and gaps.max() <= 60
    wider = np.diff([job.arrival_s for job in benchmark_set(1, "wordcount", 16, mean_gap_s=30.0).jobs])
    assert wider == pytest.approx(
        2 * np.diff([job.arrival_s for job in benchmark_set(1, "wordcount", 16).jobs]), abs=0.01
    )


def test_the_time_alone_is_that_of_each_job_without_the_others() -> None:
    scenario = benchmark_set(2, "wordcount", 4)
    times = []
    for job in scenario.jobs:
        only = scenario.model_construct(
            **{**dict(scenario), "jobs": [job.model_copy(update={"arrival_s": 0.0})]}
        )
        times += [
            summary(simulate(only, FULL_NAMES[name]))["mean_turnaround_s"]
            for name in ("fair", "capacity", "priority-fair")
        ]
    assert times[0::3] == times[1::3] == times[2::3], "whoever schedules"
    assert alone_s(scenario) == pytest.approx(sum(times) / len(times))


def test_the_two_readings_of_waiting_are_of_the_same_runs() -> None:
    """fair: turnaround 30 and 50 s, 5 and 8 s to the first container; alone 20 and 25 s."""
    of = {"fair/mean_wait_s": [5.0, 8.0], "fair/mean_turnaround_s": [30.0, 50.0], "alone_s": [20.0, 25.0]}
    assert FIRST_CONTAINER.of(of) == {"fair/mean_wait_s": [5, 8], "fair/mean_turnaround_s": [30, 50]}
    assert LESS_RUN_TIME.of(of) == {"fair/mean_wait_s": [10, 25], "fair/mean_turnaround_s": [30, 50]}
    trial, requested = Trial(seeds=FEW), columns("fair", "capacity")
    first = runs(("test",), lambda seed: benchmark_set(seed, "wordcount", 4), requested, trial)
    assert runs(("test",), lambda seed: pytest.fail("it was run already"), requested, trial) is first
    assert (
        runs(
            ("test",),
            lambda seed: benchmark_set(seed, "wordcount", 4),
            requested,
            Trial(seeds=FEW, conditions=Conditions(fetch_mb_s=4.0)),
        )
        != first
    )


def test_by_section_5_1_both_readings_are_one() -> None:
    """Table 1 runs one job at a time: turnaround - run time is the wait to the start, 26 and 18.33 s."""
    for scheduler in (worked_examples.FIFO, worked_examples.SCORE):
        result = summary(simulate(worked_examples.table_1(), FULL_NAMES[scheduler]))
        assert result["mean_turnaround_s"] - alone_s(worked_examples.table_1()) == pytest.approx(
            result["mean_wait_s"]
        )


def test_the_score_saves_what_the_order_of_arrival_saves_where_a_job_has_many_reduces() -> None:
    """Against Fair, waiting as turnaround - run time: both save much, and within a few percent the same."""
    result = LESS_RUN_TIME.of(
        run_uncached(
            lambda seed: random_test(seed, reduces=12),
            columns("fair", "capacity", "priority-fair"),
            Trial(seeds=range(1, 9)),
        )
    )
    fair, arrival, score = (
        sum(result[f"{name}/mean_wait_s"]) for name in ("fair", "capacity", "priority-fair")
    )
    assert score < 0.7 * fair and arrival < 0.7 * fair and abs(score - arrival) < 0.1 * fair


def test_the_headline_s_point_is_the_experiment_s() -> None:
    few, headline = Trial(seeds=FEW), PAPER.headline
    (of,) = (reading for reading in sets.REDUCTIONS.readings if reading.key == FIRST_CONTAINER.key)
    assert headline.measure(1, 15.0, few)[headline.key] == of.measure(few).samples[headline.key]
    assert (headline.x.calibrated, headline.y.calibrated) == (
        1,
        15.0,
    ) and headline.claim in sets.REDUCTIONS.claims


def test_what_a_claim_rests_on() -> None:
    """By hand and one job at a time it is the rule; in the lab the cluster. Twice the same claim is judged
    once.
    """
    of = {one.key: {claim.basis for claim in one.claims} for one in PAPER.experiments}
    assert of["table-1"] == of["sets"] == {ALGORITHM} and set().union(
        *(of[key] for key in of if key not in ("table-1", "sets"))
    ) == {TEST_BED}
    again = [
        claim.what
        for one in PAPER.experiments
        for claim in one.claims
        if claim.untestable.startswith(("the claim on", "the next claim"))
    ]
    assert len(again) == 3
