"""A number of the run to be worked out: a fair share, a dominant share, or a term of an order's decision."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from engine import quantities
from engine.codes import BY_WEIGHT, KINDS
from engine.exercises.decision import KIND_NAMES, Decision, Holder, Seen, decision
from engine.exercises.model import Compute, Exercise
from engine.exercises.question import Answer, Field, Question, Simulate, Table, Verdict, number_of
from engine.exercises.reader import ExerciseError
from engine.exercises.state_tables import cluster_table, decision_tables, share_tables
from engine.exercises.worked_shares import Level, by_weight, fair_levels, idle_queues, share_of, steps
from engine.exercises.worked_terms import (
    CAN_BE_WORKED,
    Row,
    display_unit,
    dominant_share,
    facts_of,
    percent,
    queue_share,
    row_of,
    told,
    worked,
)
from engine.explanation.observed_run import run_until, unit
from engine.messages import msg
from engine.schedulers.labels import display_name
from engine.schedulers.policy import QUEUE, RUN, Term
from engine.schedulers.scheduler import parse
from engine.simulation.run import Run
from engine.simulation.simulate import PreparedRun

NUMBER = "value"
ROUNDING = 0.0005  # numbers are told to four digits, and what is told is right


class Mistake(NamedTuple):
    """A number that a usual mistake gives, in the unit of the answer, and the sentence that says which."""

    value: float
    sentence: str


class _Number(NamedTuple):
    """A term: value, in `unit` as the engine has it; whose: "" of the whole decision. steps: () where it
    can't be worked out.
    """

    value: float
    unit: str
    whose: str
    steps: tuple[str, ...]
    mistakes: tuple[Mistake, ...] = ()


class _Worked(NamedTuple):
    """value: in `unit`; answer: the sentence that says it; about: what the number means."""

    title: str
    value: float
    unit: str
    prompt: str
    answer: str
    steps: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    tables: tuple[Table, ...]
    at_ms: int
    about: str = ""


def question(exercise: Exercise, simulate: Simulate) -> Question:
    """One field, a number. Raises ExerciseError where there is no such number in the run."""
    found = _worked(exercise, simulate)
    return Question(found.prompt, (_field(found),), found.tables, found.at_ms)


def check(exercise: Exercise, answer: Answer, simulate: Simulate) -> Verdict:
    """Right within the tolerance; else which usual mistake gives this number, or whether it is too large."""
    found = _worked(exercise, simulate)
    given = number_of(answer, _field(found))
    tolerance = max(_task(exercise).tolerance, ROUNDING)
    shown = (exercise.checked_scenario, tuple(exercise.schedulers))
    if _is_near(given, found.value, tolerance):
        return Verdict(True, found.answer, *shown)
    for mistake in found.mistakes:
        if _is_near(given, mistake.value, tolerance):
            return Verdict(False, mistake.sentence, *shown)
    if given > found.value:
        return Verdict(False, msg("exercises.compute.too_large"), *shown)
    return Verdict(False, msg("exercises.compute.too_small"), *shown)


def solve(exercise: Exercise, simulate: Simulate) -> tuple[str, tuple[str, ...]]:
    """The number, and how it is worked out with the run's numbers."""
    found = _worked(exercise, simulate)
    return found.answer, found.steps


def label(exercise: Exercise, answer: Answer) -> str:
    """The number as it was given."""
    return str(answer.get(NUMBER))


def _task(exercise: Exercise) -> Compute:
    assert isinstance(exercise.task, Compute)
    return exercise.task


def _field(found: _Worked) -> Field:
    return Field(NUMBER, found.title, unit=found.unit, help=found.about)


def _is_near(given: float, value: float, tolerance: float) -> bool:
    return abs(given - value) <= max(tolerance * abs(value), 1e-9)


def _worked(exercise: Exercise, simulate: Simulate) -> _Worked:
    task = _task(exercise)
    name = exercise.schedulers[task.scheduler]
    run = simulate(exercise.checked_scenario, name)
    if task.quantity == "term":
        return _term(task, run, name)
    assert task.job is not None and task.at_s is not None  # the reader asks for them
    at_ms = round(1000 * task.at_s)
    if run.status == "finished" and at_ms >= run.until_ms:
        raise ExerciseError(msg("exercises.compute.after_the_end", moment=quantities.moment(run.until_ms)))
    compute = _fair_share if task.quantity == "fair share" else _dominant_share
    return compute(run, name, task.job, at_ms)


def _state_at(run: Run, name: str, at_ms: int) -> tuple[PreparedRun, Seen]:
    scheduler = parse(name)
    prepared, _ = run_until(run, scheduler, at_ms + 1)
    return prepared, Seen.of(run, scheduler, prepared.view, prepared.state, 0)


def _fair_share(run: Run, name: str, job: str, at_ms: int) -> _Worked:
    if parse(name).order.policy.queues.scheme != BY_WEIGHT:
        raise ExerciseError(msg("exercises.compute.no_fair_share", scheduler=display_name(name)))
    prepared, seen = _state_at(run, name, at_ms)
    levels = fair_levels(prepared, job)
    moment = quantities.moment(at_ms)
    if not levels:
        raise ExerciseError(msg("exercises.compute.not_there", job=job, moment=moment))
    share = share_of(levels)
    factor, unit_name = display_unit("MB", seen.cluster)
    value = factor * share
    mistakes = (
        Mistake(share, msg("exercises.compute.in_mb")),
        *(
            Mistake(factor * mb, sentence)
            for mb, sentence in (
                (levels[-1].total, msg("exercises.compute.of_the_queue", queue=levels[-1].queue)),
                (by_weight(levels, "equal"), msg("exercises.compute.forgot_weights")),
                (by_weight(levels, "free"), msg("exercises.compute.forgot_limits")),
                *_counted_idle(levels, share),
                (_held(seen, job), msg("exercises.compute.what_it_holds", job=job, moment=moment)),
            )
        ),
        Mistake(100 * share / levels[0].total, msg("exercises.compute.as_percent", unit=unit_name)),
    )
    return _Worked(
        msg("exercises.compute.fair_share_title"),
        value,
        unit_name,
        msg("exercises.compute.fair_share", job=job, moment=moment, scheduler=display_name(name)),
        msg("exercises.compute.fair_share_is", job=job, moment=moment, value=told(share, "MB", seen.cluster)),
        steps(levels),
        _others(mistakes, value),
        share_tables(seen),
        at_ms,
    )


def _counted_idle(levels: list[Level], share: float) -> Iterator[tuple[float, str]]:
    """MB and sentence of the share with idle queues counted; nothing where more than weights decides."""
    if math.isclose(by_weight(levels, "free"), share, rel_tol=2 * ROUNDING):
        for idle in idle_queues(levels):
            sentence = msg("exercises.compute.counted_idle", queues=", ".join(idle))
            yield by_weight(levels, "free", idle), sentence


def _held(seen: Seen, name: str) -> int:
    """MB that a job or a queue holds."""
    holder = _holder(seen, name)
    return holder.memory if holder else 0


def _holder(seen: Seen, name: str) -> Holder | None:
    """A job or a queue by its name; None of a job that is not there."""
    work = seen.run.workload
    if name in work.job_names:
        return seen.jobs.get(work.job_names.index(name))
    return seen.queues[work.queues.names.index(name)]


def _dominant_share(run: Run, name: str, job: str, at_ms: int) -> _Worked:
    _, seen = _state_at(run, name, at_ms)
    moment = quantities.moment(at_ms)
    holder = _holder(seen, job)
    if holder is None or holder.memory == 0:
        raise ExerciseError(msg("exercises.compute.holds_nothing", job=job, moment=moment))
    worked_out, share = dominant_share(holder.memory, holder.vcores, seen.cluster, job)
    shares = holder.memory / seen.cluster[0], holder.vcores / seen.cluster[1]
    node = seen.nodes[0]
    value = 100 * share
    mistakes = (
        Mistake(100 * min(shares), msg("exercises.compute.other_resource")),
        Mistake(share, msg("exercises.compute.as_share")),
        Mistake(
            100 * max(holder.memory / node.memory, holder.vcores / node.vcores),
            msg("exercises.compute.of_one_node"),
        ),
        Mistake(100 * sum(shares), msg("exercises.compute.sum_of_both")),
        Mistake(50 * sum(shares), msg("exercises.compute.mean_of_both")),
    )
    return _Worked(
        msg("exercises.compute.dominant_share_title"),
        value,
        "%",
        msg("exercises.compute.dominant_share", job=job, moment=moment, scheduler=display_name(name)),
        msg("exercises.compute.dominant_share_is", job=job, moment=moment, value=percent(share)),
        worked_out,
        _others(mistakes, value),
        share_tables(seen),
        at_ms,
    )


def _term(task: Compute, run: Run, name: str) -> _Worked:
    assert task.container is not None  # the reader asks for it
    found = decision(run, name, task.container)
    policy = found.seen.scheduler.order.policy
    known = {term.name: term for term in (*policy.terms, *policy.facts) if term.name in CAN_BE_WORKED}
    if task.term not in known:
        wrong = msg(
            "exercises.compute.no_term",
            term=task.term,
            order=policy.name,
            known=", ".join(known) or quantities.NO_VALUE,
        )
        raise ExerciseError(wrong)
    term = known[task.term]
    number = (
        _of_queue(task, found, term)
        if term.per == QUEUE
        else _of_decision(found, term)
        if term.per == RUN
        else _of_candidate(task, found, term)
    )
    if not number.steps:
        raise ExerciseError(msg("exercises.compute.not_computed", term=term.title, order=policy.name))
    factor, unit_name = display_unit(number.unit, found.seen.cluster)
    moment = quantities.moment(found.seen.at_ms)
    texts = {"term": term.title, "node": found.seen.nodes[found.node].name, "moment": moment}
    asked = {**texts, "term": term.title.lower(), "scheduler": display_name(name)}
    value_text = told(number.value, number.unit, found.seen.cluster)
    prompt, answer = (
        (
            msg("exercises.compute.term", whose=number.whose, **asked),
            msg("exercises.compute.term_is", whose=number.whose, value=value_text, **texts),
        )
        if number.whose
        else (
            msg("exercises.compute.fact", **asked),
            msg("exercises.compute.fact_is", value=value_text, **texts),
        )
    )
    mistakes = [Mistake(factor * mistake.value, mistake.sentence) for mistake in number.mistakes]
    if unit_name == "%":
        mistakes.append(Mistake(number.value, msg("exercises.compute.as_share")))
    if unit_name == "GB":
        mistakes.append(Mistake(number.value, msg("exercises.compute.in_mb")))
    return _Worked(
        term.title,
        factor * number.value,
        unit_name,
        prompt,
        answer,
        number.steps,
        _others(tuple(mistakes), factor * number.value),
        (cluster_table(found.seen), *decision_tables(found, [found.node])),
        found.seen.at_ms,
        term.about,
    )


def _of_decision(found: Decision, term: Term) -> _Number:
    value = facts_of(found)[term.name]
    steps = () if value is None else worked(found, term.name, _chosen(found))
    return _Number(value or 0.0, unit(term), "", steps)


def _of_queue(task: Compute, found: Decision, term: Term) -> _Number:
    """Of the queue that the exercise names, else of the leaf of the chosen request."""
    work = found.seen.run.workload
    named = task.job in work.queues.names
    name = str(task.job) if named else _chosen(found)["queue"]
    values = {row["name"]: row["terms"].get(term.name) for row in found.told["queues"]}
    if values.get(name) is None:
        return _Number(0.0, "", "", ())
    steps, unit_name, unweighted = queue_share(found, work.queues.names.index(name), values[name])
    others = [
        Mistake(value, msg("exercises.compute.of_another_queue", other=other))
        for other, value in values.items()
        if value is not None
    ]
    weight = Mistake(unweighted, msg("exercises.compute.forgot_weight"))
    return _Number(values[name], unit_name, name, steps, (weight, *others))


def _of_candidate(task: Compute, found: Decision, term: Term) -> _Number:
    """Of the request that the exercise names, else of the chosen one."""
    row = _chosen(found) if task.job is None else row_of(found, task.job, task.request)
    if row is None:
        raise ExerciseError(msg("exercises.compute.no_candidate", kind=task.request, job=task.job))
    value = row["terms"][term.name]
    if value is None:
        return _Number(0.0, "", "", ())
    mistakes = []
    if term.name == "share":
        mistakes.append(Mistake(value * row["weight"], msg("exercises.compute.forgot_weight")))
    if term.name == "fitness":
        node = found.seen.nodes[found.node]
        memory = row["memory_mb"] / node.memory * node.free_memory / node.memory
        vcores = row["vcores"] / node.vcores * node.free_vcores / node.vcores
        mistakes += [
            Mistake(memory, msg("exercises.compute.memory_alone")),
            Mistake(vcores, msg("exercises.compute.vcores_alone")),
        ]
    mistakes += [
        Mistake(other["terms"][term.name], msg("exercises.compute.of_another", other=_whose(other)))
        for other in found.told["candidates"]
        if other["terms"].get(term.name) is not None
    ]
    steps = worked(found, term.name, row)
    return _Number(
        value, unit(term), msg("exercises.compute.the", request=_whose(row)), steps, tuple(mistakes)
    )


def _chosen(found: Decision) -> Row:
    return next(row for row in found.told["candidates"] if row["chosen"])


def _whose(row: Row) -> str:
    kind = KIND_NAMES[KINDS.index(row["kind"])]
    return msg("exercises.decision.kind_of_job", kind=kind, job=row["job"])


def _others(mistakes: tuple[Mistake, ...], value: float) -> tuple[Mistake, ...]:
    """Those that give another number."""
    return tuple(
        mistake for mistake in mistakes if not math.isclose(mistake.value, value, rel_tol=2 * ROUNDING)
    )
