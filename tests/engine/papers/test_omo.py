"""OMO's experiments: scenarios against the paper's tables, measures worked by hand, and where the fits'
searches end.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from engine.papers.fitting import FINEST, neighbours, residual, rounded
from engine.papers.omo import PAPER
from engine.papers.omo.allocation import containers_over_time
from engine.papers.omo.bounds import least_s, most_gained_pct
from engine.papers.omo.cloudlab import FAIRS, SCHEDULERS, cases
from engine.papers.omo.fits import (
    AWS,
    LONG_MAPS,
    LONG_VALUES,
    NOISE,
    SHORT_MAPS,
    SHORT_VALUES,
    TABLE_2,
    noise_of_change,
    row_noise,
)
from engine.papers.omo.last_batch import last_batches
from engine.papers.omo.overlaps import begun_before
from engine.papers.omo.release_rate import available, windows
from engine.papers.omo.scalability import TABLE_7
from engine.papers.omo.simulations import MAPS, Case, fair, native, run_cases, spans
from engine.papers.omo.waves import measure_4, misalignment, three_jobs
from engine.papers.omo.workloads import GB, SETS, Benchmark, aws, cloudlab, cluster, mixed, scenario, simple
from engine.papers.omo.yarn import MEMORY_GB, TABLE_6, YARN_SCHEDULER, yarn
from engine.papers.schema import Printed
from engine.papers.trial import Trial
from engine.schedulers.scheduler import parse
from engine.schedulers.view import MAP, MASTER, REDUCE
from engine.simulation.simulate import simulate
from tests.engine.papers.by_size import by_size

EXPERIMENTS = {one.key: one for one in PAPER.experiments}


@pytest.mark.parametrize("name", by_size(EXPERIMENTS, "omo"))
def test_every_experiment_measures_what_its_claims_name(name, reproduced):
    result, heard = reproduced(f"omo/{name}")
    assert heard[-1][0] == heard[-1][1] > 0
    for one in result.readings:
        assert len(one.findings) == len(EXPERIMENTS[name].claims)
    assert result.shown.pictures
    for picture in result.shown.pictures:
        for series in picture.series:
            assert len(series.x) == len(series.y) <= 600, (picture.title, series.name)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_show_runs_on_its_scenario(name):
    for show in EXPERIMENTS[name].shows():
        for scheduler in show.schedulers:
            assert simulate(show.scenario, parse(scheduler)).status == "finished", (show.title, scheduler)


def test_every_printed_number_stands_in_the_paper(shared):
    text = shared("papers/omo.txt").read_text("utf-8")
    printed = [claim for one in PAPER.experiments for claim in one.claims if isinstance(claim, Printed)]
    for claim in printed:
        assert re.search(rf"(?<![\d.]){re.escape(f'{abs(claim.number):g}')}(?![\d]|\.\d)", text), claim.what


def test_shuffle_of_a_map_is_table_4s():
    """Table 4, 20 GB of input in 80 maps: 20, 17.5, 3.9 and 3.45 GB are 256, 224, 49.92 and 44.16 MB a map, 6
    MB 76.8 KB, 22 KB 0.275 KB.
    """
    made = cloudlab("x", [Benchmark(name, 20) for name in SCHEDULED], LONG_VALUES, 1)
    assert [round(job.shuffle_mb_per_map * GB, 3) for job in made.jobs] == [
        256 * GB,
        224 * GB,
        51118.08,
        45219.84,
        0.275,
        76.8,
    ]


SCHEDULED = ("Terasort", "SeqCount", "WordCount", "InvertedIndex", "HistMovies", "Classification")


@pytest.mark.parametrize(
    ("name", "jobs"), [("A", {20: 6, 10: 6}), ("B", {20: 4, 10: 4}), ("C", {20: 12}), ("D", {30: 12}), ("E", {40: 12}), ("F", {20: 18}), ("G", {20: 24}),  # noqa: E501
                       ("H", {20: 12, 10: 12})],
)  # fmt: skip
def test_sets_are_table_5s(name, jobs):
    rows = mixed(name)
    assert {
        size: sum(one.input_gb == size for one in rows) for size in {one.input_gb for one in rows}
    } == jobs
    assert len({one.name for one in rows}) == (2 if name == "B" else 6)
    assert set(SETS) == set("ABCDEFGH")
    made = cloudlab("x", rows, LONG_VALUES, 1)
    tasks = {(job.input_mb // GB, job.maps.count, job.reduces.count) for job in made.jobs}
    assert tasks <= {(10, 40, 1), (20, 80, 2), (30, 120, 3), (40, 160, 4)}  # maps and reduces of Table 5
    assert [job.arrival_s for job in made.jobs] == [2.0 * number for number in range(len(rows))]


def test_beds_are_the_papers():
    """Section V-B: 4 containers a node; V-D: 2 and 2 under Fair. Tables 2 and 3: 8 GB in 80 maps and 4
    reduces, 102.4 MB a map.
    """
    made = cases("x", simple("Terasort"), SCHEDULERS, LONG_VALUES)
    for name, case in made.items():
        node = case.scenario.cluster.nodes[0]
        assert (node.count, node.memory_mb // GB, node.vcores) == (20, 4, 4)
        slots = (2, 2) if name in FAIRS else (4, 1) if name == "FRESH" else (4, 4)  # 16 reduces, 20 nodes
        assert (node.map_slots, node.reduce_slots) == slots
    job = aws("x", 3, 10, AWS.values, 1).jobs[-1]
    assert (job.maps.count, job.reduces.count, job.shuffle_mb_per_map, job.arrival_s) == (80, 4, 102.4, 4.0)


def test_four_tasks_run_on_a_node_of_yarn():
    for name, memory in MEMORY_GB.items():
        made = yarn(name, LONG_VALUES)
        assert {(job.maps.memory_mb, job.reduces.vcores) for job in made.jobs} == {(memory * GB, 2)}
    run = simulate(yarn("YARN:8", LONG_VALUES), YARN_SCHEDULER)
    c = run.containers
    tasks = c.kind != MASTER
    at = c.start[tasks]
    for node in range(20):
        here = tasks & (c.node == node)
        assert max(int(((c.start[here] <= now) & (c.end[here] > now)).sum()) for now in at[::20]) <= 4


def test_the_picture_of_one_map_more():
    """Fig. 4: 12 maps on 3 slots are 4 rounds, and 1 for the reduce; 13 are 5 and 1."""
    result = measure_4(Trial()).samples
    assert (result["12 maps/time"], result["13 maps/time"], result["13 after 12 maps/time_pct"]) == (
        [5.0],
        [6.0],
        [20.0],
    )


def hand_made():
    """One node, 3 slots for maps and 1 for reduces, no heartbeats: 4 maps of 20 s end at 20, 20, 20 and 40 s;
    the reduce starts after the third (at 20 s), fetches 100 MB a map at 10 MB/s and computes for 30 s."""
    node = {"name": "n", "count": 1, "vcores": 4, "memory_mb": 4 * GB, "map_slots": 3, "reduce_slots": 1}
    one = {"vcores": 1, "memory_mb": GB}
    job = {
        "name": "j",
        "maps": {"count": 4, **one, "duration_s": 20},
        "reduces": {"count": 1, **one, "duration_s": 30},
        "shuffle_mb_per_map": 100,
    }
    return simulate(
        scenario("by hand", {"nodes": [node], "heartbeat_ms": 0, "shuffle_mb_s": 10}, [job], 0), native(0.75)
    )


def test_spans_by_hand():
    """Maps end at 40 s; the shuffle has three outputs at 50 s and the fourth at 60 s; then 30 s."""
    result = spans(hand_made())
    assert result == {
        "makespan_s": 90,
        "map phase_s": 40,
        "map only_s": 20,
        "overlap_s": 20,
        "shuffle only_s": 20,
    }


def test_containers_over_time_by_hand():
    maps, shuffle, reduce = containers_over_time(hand_made())
    held = {series.name: dict(zip(series.x, series.y)) for series in (maps, shuffle, reduce)}
    at = min(held["map"], key=lambda second: abs(second - 30))
    assert (held["map"][at], held["shuffle"][at], held["reduce"][at]) == (1, 1, 0)
    at = min(held["map"], key=lambda second: abs(second - 75))
    assert (held["map"][at], held["shuffle"][at], held["reduce"][at]) == (0, 0, 1)


def test_windows_by_hand():
    """Windows of 10 s: maps end in the second (3) and the fourth (1), the reduce in the ninth. What ends with
    a window counts in it.

    Available at the windows' ends: 3 maps at 10 s; at 20, 30 s the fourth map (the reduce's job has
    unfinished maps); from 40 s the reduce; none at 90 s. With weight 0.5, F_o at 20 s is 0.15, A_o 2, so Eq.
    1 expects 0.15 x 1 / 2 in the third window.
    """
    run = hand_made()
    result = windows(run)
    assert result.observed.tolist() == pytest.approx([0, 0.3, 0, 0.1, 0, 0, 0, 0, 0.1])
    assert available(run, [10_000 * number for number in range(1, 10)]).tolist() == [
        3,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        0,
    ]
    assert result.expected[1:3].tolist() == pytest.approx([0, 0.075])
    assert result.expected[3] == pytest.approx(0.075 / 1.5)  # F_o 0.075, A_o 1.5


def test_misalignment_and_last_batches_are_of_all_jobs():
    result = misalignment(simulate(three_jobs(), native(0.6)))
    assert {key.partition("/")[0] for key in result} == {"terasort", "wordcount", "kmeans"}
    case = cases("x", mixed("A"), ["OMO"], SHORT_VALUES)["OMO"]
    run = simulate(*case)
    counted = last_batches(run)
    c = run.containers
    ends = c.end[(c.kind == MAP) & (c.job == 0)]
    assert counted["job 1"] == int((ends >= ends.max() - 10_000).sum()) >= 1
    assert len(counted) == 12


@pytest.mark.parametrize("scheduler", ["FRESH", "Lazy Start", "Batch Finish", "OMO"])
def test_the_load_cap_leaves_one_of_16_reduces_to_a_node(scheduler):
    """CapBasedLoadManager: ceil(4 x 16 / 80) = 1 of the reduces, on containers that take either kind."""
    case = cases("x", simple("Terasort"), [scheduler], SHORT_VALUES)[scheduler]
    c = simulate(case.scenario, case.scheduler).containers
    reduces = np.flatnonzero(c.kind == REDUCE)
    for node in range(20):
        here = reduces[c.node[reduces] == node]
        assert all((c.start[here] <= now).sum() - (c.end[here] <= now).sum() <= 1 for now in c.start[here])


def test_a_reduce_computes_for_what_it_fetches():
    """Table 4: WordCount's 3.9 GB of 20, so 0.195 of Terasort's time; HistMovies' 22 KB take no time to speak
    of.
    """
    made = cloudlab("x", [Benchmark(name, 20) for name in SCHEDULED], LONG_VALUES, 1)
    assert [round(job.reduces.duration_s.mean / LONG_VALUES["reduce_s"], 4) for job in made.jobs][:3] == [
        1,
        0.875,
        0.195,
    ]
    assert made.jobs[4].reduces.duration_s.mean < 0.01


def test_noise_by_hand():
    """A row on a parabola has none; one that leaves it by +1, -3, +3, -1 (orthogonal to parabolas on four
    points) has sqrt(20 / 1) of about 100.
    """
    assert row_noise((101, 104, 109, 116, 125), (1, 2, 3, 4, 5)) == pytest.approx(0, abs=1e-9)
    assert row_noise((1001, 997, 1003, 999), (0, 1, 2, 3)) == pytest.approx(20**0.5 / 1000, rel=0.01)
    assert round(100 * NOISE, 1) == 3.5 and round(100 * row_noise(TABLE_2["1 job"]), 1) == 0.7
    assert noise_of_change(-20) == pytest.approx(2**0.5 * 80 * NOISE) and noise_of_change(
        0, before=3, pairs=4
    ) == pytest.approx(100 * NOISE * (1 / 3) ** 0.5)


def test_the_two_beds_are_fitted_to_baselines_alone():
    for fit in (LONG_MAPS, SHORT_MAPS):
        assert len(fit.cells) == 5 and len(fit.free) == 4
        assert not any("OMO" in cell.key or "Lazy" in cell.key or "Batch" in cell.key for cell in fit.cells)
    assert {cell.key for cell in LONG_MAPS.cells} ^ {cell.key for cell in SHORT_MAPS.cells} == {
        "FRESH after Fair-1/map phase_pct",
        "Fair-0.05/shuffle only_s",
    }


@pytest.mark.gallery
@pytest.mark.parametrize("fit", [AWS, LONG_MAPS, SHORT_MAPS], ids=["aws", "long maps", "short maps"])
def test_the_fit_ends_where_its_search_does(fit):
    """No parameter a finest step up or down is better."""
    result = tuple(fit.values.values())
    here = residual(fit, fit.values)
    assert result == tuple(rounded(value) for value in result)
    for point in neighbours(fit, result, FINEST):
        assert residual(fit, dict(zip(fit.values, map(rounded, point)))) >= here
    assert here < 0.05


@pytest.mark.gallery
def test_a_reduce_that_fetches_slows_maps_as_the_paper_says():
    """Fig. 9's 75 s: with a fetch weight the map phase of Fair-0.05 is so much longer, without one it
    isn't.
    """
    calibration = cloudlab("x", simple("Terasort"), LONG_VALUES, 1, typed=True)
    light = calibration.model_copy(
        update={"cluster": calibration.cluster.model_copy(update={"fetch_weight": 0.0})}
    )
    more = []
    for one in (calibration, light):
        result = run_cases({fair(at): Case(one, native(at)) for at in (1, 0.05)}, spans, seeds=range(1, 11))
        more.append(
            sum(late - early for early, late in zip(result[f"Fair-1/{MAPS}"], result[f"Fair-0.05/{MAPS}"]))
            / 10
        )
    assert more[0] == pytest.approx(75, abs=10) and abs(more[1]) < 30


def test_numbers_of_the_paper_that_do_not_follow():
    """The identities that the conflicts name, from Tables 6 and 7."""
    others = sum(TABLE_6[name] for name in ("YARN:4", "YARN:6", "YARN:8")) / 3
    omo = TABLE_6["OMO"]
    assert [round(100 * part, 1) for part in (1 - omo / TABLE_6["YARN:2"], 1 - omo / others)] == [16.7, 10.8]
    assert [
        round(100 * part, 1) for part in (TABLE_6["YARN:2"] / others - 1, 1 - others / TABLE_6["YARN:2"])
    ] == [7.1, 6.6]
    gains = [1 - TABLE_7["OMO"] / TABLE_7[name] for name in ("Fair-0.05", "Fair-1", "FRESH")]
    assert [round(100 * gain, 1) for gain in gains] == [34.3, 45.2, 39.2]
    assert round(100 * (1 - TABLE_7["OMO"] / ((TABLE_7["Fair-0.05"] + TABLE_7["FRESH"]) / 2)), 1) == 36.9


def test_nodes_report_every_3_s_and_take_one_container():
    made = cluster(2, AWS.values, typed=True)
    assert made["heartbeat_ms"] == 3000
    assert cloudlab("x", [Benchmark("Terasort", 20)], LONG_VALUES, 1).cluster.containers_per_heartbeat == 1


def test_what_no_order_does_better_than_by_hand():
    """Eight Terasort jobs on 20 nodes: 640 maps of 10 s, four on a node each taking 1 + 3 x 0.5 = 2.5 times
    as long, are 640 x 25 / 80 = 200 s; then 20 s of a reduce. One job alone: 10 s, 8 s, 10240 MB at 100 MB/s,
    20 s.
    """
    bed = {"map_s": 10, "contention": 0.5, "reduce_s": 20, "mb_s": 100}
    assert least_s(simple("Terasort"), bed) == pytest.approx(220)
    assert least_s(simple("Terasort")[:1], bed) == pytest.approx(140.4)
    assert most_gained_pct(simple("Terasort"), bed, 440) == pytest.approx(-50)


def test_fresh_gives_maps_all_containers_until_their_phase_ends():
    """Section V-D1: with identical jobs no reduce starts before the last round of maps."""
    case = cases("x", simple("Terasort"), ["FRESH"], LONG_VALUES)["FRESH"]
    result = spans(simulate(case.scenario, case.scheduler))
    assert result["map only_s"] > 0.85 * result["map phase_s"]


def test_with_slow_start_1_batch_finish_finds_no_job():
    """Algorithm 2 takes jobs that have begun their reduces: then all their maps have ended."""
    case = cases("x", mixed("A"), ["Batch Finish"], LONG_VALUES)["Batch Finish"]
    counted = begun_before(simulate(case.scenario, case.scheduler))
    assert counted == {"maps": 720, "late": 0}
