"""Which attempts are speculative."""

from __future__ import annotations

from engine.analysis.speculative_attempts import speculative, speculative_tasks
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.handmade_runs import container, run, scenario, stage


def test_an_attempt_beside_another_of_its_task_is_speculative():
    of = scenario([(9, 9)], [{"maps": stage(2, 1, 1), "reduces": stage(1, 1, 1)}])
    beside = [
        container(0, "map", 0, 0, 900, index=1),
        container(0, "map", 0, 500, 900, index=1, attempt=2, killed=True),
    ]
    after = [container(0, "map", 0, 0, 300, outcome="failed"), container(0, "map", 0, 300, 900, attempt=2)]
    third = [
        container(0, "reduce", 0, 0, 100, killed=True),
        container(0, "reduce", 0, 200, 900, attempt=2, fetched=900),
    ]
    made = run(
        of,
        [
            *beside,
            *after,
            *third,
            container(0, "reduce", 0, 950, 960, attempt=3),
            container(0, "reduce", 0, 955, 960, attempt=4),
        ],
    )
    c = made.containers
    assert [(int(c.start[one]), int(c.attempt[one])) for one in speculative(made).nonzero()[0]] == [
        (500, 2),
        (955, 4),
    ]


def test_a_second_attempt_in_a_slot_is_speculative():
    """The first executor stands on a slow node; the second attempts of its two tasks begin on the other."""
    size = {"memory_mb": 1, "vcores": 1}
    job = {
        "framework": "spark",
        "am": size,
        "executors": {**size, "memory_overhead_mb": 0, "slots": 2, "speculation": {"quantile": 0.5}},
        "stages": [{"tasks": 4, "duration_s": 1.0}],
    }
    nodes = [
        {"count": 1, "memory_mb": 2, "vcores": 9},
        {"count": 1, "memory_mb": 1, "vcores": 9, "speed": 0.1},
    ]
    found = simulate(
        Scenario.of({"version": 1, "cluster": {"nodes": nodes}, "jobs": [job]}), "fifo", plain=True
    )
    assert found.tasks is not None
    assert speculative_tasks(found).tolist() == [attempt == 2 for attempt in found.tasks.attempt]
    assert speculative_tasks(found).sum() == 2
