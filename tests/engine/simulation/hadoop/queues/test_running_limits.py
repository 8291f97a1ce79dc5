"""Jobs wait until fewer of their queues and of their user run than may: when, which of them, and what is said
of it. All by hand.
"""

from __future__ import annotations

import pytest

from engine.explanation.explain import explain
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.phrases import phrase
from tests.small_scenarios import job, master, node, tasks

ORDERS = ("fair(update_ms=0)", "drf(update_ms=0)", "capacity")


def starts(run: Run) -> dict[str, float]:
    """When each job's first container started, in s."""
    return {name: start / 1000 for name, start in zip(run.workload.job_names, run.jobs.start.tolist())}


def batch(
    jobs: list[dict], queues: list[dict] | None = None, users: list[dict] | None = None, **cluster
) -> Scenario:
    """One node with room for all, which beats every second."""
    cluster_fields = {
        "nodes": [node(1000)],
        "heartbeat_ms": 1000,
        "containers_per_heartbeat": None,
        **cluster,
    }
    return Scenario.of(
        {"version": 1, "cluster": cluster_fields, "queues": queues or [], "users": users or [], "jobs": jobs}
    )


@pytest.mark.parametrize("order", ORDERS)
def test_the_next_job_runs_from_the_beat_after_the_one_that_saw_the_last_end(order):
    """a's task runs from 0 to 1.5 and is seen to have ended at 2; b may run at the end of that beat, which is
    over, and starts at 3.
    """
    case = batch(
        [job("a", tasks(1, 1.5)), job("b", tasks(1, 1.5))], [{"name": "root.default", "max_running_apps": 1}]
    )
    assert starts(simulate(case, f"{order}+slowstart+admit-all")) == {"a": 0, "b": 3}
    assert starts(simulate(case, "fifo+slowstart+admit-all")) == {"a": 0, "b": 0}


@pytest.mark.parametrize("order", ORDERS)
def test_a_later_job_of_another_queue_or_user_does_not_wait_behind_one_that_does(order):
    """Root may have 2: x and, as x's queue is full and y has x's user, z."""
    limits = [
        {"name": "root", "max_running_apps": 2},
        {"name": "root.p.a", "max_running_apps": 1},
        {"name": "root.b"},
    ]
    users = [{"name": "ann", "max_running_apps": 1}]
    jobs = [
        job("x", tasks(1, 1.5), queue="root.p.a", user="ann"),
        job("w", tasks(1, 1.5), queue="root.p.a", user="bob"),
        job("y", tasks(1, 1.5), queue="root.b", user="ann"),
        job("z", tasks(1, 4.5), queue="root.b", user="cho"),
    ]
    case = batch(jobs, limits, users)
    assert starts(simulate(case, f"{order}+slowstart+admit-all")) == {"x": 0, "w": 3, "y": 6, "z": 0}


def test_a_user_of_the_list_has_their_own_limit_and_all_others_the_cluster_s():
    jobs = [job(name + user, tasks(1, 1.5), user=user) for user in ("ann", "bob") for name in "xyz"]
    case = batch(jobs, users=[{"name": "ann", "max_running_apps": 2}], user_max_running_apps=1)
    run = simulate(case, "drf(update_ms=0)+slowstart+admit-all")
    assert starts(run) == {"xann": 0, "yann": 0, "zann": 3, "xbob": 0, "ybob": 3, "zbob": 6}


@pytest.mark.parametrize("order", ORDERS)
def test_a_master_that_waited_for_that_says_so(order):
    """a: its master at 0, its map from 1 to 2.5, both seen to have ended at 3."""
    case = batch(
        [job("a", tasks(1, 1.5), am=master()), job("b", tasks(1, 1.5), am=master(), user="bob")],
        [{"name": "root", "max_running_apps": 1}],
    )
    for text in (f"{order}+slowstart+admit-all", f"{order}+slowstart"):
        run = simulate(case, text)
        reasons = {name: explain(run, parse(text), f"{name}/1/am/0")["admitted"] for name in "ab"}
        assert "allowed to run" not in str(reasons["a"])
        waited = phrase("simulation.job_could_run_from_s", "0:03")
        assert reasons["b"]["because"].endswith(waited)
        assert (reasons["b"]["rule"] == "max_running_apps") == text.endswith("admit-all")


@pytest.mark.parametrize("order", ORDERS)
def test_a_deadlock_tells_who_may_not_run(order):
    jobs = [job("a", tasks(1)), job("b", tasks(1))]
    none = simulate(
        batch(jobs, [{"name": "root.default", "max_running_apps": 0}]), f"{order}+slowstart+admit-all"
    )
    assert none.because == phrase("simulation.map_map_b_wait_for", 1, 1, "0 jobs", 0)
    large = [job("a", tasks(1, memory=600), am=master(memory=600)), job("b", tasks(1)), job("c", tasks(1))]
    one = simulate(batch(large, [{"name": "root", "max_running_apps": 1}]), f"{order}+slowstart+admit-all")
    assert one.because == (
        phrase(
            "simulation.map_map_b_map_c",
            1,
            1,
            1,
            "600 MB",
            "1 vcore",
            "400 MB",
            99,
            1,
            "600 MB",
            "1 vcore",
            "1,000 MB",
            100,
        )
    )


def test_half_of_what_a_node_has_free_is_given_on_a_beat():
    """11 MB are free: 1, 2, ... up to 6 are given, for 5 are not more than half; then 5, 3 of them, for 2 are
    not more than half; then 2: 2.
    """
    case = Scenario.of(
        {
            "version": 1,
            "cluster": {"nodes": [node(11)], "heartbeat_ms": 1000},
            "jobs": [job("a", tasks(11, 100.0))],
        }
    )
    run = simulate(case, "fair(update_ms=0, dynamic_max_assign=yes)+slowstart+admit-all")
    given = run.containers.start.tolist()
    assert [given.count(at) for at in (0, 1000, 2000, 3000)] == [6, 3, 2, 0]
