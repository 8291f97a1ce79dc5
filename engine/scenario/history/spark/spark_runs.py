"""Applications of event logs as jobs of a scenario: the DAG that really ran, each task with its own time, in
executors as its properties ask for them.

- arrival: as the ResourceManager says, where its answers are there, else the driver's start.
- end: as the log says, else as the ResourceManager does, else the last one of a task.
- of several attempts of a task that which finished counts; those of a stage that was retried stand as a stage
  of their own, but where they only ran again what was lost with an executor.
- launching an executor takes as long as the quickest did from its request on (with a fixed number from the
  driver's begin on): what others took longer they may have waited for room.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from engine.codes import UNKNOWN
from engine.messages import msg
from engine.scenario.field_types import MAX_COUNT
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.scenario_builder import under_root
from engine.scenario.formats.unique_names import MAX_BASE_LENGTH, UniqueNames, sanitize
from engine.scenario.history.hosts import RESOURCES, HeldContainer, task_sizes
from engine.scenario.history.records import FAILED, KILLED, RUNNING, History, OtherApplicationRecord
from engine.scenario.history.spark import spark_properties
from engine.scenario.history.spark.event_records import SparkApplication, SparkExecutor, SparkTask
from engine.scenario.history.spark.executed_stages import ExecutedStage, executed_stages
from engine.scenario.history.spark.plausible_times import MAX_SPAN_MS, keep_plausible_times
from engine.scenario.history.spark.spark_pools import used_pools
from engine.scenario.scenario_limits import MAX_STAGES

MAX_CORES = 10_000  # of an executor; a log that says more is damaged
DEFAULT_FIXED = 2  # spark.executor.instances


class SparkRun(NamedTuple):
    """An application as a job of the scenario, without its name and arrival; when it arrived, when its
    driver's container began, when the driver first asked, and when it ended, ms since 1970; its executors as
    they ran, and its stages, those of the scenario.
    """

    app: SparkApplication
    job: dict[str, Any]
    start_ms: int
    container_start_ms: int
    ready_ms: int
    end_ms: int
    executors: list[SparkExecutor]
    stages: list[ExecutedStage]

    @property
    def task_count(self) -> int:
        """Tasks of all its stages."""
        return sum(stage["tasks"] for stage in self.job["stages"])


def spark_runs(history: History, notes: Notes) -> list[SparkRun]:
    """Those that ran anything, by arrival; of several attempts of one the last. What the ResourceManager's
    answers tell of them is taken from `history.others`, where that of the rest stays.
    """
    others = {other.id: other for other in history.others}
    attempts: dict[str, list[SparkApplication]] = defaultdict(list)
    for app in history.spark.values():
        attempts[app.id].append(app)
    runs = []
    for id, found in attempts.items():
        notes.count("application", msg("scenario.spark_runs.have_several_attempts"), len(found) > 1)
        app = max(found, key=lambda one: (one.start_ms, one.attempt.rjust(9)))
        missing, first = app.missing_parts()
        if missing:
            more = msg("shared.and_more", faults=missing - 1) if missing > 1 else ""
            notes.add(msg("scenario.spark_runs.part_missing", id=id, first=first, more=more))
        if run := _run(app, history, others.get(id), notes):
            runs.append(run)
    ran = {run.app.id for run in runs}
    history.others = [other for other in history.others if other.id not in ran]
    return sorted(runs, key=lambda run: (run.start_ms, run.app.id))


def named_runs(runs: Iterable[SparkRun], origin: int, names: UniqueNames, notes: Notes) -> list[SparkRun]:
    """With the name and the arrival of each in the scenario, whose time 0 is `origin`."""
    named = []
    for run in runs:
        base_name = sanitize(run.app.name.strip() or run.app.id)
        name = names.claim(base_name)
        notes.count("job", msg("shared.have_name_stands_before_number_added"), name != base_name)
        job = {"name": name, "arrival_s": (run.start_ms - origin) / 1000} | run.job
        named.append(run._replace(job=job))
    return named


def first_spark_runs(runs: list[SparkRun], max_tasks: int, notes: Notes) -> list[SparkRun]:
    """The first that have no more tasks than that together, and end within a scenario's longest span."""
    kept: list[SparkRun] = []
    total = 0
    for run in runs:
        total += run.task_count
        if total > max_tasks or run.end_ms - runs[0].start_ms >= MAX_SPAN_MS:
            break
        kept.append(run)
    notes.count_first(
        "application", msg("scenario.spark_runs.left_out_after_first", kept=len(kept)), len(runs) - len(kept)
    )
    return kept


def asked_at_first(executors: Mapping[str, Any]) -> int:
    """How many of them the driver asks for at its first request."""
    return executors["dynamic"]["initial"] if "dynamic" in executors else executors["count"]


def held_by_spark(runs: Iterable[SparkRun]) -> Iterator[HeldContainer]:
    """The containers of drivers and executors, on their hosts."""
    for run in runs:
        driver, (executor,) = run.job["am"], task_sizes(run.job)
        yield HeldContainer(run.app.driver_host, run.start_ms, run.end_ms, *_of(driver))
        for one in run.executors:
            yield HeldContainer(one.host, one.registered_ms, one.removed_ms, *_of(executor))


def _of(size: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(size[key] for key in RESOURCES)


def _run(
    app: SparkApplication, history: History, told: OtherApplicationRecord | None, notes: Notes
) -> SparkRun | None:
    has_tasks = bool(app.tasks or app.running)
    keep_plausible_times(app, notes)
    app_end = app.end_ms if app.end_ms != UNKNOWN else _told_end(app, told)
    _end_running(app, app_end, notes)
    first = min((task.launch_ms for task in app.tasks.values()), default=UNKNOWN)
    last = max((task.finish_ms for task in app.tasks.values()), default=UNKNOWN)
    if last == UNKNOWN or last - first >= MAX_SPAN_MS:
        notes.count("application", msg("scenario.spark_runs.ran_no_task"), not (has_tasks or told))
        history.notes += [msg("scenario.spark_runs.no_task_can_be", id=app.id)] * has_tasks
        return None
    if told and first - told.submit_ms >= MAX_SPAN_MS:
        told = None
    notes.count("application", msg("scenario.spark_runs.have_no_recorded_submission"), not told)
    notes.count("application", msg("scenario.spark_runs.have_no_end"), app_end == UNKNOWN)
    notes.count("application", msg("scenario.spark_runs.end_is_told"), app_end != app.end_ms)
    start, container_start, ready = _begin(app, told, first)
    end = max(app_end, last)
    executors = _executors(app, start, end)
    shape = _executor_fields(app, executors, ready, notes)
    if shape.get("dynamic", {}).get("initial", 1):
        # the driver's own work stands in a slot, so that it begins once there is one
        free = max(_registered(executors, shape, ready), executors[0].registered_ms)
    else:  # it asks for executors once a stage waits
        submitted = (stage.submitted_ms for stage in app.stages.values())
        ready = free = max(ready, min([first, *(time for time in submitted if time != UNKNOWN)]))
    stages = executed_stages(app, free, MAX_STAGES)
    _tell(app, stages, notes)
    pools, pool_of = used_pools(app, history.spark_pools, notes)
    job: dict[str, Any] = {
        **_owner(app, told),
        "am": spark_properties.driver(app.properties)
        | {
            "startup_s": (ready - container_start) / 1000,
            "heartbeat_s": spark_properties.heartbeat_s(app.properties),
        },
        "executors": shape,
        **({"pools": pools} if pools else {}),
        "stages": _stages(stages, pool_of),
    }
    return SparkRun(app, job, start, container_start, ready, end, executors, stages)


def _owner(app: SparkApplication, told: OtherApplicationRecord | None) -> dict[str, Any]:
    """Whose it is, and where it ran."""
    user, queue = (told.user, told.queue) if told else ("", "")
    return {
        "user": sanitize(app.user or user or "default"),
        "framework": "spark",
        "queue": _queue(queue or app.properties.get("spark.yarn.queue", "")),
        "x_id": app.id,
        "x_spark": app.version,
    }


def _begin(app: SparkApplication, told: OtherApplicationRecord | None, first: int) -> tuple[int, int, int]:
    """When it arrived, when its driver's container began, and when the driver was ready; first: task."""
    begin = next(time for time in (app.start_ms, app.ready_ms, first) if time != UNKNOWN)
    arrival = min(told.submit_ms if told else begin, begin, first)
    container_start = min(max(arrival, told.start_ms if told else begin), first)
    ready = app.ready_ms if app.ready_ms != UNKNOWN else begin
    return arrival, container_start, min(max(container_start, ready), first)


def _told_end(app: SparkApplication, told: OtherApplicationRecord | None) -> int:
    """When the ResourceManager says that it ended; UNKNOWN where it doesn't, or that can't be."""
    if told and told.has_ended and app.last_ms <= told.end_ms < app.last_ms + MAX_SPAN_MS:
        return told.end_ms
    return UNKNOWN


def _end_running(app: SparkApplication, app_end: int, notes: Notes) -> None:
    """Gives an end to the attempts of tasks of which the log tells none, and puts times in order."""
    for id, task in app.running.items():
        if id in app.tasks:
            continue
        end = app.stage(task.stage, task.stage_attempt).completed_ms
        outcome = RUNNING if max(end, app_end) == UNKNOWN else KILLED
        end = end if end != UNKNOWN else max(app_end, app.last_ms)
        app.tasks[id] = task._replace(finish_ms=max(task.launch_ms, end), outcome=outcome)
        notes.count("task", msg("scenario.spark_runs.have_no_end_in_log"))
    app.running = {}
    for id, task in list(app.tasks.items()):
        if task.finish_ms < task.launch_ms:
            app.tasks[id] = task._replace(finish_ms=task.launch_ms)


def _executors(app: SparkApplication, start: int, end: int) -> list[SparkExecutor]:
    """Those that ran or registered, with their times, from the start on; one that only tasks name from its
    first on.
    """
    first: dict[str, SparkTask] = {}
    for task in app.tasks.values():
        if task.executor not in first or task.launch_ms < first[task.executor].launch_ms:
            first[task.executor] = task
    for id, task in first.items():
        executor = app.executor(id)
        executor.host = executor.host or task.host
        if executor.registered_ms == UNKNOWN:
            executor.registered_ms = task.launch_ms
    executors = [one for one in app.executors.values() if one.registered_ms != UNKNOWN]
    for one in executors:
        one.registered_ms = max(start, one.registered_ms)
        if one.requested_ms != UNKNOWN:
            one.requested_ms = max(start, one.requested_ms)
        one.removed_ms = max(one.registered_ms, one.removed_ms if one.removed_ms != UNKNOWN else end)
    return sorted(executors, key=lambda one: (one.registered_ms, one.id))


def _executor_fields(
    app: SparkApplication, executors: list[SparkExecutor], ready: int, notes: Notes
) -> dict[str, Any]:
    """The field `executors` of the job."""
    properties = app.properties
    cores = Counter(one.cores for one in executors if 0 < one.cores <= MAX_CORES)
    common = cores.most_common(1)[0][0] if cores else UNKNOWN
    notes.count("application", msg("scenario.spark_runs.have_executors_of_several_sizes"), len(cores) > 1)
    notes.count("application", msg("scenario.spark_runs.have_no_properties"), not properties)
    size = spark_properties.container(properties, common)
    fields: dict[str, Any] = dict(size)
    if "spark.executor.cores" not in properties and not cores:
        fields["vcores"] = _most_tasks_at_once(app)
    slots = spark_properties.slots(properties, fields["vcores"])
    if slots != fields["vcores"]:
        fields["slots"] = slots
    dynamic = spark_properties.dynamic(properties)
    if dynamic:
        fields["dynamic"] = dynamic
    else:
        asked = int(spark_properties.number(properties, "spark.executor.instances", 0))
        if not spark_properties.is_on_yarn(properties) or not properties:
            asked = 0
        elif asked < 1:
            asked = DEFAULT_FIXED
        fields["count"] = min(MAX_COUNT, asked or _most_at_once(executors))
    fields["launch_s"] = _launch_ms(executors, ready) / 1000
    return fields | spark_properties.registration(properties)


def _launch_ms(executors: list[SparkExecutor], ready: int) -> int:
    """The shortest from an executor's request to its registration."""
    waits = [
        one.registered_ms - (one.requested_ms if one.requested_ms != UNKNOWN else ready) for one in executors
    ]
    return min((wait for wait in waits if wait >= 0), default=0)


def _registered(executors: list[SparkExecutor], fields: Mapping[str, Any], ready: int) -> int:
    """When so many had registered that the first job could begin."""
    needed = math.ceil(asked_at_first(fields) * fields["registered_ratio"])
    latest = ready + round(1000 * fields["registered_wait_s"])
    if not needed:
        return ready
    if needed > len(executors):
        return latest
    return max(ready, min(executors[needed - 1].registered_ms, latest))


def _most_at_once(executors: Iterable[SparkExecutor]) -> int:
    changes = [(one.registered_ms, 1) for one in executors] + [(one.removed_ms, -1) for one in executors]
    return _peak(changes)


def _most_tasks_at_once(app: SparkApplication) -> int:
    """The most tasks that one executor ran at a time."""
    changes: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for task in app.tasks.values():
        changes[task.executor] += ((task.launch_ms, 1), (task.finish_ms, -1))
    return max(map(_peak, changes.values()), default=1)


def _peak(changes: list[tuple[int, int]]) -> int:
    """The highest sum; what ends at an instant ends before what begins."""
    now = most = 0
    for _, change in sorted(changes):
        now += change
        most = max(most, now)
    return max(1, most)


def _queue(name: str) -> str:
    parts = [part.strip() for part in name.split(".") if part.strip()]
    return under_root(".".join(parts)[:MAX_BASE_LENGTH].rstrip(". ") or "default")


def _stages(stages: list[ExecutedStage], pool_of: Mapping[int, str]) -> list[dict[str, Any]]:
    """As a scenario's JSON has them. pool_of: job -> its pool, where that is not `default`; the driver's work
    before a job is in the job's.
    """
    names, name_of, fields = UniqueNames(), {}, []
    for stage in stages:
        _, id, attempt = stage.key
        if stage.gap_ms:
            name, durations = stage.name, [stage.gap_ms / 1000]
        else:
            retry = msg("scenario.spark_runs.retry", attempt=attempt) if attempt else ""
            name = f"{id}{retry} {stage.name}".strip()
            durations = [max(1, task.finish_ms - task.launch_ms) / 1000 for task in stage.tasks]
        name_of[stage.key] = names.claim(sanitize(name))
        entry: dict[str, Any] = {
            "name": name_of[stage.key],
            "tasks": len(durations),
            "duration_s": durations[0] if len({*durations}) == 1 else {"values": durations},
        }
        if stage.after:
            entry["after"] = [name_of[key] for key in stage.after]
        if pool := pool_of.get(stage.key[0]):
            entry["pool"] = pool
        if stage.is_result:
            entry["result"] = True
        fields.append(entry)
    return fields


def _tell(app: SparkApplication, stages: list[ExecutedStage], notes: Notes) -> None:
    """What of the log does not stand in the scenario, or not as it was."""
    ran = {(task.stage, task.stage_attempt) for task in app.tasks.values()}
    ran_ids = {id for id, _ in ran}
    skipped = sum(
        app.stage(id, 0).submitted_ms == UNKNOWN
        for job in app.jobs.values()
        if job.completed_ms != UNKNOWN
        for id in {*job.stages} - ran_ids
    )
    shown = sum(len(stage.attempts) for stage in stages)
    gaps = sum(not stage.attempts for stage in stages)
    again = shown + gaps - len(stages)
    tasks = app.tasks.values()
    for noun, predicate, times in (
        ("stage", msg("scenario.spark_runs.skipped"), skipped),
        ("stage", msg("scenario.spark_runs.left_out_beyond", limit=MAX_STAGES), len(ran) - shown),
        ("stage", msg("scenario.spark_runs.again"), again),
        ("stage", msg("scenario.spark_runs.retried"), sum(attempt > 0 for _, attempt in ran) - again),
        ("stage", msg("scenario.spark_runs.barrier"), sum(app.stage(*key).is_barrier for key in ran)),
        ("gap", msg("scenario.spark_runs.driver_alone"), gaps),
        ("attempt", msg("scenario.spark_runs.failed"), sum(task.outcome == FAILED for task in tasks)),
        (
            "attempt",
            msg("scenario.spark_runs.killed"),
            sum(task.outcome == KILLED and not task.is_speculative for task in tasks),
        ),
        ("attempt", msg("scenario.spark_runs.speculative"), sum(task.is_speculative for task in tasks)),
        ("task", msg("scenario.spark_runs.resubmitted"), app.resubmitted),
        (
            "executor",
            msg("scenario.spark_runs.removed"),
            sum(bool(one.removal) for one in app.executors.values()),
        ),
        (
            "job",
            msg("scenario.spark_runs.failed_job"),
            sum(job.result not in ("", "JobSucceeded") for job in app.jobs.values()),
        ),
    ):
        notes.count(noun, predicate, times)
