"""Which attempts of a stage are one stage of the scenario: those that only ran again what an executor's loss
took with it. Where the executor is lost in a simulation too, that work is done again by its own rules
(SPARK-9); as with MapReduce's maps, no task stands twice in the scenario.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set

from engine.scenario.history.records import FINISHED
from engine.scenario.history.spark.event_records import SparkApplication, SparkTask

LOST_WITH_EXECUTOR = "ExecutorLostFailure"  # TaskEndReason


def lost_executors(app: SparkApplication) -> set[str]:
    """Those that were lost with a task."""
    return {task.executor for task in app.tasks.values() if task.reason.startswith(LOST_WITH_EXECUTOR)}


def stage_attempts(app: SparkApplication) -> dict[tuple[int, int], dict[int, list[SparkTask]]]:
    """The stages of the scenario: by stage and its first attempt with tasks, the attempts in order, each with
    its tasks.
    """
    tasks_of: dict[int, dict[int, list[SparkTask]]] = defaultdict(lambda: defaultdict(list))
    for task in app.tasks.values():
        tasks_of[task.stage][task.stage_attempt].append(task)
    lost, joined = lost_executors(app), {}
    for id, attempts in tasks_of.items():
        kept: set[int] = set()  # tasks of `last` whose output is there
        last: dict[int, list[SparkTask]] = {}  # the attempts that stand together
        for number in sorted(attempts):
            again = attempts[number]
            known = {task.index for tasks in last.values() for task in tasks}
            of_missing = _of_missing(again, sorted(known - kept)) if lost else None
            if of_missing is None:
                last, kept = {}, set()
                joined[id, number] = last
            last[number] = of_missing or again
            kept |= _kept(last[number], lost)
    return joined


def _of_missing(again: list[SparkTask], missing: list[int]) -> list[SparkTask] | None:
    """The tasks of another attempt by the partitions of the stage, where it only computes what is missing.
    Logs of before Spark 3.3 name no partition: an attempt counts its tasks from 0, in the order of what it
    misses.
    """
    indexes = {task.index for task in again}
    if indexes <= {*missing}:
        return again
    if indexes == {*range(len(missing))}:
        return [task._replace(index=missing[task.index]) for task in again]
    return None


def _kept(tasks: list[SparkTask], lost: Set[str]) -> set[int]:
    return {task.index for task in tasks if task.outcome == FINISHED and task.executor not in lost}
