"""What must hold between an application's framework and its other fields, read from the plain JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import Fault
from engine.messages import msg
from engine.scenario.applications import container_memory_mb
from engine.scenario.json_values import dict_list, int_at
from engine.scenario.scenario_limits import MAX_STAGES

OF_MAPREDUCE = (
    "maps",
    "reduces",
    "shuffle_mb_per_map",
    "slowstart",
    "partitions",
    "speculation",
    "iterations",
    "input_mb",
)
OF_SPARK = ("executors", "stages")
IMPLIED: dict[str, Any] = {
    "maps": None,
    "reduces": None,
    "shuffle_mb_per_map": 0.0,
    "slowstart": 0.05,
    "partitions": None,
    "speculation": "none",
    "iterations": 1,
    "input_mb": None,
    "executors": None,
    "stages": [],
}


def is_spark(job: dict) -> bool:
    """Is it a Spark application?"""
    return job.get("framework") == "spark"


def application_faults(data: dict) -> Iterator[Fault]:
    """Faults of each job's fields that its framework does not have, or lacks, and of its executors and
    stages.
    """
    jobs = dict_list(data, "jobs")
    for index, job in enumerate(jobs):
        path = f"jobs[{index}]"
        if is_spark(job):
            framework = msg("scenario.application_validation.application")
        else:
            framework = msg("scenario.application_validation.job")
        for key in OF_MAPREDUCE if is_spark(job) else OF_SPARK:
            if job.get(key, IMPLIED[key]) != IMPLIED[key]:
                yield Fault(
                    f"{path}.{key}",
                    msg("scenario.application_validation.has_no_meaning", framework=framework),
                )
        for key in ("am", *OF_SPARK) if is_spark(job) else ("maps",):
            if not job.get(key):
                yield Fault(
                    f"{path}.{key}", msg("scenario.application_validation.required", framework=framework)
                )
        if is_spark(job):
            yield from _executor_faults(job.get("executors"), f"{path}.executors")
            yield from _stage_faults(job, path)
    if any(is_spark(job) for job in jobs):
        yield from _physics_faults(data.get("cluster"))


def executor_request(job: dict) -> dict:
    """Memory and vcores that an executor asks of YARN; empty where they are malformed."""
    executors = job.get("executors")
    memory, vcores = int_at(executors, "memory_mb"), int_at(executors, "vcores")
    if memory is None or vcores is None:
        return {}
    overhead = int_at(executors, "memory_overhead_mb")
    return {"memory_mb": container_memory_mb(memory, overhead), "vcores": vcores}


def _executor_faults(executors: Any, path: str) -> Iterator[Fault]:
    dynamic = executors.get("dynamic") if isinstance(executors, dict) else None
    if not isinstance(dynamic, dict):
        return
    if executors.get("count") is not None:
        yield Fault(f"{path}.count", msg("scenario.application_validation.count_and_dynamic"))
    maximum = int_at(dynamic, "maximum")
    minimum, initial = int_at(dynamic, "minimum") or 0, int_at(dynamic, "initial") or 0
    if maximum is not None and minimum > maximum:
        yield Fault(
            f"{path}.dynamic.minimum",
            msg("scenario.application_validation.minimum_above_maximum", minimum=minimum, maximum=maximum),
        )
    elif maximum is not None and initial > maximum:
        yield Fault(
            f"{path}.dynamic.initial",
            msg("scenario.application_validation.initial_above_maximum", initial=initial, maximum=maximum),
        )


def _stage_faults(job: dict, path: str) -> Iterator[Fault]:
    stages = dict_list(job, "stages")
    if len(stages) > MAX_STAGES:
        yield Fault(
            f"{path}.stages",
            msg("scenario.application_validation.too_many_stages", count=len(stages), limit=MAX_STAGES),
        )
        return
    earlier: set[str] = set()
    for index, stage in enumerate(stages):
        name = stage.get("name") or f"stage{index + 1}"
        if isinstance(name, str) and name in earlier:
            yield Fault(
                f"{path}.stages[{index}].name",
                msg("scenario.application_validation.stages_named_twice", name=name),
            )
        after = stage.get("after")
        sources = after if isinstance(after, list) else []
        for place, source in enumerate(sources):
            if isinstance(source, str) and source not in earlier:
                yield Fault(
                    f"{path}.stages[{index}].after[{place}]",
                    msg("scenario.application_validation.after_not_earlier", name=source),
                )
            elif source in sources[:place]:
                yield Fault(
                    f"{path}.stages[{index}].after[{place}]",
                    msg("scenario.application_validation.after_twice", name=source),
                )
        if isinstance(name, str):
            earlier.add(name)


def _physics_faults(cluster: Any) -> Iterator[Fault]:
    if not isinstance(cluster, dict):
        return
    if cluster.get("contention"):
        yield Fault("cluster.contention", msg("scenario.application_validation.contention"))
    if cluster.get("failures") is not None:
        yield Fault("cluster.failures", msg("scenario.application_validation.failures"))
    if cluster.get("locality") is not None:
        yield Fault("cluster.locality", msg("scenario.application_validation.locality"))
