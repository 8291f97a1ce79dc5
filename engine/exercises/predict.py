"""What is foretold of a whole run before its chart appears: which job ends first, or the makespan."""

from __future__ import annotations

import numpy as np

from engine import quantities
from engine.exercises.model import Exercise, Predict
from engine.exercises.question import (
    Answer,
    AnswerError,
    Choice,
    Field,
    Question,
    Simulate,
    Verdict,
)
from engine.messages import msg
from engine.simulation.run import Run

JOB, MAKESPAN = "job", "makespan_s"


def question(exercise: Exercise, simulate: Simulate) -> Question:
    """One field: the job, or the makespan in seconds."""
    task, name = _task(exercise), exercise.schedulers[_task(exercise).scheduler]
    if task.ask == "first":
        choices = tuple(Choice(job, job) for job in _run(exercise, simulate).workload.job_names)
        field = Field(JOB, msg("exercises.predict.job"), choices)
        return Question(msg("exercises.predict.first", scheduler=name), (field,), charts_until_ms=0)
    field = Field(MAKESPAN, msg("exercises.predict.makespan_title"), unit="s", low=0)
    return Question(msg("exercises.predict.makespan", scheduler=name), (field,), charts_until_ms=0)


def check(exercise: Exercise, answer: Answer, simulate: Simulate) -> Verdict:
    """Compared with the run."""
    run = _run(exercise, simulate)
    shown = (exercise.checked_scenario, tuple(exercise.schedulers))
    if _task(exercise).ask == "first":
        finish, names = run.jobs.finish, run.workload.job_names
        job = answer.get(JOB)
        if job not in names:
            raise AnswerError(msg("exercises.predict.choose_job"))
        first, mine = int(np.min(finish)), int(finish[names.index(str(job))])
        if mine == first:
            return Verdict(True, _first_sentence(run), *shown)
        wrong = msg("exercises.predict.later", job=job, at=quantities.moment(mine))
        return Verdict(False, wrong, *shown)
    return Verdict(False, "", *shown)


def solve(exercise: Exercise, simulate: Simulate) -> tuple[str, tuple[str, ...]]:
    """The sentence of the answer; no steps."""
    return _first_sentence(_run(exercise, simulate)), ()


def label(exercise: Exercise, answer: Answer) -> str:
    """The job, or the number of seconds."""
    return str(answer.get(JOB, answer.get(MAKESPAN)))


def _task(exercise: Exercise) -> Predict:
    assert isinstance(exercise.task, Predict)
    return exercise.task


def _run(exercise: Exercise, simulate: Simulate) -> Run:
    return simulate(exercise.checked_scenario, exercise.schedulers[_task(exercise).scheduler])


def _first_sentence(run: Run) -> str:
    place = int(np.argmin(run.jobs.finish))
    at = quantities.moment(int(run.jobs.finish[place]))
    return msg("exercises.predict.first_is", job=run.workload.job_names[place], at=at)
