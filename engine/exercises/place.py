"""A decision of the scheduler, foretold: which job gets the node, or which node is given to which request."""

from __future__ import annotations

from engine import quantities
from engine.codes import KINDS, NONE
from engine.exercises.decision import Decision, decision
from engine.exercises.model import Exercise, Predict
from engine.exercises.question import Answer, Choice, Field, Question, Simulate, Verdict, choice_of
from engine.exercises.reader import ExerciseError
from engine.exercises.state_tables import decision_tables, when
from engine.messages import msg
from engine.schedulers.labels import display_name
from engine.simulation.waiting.rule import size

JOB, NODE, REQUEST = "job", "node", "request"


def question(exercise: Exercise, simulate: Simulate) -> Question:
    """The job, or the node and the request, with the state that the scheduler saw. Raises ExerciseError where
    there is no such decision, or nothing to choose from.
    """
    found = _decision(exercise, simulate)
    fields = _fields(exercise, found)
    if all(len(field.choices) == 1 for field in fields):
        only = found.name(found.chosen)
        raise ExerciseError(msg("exercises.place.no_choice", container=found.told["container"], job=only))
    is_next = _task(exercise).ask == "next"
    nodes = [found.node] if is_next else list(range(len(found.seen.nodes)))
    texts = {"scheduler": display_name(exercise.schedulers[_task(exercise).scheduler])}
    moment = quantities.moment(found.seen.at_ms)
    prompt = (
        _next_prompt(found, moment, texts["scheduler"])
        if is_next
        else msg("exercises.place.place", moment=moment, **texts)
    )
    return Question(prompt, fields, decision_tables(found, nodes), found.seen.at_ms)


def check(exercise: Exercise, answer: Answer, simulate: Simulate) -> Verdict:
    """Why the scheduler did not choose so: it did not fit, it was another node's heartbeat, or another
    request was ahead.
    """
    found = _decision(exercise, simulate)
    wrong = (
        _wrong_job(found, choice_of(answer, _fields(exercise, found)[0]))
        if _task(exercise).ask == "next"
        else _wrong_place(found, *(choice_of(answer, field) for field in _fields(exercise, found)))
    )
    shown = (exercise.checked_scenario, tuple(exercise.schedulers))
    if not wrong:
        return Verdict(True, _answer(found), *shown, (f"{found.told['because']}.",))
    return Verdict(False, wrong[0], *shown, wrong[1:])


def solve(exercise: Exercise, simulate: Simulate) -> tuple[str, tuple[str, ...]]:
    """Which request got which node, why, and why each other one did not."""
    found = _decision(exercise, simulate)
    others = tuple(one.because for one in found.requests.values() if one.because)
    return _answer(found), (f"{found.told['because']}.", *others)


def label(exercise: Exercise, answer: Answer) -> str:
    """The job, or "n1: map of b"."""
    if _task(exercise).ask == "next":
        return str(answer.get(JOB))
    job, _, kind = str(answer.get(REQUEST)).rpartition("/")
    return msg("exercises.place.label", node=answer.get(NODE), kind=kind, job=job)


def _task(exercise: Exercise) -> Predict:
    assert isinstance(exercise.task, Predict)
    return exercise.task


def _next_prompt(found: Decision, moment: str, scheduler: str) -> str:
    texts = {"node": found.seen.nodes[found.node].name, "moment": moment, "scheduler": scheduler}
    if found.seen.run.scenario.cluster.heartbeat_ms == 0:
        return msg("exercises.place.next_visited", **texts)
    return msg("exercises.place.next", **texts)


def _decision(exercise: Exercise, simulate: Simulate) -> Decision:
    task = _task(exercise)
    assert task.container is not None  # the reader asks for it
    name = exercise.schedulers[task.scheduler]
    return decision(simulate(exercise.checked_scenario, name), name, task.container)


def _fields(exercise: Exercise, found: Decision) -> tuple[Field, ...]:
    if _task(exercise).ask == "next":
        jobs = dict.fromkeys(found.name(request) for request in found.requests)
        return (Field(JOB, msg("exercises.predict.job"), tuple(Choice(job, job) for job in jobs)),)
    nodes = tuple(
        Choice(
            node.name, node.name, msg("exercises.place.free", size=size(node.free_memory, node.free_vcores))
        )
        for node in found.seen.nodes
    )
    requests = tuple(
        Choice(
            _key(found, number),
            _words(found, number),
            msg("exercises.place.each", size=size(one.memory, one.vcores), count=f"{one.count:,}"),
        )
        for number, one in found.requests.items()
    )
    return (
        Field(NODE, msg("exercises.state_tables.node"), nodes),
        Field(REQUEST, msg("exercises.place.request"), requests),
    )


def _wrong_job(found: Decision, job: str) -> tuple[str, ...]:
    """Why this job did not get the node, of the request of it that came nearest; nothing where it did."""
    own = [request for request in found.requests if found.name(request) == job]
    if found.chosen in own:
        return ()
    request = max(own, key=lambda request: found.requests[request].offered)
    lacking = "" if found.requests[request].offered else found.lacks(found.node, request)
    return (lacking or found.requests[request].hint,)


def _wrong_place(found: Decision, node_name: str, choice: str) -> tuple[str, ...]:
    """What is wrong with node and request, the node first; nothing where the scheduler chose so."""
    node = next(place for place, one in enumerate(found.seen.nodes) if one.name == node_name)
    request = next(number for number in found.requests if _key(found, number) == choice)
    is_right_node, is_right_request = _is_like(found, node), request == found.chosen
    if is_right_node and is_right_request:
        return ()
    lacking = found.lacks(node, request)
    because = () if is_right_request else (found.requests[request].hint,)
    if lacking:
        return (lacking,)
    return because if is_right_node else (_other_node(found, node), *because)


def _is_like(found: Decision, node: int) -> bool:
    """Is it the node, or without heartbeats one that has the same and the same free? Which of these is
    visited first is a rule of the simulation, none of a scheduler.
    """
    if node == found.node:
        return True
    if found.seen.run.scenario.cluster.heartbeat_ms > 0:
        return False
    return found.seen.nodes[node][1:5] == found.seen.nodes[found.node][1:5]


def _other_node(found: Decision, node: int) -> str:
    """Whose heartbeat it was."""
    mine, its = found.seen.nodes[node], found.seen.nodes[found.node]
    texts = {"node": its.name, "other": mine.name}
    if found.seen.run.scenario.cluster.heartbeat_ms == 0:
        return msg("exercises.place.visited_first", **texts)
    if mine.next_ms == NONE:
        return msg("exercises.place.is_down", **texts)
    moments = {"at": when(its, True), "later": when(mine, True)}
    return msg("exercises.place.other_heartbeat", **texts, **moments)


def _answer(found: Decision) -> str:
    return msg(
        "exercises.place.answer",
        node=found.seen.nodes[found.node].name,
        moment=quantities.moment(found.seen.at_ms),
        request=_words(found, found.chosen),
    )


def _key(found: Decision, request: int) -> str:
    """As an answer names it: JOB/KIND."""
    one = found.requests[request]
    return f"{found.name(request)}/{one.kind_name if one.stage else KINDS[one.kind]}"


def _words(found: Decision, request: int) -> str:
    kind = found.requests[request].kind_name
    return msg("exercises.decision.kind_of_job", kind=kind, job=found.name(request))
