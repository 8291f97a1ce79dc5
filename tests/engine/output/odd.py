"""A run with what seldom stands in a result."""

from __future__ import annotations

from engine.simulation.run import Run
from tests.handmade_runs import container, run, scenario, stage

ODD = ' 100 %s, "b"\n\\ é 日\u2028'


def odd_run() -> Run:
    of = scenario([(4, 4)], [{"name": ODD, "maps": stage(2, 1, 1), "reduces": stage(1, 1, 1)}])
    return run(
        of,
        [
            container(0, "map", 0, 0, 1),
            container(0, "map", 0, 5, 1234, index=1),
            container(0, "reduce", 0, 7, None, requested=1, attempt=2),
        ],
    )
