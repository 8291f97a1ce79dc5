"""What must hold between an application's framework and its other fields, read from the plain JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from engine.errors import Fault
from engine.messages import msg
from engine.scenario.applications import DEFAULT_POOL, HeldContainers, container_memory_mb
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
FRAMEWORK_NAMES = {
    "mapreduce": msg("scenario.application_validation.mapreduce"),
    "spark": msg("shared.spark_application"),
    "stages": msg("scenario.application_validation.stages"),
    "demand": msg("scenario.application_validation.demand"),
    "tez": msg("shared.tez_application"),
}
WITH_BLOCKS = {"mapreduce", "spark"}  # whose tasks read blocks that have places
FIELDS = {
    "mapreduce": OF_MAPREDUCE,
    "spark": ("executors", "pools", "stages"),
    "stages": ("stages",),
    "demand": ("stages",),
    "tez": ("containers", "stages"),
}
REQUIRED = {
    "mapreduce": ("maps",),
    "spark": ("am", "executors", "stages"),
    "stages": ("stages",),
    "demand": ("stages",),
    "tez": ("am", "stages"),
}
SIZES = ("memory_mb", "vcores")
PAIRS = (("idle_minimum_s", "idle_maximum_s"), ("slow_start_minimum", "slow_start_maximum"))
FIELDS_OF_STAGES = {
    "spark": ("after", "pool", "result"),
    "stages": ("after", "memory_mb", "vcores", "output_mb", "slow_start"),
    "demand": ("memory_mb", "vcores", "start_s"),
    "tez": ("after", "memory_mb", "vcores", "output_mb", "start_s"),
}
FETCHING = ("stages", "tez")
REQUIRED_OF_STAGES = {"spark": (), "stages": SIZES, "demand": SIZES, "tez": SIZES}
IMPLIED_OF_STAGES: dict[str, Any] = {
    "after": [],
    "pool": None,
    "result": False,
    "memory_mb": None,
    "vcores": None,
    "output_mb": 0.0,
    "slow_start": 1.0,
    "start_s": 0.0,
}
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
    "containers": None,
    "pools": [],
    "stages": [],
}


def framework_of(job: dict) -> str:
    """Its framework, "" where what stands there is none."""
    framework = job.get("framework", "mapreduce")
    return framework if isinstance(framework, str) and framework in FIELDS else ""


def fields_without_meaning(framework: str) -> list[str]:
    """Fields of a job that its framework does not have."""
    return [key for key in IMPLIED if key not in FIELDS[framework]]


def stage_fields_without_meaning(framework: str, after: Sequence[str] | None = None) -> list[str]:
    """Fields of a stage that its framework does not have; with `after`, what it comes after, also those
    that do nothing where that is nothing.
    """
    lacking = [key for key in IMPLIED_OF_STAGES if key not in FIELDS_OF_STAGES[framework]]
    return [*lacking, "slow_start"] if after is not None and not after else lacking


def application_faults(data: dict) -> Iterator[Fault]:
    """Faults of each job's fields that its framework does not have, or lacks, and of its executors and
    stages.
    """
    jobs = dict_list(data, "jobs")
    for index, job in enumerate(jobs):
        path, framework = f"jobs[{index}]", framework_of(job)
        if not framework:
            continue  # what it must have and may not is not known
        yield from _field_faults(job, path, framework, fields_without_meaning(framework), IMPLIED)
        yield from _required_faults(job, path, framework, REQUIRED[framework])
        if framework == "spark":
            yield from _executor_faults(job.get("executors"), f"{path}.executors")
            yield from _pool_faults(job, path)
        if framework == "tez":
            yield from _held_container_faults(job.get("containers"), f"{path}.containers")
            yield from _dag_faults(dict_list(job, "stages"), path)
        if framework != "mapreduce":
            yield from _stage_faults(job, path, framework)
    frameworks = {framework_of(job) for job in jobs} - {""}
    if frameworks - {"mapreduce"}:
        yield from _physics_faults(data.get("cluster"), frameworks, any(_fetches(job) for job in jobs))


def _field_faults(
    owner: dict, path: str, framework: str, keys: Iterable[str], implied: dict[str, Any]
) -> Iterator[Fault]:
    for key in keys:
        if owner.get(key, implied[key]) != implied[key]:
            yield Fault(
                f"{path}.{key}",
                msg("scenario.application_validation.has_no_meaning", framework=FRAMEWORK_NAMES[framework]),
            )


def _required_faults(owner: dict, path: str, framework: str, keys: Iterable[str]) -> Iterator[Fault]:
    for key in keys:
        if not owner.get(key):
            yield Fault(
                f"{path}.{key}",
                msg("scenario.application_validation.required", framework=FRAMEWORK_NAMES[framework]),
            )


def application_requests(job: dict) -> Iterator[tuple[str, dict]]:
    """(field, memory and vcores) of what an application, but of MapReduce, asks for beside its master."""
    framework = framework_of(job)
    if framework == "spark":
        yield "executors", _executor_request(job)
    elif framework and framework != "mapreduce":
        yield from ((f"stages[{place}]", stage) for place, stage in enumerate(dict_list(job, "stages")))


def amount_of_request(job: dict, field: str, resource: str, amount: int) -> str:
    """The amount that a container asks of YARN, of an executor's memory with what it is made of and may be
    lowered.
    """
    memory = int_at(job.get("executors"), "memory_mb")
    if field != "executors" or resource != "memory_mb" or memory is None:
        return str(amount)
    return msg(
        "scenario.application_validation.memory_with_overhead",
        amount=amount,
        memory=memory,
        overhead=amount - memory,
    )


def _executor_request(job: dict) -> dict:
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


def _pool_faults(job: dict, path: str) -> Iterator[Fault]:
    """No two pools have one name, and stages name those that there are."""
    if not isinstance(job.get("pools", []), list):
        return  # which is the fault
    names: set[str] = set()
    for index, pool in enumerate(dict_list(job, "pools")):
        name = pool.get("name")
        if isinstance(name, str):
            if name in names:
                yield Fault(
                    f"{path}.pools[{index}].name",
                    msg("scenario.application_validation.pools_named_twice", name=name),
                )
            names.add(name)
    for index, stage in enumerate(dict_list(job, "stages")):
        name = stage.get("pool")
        if isinstance(name, str) and name not in {*names, DEFAULT_POOL}:
            yield Fault(
                f"{path}.stages[{index}].pool",
                msg("scenario.application_validation.no_such_pool", name=name, default=DEFAULT_POOL),
            )


def _held_container_faults(containers: Any, path: str) -> Iterator[Fault]:
    """Of each pair of a minimum and a maximum."""
    if not isinstance(containers, dict):
        return
    for minimum, maximum in PAIRS:
        least, most = (
            containers.get(key, HeldContainers.model_fields[key].default) for key in (minimum, maximum)
        )
        if isinstance(least, (int, float)) and isinstance(most, (int, float)) and least > most:
            yield Fault(
                f"{path}.{minimum}",
                msg("scenario.application_validation.minimum_above_maximum", minimum=least, maximum=most),
            )


def _dag_faults(stages: list[dict], path: str) -> Iterator[Fault]:
    """DAGs stand one after another, and a vertex comes after those of its own."""
    starts: dict[Any, Any] = {}
    before: float = 0.0
    for index, stage in enumerate(stages):
        start = stage.get("start_s", 0.0)
        if not isinstance(start, (int, float)):
            continue
        if start < before:
            yield Fault(
                f"{path}.stages[{index}].start_s",
                msg("scenario.application_validation.starts_earlier", start=start, before=before),
            )
        before = max(before, start)
        after = stage.get("after")
        for place, source in enumerate(after if isinstance(after, list) else []):
            if isinstance(source, str) and starts.get(source, start) != start:
                yield Fault(
                    f"{path}.stages[{index}].after[{place}]",
                    msg("scenario.application_validation.after_of_another_dag", name=source),
                )
        name = stage.get("name") or f"stage{index + 1}"
        if isinstance(name, str):
            starts[name] = start


def _stage_faults(job: dict, path: str, framework: str) -> Iterator[Fault]:
    lacking = stage_fields_without_meaning(framework)
    stages = dict_list(job, "stages")
    if len(stages) > MAX_STAGES:
        yield Fault(
            f"{path}.stages",
            msg("scenario.application_validation.too_many_stages", count=len(stages), limit=MAX_STAGES),
        )
        return
    earlier: set[str] = set()
    for index, stage in enumerate(stages):
        at = f"{path}.stages[{index}]"
        yield from _field_faults(stage, at, framework, lacking, IMPLIED_OF_STAGES)
        yield from _required_faults(stage, at, framework, REQUIRED_OF_STAGES[framework])
        name = stage.get("name") or f"stage{index + 1}"
        if isinstance(name, str) and name in earlier:
            yield Fault(
                f"{at}.name",
                msg("scenario.application_validation.stages_named_twice", name=name),
            )
        after = stage.get("after")
        sources = after if isinstance(after, list) else []
        for place, source in enumerate(sources):
            if isinstance(source, str) and source not in earlier:
                yield Fault(
                    f"{at}.after[{place}]",
                    msg("scenario.application_validation.after_not_earlier", name=source),
                )
            elif source in sources[:place]:
                yield Fault(
                    f"{at}.after[{place}]",
                    msg("scenario.application_validation.after_twice", name=source),
                )
        if isinstance(name, str):
            earlier.add(name)


def _fetches(job: dict) -> bool:
    """Do tasks of its stages fetch the output of others?"""
    if framework_of(job) not in FETCHING:
        return False
    return any(stage.get("after") for stage in dict_list(job, "stages"))


def _physics_faults(cluster: Any, frameworks: set[str], fetches: bool) -> Iterator[Fault]:
    """fetches: tasks of stages do, whose fetching nothing slows."""
    if not isinstance(cluster, dict):
        return
    if fetches and cluster.get("contention") and cluster.get("fetch_weight"):
        yield Fault("cluster.fetch_weight", msg("scenario.application_validation.fetch_weight"))
    if cluster.get("failures") is not None:
        yield Fault("cluster.failures", msg("scenario.application_validation.failures"))
    if cluster.get("locality") is not None and not frameworks <= WITH_BLOCKS:
        yield Fault("cluster.locality", msg("scenario.application_validation.locality"))
