"""What is foretold of a whole run before its chart appears: which job finishes first, or the makespan."""

from __future__ import annotations

import numpy as np

from engine import quantities
from engine.analysis.metrics import makespan_ms, turnaround_ms
from engine.codes import NONE
from engine.exercises.model import Exercise, Predict
from engine.exercises.question import (
    Answer,
    Choice,
    Field,
    Question,
    Simulate,
    Verdict,
    choice_of,
    number_of,
)
from engine.exercises.reader import ExerciseError
from engine.messages import msg
from engine.schedulers.labels import display_name
from engine.simulation.run import Run
from engine.simulation.workload import workload

JOB, MAKESPAN = "job", "makespan_s"
FAR = 10  # an estimate of more makespans is told without its own length


def question(exercise: Exercise, simulate: Simulate) -> Question:
    """One field: the job, or the makespan in seconds."""
    task = _task(exercise)
    scheduler = display_name(exercise.schedulers[task.scheduler])
    prompt = (
        msg("exercises.predict.first", scheduler=scheduler)
        if task.ask == "first"
        else msg("exercises.predict.makespan", scheduler=scheduler)
    )
    return Question(prompt, (_field(exercise),), charts_until_ms=0)


def check(exercise: Exercise, answer: Answer, simulate: Simulate) -> Verdict:
    """Compared with the run. Of jobs that finish first together each is right."""
    run, field = _run(exercise, simulate), _field(exercise)
    shown = (exercise.checked_scenario, tuple(exercise.schedulers))
    if _task(exercise).ask == "first":
        job, firsts = choice_of(answer, field), first_jobs(run)
        if job in firsts:
            return Verdict(True, _first_sentence(run), *shown)
        return Verdict(False, _later_sentence(run, job), *shown)
    estimate_ms = 1000 * number_of(answer, field)
    makespan, tolerance = _makespan_ms(run), _task(exercise).tolerance
    off = estimate_ms - makespan
    if estimate_ms > FAR * makespan > 0:
        sentence = msg("exercises.predict.too_far", makespan=quantities.moment(makespan), times=FAR)
        return Verdict(False, sentence, *shown)
    words = {
        "makespan": quantities.moment(makespan),
        "estimate": quantities.moment(estimate_ms),
        "difference": quantities.duration(abs(off), exact=True),
        "share": quantities.percent(abs(off) / makespan) if makespan else quantities.NO_VALUE,
        "tolerance": quantities.percent(tolerance),
    }
    if abs(off) <= tolerance * makespan:
        return Verdict(True, msg("exercises.predict.within", **words), *shown)
    sentence = (
        msg("exercises.predict.too_long", **words) if off > 0 else msg("exercises.predict.too_short", **words)
    )
    return Verdict(False, sentence, *shown)


def solve(exercise: Exercise, simulate: Simulate) -> tuple[str, tuple[str, ...]]:
    """When each job finishes, or the makespan from its ends. ExerciseError where no job finishes, or not
    all do.
    """
    run = _run(exercise, simulate)
    if _task(exercise).ask == "first":
        names = run.workload.job_names
        order = sorted(range(len(names)), key=lambda job: (not _has_finished(run, job), run.jobs.finish[job]))
        return _first_sentence(run), tuple(_finish_sentence(run, job) for job in order)
    makespan = quantities.moment(_makespan_ms(run))
    ends = {"first": quantities.moment(run.first_ms), "last": quantities.moment(run.until_ms)}
    return msg("exercises.predict.makespan_is", makespan=makespan), (msg("exercises.predict.ends", **ends),)


def label(exercise: Exercise, answer: Answer) -> str:
    """The job, or the makespan as a clock."""
    field = _field(exercise)
    if field.is_number:
        return quantities.moment(1000 * number_of(answer, field))
    return choice_of(answer, field)


def first_jobs(run: Run) -> list[str]:
    """The jobs that finish first. ExerciseError where none does."""
    finish, done = run.jobs.finish, turnaround_ms(run) != NONE
    if not done.any():
        raise ExerciseError(msg("exercises.predict.first_none", because=run.because or ""))
    return [run.workload.job_names[job] for job in np.flatnonzero(done & (finish == finish[done].min()))]


def _task(exercise: Exercise) -> Predict:
    assert isinstance(exercise.task, Predict)
    return exercise.task


def _run(exercise: Exercise, simulate: Simulate) -> Run:
    return simulate(exercise.checked_scenario, exercise.schedulers[_task(exercise).scheduler])


def _field(exercise: Exercise) -> Field:
    if _task(exercise).ask == "first":
        names = workload(exercise.checked_scenario).job_names
        return Field(JOB, msg("exercises.predict.job"), tuple(Choice(name, name) for name in names))
    tolerance = quantities.percent(_task(exercise).tolerance)
    help = msg("exercises.predict.within_is_right", tolerance=tolerance)
    return Field(MAKESPAN, msg("exercises.predict.makespan_title"), unit="s", low=0, help=help)


def _makespan_ms(run: Run) -> int:
    if run.status != "finished":
        raise ExerciseError(msg("exercises.predict.makespan_none", because=run.because))
    return makespan_ms(run)


def _has_finished(run: Run, job: int) -> bool:
    return bool(turnaround_ms(run)[job] != NONE)


def _first_sentence(run: Run) -> str:
    firsts = first_jobs(run)
    at = quantities.moment(int(run.jobs.finish[run.workload.job_names.index(firsts[0])]))
    if len(firsts) > 1:
        return msg("exercises.predict.first_tie", jobs=", ".join(firsts), at=at)
    return msg("exercises.predict.first_is", job=firsts[0], at=at)


def _finish_sentence(run: Run, job: int) -> str:
    name = run.workload.job_names[job]
    if not _has_finished(run, job):
        return msg("exercises.predict.finishes_never", job=name)
    return msg("exercises.predict.finishes", job=name, at=quantities.moment(int(run.jobs.finish[job])))


def _later_sentence(run: Run, job: str) -> str:
    """When this job finishes, but not which one is sooner: the chart shows it."""
    place = run.workload.job_names.index(job)
    if not _has_finished(run, place):
        return msg("exercises.predict.others_finish", job=job)
    at = quantities.moment(int(run.jobs.finish[place]))
    return msg("exercises.predict.another_is_sooner", job=job, at=at)
