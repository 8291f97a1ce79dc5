"""The executors of Spark applications as a question changes them, and the properties that say so."""

from __future__ import annotations

from collections.abc import Callable

from engine import quantities
from engine.experiments.executor_total import room_for
from engine.messages import msg
from engine.output.spark_defaults import executor_properties, times_that_spark_cuts
from engine.prediction.chosen_applications import ALL, Named, Parts, application_field, chosen, title
from engine.prediction.question import QuestionError, QuestionField, ScenarioChange, without_record
from engine.scenario.applications import ContainerRequest, Executors
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler

FIXED, DYNAMIC = "fixed", "dynamic"
ALL_OF_SPARK = msg("prediction.changed_executors.all")
BY_APPLICATION = msg("prediction.changed_executors.by_application")
SAME_TASKS = msg("prediction.changed_executors.same_tasks")


def spark_applications(scenario: Scenario) -> Named[Executors]:
    """Name and executors of each Spark application, by its index in the file; QuestionError without one."""
    named = {
        index: (job.name or f"job{index + 1}", job.executors)
        for index, job in enumerate(scenario.jobs)
        if job.is_spark and job.executors
    }
    if not named:
        raise QuestionError(msg("prediction.changed_executors.none_spark"))
    return named


def by_allocation(named: Named[Executors]) -> Parts:
    """Those of a fixed number and those that allocate dynamically, where both are there."""
    dynamic = [index for index, (_, executors) in named.items() if executors.dynamic]
    if len(dynamic) in (0, len(named)):
        return {}
    return {
        FIXED: (msg("prediction.changed_executors.all_fixed"), sorted(named.keys() - set(dynamic))),
        DYNAMIC: (msg("prediction.changed_executors.all_dynamic"), dynamic),
    }


def executors_field(named: Named[Executors], default: str = ALL) -> QuestionField:
    """Whose executors; default: FIXED or DYNAMIC, where not all are."""
    return application_field(named, ALL_OF_SPARK, by_allocation(named), default)


def chosen_executors(named: Named[Executors], choice: str) -> Named[Executors]:
    """Those that are chosen; QuestionError for none of them."""
    return chosen(named, choice, msg("shared.spark_application"), by_allocation(named))


def choice_title(named: Named[Executors], choice: str) -> str:
    """What is chosen, in words."""
    return title(choice, ALL_OF_SPARK, by_allocation(named))


def change_executors(
    scenario: Scenario,
    scheduler: Scheduler,
    picked: Named[Executors],
    changed: Callable[[Executors], Executors],
    text: str,
    caveats: tuple[str, ...],
) -> ScenarioChange:
    """The scenario with the executors of the chosen ones changed, and the properties that say so;
    QuestionError for one that Spark would read as another time.
    """
    plain = without_record(scenario)
    jobs, after = list(plain["jobs"]), {}
    differing: dict[str, None] = {}
    beyond_room: list[str] = []
    for index, (name, before) in picked.items():
        executors = changed(before)
        beyond_room += _beyond_room(scenario, name, executors)
        jobs[index] = {**jobs[index], "executors": executors.model_dump(exclude_defaults=True)}
        properties, after[name] = executor_properties(before), executor_properties(executors)
        differing |= {key: None for key, value in after[name].items() if properties.get(key) != value}
    spark = {
        name: {key: properties[key] for key in differing if key in properties}
        for name, properties in after.items()
    }
    for name, own in spark.items():
        for key, value in times_that_spark_cuts(own).items():
            raise QuestionError(
                msg("prediction.changed_executors.whole_seconds", name=name, property=key, value=value)
            )
    says = (*beyond_room[:1], *caveats, BY_APPLICATION)
    return ScenarioChange({**plain, "jobs": jobs}, scheduler, text, says, spark=spark)


def _beyond_room(scenario: Scenario, name: str, executors: Executors) -> list[str]:
    """That the nodes can't hold as many executors as it asks for whatever it runs, where that is so."""
    room = room_for(scenario, executors)
    if executors.initial_count <= room:
        return []
    held = quantities.count(room, "executors")
    return [msg("prediction.changed_executors.beyond_room", name=name, held=held)]


def largest_containers(scenario: Scenario) -> list[ContainerRequest]:
    """The largest container on each kind of node."""
    limits = [
        ContainerRequest(memory_mb=node.memory_mb, vcores=node.vcores) for node in scenario.cluster.nodes
    ]
    if allocation := scenario.cluster.allocation:
        maximum = allocation.maximum
        limits = [
            ContainerRequest(
                memory_mb=min(limit.memory_mb, maximum.memory_mb), vcores=min(limit.vcores, maximum.vcores)
            )
            for limit in limits
        ]
    return limits


def fits(scenario: Scenario, executors: Executors) -> bool:
    """Is there a node on which one of its executors may run?"""
    size = executors.container
    return any(
        size.memory_mb <= limit.memory_mb and size.vcores <= limit.vcores
        for limit in largest_containers(scenario)
    )


def most_executors(scenario: Scenario, executors: Executors) -> int:
    """The most that it may have at once."""
    if executors.dynamic:
        return executors.dynamic.maximum or room_for(scenario, executors)
    return executors.initial_count
