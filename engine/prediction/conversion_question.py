"""The question of the other scheduler of Hadoop's: FairScheduler's configuration converted to
CapacityScheduler's as fs2cs does, or the other way round, on the same jobs.
"""

from __future__ import annotations

from engine.conversion.conversion_rule import Outcome, rule_sentences
from engine.conversion.scheduler_conversion import CAPACITY_ORDER, FAIR_ORDERS, convert_scheduler
from engine.errors import FormatError
from engine.messages import msg
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
from engine.prediction.queue_questions import OTHER_SCHEDULER
from engine.scenario.configuration.configuration_reader import CAPACITY_XML, FAIR_XML, SITE_XML
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler

WEIGHTS, PERCENTAGES = "weights", "percentages"
CAPACITIES = (
    Choice(WEIGHTS, msg("prediction.conversion_question.weights")),
    Choice(PERCENTAGES, msg("prediction.conversion_question.percentages")),
)


def _fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    if _is_fair(chosen):
        title = msg("prediction.conversion_question.capacities")
        return (QuestionField("capacities", title, "", WEIGHTS, choices=CAPACITIES),)
    return ()


def _is_fair(chosen: Scheduler) -> bool:
    """QuestionError under a scheduler that is none of the two."""
    order = chosen.order.policy.name
    if order not in (*FAIR_ORDERS, CAPACITY_ORDER):
        raise QuestionError(msg("prediction.conversion_question.neither", order=order))
    return order in FAIR_ORDERS


def _convert(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    is_fair = _is_fair(chosen)
    kind = require_choice(values.get("capacities", WEIGHTS), [WEIGHTS, PERCENTAGES], "kind of capacities")
    try:
        converted = convert_scheduler(scenario, chosen, kind == PERCENTAGES)
    except FormatError as error:
        raise QuestionError(str(error)) from None
    told = rule_sentences(rule for rule in converted.rules if rule.outcome != Outcome.CONVERTED)
    title = (
        msg("prediction.conversion_question.to_capacity", kind=kind)
        if is_fair
        else msg("prediction.conversion_question.to_fair")
    )
    return ScenarioChange(
        without_record(converted.scenario),
        converted.scheduler,
        title,
        (*told, OTHER_SCHEDULER),
        files=(CAPACITY_XML if is_fair else FAIR_XML, SITE_XML),
    )


CONVERSION = Question(
    "convert",
    msg("prediction.conversion_question.hadoops_other_scheduler"),
    msg("prediction.conversion_question.who_gains_with_other"),
    _fields,
    _convert,
)
