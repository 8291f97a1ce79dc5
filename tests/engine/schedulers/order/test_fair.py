"""Fair sharing by kind, as Hadoop 1's Fair on typed slots (omo §V-A): maps and reduces are compared each on
their own.
"""

from __future__ import annotations

import numpy as np
import pytest

from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.busy import busy
from tests.engine.schedulers.decisions import decisions
from tests.small_scenarios import job, master, node, scenario, tasks

BY_KIND = "fair(shares=kind)+slowstart+admit-all"


def order_of(found, text, number):
    """Who is given the room at 0: R for a reduce."""
    return " ".join(
        c.job + ("R" if c.kind == "reduce" else "")
        for c in result_of(simulate(found, text)).containers[:number]
    )


def two(weight=1.0):
    """a has maps and reduces from the start, b maps alone."""
    return scenario(
        [node(6)],
        [job("a", tasks(6, 9.0), tasks(3, 9.0), slowstart=0.0, weight=weight), job("b", tasks(6, 9.0))],
    )


def test_kinds_are_compared_on_their_own():
    """kind: aR, a, b hold 0, 0, 0: aR (first candidate); 1, 0, 0: a; 1, 1, 0: b; 1, 1, 1: aR; a; b. all: a 0,
    b 0: aR; b; then 1, 1: aR; b; ...
    """
    assert order_of(two(), BY_KIND, 6) == "aR a b aR a b"
    assert order_of(two(), "fair(reservations=no, update_ms=0)+slowstart+admit-all", 6) == "aR b aR b aR b"
    third = decisions(two(), BY_KIND)[2]
    assert third.each("of_kind") == {"a reduce": 1, "a map": 1, "b map": 0} and third.chosen == "b map"


def test_weights_count_by_kind_too():
    """a of weight 2: aR 0, a 0, b 0: aR; .5, 0, 0: a; .5, .5, 0: b; .5, .5, 1: aR; 1, .5, 1: a; 1, 1, 1:
    aR.
    """
    assert order_of(two(2.0), BY_KIND, 6) == "aR a b aR a aR"


def test_memory_is_compared_not_containers():
    """a's maps of 2 MB, b's of 1: 0, 0: a; 2, 0: b; 2, 1: b; 2, 2: a; 4, 2: b; 4, 3: b."""
    result = scenario([node(8)], [job("a", tasks(4, 9.0, 2)), job("b", tasks(9, 9.0))])
    assert order_of(result, BY_KIND, 6) == "a b b a b b" == order_of(result, "fair", 6)


def test_masters_are_a_kind_of_their_own():
    """a's master of 4 MB does not count against its maps: 0, 0: a, b, a, b. Under all a has 4 more: b until
    it holds 4.
    """
    jobs = [job(name, tasks(9, 9.0), am=master(memory=memory)) for name, memory in (("a", 4), ("b", 1))]
    result = scenario([node(11)], jobs)
    maps = lambda text: [c.job for c in result_of(simulate(result, text)).containers if c.kind == "map"][:4]
    assert maps(BY_KIND) == ["a", "b", "a", "b"] and maps("fair") == ["b", "b", "b", "a"]


def test_without_reduces_and_masters_kinds_change_nothing():
    times = [float(1 + place % 4) for place in range(9)]
    result = scenario([node(5), node(3)], [job("a", tasks(9, times)), job("b", tasks(9, times), weight=3.0)])
    assert result_of(simulate(result, BY_KIND)).containers == result_of(simulate(result, "fair")).containers


def test_between_queues_all_that_they_hold_counts():
    """root.q holds a and b, root.r c: q 0, r 0: aR by name; q 1, r 0: c; q 1, r 1: q, where a 0 of maps: a;
    r; q: b; r.
    """
    reduces = {"reduces": tasks(3, 9.0), "slowstart": 0.0}
    jobs = [
        job(name, tasks(9, 9.0), queue=queue, **more)
        for name, queue, more in (("a", "root.q", reduces), ("b", "root.q", {}), ("c", "root.r", {}))
    ]
    queues = [{"name": "root.q"}, {"name": "root.r"}]
    assert order_of(scenario([node(6)], jobs, queues), BY_KIND, 6) == "aR c a c b c"


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("fifo", "aR aR aR a a a"),
        ("drf", "aR b aR b aR b"),
        ("fair", "aR a b aR a b"),
        (None, "aR a b aR a b"),
    ],
)
def test_a_leaf_with_another_policy_keeps_it(policy, expected):
    jobs = [
        job("a", tasks(6, 9.0), tasks(3, 9.0), slowstart=0.0, queue="root.q"),
        job("b", tasks(6, 9.0), queue="root.q"),
    ]
    result = scenario([node(6)], jobs, [{"name": "root.q", **({"policy": policy} if policy else {})}])
    assert order_of(result, BY_KIND, 6) == expected


@pytest.mark.parametrize("text", [BY_KIND, "fresh+admit-all", "batch-finish+admit-all", "omo+admit-all"])
@pytest.mark.parametrize(
    ("maps", "expected"), [(1, [1, 0, 0]), (3, [1, 1, 1]), (5, [2, 2, 1]), (11, [3, 4, 4]), (12, [4, 4, 4])]
)
def test_slots_are_filled_evenly(text, maps, expected):
    """12 slots in all, of which a node takes ceil(4 x maps / 12): 1 for 1 to 3 maps, 2 for 4 to 6, 4 from 10
    on.
    """
    result = scenario([node(4, map_slots=4, count=3)], [job("a", tasks(maps, 9.0))])
    assert sorted(np.bincount(simulate(result, text).containers.node, minlength=3)) == sorted(expected)


def test_what_runs_and_waits_of_all_jobs_counts_as_load():
    """a's 2 maps at 0: 2 / 8, ceil(4 x .25) = 1 a node; b's 4 at 1 s: 6 / 8, 3 a node."""
    result = scenario(
        [node(9, map_slots=4, count=2)], [job("a", tasks(2, 9.0)), job("b", tasks(4, 9.0), arrival_s=1.0)]
    )
    assert simulate(result, BY_KIND).containers.node.tolist() == [0, 1, 0, 0, 1, 1]


def test_a_node_without_slots_and_other_orders_know_no_load():
    result = scenario([node(9), node(9, map_slots=4)], [job("a", tasks(4, 9.0))])
    assert simulate(result, BY_KIND).containers.node.tolist() == [0, 0, 0, 0]
    typed = scenario([node(9, map_slots=4, count=2)], [job("a", tasks(4, 9.0))])
    assert simulate(typed, "fair(reservations=no)+admit-all").containers.node.tolist() == [0, 0, 0, 0]


def test_compiled_and_plain_are_the_same():
    assert (
        result_of(simulate(busy(), BY_KIND)).containers
        == result_of(simulate(busy(), BY_KIND, plain=True)).containers
    )
