"""Why a container waited: the student chooses the span of its wait, and the rule that held it back then."""

from __future__ import annotations

from typing import NamedTuple

from engine import quantities
from engine.codes import INFINITE, NONE
from engine.errors import GantryError
from engine.exercises.decision import KIND_NAMES
from engine.exercises.model import Exercise, Explain
from engine.exercises.question import Answer, Choice, Field, Question, Simulate, Verdict, choice_of
from engine.exercises.reader import ExerciseError
from engine.exercises.waiting_rules import RULE_WORDS, offered_rules, why_not
from engine.explanation.container_names import ContainerName
from engine.explanation.observed_run import run_until
from engine.explanation.wait_spans import OF_ORDER, OF_ROOM, span_json, wait_spans
from engine.messages import msg
from engine.schedulers.labels import display_name
from engine.schedulers.scheduler import Scheduler, parse
from engine.simulation.run import Run
from engine.simulation.simulate import moment_of
from engine.simulation.waiting.rule import WaitSpan

SPAN, RULE = "span", "rule"


class _Wait(NamedTuple):
    """right: the indices of the spans that are the one asked for: several are longest where they tie."""

    run: Run
    scheduler: Scheduler
    container: str
    spans: list[WaitSpan]
    right: list[int]


def question(exercise: Exercise, simulate: Simulate) -> Question:
    """The span, where there are several, and the rule. Raises ExerciseError where there is no such container,
    or it did not wait.
    """
    wait, task = _wait(exercise, simulate), _task(exercise)
    texts = {"container": wait.container, "scheduler": display_name(exercise.schedulers[task.scheduler])}
    texts |= {"kind": KIND_NAMES[_kind(wait)], "job": wait.container.split("/")[0]}
    if len(wait.spans) == 1:
        prompt = msg("exercises.explain_wait.only_span", **texts)
    else:
        prompt = msg("exercises.explain_wait.which_span", which=WHICH[task.which], **texts)
    return Question(prompt, _fields(wait))


def check(exercise: Exercise, answer: Answer, simulate: Simulate) -> Verdict:
    """Says of span and rule separately whether they are right."""
    wait = _wait(exercise, simulate)
    values = {field.key: choice_of(answer, field) for field in _fields(wait)}
    place, rule = int(values.get(SPAN, "0")), values[RULE]
    shown = (exercise.checked_scenario, tuple(exercise.schedulers))
    # where spans tie, the rule is that of the one that was chosen
    right = wait.spans[place if place in wait.right else wait.right[0]]
    span_fault = "" if place in wait.right else _not_the_span(wait, place, _task(exercise).which)
    rule_fault = "" if rule in _right_rules(wait, right) else _not_the_rule(wait, right, rule, place)
    if not span_fault and not rule_fault:
        return Verdict(True, _sentence(right), *shown)
    if not rule_fault:
        return Verdict(False, msg("exercises.explain_wait.rule_is_right", fault=span_fault), *shown)
    if not span_fault and len(wait.spans) > 1:
        return Verdict(False, msg("exercises.explain_wait.span_is_right", fault=rule_fault), *shown)
    if not span_fault:
        return Verdict(False, rule_fault, *shown)
    return Verdict(False, msg("exercises.explain_wait.neither", fault=span_fault), *shown, (rule_fault,))


def solve(exercise: Exercise, simulate: Simulate) -> tuple[str, tuple[str, ...]]:
    """The engine's sentence of the span, and those of all spans where there are several."""
    wait = _wait(exercise, simulate)
    told = tuple(_sentence(span) for span in wait.spans)
    return told[wait.right[0]], told if len(told) > 1 else ()


def label(exercise: Exercise, answer: Answer) -> str:
    """The rule, in words."""
    rule = str(answer.get(RULE))
    return RULE_WORDS.get(rule, rule)


WHICH = {
    "longest": msg("exercises.explain_wait.longest"),
    "first": msg("exercises.explain_wait.first"),
    "last": msg("exercises.explain_wait.last"),
}


def _task(exercise: Exercise) -> Explain:
    assert isinstance(exercise.task, Explain)
    return exercise.task


def _wait(exercise: Exercise, simulate: Simulate) -> _Wait:
    task = _task(exercise)
    name = exercise.schedulers[task.scheduler]
    scheduler = parse(name)
    run = simulate(exercise.checked_scenario, name)
    try:
        wait = wait_spans(run, scheduler, task.container)
    except GantryError as error:
        raise ExerciseError(msg("exercises.explain_wait.no_container", error=error)) from None
    if not wait.spans:
        raise ExerciseError(msg("exercises.explain_wait.did_not_wait", container=wait.container))
    lengths = [_length(span) for span in wait.spans]
    right = {
        "longest": [place for place, length in enumerate(lengths) if length == max(lengths)],
        "first": [0],
        "last": [len(lengths) - 1],
    }
    return _Wait(run, scheduler, wait.container, wait.spans, right[task.which])


def _fields(wait: _Wait) -> tuple[Field, ...]:
    spans = tuple(Choice(str(place), _times(span), _duration(span)) for place, span in enumerate(wait.spans))
    held = {span.rule.rule for span in wait.spans}
    rules = offered_rules(wait.run, wait.scheduler, _kind(wait), held)
    rule_field = Field(
        RULE, msg("exercises.explain_wait.rule"), tuple(Choice(rule, RULE_WORDS[rule]) for rule in rules)
    )
    if len(spans) == 1:
        return (rule_field,)
    return Field(SPAN, msg("exercises.explain_wait.span"), spans), rule_field


def _kind(wait: _Wait) -> int:
    return ContainerName.of(wait.run, wait.container).kind


def _length(span: WaitSpan) -> int:
    return (INFINITE if span.end == NONE else span.end) - span.start


def _times(span: WaitSpan) -> str:
    begin = quantities.moment(span.start)
    if span.end == NONE:
        return msg("exercises.explain_wait.since", begin=begin)
    return msg("exercises.explain_wait.from_to", begin=begin, end=quantities.moment(span.end))


def _duration(span: WaitSpan) -> str:
    if span.end == NONE:
        return msg("exercises.explain_wait.for_ever")
    return quantities.duration(_length(span), exact=True)


def _sentence(span: WaitSpan) -> str:
    text = span_json(span)["text"]
    return f"{text[0].upper()}{text[1:]}."


def _not_the_span(wait: _Wait, place: int, which: str) -> str:
    """How this span differs from the one asked for."""
    mine, right = wait.spans[place], wait.spans[wait.right[0]]
    if which == "longest":
        return msg(
            "exercises.explain_wait.not_longest",
            span=_times(mine),
            mine=_duration(mine),
            longest=_duration(right),
        )
    return msg(
        "exercises.explain_wait.not_at_this_end",
        mine=quantities.moment(mine.start),
        which=WHICH[which],
        right=quantities.moment(right.start),
    )


def _right_rules(wait: _Wait, right: WaitSpan) -> set[str]:
    """The rule of the span; of an order's, which may go to several jobs in turn, both of its rules where
    tasks of its own job and of others were placed in it.
    """
    if right.rule.rule not in OF_ORDER:
        return {right.rule.rule}
    c, name = wait.run.containers, ContainerName.of(wait.run, wait.container)
    placed = (c.start >= right.start) & (c.start <= (INFINITE if right.end == NONE else right.end))
    placed &= ~((c.job == name.job) & (c.kind == name.kind) & (c.index == name.task))
    is_own = c.job[placed] == name.job
    return {
        right.rule.rule,
        *(["own-tasks"] if is_own.any() else []),
        *(["order"] if (~is_own).any() else []),
    }


def _not_the_rule(wait: _Wait, right: WaitSpan, rule: str, place: int) -> str:
    """Why this rule did not hold it in the span asked for. An order's span goes on while no node has room.
    place: of the span that was chosen.
    """
    if right.rule.rule in OF_ORDER and rule in OF_ROOM:
        return msg("exercises.explain_wait.order_decided")
    if wait.spans[place].rule.rule == rule:
        return msg("exercises.explain_wait.in_this_span", rule=RULE_WORDS[rule])
    other = next((span for span in wait.spans if span.rule.rule == rule), None)
    if other is not None:
        return msg("exercises.explain_wait.in_another_span", span=_times(other), rule=RULE_WORDS[rule])
    name = ContainerName.of(wait.run, wait.container)
    prepared, _ = run_until(wait.run, wait.scheduler, right.start + 1)
    request = name.request(prepared.work)
    return why_not(moment_of(prepared), request, rule)
