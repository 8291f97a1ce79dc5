"""What an exercise's page asks for: its charts, a check of an answer, the answer.

Plain routes, so that the scripts put the focus on what is said, and nothing of the answer is on the page
before it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dash import Dash

from engine import GantryError, Scenario
from engine.dashboard import (
    Exercise,
    Solution,
    Verdict,
    check,
    exercise_of_values,
    histogram_label,
    question,
    solution,
)
from webapp.classroom.shared_exercises import exercise_of_name
from webapp.messages import msg
from webapp.panels.exercises import exercise_charts
from webapp.panels.exercises.bounded_runs import bounded_run
from webapp.panels.exercises.exercise_charts import Look
from webapp.panels.exercises.exercise_store import note_shown, record_answer
from webapp.panels.exercises.json_routes import Answer, add_routes
from webapp.panels.papers import static_charts

ADDRESS = "exercise"
MAX_WORDS = 300  # letters of one of an answer's values
MAX_FIELDS = 40
MAX_NUMBER = 1e15


def register(app: Dash) -> None:
    """The addresses; each answers in JSON, what can't be answered with a sentence under `error`."""
    answers = {"charts": charts, "check": checked, "solution": solved}
    with_exercise = {name: _of_exercise(answer) for name, answer in answers.items()}
    add_routes(app, ADDRESS, with_exercise)


def _of_exercise(answer: Callable[[dict[str, Any], Exercise], dict[str, Any]]) -> Answer:
    return lambda sent: answer(sent, _exercise_of(sent))


def charts(sent: dict[str, Any], exercise: Exercise) -> dict[str, Any]:
    """{name, look, answer}: the charts as they are to be seen with this answer; before any without it.
    whole: of the solution, after it was shown.
    """
    look = Look.of(sent.get("look"))
    if look is None:
        return {"charts": []}
    asked = question(exercise, bounded_run)
    is_unanswered = sent.get("answer") is None
    if sent.get("whole") is True:
        found = solution(exercise, bounded_run)
        return _whole(found.scenario, found.schedulers, look)
    if is_unanswered and asked.charts_until_ms is None:
        return _whole(exercise.checked_scenario, tuple(exercise.schedulers), look)
    if is_unanswered:
        return _charts_before(exercise, asked.charts_until_ms, look)
    answer = _answer_of(sent)
    return _charts_of_verdict(exercise, check(exercise, answer, bounded_run), answer, look)


def checked(sent: dict[str, Any], exercise: Exercise) -> dict[str, Any]:
    """{name, look, answer, hints, class}: the verdict, its charts, and the solution of a right answer.

    An answer to a draft is no class's: whoever sent the draft wrote what is right.
    """
    answer = _answer_of(sent)
    verdict, unkept = check(exercise, answer, bounded_run), ""
    class_id = sent.get("class") if sent.get("draft") is None else None
    if isinstance(class_id, str) and class_id:
        label, hints = histogram_label(exercise, answer), _hints_of(sent, exercise)
        unkept = record_answer(class_id, sent["name"], answer, label, verdict.correct, hints)
    said: dict[str, Any] = {
        "correct": verdict.correct,
        "sentence": verdict.sentence,
        "details": [*verdict.details, *([unkept] if unkept else [])],
    }
    if verdict.correct:
        said["solution"] = _solution(solution(exercise, bounded_run))
    if look := Look.of(sent.get("look")):
        said |= _charts_of_verdict(exercise, verdict, answer, look)
    return said


def solved(sent: dict[str, Any], exercise: Exercise) -> dict[str, Any]:
    """{name, class}: the answer and its explanation; the class's teacher sees that it was shown."""
    if (
        isinstance(class_id := sent.get("class"), str)
        and class_id
        and isinstance(name := sent.get("name"), str)
    ):
        note_shown(class_id, name)
    return {"solution": _solution(solution(exercise, bounded_run))}


def _exercise_of(sent: dict[str, Any]) -> Exercise:
    """The one of a name; or, while it is written, the one that is sent."""
    if (draft := sent.get("draft")) is not None:
        return exercise_of_values(draft)
    name = sent.get("name")
    exercise = exercise_of_name(name) if isinstance(name, str) else None
    if exercise is None:
        raise GantryError(msg("panels.answer_routes.no_such_exercise"))
    return exercise


def _answer_of(sent: dict[str, Any]) -> dict[str, str | float]:
    """Words and finite numbers by key; the exercise's check judges them."""
    answer = sent.get("answer")
    if not isinstance(answer, dict) or len(answer) > MAX_FIELDS or not all(map(_is_value, answer.values())):
        raise GantryError(msg("panels.answer_routes.no_answer"))
    return answer


def _is_value(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_WORDS
    return not isinstance(value, bool) and isinstance(value, (int, float)) and abs(value) < MAX_NUMBER


def _hints_of(sent: dict[str, Any], exercise: Exercise) -> int:
    hints = sent.get("hints")
    return min(max(hints, 0), len(exercise.hints)) if type(hints) is int else 0


def _charts_of_verdict(
    exercise: Exercise,
    verdict: Verdict,
    answer: dict[str, str | float],
    look: Look,
) -> dict[str, Any]:
    """What is still to be found out stays hidden after a wrong answer: charts up to an instant stay so."""
    asked = question(exercise, bounded_run)
    if not verdict.correct and asked.charts_until_ms:
        return _charts_before(exercise, asked.charts_until_ms, look)
    mark = exercise_charts.predicted(exercise, answer)
    return _whole(verdict.scenario, verdict.schedulers, look, mark)


def _charts_before(exercise: Exercise, until_ms: int | None, look: Look) -> dict[str, Any]:
    """Without a way to the dashboard, which shows them whole."""
    shown = exercise_charts.charts_before(exercise, until_ms or 0, look)
    return {"charts": shown, "address": ""}


def _whole(
    scenario: Scenario,
    schedulers: tuple[str, ...],
    look: Look,
    mark: exercise_charts.TimeMark | None = None,
) -> dict[str, Any]:
    shown = exercise_charts.charts_after(scenario, schedulers, look, mark)
    return {"charts": shown, "address": static_charts.address(scenario, schedulers)}


def _solution(found: Solution) -> dict[str, Any]:
    return {"answer": found.answer, "steps": list(found.steps), "explanation": list(found.explanation)}
