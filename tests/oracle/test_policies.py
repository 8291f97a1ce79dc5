"""The oracle's orders by the papers, worked out by hand in the comments: the papers' own numbers where they
print some; times in ms.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.invariants import check
from tests.oracle.cluster_state import ClusterState
from tests.oracle.haste import fitness, normal, urgency
from tests.oracle.knapsack import knapsack
from tests.oracle.names import memory_only, parse
from tests.oracle.priority import estimate, mean_ms, score, stem
from tests.oracle.saf import Numbers, coolings, entropies
from tests.oracle.simulator import simulate_named
from tests.small_scenarios import job, master, node, placed, scenario, tasks
from tests.strategies import BUSY, named_schedulers, scenarios


def near(value):
    return pytest.approx(value, abs=0.006)


def of_jobs(result):
    return [(c.job, c.start) for c in result.containers]


# Names


def test_names_and_defaults():
    parts = parse("haste(w_memory=2)+lazy-start(window_s=0.05, ema=0.3)+autoadmin(floor=0.2)")
    assert parts == {
        "haste": {"w_memory": 2.0, "w_vcores": 1.0, "ties": "maps"},
        "lazy-start": {"window_s": 0.05, "ema": 0.3, "jobs": "running", "bandwidth": "observed"},
        "autoadmin": {"floor": 0.2, "resource": "vcores"},
    }
    assert parse("fresh") == {"fresh": {}, "slowstart": {"at": None}, "admit-all": {}} and memory_only(
        parse("fifo(resources=memory)+ramp-up")
    )
    with pytest.raises(ValueError, match="knows no"):
        parse("fair(window_s=1)")


# ffd-dp, haste, haste-a


def table_5():
    """SAF's Table 5 on nodes of 8 GB and 8 vcores: 31 maps of 1 GB and 2, 3, 4, 5 vcores."""
    return [job(name, tasks(31, 9.0, 1024, vcores)) for name, vcores in zip("abcd", (2, 3, 4, 5))]


def test_the_knapsack_fills_an_empty_node_with_four_small_maps():
    # values 1/8 + v/8: .375 .5 .625 .75; 2+2+2+2: 1.5; 2+3+3: 1.375; 4+4 and 3+5: 1.25
    result = simulate_named(scenario([node(8192, 8)], table_5()), "haste")
    assert placed(result)[:4] == "aaaa"
    # with one of the small ones 2+3+3 is best: of a filling the request that comes first, the 2. Without
    # value there is none
    sizes = [(1024, 2), (1024, 3), (1024, 4), (1024, 5)]
    assert knapsack((8192, 8), sizes, [1, 31, 31, 31], [0.375, 0.5, 0.625, 0.75]) == 0
    assert knapsack((8192, 8), sizes, [31] * 4, [0.0] * 4) is None


def test_ffd_dp_by_priority_takes_a_jobs_reduces_first():
    # maps of 4 GB fit a node of 8 better than reduces of 1 GB; of a job that asks for both, only these count
    one = job("a", tasks(3, 9.0, 4, 4), tasks(2, 9.0, 1, 1), slowstart=0.0)
    first = {
        value: [
            container.kind
            for container in simulate_named(
                scenario([node(8, 8)], [one]), f"ffd-dp(priorities={value})+slowstart"
            ).containers
        ][:2]
        for value in ("no", "yes")
    }
    assert first == {"no": ["map", "map"], "yes": ["reduce", "reduce"]}


def test_ffd_dp_takes_the_fittest():
    # F = 1/8 + v/8 on the empty node: d (5 vcores) first; 3 vcores left: b (3) .109 + .14, a (2) less
    assert placed(simulate_named(scenario([node(8192, 8)], table_5()), "ffd-dp"))[:2] == "db"


def test_fitness_is_a_product_of_parts_of_the_node():
    # 1/4 x 2/4 + 2/8 x 6/8 = .125 + .1875, the vcores' part twice
    state = ClusterState(scenario([node(4, 8)], [job("a", tasks(1, memory=1, vcores=2))]))
    state.nodes[0].held_memory, state.nodes[0].held_vcores = 2, 2
    assert fitness((state.jobs[0], "map"), state.nodes[0]) == 0.3125
    assert fitness((state.jobs[0], "map"), state.nodes[0], 1.0, 2.0) == 0.5


@pytest.mark.parametrize(
    ("reduces", "maps", "of_map", "of_reduce"), [(5, 2, 0.806, 0.728), (1, 8, 0.161, 0.937)]
)
def test_urgency(reduces, maps, of_map, of_reduce):
    # 31 maps, 20 placed, R = 1/8 + 1/8: Um = 20/31 x reduces x .25, Ur = (20/31)^2 x (maps x .25 + reduces x
    # .25)
    state = ClusterState(scenario([node(8, 8)], [job("a", tasks(31), tasks(9))]))
    one = state.jobs[0]
    state.add(0, "map", maps)
    state.add(0, "map", 20 - maps, "finished", end=9)
    state.add(0, "reduce", reduces)
    assert urgency(state, (one, "map"), state.nodes[0]) == near(of_map)
    assert urgency(state, (one, "reduce"), state.nodes[0]) == near(of_reduce)


def test_urgency_when_some_reduces_have_finished():
    # R = 2 of a node of 8: .25; 10 maps, 5 placed, 3 run; 2 reduces placed, 1 runs: Um = .5 x 2 x .25 = .25;
    # Ur = .25 x .5 x (3 + 1) x .25 / .25 = .5
    state = ClusterState(scenario([node(8, 8)], [job("a", tasks(10), tasks(9))]))
    one = state.jobs[0]
    state.add(0, "map", 3)
    state.add(0, "map", 2, "finished", end=9)
    state.add(0, "reduce", 1)
    state.add(0, "reduce", 1, "finished", end=9)
    assert urgency(state, (one, "map"), state.nodes[0]) == 0.25
    assert urgency(state, (one, "reduce"), state.nodes[0]) == 0.5


def test_preference_adds_normalised_terms():
    # (F, U) = (6, 0), (4, 2), (2, 2.5): 1 + 0, .5 + .8, 0 + 1
    assert [f + u for f, u in zip(normal([6, 4, 2]), normal([0, 2, 2.5]))] == [1.0, 1.3, 1.0]
    assert normal([3, 3]) == [0.0, 0.0]


def test_haste_a_serves_the_iterative_job_sooner():
    # the knapsack takes n n n n, of equal values the first. At 1000 two have ended and the node is not as
    # left: F and U are equal, haste: n n. haste-a: A is 0 and 1/2; n alone runs: alpha 1: i; then p = 1/2:
    # alpha 1/2: i. A factor of 0 is haste
    jobs = [job("n", tasks(8, [1.0, 1.0] + [5.0] * 6)), job("i", tasks(4, 5.0), iterations=2)]
    first_six = lambda name: placed(simulate_named(scenario([node(4, 4)], jobs), name))[:6]
    assert first_six("haste") == first_six("haste-a(factor=0)") == "nnnnnn"
    assert first_six("haste-a") == first_six("haste-a(factor=0.1)") == "nnnnii"


def test_masters_go_first():
    jobs = [job("a", tasks(3, 9.0)), job("b", tasks(1, 9.0), am=master())]
    for order in ("ffd-dp", "haste", "haste-a", "fresh", "weighted"):
        assert placed(simulate_named(scenario([node(4, 4)], jobs, each=1), order))[0] == "b"


# saf


def test_temperatures():
    # two equal groups, k = 1000, log10: 1000 x .30103; p = .5, .25, .25 as the reference has them
    assert entropies([0.5, 0.5], 1000.0, 0.5, 0.8)["shannon"]() == near(301.03)
    expected = {
        "shannon": 451.5,
        "hartley": 477.1,
        "collision": 426.0,
        "min": 301.0,
        "renyi": 464.5,
        "tsallis": 1170.5,
    }
    for name, value in expected.items():
        assert entropies([0.5, 0.25, 0.25], 1000.0, 0.5, 0.8)[name]() == pytest.approx(value, abs=0.06)
    assert entropies([0.5, 0.25, 0.25], 1000.0, 0.5, 1.2)["tsallis"]() == pytest.approx(929.0, abs=0.06)
    assert {measure() for measure in entropies([], 1000.0, 0.5, 0.8).values()} == {0.0}


def test_coolings():
    # from 301.03 with rate .9 after 10 draws
    expected = {"exponential": 104.96, "linear": 30.10, "logarithmic": 155.39, "quadratic": 107.36}
    assert {name: cooled() for name, cooled in coolings(301.03, 0.9, 10).items()} == {
        name: near(value) for name, value in expected.items()
    }


def test_random_numbers():
    # from 1, 1: 40014 - 40692 = -678, + 2147483562
    numbers = Numbers(7)
    numbers.s1 = numbers.s2 = 1
    assert numbers.next() == 2147482884 / 2147483563
    assert 0 < Numbers(7).next() != Numbers(8).next() < 1


def test_saf_serves_the_runner_up_while_it_is_hot():
    # nothing runs: no temperature, drf: a, then b, then again (1 group of equal sizes: T0 = 0) a b
    jobs = [job("a", tasks(9, 9.0, 1, 1)), job("b", tasks(9, 9.0, 1, 1))]
    assert placed(simulate_named(scenario([node(8, 8)], jobs), "saf"))[:4] == "abab"
    # two sizes: from the third on T0 is above 0 and p = exp(-delta / 301) is nearly 1: the runner-up, which
    # has more and more
    jobs = [job("a", tasks(9, 9.0, 1, 1)), job("b", tasks(9, 9.0, 1, 2))]
    given = placed(simulate_named(scenario([node(20, 20)], jobs), "saf"))
    assert given[:2] == "ab" and given[2:8] == "bbbbbb"


# dynamic priority


def table_1():
    """Arrival and run time of J1 to J6; one node of 1 vcore; splits are run time / 2."""
    times = [(6, 2), (10, 30), (3, 20), (0, 10), (12, 15), (11, 2)]
    jobs = [
        job(
            str(place),
            tasks(1, float(run)),
            arrival_s=float(arrival),
            estimate_s=float(run),
            input_mb=64.0 * run,
        )
        for place, (arrival, run) in enumerate(times, start=1)
    ]
    return scenario([node(1, 1)], jobs)


def test_scores_of_table_1():
    # t=10: J3 2 + 27/200, J1 1 + 6/2, J2 0 + 30/450
    assert [
        score(3, 1, 1.0, 10, 20e3, 7e3),
        score(3, 2, 1.0, 1, 2e3, 4e3),
        score(3, 3, 1.0, 15, 30e3, 0),
    ] == [near(2.135), near(4), near(0.0667)]
    # t=12: J3 3 + 29/200, J2 2 + 32/450, J6 1 + 3/2
    assert [
        score(4, 1, 1.0, 10, 20e3, 9e3),
        score(4, 2, 1.0, 15, 30e3, 2e3),
        score(4, 3, 1.0, 1, 2e3, 1e3),
    ] == [near(3.145), near(2.071), near(2.5)]


def test_priority_gives_the_order_of_table_1():
    assert of_jobs(simulate_named(table_1(), "priority-fifo(k1=1)")) == [
        ("4", 0),
        ("1", 10e3),
        ("3", 12e3),
        ("6", 32e3),
        ("2", 34e3),
        ("5", 64e3),
    ]
    assert of_jobs(simulate_named(table_1(), "priority-fifo"))[2] == ("6", 12e3)
    for order in ("priority-fair(k1=1)", "priority-capacity(k1=1)"):  # one queue
        assert placed(simulate_named(table_1(), order)) == "413625"


def test_stems():
    assert [stem(name) for name in ("wc-1", "wordcount12", "a-1-2", "etl_3", "17")] == [
        "wc",
        "wordcount",
        "a-1",
        "etl",
        "17",
    ]


def test_estimates():
    # first run: 2 nodes x min(4/2, 4/1) = 4 maps at once: 2 waves of 5 maps of 3 s; reduces (4): 2 at once, 2
    # waves of 1.5 s;
    # fetch: 1000 x 6 / 3 / 100 = 20 a map; start-up 500: 500 + 2 x (6000 + 100 + 3000)
    uniform = {"dist": "uniform", "low": 1.0, "high": 2.0}
    first = job(
        "a", tasks(5, 3.0, 2), tasks(3, uniform, 4), am=master(0.5), shuffle_mb_per_map=6.0, iterations=2
    )
    again = job("a-2", tasks(2, 3.0), arrival_s=5.0, input_mb=100.0)
    told = job("t", tasks(1), estimate_s=0.0)
    state = ClusterState(
        scenario([node(4, 4, count=2)], [first, again, told, job("a-1", tasks(1), input_mb=200.0)])
    )
    by_name = {one.name: one for one in state.jobs}
    assert estimate(state, by_name["a"], 128.0) == 18700
    assert estimate(state, by_name["t"], 128.0) == 1
    # history of a-2 (100 MB): a (5 x 128 = 640 MB) from 1000 to 4000, a-1 (200 MB) from 0 to 4000:
    # w 1/(1 + 5.4) and 1/2; (.15625 x 3000 x 100/640 + .5 x 4000 x .5) / .65625
    by_name["a"].start, by_name["a"].finish, by_name["a-1"].start, by_name["a-1"].finish = 1000, 4000, 0, 4000
    assert estimate(state, by_name["a-2"], 128.0) == pytest.approx(
        (0.15625 * 3000 * 100 / 640 + 1000) / 0.65625
    )
    by_name["a"].finish = by_name["a-1"].finish = 5001  # not before it arrived: 2 maps of 3 s in one wave
    assert estimate(state, by_name["a-2"], 128.0) == 3000


def test_means_of_durations():
    durations = [
        {"values": [1.0, 2.0, 4.5]},
        {"dist": "normal", "mean": 2.0, "sd": 1.0},
        {"dist": "exponential", "mean": 3.0},
        4.0,
    ]
    jobs = [job(None, tasks(3, one)) for one in durations]
    assert [mean_ms(one.maps.duration_s) for one in scenario([node()], jobs).jobs] == [2500, 2000, 3000, 4000]


# fresh, weighted, kinds


def test_fresh_gives_reduces_their_part():
    # nobody has reduces: by deficit; both 0, tie: fewest held: a b a b
    jobs = [job(name, tasks(4, 9.0)) for name in "ab"]
    assert placed(simulate_named(scenario([node(4)], jobs), "fresh"))[:4] == "abab"
    # slow start .5, a has 6 maps of 1 s, 2 reduces: 3 slots. 3 maps end at 1000: 3 maps, 2 reduces wait, mean
    # 1 s, reduces as maps: target 3 x 3 / 5 = 1.8: maps 0, 1 < 1.8: two maps, then a reduce
    one = job("a", tasks(6), tasks(2), slowstart=0.5)
    result = simulate_named(scenario([node(3, 3)], [one]), "fresh")
    assert [(c.kind, c.start) for c in result.containers[3:6]] == [
        ("map", 1000),
        ("map", 1000),
        ("reduce", 1000),
    ]


def test_weighted_by_one_term():
    jobs = [
        job("a", tasks(2, 9.0)),
        job("b", tasks(3, 9.0), arrival_s=0.5, weight=2.0),
        job("c", tasks(1, 9.0), arrival_s=1.0),
    ]
    at_9 = lambda weights: placed(
        simulate_named(scenario([node(2, 2)], jobs), f"weighted(fitness=0, {weights})")
    )
    assert at_9("arrival=1") == "aabbbc" and at_9("arrival=-1") == "aacbbb"
    assert at_9("remaining=1") == "aacbbb" and at_9("remaining=-1")[:4] == "aabb"
    assert at_9("waiting=1") == "aabbbc"
    assert at_9("share=1") == "aabcbb"  # 0 0: b; c holds nothing
    assert (
        placed(
            simulate_named(
                scenario([node(9, 9)], [job("s", tasks(1)), job("l", tasks(1, memory=3))]), "weighted"
            )
        )
        == "ls"
    )


def test_shares_of_a_kind():
    # a and b hold 2 maps each and a has a reduce of 1: fair would serve b; of its own kind a's reduce holds
    # nothing
    jobs = [job("b", tasks(4, 9.0)), job("a", tasks(2, [1.0, 9.0]), tasks(2, 9.0), slowstart=0.5)]
    # 0: b a b a; 1000: a's first map has ended: a's reduces 0 < b's maps 2: a; then 1 < 2 but no room
    assert placed(simulate_named(scenario([node(4)], jobs), "fair(shares=kind)"))[:5] == "babaa"


def test_typed_slots_are_filled_evenly():
    # 3 maps and 2 reduces on 8 slots of either kind: ceil(4 x 3 / 8) = 2 maps and ceil(4 x 2 / 8) = 1 reduce
    # a node
    one = job("a", tasks(3, 9.0), tasks(2, 9.0), slowstart=0.0)
    result = scenario([node(9, map_slots=4, reduce_slots=4, count=2)], [one])
    where = lambda name: [(c.kind[0], c.node) for c in simulate_named(result, name).containers]
    assert where("fair(shares=kind)") == [
        ("r", "node1-1"),
        ("m", "node1-1"),
        ("m", "node1-1"),
        ("r", "node1-2"),
        ("m", "node1-2"),
    ]
    assert {name for _, name in where("fair(reservations=no)+slowstart")} == {"node1-1"}


# Any


@given(st.one_of(scenarios(), scenarios(BUSY)), named_schedulers())
@examples(37, 300)
def test_invariants_under_every_policy(scenario, scheduler):
    result = simulate_named(scenario, scheduler)
    check(scenario, result, memory_only(parse(scheduler)))
