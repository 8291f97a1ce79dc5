"""FRESH (omo [12], §V-A; FRESH-2, FRESH-3: a stand-in): its target and its deficits by hand."""

from __future__ import annotations

import pytest

from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.decisions import decisions
from tests.small_scenarios import job, master, node, of, placed, scenario, tasks


def short(one):
    """Job and kind of what was chosen, as aM or bR."""
    return one.chosen[0] + {"map": "M", "reduce": "R", "am": "A"}[one.chosen.split()[1]]


def test_maps_have_their_part_of_the_work_left():
    """S = 6. At 10 s six of 12 maps (10 s) have ended and 4 reduces are asked for, whose time is not known:
    that of the maps. S Wm / (Wm + Wr): 6 x 60/100 = 3.6, 0 held: map; 6 x 50/90 = 3.33, 1: map; 6 x 40/80 =
    3, 2: map; 6 x 30/70 = 2.57, 3: reduce; 6 x 30/60 = 3, 3: reduce; 6 x 30/50 = 3.6, 3: map."""
    one = job("a", tasks(12, 10.0), tasks(4, 30.0), slowstart=0.25)
    rows = [each for each in decisions(scenario([node(6)], [one]), "fresh") if each.at == 10]
    assert "".join(short(each)[1] for each in rows) == "MMMRRM"
    assert [each.facts["target"] for each in rows] == pytest.approx([3.6, 10 / 3, 3, 18 / 7, 3, 3.6])
    assert [each.facts["maps_held"] for each in rows] == [0, 1, 2, 3, 3, 3]
    assert (rows[0].facts["map_work"], rows[0].facts["reduce_work"]) == (60_000, 40_000)


def test_known_times_of_reduces_count():
    """Two iterations of 2 maps of 10 s and 2 reduces, which hold their containers from 0 to 40 s: at 40 s 2 x
    10 / (2 x 10 + 2 x 40) of S = 6 is 1.2.
    """
    one = job("a", tasks(2, 10.0), tasks(2, 30.0), slowstart=0.0, iterations=2)
    rows = [each for each in decisions(scenario([node(6)], [one]), "fresh") if each.at == 40]
    assert rows[0].facts["target"] == pytest.approx(1.2)
    assert (rows[0].facts["map_work"], rows[0].facts["reduce_work"]) == (20_000, 80_000)


def test_a_missing_mean_is_the_mean_of_the_waiting_ones():
    """At 6 s a's maps of 6 s are known, b's maps are not: they count 6 s. a: 2 wait, b: 3 wait: Wm = 5 x 6;
    a's reduces 2 x 6: target 6 x 30/42.
    """
    jobs = [job("a", tasks(8, 6.0), tasks(2, 1.0), slowstart=0.5), job("b", tasks(3, 60.0), arrival_s=5)]
    first = next(each for each in decisions(scenario([node(6)], jobs), "fresh") if each.at == 6)
    assert (first.facts["map_work"], first.facts["reduce_work"]) == (30_000, 12_000) and first.facts[
        "target"
    ] == pytest.approx(6 * 30 / 42)


def test_nothing_known_counts_one_each_and_the_target_leaves_one_for_either():
    """slowstart 0: 9 maps and 1 reduce wait at 0, times unknown: 9 / (9 + 1) of S = 4 is 3.6, kept to S - 1 =
    3: map x 3, then the reduce.
    """
    result = decisions(scenario([node(4)], [job("a", tasks(9, 5.0), tasks(1, 1.0), slowstart=0.0)]), "fresh")
    assert [short(each)[1] for each in result[:4]] == list("MMMR") and result[0].facts["target"] == 3
    result = decisions(scenario([node(4)], [job("a", tasks(1, 5.0), tasks(9, 1.0), slowstart=0.0)]), "fresh")
    assert result[0].facts["target"] == 1 and [short(each)[1] for each in result[:4]] == list("MRRR")


def test_where_one_kind_waits_alone_it_has_everything():
    result = decisions(scenario([node(3)], [job("a", tasks(5, 5.0), tasks(2, 5.0), slowstart=1.0)]), "fresh")
    assert [each.facts["target"] for each in result if short(each) == "aM"] == [3] * 5
    assert [each.facts["target"] for each in result if short(each) == "aR"] == [0] * 2


def test_s_counts_containers_of_the_largest_size_and_masters_are_none():
    """Largest memory 2 (b's reduce), largest vcores 3 (a's map): min(8/2, 6/3) + min(3/2, 9/3) = 2 + 1 = 3;
    only maps wait, so the target is S. The master of 8 MB does not count; one node of nothing but room for
    one: S is at least 2."""
    jobs = [
        job("a", tasks(2, 5.0, 1, 3), am=master(memory=8)),
        job("b", tasks(1, 5.0), tasks(1, 1.0, 2, 1), slowstart=1.0, arrival_s=50),
    ]
    result = decisions(scenario([node(8, 6), node(3, 9)], jobs), "fresh")
    assert next(each for each in result if short(each) == "aM").facts["target"] == 3
    assert decisions(scenario([node(1, 1)], [job("a", tasks(1, 5.0))]), "fresh")[0].facts["target"] == 2


def test_what_fits_no_request_of_the_kind_goes_to_the_other():
    """The map wanted needs 3 MB, 1 is left: the reduce of 1 MB goes there."""
    result = decisions(
        scenario([node(4)], [job("a", tasks(3, 5.0, 3), tasks(1, 1.0), slowstart=0.0)]), "fresh"
    )
    assert [short(each) for each in result[:2]] == ["aM", "aR"] and result[1].facts["maps_held"] < result[
        1
    ].facts["target"] + 1


def test_deficits_by_hand():
    """S = 3, maps of 10 s; a from 0, b from 5. At 10: a has had 30 of its 3 x 10 / 1 s, b has not begun: 0
    and 0; by fewest held: a, b, a (job order). From 10 two jobs run. At 20: a is due 3 (10 + 10/2) = 45 and
    has had 50, b is due 15 and has had 10: -5, 5: b, b, b. At 30: a due 60, had 50: 10; b due 30, had 40:
    -10: a, a, a."""
    two = scenario([node(3)], [job("a", tasks(20, 10.0)), job("b", tasks(20, 10.0), arrival_s=5)])
    assert placed(result_of(simulate(two, "fresh")))[:12] == "aaa" + "aba" + "bbb" + "aaa"
    by_name = {each.at: each for each in reversed(decisions(two, "fresh"))}  # the first of each instant
    for at, expected in ((10, (0, 0)), (20, (-5000, 5000)), (30, (10_000, -10_000))):
        assert tuple(by_name[at].each("deficit").values()) == pytest.approx(expected)


def test_a_fair_share_grows_faster_once_a_job_is_over():
    """S = 2. b (one map of 4 s) runs from 0 to 4, D = 2: at 4 a is due 2 x 4/2 = 4 s and has had 4. Then D =
    1 and a holds both: at 10, before c begins, it is due 2 (4/2 + 6) = 16 and has had 10 + 6."""
    jobs = [job("a", tasks(9, 10.0)), job("b", tasks(1, 4.0)), job("c", tasks(1, 6.0), arrival_s=10)]
    by_name = {each.at: each for each in reversed(decisions(scenario([node(2)], jobs), "fresh"))}
    assert by_name[4].each("deficit") == {"a map": pytest.approx(0)}
    assert by_name[10].each("deficit") == {"a map": pytest.approx(0), "c map": 0}


def test_with_identical_jobs_all_slots_go_to_maps_until_they_are_over():
    """omo Fig. 9: FRESH with slow start 1: no reduce starts before the last map has been placed."""
    alike = scenario(
        [node(4), node(4)], [job(name, tasks(20, 10.0), tasks(4, 5.0), slowstart=1.0) for name in "abc"]
    )
    result = result_of(simulate(alike, "fresh"))
    assert max(c.start for c in of(result, "map")) <= min(c.start for c in of(result, "reduce"))


def test_queues_are_not_known():
    queues = [{"name": "root.q", "max_share": {"memory_mb": 0, "vcores": 0}}]
    assert (
        simulate(scenario([node(4)], [job("a", tasks(2, 5.0), queue="root.q")], queues), "fresh").status
        == "finished"
    )
