"""A naive simulator of the model, to compare the engine with: it scans everything at every step.

The numbers in the docstrings are the items of the model. Times are integer milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from engine.scenario.model import Scenario
from tests.oracle.capacity_walk import Capacity
from tests.oracle.cluster_state import Candidate, Pair
from tests.oracle.contention import contend
from tests.oracle.kill_rule import KillRule
from tests.oracle.requests import Requests
from tests.oracle.result import JobTimes, Result
from tests.oracle.spark import task_runs
from tests.oracle.speculation import LOOK_MS, Speculation
from tests.oracle.starvation import code_of
from tests.oracle.tasks import Tasks
from tests.oracle.workload import Job, Node


def simulate(
    scenario: Scenario, order: str = "fair", resources: str = "both", at: float | None = None
) -> Result:
    """Runs a scenario under one of Hadoop's orders as the textbook has it: no reservations, slow start (`at`
    overrides the jobs' own) and admit-all.
    """
    textbook = {"fifo": "", "capacity": ", reservations=no, user_limits=no"}.get(
        order, ", reservations=no, update_ms=0"
    )
    start = "slowstart" if at is None else f"slowstart(at={at!r})"
    return simulate_named(scenario, f"{order}(resources={resources}{textbook})+{start}+admit-all")


class ExcludedChoice(NamedTuple):
    """A choice that is changed: from this time on, when so many containers have been placed, the node is not
    given to the job if another is a candidate.
    """

    at_ms: int
    placed: int
    node: str
    job: str


def simulate_named(scenario: Scenario, scheduler: str, excluded: ExcludedChoice | None = None) -> Result:
    """Runs a scenario under a scheduler by its contract name."""
    simulation = _Simulation(scenario, scheduler)
    simulation.excluded = excluded
    return simulation.run()


class _Simulation(Tasks, Requests, KillRule, Speculation):
    excluded: ExcludedChoice | None = None

    def run(self) -> Result:
        """Instant by instant until every job has finished or nothing can ever happen (18)."""
        while any(job.finish is None for job in self.jobs):
            instant = self._next_instant()
            if instant is None:
                return self._result("deadlock", self._last_start_or_end())
            self.state.now = instant
            self._instant()
        return self._result("refused" if all(job.refused for job in self.jobs) else "finished", None)

    def _next_instant(self) -> int | None:
        """The next event or heartbeat. A full round of heartbeats that changed nothing would do so for ever:
        then only events count.
        """
        event = min([*self._known_events(), *self._next_ticks()], default=None)
        if self.preempts and event is not None:
            event = min(event, (self.now // self._update_ms + 1) * self._update_ms)
        if self.cluster.heartbeat_ms == 0:
            return event
        if self.idle_heartbeats < len(self.nodes):
            return self._heartbeat_ms() if event is None else min(event, self._heartbeat_ms())
        if event is not None and self.order.reserves.counts_beats:
            return min(event, self._heartbeat_ms())
        if event is not None:
            self._skip_beats_before(event)
        return event

    def _known_events(self) -> Iterator[int]:
        """Arrivals, starts-up, shuffle ends and ends that lie ahead."""
        for job in self.jobs:
            if not job.refused:
                yield from self._events_of(job)
        yield from (at for at, *_ in self._outage_times())
        yield from (at for at, _ in self.due)
        if self._speculates() and any(container.end is not None for container in self._running()):
            yield (self.now // LOOK_MS + 1) * LOOK_MS
        for container in self._running():
            if container.runs_tasks:
                continue
            if container.begin > self.now:
                yield container.begin
            elif container.end is not None:
                yield container.end
            elif container.shuffle_end is not None:
                yield container.shuffle_end
            elif container.fetched_at is not None:
                yield container.fetched_at

    def _events_of(self, job: Job) -> Iterator[int]:
        """Its arrival, or its master's start-up; all that lies ahead of a Spark application."""
        if not self._has_arrived(job):
            yield job.arrival
        elif job.application:
            yield from job.application.events() if job.finish is None else ()
        elif job.ready is not None and (job.iteration == 0 or job.master_away):
            yield job.ready

    def _next_ticks(self) -> Iterator[int]:
        """After two that changed nothing, with nothing in between, none of that clock will change anything
        until something happens.
        """
        for clock in self.clocks:
            if self.idle[clock] < 2:
                yield from clock.next_tick(self.now)
        if self._update_ms and (
            self.idle_updates < 2 or (self.preempts and self.idle_updates < self._updates_until_settled())
        ):
            yield (self.now // self._update_ms + 1) * self._update_ms
        if self.monitor and not self.monitor.is_quiet:
            yield self.monitor.next_round(self.now)

    def _updates_until_settled(self) -> int:
        """So many updates that changed nothing, and starvation will change nothing more: all timeouts are
        over, all jobs were looked at since.
        """
        timeouts = [
            getattr(queue, f"{share}_share_preemption_timeout_s") or 0
            for queue in self.state.scenario.queues
            for share in ("min", "fair")
        ]
        given = self.order.fair.preemption
        return 4 + int(
            (1000 * max(timeouts, default=0) + given["wait_before_kill_ms"] + given["starvation_check_ms"])
            / self._update_ms
        )

    @property
    def _update_ms(self) -> int:
        return self.order.fair.update_ms if self.order.fair else 0

    def _heartbeat_ms(self) -> int:
        """Node i of N beats at i * heartbeat // N + k * heartbeat (3)."""
        k, i = divmod(self.beat, len(self.nodes))
        return i * self.cluster.heartbeat_ms // len(self.nodes) + k * self.cluster.heartbeat_ms

    def _skip_beats_before(self, instant: int) -> None:
        first_of_round = instant // self.cluster.heartbeat_ms * len(self.nodes)
        self.beat = max(self.beat, first_of_round)
        while self._heartbeat_ms() < instant:
            self.beat += 1

    def _instant(self) -> None:
        """Ends; ticks; arrivals and requests; kills; heartbeats, each followed by what it causes (2, 3)."""
        changed = self._ends()
        changed = self._outages() or changed
        changed = self._monitor() or changed
        changed = self._ticks() or changed
        changed = self._kill_due() or changed
        changed = self._look() or changed
        changed = self._requests_and_kills(changed) or changed
        if changed:
            self._something_changed()
        if self._update_ms and self.now % self._update_ms == 0:
            self.idle_updates += 1
            if self.order.fair.update():
                self._something_changed()
            if self.preempts and self._check_starvation():
                self._something_changed()
        if self.cluster.heartbeat_ms == 0:
            self._rounds()
        else:
            while (node := self._next_node_due()) is not None:
                self._heartbeat(node)
        if contend(self.state):
            self._something_changed()

    def _something_changed(self) -> None:
        self.idle_heartbeats = self.idle_updates = 0
        self.idle = dict.fromkeys(self.clocks, 0)
        if self.monitor:
            self.monitor.is_quiet = False

    def _monitor(self) -> bool:
        """A round of CapacityScheduler's monitor, before the arrivals of its instant. Whether it took
        anything back.
        """
        if not self.monitor or not self.monitor.is_due(self.now):
            return False
        nodes, killed = self.monitor.round()
        for node in nodes:
            self.order.reserves.give_up(node)
        for container in killed:
            if container.end is None or container.end > self.now:
                self._preempt(container)
            elif not container.returned:
                self._give_back(container)
        self._jobs_leave()
        return bool(nodes or killed)

    def _ticks(self) -> bool:
        """Windows that end now, ramp-up's heartbeats, then masters' own. Whether any changed anything."""
        changed = False
        for clock in self.clocks:
            if clock.ticks_at(self.now):
                self.idle[clock] += 1
                changed = clock.tick() or changed
        return changed

    def _next_node_due(self) -> Node | None:
        """The first node of those whose heartbeat is now (3) and those on which a container has ended that
        heartbeat out of band.
        """
        regular = [self.nodes[self.beat % len(self.nodes)]] if self._heartbeat_ms() == self.now else []
        due = [node for node in self.nodes if any(container.outcome != "running" for container in node.row)]
        candidates = regular + (due if self.cluster.out_of_band_heartbeats else [])
        if not candidates:
            return None
        node = min(candidates, key=self.nodes.index)
        if node in regular:
            self.idle_heartbeats += 1
            self.beat += 1
        return node

    def _rounds(self) -> None:
        """Heartbeat 0: nodes by index in rounds until a round places and kills nothing (4)."""
        changes = 1
        while changes:
            changes = sum(self._heartbeat(node) for node in self.nodes)

    def _heartbeat(self, node: Node) -> bool:
        """A heartbeat: see the ends, place, then the requests and kills that causes. Whether anything
        changed.
        """
        if node.down:
            return False
        seen, containers = self._see_ends(node), len(self.containers)
        if self.order.fair:
            self.order.fair.on_heartbeat()
        claimed = self._serve_claims(node)
        admitted_or_placed = self._serve_reserved(node) if node.reserved else self._place_some(node)
        admitted_or_placed = admitted_or_placed or claimed
        if isinstance(self.order, Capacity):  # masters fetch their containers
            for container in self.containers[containers:]:
                self.state.users.look(self.state.queues[container.job.group.queue])
        left = self._jobs_leave()
        caused = self._requests_and_kills(seen or admitted_or_placed or left) or left
        if seen or admitted_or_placed or caused:
            self._something_changed()
        return seen or admitted_or_placed or caused

    def _serve_reserved(self, node: Node) -> bool:
        """A reserved node gives nothing but what it is reserved for; one that is not wanted any more is free
        again. Whether anything changed.
        """
        job, kind = node.reserved
        reserves = self.order.reserves
        may_use = reserves.counts_beats or (
            self.order.allows(job, kind) and (kind != "am" or self.admission.passes(job))
        )
        if kind not in job.waiting or not may_use:
            reserves.give_up(node)
            if reserves.serves_others_at_once:
                self._place_some(node)
            return True
        self.order.asked_again(job, kind)
        waited = self.order.counted()
        if not self.placement.fits(node, node.held_memory, node.held_vcores, node.held_slots, job, kind):
            reserves.rereservations[job, kind] += self.cluster.heartbeat_ms > 0
            return waited
        if kind == "map" and self.order.delays and self.order.delays.is_on:
            waited = self.order.delays.asked(job)
            if self.order.delays.is_far(job, node):
                return waited
        needs_reorder = job.needs_reorder
        self._place(node, job, kind)
        self.containers[-1].code = node.reserved_code
        job.containers_made -= 1
        reserves.give_up(node)
        job.needs_reorder = needs_reorder  # a leaf is not told of it
        leaf = self.state.queues[job.group.queue].fields
        job.reorder_on_request = kind != "am" and leaf.ordering == "fair" and leaf.size_based_weight
        return True

    def _jobs_leave(self) -> bool:
        """At the end of a heartbeat: jobs of which the scheduler has seen everything end. Whether there were
        any.
        """
        leaving = [
            job for job in self.jobs if job.finish is not None and not job.has_left and job.held_memory == 0
        ]
        for job in leaving:
            job.has_left = True
            for node in self.nodes:
                if node.reserved and node.reserved[0] is job:
                    self.order.reserves.give_up(node)
            self.state.users.left(job)
            self.admission.reconsider(job)
            for other in self.jobs:
                self._make_runnable(other)
        return bool(leaving)

    def _requests_and_kills(self, changed: bool) -> bool:
        """The kill rule is looked at once something has happened, until no job kills."""
        for job in [job for job in self.jobs if job.arrival == self.now and not job.is_registered]:
            job.is_registered = True
            job.refused = self.refusals.reason(job)
            if job.refused:
                job.finish, job.has_left = self.now, True
            else:
                self._make_runnable(job)
        caused = latest = sum(self._requests(job) for job in self.jobs)
        while changed or latest:
            changed, latest = False, sum(self._kills(job) for job in self.jobs)
            caused += latest
        return caused > 0

    def _place_some(self, node: Node) -> bool:
        """Up to containers_per_heartbeat containers, one choice of the order after the other (13). Whether
        any master or container came in.
        """
        placed = admitted = far = 0
        self.order.begin_heartbeat(node)
        free = node.memory - node.held_memory, node.vcores - node.held_vcores
        while self._may_assign_more(node, placed, free) and far < self.order.max_off_switch:
            admitted += self._admit(node)
            chosen, waited = self._choose(node)
            admitted += waited or self.order.counted()
            if chosen is None:
                break
            if not self.placement.fits_now(node, *chosen):
                self.order.reserves.reserve(node, chosen)
                node.reserved_code = code_of(chosen[0], self.jobs.index(chosen[0]))
                return True
            self._place(node, *chosen)
            placed += 1
            far += self.order.is_off_switch
        return placed + admitted > 0

    def _may_assign_more(self, node: Node, placed: int, free: Pair) -> bool:
        """free: what the node had when it was given nothing on this heartbeat."""
        if not self.order.uses_dynamic_max_assign:
            return placed < (self.cluster.containers_per_heartbeat or math.inf)
        given = free[0] - node.memory + node.held_memory, free[1] - node.vcores + node.held_vcores
        resources = 1 if self.state.memory_only else 2
        return not placed or all(own <= int(whole * 0.5) for own, whole in list(zip(given, free))[:resources])

    def _choose(self, node: Node) -> tuple[Candidate | None, bool]:
        """What the order chooses, without jobs that let the node pass; whether one counted that."""
        candidates = self.placement.candidates(node)
        waited = self._exclude(node, candidates)
        while candidates:
            chosen = self.order.choose(node, candidates)
            if chosen is None or chosen[1] != "map" or not self.order.delays or not self.order.delays.is_on:
                return chosen, waited
            job, _ = chosen
            waited = self.order.delays.asked(job) or waited
            if not self.order.delays.is_far(job, node) and (
                self.placement.fits_now(node, *chosen) or self.placement.may_reserve(node, *chosen)
            ):
                return chosen, waited
            candidates.remove(chosen)
        return self.order.pass_by(node), waited

    def _exclude(self, node: Node, candidates: list[Candidate]) -> bool:
        """The choice that is to be changed, once: without the job, if it is a candidate and another one too.
        Whether it was this one.
        """
        self.order.excluded = None
        if (
            not self.excluded
            or (len(self.containers), node.name) != (self.excluded.placed, self.excluded.node)
            or self.now < self.excluded.at_ms
        ):
            return False
        others = [one for one in candidates if one[0].name != self.excluded.job]
        if len(others) == len(candidates):
            return False
        if others:
            self.order.excluded = next(job for job in self.jobs if job.name == self.excluded.job)
            candidates[:] = others
        self.excluded = None
        return bool(others)

    def _last_start_or_end(self) -> int:
        """When a deadlock is dated; without any container, the last arrival."""
        starts = [container.start for container in self.containers]
        ends = [container.end for container in self.containers if container.end is not None]
        return max(starts + ends, default=max(job.arrival for job in self.jobs))

    def _result(self, status: str, at_ms: int | None) -> Result:
        for container in self._running():
            if container.end is not None:  # a master that lingers beyond the last finish
                container.outcome = "finished"
        return Result(
            status,
            at_ms,
            [container.record() for container in self.containers],
            [self._times(job) for job in self.jobs],
            task_runs(self.task_log, self.containers),
            [line for _, _, line in sorted(self.targets, key=lambda one: one[:2])],
        )

    def _times(self, job: Job) -> JobTimes:
        last = [
            c
            for c in self.containers
            if c.job is job and c.stage == job.group.iterations and c.outcome == "finished"
        ]
        shuffles = [c.shuffle_end for c in last if c.shuffle_end is not None]
        maps_end = (
            max(job.map_ends)
            if job.maps and job.maps_over and job.iteration == job.group.iterations
            else None
        )
        return JobTimes(
            job.name,
            job.arrival,
            job.start,
            maps_end,
            max(shuffles) if len(shuffles) == job.reduces > 0 else None,
            None if job.refused else job.finish,
            job.failed,
            job.refused,
        )
