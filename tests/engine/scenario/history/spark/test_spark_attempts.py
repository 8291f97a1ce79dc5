"""What an event log says of a driver, its executors and their tasks, as the record beside the scenario."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Scenario, simulate
from engine.codes import EXECUTOR, FINISHED, LOST, MASTER, OUTCOMES
from tests.engine.scenario.history.spark.event_logs import (
    ON_YARN,
    EventLog,
    lossy_log,
    plain_log,
    retried_log,
    stage_info,
)
from tests.phrases import phrase


def measured(log: EventLog) -> dict[str, Any]:
    return log.imported.scenario.plain()["measured"]


def test_the_driver_and_the_executors_stand_in_the_record() -> None:
    record = measured(plain_log())
    containers = record["containers"]
    assert containers["kind"] == [MASTER, EXECUTOR, EXECUTOR]
    assert containers["index"] == [0, 0, 1]
    assert containers["node"] == [0, 0, 1]
    assert containers["requested_ms"] == [0, 400, 400]
    assert containers["start_ms"] == containers["begin_ms"] == [0, 3000, 4000]
    assert set(containers["end_ms"]) == {plain_log_end()}
    assert record["jobs"] == {"asked_ms": [400], "finish_ms": [plain_log_end()], "failed": [0]}
    assert record["source"] == phrase("history.one_event_log")


@pytest.mark.parametrize(
    ("properties", "asked", "told"),
    [
        ({"spark.executor.instances": "2"}, None, False),
        ({"spark.executor.instances": "1"}, None, True),  # one was asked for later, and no log says when
        ({"spark.dynamicAllocation.enabled": "true", "spark.executor.instances": "1"}, None, True),
        ({"spark.executor.instances": "1"}, 6000, False),
    ],
)
def test_executors_without_a_recorded_request_are_told(
    properties: dict[str, str], asked: int | None, told: bool
) -> None:
    log = EventLog()
    log.begin(ON_YARN | properties)
    log.executor("1", 3000)
    log.executor("2", 9000, asked=asked)
    log.job(0, 5000, [stage_info(0)])
    log.task(0, 0, 5000, 12_000)
    log.job_end(0, 12_000)
    log.end(12_000)
    imported = log.imported
    assert (phrase("history.executors_without_request", 1) in imported.assumptions) == told
    requested = imported.scenario.plain()["measured"]["containers"]["requested_ms"]
    assert requested == [0, 400, asked or 400]


def plain_log_end() -> int:
    scenario = plain_log().imported.scenario
    return int(simulate(scenario, "measured").jobs.finish[0])


def test_tasks_stand_in_the_slots_of_their_executors() -> None:
    """All of them ran on the first executor, which has two cores."""
    tasks = measured(plain_log())["tasks"]
    rows = list(zip(*(tasks[name] for name in ("stage", "index", "slot", "start_ms", "end_ms"))))
    assert {row[:2] for row in rows} <= {(2, 0), (2, 1), (3, 0), (4, 0), (4, 1), (6, 0)}
    assert {row[2] for row in rows} == {0, 1}
    assert rows[-1][3:] == (11_000 - 500, 11_200)


def test_a_slot_that_was_given_away_early_is_free_by_then() -> None:
    log = EventLog()
    log.begin()
    log.executor("1", 3000, cores=1)
    log.job(0, 5000, [stage_info(0)])
    log.task(0, 0, 5000, 6004)
    log.task(0, 1, 6000, 7000)
    log.task(0, 2, 6500, 9000)
    log.job_end(0, 9000)
    log.end(9000)
    tasks = measured(log)["tasks"]
    assert (tasks["start_ms"], tasks["end_ms"]) == ([5000, 6000, 6500], [6000, 6500, 9000])


def test_a_task_without_a_slot_is_told() -> None:
    log = EventLog()
    log.begin()
    log.executor("1", 3000, cores=1)
    log.job(0, 5000, [stage_info(0)])
    log.task(0, 0, 5000, 9000)
    log.task(0, 1, 5000, 9000)
    log.job_end(0, 9000)
    log.end(9000)
    assert phrase("history.attempt_without_slot", 1) in log.imported.assumptions
    assert len(measured(log)["tasks"]["start_ms"]) == 1


def test_an_executor_that_was_lost_with_a_task_is_lost() -> None:
    run = simulate(lossy_log().imported.scenario, "measured")
    assert run.tasks is not None
    assert run.containers.outcome.tolist() == [FINISHED, FINISHED, LOST]
    assert run.containers.end.tolist() == [13_000, 13_000, 8000]
    assert [OUTCOMES[outcome] for outcome in run.tasks.outcome] == ["finished", "failed", "finished"]
    assert run.tasks.attempt.tolist() == [1, 1, 2]


def test_all_attempts_of_a_stage_that_ran_again_stand_in_the_record() -> None:
    tasks = measured(retried_log())["tasks"]
    rows = zip(*(tasks[name] for name in ("stage", "index", "attempt")), strict=True)
    failed = [OUTCOMES[outcome] for outcome in tasks["outcome"]].count("failed")
    first = [(2, index, 1) for index in range(4)] + [(2, 1, 2), (2, 3, 2)]
    assert sorted(rows) == [*sorted(first), (3, 0, 1), (3, 0, 2), (3, 1, 1), (3, 1, 2)]
    assert failed == 2
    assert phrase("history.stages_ran_again_after_loss", 2) in retried_log().imported.assumptions


def test_an_application_without_an_end_has_none_to_be_judged_by() -> None:
    log = plain_log()
    del log.lines[-1]
    assert measured(log)["jobs"]["failed"] == [1]


def test_the_record_is_read_back() -> None:
    scenario = plain_log().imported.scenario
    assert Scenario.of(scenario.plain()) == scenario
