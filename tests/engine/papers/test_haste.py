"""HaSTE's experiments: its workloads against what is known of them, what is measured, and that every claim finds its numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.analysis.metrics import makespan_ms, summary
from engine.papers import measuring
from engine.papers.columns import WRITTEN, with_reduce_start
from engine.papers.haste import PAPER, reasons, terms
from engine.papers.haste.by_hand import AGGRESSIVE
from engine.papers.haste.over_time import QUARTERS, alone_s, memory_shares
from engine.papers.haste.workloads import GB, INTERVALS_S, alignment, iterative, mixed, packing, simple, small_nodes, successive
from engine.papers.judge import mean
from engine.papers.schema import Printed
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate

FEW = range(1, 3)


def test_the_one_number_is_saf_s_and_the_benchmarks_are_the_papers(shared: Callable[[str], Path]) -> None:
    printed = [claim for one in PAPER.experiments for claim in one.claims if isinstance(claim, Printed)]
    assert [claim.number for claim in printed] == [40]
    assert re.search(r"HaSTE only improves resource utilization of cluster up to 40% over DRF", shared("papers/saf.txt").read_text())
    words = shared("papers/haste.txt").read_text()
    assert all(name in words for name in ("wordcount", "terasort", "scan", "pagerank", "kmeans", "8G core", "2G core", "4G memory", "1G memory", "3G memory"))


def test_simple_workload_is_table_5_of_saf() -> None:
    scenario = simple(1)
    (nodes,) = scenario.cluster.nodes
    assert (nodes.count, nodes.vcores, nodes.memory_mb) == (8, 8, 8 * GB)
    assert [(job.maps.count, job.maps.vcores, job.reduces.count, job.reduces.vcores) for job in scenario.jobs] == [
        (31, 2, 5, 2), (31, 3, 5, 2), (31, 4, 5, 3), (31, 5, 5, 3)
    ]  # fmt: skip
    assert {stage.memory_mb for job in scenario.jobs for stage in (job.maps, job.reduces)} == {GB}
    assert {job.slowstart for job in scenario.jobs} == {0.05}


def test_small_nodes_hold_the_same_memory() -> None:
    assert {job.name for job in small_nodes(1).jobs} == {job.name for job in iterative(1).jobs}
    assert len({sum(group.count * group.memory_mb for group in make(1).cluster.nodes) for make in (small_nodes, iterative)}) == 1
    assert small_nodes(1).cluster.nodes[0].memory_mb == 2 * GB


@pytest.mark.parametrize("interval", INTERVALS_S)
def test_intervals_lie_in_their_range(interval: str) -> None:
    low, high = INTERVALS_S[interval]
    for seed in range(1, 20):
        arrivals = [job.arrival_s for job in successive(seed, interval).jobs]
        assert all(low <= later - earlier <= high for earlier, later in zip(arrivals, arrivals[1:]))


def test_fifo_takes_three_units_and_ffd_two() -> None:
    assert [makespan_ms(simulate(packing(), WRITTEN[name])) / 60_000 for name in ("fifo", "ffd-dp")] == [3, 2]


def test_first_filling_hides_what_alignment_saves() -> None:
    """Six tasks of 2 GB and three times two of 1 GB on 4 GB: 3 + 3 minutes with the iterations last, 5 with one beside a large task."""
    without = {**reasons.unfilled(), AGGRESSIVE: reasons.unfilled({AGGRESSIVE: WRITTEN[AGGRESSIVE]})[AGGRESSIVE]}
    assert {name: makespan_ms(simulate(alignment(), chosen)) // 60_000 for name, chosen in without.items()} == {"HaSTE": 6, "HaSTE-A": 6, AGGRESSIVE: 5}
    assert {makespan_ms(simulate(alignment(), WRITTEN[name])) // 60_000 for name in ("haste", "haste-a", AGGRESSIVE)} == {5}


def test_unfilled_haste_prefers_alone_and_plain_agrees() -> None:
    chosen = reasons.unfilled()["HaSTE-A"]
    runs = [simulate(iterative(1), chosen, plain=plain) for plain in (True, False)]
    assert (runs[0].containers.start == runs[1].containers.start).all()
    assert runs[0].until_ms != simulate(iterative(1), WRITTEN["haste-a"]).until_ms


def test_waiting_of_reduces_by_hand() -> None:
    """Two maps of 10 s one after another, one reduce from 10 s on (slowstart 0.5) that waits 10 s for the second: of 2 vcores x 25 s, 10 vcore-seconds."""
    one = {"memory_mb": GB, "vcores": 1}
    job = {"maps": {**one, "count": 2, "duration_s": {"values": [10, 20]}}, "reduces": {**one, "count": 1, "duration_s": 5}, "slowstart": 0.5}
    cluster = {"nodes": [{"count": 1, "memory_mb": 3 * GB, "vcores": 3}], "heartbeat_ms": 0}
    found = reasons.with_waiting(simulate(Scenario.of({"version": 1, "cluster": cluster, "jobs": [job]}), WRITTEN["fifo"]))
    assert found["makespan_s"] == 25
    assert found[reasons.WAITING_VCORES] == pytest.approx(100 * 10 / (3 * 25))
    assert found["vcores_pct"] == pytest.approx(100 * (10 + 20 + 15) / (3 * 25))


def test_no_run_is_shorter_than_its_longest_chain() -> None:
    for make in (mixed, iterative, lambda seed: successive(seed, "short")):
        for name in ("fifo", "ffd-dp", "haste-a"):
            run = simulate(make(1), WRITTEN[name])
            assert reasons.chains_s(run) <= makespan_ms(run) / 1000


def test_quarters_average_to_the_whole_and_iterative_jobs_end_alone() -> None:
    run = simulate(iterative(1), WRITTEN["fifo"])
    assert memory_shares(run, QUARTERS).mean() == pytest.approx(summary(run)["memory_utilization"], rel=1e-4)
    once = [finish for job, finish in zip(run.scenario.jobs, run.jobs.finish.tolist()) if job.iterations == 1]
    assert alone_s(run) == (run.until_ms - max(once)) / 1000


def test_preference_is_the_sum_of_its_terms() -> None:
    run, decisions = terms.weighed(iterative(1))
    assert run.until_ms == simulate(iterative(1), WRITTEN["haste-a"]).until_ms
    assert all(len(found) > 1 for found in decisions.values())
    for one in (one for found in decisions.values() for one in found):
        assert one.preference == pytest.approx(one.fitness + one.urgency + one.alignment)
        assert 0 <= min(one.fitness, one.urgency, one.alignment) <= max(one.fitness, one.urgency) <= 1
    assert {one.alignment for name in ("scan", "terasort", "wordcount") for one in decisions[name]} == {0.0}


def test_what_the_simple_workload_s_reason_says() -> None:
    """Fair and DRF use and wait most; where no reduce waits HaSTE comes closer to FFD-DP, but doesn't pass it."""
    names = ("fifo", "fair", "drf", "ffd-dp", "haste")
    found = measuring.over_seeds(simple, names, reasons.with_waiting, FEW)
    without_waiting = {name: with_reduce_start(name, "slowstart(at=1)") for name in ("ffd-dp", "haste")}
    late = measuring.over_seeds(simple, without_waiting, lambda run: {"makespan_s": measuring.makespan_s(run)}, FEW)
    waits = {name: mean(found[f"{name}/{reasons.WAITING_VCORES}"]).mean for name in names}
    assert min(waits["fair"], waits["drf"]) > 2 * max(waits["fifo"], waits["haste"]) and waits["haste"] > waits["ffd-dp"]
    before = mean(found["haste/makespan_s"]).mean - mean(found["ffd-dp/makespan_s"]).mean
    after = mean(late["haste/makespan_s"]).mean - mean(late["ffd-dp/makespan_s"]).mean
    assert 0 < after < before / 2
