"""Questions of a cluster on which Tez runs: what its containers are kept for, and what that does to the
others.
"""

from __future__ import annotations

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
from engine.scenario.applications import HeldContainers
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler

USED_AGAIN, NOT_USED_AGAIN = "yes", "no"
MAX_IDLE_S = 1e6
LONG_S = 60.0  # what is offered where containers are kept for less; else Tez's defaults
ALL_OF_TEZ = msg("prediction.held_container_questions.all")


def _applications(scenario: Scenario) -> Named[HeldContainers]:
    found = {
        index: (job.name or f"job{index + 1}", job.held_containers)
        for index, job in enumerate(scenario.jobs)
        if job.held_containers
    }
    if not found:
        raise QuestionError(msg("prediction.held_container_questions.none_of_tez"))
    return found


def _reused(scenario: Scenario) -> Named[HeldContainers]:
    """Those whose containers are used again: others keep none."""
    found = {index: one for index, one in _applications(scenario).items() if one[1].reuse}
    if not found:
        raise QuestionError(msg("prediction.held_container_questions.none_reused"))
    return found


def _chosen(named: Named[HeldContainers], values: Values) -> Named[HeldContainers]:
    return chosen(named, values["application"], msg("shared.tez_application"))


def _changed(scenario: Scenario, picked: Named[HeldContainers], own: dict[str, Any]) -> dict[str, Any]:
    """The scenario's JSON values with these fields of the containers of those."""
    plain = without_record(scenario)
    plain["jobs"] = [
        {**job, "containers": {**(job.get("containers") or {}), **own}} if index in picked else job
        for index, job in enumerate(plain["jobs"])
    ]
    return plain


def _reuse_fields(scenario: Scenario, scheduler: Scheduler) -> tuple[QuestionField, ...]:
    named = _applications(scenario)
    choices = (
        Choice(USED_AGAIN, msg("prediction.held_container_questions.used_again")),
        Choice(NOT_USED_AGAIN, msg("prediction.held_container_questions.not_used_again")),
    )
    default = NOT_USED_AGAIN if all(held.reuse for _, held in named.values()) else USED_AGAIN
    own = msg("prediction.held_container_questions.containers")
    return application_field(named, ALL_OF_TEZ), QuestionField("reuse", own, "", default, choices=choices)


def _change_reuse(scenario: Scenario, scheduler: Scheduler, values: Values) -> ScenarioChange:
    picked = _chosen(_applications(scenario), values)
    what = msg("prediction.held_container_questions.choice_of_reuse")
    reuse = require_choice(values["reuse"], (USED_AGAIN, NOT_USED_AGAIN), what) == USED_AGAIN
    application = title(values["application"], ALL_OF_TEZ)
    if reuse:
        text = msg("prediction.held_container_questions.with_reuse", application=application)
    else:
        text = msg("prediction.held_container_questions.without_reuse", application=application)
    caveat = msg("prediction.held_container_questions.set_by", name="tez.am.container.reuse.enabled")
    return ScenarioChange(_changed(scenario, picked, {"reuse": reuse}), scheduler, text, (caveat,))


def _idle_fields(scenario: Scenario, scheduler: Scheduler) -> tuple[QuestionField, ...]:
    named = _reused(scenario)
    default = HeldContainers()
    is_long = max(held.idle_maximum_s for _, held in named.values()) >= LONG_S
    least, most = (default.idle_minimum_s, default.idle_maximum_s) if is_long else (LONG_S, LONG_S)
    return (
        application_field(named, ALL_OF_TEZ),
        QuestionField(
            "least_s", msg("prediction.held_container_questions.at_least"), "s", least, 0, MAX_IDLE_S
        ),
        QuestionField("most_s", msg("prediction.held_container_questions.at_most"), "s", most, 0, MAX_IDLE_S),
    )


def _change_idle(scenario: Scenario, scheduler: Scheduler, values: Values) -> ScenarioChange:
    picked, least, most = _chosen(_reused(scenario), values), values["least_s"], values["most_s"]
    if most < least:
        raise QuestionError(
            msg(
                "prediction.held_container_questions.most_is_less",
                most=quantities.number(most, exact=True),
                least=quantities.number(least, exact=True),
            )
        )
    text = msg(
        "prediction.held_container_questions.kept_instead",
        application=title(values["application"], ALL_OF_TEZ),
        kept=was((least, most), " s"),
        was=was(
            [time for _, held in picked.values() for time in (held.idle_minimum_s, held.idle_maximum_s)], " s"
        ),
    )
    caveat = msg(
        "prediction.held_container_questions.set_by",
        name="tez.am.container.idle.release-timeout-min.millis",
    )
    own = {"idle_minimum_s": least, "idle_maximum_s": most}
    return ScenarioChange(_changed(scenario, picked, own), scheduler, text, (caveat,))


REUSE = Question(
    "reuse",
    msg("prediction.held_container_questions.reuse_of_containers"),
    msg("prediction.held_container_questions.what_does_reuse_do"),
    _reuse_fields,
    _change_reuse,
    "tez",
)
KEPT = Question(
    "kept",
    msg("prediction.held_container_questions.idle_containers"),
    msg("prediction.held_container_questions.who_gains_when_kept_longer"),
    _idle_fields,
    _change_idle,
    "tez",
)
