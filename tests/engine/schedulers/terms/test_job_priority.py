"""Dynamic priority: the paper's six jobs (dynamic-priority Table 1, Eq. 1, 2), to the second and with every
score.
"""

from __future__ import annotations

import pytest

from engine.analysis.metrics import summary
from engine.schedulers.terms.job_priority import score, splits
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.decisions import decisions
from tests.small_scenarios import job, node, placed, scenario, tasks

# arrival and run time in s
TABLE_1 = {
    "J1": (6, 2),
    "J2": (10, 30),
    "J3": (3, 20),
    "J4": (0, 10),
    "J5": (12, 15),
    "J6": (11, 2),
}


def table_1():
    """One node of 1 vcore, a map a job; input 64 MB a second, so that a split of 128 MB is 2 s of run
    time.
    """
    jobs = [
        job(name, tasks(1, float(run)), arrival_s=arrival, estimate_s=run, input_mb=64 * run)
        for name, (arrival, run) in TABLE_1.items()
    ]
    return scenario([node(vcores=1)], jobs)


def gantt(run):
    return [(c.job, c.start // 1000, c.end // 1000) for c in result_of(run).containers]


def means(run):
    result = summary(run)
    return round(result["mean_wait_s"], 2), round(result["mean_turnaround_s"], 2)


def scores_at(at, scheduler):
    (result,) = [one for one in decisions(table_1(), scheduler) if one.at == at]
    return {
        name.removesuffix(" map"): round(value, 4) for name, value in result.each("score").items()
    }, result.chosen


def test_fifo_s_chart_of_table_1():
    """dynamic-priority §5.1. Waits 24 + 22 + 7 + 0 + 52 + 51 = 156, / 6 = 26; + 79 s of run time = 235, / 6 =
    39.17 (printed 39.16).
    """
    run = simulate(table_1(), "fifo")
    assert gantt(run) == [
        ("J4", 0, 10),
        ("J3", 10, 30),
        ("J1", 30, 32),
        ("J2", 32, 62),
        ("J6", 62, 64),
        ("J5", 64, 79),
    ]
    assert means(run) == (26.0, 39.17)


@pytest.mark.parametrize("order", ["priority-fifo", "priority-fair", "priority-capacity"])
def test_the_score_s_chart_of_table_1(order):
    """Waits 4 + 24 + 9 + 0 + 52 + 21 = 110, / 6 = 18.33; + 79 = 189, / 6 = 31.5. In one queue the base does
    not matter.
    """
    run = simulate(table_1(), f"{order}(k1=1)")
    assert gantt(run) == [
        ("J4", 0, 10),
        ("J1", 10, 12),
        ("J3", 12, 32),
        ("J6", 32, 34),
        ("J2", 34, 64),
        ("J5", 64, 79),
    ]
    assert means(run) == (18.33, 31.5)


# Eq. 1 with k1 = 1: (l - i) k1 + (Tr + Tw) / (Tr k2); k2 = ceil(run time / 2 s): J1, J6 1, J2 15, J3 10, J5
# ceil(7.5) = 8. The check values (DYNPRIO-4) leave J5's input at 7.5 splits, .133, .311 and .329; splits are
# whole ones (Algorithm 1, DYNPRIO-2), so the engine has .125, .2917 and .3083. Those of J1, J2, J3 are the
# paper's own.
@pytest.mark.parametrize(
    ("at", "expected", "chosen"),
    [
        # J3 2 + 27/200, J1 1 + 6/2, J2 0 + 30/450
        (10, {"J3": 2.135, "J1": 4.0, "J2": 0.0667}, "J1"),
        # J3 3 + 29/200, J2 2 + 32/450, J6 1 + 3/2, J5 0 + 15/120
        (12, {"J3": 3.145, "J2": 2.0711, "J6": 2.5, "J5": 0.125}, "J3"),
        # J2 2 + 52/450, J6 1 + 23/2, J5 35/120
        (32, {"J2": 2.1156, "J6": 12.5, "J5": 0.2917}, "J6"),
        # J2 1 + 54/450, J5 37/120
        (34, {"J2": 1.12, "J5": 0.3083}, "J2"),
    ],
)
def test_every_score_of_table_1(at, expected, chosen):
    assert scores_at(at, "priority-fifo(k1=1)") == (expected, f"{chosen} map")


@pytest.mark.parametrize(("waited", "place", "expected"), [(0, 4, 0.1333), (20, 3, 0.3111), (22, 2, 0.3289)])
def test_j5_with_half_a_split(waited, place, expected):
    """DYNPRIO-4's J5: (15 + waited) / (15 x 7.5); it is the last in the queue, l = i."""
    assert round(score(place, place, 1.0, 15, waited, 7.5), 4) == expected


def test_with_the_default_weight_j6_runs_at_12():
    """t = 12: J3 .9 + 29/200 = 1.045, J2 .6 + 32/450 = .6711, J6 .3 + 3/2 = 1.8, J5 15/120. Waits 4, 24, 11,
    0, 52, 1: 92 / 6 = 15.33; 28.5.
    """
    run = simulate(table_1(), "priority-fifo")
    assert scores_at(12, "priority-fifo") == ({"J3": 1.045, "J2": 0.6711, "J6": 1.8, "J5": 0.125}, "J6 map")
    assert gantt(run) == [
        ("J4", 0, 10),
        ("J1", 10, 12),
        ("J6", 12, 14),
        ("J3", 14, 34),
        ("J2", 34, 64),
        ("J5", 64, 79),
    ]
    assert means(run) == (15.33, 28.5)


def test_the_parts_of_a_score_can_be_read():
    """Of J3 at t = 12: it is the 1st of 4, waited 9 s of a run of 20 s, has 10 splits."""
    (result,) = [one for one in decisions(table_1(), "priority-fifo(k1=1)") if one.at == 12]
    assert result.terms["J3 map"] == {
        "score": 3.145,
        "waiting_jobs": 4,
        "place": 1,
        "waited": 9000,
        "run_time": 20000,
        "splits": 10,
    }
    for terms in result.terms.values():
        assert terms["score"] == score(
            terms["waiting_jobs"], terms["place"], 1.0, terms["run_time"], terms["waited"], terms["splits"]
        )


@pytest.mark.parametrize(
    ("input_mb", "maps", "split_mb", "expected"),
    [
        (1280.0, 1, 128.0, 10),
        (1281.0, 1, 128.0, 11),
        (1.0, 5, 128.0, 1),
        (0.0, 5, 128.0, 1),
        (-1.0, 5, 128.0, 5),
        (100.0, 5, 30.0, 4),
    ],
)
def test_splits_are_whole_and_a_map_each_without_an_input(input_mb, maps, split_mb, expected):
    assert splits(input_mb, maps, split_mb) == expected


def test_a_job_waits_while_any_request_does_and_keeps_its_score_while_it_runs():
    """Node of 2 MB, jobs a and b of 3 maps, run time 10 s, k2 = 3 maps, k1 = 0. Both arrive at 0 and always
    have (10 + t) / 30: a, by job order.
    """
    two = scenario([node(2)], [job(name, tasks(3, 10.0), estimate_s=10) for name in "ab"])
    assert placed(result_of(simulate(two, "priority-fifo(k1=0)"))) == "aaabbb"
    # k1 = 1: a has 1 more while both wait; no map of a waits any more at t = 10, so l = 1 for b
    result = decisions(two, "priority-fifo(k1=1)")
    assert [round(value, 4) for value in result[0].each("score").values()] == [1.3333, 0.3333]
    assert result[-1].terms["b map"]["waiting_jobs"] == 1


def test_what_does_not_fit_the_node_counts_in_the_queue():
    """big's map fits no room: it is in the queue (l = 2, i = 1), but no candidate."""
    held = scenario(
        [node(1), node(4)],
        [job("big", tasks(2, 10.0, memory=4), estimate_s=10), job("b", tasks(1, 10.0), estimate_s=10)],
    )
    first = decisions(held, "priority-fifo(k1=1)")[0]
    assert (
        first.candidates == ["b map"]
        and first.terms["b map"]["waiting_jobs"] == 2
        and first.terms["b map"]["place"] == 2
    )


def two_queues(**queue):
    """long and short in root.a, other in root.b, all at 0; run times 40, 1, 1 s; 1 MB a map, node of 3 MB."""
    queues = [{"name": "root.a", **queue}, {"name": "root.b"}]
    jobs = [("long", 40, "root.a", 2), ("short", 1, "root.a", 1), ("other", 1, "root.b", 2)]
    listed = [
        job(name, tasks(maps, 1.0), estimate_s=run, input_mb=128 * run, queue=where)
        for name, run, where, maps in jobs
    ]
    return scenario([node(3)], listed, queues)


def order_of(found, number=3):
    return [c.job for c in result_of(found).containers][:number]


def test_between_queues_the_base_decides_and_the_score_inside_a_queue():
    """k1 = 0, so the scores are 1/40, 1/1, 1/1 (waited 0). fair, capacity: a (by name, in the file), b, then
    a again: short, other, long.
    """
    for order in ("priority-fair", "priority-capacity"):
        assert order_of(simulate(two_queues(), f"{order}(k1=0)")) == ["short", "other", "long"]
    # under fifo all are one queue: short before other by job order, then other again
    assert order_of(simulate(two_queues(), "priority-fifo(k1=0)")) == ["short", "other", "other"]


def test_limits_of_queues_are_the_base_s():
    """root.a may hold 1 of 3 MB, or a third of the cluster: then b has the rest, as under fair and capacity;
    fifo knows no queue.
    """
    share, capacity = {"max_share": {"memory_mb": 1, "vcores": 99}}, {"max_capacity_pct": 34}
    assert order_of(simulate(two_queues(**share), "priority-fair(k1=0)")) == ["short", "other", "other"]
    assert order_of(simulate(two_queues(**share), "priority-capacity(k1=0)")) == ["short", "other", "long"]
    assert order_of(simulate(two_queues(**capacity), "priority-capacity(k1=0)")) == [
        "short",
        "other",
        "other",
    ]
    assert order_of(simulate(two_queues(**capacity), "priority-fair(k1=0)")) == ["short", "other", "long"]


def test_the_length_of_the_queue_is_that_of_the_job_s_own():
    """k1 = 1 at t = 0: in root.a l = 2, in root.b l = 1; under fifo l = 3."""
    for order, expected in (
        ("priority-fair", [2, 2, 1]),
        ("priority-capacity", [2, 2, 1]),
        ("priority-fifo", [3, 3, 3]),
    ):
        first = decisions(two_queues(), f"{order}(k1=1)")[0]
        assert list(first.each("waiting_jobs").values()) == expected


def test_a_queue_s_own_policy_gives_way_to_the_score():
    """root.a is fifo by itself: under fair long would be first, here short is."""
    result = two_queues(policy="fifo")
    assert order_of(simulate(result, "fair"))[0] == "long"
    assert order_of(simulate(result, "priority-fair(k1=0)"))[0] == "short"
