"""The oracle's orders (13; Hadoop's comparators), worked out by hand: who is given the room of one node, in
order of placement.
"""

from __future__ import annotations

import pytest

from tests.oracle.simulator import simulate
from tests.small_scenarios import job, master, node, of, placed, scenario, tasks

ORDERS = ["fifo", "fair", "drf", "capacity"]


def queue(name, memory=0, vcores=0, **more):
    """A queue under root with a minimum share."""
    return {"name": f"root.{name}", "min_share": {"memory_mb": memory, "vcores": vcores}, **more}


def both(count, memory=1, vcores=1, **more):
    """Jobs a in root.a and b in root.b with so many long maps; b comes first in the file."""
    maps = tasks(count, 100.0, memory, vcores)
    return [job("b", maps, queue="root.b", **more), job("a", maps, queue="root.a", **more)]


def first(result, number):
    return placed(result)[:number]


def test_fifo_serves_the_first_job_and_passes_over_what_does_not_fit():
    # memory 5: a's maps (2) twice, then 1 is left: b's
    jobs = [job("a", tasks(3, 9.0, memory=2)), job("b", tasks(2, 9.0))]
    assert first(simulate(scenario([node(5)], jobs), "fifo"), 3) == "aab"


def test_fifo_knows_no_queues():
    queues = [queue("a", max_share={"memory_mb": 0, "vcores": 0}, max_capacity_pct=0.0), queue("b")]
    assert first(simulate(scenario([node(4)], both(4), queues), "fifo"), 4) == "bbbb"
    assert placed(simulate(scenario([node(8)], both(4), queues), "fifo")) == "bbbbaaaa"


def test_fair_compares_memory_by_weight():
    # usage / weight: a 0, b 0: a; a 1: b; b 1/3: b; b 2/3: b; b 1, a 1: a
    jobs = [job("a", tasks(5, 9.0)), job("b", tasks(5, 9.0), weight=3.0)]
    assert first(simulate(scenario([node(5)], jobs), "fair"), 5) == "abbba"


def test_fair_does_not_know_minimum_shares_of_jobs():
    jobs = [job("a", tasks(4, 9.0)), job("b", tasks(4, 9.0), min_share={"memory_mb": 4, "vcores": 4})]
    assert first(simulate(scenario([node(4)], jobs), "fair"), 4) == "abab"
    # drf does: b below 4 of memory (its dominant share, of 4 against 1 of 100 vcores) until it has it
    assert first(simulate(scenario([node(4)], jobs), "drf"), 4) == "bbbb"


def test_fair_sees_an_end_only_at_the_beat():
    # one container a heartbeat of 1000; a's map 0 to 500, b's at 1000: the heartbeat at 1000 takes a's back
    # first, so a 0, b 0: a
    jobs = [job("a", tasks(3, 0.5)), job("b", tasks(2, 0.5))]
    assert placed(simulate(scenario([node(9)], jobs, heartbeat_ms=1000, each=1), "fair")) == "aaabb"
    # seen on the node's own heartbeat only: a on node 1 at 0 still counts at 500, when node 2 beats: b
    assert first(simulate(scenario([node(9, count=2)], jobs, heartbeat_ms=1000, each=1), "fair"), 2) == "ab"


def test_fair_queue_below_its_minimum_share_goes_first():
    # a below 3: a a a; then usage by weight: a 3, b 0: b b b; tie: a by name
    assert first(simulate(scenario([node(7)], both(7), [queue("b"), queue("a", 3)]), "fair"), 7) == "aaabbba"


def test_fair_queues_below_their_minimum_shares_go_by_how_far():
    # a 0/4 b 0/2: a (name); 1/4 0/2: b; 1/4 1/2: a; 2/4 1/2: b, which uses less; then b has its share: a, a
    assert (
        first(simulate(scenario([node(6)], both(6), [queue("b", 2), queue("a", 4)]), "fair"), 6) == "ababaa"
    )


def test_fair_minimum_share_is_at_most_the_demand():
    # a wants 2 of its 4: 0/2 0/4: a; 1/2 0/4: b; 1/2 1/4: b; 1/2 2/4: a; then b. (By 4: a; 1/4 0/4: b; tie:
    # a)
    jobs = [job("b", tasks(6, 9.0), queue="root.b"), job("a", tasks(2, 9.0), queue="root.a")]
    assert first(simulate(scenario([node(6)], jobs, [queue("b", 4), queue("a", 4)]), "fair"), 4) == "abba"


def test_maximum_share_limits_a_queue_and_those_below():
    limited = queue("a", max_share={"memory_mb": 2, "vcores": 9})
    assert first(simulate(scenario([node(6)], both(6), [queue("b"), limited]), "fair"), 6) == "ababbb"
    # the parent's limit holds for both children together
    above = {"name": "root", "max_share": {"memory_mb": 3, "vcores": 9}}
    result = simulate(scenario([node(6)], both(6), [above, queue("a"), queue("b")]), "drf")
    assert [c.start for c in result.containers[:4]] == [0, 0, 0, 100_000]


def test_a_minimum_share_lifts_the_maximum_share():
    # at most max(2, 3) = 3; the demand is cut at 3 too, so a is needy until it has 3
    limited = queue("a", 3, max_share={"memory_mb": 2, "vcores": 9})
    assert first(simulate(scenario([node(6)], both(6), [queue("b"), limited]), "fair"), 6) == "aaabbb"


def test_vcores_count_in_maximum_shares_unless_memory_alone_does():
    limited = queue("a", max_share={"memory_mb": 9, "vcores": 1})
    one = scenario([node(4)], both(4), [queue("b"), limited])
    assert first(simulate(one, "fair"), 4) == "abbb"
    assert first(simulate(one, "fair", "memory"), 4) == "abab"


def test_drf_compares_dominant_shares():
    # 10 of each; a (1, 3), b (3, 1). Shares: a .3 of vcores, b .3 of memory. 0 0: a; .3 0: b; tie, the other
    # .1 too: a; .6 .3: b
    jobs = [job("a", tasks(9, 9.0, 1, 3)), job("b", tasks(9, 9.0, 3, 1))]
    assert first(simulate(scenario([node(10, 10)], jobs), "drf"), 4) == "abab"
    # fair, by memory: a 1, b 0: b; 1 3: a; 2 3: a; then no vcore is left
    assert first(simulate(scenario([node(10, 10)], jobs), "fair"), 4) == "abaa"


def test_drf_looks_at_the_other_resource_in_a_tie():
    # 10 of each; a (2, 2), b (2, 1): 0 0: a; b; .2 .2, other .2 against .1: b; .4 against .2: a
    jobs = [job("a", tasks(9, 9.0, 2, 2)), job("b", tasks(9, 9.0, 2, 1))]
    assert first(simulate(scenario([node(10, 10)], jobs), "drf"), 4) == "abba"


def test_drf_shares_by_weight():
    jobs = [job("a", tasks(9, 9.0)), job("b", tasks(9, 9.0), weight=2.0)]
    # 0 0: a; 1 0: b; 1 1/2: b; 1 1, all ties: a; 2 1: b
    assert first(simulate(scenario([node(9, 9)], jobs), "drf"), 5) == "abbab"


def test_drf_needy_queues_go_by_how_far_and_nothing_over_nothing_ties():
    # 10 of each, maps (1, 1), so memory is dominant. Minimum memory a 4, b 2: as for fair, with ties in
    # vcores over no
    # minimum: 1/0 against 1/0 no difference, 0/0 ties with all
    queues = [queue("b", 2), queue("a", 4)]
    assert first(simulate(scenario([node(10, 10)], both(10), queues), "drf"), 6) == "abaaba"
    # a tie in memory is broken by vcores over their minimum: 2/4 and 1/2; vcores 2/8 and 1/2: a again
    queues = [queue("b", 2, 2), queue("a", 4, 8)]
    assert first(simulate(scenario([node(10, 10)], both(10), queues), "drf"), 4) == "abaa"
    # something over no minimum is infinitely far: 2/0 (a) against 1/2: b
    queues = [queue("b", 2, 2), queue("a", 4)]
    assert first(simulate(scenario([node(10, 10)], both(10), queues), "drf"), 4) == "abab"
    # the other way round 2/4 (a) against 1/8 (b): b
    queues = [queue("b", 2, 8), queue("a", 4, 4)]
    assert first(simulate(scenario([node(10, 10)], both(10), queues), "drf"), 4) == "abab"


def test_drf_minimum_share_of_the_dominant_resource_only():
    # 100 of memory, 10 vcores: vcores are dominant as soon as a queue holds anything, before that memory is.
    # b is needy while it holds nothing: b; then by share of vcores: a; tie: a by name; b
    assert (
        first(simulate(scenario([node(100, 10)], both(9), [queue("a"), queue("b", 50)]), "drf"), 4) == "baab"
    )


def test_a_leaf_may_have_its_own_policy():
    jobs = [job(name, tasks(4, 9.0), queue="root.q") for name in "ab"]
    for policy, given in [("fifo", "aaaa"), ("fair", "abab"), ("drf", "abab"), (None, "abab")]:
        for order in ("fair", "drf"):
            assert first(simulate(scenario([node(4)], jobs, [queue("q", policy=policy)]), order), 4) == given
    for policy, given in [("fifo", "aaaa"), ("fair", "abab"), ("drf", "abab"), (None, "aaaa")]:
        assert first(simulate(scenario([node(4)], jobs, [queue("q", policy=policy)]), "capacity"), 4) == given


def test_nested_queues_share_level_by_level():
    # root: p and z; p: x and y. fair: p (name), z, p, z ...; within p: x, y in turn
    jobs = [
        job(name, tasks(8, 9.0), queue=f"root.{path}")
        for name, path in [("z", "z"), ("x", "p.x"), ("y", "p.y")]
    ]
    queues = [queue("z"), queue("p.y"), queue("p.x")]
    assert first(simulate(scenario([node(8)], jobs, queues), "fair"), 8) == "xzyzxzyz"


def test_capacity_compares_used_with_guaranteed():
    # 8 of memory, a 75 %, b 25 %: used / guaranteed. 0 0: a (larger); 1/6 0: b; 1/6 1/2: a a; tie: a; 4/6
    # 1/2: b; 4/6 1: a a
    queues = [queue("b", capacity_pct=25.0), queue("a", capacity_pct=75.0)]
    one = [job(name, tasks(8, 9.0), queue=f"root.{name}") for name in "ab"]
    # root.default, not listed, has what is left: nothing
    assert first(simulate(scenario([node(8)], one, queues), "capacity"), 8) == "abaaabaa"


def test_capacity_ties_go_by_capacity_then_by_place_in_the_file():
    queues = [queue("b", capacity_pct=50.0), queue("a", capacity_pct=50.0)]
    assert first(simulate(scenario([node(4)], both(4), queues), "capacity"), 4) == "baba"


def test_capacity_of_queues_without_percentage_is_an_equal_share_of_what_is_left():
    # a 50, b and root.default 25 each: 0 0: a; b; 1/4 against 1/2: a; tie: a (larger); 3/4 1/2: b
    queues = [queue("b"), queue("a", capacity_pct=50.0)]
    assert first(simulate(scenario([node(8)], both(8), queues), "capacity"), 5) == "abaab"


def test_capacity_of_nested_queues_is_of_the_cluster():
    # p 80: x 75 = 60 of all, y 25 = 20 of all; z 20. Memory 10, in units of it: x 6, y 2, z 2; p 8.
    # root: 0 0: p: x; p 1/8 z 0: z; p 1/8 z 1/2: p: y (x 1/6, y 0); p 2/8: p: x; 3/8: p: x (2/6 < 1/2); 4/8
    # 1/2 tie: p (larger): x (3/6 = 1/2, larger)
    jobs = [
        job(name, tasks(8, 9.0), queue=f"root.{path}")
        for name, path in [("z", "z"), ("x", "p.x"), ("y", "p.y")]
    ]
    queues = [
        queue("z", capacity_pct=20.0),
        queue("p", capacity_pct=80.0),
        queue("p.y", capacity_pct=25.0),
        queue("p.x", capacity_pct=75.0),
    ]
    assert first(simulate(scenario([node(10)], jobs, queues), "capacity"), 6) == "xzyxxx"


def test_capacity_uses_the_dominant_resource_unless_memory_alone_counts():
    # 8 of memory, 16 vcores; a (1, 4), b (1, 1): 0 0: a; 4/16 0: b; 4/16 1/8: b; tie, a first in the file: a;
    # 8/16 2/8: b b
    jobs = [job("a", tasks(8, 9.0, 1, 4), queue="root.a"), job("b", tasks(8, 9.0, 1, 1), queue="root.b")]
    queues = [queue("a", capacity_pct=50.0), queue("b", capacity_pct=50.0)]
    assert first(simulate(scenario([node(8, 16)], jobs, queues), "capacity"), 6) == "abbabb"
    assert first(simulate(scenario([node(8, 16)], jobs, queues), "capacity", "memory"), 6) == "ababab"


def test_maximum_capacity_is_not_passed():
    # 9 of memory, a at most half, 4 whole MB: one map of 3 at a time
    jobs = [job("a", tasks(3, 9.0, 3), queue="root.a")]
    result = simulate(scenario([node(9, count=1)], jobs, [queue("a", max_capacity_pct=50.0)]), "capacity")
    assert [c.start for c in result.containers] == [0, 9000, 18_000]
    # a child's maximum is of its parent's: 50 % of 50 % of 13 = 3.25, again one map of 3
    queues = [queue("a", max_capacity_pct=50.0), queue("a.x", max_capacity_pct=50.0)]
    result = simulate(scenario([node(13)], [{**jobs[0], "queue": "root.a.x"}], queues), "capacity")
    assert [c.start for c in result.containers] == [0, 9000, 18_000]


def test_what_a_leaf_at_its_limit_could_not_use_is_blocked_for_its_siblings():
    # 8 of memory, a at most 6: it holds 5 and its next map wants 5 more; the 1 left to it is no longer b's,
    # which gets 2 and not 3
    jobs = [job("big", tasks(2, 9.0, 5), queue="root.a"), job("small", tasks(3, 9.0), queue="root.b")]
    queues = [
        queue("a", capacity_pct=60.0, max_capacity_pct=75.0),
        queue("b", capacity_pct=10.0),
        queue("default", capacity_pct=30.0),
    ]
    result = simulate(scenario([node(8)], jobs, queues), "capacity")
    assert [(c.job, c.start) for c in result.containers][:3] == [("big", 0), ("small", 0), ("small", 0)]
    assert result.containers[3].start == 9000


def test_guarantees_are_whole_and_ratios_floats():
    # 45 % of 20 MB is 8.999... as a float and so 8: 3 held there (.375) stand behind 1 held of 15 % (1/3, as
    # 15 % is 3)
    jobs = [job("a", tasks(9, 99.0, 3), queue="root.a"), job("b", tasks(9, 99.0), queue="root.b")]
    queues = [
        queue("a", capacity_pct=45.0),
        queue("b", capacity_pct=15.0),
        queue("default", capacity_pct=40.0),
    ]
    result = simulate(scenario([node(20)], jobs, queues), "capacity")
    assert "".join(c.job for c in result.containers[:4]) == "abba"


def test_maximum_capacity_of_a_parent_holds_for_its_children_together():
    # p at most half of 8: x 2, y 2, and p holds half; each child alone would have been let in
    jobs = [job(name, tasks(2, 9.0, 2), queue=f"root.p.{name}") for name in "xy"]
    result = simulate(
        scenario([node(8)], jobs, [queue("p", max_capacity_pct=50.0), queue("p.x"), queue("p.y")]), "capacity"
    )
    assert [(c.job, c.start) for c in result.containers] == [("x", 0), ("y", 0), ("x", 9000), ("y", 9000)]


@pytest.mark.parametrize("order", ORDERS)
def test_masters_are_like_any_request_of_their_job(order):
    # one container a visit: a's master, then b's maps go on in turn with a's, or not, as the order says;
    # nobody's master is first
    jobs = [job("b", tasks(3, 9.0)), job("a", tasks(1, 9.0), am=master())]
    result = simulate(scenario([node(4)], jobs, each=1), order)
    assert placed(result)[:4] == {"fifo": "bbba", "capacity": "bbba"}.get(order, "baba")
    assert of(result, "am")[0].start == 0
