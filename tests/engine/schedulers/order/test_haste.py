"""FFD-DP, HaSTE and HaSTE-A: the paper's picture, the check values of HASTE-13, and the knapsack against
trying everything.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.analysis.metrics import summary
from engine.schedulers.terms.alignment import factor_of
from engine.schedulers.terms.fitness import fitness, size
from engine.schedulers.terms.normalised import bounds, norm
from engine.schedulers.terms.urgency import urgency
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.busy import busy
from tests.engine.schedulers.decisions import decisions
from tests.examples import examples
from tests.small_scenarios import job, master, node, placed, scenario, tasks


@pytest.mark.parametrize(
    ("order", "units", "first"),
    [("fifo", 3, "ab"), ("ffd-dp", 2, "ca"), ("haste", 2, "ac"), ("haste-a", 2, "ac")],
)
def test_the_picture_of_fifo_against_ffd(order, units, first):
    """One node of 4 GB; tasks of 1, 1, 3, 3 GB and one time unit arrive in this order (haste, fitness; the
    counts are ours, HASTE-11).
    FIFO: 1 + 1, then 3, then 3. FFD: 3 + 1, then 3 + 1."""
    asked = zip("abcd", (1, 1, 3, 3))
    run = simulate(scenario([node(4)], [job(name, tasks(1, 1.0, memory)) for name, memory in asked]), order)
    assert summary(run)["makespan_s"] == units
    assert sorted(c.job for c in result_of(run).containers if c.start == 0) == sorted(first)


def test_fitness_is_request_times_free_room():
    """Node of 8 x 8, a <4 MB, 1 vcore>, b <1, 4>. Empty: .5 + .125 = .625 each: a. With <4, 7> free: a .5 x
    .5 + .125 x .875 = .359375, b .125 x .5 + .5 x .875 = .5: b. Then <3, 3> are free and nothing fits."""
    result = decisions(
        scenario([node(8, 8)], [job("a", tasks(3, 9.0, 4, 1)), job("b", tasks(3, 9.0, 1, 4))]), "ffd-dp"
    )
    assert [one.chosen for one in result[:2]] == ["a map", "b map"] and result[1].at == 0 != result[2].at
    assert result[0].each("fitness") == {"a map": 0.625, "b map": 0.625}
    assert result[1].each("fitness") == {"a map": 0.359375, "b map": 0.5}
    # w_memory = 0: only vcores: a .125, b .5
    assert (
        decisions(
            scenario([node(8, 8)], [job("a", tasks(3, 9.0, 4, 1)), job("b", tasks(3, 9.0, 1, 4))]),
            "ffd-dp(w_memory=0)",
        )[0].chosen
        == "b map"
    )
    assert (fitness(2, 4, 8, 3.0), fitness(4, 2, 8, 5.0)) == (3 * 2 / 8 * 4 / 8, 5 * 4 / 8 * 2 / 8) and size(
        2, 4, 8, 8, 3.0, 5.0
    ) == 3 * 2 / 8 + 5 * 4 / 8


def test_ties_are_by_job_order_and_in_a_job_the_map_comes_first():
    """Everything of one size: equal fitness."""
    alike = scenario([node(3)], [job(name, tasks(3, 9.0), tasks(2, 9.0), slowstart=0.0) for name in "ab"])
    assert [one.chosen for one in decisions(alike, "ffd-dp")[:3]] == ["a map", "a map", "a map"]


@pytest.mark.parametrize("order", ["ffd-dp", "haste", "haste-a"])
def test_ties_may_go_to_the_reduce_as_hadoop_s_priorities_have_it(order):
    """Everything of one size and weight 0: every preference is equal, and the job's reduces (priority 10)
    come before its maps (20).
    """
    alike = scenario([node(3)], [job(name, tasks(3, 9.0), tasks(2, 9.0), slowstart=0.0) for name in "ab"])
    chosen = {
        ties: [
            one.chosen for one in decisions(alike, f"{order}(w_memory=0, w_vcores=0, ties={ties})+slowstart")
        ][:3]
        for ties in ("maps", "reduces")
    }
    assert chosen == {"maps": ["a map", "a map", "a map"], "reduces": ["a reduce", "a reduce", "a map"]}


# U^m = A^m/T^m x A^r R^r; with O^r = A^r: U^r = (A^m/T^m)^2 (O^m R^m + O^r R^r) (HASTE-6). T^m = 31, R = .25:
# 20/31 x 5 x .25 = .806, (20/31)^2 x (2 + 5) x .25 = .728: share 5/7 = .714 > .645 = progress, maps first;
# 20/31 x .25 = .161, (20/31)^2 x 9 x .25 = .937. HASTE-13, T^m = 10, A^m = 5, R = 2, A^r = O^r = 2: U^m = .5
# x 4 = 2; .25 (6 + 4) = 2.5, .25 (4 + 4) = 2, .25 (2 + 4) = 1.5.
@pytest.mark.parametrize(
    ("given", "of_maps", "of_reduces"),
    [
        ((20, 31, 5, 2, 5, 0.25, 0.25), 0.806, 0.728),
        ((20, 31, 1, 8, 1, 0.25, 0.25), 0.161, 0.937),
        ((5, 10, 2, 3, 2, 2.0, 2.0), 2.0, 2.5),
        ((5, 10, 2, 2, 2, 2.0, 2.0), 2.0, 2.0),
        ((5, 10, 2, 1, 2, 2.0, 2.0), 2.0, 1.5),
        (
            (5, 10, 0, 3, 0, 2.0, 2.0),
            0.0,
            1.5,
        ),  # no reduce yet: the limit, .25 x 6; the first reduce beats its maps (HASTE-4, rule 3: 0 < .5)
        ((10, 10, 2, 0, 0, 2.0, 2.0), 4.0, 4.0),  # between reduce waves: U^r = U^m (ours)
        ((10, 10, 4, 0, 1, 2.0, 2.0), 8.0, 8.0),  # U^m = 8, x (0 + 2)/2
        ((5, 10, 4, 3, 2, 2.0, 2.0), 4.0, 5.0),  # some reduces have finished: 4 x .5 x (6 + 4)/4
    ],
)
def test_check_values_of_urgency(given, of_maps, of_reduces):
    result = urgency(*given)
    assert result == (pytest.approx(of_maps, abs=5e-4), pytest.approx(of_reduces, abs=5e-4))


sizes = st.fractions(Fraction(1, 64), 4, max_denominator=64)


@examples(25, 200)
@given(st.data(), st.integers(1, 40), st.integers(1, 12), sizes, sizes)
def test_rule_3_reduces_come_first_iff_they_hold_less_than_the_maps_progress(
    data, maps, placed_reduces, of_map, of_reduce
):
    """haste, the third rule (confirmed): U^r > U^m iff what its running reduces hold / what all its running
    tasks hold < map progress; exact fractions.
    """
    placed_maps = data.draw(st.integers(1, maps))
    running_maps = data.draw(st.integers(0, placed_maps))
    running_reduces = data.draw(st.integers(1, placed_reduces))
    given = (Fraction(placed_maps), maps, placed_reduces, running_maps, running_reduces, of_map, of_reduce)
    of_maps, of_reduces = urgency(*given)
    share = running_reduces * of_reduce / (running_maps * of_map + running_reduces * of_reduce)
    assert (of_reduces > of_maps) == (share < Fraction(placed_maps, maps))
    assert (of_reduces == of_maps) == (share == Fraction(placed_maps, maps))


@given(st.integers(1, 40), st.integers(0, 12), st.integers(1, 12), sizes, sizes)
def test_rules_1_and_2_more_progress_and_more_reduces_make_maps_more_urgent(
    maps, running, reduces, of_map, of_reduce
):
    by_progress = [
        urgency(Fraction(done), maps, reduces, running, reduces, of_map, of_reduce)[0]
        for done in range(maps + 1)
    ]
    by_reduces = [
        urgency(Fraction(maps), maps, more, running, more, of_map, of_reduce)[0]
        for more in range(reduces + 1)
    ]
    assert by_progress == sorted(set(by_progress)) and by_reduces == sorted(set(by_reduces))


def preferences(fitnesses, urgencies, alignments=None, factor=0.0):
    alignments = alignments or [0] * len(fitnesses)
    spans = [
        (values, *bounds(values, range(len(values)), len(values)))
        for values in (fitnesses, urgencies, alignments)
    ]
    f, u, a = ([norm(value, least, most) for value in values] for values, least, most in spans)
    return [one + other + factor * third for one, other, third in zip(f, u, a)]


def test_check_values_of_preference():
    """(F, U) = (6, 0), (4, 2), (2, 2.5): 1 + 0, .5 + .8, 0 + 1. With A = (0, 0, .6) the third has 1 + alpha,
    more than 1.3 iff alpha > .3.
    """
    assert preferences((6, 4, 2), (0, 2, 2.5)) == pytest.approx([1, 1.3, 1])
    for factor, best in ((0.0, 1), (0.29, 1), (0.31, 2), (1.0, 2)):
        result = preferences((6, 4, 2), (0, 2, 2.5), (0, 0, 0.6), factor)
        assert result.index(max(result)) == best
    assert preferences((3, 3, 3), (1, 1, 1)) == [0, 0, 0]  # no range: 0 for all


def test_urgency_decides_between_map_and_reduce_of_one_size():
    """Node of 4 x 4, 8 maps and 5 reduces of <1, 1>, R = 1/4 + 1/4; the first wave of maps ends at 10, 20,
    30, 40 s; progress 4/8. 10: no reduce, 3 maps run: U^m 0, U^r .25 x 1.5 = .375: reduce. 20: A^r = 1, O^m =
    2: U^m .5 x .5 = .25, U^r .25 x 1.5 = .375: reduce (1/3 < 1/2). 30: A^r = 2, O^m = 1: U^m .5, U^r .25 x
    1.5 = .375: map (2/3 > 1/2). Fitness is the same: P is 1 for the one, 0 for the other."""
    maps = tasks(8, [10.0, 20.0, 30.0, 40.0, 99.0, 99.0, 99.0, 99.0])
    by_name = {
        one.at: one
        for one in decisions(
            scenario([node(4, 4)], [job("a", maps, tasks(5, 9.0), slowstart=0.0)]), "haste+slowstart"
        )
        if one.at <= 30
    }
    assert {at: one.chosen for at, one in by_name.items()} == {
        0.0: "a map",
        10.0: "a reduce",
        20.0: "a reduce",
        30.0: "a map",
    }
    for at, of_map, of_reduce in ((10, 0.0, 0.375), (20, 0.25, 0.375), (30, 0.5, 0.375)):
        assert by_name[at].each("urgency") == {
            "a reduce": pytest.approx(of_reduce),
            "a map": pytest.approx(of_map),
        }
        assert sorted(by_name[at].each("preference").values()) == [0, 1] and by_name[at].facts["initial"] == 0


@pytest.mark.parametrize("order", ["haste", "haste-a", "haste-a(factor=0.7)"])
def test_the_preference_follows_from_the_terms_shown(order):
    """P = norm(F) + norm(U) + factor x norm(A) over the candidates; the highest is chosen, of equals the
    first, but a job's map before its reduce.
    """
    seen = 0
    for one in decisions(busy(), order):
        if not one.facts["initial"] and not any(name.endswith(" am") for name in one.candidates):
            seen += 1
            columns = [
                list(one.each(term).values())
                for term in ("fitness", "urgency", "alignment")
                if term in one.terms[one.chosen]
            ]
            by_name = one.each("preference")
            assert list(by_name.values()) == pytest.approx(
                preferences(*columns, factor=one.facts.get("factor", 0.0))
            )
            best = [name for name, result in by_name.items() if result == max(by_name.values())]
            assert one.chosen == next((name for name in best if name == f"{best[0].split()[0]} map"), best[0])
    assert seen > 20


@pytest.mark.parametrize(
    ("iterative", "running", "expected"), [(0, 4, 1), (1, 4, 0.75), (2, 4, 0.5), (3, 4, 0), (4, 4, 0)]
)
def test_the_factor_falls_with_the_share_of_iterative_jobs(iterative, running, expected):
    """auto (ours, HASTE-A-4): 1 - p up to one half, then none, and HaSTE-A is HaSTE."""
    assert factor_of(math.nan, iterative, running) == expected
    assert factor_of(2.5, iterative, running) == 2.5 and factor_of(math.nan, 0, 0) == 1


def test_iterative_jobs_are_pulled_forward():
    """Room for one map of 10 s. flat, two maps, comes first; loop, two iterations of one. HaSTE: by job
    order. HaSTE-A: at 10 s one job runs, not iterative: factor 1, A = 1/2 against 0: loop; at 20 s p = 1/2:
    factor .5, A = 2/2: loop."""
    two = scenario([node(1, 1)], [job("f", tasks(2, 10.0)), job("l", tasks(1, 10.0), iterations=2)])
    assert placed(result_of(simulate(two, "haste"))) == "ffll"
    assert placed(result_of(simulate(two, "haste-a"))) == "fllf"
    assert placed(result_of(simulate(two, "haste-a(factor=0)"))) == "ffll"
    by_name = {one.at: one for one in decisions(two, "haste-a")}
    assert [(by_name[at].facts["factor"], by_name[at].each("alignment")) for at in (10, 20)] == [
        (1, {"f map": 0, "l map": 0.5}),
        (0.5, {"f map": 0, "l map": 1}),
    ]


@pytest.mark.parametrize("order", ["ffd-dp", "haste", "haste-a", "fresh", "weighted"])
def test_masters_come_before_all(order):
    """HASTE-9 (confirmed): b's and c's small masters go before a's maps, which fit better and were there
    first.
    """
    jobs = [job("a", tasks(9, 9.0, 4, 4)), *(job(name, tasks(1, 9.0), am=master()) for name in "bc")]
    first = [one.chosen for one in decisions(scenario([node(16, 16)], jobs), order)[:3]]
    assert first[:2] == ["b am", "c am"] and first[2].endswith("map")


def table_5(nodes):
    """SAF's Table 5, which is HaSTE's simple workload: four jobs of 31 maps of 1 GB and 2, 3, 4, 5 vcores on
    nodes of 8 GB and 8 vcores.
    """
    return scenario(
        [node(8192, 8, count=nodes)],
        [job(name, tasks(31, 30.0, 1024, vcores)) for name, vcores in zip("abcd", (2, 3, 4, 5))],
    )


def test_the_knapsack_puts_four_maps_of_two_vcores_on_a_node():
    """HASTE-2: 4 x (1/8 + 2/8) = 1.5; 3 + 5 or 4 + 4 vcores have two maps: 2/8 + 8/8 = 1.25; 2 + 2 + 4:
    1.375. So on each of 7 nodes; then 3 are left.
    """
    for order in ("haste", "haste(w_memory=1, w_vcores=3)"):
        start = [c for c in result_of(simulate(table_5(7), order)).containers if c.start == 0]
        assert [(c.job, c.node) for c in start] == [
            ("a", f"node1-{number}") for number in range(1, 8) for _ in range(4)
        ]


@st.composite
def bags(draw, ample):
    """A node of some memory and vcores, and up to three kinds of maps: (how many, memory, vcores)."""
    memory, vcores = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    kinds = draw(st.lists(st.tuples(st.integers(1, memory), st.integers(1, vcores)), min_size=1, max_size=3))
    counts = [min(memory // m, vcores // v) if ample else draw(st.integers(1, 4)) for m, v in kinds]
    return memory, vcores, [(count, m, v) for count, (m, v) in zip(counts, kinds)]


def value(memory, vcores, kinds, counts):
    return sum(count * (m / memory + v / vcores) for count, (_, m, v) in zip(counts, kinds))


def optimum(memory, vcores, kinds):
    """The most that any filling of the node is worth."""
    fits = lambda counts, place, room: sum(count * kind[place] for count, kind in zip(counts, kinds)) <= room
    every = product(*(range(count + 1) for count, _, _ in kinds))
    return max(
        value(memory, vcores, kinds, counts)
        for counts in every
        if fits(counts, 1, memory) and fits(counts, 2, vcores)
    )


def filled(memory, vcores, kinds):
    """What the knapsack puts on the empty node, in value, and how many containers it begins with in all."""
    jobs = [job(name, tasks(count, 99.0, m, v)) for name, (count, m, v) in zip("abc", kinds)]
    start = [one for one in decisions(scenario([node(memory, vcores)], jobs), "haste") if one.at == 0]
    by_knapsack = [one.chosen for one in start if one.facts["initial"]]
    return value(memory, vcores, kinds, [by_knapsack.count(f"{name} map") for name in "abc"]), len(start)


@examples(18, 150)
@given(bags(ample=True))
def test_the_knapsack_is_the_best_filling_where_enough_of_each_wait(bag):
    assert filled(*bag)[0] == pytest.approx(optimum(*bag))


# Where fewer wait than would fit, the procedure (HASTE-2) is a heuristic: a cell keeps one partial solution,
# and if that has used a candidate up, nothing else is tried. One map of <1, 1> on a node of 2 x 2: OPT[1, 1]
# has it, OPT[2, 2] would need it twice, and stays 0 with no choice. Then real-time assignment gives the node
# the map: no room is wasted for that.
@examples(18, 150)
@example((2, 2, [(1, 1, 1)]))
@given(bags(ample=False))
def test_the_knapsack_is_never_above_the_best_filling(bag):
    assert filled(*bag)[0] <= optimum(*bag) + 1e-9


def test_a_knapsack_below_the_optimum_leaves_the_rest_to_real_time_assignment():
    assert filled(2, 2, [(1, 1, 1)]) == (0, 1) and optimum(2, 2, [(1, 1, 1)]) == 1
    assert filled(2, 2, [(2, 1, 1)]) == (2 * 0.5 + 2 * 0.5, 2)  # enough of them: found


def test_a_node_is_filled_once():
    """Two maps of <1, 1> fill a node of 2 x 2; after the first end real-time assignment decides for good,
    though the node is empty again at 10 s.
    """
    result = decisions(scenario([node(2, 2)], [job("a", tasks(6, 10.0))]), "haste")
    assert [(one.at, one.facts["initial"]) for one in result] == [
        (0, 1),
        (0, 1),
        (10, 0),
        (10, 0),
        (20, 0),
        (20, 0),
    ]
