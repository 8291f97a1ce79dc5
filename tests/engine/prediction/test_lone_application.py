"""Spark applications simulated each alone, with their executors as they came."""

from __future__ import annotations

import pytest

from engine.dashboard import CancelToken
from engine.prediction.evidence import evidence
from engine.prediction.lone_application import lone_finishes
from engine.simulation.measured_run import measured_run
from tests.engine.scenario.history.spark.event_logs import ON_YARN, EventLog, lossy_log, plain_log, stage_info


def finish(log: EventLog) -> int:
    (found,) = lone_finishes(evidence(measured_run(log.imported.scenario)), CancelToken()).values()
    return found


def waiting_log(registered: int) -> EventLog:
    """Four tasks of 2 s in two executors of one slot, the second of which comes when it comes."""
    log = EventLog()
    log.begin(ON_YARN | {"spark.scheduler.minRegisteredResourcesRatio": "0.5"})
    log.executor("1", 3000, cores=1)
    log.executor("2", registered, cores=1, host="n2:8042")
    log.job(0, 5000, [stage_info(0)])
    for index in range(4):
        log.task(0, index, 5000 + 2000 * index, 7000 + 2000 * index)
    log.job_end(0, 13_000)
    log.end(13_000)
    return log


def test_tasks_begin_in_the_slots_there_are() -> None:
    assert finish(waiting_log(5000)) == 5000 + 2 * 2000
    assert finish(waiting_log(8000)) == 5000 + 3 * 2000


def test_the_drivers_own_work_stands_between_its_jobs() -> None:
    (end,) = evidence(measured_run(plain_log().imported.scenario)).finish.tolist()
    assert abs(finish(plain_log()) - end) <= 1


def test_a_lost_executors_task_runs_again() -> None:
    assert finish(lossy_log()) == 13_000


def removed_log() -> EventLog:
    """Two executors of one slot, of which the first is idle from 7 s on and removed at 20 s; the second runs
    the two tasks of the second job.
    """
    log = EventLog()
    log.begin(ON_YARN | {"spark.executor.instances": "2"})
    log.executor("1", 3000, cores=1)
    log.executor("2", 3000, cores=1, host="n2:8042")
    log.job(0, 5000, [stage_info(0)])
    for index in range(2):
        log.task(0, index, 5000, 7000, **{"Executor ID": f"{index + 1}"})
    log.job_end(0, 7000)
    log.removed("1", 20_000, "Executor killed by driver.")
    log.job(1, 30_000, [stage_info(1)])
    for index in range(2):
        log.task(1, index, 30_000 + 2000 * index, 32_000 + 2000 * index, **{"Executor ID": "2"})
    log.job_end(1, 34_000)
    log.end(34_000)
    return log


def test_a_removed_executor_gets_no_more_task() -> None:
    assert finish(removed_log()) == 34_000


def test_the_last_executor_stays_though_it_was_removed() -> None:
    log = removed_log()
    log.removed("2", 33_999, "Executor killed by driver.")
    log.lines[-2:] = reversed(log.lines[-2:])
    assert finish(log) == 34_000


def failing_log(succeeds: bool) -> EventLog:
    """A task on one executor that fails after 2 s and after 1 s; its third attempt takes 3 s."""
    log = EventLog()
    log.begin(ON_YARN | {"spark.executor.instances": "1"})
    log.executor("1", 3000, cores=1)
    log.job(0, 5000, [stage_info(0)])
    for attempt, (begin, end) in enumerate(((5000, 7000), (7000, 8000), (8000, 11_000))):
        has_failed = attempt < 2 or not succeeds
        reason = {"Reason": "ExceptionFailure" if has_failed else "Success"}
        log.task(0, 0, begin, end, reason=reason, Attempt=attempt, Failed=has_failed)
    log.job_end(0, 11_000)
    log.end(11_000)
    return log


@pytest.mark.parametrize("succeeds", [True, False])
def test_a_task_takes_as_long_as_all_its_attempts(succeeds: bool) -> None:
    assert finish(failing_log(succeeds)) == 11_000


def test_of_one_that_did_not_end_nothing_is_said() -> None:
    log = plain_log()
    del log.lines[-1]
    assert lone_finishes(evidence(measured_run(log.imported.scenario)), CancelToken()) == {}
