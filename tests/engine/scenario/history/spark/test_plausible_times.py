from __future__ import annotations

import io

import pytest

from engine.errors import FormatError
from engine.scenario.formats.readers import read
from tests.engine.scenario.history.spark.event_logs import ID, ZERO, EventLog, stage_info
from tests.phrases import phrase

MINUTE, YEAR = 60_000, 365 * 86_400_000


def log_of(*spans: tuple[int, int], end: int | None = 10 * MINUTE, begin: int = 0) -> EventLog:
    """A stage whose tasks run from then to then."""
    log = EventLog()
    log.begin()
    log.lines[3] = log.lines[3].replace(str(ZERO), str(ZERO + begin))
    log.executor("1", 3000)
    log.job(0, 5000, [stage_info(0)])
    for index, span in enumerate(spans):
        log.task(0, index, *span)
    if end is not None:
        log.end(end)
    return log


def finish(log: EventLog) -> int:
    """When it ended, ms from its arrival, by the record."""
    record = log.imported.scenario.measured
    assert record
    return record.jobs.finish_ms[0]


@pytest.mark.parametrize("years", [1, 20, -1, -20])
def test_a_task_of_years_in_an_application_of_minutes_is_left_out(years: int) -> None:
    odd = (5000, 6000 + years * YEAR) if years > 0 else (5000 + years * YEAR, 6000)
    log = log_of((5000, 6000), odd, (5000, 9000))
    imported = log.imported
    assert [stage.tasks for stage in imported.scenario.jobs[0].stages][0] == 2
    assert phrase("history.task_with_times_that_cant_be", 1) in imported.assumptions
    assert finish(log) == 10 * MINUTE


def test_a_task_ends_a_while_after_its_application_as_it_is_killed() -> None:
    assert finish(log_of((5000, 6000), (5000, 10 * MINUTE + 30_000))) == 10 * MINUTE + 30_000


def test_without_an_end_a_task_may_last_for_weeks() -> None:
    assert finish(log_of((5000, 6000), (5000, YEAR // 20), end=None)) == YEAR // 20
    assert finish(log_of((5000, 6000), (5000, YEAR), end=None)) == 6000


def test_an_end_before_most_tasks_says_nothing() -> None:
    assert finish(log_of((5000, 6000), (5000, 8000), end=4000)) == 8000


def test_times_years_away_from_the_tasks_are_unknown() -> None:
    imported = log_of((5000, 6000), begin=10**12).imported
    assert imported.scenario.jobs[0].arrival_s == 0
    assert phrase("history.times_years_away", 1) in imported.assumptions


def test_where_no_task_is_left_the_reason_is_told() -> None:
    log = log_of((5000, 6000 + YEAR))
    sentence = f"{phrase('history.no_task_of_spark_ran', ID)} ({phrase('history.no_task_can_be', ID)})"
    with pytest.raises(FormatError) as caught:
        read("spark", io.BytesIO(log.data))
    assert str(caught.value) == sentence
