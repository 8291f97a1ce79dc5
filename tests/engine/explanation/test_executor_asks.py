"""Why an executor was asked for."""

from __future__ import annotations

from engine.explanation.executor_asks import executor_asked
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.phrases import phrase

SIZE = {"memory_mb": 1, "vcores": 1}


def because(executors: dict, executor: int) -> str:
    """Of an executor of six tasks' application whose driver starts up at once."""
    scenario = Scenario.of(
        {
            "version": 1,
            "cluster": {"nodes": [{"count": 1, "memory_mb": 9, "vcores": 9}], "heartbeat_ms": 0},
            "jobs": [
                {
                    "framework": "spark",
                    "am": {**SIZE, "heartbeat_s": 0},
                    "executors": {**SIZE, "memory_overhead_mb": 0, **executors},
                    "stages": [{"tasks": 6, "duration_s": 9}],
                }
            ],
        }
    )
    run = simulate(scenario, "fifo", plain=True)
    asked = executor_asked(run, executor + 1)
    assert asked is not None and asked["at_s"] == run.containers.requested[executor + 1] / 1000
    return asked["because"]


def test_a_fixed_number_is_wanted_from_the_start():
    assert because({"count": 2}, 0) == phrase("engine.wanted_from_the_start")


def test_tasks_that_wait_raise_what_the_driver_wants():
    # SPARK-5: one at 0.1 s, two more at 1.1 s, and three more at 2.1 s, when three tasks ran
    assert because({"dynamic": {}}, 0) == phrase("engine.wanted_first_of_all")
    assert because({"dynamic": {}}, 5) == phrase("engine.wanted_for_three_waiting_tasks")
