"""What came of a study: batches in any order, runs that are not made twice, and the table."""

from __future__ import annotations

import numpy as np

from engine.codes import RunState
from engine.studies.batches import run_batch
from engine.studies.result import StudyResult
from engine.studies.study import Study, Vary
from engine.version import VERSION
from tests.engine.studies.made_results import PLAIN, SLOW, made

STUDY = Study(
    PLAIN,
    ("saf(entropy=renyi)", "fifo"),
    (Vary("schedulers[0].saf.alpha", (1.5, 3)), Vary(SLOW, (0.1, 0.9))),
    seeds=3,
    jitter=0.3,
)


def filled(order: list[range]) -> StudyResult:
    result = StudyResult.empty(STUDY)
    for units in order:
        result.add_batch(run_batch(STUDY, units))
    return result


def test_batches_in_any_order_make_the_same():
    one, other = filled([range(12)]), filled([range(7, 12), range(0, 2), range(2, 7)])
    assert np.array_equal(one.values, other.values, equal_nan=True) and np.array_equal(one.state, other.state)


def test_what_is_not_run_twice_is_filled_in():
    result = filled([range(12)])
    # Of fifo the second alpha's two points are the first one's: 2 schedulers x 4 points x 3 seeds - 2 x 3.
    assert (result.done, STUDY.runs) == (18, 18)
    assert (result.state[2:, 1] == RunState.NOT_RUN).all()
    complete = result.filled()
    assert complete.done == 24
    assert np.array_equal(complete.values[2:, 1], complete.values[:2, 1])


def test_nothing_is_run_yet():
    result = StudyResult.empty(STUDY)
    assert result.done == 0 and np.isnan(result.of("makespan_s")).all()


def test_a_row_a_run():
    frame = made([[[10, 11], [20, 21]], [[30, 31], [40, 41]]]).frame()
    assert list(frame.columns) == [SLOW, "scheduler", "seed", "status", "makespan_s", "engine"]
    assert frame["makespan_s"].tolist() == [10, 11, 20, 21, 30, 31, 40, 41]
    assert frame[SLOW].tolist() == [0.0] * 4 + [0.1] * 4
    assert frame["scheduler"].tolist() == ["fair", "fair", "fifo", "fifo"] * 2
    assert frame["seed"].tolist() == [0, 1] * 4
    assert set(frame["status"]) == {"finished"} and set(frame["engine"]) == {VERSION}


def test_a_refused_point_says_why_and_has_no_numbers():
    # A tenth of a node is none.
    study = Study(PLAIN, ("fair",), (Vary("cluster.nodes[0].vcores", (8, 0.1)),), seeds=2)
    result = StudyResult.empty(study)
    result.add_batch(run_batch(study, range(4)))
    assert result.state.tolist() == [[[RunState.FINISHED] * 2], [[RunState.REFUSED] * 2]]
    assert list(result.because) == [(1, 0)] and result.because[1, 0].startswith("cluster.nodes[0].vcores: ")
    assert (result.missing(0, 0), result.missing(1, 0)) == (0, 2)
    assert result.frame()["status"].tolist() == ["finished"] * 2 + ["refused"] * 2


def test_a_deadlock_has_a_state_and_a_sentence():
    # Its master takes all the room there is: the map waits for ever.
    job = {
        "am": {"memory_mb": 1, "vcores": 1},
        "maps": {"count": 1, "memory_mb": 1, "vcores": 1, "duration_s": 1},
    }
    plain = {"version": 1, "cluster": {"nodes": [{"count": 1, "memory_mb": 1, "vcores": 1}]}, "jobs": [job]}
    study = Study(plain, ("fifo",))
    result = StudyResult.empty(study)
    result.add_batch(run_batch(study, range(1)))
    assert result.state.tolist() == [[[RunState.DEADLOCK]]] and "waits for ever" in result.because[0, 0]
    assert np.isnan(result.of("mean_wait_s")).all(), "what a run that hung has measured counts for nothing"
