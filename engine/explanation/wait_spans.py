"""Why a container waited, or waits for ever: span by span the one rule that passed it over (WAIT-1, WAIT-2).

The run is made again, uncompiled, and looked at after every instant of the wait. A rule that holds on every
node keeps the request; else the order, from the first to the last time that it chose another one for a node
that had room; then what the nodes have, or a heartbeat that is still to come.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine import quantities
from engine.codes import (
    ACTIVATE,
    EXECUTOR,
    HOLD,
    INFINITE,
    MAP,
    MASTER,
    NONE,
    REDUCE,
    TASK,
    job_of,
)
from engine.explanation.container_names import ContainerName, NoSuchContainer
from engine.explanation.observed_run import Observer, fits_node, observe
from engine.explanation.order_rules import ahead, left_free
from engine.explanation.preempted_for import PreemptedFor
from engine.explanation.reduce_start_waits import ReduceStart
from engine.explanation.stage_waits import stage_spans
from engine.messages import msg
from engine.schedulers.policy import ADMISSION_AT, ORDER_AT
from engine.schedulers.scheduler import Scheduler
from engine.simulation.policy_binding import Answer
from engine.simulation.refused_jobs import refusal_reasons
from engine.simulation.run import Run
from engine.simulation.simulate import PreparedRun, moment_of
from engine.simulation.waiting.master_limits import am_limit_rule
from engine.simulation.waiting.rule import WaitingRule, WaitSpan, with_range
from engine.simulation.waiting.waiting_rule import waiting_rule

OF_ROOM = ("room", "scattered", "task-slots")
# An order passes a request over for one job after another, and between them nodes are full; that is one span.
OF_ORDER = ("order", "own-tasks")
OF_NODES = (*OF_ROOM, "heartbeat")
OF_ACTIVATION = ("activation", "am-limit", "user-am-limit")
# Limits that may move while they keep a request: between which numbers is told.
OF_LIMITS = (
    "running-jobs",
    "am-share",
    "am-limit",
    "user-am-limit",
    "reserve",
    "queue-maximum",
    "user-limit",
    "siblings",
)


class Wait(NamedTuple):
    """A wait, of the container that waited. killed_for: jobs or queues for which the attempt before it was
    preempted, "" where it was not.
    """

    container: str
    spans: list[WaitSpan]
    killed_for: str


class Passing(NamedTuple):
    """The order was asked with the request among its candidates, and chose another, or none (NONE), the last
    time at `at`.
    """

    at: int
    chosen: int
    rule: WaitingRule


def wait_spans(run: Run, scheduler: Scheduler, container: str, *others: Observer) -> Wait:
    """What kept JOB/STAGE/KIND/INDEX[/ATTEMPT], placed or not: spans without a gap between them.

    Of a task that was never asked for, as its job's master never ran, the master's. The spans begin when it
    was asked for, of a first attempt of a reduce when its iteration began, of one of a stage when its job
    asked for its first, and end when it started.
    others: look at the same run. Raises NoSuchContainer. Cost: a plain run up to its start.
    """
    name = ContainerName.of(run, container)
    number = name.number(run)
    if reason := refusal_reasons(run).get(name.job):
        raise NoSuchContainer(msg("explanation.wait_spans.job_was_refused", name=name.text, because=reason))
    if number is None and not _is_waiting(run, name):
        return _never_asked(run, scheduler, name)
    asked, start = _asked_and_start(run, name, number)
    waiting = _Waiting(run, scheduler, name, number, asked, start)
    observers = [*others, waiting] if asked != start else [*others]
    before = None
    if name.kind == REDUCE and (number is None or run.containers.attempt[number] == 1):
        before = ReduceStart(run, scheduler, name, _iteration_start(run, name), asked)
        observers.append(before)
    killed = PreemptedFor(run, name, number)
    if asked != start and killed.at != NONE:
        observers.append(killed)
    if observers:
        first = asked if killed.at == NONE else min(asked, killed.at)
        observe(run, scheduler, observers, first, INFINITE if start == NONE else start)
    of_stage = name.kind == TASK and (number is None or run.containers.attempt[number] == 1)
    sooner = stage_spans(run, name, asked) if of_stage else before.spans() if before else []
    spans = [*sooner, *(waiting.spans() if asked != start else [])]
    return Wait(name.text, spans, "; ".join(killed.names))


def _never_asked(run: Run, scheduler: Scheduler, name: ContainerName) -> Wait:
    """Of a container that nobody ever asked for."""
    if name.kind == REDUCE and _has_started(run, name):
        never = ReduceStart(run, scheduler, name, _iteration_start(run, name), NONE)
        observe(run, scheduler, [never], INFINITE, INFINITE)
        return Wait(name.text, never.spans(), "")
    if name.kind == TASK and (never_asked := stage_spans(run, name, NONE)):
        return Wait(name.text, never_asked, "")
    master = f"{run.workload.job_names[name.job]}/1/am/0"
    has_master = run.workload.job_startup[name.job] >= 0
    if name.kind != MASTER and has_master and ContainerName.of(run, master).number(run) is None:
        return wait_spans(run, scheduler, master)
    raise NoSuchContainer(msg("explanation.wait_spans.never_asked_for", name=name.text))


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
    return int(run.waiting.since[_unserved(run, name)][0]), NONE


def _is_waiting(run: Run, name: ContainerName) -> bool:
    return bool(_unserved(run, name).any())


def _unserved(run: Run, name: ContainerName) -> np.ndarray:
    """Which entry of run.waiting asks for it."""
    waiting = run.waiting
    is_request = (waiting.job == name.job) & (waiting.kind == name.kind)
    return is_request & (waiting.stage == name.stage) if name.kind >= EXECUTOR else is_request


def _has_started(run: Run, name: ContainerName) -> bool:
    c = run.containers
    return bool(((c.job == name.job) & (c.stage == name.stage) & (c.kind == MAP)).any())


def _iteration_start(run: Run, name: ContainerName) -> int:
    """When the maps of its iteration were asked for."""
    c = run.containers
    maps = c.requested[(c.job == name.job) & (c.stage == name.stage) & (c.kind == MAP)]
    return int(maps.min()) if len(maps) else INFINITE


class _Waiting(Observer):
    """A request from `asked` until its container starts."""

    def __init__(
        self, run: Run, scheduler: Scheduler, name: ContainerName, number: int | None, asked: int, start: int
    ) -> None:
        self.run, self.scheduler, self.number = run, scheduler, number
        self.request, self.job = name.request(run.workload), name.job
        self.asked, self.start = asked, start
        self.begin()

    def begin(self) -> None:
        self.passing: Passing | None = None
        self.passed: list[tuple[int, int]] = []  # when, and the job that was chosen
        self.found: list[tuple[int, WaitingRule]] = []  # since when
        self.limits: dict[int, list[float]] = {}  # of what was found then, at each instant
        self.full: dict[int, int] = {}  # ms for which no node had room, of an order's span that began then
        self.held: WaitingRule | None = None  # what am-limit answered last, when it was asked

    def note(self, prepared: PreparedRun, now: int) -> None:
        """What keeps the request from this instant on."""
        if prepared.view.request_waiting[self.request] == 0 or now < self.asked or now == self.start:
            return
        rule, passing = waiting_rule(moment_of(prepared), self.request), self.passing
        if rule is not None and rule.rule in OF_ACTIVATION:
            rule = self.held or rule
        if rule is not None and rule.rule not in OF_ROOM:
            self.passing = None
        elif passing is not None and passing.at == now and passing.chosen != NONE:
            self._note_order(int(now), passing)
        self._begin_span(int(now), rule or self._of_node(prepared))

    def _of_node(self, prepared: PreparedRun) -> WaitingRule:
        """A node has room for it: it was asked, and gave nothing, or its heartbeat is to come."""
        passing = self.passing
        return passing.rule if passing is not None and passing.chosen == NONE else _heartbeat(prepared)

    def _begin_span(self, now: int, rule: WaitingRule) -> None:
        """Begins another span, unless this one goes on."""
        if not self.found or _differ(self.found[-1][1], rule):
            self.found.append((now, rule))
        since, first = self.found[-1]
        if rule.rule in OF_LIMITS and rule.limit is not None and rule.unit == first.unit:
            self.limits.setdefault(since, []).append(rule.limit)

    def _note_order(self, now: int, passing: Passing) -> None:
        """The order passed it over in this instant. That nodes were full, or silent, since it last did so is
        part of one span.
        """
        before = [place for place, (_, rule) in enumerate(self.found) if rule.rule not in OF_NODES]
        if before and not _differ(self.found[before[-1]][1], passing.rule):
            since, between = self.found[before[-1]][0], self.found[before[-1] + 1 :]
            ends = [*(begin for begin, _ in between[1:]), now]
            full = sum(end - begin for (begin, rule), end in zip(between, ends) if rule.rule in OF_ROOM)
            self.full[since] = self.full.get(since, 0) + full
            del self.found[before[-1] + 1 :]
        else:
            self.found.append((now, passing.rule))

    def spans(self) -> list[WaitSpan]:
        """An order's span ends when it last passed the request over; of no length, it is told with the state
        of the nodes that it left.
        """
        spans, behind = [], ""
        ends = [*(since for since, _ in self.found[1:]), self.start]
        for (since, rule), end in zip(self.found, ends, strict=True):
            if rule.rule in OF_ORDER:
                rule = self._with_count(rule, since, end)
                if since == end:
                    behind = rule.because
                    continue
            elif behind:
                text = msg("explanation.wait_spans.nodes_and_order", because=rule.because, order=behind)
                rule = rule._replace(because=text)
            behind = ""
            spans.append(WaitSpan(since, end, with_range(rule, self.limits.get(since, []))))
        return spans

    def _with_count(self, rule: WaitingRule, since: int, end: int) -> WaitingRule:
        """With how long no node had room meanwhile, and how many containers were placed before it, where they
        are of several jobs.
        """
        if full := self.full.get(since, 0):
            text = msg(
                "explanation.wait_spans.no_room_meanwhile",
                because=rule.because,
                full=quantities.duration(full),
            )
            rule = rule._replace(because=text)
        chosen = [job for at, job in self.passed if since <= at <= end]
        if len(set(chosen)) < 2:
            return rule
        more = msg(
            "explanation.wait_spans.more_were_placed",
            because=rule.because,
            count=quantities.count(len(chosen), "containers"),
            jobs=quantities.count(len(set(chosen)), self.run.noun),
        )
        return rule._replace(because=more)

    def see(self, answer: Answer) -> None:
        if answer.place == ADMISSION_AT and answer.first == self.job:
            self._see_admission(answer)
        if answer.place != ORDER_AT:
            return
        view, count = answer.view, answer.second
        offered = view.candidates[:count]
        # who may reserve a node is offered those on which it does not fit too
        if (
            view.now >= self.asked
            and (offered == self.request).any()
            and fits_node(view, answer.first, self.request)
        ):
            chosen = int(offered[answer.answer]) if answer.answer >= 0 else NONE
            if not (chosen == self.request and answer.placed == self.number):
                self._pass(answer, chosen)

    def _see_admission(self, answer: Answer) -> None:
        """CapacityScheduler looks at the limits of masters when applications come or leave, not since."""
        self.held = None
        if self.scheduler.admission.policy.masters.overtaking == ACTIVATE and answer.answer == HOLD:
            view = answer.view
            self.held = am_limit_rule(self.run.workload, self.scheduler, view, self.job, view)

    def _pass(self, answer: Answer, chosen: int) -> None:
        now = int(answer.view.now)
        if chosen == NONE:
            rule = left_free(self.run, self.scheduler, answer, self.request)
        else:
            rule = ahead(self.run, self.scheduler, answer.view, self.request, chosen)
            self.passed.append((now, int(job_of(answer.view, chosen))))
        self.passing = Passing(now, chosen, rule)


def _differ(rule: WaitingRule, other: WaitingRule) -> bool:
    """Is it another span? One that an order gave to other jobs goes on while it gives some to its own."""
    if rule.rule == "order":
        return other.rule not in OF_ORDER
    if rule.rule != other.rule:
        return True
    if rule.rule in OF_ORDER:
        return False
    return rule.subject != other.subject


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
