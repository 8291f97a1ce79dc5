"""Why a container waited, or waits for ever: span by span the one rule that passed it over (WAIT-1, WAIT-2).

The run is made again, uncompiled, and looked at after every instant of the wait. A rule that holds on every
node, or what the nodes have, keeps the request; where a node had room for it, the order was asked there and
chose another one, or that node has not sent its heartbeat yet.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engine import quantities
from engine.codes import (
    ALL_FINISHED,
    DEADLOCK,
    FINISHED,
    INFINITE,
    KILLED,
    KINDS,
    MAP,
    MASTER,
    NONE,
    PAUSED,
    PER_JOB,
    REDUCE,
    WALKED,
)
from engine.explanation.container_names import ContainerName, NoSuchContainer
from engine.explanation.observed_run import (
    compared_queues,
    compares_usage,
    display_value,
    fits_node,
    unit,
)
from engine.messages import msg
from engine.schedulers.policy import JOB, ORDER_AT, REQUEST, Term
from engine.schedulers.scheduler import Scheduler
from engine.schedulers.terms.capacity_walk import used_and_reserved
from engine.simulation.cancellation import CancelToken
from engine.simulation.kernel.heartbeats import next_instant
from engine.simulation.policy_binding import Answer
from engine.simulation.refused_jobs import refusal_reasons
from engine.simulation.run import Run
from engine.simulation.simulate import PreparedRun, larger_sizes, moment_of, prepare
from engine.simulation.waiting.rule import WaitingRule
from engine.simulation.waiting.waiting_rule import waiting_rule

# Where the nodes are the reason, an order that gave what they had to others is the reason behind it.
OF_ROOM = ("room", "scattered", "task-slots")
# An order passes a request over for one job after another; that is one span.
OF_ORDER = ("order", "own-tasks", "left-free")
KIND_WORDS = {"am": "an ApplicationMaster", "map": "a map", "reduce": "a reduce"}


class WaitSpan(NamedTuple):
    """A part of a wait: from, to in ms (NONE: for ever), and what kept the container then, as it was when the
    span began.
    """

    start: int
    end: int
    rule: WaitingRule


class Wait(NamedTuple):
    """A wait, of the container that waited. killed_for: jobs for which FairScheduler preempted the attempt
    before it, "" where it was not.
    """

    container: str
    spans: list[WaitSpan]
    killed_for: str


class Passing(NamedTuple):
    """The order was asked with the request among its candidates, and chose another, or none (NONE): the last
    time at `at`.
    """

    at: int
    chosen: int
    rule: WaitingRule


def wait_spans(run: Run, scheduler: Scheduler, container: str) -> Wait:
    """What kept JOB/STAGE/KIND/INDEX[/ATTEMPT], placed or not: spans without a gap between them.

    Of a map or reduce that was never asked for, as its job's master never ran, the master's. The spans begin
    when it was asked for, of a first attempt of a reduce when its iteration began, and end when it started.
    Raises NoSuchContainer. Cost: a plain run up to its start.
    """
    name = ContainerName.of(run, container)
    number = name.number(run)
    if reason := refusal_reasons(run).get(name.job):
        raise NoSuchContainer(msg("explanation.wait_spans.job_was_refused", name=name.text, because=reason))
    if number is None and not _is_waiting(run, name):
        if name.kind == REDUCE and _has_started(run, name):
            begun = _iteration_start(run, name)
            return Wait(name.text, _before_asked(run, scheduler, name, begun, NONE), "")
        master = f"{run.workload.job_names[name.job]}/1/am/0"
        has_master = run.workload.job_startup[name.job] >= 0
        if name.kind != MASTER and has_master and ContainerName.of(run, master).number(run) is None:
            return wait_spans(run, scheduler, master)
        raise NoSuchContainer(msg("explanation.wait_spans.never_asked_for", name=name.text))
    asked, start = _asked_and_start(run, name, number)
    spans: list[WaitSpan] = []
    if name.kind == REDUCE and (number is None or run.containers.attempt[number] == 1):
        begun = _iteration_start(run, name)
        if begun < asked:
            spans = _before_asked(run, scheduler, name, begun, asked)
    killed_for = ""
    if asked != start:
        follower = _Follower(run, scheduler, name, number, asked, start)
        spans += follower.spans()
        killed_for = ", ".join(follower.killed_for)
    return Wait(name.text, spans, killed_for)


def span_json(span: WaitSpan) -> dict[str, Any]:
    """A span as the command line prints it; seconds, to_s None: for ever; text: the whole sentence."""
    rule, begin = span.rule, quantities.moment(span.start)
    times = (
        msg("explanation.wait_spans.since", begin=begin)
        if span.end == NONE
        else msg("explanation.wait_spans.from_to", begin=begin, end=quantities.moment(span.end))
    )
    setting = rule.setting and msg("explanation.wait_spans.setting", setting=rule.setting)
    return {
        "from_s": span.start / 1000,
        "to_s": None if span.end == NONE else span.end / 1000,
        "rule": rule.rule,
        "subject": rule.subject,
        "limit": rule.limit,
        "asked": rule.asked,
        "unit": rule.unit,
        "setting": rule.setting,
        "because": rule.because,
        "text": msg("explanation.wait_spans.span", times=times, because=rule.because, setting=setting),
    }


def _asked_and_start(run: Run, name: ContainerName, number: int | None) -> tuple[int, int]:
    if number is not None:
        c = run.containers
        return int(c.requested[number]), int(c.start[number])
    place = np.flatnonzero((run.waiting.job == name.job) & (run.waiting.kind == name.kind))[0]
    return int(run.waiting.since[place]), NONE


def _is_waiting(run: Run, name: ContainerName) -> bool:
    return bool(((run.waiting.job == name.job) & (run.waiting.kind == name.kind)).any())


def _has_started(run: Run, name: ContainerName) -> bool:
    c = run.containers
    return bool(((c.job == name.job) & (c.stage == name.stage) & (c.kind == MAP)).any())


def _killed_on(run: Run, name: ContainerName, number: int | None) -> int:
    """The node on which the attempt before this one was killed; NONE where it was not."""
    c = run.containers
    if number is None or c.attempt[number] == 1:
        return NONE
    before = np.flatnonzero(
        (c.job == name.job)
        & (c.stage == name.stage)
        & (c.kind == name.kind)
        & (c.index == name.task)
        & (c.attempt == c.attempt[number] - 1)
        & (c.outcome == KILLED)
    )
    return int(c.node[before[0]]) if len(before) else NONE


def _iteration_start(run: Run, name: ContainerName) -> int:
    """When the maps of its iteration were asked for."""
    c = run.containers
    maps = c.requested[(c.job == name.job) & (c.stage == name.stage) & (c.kind == MAP)]
    return int(maps.min()) if len(maps) else INFINITE


def _before_asked(
    run: Run, scheduler: Scheduler, name: ContainerName, begun: int, asked: int
) -> list[WaitSpan]:
    """A reduce before its master asked for it: until as many maps have finished as slow start says, then
    until the reduce-start rule let it.
    """
    rule, work, c = scheduler.reduce_start, run.workload, run.containers
    job = name.job
    policy_rule = WaitingRule(
        "reduce-start",
        work.job_names[job],
        None,
        None,
        "",
        "yarn.app.mapreduce.am.job.reduce.rampup.limit" if rule.policy.name == "ramp-up" else str(rule),
        msg("explanation.wait_spans.reduce_start_has_not_asked", rule=str(rule)),
    )
    if rule.policy.name not in ("ramp-up", "slowstart"):
        return [WaitSpan(begun, asked, policy_rule)]
    share = rule.number("at", float(work.job_slowstart[job]))
    maps = int(work.job_maps[job])
    needed = math.ceil(share * maps - 1e-9)
    of_stage = (c.job == job) & (c.stage == name.stage) & (c.kind == MAP) & (c.outcome == FINISHED)
    ends = np.sort(c.end[of_stage])
    reached = int(ends[needed - 1]) if 0 < needed <= len(ends) else begun if needed <= 0 else NONE
    slow_start = WaitingRule(
        "slow-start",
        work.job_names[job],
        float(needed),
        0.0,
        "maps",
        "mapreduce.job.reduce.slowstart.completedmaps",
        msg(
            "explanation.wait_spans.reduces_are_asked_for_once",
            needed=f"{needed:,}",
            maps=quantities.count(maps, "maps"),
            share=quantities.number(share),
        ),
    )
    if reached == NONE or (asked != NONE and reached >= asked):
        return [WaitSpan(begun, asked, slow_start)]
    spans = [WaitSpan(begun, reached, slow_start), WaitSpan(reached, asked, policy_rule)]
    return [span for span in spans if span.start != span.end]


class _Follower:
    """One run, made again and looked at after every instant from `asked` until the container starts."""

    def __init__(
        self, run: Run, scheduler: Scheduler, name: ContainerName, number: int | None, asked: int, start: int
    ) -> None:
        self.run, self.scheduler, self.number = run, scheduler, number
        self.request = PER_JOB * name.job + name.kind
        self.asked, self.start = asked, start
        self.killed_on = _killed_on(run, name, number)
        self.killed_for: list[str] = []
        self.passing: Passing | None = None
        self.passed: list[int] = []  # jobs that were chosen since the last span began
        self.found: list[WaitSpan] = []

    def spans(self) -> list[WaitSpan]:
        array_sizes = None
        while True:
            self.passing, self.passed, self.found = None, [], []
            prepared = prepare(self.run.scenario, self.scheduler, True, self._see, CancelToken(), array_sizes)
            ended = self._follow(prepared)
            array_sizes = larger_sizes(prepared, ended)
            if not array_sizes:
                return self.found

    def _follow(self, prepared: PreparedRun) -> int:
        """Runs until the container starts or the run ends; returns as the kernel does."""
        view, state = prepared.view, prepared.state
        state.pause_ms[0] = self.asked
        ended, _ = prepared.kernel.advance()
        self._note_claims(prepared)
        while ended == PAUSED:
            now = next_instant(view, state, int(view.heartbeat[0]))
            if self.start != NONE and now > self.start:
                break
            state.pause_ms[0] = now + 1
            ended, _ = prepared.kernel.advance()
            if ended not in (PAUSED, ALL_FINISHED, DEADLOCK):
                return ended
            self._note(prepared, now)
        self._close(self.start)
        if ended == DEADLOCK:
            self._note_end(prepared)
        return ended

    def _note_claims(self, prepared: PreparedRun) -> None:
        """For whom the attempt before is about to be killed."""
        state = prepared.state
        on_node = state.claim_node[: state.claim_count[0]] == self.killed_on
        jobs = dict.fromkeys(state.claim_job[: state.claim_count[0]][on_node].tolist())
        self.killed_for = [self.run.workload.job_names[job] for job in jobs]

    def _note(self, prepared: PreparedRun, now: int) -> None:
        """What keeps the request from this instant on."""
        if prepared.view.request_waiting[self.request] == 0 or now < self.asked or now == self.start:
            return
        rule = waiting_rule(moment_of(prepared), self.request)
        if rule is not None and rule.rule not in OF_ROOM:
            self.passing = None
        elif self.passing is not None:
            rule = self.passing.rule
        elif rule is None:
            rule = _heartbeat(prepared)
        last = self.found[-1] if self.found else None
        if last is None or _differ(last.rule, rule):
            self._close(now)
            self.found.append(WaitSpan(int(now), NONE, rule))

    def _note_end(self, prepared: PreparedRun) -> None:
        """An order that once gave the room to another is not what keeps the request for ever: since then
        it is what the nodes lack.
        """
        rule = waiting_rule(moment_of(prepared), self.request)
        if rule is None or self.passing is None or not self.found:
            return
        last, at = self.found.pop(), self.passing.at
        if last.start < at:
            self.found.append(last._replace(end=at))
        self.found.append(WaitSpan(max(at, last.start), NONE, rule))

    def _close(self, end: int) -> None:
        if self.found:
            span = self.found[-1]
            jobs = set(self.passed)
            if span.rule.rule in OF_ORDER and len(jobs) > 1:
                more = msg(
                    "explanation.wait_spans.more_were_placed",
                    because=span.rule.because,
                    count=quantities.count(len(self.passed), "containers"),
                    jobs=quantities.count(len(jobs), "jobs"),
                )
                span = span._replace(rule=span.rule._replace(because=more))
            self.found[-1] = span._replace(end=int(end))
        self.passed = []

    def _see(self, answer: Answer) -> None:
        if answer.place != ORDER_AT:
            return
        view, count = answer.view, answer.second
        offered = view.candidates[:count]
        # who may reserve a node is offered those on which it does not fit too
        if (
            view.now[0] >= self.asked
            and (offered == self.request).any()
            and fits_node(view, answer.first, self.request)
        ):
            chosen = int(offered[answer.answer]) if answer.answer >= 0 else NONE
            if not (chosen == self.request and answer.placed == self.number):
                self._pass(answer, chosen)
        for term in self.scheduler.order.policy.terms:
            if term.per == REQUEST:
                getattr(view, term.name)[offered] = np.nan

    def _pass(self, answer: Answer, chosen: int) -> None:
        if chosen != NONE:
            self.passed.append(chosen // PER_JOB)
        now = int(answer.view.now[0])
        if self.passing is not None and self.passing.chosen // PER_JOB == chosen // PER_JOB:
            self.passing = self.passing._replace(at=now)
            return
        rule = (
            _ahead(self.run, self.scheduler, answer.view, self.request, chosen)
            if chosen != NONE
            else _left_free(self.run, self.scheduler, answer, self.request)
        )
        self.passing = Passing(now, chosen, rule)


def _differ(rule: WaitingRule, other: WaitingRule) -> bool:
    """Is it another span? One that an order gave to other jobs goes on while it gives some to its own."""
    if rule.rule == "order":
        return other.rule not in OF_ORDER
    return rule.rule != other.rule or (rule.rule not in OF_ORDER and rule.subject != other.subject)


def _heartbeat(prepared: PreparedRun) -> WaitingRule:
    """A node could take it, and has not sent its heartbeat since."""
    cluster = prepared.scenario.cluster
    each = cluster.containers_per_heartbeat
    return WaitingRule(
        "heartbeat",
        "",
        float(cluster.heartbeat_ms),
        None,
        "ms",
        "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms",
        msg(
            "explanation.wait_spans.waits_for_heartbeat",
            ms=f"{cluster.heartbeat_ms:,}",
            each=msg("explanation.wait_spans.any_number")
            if each is None
            else quantities.count(each, "containers"),
        ),
    )


def _left_free(run: Run, scheduler: Scheduler, answer: Answer, request: int) -> WaitingRule:
    """The order gave the node nothing: under capacity, as a job ahead in the leaf asks for more than the leaf
    may use, which stops it (AbstractLeafQueue.assignContainers).
    """
    view, names = answer.view, run.workload.job_names
    if scheduler.order.policy.reserves == WALKED:
        ahead = _stops_leaf(view, request)
        if ahead is not None:
            other, limit, asked, unit_name = ahead
            queue = run.workload.queues.names[view.job_queue[request // PER_JOB]]
            return WaitingRule(
                "leaf-at-limit",
                names[other // PER_JOB],
                limit,
                asked,
                unit_name,
                f"yarn.scheduler.capacity.{queue}.capacity",
                msg(
                    "explanation.wait_spans.queue_stopped_at_job_ahead",
                    queue=queue,
                    kind=KIND_WORDS[KINDS[other % PER_JOB]],
                    job=names[other // PER_JOB],
                    asked=quantities.quantity(asked, unit_name),
                    limit=quantities.quantity(limit, unit_name),
                ),
            )
    node = run.workload.node_names[answer.first]
    return WaitingRule(
        "left-free",
        node,
        None,
        None,
        "",
        str(scheduler.order),
        msg("explanation.wait_spans.order_left_node", order=scheduler.order.policy.title, node=node),
    )


def _stops_leaf(view: Any, request: int) -> tuple[int, float, float, str] | None:
    """(request, what is left of the leaf's limit, what it asks for, unit) of the first waiting request of the
    leaf that is more than its limit leaves; None where none is.
    """
    leaf = view.job_queue[request // PER_JOB]
    used = used_and_reserved(view, leaf)
    left = view.limit_memory[leaf] - used[0], view.limit_vcores[leaf] - used[1]
    for other in view.waiting_requests[: view.waiting_count[0]].tolist():
        if view.job_queue[other // PER_JOB] != leaf or view.job_is_active[other // PER_JOB] == 0:
            continue
        if view.request_memory[other] > left[0]:
            return other, float(left[0]), float(view.request_memory[other]), "MB"
        if view.counts_vcores[0] == 1 and view.request_vcores[other] > left[1]:
            return other, float(left[1]), float(view.request_vcores[other]), "vcores"
    return None


def _ahead(run: Run, scheduler: Scheduler, view: Any, request: int, chosen: int) -> WaitingRule:
    """Which number put another request ahead: of their queues, then of the jobs, then their order."""
    work, job, other = run.workload, request // PER_JOB, chosen // PER_JOB
    name = work.job_names[other]
    kind = KIND_WORDS[KINDS[chosen % PER_JOB]]
    if other == job:
        text = (
            msg("explanation.wait_spans.earlier_tasks_of_job", kind=KINDS[chosen % PER_JOB], job=name)
            if chosen == request
            else msg("explanation.wait_spans.own_kind_first", kind=kind, job=name)
        )
        return WaitingRule("own-tasks", name, None, None, "", "", text)
    if scheduler.order.policy.masters_first and chosen % PER_JOB == MASTER and request % PER_JOB != MASTER:
        text = msg("explanation.wait_spans.masters_come_first", kind=kind, job=name)
        return WaitingRule("order", name, None, None, "", str(scheduler.order), text)
    compared = _compared(scheduler, view, request, chosen)
    if compared is None:
        text = msg("explanation.wait_spans.ahead_by_order_of_jobs", kind=kind, job=name)
        return WaitingRule("order", name, None, None, "", "", text)
    term, own, theirs = compared
    words = term.title.lower()
    text = msg(
        "explanation.wait_spans.ahead_by_number",
        kind=kind,
        job=name,
        term=words,
        theirs=quantities.quantity(theirs, unit(term)),
        own=quantities.quantity(own, unit(term)),
    )
    return WaitingRule("order", name, theirs, own, unit(term), str(scheduler.order), text)


def _compared(scheduler: Scheduler, view: Any, request: int, chosen: int) -> tuple[Term, float, float] | None:
    """(the term, ours, theirs) in which the chosen one is first better; None where it is in none."""
    policy, job, other = scheduler.order.policy, request // PER_JOB, chosen // PER_JOB
    own_queue, other_queue = _siblings(view, int(view.job_queue[job]), int(view.job_queue[other]))
    pairs = [
        (term, (own_queue, other_queue))
        for term in (compared_queues(policy, view) if own_queue != other_queue else ())
    ]
    if (
        own_queue == other_queue
        and compares_usage(policy, view, own_queue)
        or not compared_queues(policy, view)
    ):
        places = {JOB: (job, other), REQUEST: (request, chosen)}
        pairs += [(term, places[term.per]) for term in policy.terms if term.per in places and term.direction]
    for term, entries in pairs:
        own, theirs = (display_value(term, float(getattr(view, term.name)[entry])) for entry in entries)
        if own is None or theirs is None or own == theirs:
            continue
        return (term, own, theirs) if term.direction * (theirs - own) > 0 else None
    return None


def _siblings(view: Any, queue: int, other: int) -> tuple[int, int]:
    """The ancestors of two queues that their nearest common parent compares; the queue itself twice where
    they are one.
    """
    path, other_path = _path(view, queue), _path(view, other)
    depth = 0
    while depth < min(len(path), len(other_path)) - 1 and path[depth] == other_path[depth]:
        depth += 1
    return path[depth], other_path[depth]


def _path(view: Any, queue: int) -> list[int]:
    """From root down to the queue."""
    path = [queue]
    while view.queue_parent[path[-1]] >= 0:
        path.append(int(view.queue_parent[path[-1]]))
    return path[::-1]
