"""Which attempts are speculative."""

from __future__ import annotations

from engine.analysis.speculative_attempts import speculative
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
