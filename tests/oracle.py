"""A naive simulator of the model, to compare the engine with: it scans everything at every step.

The numbers in the docstrings are the items of the model. Times are integer milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.scenario import Scenario, milliseconds
from tests.oracle_orders import Candidate, Order
from tests.oracle_records import JobTimes, Result, Running
from tests.oracle_workload import Job, Node, Request, duration_ms, jobs_of, nodes_of

KINDS = ("am", "reduce", "map")  # in a job: master, reduces, maps (9)


def simulate(scenario: Scenario, order: str = "fair", resources: str = "both", at: float | None = None) -> Result:
    """Runs a scenario under an order of waiting requests with slow start (`at` overrides the jobs' own) and admit-all."""
    return _Simulation(scenario, order, resources, at).run()


class _Simulation:
    def __init__(self, scenario: Scenario, order: str, resources: str, at: float | None) -> None:
        self.scenario = scenario
        self.cluster = scenario.cluster
        self.at = at
        self.nodes = nodes_of(scenario)
        self.jobs = jobs_of(scenario)
        self.order = Order(scenario, self.nodes, self.jobs, order, resources)
        self.memory_only = resources == "memory"
        self.containers: list[Running] = []
        self.now = 0
        self.beat = 0  # the next beat: node beat % N, round beat // N (3)
        self.quiet = 0  # beats in a row that changed nothing, since anything changed

    def run(self) -> Result:
        """Instant by instant until every job has finished or nothing can ever happen (18)."""
        while any(job.finish is None for job in self.jobs):
            instant = self._next_instant()
            if instant is None:
                return self._result("deadlock", self._last_start_or_end())
            self.now = instant
            self._instant()
        return self._result("finished", None)

    def _next_instant(self) -> int | None:
        """The next event or beat. A full round of beats that changed nothing would do so for ever: then only events count."""
        event = min(self._known_events(), default=None)
        if self.cluster.heartbeat_ms == 0:
            return event
        if self.quiet < len(self.nodes):
            return self._beat_ms() if event is None else min(event, self._beat_ms())
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
        """Ends; arrivals and requests; kills; beats, each followed by what it causes (2, 3)."""
        changed = self._ends()
        changed = self._requests_and_kills() or changed
        if changed:
            self.quiet = 0
        if self.cluster.heartbeat_ms == 0:
            self._rounds()
        else:
            while self._beat_ms() == self.now:
                self.quiet = 0 if self._visit(self.nodes[self.beat % len(self.nodes)]) else self.quiet + 1
                self.beat += 1
        self._contention()

    def _rounds(self) -> None:
        """Heartbeat 0: nodes by index in rounds until a round places and kills nothing (4)."""
        changes = 1
        while changes:
            changes = sum(self._visit(node) for node in self.nodes)

    def _visit(self, node: Node) -> bool:
        """A beat: see the ends, place, then the requests and kills that causes. Whether anything changed."""
        seen = self._see_ends(node)
        placed = self._place_some(node)
        caused = self._requests_and_kills()
        return seen or placed or caused

    def _requests_and_kills(self) -> bool:
        asked = [self._requests(job) for job in self.jobs]
        killed = [self._kills(job) for job in self.jobs]
        return any(asked) or any(killed)

    def _running(self) -> list[Running]:
        return [container for container in self.containers if container.outcome == "running"]

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
        each = 1000.0 * job.group.shuffle_mb_per_map / job.reduces / self.cluster.shuffle_mb_s
        n = job.maps
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
            else:
                job.ready = self.now
        first_can_start = job.iteration == 0 and job.ready is not None and job.ready <= self.now
        if first_can_start or (job.iteration > 0 and job.iteration_over):
            self._begin_iteration(job)
            asked = True
        if job.iteration > 0 and job.reduces and not job.reduces_asked and len(job.map_ends) >= self._maps_before_reduces(job):
            self._ask(job, "reduce", list(range(job.reduces)))
            job.reduces_asked = asked = True
        if job.reduces_withheld and "map" not in job.waiting:
            self._ask(job, "reduce", self._unplaced_reduces(job))
            job.reduces_withheld = False
            asked = True
        return asked

    def _ask(self, job: Job, kind: str, tasks: list[int]) -> None:
        job.waiting[kind] = Request(self.now, tasks)

    def _begin_iteration(self, job: Job) -> None:
        """On arrival or after the master's startup (10), then when the last task of the one before ended (16)."""
        job.iteration += 1
        job.map_ends = []
        job.reduces_done = set()
        job.reduces_asked = False
        self._ask(job, "map", list(range(job.maps)))

    def _maps_before_reduces(self, job: Job) -> int:
        """Slow start: ceil(f x maps - 1e-9) finished maps (8, 12)."""
        fraction = job.group.slowstart if self.at is None else self.at
        return math.ceil(fraction * job.maps - 1e-9)

    def _unplaced_reduces(self, job: Job) -> list[int]:
        running = {container.index for container in self._running() if container.job is job and container.kind == "reduce"}
        return [index for index in range(job.reduces) if index not in running | job.reduces_done]

    def _see_ends(self, node: Node) -> bool:
        """The scheduler takes back the room of what ended on the node (5)."""
        unseen = [container for container in self.containers if container.node is node and container.outcome != "running" and container.seen is None]
        for container in unseen:
            container.seen = self.now
            self._hold(container, -1)
        return bool(unseen)

    def _hold(self, container: Running, sign: int) -> None:
        memory, vcores = container.job.size(container.kind)
        for holder in (container.node, container.job):
            holder.held_memory += sign * memory
            holder.held_vcores += sign * vcores
        container.node.held_slots[container.kind] += sign

    def _place_some(self, node: Node) -> bool:
        """Up to containers_per_heartbeat containers, one choice of the order after the other (13)."""
        most = self.cluster.containers_per_heartbeat or math.inf
        placed = 0
        while placed < most and (candidates := self._candidates(node)):
            self._place(node, *self.order.choose(candidates))
            placed += 1
        return placed > 0

    def _candidates(self, node: Node) -> list[Candidate]:
        """Waiting requests that fit the node and their queues' limits, in the order of 9."""
        held = (node.held_memory, node.held_vcores, node.held_slots)
        waiting = [(job, kind) for job in self.jobs for kind in KINDS if kind in job.waiting]
        return [(job, kind) for job, kind in waiting if self._fits(node, *held, job, kind) and self.order.allows(job, kind)]

    def _fits(self, node: Node, memory: int, vcores: int, slots: dict[str, int], job: Job, kind: str) -> bool:
        """Whether one more container goes beside what is held (13)."""
        ask_memory, ask_vcores = job.size(kind)
        memory_fits = memory + ask_memory <= node.memory
        vcores_fit = self.memory_only or vcores + ask_vcores <= node.vcores
        return memory_fits and vcores_fit and (node.slots[kind] is None or slots[kind] < node.slots[kind])

    def _place(self, node: Node, job: Job, kind: str) -> None:
        request = job.waiting[kind]
        index = min(request.tasks)
        request.tasks.remove(index)
        if not request.tasks:
            del job.waiting[kind]
        stage = max(job.iteration, 1)
        attempt = job.attempts[stage, kind, index] = job.attempts.get((stage, kind, index), 0) + 1
        container = Running(job, stage, kind, index, attempt, node, request.asked, self.now)
        self.containers.append(container)
        self._hold(container, 1)
        if job.start is None:
            job.start = self.now
        if kind == "am":
            job.ready = self.now + milliseconds(job.group.am.startup_s)
        if kind == "reduce" and job.maps_over:
            container.shuffle_end = self._shuffle_end(job, self.now)

    def _kills(self, job: Job) -> bool:
        """Kills own reduces when no map runs and none can otherwise (17); withdraws the reduces that wait."""
        if "map" not in job.waiting or any(c.job is job and c.kind == "map" for c in self._running()):
            return False
        needed = [self._reduces_in_the_way(node, job) for node in self.nodes]
        counts = [len(victims) for victims in needed if victims is not None]
        if not counts or min(counts) == 0:
            return False
        victims = next(victims for victims in needed if victims is not None and len(victims) == min(counts))
        for container in victims:
            container.end = self.now
            container.outcome = "killed"
        job.waiting.pop("reduce", None)
        job.reduces_withheld = True
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
            if self._fits(node, memory, vcores, {"map": maps}, job, "map"):
                return own[:count]
        return None

    def _contention(self) -> None:
        """When the instant is over: k of every node, the ends it moves, and the tasks that begin to compute now (15)."""
        g = self.cluster.contention
        for node in self.nodes:
            there = [container for container in self._running() if container.node is node]
            k_old, k = node.computing, sum(self._counts(container) for container in there)
            node.computing = k
            for container in there:
                if container.left is not None and k != k_old:
                    container.left -= (self.now - container.since) / (1 + g * (k_old - 1))
                    self._set_end(container, k)
                elif container.left is None and self._computes(container):
                    job = container.job
                    container.left = float(duration_ms(self.scenario.seed, job, container.stage, container.kind, container.index, node.speed))
                    self._set_end(container, k)

    def _set_end(self, container: Running, k: int) -> None:
        stretched = math.ceil(container.left * (1 + self.cluster.contention * (k - 1)) - 1e-6)
        container.since = self.now
        container.end = self.now + max(1, stretched)

    def _counts(self, container: Running) -> bool:
        """Maps, and reduces from their launch or their iteration's last map end, whichever is later."""
        return container.kind == "map" or (container.kind == "reduce" and container.job.maps_over)

    def _computes(self, container: Running) -> bool:
        return container.kind == "map" or (container.shuffle_end is not None and container.shuffle_end <= self.now)

    def _last_start_or_end(self) -> int:
        """When a deadlock is dated; without any container, the last arrival."""
        starts = [container.start for container in self.containers]
        ends = [container.end for container in self.containers if container.end is not None]
        return max(starts + ends, default=max(job.arrival for job in self.jobs))

    def _result(self, status: str, at_ms: int | None) -> Result:
        return Result(status, at_ms, [container.record() for container in self.containers], [self._times(job) for job in self.jobs])

    def _times(self, job: Job) -> JobTimes:
        last = job.iteration == job.group.iterations
        shuffles = [c.shuffle_end for c in self.containers if c.job is job and c.stage == job.group.iterations and c.shuffle_end is not None]
        maps_end = max(job.map_ends) if last and job.maps_over else None
        return JobTimes(job.name, job.arrival, job.start, maps_end, max(shuffles) if len(shuffles) == job.reduces > 0 else None, job.finish)
