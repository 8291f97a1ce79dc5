"""A deadlock is found, and told with who holds what."""

from __future__ import annotations

import pytest

from engine.simulation.simulate import simulate
from tests.phrases import phrase
from tests.small_scenarios import job, master, node, scenario, tasks


def test_masters_that_fill_the_cluster_are_named():
    """Two nodes of 2 vcores, four masters of 1: every vcore is a master's and no map fits (autoadmin
    §2.2).
    """
    case = scenario([node(8, 2), node(8, 2)], [job(name, tasks(2), am=master()) for name in "abcd"])
    run = simulate(case, "fair+admit-all")
    assert run.status == "deadlock" and run.at_ms == 0
    assert run.because == (
        phrase(
            "simulation.maps_maps_b_maps_c",
            2,
            2,
            2,
            1,
            "1 MB",
            "1 vcore",
            "6 MB",
            0,
            4,
            1,
            "4 MB",
            4,
            "16 MB",
            4,
        )
    )


def test_a_limit_that_refuses_for_ever_is_named_as_such():
    case = scenario(
        [node(8, 8)],
        [job("a", tasks(1, memory=4), queue="root.q")],
        queues=[{"name": "root.q", "max_share": {"memory_mb": 3, "vcores": 9}}],
    )
    run = simulate(case, "fair+admit-all")
    assert run.because == phrase("simulation.map_wait_for_ever_resources", 1, "3 MB", "0 MB", "4 MB")
    assert simulate(case, "fifo").status == "finished"


@pytest.mark.parametrize("order", ["fifo", "fair", "drf", "capacity"])
def test_memory_and_vcores_on_different_nodes_stick_unless_memory_alone_must_fit(order):
    case = scenario([node(8, 1), node(1, 8)], [job("a", tasks(1, memory=8, vcores=8))])
    assert simulate(case, order).status == "deadlock"
    assert simulate(case, f"{order}(resources=memory)").status == "finished"
