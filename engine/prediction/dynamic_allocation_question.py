"""The question of Spark's dynamic allocation: other numbers, or it instead of a fixed number of executors."""

from __future__ import annotations

from typing import Any

from engine.experiments.executor_total import MAX_EXECUTORS
from engine.messages import msg
from engine.prediction.changed_executors import (
    DYNAMIC,
    SAME_TASKS,
    change_executors,
    choice_title,
    chosen_executors,
    executors_field,
    most_executors,
    spark_applications,
)
from engine.prediction.chosen_applications import Named, was
from engine.prediction.question import (
    Choice,
    Question,
    QuestionError,
    QuestionField,
    ScenarioChange,
    Values,
    require_choice,
)
from engine.scenario.applications import DynamicAllocation, Executors
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler

AS_NOW, KEPT, NOT_KEPT = "now", "yes", "no"
MAX_TIMEOUT_S = 1_000_000
NEED_NO_INSTANCES = msg("prediction.dynamic_allocation_question.need_no_instances")
# Of DynamicAllocation: name, unit and limits; Spark takes whole seconds.
NUMBERS = {
    "maximum": (msg("prediction.dynamic_allocation_question.maximum"), "executors", 1, MAX_EXECUTORS),
    "minimum": (msg("prediction.dynamic_allocation_question.minimum"), "executors", 0, MAX_EXECUTORS),
    "initial": (msg("prediction.dynamic_allocation_question.initial"), "executors", 0, MAX_EXECUTORS),
    "idle_s": (msg("prediction.dynamic_allocation_question.idle"), "s", 0, MAX_TIMEOUT_S),
    "backlog_s": (msg("prediction.dynamic_allocation_question.backlog"), "s", 1, MAX_TIMEOUT_S),
    "sustained_backlog_s": (
        msg("prediction.dynamic_allocation_question.sustained_backlog"),
        "s",
        1,
        MAX_TIMEOUT_S,
    ),
    "ratio": (msg("prediction.dynamic_allocation_question.ratio"), "", 0.001, 1),
}


def _now(dynamic: DynamicAllocation, key: str) -> float | None:
    """One of its numbers, None for no limit."""
    if key == "initial":
        return dynamic.initial_count
    value = getattr(dynamic, key)
    return dynamic.backlog_s if key == "sustained_backlog_s" and value is None else value


def _fields(scenario: Scenario, scheduler: Scheduler) -> tuple[QuestionField, ...]:
    named = spark_applications(scenario)
    application = executors_field(named, DYNAMIC)
    picked = chosen_executors(named, str(application.default))
    most = max(most_executors(scenario, executors) for _, executors in picked.values())
    dynamics = [executors.dynamic or DynamicAllocation() for _, executors in picked.values()]
    least = max(dynamic.initial_count for dynamic in dynamics)
    maximum = most // 2 if most // 2 >= max(1, least) else 2 * most
    numbers = [
        QuestionField(
            key,
            name,
            unit,
            maximum if key == "maximum" else "",
            low,
            high,
            whole=key != "ratio",
            empty=was(_now(dynamic, key) for dynamic in dynamics),
            # who asks about another number asks about that alone
            unless=(*NUMBERS, "tracking") if key == "maximum" else (),
        )
        for key, (name, unit, low, high) in NUMBERS.items()
    ]
    kept = (
        Choice(AS_NOW, msg("prediction.changed_executors.as_now")),
        Choice(KEPT, msg("prediction.dynamic_allocation_question.tracking")),
        Choice(NOT_KEPT, msg("prediction.dynamic_allocation_question.no_tracking")),
    )
    with_output = msg("prediction.dynamic_allocation_question.with_output")
    tracking = QuestionField("tracking", with_output, "", AS_NOW, choices=kept)
    return application, *numbers, tracking


def _change(scenario: Scenario, scheduler: Scheduler, values: Values) -> ScenarioChange:
    named = spark_applications(scenario)
    picked = chosen_executors(named, values["application"])
    tracking = require_choice(
        values["tracking"],
        (AS_NOW, KEPT, NOT_KEPT),
        msg("prediction.dynamic_allocation_question.choice_of_tracking"),
    )
    own = {key: values[key] for key in NUMBERS if values[key] != ""}
    if tracking != AS_NOW:
        own["shuffle_tracking"] = tracking == KEPT
    before = [executors.dynamic for _, executors in picked.values()]
    phrases = _phrases(picked, own)
    if not phrases:
        raise QuestionError(msg("prediction.changed_executors.nothing_changes"))

    def allocated(executors: Executors) -> Executors:
        after = (executors.dynamic or DynamicAllocation()).model_copy(update=own)
        if after.maximum is not None and after.initial_count > after.maximum:
            raise QuestionError(
                msg(
                    "prediction.dynamic_allocation_question.maximum_too_small",
                    least=after.initial_count,
                    maximum=after.maximum,
                )
            )
        return executors.model_copy(update={"count": None, "dynamic": after})

    stays = {(dynamic or DynamicAllocation()).shuffle_tracking for dynamic in before}
    if own.get("shuffle_tracking", True in stays):
        output = msg("prediction.dynamic_allocation_question.output_keeps_executors")
    else:
        output = msg("prediction.dynamic_allocation_question.output_is_kept_elsewhere")
    caveats = (output, *([NEED_NO_INSTANCES] if None in before else []), SAME_TASKS)
    text = f"{choice_title(named, values['application'])}: {', '.join(phrases)}"
    return change_executors(scenario, scheduler, picked, allocated, text, caveats)


def _phrases(picked: Named[Executors], own: dict[str, Any]) -> list[str]:
    """What of dynamic allocation changes, of those that have it already, and that others get it."""
    dynamics = [executors.dynamic for _, executors in picked.values() if executors.dynamic]
    fixed = [executors.initial_count for _, executors in picked.values() if not executors.dynamic]
    phrases = []
    if fixed:
        phrases.append(msg("prediction.dynamic_allocation_question.dynamic_instead", was=was(fixed)))
    for key, (name, unit, *_) in NUMBERS.items():
        if key not in own:
            continue
        before = [_now(dynamic, key) for dynamic in dynamics]
        ending = f" {unit}" if unit == "s" else ""
        value = f"{name[:1].lower()}{name[1:]} {was([own[key]], ending)}"
        if set(before) - {own[key]}:
            value = msg("prediction.changed_executors.instead", value=value, was=was(before, ending))
        elif dynamics and not fixed:
            continue
        phrases.append(value)
    tracking = own.get("shuffle_tracking")
    if tracking is not None and (fixed or any(one.shuffle_tracking != tracking for one in dynamics)):
        phrases.append(
            msg("prediction.dynamic_allocation_question.with_tracking")
            if tracking
            else msg("prediction.dynamic_allocation_question.without_tracking")
        )
    return phrases


ALLOCATION = Question(
    "dynamic",
    msg("shared.dynamic_allocation"),
    msg("prediction.dynamic_allocation_question.what_does_it_do"),
    _fields,
    _change,
    "spark",
)
