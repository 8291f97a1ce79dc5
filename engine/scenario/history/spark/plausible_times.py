"""Times of a log that can't be: all are of one clock, the driver's, so that tasks run within the application.

What lies years away from the tasks is unknown; a task that began before its application, or ended long after
it, is left out.
"""

from __future__ import annotations

from engine.codes import UNKNOWN
from engine.messages import msg
from engine.scenario.formats.import_notes import Notes
from engine.scenario.history.spark.event_records import SparkApplication, SparkTask

MAX_SPAN_MS = 10**11
SLACK_MS = 60_000  # listeners are told of the end while tasks are still killed
MAX_AFTER_ALL_MS = 30 * 86_400_000  # that a task ends after all else in a log without an end


def keep_plausible_times(app: SparkApplication, notes: Notes) -> None:
    """Leaves out, and makes unknown, what can't be, and tells it."""
    attempts = [*app.tasks.values(), *app.running.values()]
    launches = sorted(task.launch_ms for task in attempts if task.launch_ms != UNKNOWN)
    middle = launches[len(launches) // 2] if launches else UNKNOWN
    _forget_far_times(app, middle, notes)
    begin, end = _bounds(app, launches, middle)
    no_launch, outside = set(), set()
    for task in attempts:
        if task.launch_ms == UNKNOWN:
            no_launch.add(task.id)
        elif not begin <= task.launch_ms <= end or task.finish_ms > end:
            outside.add(task.id)
    notes.count("task", msg("scenario.plausible_times.no_launch"), len(no_launch))
    notes.count("task", msg("scenario.plausible_times.outside"), len(outside))
    for id in no_launch | outside:
        app.tasks.pop(id, None)
        app.running.pop(id, None)
    if outside:
        app.last_ms = max([*_own_times(app), *map(_last_of, app.tasks.values())], default=UNKNOWN)


def _forget_far_times(app: SparkApplication, middle: int, notes: Notes) -> None:
    """Those that lie years away from the tasks."""
    count = 0
    for record in (app, *app.stages.values(), *app.jobs.values(), *app.executors.values()):
        for name, value in vars(record).items():
            if name.endswith("_ms") and UNKNOWN not in (value, middle) and abs(value - middle) >= MAX_SPAN_MS:
                setattr(record, name, UNKNOWN)
                count += name != "last_ms"
    notes.count("time", msg("scenario.plausible_times.years_away"), count)


def _bounds(app: SparkApplication, launches: list[int], middle: int) -> tuple[int, int]:
    """Within which tasks can have run; a begin or an end of the application that most of them contradict says
    nothing.
    """
    begin = app.start_ms if UNKNOWN < app.start_ms <= middle else middle - MAX_SPAN_MS
    if app.end_ms >= middle != UNKNOWN:
        return begin - SLACK_MS, app.end_ms + SLACK_MS
    near = [time for time in launches if time - middle < MAX_SPAN_MS]
    return begin - SLACK_MS, max([*_own_times(app), *near], default=UNKNOWN) + MAX_AFTER_ALL_MS


def _own_times(app: SparkApplication) -> list[int]:
    """All but those of tasks, and the last in the log."""
    records = (app, *app.stages.values(), *app.jobs.values(), *app.executors.values())
    return [
        value
        for record in records
        for name, value in vars(record).items()
        if name.endswith("_ms") and name != "last_ms"
    ]


def _last_of(task: SparkTask) -> int:
    return max(task.launch_ms, task.finish_ms)
