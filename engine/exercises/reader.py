"""Reads an exercise's file, and checks what its parts say of each other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from engine.analysis.metrics import METRICS
from engine.errors import Fault, GantryError, ScenarioError, SchedulerError
from engine.exercises.changes import (
    MAX_SETTINGS,
    change_faults,
    changeables,
    grid_size,
    largest,
    simulated_name,
)
from engine.exercises.model import (
    DEADLOCK,
    LONGEST_WAIT,
    VERSION,
    Compute,
    Condition,
    Exercise,
    Explain,
    Part,
    Predict,
    Reach,
)
from engine.messages import msg
from engine.scenario.json_values import LISTS, depth_exceeds, dict_list, int_at, value_at
from engine.scenario.name_hints import NameHints
from engine.scenario.queue_validation import self_and_parents
from engine.scenario.scenario_limits import MAX_DEPTH, MAX_FAULTS
from engine.scenario.validation import container_count, error_text, json_path
from engine.simulation.workload import workload

MAX_BYTES = 1_000_000
# for it is run at once, and often; the entries of each list of its scenario
MAX_CONTAINERS, MAX_NODES, MAX_LISTED = 5_000, 500, 200
MAX_WATCHED, MAX_WATCHED_JOBS = 1_000, 50  # containers and jobs of a run whose decisions are looked at
TASKS: dict[str, type[Part]] = {"predict": Predict, "reach": Reach, "explain": Explain, "compute": Compute}
CONDITIONS = (*(metric.key for metric in METRICS), LONGEST_WAIT, DEADLOCK)
NAME_PARTS = (4, 5)  # of JOB/STAGE/KIND/INDEX, and /ATTEMPT


class ExerciseError(GantryError):
    """An exercise that can't be read or asked: a line a fault, each with what is wrong, where, and what would
    be right.
    """

    @classmethod
    def of(cls, faults: list[Fault]) -> ExerciseError:
        """Of what is wrong with a file."""
        return cls("\n".join(map(str, faults)))


def read_exercise(text: str | bytes) -> Exercise:
    """An exercise from its JSON text. Raises ExerciseError, for faults of what it holds too."""
    if len(text) > MAX_BYTES:
        raise ExerciseError.of([Fault("", msg("exercises.reader.too_large", most=MAX_BYTES))])
    try:
        values = json.loads(text, parse_constant=float)
    except UnicodeDecodeError:
        raise ExerciseError.of([Fault("", msg("exercises.reader.no_utf_8"))]) from None
    except json.JSONDecodeError as error:
        wrong = msg("exercises.reader.no_json", error=error.msg, line=error.lineno, column=error.colno)
        raise ExerciseError.of([Fault("", wrong)]) from None
    except (ValueError, RecursionError):
        raise ExerciseError.of([Fault("", msg("exercises.reader.too_deep"))]) from None
    return exercise_of_values(values)


def exercise_of_values(values: Any) -> Exercise:
    """The same from JSON values."""
    if not isinstance(values, dict):
        raise ExerciseError.of([Fault("", msg("exercises.reader.no_object"))])
    if depth_exceeds(values, MAX_DEPTH):
        raise ExerciseError.of([Fault("", msg("shared.nested_more_than_deep", max_depth=MAX_DEPTH))])
    version = int_at(values, "version")
    if version is not None and version > VERSION:
        wrong = msg("exercises.reader.later_version", version=version, known=VERSION)
        raise ExerciseError.of([Fault("version", wrong)])
    try:
        exercise = Exercise.model_validate(values)
    except ValidationError as error:
        raise ExerciseError.of(_field_faults(error)) from None
    for find in (_scenario_faults, _scheduler_faults, change_faults, _task_faults, _size_faults):
        if faults := list(find(exercise))[:MAX_FAULTS]:
            raise ExerciseError.of(faults)
    return exercise


def _field_faults(error: ValidationError) -> list[Fault]:
    hint, faults = NameHints(), []
    for item in error.errors(include_url=False)[:MAX_FAULTS]:
        path, kind = item["loc"], item["type"]
        tag = path[1] if path[:1] == ("task",) and len(path) > 1 and path[1] in TASKS else None
        if tag is not None:
            path = (path[0], *path[2:])
        if kind == "extra_forbidden":
            known = _fields_at(path[:-1], TASKS.get(str(tag)))
            wrong = msg("scenario.validation.not_field_here", hint=hint(path[-1], known))
        elif kind == "union_tag_not_found":
            path, wrong = (*path, "kind"), msg("scenario.validation.required")
        elif kind == "union_tag_invalid":
            path, wrong = (*path, "kind"), msg("exercises.reader.kind", kinds=", ".join(TASKS))
        elif kind == "string_too_short":
            wrong = msg("scenario.field_types.must_not_be_empty")
        else:
            wrong = error_text(item, hint)
        faults.append(Fault(json_path(path), wrong))
    return faults


def _fields_at(path: tuple, task: type[Part] | None) -> list[str]:
    """The names of the fields of the object at a path."""
    shape: Any = Exercise
    for key in path:
        if isinstance(key, str):
            shape = task if key == "task" else _entries(shape, key)
    return list(shape.model_fields) if shape else []


def _entries(shape: type[Part], key: str) -> type[Part] | None:
    """Of a list of objects: what its entries are."""
    (entry,) = shape.model_fields[key].annotation.__args__  # type: ignore[union-attr]  # a list
    return entry


def _scenario_faults(exercise: Exercise) -> Iterator[Fault]:
    try:
        plain = exercise.checked_scenario.plain()
    except ScenarioError as error:
        for fault in error.faults:
            path = f"scenario.{fault.path}" if fault.path else "scenario"
            yield Fault(path, fault.message)
        return
    yield from _too_large(plain)


def _size_faults(exercise: Exercise) -> Iterator[Fault]:
    """With every number at its largest."""
    for fault in _too_large(largest(exercise)):
        yield Fault("change", msg("exercises.reader.changed_too_large", fault=fault.message))


def _too_large(plain: dict) -> Iterator[Fault]:
    queues = {name for queue in dict_list(plain, "queues") for name in self_and_parents(queue["name"])}
    for path in LISTS:
        entries = len(queues if path == ("queues",) else value_at(plain, path) or ())
        if entries > MAX_LISTED:
            wrong = msg("exercises.reader.entries", entries=entries, most=MAX_LISTED)
            yield Fault(f"scenario.{'.'.join(path)}", wrong)
    containers = container_count(plain)
    if containers > MAX_CONTAINERS:
        wrong = msg("exercises.reader.containers", containers=containers, most=MAX_CONTAINERS)
        yield Fault("scenario.jobs", wrong)
    nodes = sum(int_at(group, "count") or 0 for group in dict_list(plain["cluster"], "nodes"))
    if nodes > MAX_NODES:
        wrong = msg("exercises.reader.nodes", nodes=nodes, most=MAX_NODES)
        yield Fault("scenario.cluster.nodes", wrong)


def _scheduler_faults(exercise: Exercise) -> Iterator[Fault]:
    for place, name in enumerate(exercise.schedulers):
        try:
            simulated_name(name)
        except SchedulerError as error:
            yield Fault(f"schedulers[{place}]", str(error))


def _task_faults(exercise: Exercise) -> Iterator[Fault]:
    task = exercise.task
    if isinstance(task, Reach):
        yield from _reach_faults(exercise, task)
        return
    yield from _index_faults(exercise, task.scheduler, "task")
    work = workload(exercise.checked_scenario)
    names, container = work.job_names, task.container
    needs_container = (
        isinstance(task, Explain)
        or (isinstance(task, Predict) and task.ask in ("next", "place"))
        or (isinstance(task, Compute) and task.quantity == "term")
    )
    if needs_container and container is None:
        yield Fault("task.container", msg("exercises.reader.container_required"))
    elif container is not None:
        yield from _container_faults(container, names)
    if needs_container:
        yield from _watched_faults(exercise, len(names))
    if isinstance(task, Predict) and task.ask == "first" and len(names) < 2:
        yield Fault("task.ask", msg("exercises.reader.one_job"))
    if isinstance(task, Compute):
        yield from _compute_faults(task, [*names, *work.queues.names])


def _compute_faults(task: Compute, names: list[str]) -> Iterator[Fault]:
    if task.job is not None and task.job not in names:
        yield Fault("task.job", msg("exercises.reader.no_job", job=task.job, first=names[0]))
    if task.quantity == "term" and task.term is None:
        yield Fault("task.term", msg("scenario.validation.required"))
    for key in ("job", "at_s"):
        if task.quantity != "term" and getattr(task, key) is None:
            yield Fault(f"task.{key}", msg("scenario.validation.required"))


def _watched_faults(exercise: Exercise, jobs: int) -> Iterator[Fault]:
    """Such a run is made again uncompiled, and each of its decisions looks at all that waits."""
    containers = container_count(exercise.checked_scenario.plain())
    if containers > MAX_WATCHED:
        wrong = msg("exercises.reader.watched", count=containers, what="containers", most=MAX_WATCHED)
        yield Fault("scenario.jobs", wrong)
    if jobs > MAX_WATCHED_JOBS:
        wrong = msg("exercises.reader.watched", count=jobs, what="jobs", most=MAX_WATCHED_JOBS)
        yield Fault("scenario.jobs", wrong)


def _container_faults(container: str, names: list[str]) -> Iterator[Fault]:
    parts = container.split("/")
    if len(parts) not in NAME_PARTS or not parts[0]:
        yield Fault("task.container", msg("exercises.reader.container_name"))
    elif parts[0] not in names:
        yield Fault("task.container", msg("exercises.reader.no_job", job=parts[0], first=names[0]))


def _index_faults(exercise: Exercise, index: int, where: str) -> Iterator[Fault]:
    if index >= len(exercise.schedulers):
        wrong = msg("exercises.reader.scheduler", listed=len(exercise.schedulers))
        yield Fault(f"{where}.scheduler", wrong)


def _reach_faults(exercise: Exercise, task: Reach) -> Iterator[Fault]:
    if not exercise.change:
        yield Fault("change", msg("exercises.reader.nothing_to_change"))
    hint = NameHints()
    for place, condition in enumerate(task.conditions):
        yield from _condition_faults(exercise, condition, f"task.conditions[{place}]", hint)
    numbers = [each.path for each in changeables(exercise) if each.field.is_number]
    seen = set()
    for place, cost in enumerate(task.cost):
        where = f"task.cost[{place}].path"
        if cost.path not in numbers:
            yield Fault(where, msg("exercises.reader.cost_path", hint=hint(cost.path, numbers)))
        elif cost.path in seen:
            yield Fault(where, msg("shared.listed_twice", name=cost.path))
        seen.add(cost.path)
    settings = grid_size(exercise)
    if task.cost and settings > MAX_SETTINGS:
        yield Fault("change", msg("exercises.reader.too_many_settings", settings=settings, most=MAX_SETTINGS))


def _condition_faults(
    exercise: Exercise, condition: Condition, where: str, hint: NameHints
) -> Iterator[Fault]:
    yield from _index_faults(exercise, condition.scheduler, where)
    metric, low, high = condition.metric, condition.at_least, condition.at_most
    if metric not in CONDITIONS:
        wrong = msg("exercises.reader.no_metric", metric=metric, hint=hint(metric, CONDITIONS))
        yield Fault(f"{where}.metric", wrong)
    elif metric == DEADLOCK and (low, high) not in ((None, 0), (1, None)):
        yield Fault(where, msg("exercises.reader.deadlock"))
    elif low is None and high is None:
        yield Fault(where, msg("exercises.reader.no_limit"))
    elif low is not None and high is not None and low > high:
        yield Fault(f"{where}.at_least", msg("exercises.reader.limits_crossed", low=low, high=high))
