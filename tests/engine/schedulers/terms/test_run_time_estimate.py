"""The run-time estimator where a job does not say (dynamic-priority §4; RUNTIME-1, RUNTIME-2, both forms
ours), worked by hand.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.schedulers.terms.run_time_estimate import (
    RUN_TIME_MEMORY,
    cached_containers_at_once,
    containers_at_once,
    list_newest,
)
from engine.schedulers.view import MAP, MASTER, REDUCE
from tests.engine.schedulers.decisions import decisions
from tests.small_scenarios import job, master, node, scenario, tasks


def estimates(found, **parameters):
    """Estimated run time in s of each job, as it stood in the last decision about it."""
    given = f"({', '.join(f'{key}={value}' for key, value in parameters.items())})" if parameters else ""
    return {
        name.split()[0]: terms["run_time"] / 1000
        for one in decisions(found, f"priority-fifo{given}")
        for name, terms in one.terms.items()
    }


def alone(maps, reduces=None, nodes=None, **more):
    """The estimate of one job on 2 nodes of (4 MB, 4 vcores) and (2 MB, 8 vcores)."""
    cluster = {key: more.pop(key) for key in ("shuffle_mb_s",) if key in more}
    return estimates(
        scenario(nodes or [node(4, 4), node(2, 8)], [job("a", maps, reduces, **more)], **cluster)
    )["a"]


def test_a_first_run_is_the_sum_of_its_phases():
    """Maps of 2 MB, 1 vcore: min(2, 4) + min(1, 8) = 3 at once, 7 maps are 3 waves of 2 s; reduces of 1 MB, 2
    vcores: min(4, 2) + min(2, 4) = 4 at once, 5 reduces are 2 waves of 3 s; a reduce fetches 10 MB / 5 at 20
    MB/s = .1 s from each of 7 maps. .5 + 2 (6 + .7 + 6) = 25.9 s."""
    maps, reduces = tasks(7, 2.0, memory=2), tasks(5, 3.0, vcores=2)
    given = {"am": master(0.5), "iterations": 2, "shuffle_mb_per_map": 10, "shuffle_mb_s": 20}
    assert alone(maps, reduces, **given) == pytest.approx(25.9)
    assert alone(maps, None, iterations=2) == 12.0  # 2 x 3 waves of 2 s, no start-up and no shuffle
    assert alone(tasks(3, 2.0, memory=2), None) == 2.0
    assert alone(tasks(4, 2.0, memory=2), None) == 4.0


@pytest.mark.parametrize(
    ("memory", "vcores", "expected"), [(2, 1, 3), (1, 2, 4), (4, 4, 1), (4, 8, 1), (3, 1, 1)]
)
def test_how_many_the_empty_cluster_holds(memory, vcores, expected):
    """Node by node the smaller of the two quotients; what fits none (4 MB, 8 vcores) counts as one at a
    time.
    """
    view = SimpleNamespace(node_memory=[4, 2], node_vcores=[4, 8])
    assert containers_at_once(view, memory, vcores) == expected


def kept() -> dict[str, np.ndarray]:
    return {one.name: np.zeros(one.size, np.int64) for one in RUN_TIME_MEMORY}


def test_what_the_empty_cluster_holds_is_of_the_size_asked_for():
    """Two jobs of 1 and 2 MB on one node of 8 MB, asked by turns, maps (the third request of a job) beside
    reduces (the second).
    """
    view = SimpleNamespace(
        node_memory=[8],
        node_vcores=[8],
        request_kind=[MASTER, REDUCE, MAP] * 2,
        request_memory=[1, 4, 1, 1, 8, 2],
        request_vcores=[1] * 6,
        **kept(),
    )
    assert [cached_containers_at_once(view, request) for request in (2, 5, 2, 1, 4, 2, 1)] == [
        8,
        4,
        8,
        2,
        1,
        8,
        2,
    ]


def test_of_runs_that_finished_together_the_later_in_job_order_is_newer():
    """Eight runs of one family; the second has not finished and the last finished after the job arrived."""
    finish = [5, -1, 9, 9, 5, 9, 7, 11, -1]
    times = {"job_arrival": [10] * 9, "job_start": [0] * 9, "job_finish": finish}
    view = SimpleNamespace(job_family=[0] * 9, **times, **kept())
    assert list_newest(view, 8) == 5 and view.newest_runs.tolist() == [5, 3, 2, 6, 4]
    assert list_newest(view, 1) == 1 and view.newest_runs[0] == 0


@pytest.mark.parametrize(
    ("duration", "mean"),
    [
        (3.0, 3.0),
        ([1.0, 2.0, 6.0], 3.0),
        ({"dist": "normal", "mean": 4, "sd": 1}, 4.0),
        ({"dist": "lognormal", "mean": 4, "sd": 3}, 4.0),
        ({"dist": "uniform", "low": 1, "high": 4}, 2.5),
        ({"dist": "exponential", "mean": 5}, 5.0),
    ],
)
def test_a_duration_counts_by_the_mean_of_its_distribution(duration, mean):
    assert alone(tasks(3, duration), None, nodes=[node(9)]) == mean


def test_what_is_given_stands_before_everything():
    given = scenario(
        [node(9)],
        [
            job("a-1", tasks(1, 2.0)),
            job("a-2", tasks(1, 2.0), arrival_s=5, estimate_s=77),
            job("b", tasks(1, 2.0), estimate_s=0),
        ],
    )
    assert estimates(given) == {"a-1": 2.0, "a-2": 77.0, "b": 0.001}  # at least 1 ms


def chain(runs, last, names="wc-{}"):
    """Jobs one after another, each of one map: (input_mb, seconds) each, then the last, which arrives when
    they are over.
    """
    listed, at = [], 0.0
    for number, (size, seconds) in enumerate([*runs, last], start=1):
        listed.append(
            job(
                names.format(number),
                tasks(1, float(seconds)),
                arrival_s=at,
                **({} if size is None else {"input_mb": size}),
            )
        )
        at += seconds
    return scenario([node(9)], listed)


def last_of(found, **parameters):
    return list(estimates(found, **parameters).values())[-1]


def test_earlier_runs_are_scaled_by_input_and_weighted_by_likeness():
    """D = 150. Run of 100 MB, 10 s: w = 1 / (1 + 50/150) = .75, scaled 10 x 150/100 = 15 s. Run of 300 MB, 20
    s: w = 1 / (1 + 1) = .5, scaled 10 s. (.75 x 15 + .5 x 10) / 1.25 = 13 s."""
    assert last_of(chain([(100, 10), (300, 20)], (150, 1))) == pytest.approx(13.0)
    assert last_of(chain([(100, 10)], (150, 1))) == pytest.approx(15.0)


def test_without_an_input_it_is_a_split_a_map():
    """One map of 128 MB each: the same input, so the time of the earlier run; split_mb = 50 makes the one of
    100 MB twice as large: 10 x 50/100 = 5 s.
    """
    assert last_of(chain([(None, 10)], (None, 1))) == 10.0
    assert last_of(chain([(100, 10)], (None, 1)), split_mb=50) == pytest.approx(5.0)


def test_only_the_newest_five_count():
    """Six runs of one size, the first 1000 s: without it (1 + 2 + 3 + 4 + 5) / 5 = 3 s."""
    assert last_of(
        chain([(10, 1000), (10, 1), (10, 2), (10, 3), (10, 4), (10, 5)], (10, 9))
    ) == pytest.approx(3.0)
    assert last_of(chain([(10, 1000), (10, 2), (10, 3), (10, 4), (10, 5)], (10, 9))) == pytest.approx(
        1014 / 5
    )


@pytest.mark.parametrize(
    ("earlier", "name", "same"),
    [
        ("wc-1", "wc-2", True),
        ("wc", "wc12", True),
        ("wc_7", "wc", True),
        ("a-1-1", "a-1-2", True),
        ("a-1-1", "a-2-2", False),  # one number is taken off: a-1 and a-2
        ("wc", "wcx", False),
        ("wc--1", "wc-1", False),
        ("wc1x", "wc2x", False),
        ("12", "13", False),  # a name that is a number alone stays
    ],
)
def test_runs_of_one_name_but_for_a_number_at_its_end_are_runs_of_one_job(earlier, name, same):
    """The earlier one took 7 s; a first run would be 3 s."""
    result = scenario([node(9)], [job(earlier, tasks(1, 7.0)), job(name, tasks(1, 3.0), arrival_s=7)])
    assert estimates(result)[name] == (7.0 if same else 3.0)


def test_copies_are_runs_of_one_job():
    result = scenario([node(9)], [job("a", tasks(2, [7.0, 2.0]), count=2, interval_s=7)])
    assert estimates(result) == {"a-1": 4.5, "a-2": 7.0}


def test_a_run_counts_only_if_it_had_finished_when_the_job_arrived():
    """a-1 runs from 0 to 10 s: an arrival at 10 knows it, one at 9.9 does not, though its estimate is asked
    at 10.
    """
    for arrival, expected in ((10, 10.0), (9.9, 3.0)):
        result = scenario(
            [node(1)], [job("a-1", tasks(1, 10.0)), job("a-2", tasks(1, 3.0), arrival_s=arrival)]
        )
        assert estimates(result)["a-2"] == expected


def test_a_run_s_time_is_from_its_first_container_to_its_finish_without_its_wait():
    """b waits 10 s for a's map and then runs 4 s: 4."""
    result = scenario(
        [node(1)],
        [job("a", tasks(1, 10.0)), job("b-1", tasks(1, 4.0)), job("b-2", tasks(1, 1.0), arrival_s=20)],
    )
    assert estimates(result)["b-2"] == 4.0


@given(
    st.lists(st.tuples(st.integers(1, 400), st.integers(1, 60)), min_size=1, max_size=7), st.integers(1, 400)
)
def test_history_by_the_formula(runs, size):
    """sum w T (D / D_h) / sum w over the newest five."""
    weights = [1 / (1 + abs(size - other) / size) for other, _ in runs[-5:]]
    times = [seconds * size / other for other, seconds in runs[-5:]]
    expected = sum(w * t for w, t in zip(weights, times)) / sum(weights)
    assert last_of(chain(runs, (size, 1))) == pytest.approx(max(expected, 0.001))
