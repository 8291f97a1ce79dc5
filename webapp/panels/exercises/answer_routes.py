"""What an exercise's page asks for: its charts, a check of an answer, the answer.

Plain routes, so that the scripts put the focus on what is said, and nothing of the answer is on the page
before it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dash import Dash

from engine import GantryError
from engine.dashboard import Exercise, Verdict, check, exercise_of_values, histogram_label, question, solution
from webapp.classroom.shared_exercises import exercise_of_name
from webapp.messages import msg
from webapp.panels.exercises.bounded_runs import bounded_run
from webapp.panels.exercises.exercise_charts import Look, charts_after, charts_before, predicted
from webapp.panels.exercises.exercise_store import note_shown, record_answer
from webapp.panels.exercises.json_routes import Answer, add_routes

ADDRESS = "exercise"
MAX_WORDS = 300  # letters of one of an answer's values
MAX_FIELDS = 40
MAX_NUMBER = 1e15


def register(app: Dash) -> None:
    """The addresses; each answers in JSON, what can't be answered with a sentence under `error`."""
    answers = {"charts": charts, "check": checked, "solution": solved}
    add_routes(app, ADDRESS, {name: _of_exercise(answer) for name, answer in answers.items()})


def _of_exercise(answer: Callable[[dict[str, Any], Exercise], dict[str, Any]]) -> Answer:
    return lambda sent: answer(sent, _exercise_of(sent))


def charts(sent: dict[str, Any], exercise: Exercise) -> dict[str, Any]:
    """{name, look, answer}: the charts as they are to be seen with this answer; before any without it.
    whole: of the solution, after it was shown.
    """
    look = Look.of(sent.get("look"))
    if look is None:
        return {"charts": []}
    if sent.get("whole") is True:
        found = solution(exercise, bounded_run)
        return charts_after(found.scenario, found.schedulers, look)
    if sent.get("answer") is None:
        until_ms = question(exercise, bounded_run).charts_until_ms
        if until_ms is None:
            return charts_after(exercise.checked_scenario, exercise.schedulers, look)
        return charts_before(exercise, until_ms, look)
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
        said["solution"] = _solution(exercise)
    if look := Look.of(sent.get("look")):
        said |= _charts_of_verdict(exercise, verdict, answer, look)
    return said


def solved(sent: dict[str, Any], exercise: Exercise) -> dict[str, Any]:
    """{name, class}: the answer and its explanation; the class's teacher sees that it was shown."""
    class_id, name = sent.get("class"), sent.get("name")
    if isinstance(class_id, str) and class_id and isinstance(name, str):
        note_shown(class_id, name)
    return {"solution": _solution(exercise)}


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
    exercise: Exercise, verdict: Verdict, answer: dict[str, str | float], look: Look
) -> dict[str, Any]:
    """What is still to be found out stays hidden after a wrong answer: charts up to an instant stay so."""
    until_ms = question(exercise, bounded_run).charts_until_ms
    if not verdict.correct and until_ms:
        return charts_before(exercise, until_ms, look)
    return charts_after(verdict.scenario, verdict.schedulers, look, predicted(exercise, answer))


def _solution(exercise: Exercise) -> dict[str, Any]:
    found = solution(exercise, bounded_run)
    return {"answer": found.answer, "steps": list(found.steps), "explanation": list(found.explanation)}
