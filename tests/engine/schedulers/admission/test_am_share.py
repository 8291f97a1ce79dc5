"""AM share (Hadoop's maxAMShare), worked by hand: rounding up, weights, capacities, who is passed over."""

from __future__ import annotations

import pytest

from engine.schedulers.policy import ADMISSION_AT
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.admission.masters import at_0, waiting_jobs
from tests.engine.schedulers.decisions import decisions
from tests.phrases import phrase
from tests.small_scenarios import job, master, node, of, scenario, tasks


@pytest.mark.parametrize(("limit", "admitted"), [(0.2, 3), (0.25, 3), (0.19, 2), (0.3, 4), (0.5, 5), (1, 9)])
def test_the_limit_is_rounded_up(limit, admitted):
    """ceil(limit x 10 MB), masters of 1 MB; vcores abound. The limit is a float in Hadoop: 0.2 is a little
    more, and 2.00000003 is 3.
    """
    assert at_0(scenario([node(10)], [waiting_jobs()]), f"fifo+am-share(limit={limit})") == {"j": admitted}


def test_vcores_count_unless_memory_alone_does():
    """10 vcores, limit .25: 3; by memory alone ceil(.25 x 100) = 25, all 9."""
    result = scenario([node(100, 10)], [waiting_jobs()])
    assert at_0(result, "fifo+am-share(limit=0.25)") == {"j": 3}
    assert at_0(result, "fifo(resources=memory)+am-share(limit=0.25)") == {"j": 9}


def test_the_default_is_half():
    assert at_0(scenario([node(10)], [waiting_jobs()]), "fifo+am-share") == {"j": 5}


def test_who_exceeds_it_is_passed_over():
    """3 MB may be held: a 2, b 2 not, c 1; when a is over at 16 s, b."""
    jobs = [
        job(name, tasks(1, 6.0), am=master(10.0, memory)) for name, memory in (("a", 2), ("b", 2), ("c", 1))
    ]
    starts = {
        c.job: c.start
        for c in of(result_of(simulate(scenario([node(10)], jobs), "fifo+am-share(limit=0.29)")), "am")
    }
    assert starts == {"a": 0, "b": 16_000, "c": 0}


def test_a_limit_of_nothing_admits_nobody():
    run = simulate(scenario([node(10)], [waiting_jobs()]), "fifo+am-share(limit=0)")
    assert run.status == "deadlock" and phrase("admission.masters_may_hold", "0 MB") in run.because


QUEUES = [{"name": "root.q", "weight": 3.0}, {"name": "root.r"}]


@pytest.mark.parametrize("order", ["fair", "drf", "batch-finish", "omo", "priority-fair"])
def test_a_queue_s_share_is_by_weight_among_the_active(order):
    """16 MB, limit .5: q has 3/4: 6, r 1/4: 2; root.default has no job and does not count. Alone q has all:
    8.
    """
    both = scenario(
        [node(16)], [waiting_jobs("a", queue="root.q"), waiting_jobs("b", queue="root.r")], QUEUES
    )
    assert at_0(both, f"{order}+am-share") == {"a": 6, "b": 2}
    assert at_0(scenario([node(16)], [waiting_jobs("a", queue="root.q")], QUEUES), f"{order}+am-share") == {
        "a": 8
    }


def test_shares_multiply_down_the_tree():
    """root.p (1) and root.r (1), below p x (1) and y (3): x 1/2 x 1/4 = 1/8, y 3/8, r 1/2. Of 32 MB, limit
    .5: 2, 6, 8.
    """
    queues = [{"name": "root.p.x"}, {"name": "root.p.y", "weight": 3.0}, {"name": "root.r"}]
    jobs = [
        waiting_jobs(name, queue=queue)
        for name, queue in (("a", "root.p.x"), ("b", "root.p.y"), ("c", "root.r"))
    ]
    result = scenario([node(32)], jobs, queues)
    assert at_0(result, "fair+am-share") == {"a": 2, "b": 6, "c": 8}
    shares = {
        one.candidates[0].split("-")[0]: one.facts["share_memory"]
        for one in decisions(result, "fair+am-share", ADMISSION_AT)
        if one.at == 0
    }
    assert shares == {"a": 4, "b": 12, "c": 16}


@pytest.mark.parametrize("order", ["capacity", "priority-capacity"])
def test_under_capacity_it_is_the_guarantee_whether_others_are_active_or_not(order):
    """q guarantees 25 % of 16 MB, limit .5: 2, though it is alone."""
    queues = [{"name": "root.q", "capacity_pct": 25.0, "weight": 3.0}, {"name": "root.r"}]
    assert at_0(scenario([node(16)], [waiting_jobs("a", queue="root.q")], queues), f"{order}+am-share") == {
        "a": 2
    }


@pytest.mark.parametrize(
    "order", ["fifo", "saf", "ffd-dp", "haste", "haste-a", "fresh", "weighted", "priority-fifo"]
)
def test_orders_that_know_no_queues_have_one(order):
    """All masters together: 8 of 16 MB."""
    both = scenario(
        [node(16)], [waiting_jobs("a", queue="root.q"), waiting_jobs("b", queue="root.r")], QUEUES
    )
    assert sum(at_0(both, f"{order}+am-share").values()) == 8


def test_a_share_grows_when_the_other_queue_is_over():
    """q and r share until b, in r, is over at 6 s: then q's four masters of half of 8 MB may be 8 x .5 = 4
    instead of 2.
    """
    jobs = [waiting_jobs("a", queue="root.q"), job("b", tasks(1, 6.0), queue="root.r")]
    result = scenario([node(8)], jobs, [{"name": "root.q"}, {"name": "root.r"}])
    starts = [c.start for c in of(result_of(simulate(result, "fair(update_ms=0)+am-share")), "am")][:4]
    assert starts == [0, 0, 6000, 6000]


def test_what_is_tested_is_what_masters_hold_there():
    """Nothing is set aside: before the three that are placed 0, 1 and 2 MB are held; 3 + 1 > ceil(.5 x 6) for
    the rest.
    """
    rows = [
        one
        for one in decisions(scenario([node(6)], [waiting_jobs()]), "fifo+am-share", ADMISSION_AT)
        if one.at == 0
    ]
    admitted = {one.facts["masters_memory"] for one in rows if one.answer == 0}
    held = {one.facts["masters_memory"] for one in rows if one.answer != 0}
    assert (admitted, held) == ({0, 1, 2}, {3})
