"""Why a container waited, or waits for ever: span by span the one rule that passed it over (WAIT-1, WAIT-2).

The run is made again, uncompiled, and looked at after every instant of the wait. A rule that holds on every
node keeps the request; else the order, from the first to the last time that it chose another one for a node
that had room; then what the nodes have, or a heartbeat that is still to come.
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
    MAP,
    MASTER,
    NONE,
    PAUSED,
    PER_JOB,
    REDUCE,
)
from engine.explanation.container_names import ContainerName, NoSuchContainer
from engine.explanation.observed_run import fits_node
from engine.explanation.order_rules import ahead, left_free
from engine.messages import msg
from engine.schedulers.policy import ORDER_AT, REQUEST
from engine.schedulers.scheduler import Scheduler
from engine.simulation.cancellation import CancelToken
from engine.simulation.kernel.heartbeats import next_instant
from engine.simulation.policy_binding import Answer
from engine.simulation.refused_jobs import refusal_reasons
from engine.simulation.run import Run
from engine.simulation.simulate import PreparedRun, larger_sizes, moment_of, prepare
from engine.simulation.waiting.rule import WaitingRule, amount
from engine.simulation.waiting.waiting_rule import waiting_rule

OF_ROOM = ("room", "scattered", "task-slots")
# An order passes a request over for one job after another, and between them nodes are full; that is one span.
OF_ORDER = ("order", "own-tasks")
OF_NODES = (*OF_ROOM, "heartbeat")
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
    """The order was asked with the request among its candidates, and chose another, or none (NONE), the last
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
        self.passed: list[tuple[int, int]] = []  # when, and the job that was chosen
        self.found: list[tuple[int, WaitingRule]] = []  # since when
        self.limits: dict[int, list[float]] = {}  # of what was found then, at each instant

    def spans(self) -> list[WaitSpan]:
        array_sizes = None
        while True:
            self.passing, self.passed, self.found, self.limits = None, [], [], {}
            prepared = prepare(self.run.scenario, self.scheduler, True, self._see, CancelToken(), array_sizes)
            array_sizes = larger_sizes(prepared, self._follow(prepared))
            if not array_sizes:
                return self._told()

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
        rule, passing = waiting_rule(moment_of(prepared), self.request), self.passing
        if rule is not None and rule.rule not in OF_ROOM:
            self.passing = None
        elif passing is not None and passing.at == now and passing.chosen != NONE:
            self._note_order(int(now), passing)
        if rule is None:
            chose_nothing = passing is not None and passing.chosen == NONE
            rule = passing.rule if passing is not None and chose_nothing else _heartbeat(prepared)
        if not self.found or _differ(self.found[-1][1], rule):
            self.found.append((int(now), rule))
        if rule.rule in OF_LIMITS and rule.limit is not None:
            self.limits.setdefault(self.found[-1][0], []).append(rule.limit)

    def _note_order(self, now: int, passing: Passing) -> None:
        """The order passed it over in this instant. That nodes were full, or silent, since it last did so is
        part of one span.
        """
        before = [place for place, (_, rule) in enumerate(self.found) if rule.rule not in OF_NODES]
        if before and not _differ(self.found[before[-1]][1], passing.rule):
            del self.found[before[-1] + 1 :]
        else:
            self.found.append((now, passing.rule))

    def _told(self) -> list[WaitSpan]:
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
            spans.append(WaitSpan(since, end, _with_range(rule, self.limits.get(since, []))))
        return spans

    def _with_count(self, rule: WaitingRule, since: int, end: int) -> WaitingRule:
        """With how many containers were placed before it, where they are of several jobs."""
        chosen = [job for at, job in self.passed if since <= at <= end]
        if len(set(chosen)) < 2:
            return rule
        more = msg(
            "explanation.wait_spans.more_were_placed",
            because=rule.because,
            count=quantities.count(len(chosen), "containers"),
            jobs=quantities.count(len(set(chosen)), "jobs"),
        )
        return rule._replace(because=more)

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
        now = int(answer.view.now[0])
        if chosen == NONE:
            rule = left_free(self.run, self.scheduler, answer, self.request)
        else:
            rule = ahead(self.run, self.scheduler, answer.view, self.request, chosen)
            self.passed.append((now, chosen // PER_JOB))
        self.passing = Passing(now, chosen, rule)


def _with_range(rule: WaitingRule, limits: list[float]) -> WaitingRule:
    if len(set(limits)) < 2:
        return rule
    low, high = (amount(limit, rule.unit) for limit in (min(limits), max(limits)))
    text = msg("explanation.wait_spans.limit_moved", because=rule.because, low=low, high=high)
    return rule._replace(because=text)


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
