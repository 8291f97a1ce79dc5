"""A naive simulator of the model, to compare the engine with: it scans everything at every step.

The numbers in the docstrings are the items of the model. Times are integer milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.scenario.model import Scenario, milliseconds
from tests.oracle.contention import contend
from tests.oracle.names import admission_of, as_booked, headroom_of, memory_only, order_of, parse, reduce_start_of
from tests.oracle.ramp_up import RampUp, kill, unplaced_reduces
from tests.oracle.result import JobTimes, Result, Running
from tests.oracle.room import Room
from tests.oracle.workload import Job, Node, Request
from tests.oracle.world import KINDS, World


def simulate(scenario: Scenario, order: str = "fair", resources: str = "both", at: float | None = None) -> Result:
    """Runs a scenario under one of Hadoop's orders as the textbook has it: no reservations, slow start (`at` overrides the jobs' own) and admit-all."""
    textbook = {"fifo": "", "capacity": ", reservations=no, user_limits=no"}.get(order, ", reservations=no, update_ms=0")
    start = "slowstart" if at is None else f"slowstart(at={at!r})"
    return simulate_named(scenario, f"{order}(resources={resources}{textbook})+{start}+admit-all")


def simulate_named(scenario: Scenario, scheduler: str) -> Result:
    """Runs a scenario under a scheduler by its contract name."""
    return _Simulation(scenario, scheduler).run()


class _Simulation:
    def __init__(self, scenario: Scenario, scheduler: str) -> None:
        parts = parse(scheduler)
        self.cluster = scenario.cluster
        self.world = World(as_booked(scenario, parts), memory_only(parts))
        self.nodes = self.world.nodes
        self.jobs = self.world.jobs
        self.containers = self.world.containers
        self.order = order_of(self.world, parts)
        self.reduce_start = reduce_start_of(self.world, parts, headroom_of(self.world, parts, self.order))
        self.admission = admission_of(self.world, parts, self.order)
        self.room = Room(self.world, self.order, self.admission)
        self.clocks = [part.clock for part in (self.order, self.reduce_start) if part.clock]
        self.idle = dict.fromkeys(self.clocks, 0)  # ticks of each in a row that changed nothing, since anything changed
        self.beat = 0  # the next beat: node beat % N, round beat // N (3)
        self.quiet = self.idle_updates = 0  # beats, and updates of FairScheduler, in a row that changed nothing, since anything changed

    @property
    def now(self) -> int:
        return self.world.now

    def run(self) -> Result:
        """Instant by instant until every job has finished or nothing can ever happen (18)."""
        while any(job.finish is None for job in self.jobs):
            instant = self._next_instant()
            if instant is None:
                return self._result("deadlock", self._last_start_or_end())
            self.world.now = instant
            self._instant()
        return self._result("finished", None)

    def _next_instant(self) -> int | None:
        """The next event or beat. A full round of beats that changed nothing would do so for ever: then only events count."""
        event = min([*self._known_events(), *self._next_ticks()], default=None)
        if self.cluster.heartbeat_ms == 0:
            return event
        if self.quiet < len(self.nodes):
            return self._beat_ms() if event is None else min(event, self._beat_ms())
        if event is not None and self.order.reserves.counts_beats:
            return min(event, self._beat_ms())
        if event is not None:
            self._skip_beats_before(event)
        return event

    def _known_events(self) -> Iterator[int]:
        """Arrivals, starts-up, shuffle ends and ends that lie ahead."""
        for job in self.jobs:
            if not self._has_arrived(job):
                yield job.arrival
            elif job.ready is not None and job.iteration == 0:
                yield job.ready
        for container in self._running():
            if container.end is not None:
                yield container.end
            elif container.shuffle_end is not None:
                yield container.shuffle_end

    def _next_ticks(self) -> Iterator[int]:
        """After two that changed nothing, with nothing in between, none of that clock will change anything until something happens."""
        for clock in self.clocks:
            if self.idle[clock] < 2:
                yield (self.now // clock.period + 1) * clock.period
        if self._update_ms and self.idle_updates < 2:
            yield (self.now // self._update_ms + 1) * self._update_ms

    @property
    def _update_ms(self) -> int:
        return self.order.fair.update_ms if self.order.fair else 0

    def _has_arrived(self, job: Job) -> bool:
        return job.master_asked or job.ready is not None

    def _beat_ms(self) -> int:
        """Node i of N beats at i * heartbeat // N + k * heartbeat (3)."""
        k, i = divmod(self.beat, len(self.nodes))
        return i * self.cluster.heartbeat_ms // len(self.nodes) + k * self.cluster.heartbeat_ms

    def _skip_beats_before(self, instant: int) -> None:
        first_of_round = instant // self.cluster.heartbeat_ms * len(self.nodes)
        self.beat = max(self.beat, first_of_round)
        while self._beat_ms() < instant:
            self.beat += 1

    def _instant(self) -> None:
        """Ends; ticks; arrivals and requests; kills; beats, each followed by what it causes (2, 3)."""
        changed = self._ends()
        changed = self._ticks() or changed
        changed = self._requests_and_kills(changed) or changed
        if changed:
            self._something_changed()
        if self._update_ms and self.now % self._update_ms == 0:
            self.idle_updates += 1
            if self.order.fair.update():
                self._something_changed()
        if self.cluster.heartbeat_ms == 0:
            self._rounds()
        else:
            while self._beat_ms() == self.now:
                self.quiet += 1
                self._visit(self.nodes[self.beat % len(self.nodes)])
                self.beat += 1
        contend(self.world)

    def _something_changed(self) -> None:
        self.quiet = self.idle_updates = 0
        self.idle = dict.fromkeys(self.clocks, 0)

    def _ticks(self) -> bool:
        """Windows that end now, ramp-up's heartbeats: at every multiple of the period but 0. Whether any changed anything."""
        changed = False
        for clock in self.clocks:
            if self.now and self.now % clock.period == 0:
                self.idle[clock] += 1
                changed = clock.tick() or changed
        return changed

    def _rounds(self) -> None:
        """Heartbeat 0: nodes by index in rounds until a round places and kills nothing (4)."""
        changes = 1
        while changes:
            changes = sum(self._visit(node) for node in self.nodes)

    def _visit(self, node: Node) -> bool:
        """A beat: see the ends, place, then the requests and kills that causes. Whether anything changed."""
        seen = self._see_ends(node)
        if self.order.fair:
            self.order.fair.at_beat()
        admitted_or_placed = self._beat_reserved(node) if node.reserved else self._place_some(node)
        left = self._jobs_leave()
        caused = self._requests_and_kills(seen or admitted_or_placed or left) or left
        if seen or admitted_or_placed or caused:
            self._something_changed()
        return seen or admitted_or_placed or caused

    def _beat_reserved(self, node: Node) -> bool:
        """A reserved node gives nothing but what it is reserved for; one that is not wanted any more is free again. Whether anything changed."""
        job, kind = node.reserved
        reserves = self.order.reserves
        may_use = reserves.counts_beats or (self.order.allows(job, kind) and (kind != "am" or self.admission.passes(job)))
        if kind not in job.waiting or not may_use:
            reserves.give_up(node)
            if reserves.serves_others_at_once:
                self._place_some(node)
            return True
        if not self.room.fits(node, node.held_memory, node.held_vcores, node.held_slots, job, kind):
            reserves.again[job, kind] += self.cluster.heartbeat_ms > 0
            return False
        self._place(node, job, kind)
        reserves.give_up(node)
        return True

    def _jobs_leave(self) -> bool:
        """At the end of a beat: jobs of which the scheduler has seen everything end. Whether there were any."""
        leaving = [job for job in self.jobs if job.finish is not None and not job.gone and job.held_memory == 0]
        for job in leaving:
            job.gone = True
            for node in self.nodes:
                if node.reserved and node.reserved[0] is job:
                    self.order.reserves.give_up(node)
            self.admission.looks(job)
        return bool(leaving)

    def _requests_and_kills(self, changed: bool) -> bool:
        """The kill rule is looked at once something has happened, until no job kills."""
        for job in [job for job in self.jobs if job.arrival == self.now and not job.known]:
            job.known = True
            self.admission.looks(job)
        caused = latest = sum(self._requests(job) for job in self.jobs)
        while changed or latest:
            changed, latest = False, sum(self._kills(job) for job in self.jobs)
            caused += latest
        return caused > 0

    def _running(self) -> list[Running]:
        return self.world.running(None, *KINDS)

    def _ends(self) -> bool:
        """Containers whose end is now; the job knows it at once (5)."""
        ending = [container for container in self._running() if container.end == self.now]
        for container in ending:
            container.outcome = "finished"
            job = container.job
            if container.kind == "map":
                job.map_ends.append(self.now)
                if job.maps_over:
                    self._set_shuffle_ends(job)
            else:
                job.reduces_done.add(container.index)
            if job.iteration_over and job.iteration == job.group.iterations:
                self._finish(job)
        return bool(ending)

    def _finish(self, job: Job) -> None:
        """The last task ends the job and its master's container (16)."""
        job.finish = self.now
        for container in self._running():
            if container.job is job:
                container.end = self.now
                container.outcome = "finished"

    def _set_shuffle_ends(self, job: Job) -> None:
        for container in self._running():
            if container.job is job and container.kind == "reduce":
                container.shuffle_end = self._shuffle_end(job, container.start)

    def _shuffle_end(self, job: Job, start: int) -> int:
        """The rate limit of one reduce, and no map's output fetched before that map's end (14)."""
        n, each = job.maps, self.world.fetch_ms(job)
        bounds = [start + n * each] + [end + (n - k + 1) * each for k, end in enumerate(sorted(job.map_ends), start=1)]
        return math.ceil(max(bounds) - 1e-6)

    def _requests(self, job: Job) -> bool:
        """Everything the job asks for now: master, an iteration's maps, its reduces. Whether it asked."""
        if job.arrival > self.now or job.finish is not None:
            return False
        asked = False
        if not self._has_arrived(job):
            if job.group.am:
                self._ask(job, "am", [0])
                job.master_asked = asked = True
                if self.admission.holds:
                    job.admitted = (self.admission.overtakes or self._held_back() == [job]) and self.admission.admits(job)
            else:
                job.ready = self.now
        first_can_start = job.iteration == 0 and job.ready is not None and job.ready <= self.now
        if first_can_start or (job.iteration > 0 and job.iteration_over):
            self._begin_iteration(job)
            asked = True
        if job.iteration > 0 and job.reduces and not job.reduces_asked and self.reduce_start.asks(job):
            self._ask(job, "reduce", list(range(job.reduces)))
            job.reduces_asked = asked = True
            job.reduces_first = self.reduce_start.reduces_first
        if job.reduces_withheld and "map" not in job.waiting:
            self._ask(job, "reduce", unplaced_reduces(self.world, job))
            job.reduces_withheld = False
            asked = True
        return asked

    def _ask(self, job: Job, kind: str, tasks: list[int]) -> None:
        job.waiting[kind] = Request(self.now, tasks)
        self.world.users.asked(job)

    def _begin_iteration(self, job: Job) -> None:
        """On arrival or after the master's startup (10), then when the last task of the one before ended (16)."""
        job.iteration += 1
        job.map_ends = []
        job.reduces_done = set()
        job.reduces_asked = job.reduces_first = False
        self._ask(job, "map", list(range(job.maps)))

    def _held_back(self) -> list[Job]:
        """Jobs whose masters wait to be admitted."""
        return [job for job in self.jobs if "am" in job.waiting and not job.admitted]

    def _see_ends(self, node: Node) -> bool:
        """The scheduler takes back the room of what ended on the node (5); the last one there takes the place of one that is gone."""
        place, seen = 0, False
        while place < len(node.row):
            container = node.row[place]
            if container.outcome == "running":
                place += 1
                continue
            node.row[place] = node.row[-1]
            node.row.pop()
            container.seen = self.now
            self._hold(container, -1)
            seen = True
        return seen

    def _hold(self, container: Running, sign: int) -> None:
        memory, vcores = container.job.size(container.kind)
        for holder in (container.node, container.job):
            holder.held_memory += sign * memory
            holder.held_vcores += sign * vcores
        container.node.held_slots[container.kind] += sign
        self.world.users.held(container.job)

    def _place_some(self, node: Node) -> bool:
        """Up to containers_per_heartbeat containers, one choice of the order after the other (13). Whether any master or container came in."""
        most = self.cluster.containers_per_heartbeat or math.inf
        placed = admitted = 0
        while placed < most:
            admitted += self._admit(node)
            candidates = self.room.candidates(node)
            chosen = self.order.choose(node, candidates) if candidates else self.order.pass_by(node)
            if chosen is None:
                break
            if not self.room.has_room(node, *chosen):
                self.order.reserves.reserve(node, chosen)
                return True
            self._place(node, *chosen)
            placed += 1
        return placed + admitted > 0

    def _admit(self, node: Node) -> int:
        """Masters held back, in job order, up to the first that does not fit the node or may not start yet; how many may."""
        admitted = 0
        for job in self._held_back() if self.admission.holds else []:
            if not self.room.fits(node, node.held_memory, node.held_vcores, node.held_slots, job, "am") or not self.admission.admits(job):
                break
            job.admitted = True
            admitted += 1
        return admitted

    def _place(self, node: Node, job: Job, kind: str) -> None:
        request = job.waiting[kind]
        index = min(request.tasks)
        request.tasks.remove(index)
        if not request.tasks:
            del job.waiting[kind]
            self.world.users.waits(job)
        stage = max(job.iteration, 1)
        attempt = job.attempts[stage, kind, index] = job.attempts.get((stage, kind, index), 0) + 1
        container = Running(job, stage, kind, index, attempt, node, request.asked, self.now)
        self.containers.append(container)
        node.row.append(container)
        self._hold(container, 1)
        if job.start is None:
            job.start = self.now
        if kind == "am":
            job.ready = self.now + milliseconds(job.group.am.startup_s)
        if kind == "reduce" and job.maps_over:
            container.shuffle_end = self._shuffle_end(job, self.now)

    def _kills(self, job: Job) -> bool:
        """Kills own reduces when no map runs and none can otherwise (17); withdraws the reduces that wait."""
        if isinstance(self.reduce_start, RampUp) or "map" not in job.waiting or self.world.running(job, "map"):
            return False
        needed = [self._reduces_in_the_way(node, job) for node in self.nodes]
        counts = [len(victims) for victims in needed if victims is not None]
        if not counts or min(counts) == 0:
            return False
        victims = next(victims for victims in needed if victims is not None and len(victims) == min(counts))
        for container in victims:
            kill(container, self.now)
        job.waiting.pop("reduce", None)
        self.world.users.waits(job)
        job.reduces_withheld = True
        job.reduces_first = False
        return True

    def _reduces_in_the_way(self, node: Node, job: Job) -> list[Running] | None:
        """The job's fewest reduces on a node whose end lets one map in, latest start and highest index first; None: it can't go there."""
        there = [container for container in self._running() if container.node is node]
        own = [container for container in there if container.job is job and container.kind == "reduce"]
        own.sort(key=lambda container: (container.start, container.index), reverse=True)
        for count in range(len(own) + 1):
            stay = [container for container in there if container not in own[:count]]
            memory = sum(container.job.size(container.kind)[0] for container in stay)
            vcores = sum(container.job.size(container.kind)[1] for container in stay)
            maps = sum(container.kind == "map" for container in stay)
            if self.room.fits(node, memory, vcores, {"map": maps}, job, "map"):
                return own[:count]
        return None

    def _last_start_or_end(self) -> int:
        """When a deadlock is dated; without any container, the last arrival."""
        starts = [container.start for container in self.containers]
        ends = [container.end for container in self.containers if container.end is not None]
        return max(starts + ends, default=max(job.arrival for job in self.jobs))

    def _result(self, status: str, at_ms: int | None) -> Result:
        return Result(status, at_ms, [container.record() for container in self.containers], [self._times(job) for job in self.jobs])

    def _times(self, job: Job) -> JobTimes:
        shuffles = [c.shuffle_end for c in self.containers if c.job is job and c.stage == job.group.iterations and c.shuffle_end is not None]
        maps_end = max(job.map_ends) if job.maps_over and job.iteration == job.group.iterations else None
        return JobTimes(job.name, job.arrival, job.start, maps_end, max(shuffles) if len(shuffles) == job.reduces > 0 else None, job.finish)
