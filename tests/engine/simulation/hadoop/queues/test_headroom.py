"""What masters are told that their jobs could still have, worked by hand: the limit that ramp-up reckons with
is that and what the job holds.
"""

from __future__ import annotations

import pytest

from engine.schedulers.policy import REDUCE_START_AT
from tests.engine.schedulers.decisions import decisions
from tests.small_scenarios import job, node, scenario, tasks


@pytest.mark.parametrize(
    ("scheduler", "x", "limit"),
    [
        ("fifo", {}, 8),  # 2 are free
        (
            "priority-fair",
            {"max_share": {"memory_mb": 6, "vcores": 10}},
            8,
        ),  # not of Hadoop: free in the cluster
        ("fair", {}, 6),  # fair share 5 of 10, 6 used
        ("drf", {}, 6),
        ("fair", {"weight": 2.5}, 7),  # fair share trunc(10 x 2.5 / 3.5) = 7
        ("fair", {"weight": 9.0}, 8),  # 9, but 2 are free
        ("fair", {"weight": 9.0, "max_share": {"memory_mb": 7, "vcores": 10}}, 7),
        ("capacity", {"capacity_pct": 80.0}, 8),  # the one user may have the guarantee, 8
        ("capacity", {"capacity_pct": 70.0}, 6),  # 6.9999998, for it is a float
        ("capacity", {"capacity_pct": 50.0, "user_limit_factor": 2.0}, 7),  # above it: 1 MB more than is used
        ("capacity", {"capacity_pct": 90.0, "max_capacity_pct": 90.0}, 8),  # 9, but 2 are free
        ("capacity(resources=memory)", {"capacity_pct": 70.0, "user_limit_factor": 2.0}, 7),
    ],
)
def test_the_headroom_of_each_scheduler(scheduler, x, limit):
    """10 MB. At 1 s a has two maps of 3 MB in x, b one of 2 MB in y: 2 MB are free, and a map of a does not
    fit.
    """
    queues = [{"name": "root.x", **x}, {"name": "root.y"}]
    a = job("a", tasks(9, [0.5, 0.5] + [9.0] * 7, memory=3), tasks(4, 1.0), queue="root.x", slowstart=0.05)
    b = job("b", tasks(1, 99.0, memory=2), queue="root.y")
    by_time = {
        one.at: one
        for one in decisions(
            scenario([node(10, 10)], [b, a], queues), f"{scheduler}+ramp-up", REDUCE_START_AT
        )
        if "a" in one.terms
    }
    assert by_time[1].terms["a"]["limit"] == limit


def test_vcores_are_shared_under_drf_alone():
    """20 MB, 10 vcores; at 1 s 6 of a's 9 maps of <1, 3> have finished and 2 run, b holds <1, 2>. fair tells
    of <8, 2>: .67 x <10, 8> are 5 reduces of <1, 1>. drf of <8, 0>, for the share is 5 vcores: .67 x <10, 6>.
    """
    queues = [{"name": "root.x"}, {"name": "root.y"}]
    a = job("a", tasks(9, [0.3] * 6 + [9.0] * 3, vcores=3), tasks(9, 1.0), queue="root.x", slowstart=0.05)
    b = job("b", tasks(1, 99.0, vcores=2), queue="root.y")
    of_both = scenario([node(20, 10)], [b, a], queues)
    by_scheduler = {}
    for scheduler in ("fair", "drf"):
        answers = {
            one.at: one.answer
            for one in decisions(of_both, f"{scheduler}+ramp-up(limit=1)", REDUCE_START_AT)
            if "a" in one.terms
        }
        by_scheduler[scheduler] = answers[1]
    assert by_scheduler == {"fair": 5, "drf": 4}


def test_what_has_ended_counts_until_it_is_seen():
    """A node of 4 MB beats at 0, 4, 8 s. a's first map ends at 0.5, unseen until 4: at 1 s its 4 MB count as
    held, all 4 are its limit, and nothing is free.
    """
    a = job("a", tasks(9, [0.5] + [9.0] * 8), tasks(4, 1.0), slowstart=0.05)
    terms = {
        one.at: one.terms["a"]
        for one in decisions(scenario([node(4)], [a], heartbeat_ms=4000), "fifo+ramp-up", REDUCE_START_AT)
    }
    assert terms[1]["limit"] == 4 and terms[1]["for_reduces"] == 0


def test_a_fair_share_is_that_of_the_last_beat():
    """A node beats at 0 and 4 s. b arrives in y at 2 s: at 3 s x is told of the whole cluster still, at 5 s
    of its half.
    """
    queues = [{"name": "root.x"}, {"name": "root.y"}]
    a = job("a", tasks(9, [0.5, 0.5] + [99.0] * 7, memory=3), tasks(9, 1.0), queue="root.x", slowstart=0.05)
    b = job("b", tasks(1, 99.0, memory=9), queue="root.y", arrival_s=2.0)
    answers = decisions(
        scenario([node(10)], [a, b], queues, heartbeat_ms=4000),
        "fair(update_ms=0)+ramp-up(limit=0)",
        REDUCE_START_AT,
    )
    limits = {one.at: one.terms["a"]["limit"] for one in answers if "a" in one.terms}
    assert limits[3] == 10 and limits[5] == 9
