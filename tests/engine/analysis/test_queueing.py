"""How many jobs wait, and how waits are spread: by hand, by Little's law, and counted one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.metrics import wait_ms
from engine.analysis.queueing import distribution, jobs_waiting, time_average
from engine.codes import NONE
from engine.simulation.simulate import simulate
from tests.examples import examples
from tests.handmade_runs import container, run, scenario, stage
from tests.strategies import named_schedulers, scenarios

TASK = {"maps": stage(1, 1, 1)}


def test_jobs_wait_from_their_arrival_to_their_first_container() -> None:
    # Arrivals at 0, 0 and 2 s; the first starts at once and so never counts, the second at 3 s, the third
    # never.
    of = scenario([(1, 1)], [TASK, TASK, {**TASK, "arrival_s": 2}])
    made = run(
        of,
        [container(0, "map", 0, 0, 3000), container(1, "map", 0, 3000, 4000)],
        waiting=[(2, "map", 1, 2000)],
    )
    result = jobs_waiting(made)
    assert result.at.tolist() == [0, 2000, 3000]
    assert result.level.tolist() == [1, 2, 1]
    assert time_average(result, 4000) == (1 * 2000 + 2 * 1000 + 1 * 1000) / 4000
    assert time_average(result, 0) == 1


@examples(5, 40)
@given(scenarios(), named_schedulers())
def test_little_s_law(of, scheduler) -> None:
    """The area below the number that wait is the sum of the waits; who never starts waits to the end of the
    run.
    """
    made = simulate(of, scheduler)
    result = jobs_waiting(made)
    waits = np.where(made.jobs.start == NONE, np.maximum(made.until_ms - made.jobs.arrival, 0), wait_ms(made))
    inside = np.minimum(result.at, made.until_ms)
    assert int(np.diff(np.append(inside, made.until_ms)) @ result.level) == waits.sum()
    for at, level in zip(*result):
        assert (
            level == ((made.jobs.arrival <= at) & ((made.jobs.start > at) | (made.jobs.start == NONE))).sum()
        )


@given(st.lists(st.integers(0, 9) | st.just(NONE), min_size=1, max_size=20))
def test_the_share_of_all_that_is_not_above(values) -> None:
    result = distribution(np.array(values))
    assert result.at.tolist() == sorted({value for value in values if value != NONE})
    assert result.level.tolist() == [
        sum(0 <= value <= at for value in values) / len(values) for at in result.at
    ]
