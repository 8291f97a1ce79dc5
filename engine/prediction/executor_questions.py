"""Questions of a mixed cluster: what Spark applications hold, and what that does to the others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine import quantities
from engine.messages import msg
from engine.prediction.chosen_applications import Named, application_field, chosen, title, was
from engine.prediction.question import (
    Choice,
    Question,
    QuestionError,
    QuestionField,
    ScenarioChange,
    Values,
    require_choice,
    without_record,
)
from engine.scenario.applications import MAX_SLOTS, Executors
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler

KEPT, NOT_KEPT = "yes", "no"
MAX_EXECUTORS, MAX_IDLE_S = 1_000_000, 1e6
BY_APPLICATION = msg("prediction.executor_questions.by_application")
OTHER_SIZE = msg("prediction.executor_questions.other_size")
ALL_OF_SPARK = msg("prediction.executor_questions.all")


def _applications(scenario: Scenario) -> Named[Executors]:
    """Name and executors of each Spark application, by its index in the file."""
    return {
        index: (job.name or f"job{index + 1}", job.executors)
        for index, job in enumerate(scenario.jobs)
        if job.is_spark and job.executors
    }


def _dynamic(scenario: Scenario) -> Named[Executors]:
    """Those whose executors are allocated dynamically; QuestionError without one."""
    found = {index: one for index, one in _applications(scenario).items() if one[1].dynamic}
    if not found:
        raise QuestionError(msg("prediction.executor_questions.none_dynamic"))
    return found


def _chosen(named: Named[Executors], choice: str) -> Named[Executors]:
    return chosen(named, choice, msg("shared.spark_application"))


def _changed(
    scenario: Scenario, picked: Named[Executors], change: Callable[[dict, Executors], dict]
) -> dict[str, Any]:
    """The scenario's JSON values with the executors of the chosen ones changed."""
    plain = without_record(scenario)
    plain["jobs"] = [
        {**job, "executors": change(job["executors"], picked[index][1])} if index in picked else job
        for index, job in enumerate(plain["jobs"])
    ]
    return plain


def _fitting(scenario: Scenario, executors: Executors) -> int:
    """How many of its executors the cluster can hold at once, beside nothing else."""
    size = executors.container
    return sum(
        node.count * min(node.memory_mb // size.memory_mb, node.vcores // size.vcores)
        for node in scenario.cluster.nodes
    )


def _maximum_fields(scenario: Scenario, scheduler: Scheduler) -> tuple[QuestionField, ...]:
    named = _dynamic(scenario)
    now = [
        one.dynamic.maximum or _fitting(scenario, one) for _, one in named.values() if one.dynamic is not None
    ]
    return (
        application_field(named, ALL_OF_SPARK),
        QuestionField(
            "maximum",
            msg("prediction.executor_questions.maximum"),
            "executors",
            max(1, max(now) // 2),
            1,
            MAX_EXECUTORS,
            whole=True,
        ),
    )


def _change_maximum(scenario: Scenario, scheduler: Scheduler, values: Values) -> ScenarioChange:
    picked, maximum = _chosen(_dynamic(scenario), values["application"]), values["maximum"]
    dynamics = [one.dynamic for _, one in picked.values() if one.dynamic]
    if (least := max(dynamic.initial_count for dynamic in dynamics)) > maximum:
        raise QuestionError(
            msg("prediction.executor_questions.maximum_too_small", least=least, maximum=maximum)
        )
    plain = _changed(
        scenario, picked, lambda plain, _: {**plain, "dynamic": {**plain["dynamic"], "maximum": maximum}}
    )
    text = msg(
        "prediction.executor_questions.at_most",
        application=title(values["application"], ALL_OF_SPARK),
        maximum=quantities.count(maximum, "executors"),
        was=was(dynamic.maximum for dynamic in dynamics),
    )
    caveat = msg("prediction.executor_questions.set_by", name="spark.dynamicAllocation.maxExecutors")
    return ScenarioChange(plain, scheduler, text, (caveat, BY_APPLICATION))


def _idle_fields(scenario: Scenario, scheduler: Scheduler) -> tuple[QuestionField, ...]:
    named = _dynamic(scenario)
    dynamics = [one.dynamic for _, one in named.values() if one.dynamic]
    tracked = any(dynamic.shuffle_tracking for dynamic in dynamics)
    kept = (
        Choice(KEPT, msg("prediction.executor_questions.tracking")),
        Choice(NOT_KEPT, msg("prediction.executor_questions.no_tracking")),
    )
    return (
        application_field(named, ALL_OF_SPARK),
        QuestionField(
            "idle_s",
            msg("prediction.executor_questions.idle"),
            "s",
            10.0 if max(dynamic.idle_s for dynamic in dynamics) > 10 else 60.0,
            0,
            MAX_IDLE_S,
        ),
        QuestionField(
            "tracking",
            msg("prediction.executor_questions.with_output"),
            "",
            KEPT if tracked else NOT_KEPT,
            choices=kept,
        ),
    )


def _change_idle(scenario: Scenario, scheduler: Scheduler, values: Values) -> ScenarioChange:
    picked, idle_s = _chosen(_dynamic(scenario), values["application"]), values["idle_s"]
    is_kept = (
        require_choice(
            values["tracking"], (KEPT, NOT_KEPT), msg("prediction.executor_questions.choice_of_tracking")
        )
        == KEPT
    )
    dynamics = [one.dynamic for _, one in picked.values() if one.dynamic]
    own = {"idle_s": idle_s, "shuffle_tracking": is_kept}
    plain = _changed(scenario, picked, lambda plain, _: {**plain, "dynamic": {**plain["dynamic"], **own}})
    text = msg(
        "prediction.executor_questions.idle_instead",
        application=title(values["application"], ALL_OF_SPARK),
        idle=f"{quantities.number(idle_s, exact=True)} s",
        was=was((dynamic.idle_s for dynamic in dynamics), " s"),
    )
    if any(dynamic.shuffle_tracking != is_kept for dynamic in dynamics):
        text += (
            msg("prediction.executor_questions.with_tracking")
            if is_kept
            else msg("prediction.executor_questions.without_tracking")
        )
    says = (
        msg("prediction.executor_questions.output_keeps_executors")
        if is_kept
        else msg("prediction.executor_questions.output_is_kept_elsewhere")
    )
    caveat = msg("prediction.executor_questions.set_by", name="spark.dynamicAllocation.executorIdleTimeout")
    return ScenarioChange(plain, scheduler, text, (says, caveat, BY_APPLICATION))


def _largest(scenario: Scenario, executors: Executors) -> int:
    """The most vcores that an executor may have with memory in proportion."""
    limits = [(node.memory_mb, node.vcores) for node in scenario.cluster.nodes]
    if allocation := scenario.cluster.allocation:
        maximum = allocation.maximum
        limits = [(min(memory, maximum.memory_mb), min(vcores, maximum.vcores)) for memory, vcores in limits]
    size = executors.container
    largest = max(min(vcores, memory * size.vcores // size.memory_mb) for memory, vcores in limits)
    return min(largest, MAX_SLOTS * size.vcores // executors.tasks_at_once)


def _size_fields(scenario: Scenario, scheduler: Scheduler) -> tuple[QuestionField, ...]:
    named = _applications(scenario)
    if not named:
        raise QuestionError(msg("prediction.executor_questions.none_spark"))
    now = max(executors.vcores for _, executors in named.values())
    largest = min(_largest(scenario, executors) for _, executors in named.values())
    if largest < 2:
        raise QuestionError(msg("prediction.executor_questions.none_larger"))
    default = 2 * now if 2 * now <= largest else max(1, now // 2)
    vcores_title = msg("prediction.executor_questions.vcores_of_an_executor")
    vcores = QuestionField("vcores", vcores_title, "vcores", default, 1, largest, whole=True)
    return application_field(named, ALL_OF_SPARK), vcores


def _change_size(scenario: Scenario, scheduler: Scheduler, values: Values) -> ScenarioChange:
    picked, vcores = _chosen(_applications(scenario), values["application"]), values["vcores"]

    def resized(plain: dict, executors: Executors) -> dict:
        was = executors.vcores
        scaled = {
            "memory_mb": executors.memory_mb,
            "memory_overhead_mb": executors.container.memory_mb - executors.memory_mb,
            "slots": executors.tasks_at_once,
        }
        sizes = {"vcores": vcores} | {key: max(1, value * vcores // was) for key, value in scaled.items()}
        if not executors.dynamic:
            return {**plain, **sizes, "count": math.ceil(executors.initial_count * was / vcores)}
        numbers = {
            key: math.ceil(value * was / vcores)
            for key, value in plain["dynamic"].items()
            if key in ("minimum", "initial", "maximum") and value
        }
        return {**plain, **sizes, "dynamic": {**plain["dynamic"], **numbers}}

    text = msg(
        "prediction.executor_questions.other_size_instead",
        application=title(values["application"], ALL_OF_SPARK),
        vcores=quantities.vcores(vcores),
        was=was(executors.vcores for _, executors in picked.values()),
    )
    return ScenarioChange(_changed(scenario, picked, resized), scheduler, text, (OTHER_SIZE, BY_APPLICATION))


MAXIMUM = Question(
    "maximum",
    msg("prediction.executor_questions.maximum"),
    msg("prediction.executor_questions.what_does_a_maximum_do"),
    _maximum_fields,
    _change_maximum,
    "spark",
)
IDLE = Question(
    "idle",
    msg("prediction.executor_questions.idle_timeout"),
    msg("prediction.executor_questions.what_does_an_idle_timeout_do"),
    _idle_fields,
    _change_idle,
    "spark",
)
SIZE = Question(
    "executors",
    msg("prediction.executor_questions.size_of_executors"),
    msg("prediction.executor_questions.as_many_or_fewer_and_larger"),
    _size_fields,
    _change_size,
    "spark",
)
