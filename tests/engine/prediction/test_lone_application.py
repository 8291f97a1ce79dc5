"""Spark applications simulated each alone, with their executors as they came."""

from __future__ import annotations

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


def test_of_one_that_did_not_end_nothing_is_said() -> None:
    log = plain_log()
    del log.lines[-1]
    assert lone_finishes(evidence(measured_run(log.imported.scenario)), CancelToken()) == {}
