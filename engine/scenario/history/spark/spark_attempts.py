"""A Spark application as measured: its driver and executors as attempts of containers, and its tasks in the
executors' slots.

When an executor's container began no log says: it stands from its registration on. Nor does one say when each
was asked for that Spark once asked for, then no longer, then again: it stands from the first request on, and
is told.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from engine.codes import UNKNOWN
from engine.messages import msg
from engine.scenario.applications import MAX_SLOTS
from engine.scenario.formats.import_notes import Notes
from engine.scenario.history.job_run import Attempt
from engine.scenario.history.records import FAILED, FINISHED
from engine.scenario.history.spark.event_records import SparkTask
from engine.scenario.history.spark.executed_stages import ExecutedStage
from engine.scenario.history.spark.spark_runs import SparkRun, asked_at_first
from engine.scenario.history.spark.stage_attempts import lost_executors

LOST = "lost"
MAX_OVERLAP_MS = 1000  # the driver gives a slot away before it notes that its task has ended
MAX_ATTEMPT = 100_000  # of a task; a log that says more is damaged


class SlotTask(NamedTuple):
    """An attempt of a task as it ran, ms since 1970. executor: by place among the run's; slot, index: from 0;
    stage, number: from 1.
    """

    start: int
    executor: int
    slot: int
    stage: int
    index: int  # type: ignore[assignment]  # hides tuple.index
    number: int
    end: int
    outcome: str


class _Place(NamedTuple):
    """Which task of the scenario an attempt is of: stage and number from 1."""

    stage: int
    index: int  # type: ignore[assignment]  # hides tuple.index
    number: int


def spark_attempts(run: SparkRun, notes: Notes) -> list[Attempt]:
    """The driver, then the executors in their order."""
    first_count = asked_at_first(run.job["executors"])
    start, has_end = run.container_start_ms, run.app.end_ms != UNKNOWN
    outcome = FINISHED if has_end else FAILED
    driver = Attempt(
        "am",
        0,
        1,
        run.app.driver_host,
        run.start_ms,
        start,
        start,
        UNKNOWN,
        run.end_ms,
        outcome,
        UNKNOWN,
    )
    tasks_of, lost = _tasks_of_executors(run), lost_executors(run.app)
    attempts = [driver]
    for place, executor in enumerate(run.executors):
        tasks = tasks_of[executor.id]
        begin = min([executor.registered_ms, *(task.launch_ms for task in tasks)])
        end = max([executor.removed_ms, *(task.finish_ms for task in tasks)])
        is_known = executor.requested_ms != UNKNOWN
        asked = executor.requested_ms if is_known else run.ready_ms
        has_no_request = not is_known and place >= first_count
        notes.count("executor", msg("scenario.spark_attempts.have_no_request"), has_no_request)
        attempts.append(
            Attempt(
                "executor",
                place,
                1,
                executor.host,
                min(asked, begin),
                begin,
                begin,
                UNKNOWN,
                end,
                LOST if executor.id in lost else FINISHED,
                UNKNOWN,
            )
        )
    return attempts


def slot_tasks(run: SparkRun, notes: Notes) -> list[SlotTask]:
    """Its attempts of tasks in the slots of its executors; without those of stages that stand in no scenario,
    and those for which an executor had no slot.
    """
    places: dict[int, _Place] = {}
    for number, stage in enumerate(run.stages, 1):
        places |= _places(number, stage)
    executors = run.job["executors"]
    slots = min(executors.get("slots", executors["vcores"]), MAX_SLOTS)
    tasks_of = _tasks_of_executors(run)
    ran = []
    for place, executor in enumerate(run.executors):
        lasts: list[SlotTask | None] = [None] * slots
        for task in sorted(tasks_of[executor.id], key=lambda task: (task.launch_ms, task.finish_ms, task.id)):
            if task.id not in places:
                continue
            slot = min(range(slots), key=lambda slot: _free_from(lasts[slot], task.launch_ms))
            last = lasts[slot]
            if last and last.end > task.launch_ms:
                if last.end > task.launch_ms + MAX_OVERLAP_MS:
                    notes.count("attempt", msg("scenario.spark_attempts.had_no_slot"))
                    continue
                last = last._replace(end=task.launch_ms)
            if last:
                ran.append(last)
            lasts[slot] = SlotTask(
                task.launch_ms,
                place,
                slot,
                *places[task.id],
                task.finish_ms,
                task.outcome,
            )
        ran += filter(None, lasts)
    return ran


def _places(number: int, stage: ExecutedStage) -> dict[int, _Place]:
    """Of each attempt of a task of a stage, by its id; the attempts of a task count on over those of the
    stage.
    """
    index_of = {task.index: place for place, task in enumerate(stage.tasks)}
    before: Counter[int] = Counter()
    places = {}
    for tasks in stage.attempts.values():
        for task in tasks:
            attempt = before[task.index] + min(max(0, task.number), MAX_ATTEMPT) + 1
            places[task.id] = _Place(number, index_of[task.index], attempt)
        before.update(task.index for task in tasks)
    return places


def _free_from(last: SlotTask | None, now: int) -> int:
    """When a slot is free from, now at the earliest: the lowest free slot is taken."""
    return max(now, last.end) if last else now


def _tasks_of_executors(run: SparkRun) -> dict[str, list[SparkTask]]:
    tasks_of: dict[str, list[SparkTask]] = defaultdict(list)
    for task in run.app.tasks.values():
        tasks_of[task.executor].append(task)
    return tasks_of
