"""Asks, checks and solves an exercise, whatever its kind of task."""

from __future__ import annotations

from types import ModuleType

from engine.exercises import compute, explain_wait, place, predict, reach
from engine.exercises.model import Exercise, Explain, Predict, Reach
from engine.exercises.question import Answer, Question, Simulate, Solution, Verdict
from engine.simulation.simulate import simulate as run_now


def question(exercise: Exercise, simulate: Simulate = run_now) -> Question:
    """What is asked. Raises ExerciseError where the exercise's container or job is not in its runs."""
    return _kind(exercise).question(exercise, simulate)


def check(exercise: Exercise, answer: Answer, simulate: Simulate = run_now) -> Verdict:
    """What is said of an answer. Raises AnswerError for one that is not complete."""
    return _kind(exercise).check(exercise, answer, simulate)


def solution(exercise: Exercise, simulate: Simulate = run_now) -> Solution:
    """The answer, computed from the runs, and the explanation."""
    answer, steps = _kind(exercise).solve(exercise, simulate)
    paragraphs = tuple(part.strip() for part in exercise.explanation.split("\n\n") if part.strip())
    shown = exercise.checked_scenario, tuple(exercise.schedulers)
    if isinstance(exercise.task, Reach):
        shown = reach.solved(exercise, simulate)
    return Solution(answer, steps, paragraphs, *shown)


def histogram_label(exercise: Exercise, answer: Answer) -> str:
    """An answer as a class's histogram counts it."""
    return _kind(exercise).label(exercise, answer)


def check_exercise(exercise: Exercise, simulate: Simulate = run_now) -> Solution:
    """Runs it, as its author does before it is given out: the solution. Raises ExerciseError where it can't
    be asked, has no answer, or needs none.
    """
    question(exercise, simulate)
    return solution(exercise, simulate)


def _kind(exercise: Exercise) -> ModuleType:
    task = exercise.task
    if isinstance(task, Predict):
        return place if task.ask in ("next", "place") else predict
    if isinstance(task, Reach):
        return reach
    return explain_wait if isinstance(task, Explain) else compute
