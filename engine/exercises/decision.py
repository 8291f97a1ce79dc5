"""The decision that placed a container, and what could be known then: the nodes, what waits, and why each
other request did not get the node. Found by running again up to it, never stored.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.codes import EXECUTOR, NONE, job_of, kind_name, kind_of, requests_of
from engine.errors import GantryError
from engine.exercises.reader import ExerciseError
from engine.explanation.container_names import ContainerName, stage_of_request
from engine.explanation.explain import explain
from engine.explanation.observed_run import fits_node, ground, reset_terms
from engine.explanation.order_rules import KIND_WORDS, ahead
from engine.messages import msg
from engine.schedulers.policy import ORDER_AT
from engine.schedulers.scheduler import Scheduler, parse
from engine.schedulers.view import View
from engine.simulation.cancellation import CancelToken
from engine.simulation.kernel.state import State
from engine.simulation.policy_binding import Answer
from engine.simulation.run import Run
from engine.simulation.simulate import PreparedRun, larger_sizes, moment_of, prepare
from engine.simulation.waiting.rule import amount
from engine.simulation.waiting.waiting_rule import waiting_rule

KIND_NAMES = (
    msg("exercises.decision.master"),
    msg("exercises.decision.reduce"),
    msg("exercises.decision.map"),
    msg("exercises.decision.executor"),
    msg("exercises.decision.task"),
)


class Node(NamedTuple):
    """A node, and what it has free (MB, vcores). next_ms: its next heartbeat, or without heartbeats its place
    in the order of visits, from 0; NONE of one that is down.
    """

    name: str
    memory: int
    vcores: int
    free_memory: int
    free_vcores: int
    next_ms: int


class Holder(NamedTuple):
    """What a job or a queue holds (MB, vcores), and of a job how far its maps and reduces are."""

    memory: int
    vcores: int
    placed_maps: int = 0
    running_maps: int = 0
    placed_reduces: int = 0
    running_reduces: int = 0


class Seen(NamedTuple):
    """What a scheduler knew at a time: its nodes, what jobs that were there hold, by index, what queues
    hold, and what the cluster has (MB, vcores).
    """

    run: Run
    scheduler: Scheduler
    at_ms: int
    nodes: list[Node]
    jobs: dict[int, Holder]
    queues: list[Holder]
    cluster: tuple[int, int]

    @classmethod
    def of(cls, run: Run, scheduler: Scheduler, view: View, state: State, turn: int) -> Seen:
        """turn: the node that sends its heartbeat now."""
        names = run.workload.node_names
        nodes = [
            Node(
                name,
                int(view.node_memory[node]),
                int(view.node_vcores[node]),
                int(view.node_free_memory[node]),
                int(view.node_free_vcores[node]),
                NONE if state.is_down[node] else _next_ms(view, len(names), node, turn),
            )
            for node, name in enumerate(names)
        ]
        queues = [
            Holder(int(memory), int(vcores))
            for memory, vcores in zip(view.queue_used_memory, view.queue_used_vcores)
        ]
        fields = (
            view.job_used_memory,
            view.job_used_vcores,
            view.job_placed_maps,
            view.job_running_maps,
            view.job_placed_reduces,
            view.job_running_reduces,
        )
        there = {*job_of(view, view.request_waiting > 0).tolist()}
        there |= {*view.job_used_memory.nonzero()[0].tolist(), *view.job_is_active.nonzero()[0].tolist()}
        jobs = {job: Holder(*(int(field[job]) for field in fields)) for job in sorted(there)}
        cluster = int(view.cluster_memory), int(view.cluster_vcores)
        return cls(run, scheduler, int(view.now), nodes, jobs, queues, cluster)


class Request(NamedTuple):
    """A request that waits (job and kind as indices) for `count` containers, each of this size (MB, vcores).
    stage: from 1 of tasks and of Tez's containers, 0 of others.

    offered: it was among those that the order was asked to choose from; because: why it was not chosen, a
    sentence, "" of the one that was; hint: the same, without the name of the one that was ahead.
    """

    job: int
    kind: int
    stage: int
    count: int  # type: ignore[assignment]  # hides tuple.count
    memory: int
    vcores: int
    offered: bool
    because: str
    hint: str

    @property
    def kind_name(self) -> str:
        """Its kind in words, of tasks and of Tez's containers with their stage."""
        if self.stage and self.kind == EXECUTOR:
            return msg("exercises.decision.container_of_stage", stage=self.stage)
        if self.stage:
            return msg("exercises.decision.task_of_stage", stage=self.stage)
        return KIND_NAMES[self.kind]


class Decision(NamedTuple):
    """told: as explain tells it; node, chosen: which node was given to which request; requests, in job order,
    by number.
    """

    seen: Seen
    told: dict[str, Any]
    node: int
    chosen: int
    requests: dict[int, Request]

    def name(self, request: int) -> str:
        """The job of a request."""
        work = self.seen.run.workload
        return work.job_names[job_of(work, request)]

    def lacks(self, node: int, request: int) -> str:
        """A sentence of what the node lacks for one container of a request, "" where it fits."""
        its_node, asked = self.seen.nodes[node], self.requests[request]
        found = [(its_node.free_memory, asked.memory, "MB"), (its_node.free_vcores, asked.vcores, "vcores")]
        for free, needed, unit in found[: 1 if self.seen.run.memory_only else 2]:
            if free < needed:
                return msg(
                    "exercises.decision.lacks",
                    node=its_node.name,
                    free=amount(free, unit),
                    kind=asked.kind_name,
                    needed=amount(needed, unit),
                )
        return ""


def decision(run: Run, scheduler_name: str, container: str) -> Decision:
    """Of JOB/STAGE/KIND/INDEX. Raises ExerciseError where it was never placed, or where nothing was compared
    when it was. Cost: two plain runs up to its start.
    """
    scheduler = parse(scheduler_name)
    try:
        told = explain(run, scheduler, container)
        number = ContainerName.of(run, container).number(run)
    except GantryError as error:
        raise ExerciseError(msg("exercises.decision.no_container", error=error)) from None
    if not told["placed"] or number is None:
        raise ExerciseError(msg("exercises.decision.never_placed", because=told["because"]))
    if not told["candidates"] or "starts_s" in told:
        raise ExerciseError(msg("exercises.decision.nothing_compared", because=told["because"]))
    look = _Look(run, scheduler, number)
    look.run_up_to_it()
    return Decision(look.seen, told, look.node, look.request, look.requests)


class _Reached(Exception):
    """The decision was made; the run need not go on."""


class _Look:
    """At what lay before the order when it placed a container."""

    seen: Seen
    requests: dict[int, Request]

    def __init__(self, run: Run, scheduler: Scheduler, number: int) -> None:
        c = run.containers
        self.run, self.scheduler, self.number = run, scheduler, number
        self.node, self.start = int(c.node[number]), int(c.start[number])
        self.request = int(requests_of(run.workload, c, number))
        self.prepared: PreparedRun | None = None

    def run_up_to_it(self) -> None:
        array_sizes = None
        while True:
            self.prepared = prepare(
                self.run.scenario, self.scheduler, True, self._see, CancelToken(), array_sizes
            )
            try:
                ended, _ = self.prepared.kernel.advance()
            except _Reached:
                return
            array_sizes = larger_sizes(self.prepared, ended)
            assert array_sizes, "the run has placed this container"

    def _see(self, answer: Answer) -> None:
        if answer.place != ORDER_AT:
            return
        view = answer.view
        is_of = answer.placed == self.number and answer.first == self.node and answer.answer >= 0
        is_of = is_of and view.candidates[answer.answer] == self.request and view.now == self.start
        if is_of and fits_node(view, self.node, self.request):  # else it waits for a nearer node, or reserves
            self._note(view, view.candidates[: answer.second].tolist())
            raise _Reached
        reset_terms(self.scheduler.order.policy, view, answer.second)

    def _note(self, view: View, offered: list[int]) -> None:
        assert self.prepared is not None
        self.seen = Seen.of(self.run, self.scheduler, view, self.prepared.state, self.node)
        self.requests = {
            request: Request(
                int(job_of(view, request)),
                int(kind_of(view, request)),
                stage_of_request(self.run.workload, request),
                int(view.request_waiting[request]),
                int(view.request_memory[request]),
                int(view.request_vcores[request]),
                request in offered,
                *self._because(view, request, offered),
            )
            for request in view.request_waiting.nonzero()[0].tolist()
        }

    def _because(self, view: View, request: int, offered: list[int]) -> tuple[str, str]:
        """Why a waiting request did not get the node, with and without the name of the one that did."""
        if request == self.request:
            return "", ""
        job = self.run.workload.job_names[job_of(view, request)]
        kind = kind_of(view, request)
        held = kind_name(self.run.workload, request) == "container"
        texts = {"kind": msg("exercises.decision.container") if held else KIND_NAMES[kind], "job": job}
        if request in offered:
            ahead_of_it = self._ahead(view, request)
            unnamed = ahead_of_it.replace(self._chosen(), msg("exercises.decision.another_request"), 1)
            return (
                msg("exercises.decision.not_chosen", because=ahead_of_it, **texts),
                msg("exercises.decision.not_chosen", because=unnamed, **texts),
            )
        sentence = self._held_back(view, request, texts)
        return sentence, sentence

    def _chosen(self) -> str:
        """As the engine's clauses name it."""
        work = self.run.workload
        kind, job = KIND_WORDS[kind_name(work, self.request)], job_of(work, self.request)
        return msg("exercises.decision.kind_of_job", kind=kind, job=work.job_names[job])

    def _held_back(self, view: View, request: int, texts: dict[str, str]) -> str:
        """Why it was not among those to choose from."""
        assert self.prepared is not None
        rule = waiting_rule(moment_of(self.prepared), request)
        if not fits_node(view, self.node, request) and (rule is None or rule.rule in ("room", "scattered")):
            return msg(
                "exercises.decision.did_not_fit", node=self.run.workload.node_names[self.node], **texts
            )
        because = rule.because if rule else msg("exercises.decision.not_offered")
        return msg("exercises.decision.held_back", because=because, **texts)

    def _ahead(self, view: View, request: int) -> str:
        """The clause of the number that put the chosen one ahead, or of the rule that decided in place of
        it.
        """
        policy = self.scheduler.order.policy
        rule = ground(policy, view)
        is_own = job_of(view, request) == job_of(view, self.request)
        if not rule or is_own:
            return ahead(self.run, self.scheduler, view, request, self.request).because
        return msg("exercises.decision.by_rule", chosen=self._chosen(), rule=policy.rule[rule])


def _next_ms(view: View, count: int, node: int, turn: int) -> int:
    """HEARTBEAT-1 and 2: the node in turn sends its heartbeat now, and those before it of this instant have
    sent theirs.
    """
    heartbeat, now = int(view.heartbeat), int(view.now)
    if heartbeat == 0:
        return (node - turn) % count
    if node == turn:
        return now
    since = (now - node * heartbeat // count) % heartbeat
    return now if since == 0 and node > turn else now + heartbeat - since
