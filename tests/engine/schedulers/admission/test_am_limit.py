"""AM limit (Hadoop's maximum-am-resource-percent), worked by hand: of the queue, of its users, the first
master, when it is looked at.
"""

from __future__ import annotations

from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.admission.masters import at_0, waiting_jobs
from tests.small_scenarios import job, master, node, of, scenario, tasks


def test_a_queue_may_give_masters_a_part_of_its_limit():
    """q guarantees 25 % of 16 MB and may have all of it: of 16 MB, 20 % are 3.2, rounded up 4 under
    DominantResourceCalculator, 3 by memory alone.
    """
    queues = [
        {"name": "root.q", "capacity_pct": 25.0, "user_limit_factor": 10.0},
        {"name": "root.r", "capacity_pct": 75.0},
        {"name": "root.default", "capacity_pct": 0.0},
    ]
    result = scenario([node(16)], [waiting_jobs("a", queue="root.q")], queues)
    assert at_0(result, "capacity(user_limits=no)+am-limit(limit=0.2)") == {"a": 4}
    assert at_0(result, "capacity(resources=memory, user_limits=no)+am-limit(limit=0.2)") == {"a": 3}


def test_the_masters_of_a_user_have_a_part_of_the_guarantee():
    """With a factor of 1 it is 25 % of 16 MB: a fifth of 4 MB, rounded up 1."""
    queues = [
        {"name": "root.q", "capacity_pct": 25.0},
        {"name": "root.r", "capacity_pct": 75.0},
        {"name": "root.default", "capacity_pct": 0.0},
    ]
    result = scenario([node(16)], [waiting_jobs("a", queue="root.q")], queues)
    assert at_0(result, "capacity(user_limits=no)+am-limit(limit=0.2)") == {"a": 1}


def test_the_first_master_always_starts():
    assert at_0(scenario([node(10)], [waiting_jobs(memory=6)]), "capacity+am-limit(limit=0.1)") == {"j": 1}


def test_who_exceeds_it_is_passed_over_until_a_job_of_the_queue_leaves():
    """3 MB may be held: a 2, b 2 not, c 1. At 16 s all of a has ended: b."""
    jobs = [
        job(name, tasks(1, 6.0), am=master(10.0, memory)) for name, memory in (("a", 2), ("b", 2), ("c", 1))
    ]
    starts = {
        c.job: c.start
        for c in of(result_of(simulate(scenario([node(10)], jobs), "capacity+am-limit(limit=0.29)")), "am")
    }
    assert starts == {"a": 0, "b": 16_000, "c": 0}
