"""How full nodes are: by hand, in all parts of a column, and against counting every millisecond."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.metrics import utilization as of_the_cluster
from engine.analysis.node_utilization import RESOURCES, node_utilization
from engine.simulation.simulate import simulate
from tests.examples import examples
from tests.handmade_runs import container, run, scenario, stage
from tests.oracle.naive_shares import utilization
from tests.strategies import named_schedulers, scenarios


def test_columns_hold_what_is_in_them() -> None:
    # 4 columns of 25 ms. 2 of 4 GB from 10 to 90, so 15, 25, 25 and 15 of 25 ms; and 1 of 4 vcores from 30 to
    # 40 of the second node.
    of = scenario([(4, 4), (4, 4)], [{"maps": stage(2, 2, 1)}])
    made = run(
        of,
        [
            container(0, "map", 0, 10, 90),
            container(0, "map", 1, 30, 40, index=1),
            container(0, "map", 1, 99, 100, index=2),
        ],
    )
    result = node_utilization(made, "memory", 4)
    assert result.edges.tolist() == [0, 25, 50, 75, 100]
    assert result.share[0] == pytest.approx([0.5 * 0.6, 0.5, 0.5, 0.5 * 0.6])
    assert node_utilization(made, "vcores", 4).share[1] == pytest.approx([0, 0.25 * 0.4, 0, 0.25 * 0.04])
    # Both nodes as one line: the mean of both.
    both = node_utilization(made, "vcores", 4, np.array([0, 0])).share
    assert both[0] == pytest.approx(node_utilization(made, "vcores", 4).share.mean(axis=0))


def test_no_more_columns_than_milliseconds_and_one_of_a_run_that_takes_no_time() -> None:
    of = scenario([(4, 4)], [{"maps": stage(1, 2, 1)}])
    assert node_utilization(run(of, [container(0, "map", 0, 0, 3)]), "memory", 100).share.tolist() == [
        [0.5, 0.5, 0.5]
    ]
    assert node_utilization(run(of, [], waiting=[(0, "map", 1, 0)]), "memory", 100).share.tolist() == [[0.0]]


def test_what_never_ends_holds_to_the_end_of_the_run() -> None:
    of = scenario([(4, 4)], [{"maps": stage(2, 1, 1)}])
    made = run(of, [container(0, "map", 0, 0, None), container(0, "map", 0, 50, 100, index=1)])
    assert node_utilization(made, "memory", 2).share.tolist() == [[0.25, 0.5]]


@examples(5, 40)
@given(scenarios(), named_schedulers(), st.sampled_from(RESOURCES), st.integers(1, 9))
def test_the_twin_agrees_on_random_runs(of, scheduler, resource, columns) -> None:
    made = simulate(of, scheduler)
    result = node_utilization(made, resource, columns)
    if made.until_ms == made.first_ms:
        return
    for column, (begin, end) in enumerate(zip(result.edges.tolist(), result.edges[1:].tolist())):
        if end - begin <= 20:
            for node in range(len(made.workload.node_names)):
                assert result.share[node, column] == pytest.approx(
                    float(utilization(made, resource, node, begin, end)), rel=1e-6
                )
    complete = node_utilization(made, resource, 1, np.zeros(len(made.workload.node_names), np.int64)).share[
        0, 0
    ]
    assert complete == pytest.approx(of_the_cluster(made)[RESOURCES.index(resource)], rel=1e-6)
