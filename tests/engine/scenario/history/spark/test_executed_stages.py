from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.scenario.history.spark import executed_stages as module
from engine.scenario.history.spark.executed_stages import counted_tasks, executed_stages
from tests.engine.scenario.history.spark.event_logs import (
    ZERO,
    EventLog,
    plain_log,
    retried_log,
    stage_info,
)

Dag = dict[tuple[int, int, int], list[tuple[int, int, int]]]
GAP = -1


def dag(log: EventLog, ready: int = 5000, limit: int = 1000) -> Dag:
    return {stage.key: stage.after for stage in executed_stages(log.record, ZERO + ready, limit)}


def one_job(log: EventLog, id: int, begin: int, ends: Sequence[int], **properties: str) -> None:
    """A job of one stage, whose id is the job's."""
    log.job(id, begin, [stage_info(id)], {"spark.sql.execution.id": "7"} if properties else None)
    log.stage(stage_info(id), begin, [end - begin for end in ends])
    log.job_end(id, max(ends))


def test_stages_come_after_their_parents_and_jobs_after_those_before() -> None:
    log = plain_log()
    assert dag(log) == {
        (0, 0, 0): [],
        (0, 1, 0): [],
        (0, 2, 0): [(0, 0, 0), (0, 1, 0)],
        (1, GAP, 0): [(0, 2, 0)],
        (1, 4, 0): [(0, 2, 0), (1, GAP, 0)],
        (2, GAP, 0): [(1, 4, 0)],
    }
    gaps = {stage.key: stage.gap_ms for stage in executed_stages(log.record, ZERO + 5000, 1000)}
    assert (gaps[1, GAP, 0], gaps[2, GAP, 0], gaps[1, 4, 0]) == (2000, 300, 0)


def test_the_driver_before_the_first_job() -> None:
    stages = executed_stages(plain_log().record, ZERO + 3200, 1000)
    assert (stages[0].key, stages[0].gap_ms, stages[1].after) == ((0, GAP, 0), 1800, [(0, GAP, 0)])


@pytest.mark.parametrize(
    ("registered", "removed", "busy_until", "gap"),
    [
        (100, None, 0, 2500),
        (100, 4000, 0, 2500),
        (100, 2000, 0, 1000),
        (1200, None, 0, 1000),
        (100, None, 1500, 1000),
    ],
)
def test_the_driver_works_until_the_first_task_where_an_executor_has_nothing_to_run(
    registered: int, removed: int | None, busy_until: int, gap: int
) -> None:
    """The stage is submitted at 1 s, and its first task begins at 2.5 s."""
    log = EventLog()
    log.executor("1", registered)
    if removed is not None:
        log.removed("1", removed, "idle")
    if busy_until:
        log.job(1, 200, [stage_info(1)])
        log.stage(stage_info(1), 200, [busy_until - 200])
    log.job(0, 1000, [stage_info(0)])
    log.attempt(stage_info(0), 0, 1000, 3000)
    log.task(0, 0, 2500, 3000)
    (driver,) = [stage for stage in executed_stages(log.record, ZERO, 99) if stage.key == (0, GAP, 0)]
    assert driver.gap_ms == gap


def test_jobs_at_once_come_after_none_of_each_other() -> None:
    log = EventLog()
    one_job(log, 0, 0, [1000])
    one_job(log, 1, 500, [2000])
    one_job(log, 2, 1000, [1500])
    one_job(log, 3, 2010, [3000])
    assert dag(log, 0) == {
        (0, 0, 0): [],
        (1, GAP, 0): [],
        (1, 1, 0): [(1, GAP, 0)],
        (2, 2, 0): [(0, 0, 0)],
        (3, 3, 0): [(1, 1, 0), (2, 2, 0)],
    }


def test_jobs_of_a_query_come_after_those_of_the_query_alone() -> None:
    log = EventLog()
    one_job(log, 0, 0, [1000], query="7")
    one_job(log, 1, 0, [1200])
    one_job(log, 2, 1300, [2000], query="7")
    assert dag(log, 0)[2, GAP, 0] == [(0, 0, 0)]


def test_an_adaptive_plan_as_it_ran() -> None:
    log = EventLog()
    query = {"spark.sql.execution.id": "7"}
    for id in (0, 1):
        log.job(id, 0, [stage_info(id)], query)
        log.stage(stage_info(id), 0, [1000 + 500 * id])
        log.job_end(id, 1000 + 500 * id)
    skipped = [stage_info(2, rdd=100), stage_info(3, rdd=101)]
    log.job(2, 1520, [*skipped, stage_info(4, [2, 3])], query)
    log.stage(stage_info(4, [2, 3]), 1520, [100])
    log.job_end(2, 1620)
    assert dag(log, 0)[2, 4, 0] == [(0, 0, 0), (1, 1, 0)]


def test_a_skipped_stage_is_not_one_whose_results_went_to_the_driver() -> None:
    """Job 1 collects what job 0 wrote for a shuffle, and job 2 reads that."""
    log = EventLog()
    for id, task_type in enumerate(("ShuffleMapTask", "ResultTask")):
        log.job(id, 1000 * id, [stage_info(id, rdd=100)])
        log.stage(stage_info(id, rdd=100), 1000 * id, [1000], task_type=task_type)
        log.job_end(id, 1000 + 1000 * id)
    log.job(2, 2010, [stage_info(2, rdd=100), stage_info(3, [2])])
    log.stage(stage_info(3, [2]), 2010, [500])
    stages = executed_stages(log.record, ZERO, 99)
    assert [stage.is_result for stage in stages] == [False, True, False]
    assert stages[2].after == [(0, 0, 0), (1, 1, 0)]


def test_a_stage_that_is_tried_again_comes_after_what_failed() -> None:
    log = EventLog()
    infos = [stage_info(0), stage_info(1, [0])]
    log.job(0, 0, infos)
    log.stage(infos[0], 0, [1000])
    log.stage(infos[1], 1000, [200], failure="FetchFailed")
    log.stage(infos[0], 1300, [400], attempt=1)
    log.stage(infos[1], 1700, [500], attempt=1)
    log.job_end(0, 2200)
    assert dag(log, 0) == {
        (0, 0, 0): [],
        (0, 1, 0): [(0, 0, 0)],
        (0, 0, 1): [(0, 0, 0), (0, 1, 0)],
        (0, 1, 1): [(0, 0, 1), (0, 1, 0)],
    }


@pytest.mark.parametrize("names_partitions", [True, False])
def test_what_ran_again_after_a_loss_stands_once_as_it_ran_last(names_partitions: bool) -> None:
    log = retried_log(names_partitions)
    assert dag(log) == {(0, 0, 0): [], (0, 1, 0): [(0, 0, 0)]}
    first, second = executed_stages(log.record, ZERO + 5000, 1000)
    assert [task.finish_ms - task.launch_ms for task in first.tasks] == [2000, 1000, 2000, 1000]
    assert [task.finish_ms - task.launch_ms for task in second.tasks] == [2000, 2000]
    assert (second.end_ms - ZERO, [*first.attempts]) == (11_500, [0, 1])


def test_a_log_without_times_of_stages_has_those_of_tasks() -> None:
    log = EventLog()
    log.job(0, 0, [stage_info(0), stage_info(1, [0])])
    log.task(0, 0, 0, 400)
    log.task(1, 0, 410, 900)
    (first, second) = executed_stages(log.record, ZERO, 1000)
    assert (first.begin_ms, first.end_ms, second.after) == (ZERO, ZERO + 400, [first.key])


def test_of_each_task_the_attempt_that_finished_counts() -> None:
    log = EventLog()
    log.task(0, 1, 0, 90, {"Reason": "ExceptionFailure"})
    log.task(0, 1, 100, 150)
    log.task(0, 0, 0, 50, {"Reason": "TaskKilled"})
    log.task(0, 0, 60, 80, {"Reason": "TaskKilled"})
    counted = counted_tasks(log.record.tasks.values())
    assert [(task.index, task.launch_ms - ZERO) for task in counted] == [(0, 0), (1, 100)]


@pytest.mark.parametrize(("limit", "gaps"), [(20, 9), (19, 9), (18, 5), (15, 5), (14, 0), (10, 0)])
def test_more_stages_than_a_scenario_holds_leave_out_short_gaps(limit: int, gaps: int) -> None:
    log = EventLog()
    at = 0
    for id in range(10):
        one_job(log, id, at, [at + 10])
        at += 10 + (60 if id % 2 else 600)
    assert sum(stage.gap_ms > 0 for stage in executed_stages(log.record, ZERO, limit)) == gaps


def test_beyond_the_limit_the_first_stages_are_kept() -> None:
    log = EventLog()
    for id in range(6):
        one_job(log, id, 100 * id, [100 * id + 90])
    log.end(5000)
    assert [*dag(log, 0, 4)] == [(id, id, 0) for id in range(4)]
    assert module.MIN_GAPS_MS[0] > 10
