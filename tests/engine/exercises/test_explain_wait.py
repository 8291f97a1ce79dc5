"""Why a container waited: the engine's span and rule are right, of others it is told why not."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exercises import exercise as exercises
from engine.exercises.course import course_exercise
from engine.exercises.model import Exercise, Explain
from engine.exercises.question import AnswerError
from engine.exercises.reader import ExerciseError
from engine.exercises.waiting_rules import RULE_WORDS
from engine.explanation.wait_spans import OF_ORDER, span_json, wait_spans
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from tests.engine.exercises.answers import SCHEDULERS, all_answers, asked_on_run, malformed
from tests.engine.exercises.small_exercises import LARGE, exercise
from tests.examples import examples
from tests.phrases import phrase
from tests.strategies import BUSY, among, scenarios

WHICH = get_args(Explain.model_fields["which"].annotation)
REDUCING = {
    **LARGE,
    "reduces": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 5},
    "slowstart": 0.5,
}


def explained(container: str, which: str = "longest", **more: Any) -> Exercise:
    return exercise({"kind": "explain", "container": container, "which": which}, **more)


def said(asked: Exercise, **answer: str) -> str:
    verdict = exercises.check(asked, answer)
    assert not verdict.correct
    return " ".join((verdict.sentence, *verdict.details))


def test_of_one_span_the_rule_alone_is_asked_for() -> None:
    """The reduce is asked for when 4 of 8 maps have ended, at 20 s, and starts at once."""
    asked = explained("large/1/reduce/0", jobs=[REDUCING], schedulers=["fifo+slowstart"])
    (rules,) = exercises.question(asked).fields
    values = [choice.value for choice in rules.choices]
    assert values == [rule for rule in RULE_WORDS if rule in values] and len(values) >= 5
    assert exercises.check(asked, {"rule": "slow-start"}).correct
    assert said(asked, rule="room") == phrase("exercises.had_not_been_asked_for")
    assert exercises.solution(asked).answer.startswith(phrase("exercises.reduces_are_asked_for_after"))
    assert exercises.histogram_label(asked, {"rule": "room"}) == RULE_WORDS["room"]


def test_span_and_rule_are_judged_each_for_itself() -> None:
    """Four places: large has them until 20 s and again until 40 s, of which small waits for the latter as
    nothing was passed over then.
    """
    last = explained("small/1/map/1", "last")
    assert [choice.label for choice in exercises.question(last).fields[0].choices] == [
        "0:00 to 0:20",
        "0:20 to 0:40",
    ]
    assert exercises.check(last, {"span": "1", "rule": "room"}).correct
    assert said(last, span="0", rule="room") == phrase("exercises.rule_right_span_not", "0:00", "0:20")
    assert said(last, span="1", rule="heartbeat") == phrase("exercises.span_right_rule_not")
    assert said(last, span="0", rule="order") == phrase("exercises.neither_is_right", "0:00", "0:20")
    first = explained("small/1/map/1", "first")
    assert said(first, span="0", rule="room") == phrase("exercises.no_node_had_room_for_time")
    longest = explained("small/1/map/1")
    assert exercises.check(longest, {"span": "0", "rule": "order"}).correct
    assert exercises.check(longest, {"span": "1", "rule": "room"}).correct


def test_without_room_each_rule_has_its_own_sentence() -> None:
    asked = course_exercise("enough-but-no-room")
    assert asked is not None
    assert said(asked, rule="order") == phrase("exercises.no_room_for_order")
    assert said(asked, rule="heartbeat") == phrase("exercises.no_room_for_heartbeat")
    assert said(asked, rule="own-tasks") == phrase("exercises.no_room_for_own_tasks")
    assert said(asked, rule="room") == phrase("exercises.enough_in_all")


def test_what_did_not_wait_is_no_exercise() -> None:
    with pytest.raises(ExerciseError, match=phrase("exercises.started_as_soon_as")):
        exercises.check_exercise(explained("large/1/map/0"))
    with pytest.raises(ExerciseError, match=phrase("explanation.no_such_container")):
        exercises.check_exercise(explained("large/1/map/99"))


@examples(15, 200)
@given(scenarios(BUSY), among(*SCHEDULERS), st.integers(0, 1000), among(*WHICH), st.data())
def test_the_engine_s_rule_is_right_and_others_are_told_why_not(
    case: Scenario, scheduler: str, place: int, which: str, data: st.DataObject
) -> None:
    task = {"kind": "explain", "which": which}
    run, container, asked, question = asked_on_run(case, scheduler, place, task)
    spans = wait_spans(run, parse(scheduler), container).spans
    lengths = [span.end - span.start for span in spans]
    right = {"first": 0, "last": len(spans) - 1, "longest": lengths.index(max(lengths))}[which]
    answer = {"span": str(right), "rule": spans[right].rule.rule}
    verdict = exercises.check(asked, answer)
    assert verdict.correct and span_json(spans[right])["because"] in verdict.sentence
    assert exercises.solution(asked).answer == verdict.sentence
    assert len(question.fields[-1].choices) >= 5
    for other in all_answers(question):
        verdict = exercises.check(asked, other)
        span = spans[int(other.get("span", "0"))]
        is_longest = which == "longest" and span.end - span.start == max(lengths)
        if span != spans[right] and not is_longest:
            assert not verdict.correct
        elif span.rule.rule not in OF_ORDER:
            assert verdict.correct == (other["rule"] == span.rule.rule)
        assert verdict.sentence.endswith((".", "]"))
    with suppress(AnswerError):
        exercises.check(asked, data.draw(malformed(question)))
