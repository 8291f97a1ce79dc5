"""The constraints of a plan for OR-Tools CP-SAT; every schedule that the simulator can make is one that they allow, so its bound holds for all of them.

Time       a container starts on a beat of its node: start = offset of the node + unit x K, K whole. Room is given back on a beat too, so that a node holds
           a container for whole units. Where nodes beat out of band, or without heartbeats, the unit is 1 ms and beats are relaxed
Nodes      each container is on one node, an optional interval on each; memory, vcores (where they count), slots and containers a beat are cumulative
           there. All nodes together are one more cumulative of each, implied and good for the bound
Masters    hold their container from its start, through the start-up, to the end of their job; they linger
Maps       start after the start-up, or after all of the iteration before; in the order of their index, as the simulator hands them out
Reduces    start when as many maps have finished as slow start asks for, and hold their container until the shuffle and their own time are over. The
           shuffle ends no sooner than all outputs fetched at the nominal rate one after another from its begin on, and than each has been fetched after
           its map's end, one after another, as on a machine; a fetch takes whole ms there, rounded down
"""

from __future__ import annotations

from typing import NamedTuple

from ortools.sat.python import cp_model

from engine.bounds.optimum.plan_times import Plan, plan_times
from engine.bounds.optimum.planned_batch import PlannedBatch, fetched_ms, slots_of
from engine.schedulers.view import MAP, REDUCE


class PlanModel(NamedTuple):
    """start: of each container, an expression in ms; on: of each container its literal on each node."""

    model: cp_model.CpModel
    start: list[cp_model.LinearExprT]
    on: list[list[cp_model.IntVar]]


def plan_model(batch: PlannedBatch, hint: Plan, least_ms: int, reduces_in_order: bool = False) -> PlanModel:
    """hint: a schedule that is known; what takes longer than it is not looked for. least_ms: no makespan is less.

    reduces_in_order: only schedules are looked for in which reduces start in the order of their index.
    """
    return _Builder(batch, hint, least_ms, reduces_in_order).built()


class _Builder:
    def __init__(self, batch: PlannedBatch, hint: Plan, least_ms: int, reduces_in_order: bool) -> None:
        self.batch, self.hint, self.least_ms, self.reduces_in_order = batch, hint, least_ms, reduces_in_order
        self.known = plan_times(batch, hint)
        self.model = cp_model.CpModel()
        self.first = int(batch.work.job_arrival.min())
        self.last = self.first + self.known.makespan_ms(batch)
        self.nodes = range(len(batch.node_offset))

    def built(self) -> PlanModel:
        batch, model = self.batch, self.model
        self.on, self.beat, self.offset, self.start = [], [], [], []
        self.end: list[cp_model.LinearExprT] = []
        self.free: list[cp_model.LinearExprT] = []  # in units, from when the node has the room again
        self.held: list[cp_model.LinearExprT] = []  # in units
        for at in range(len(batch.containers)):
            self._place(at)
        makespan = self._var(self.least_ms, self.last - self.first, self.last - self.first)
        self.ends_by = makespan + self.first
        for job in range(len(batch.tasks)):
            self._job(job)
        for node in self.nodes:
            self._node(node)
        self._cluster()
        model.minimize(makespan)
        return PlanModel(model, self.start, self.on)

    def _var(self, least: int, most: int, hint: int) -> cp_model.IntVar:
        found = self.model.new_int_var(least, most, "")
        self.model.add_hint(found, hint)
        return found

    def _place(self, at: int) -> None:
        """The node of a container and its start."""
        batch, one, node = self.batch, self.batch.containers[at], self.hint.node[at]
        work, model, unit = batch.work, self.model, batch.unit_ms
        literals = []
        for place in self.nodes:
            fits = one.memory <= work.node_memory[place] and (batch.rules.memory_only or one.vcores <= work.node_vcores[place])
            literal = model.new_bool_var("")
            model.add_hint(literal, place == node)
            if not fits:
                model.add(literal == 0)
            literals.append(literal)
        model.add_exactly_one(literals)
        arrival = int(work.job_arrival[one.job])
        beat = self._var(max(arrival - max(batch.node_offset), 0) // unit, self.last // unit, (self.hint.start_ms[at] - batch.node_offset[node]) // unit)
        offset = sum(batch.node_offset[place] * literals[place] for place in self.nodes)
        self.on.append(literals)
        self.beat.append(beat)
        self.offset.append(offset)
        self.start.append(unit * beat + offset)

    def _takes(self, at: int) -> cp_model.LinearExprT:
        """ms, by the node's speed."""
        times = self.batch.containers[at].takes_ms
        if len(set(times)) == 1:
            return times[0]
        return sum(times[self.batch.node_speed[place]] * self.on[at][place] for place in self.nodes)

    def _job(self, job: int) -> None:
        batch, model, known = self.batch, self.model, self.known
        master, arrival = batch.masters[job], int(batch.work.job_arrival[job])
        ready: cp_model.LinearExprT = arrival
        if master >= 0:
            model.add(self.start[master] >= arrival)
            ready = self.start[master] + self._takes(master)
        for maps, reduces in batch.tasks[job]:
            self._maps(maps, ready)
            self._reduces(job, maps, reduces, ready)
            over = max(known.end[at] for at in (*maps, *reduces))
            ready = self._var(arrival, self.last, over)
            for at in (*maps, *reduces):
                model.add(ready >= self.end[at])
        model.add(ready <= self.ends_by)
        if master >= 0:
            self._hold(master, ready + batch.linger_ms[job])

    def _hold(self, at: int, end: cp_model.LinearExprT, held: int | None = None) -> None:
        """The node has the room again on its first beat at the end or after it; held: for so many units, where that is known."""
        batch, known = self.batch, self.known.end[at]
        unit, node = batch.unit_ms, self.hint.node[at]
        while len(self.free) <= at:
            self.free.append(0)
            self.held.append(0)
            self.end.append(0)
        self.end[at] = end
        if held is not None:
            self.held[at], self.free[at] = held, self.beat[at] + held
            return
        first = (self.hint.start_ms[at] - batch.node_offset[node]) // unit
        free = -((batch.node_offset[node] - known) // unit)
        self.free[at] = self._var(0, self.last // unit + batch.linger_ms[batch.containers[at].job] // unit + 2, free)
        self.held[at] = self._var(0, self.last // unit + batch.linger_ms[batch.containers[at].job] // unit + 2, free - first)
        self.model.add(self.held[at] == self.free[at] - self.beat[at])
        self.model.add(unit * self.free[at] + self.offset[at] >= end)

    def _maps(self, maps: list[int], ready: cp_model.LinearExprT) -> None:
        batch = self.batch
        for place, at in enumerate(maps):
            takes = batch.containers[at].takes_ms
            alike = len({-(-one // batch.unit_ms) for one in takes}) == 1
            self._hold(at, self.start[at] + self._takes(at), -(-takes[0] // batch.unit_ms) if alike else None)
            if place and batch.keeps_order:
                self.model.add(self.start[at] >= self.start[maps[place - 1]])
            if not place or not batch.keeps_order:
                self.model.add(self.start[at] >= ready)

    def _reduces(self, job: int, maps: list[int], reduces: list[int], ready: cp_model.LinearExprT) -> None:
        if not reduces:
            return
        batch, model = self.batch, self.model
        opens = self._opens(maps, batch.needed_maps[job], ready, min(self.hint.start_ms[at] for at in reduces))
        after, fetching = self._still_coming(maps), self._fetching(maps, reduces)
        for at in reduces:
            one = batch.containers[at]
            model.add(self.start[at] >= opens)
            shuffled = self._var(0, self.last, self.known.fetched[at])
            model.add(shuffled >= self.start[at] + one.launch_ms + fetched_ms(one, len(maps)))
            model.add(shuffled >= fetching + one.latency_ms)
            for place, coming in zip(maps, after):
                model.add(shuffled >= self.end[place] + fetched_ms(one, coming))
            self._hold(at, shuffled + self._takes(at))
            shortest = min(one.takes_ms) + one.launch_ms + fetched_ms(one, len(maps))
            model.add(self.held[at] >= -(-shortest // batch.unit_ms))
        if self.reduces_in_order:
            for at, later in zip(reduces, reduces[1:]):
                model.add(self.start[later] >= self.start[at])

    def _fetching(self, maps: list[int], reduces: list[int]) -> cp_model.LinearExprT:
        """When the last of the maps' outputs is fetched by a reduce that has been there from the first on."""
        each = int(min(self.batch.containers[at].fetch_ms for at in reduces))
        if each == 0:
            return 0
        over, now, intervals = self._var(0, self.last, self._known_fetching(maps, each)), 0, []
        for at in sorted(maps, key=lambda at: self.known.end[at]):
            now = max(now, self.known.end[at])
            begins = self._var(0, self.last, now)
            now += each
            intervals.append(self.model.new_fixed_size_interval_var(begins, each, ""))
            self.model.add(begins >= self.end[at])
            self.model.add(over >= begins + each)
        self.model.add_no_overlap(intervals)
        return over

    def _known_fetching(self, maps: list[int], each: int) -> int:
        ends = sorted(self.known.end[at] for at in maps)
        return max(end + (len(ends) - place) * each for place, end in enumerate(ends))

    def _still_coming(self, maps: list[int]) -> list[int]:
        """Of each map: how many, itself among them, can't end before it."""
        batch = self.batch
        if not batch.keeps_order or len(batch.speeds) > 1:
            return [1] * len(maps)
        times = [batch.containers[at].takes_ms[0] for at in maps]
        return [sum(other >= time for other in times[place:]) for place, time in enumerate(times)]

    def _opens(self, maps: list[int], needed: int, ready: cp_model.LinearExprT, known: int) -> cp_model.LinearExprT:
        """From when reduces may start: when so many maps have finished."""
        model = self.model
        if needed == 0:
            return ready
        opens = self._var(0, self.last, known)
        if needed == len(maps):
            for at in maps:
                model.add(opens >= self.end[at])
            return opens
        ended = []
        for at in maps:
            literal = model.new_bool_var("")
            model.add_hint(literal, self.known.end[at] <= known)
            model.add(opens >= self.end[at]).only_enforce_if(literal)
            ended.append(literal)
        model.add(sum(ended) >= needed)
        return opens

    def _node(self, node: int) -> None:
        batch, model, work = self.batch, self.model, self.batch.work
        some = range(len(batch.containers))
        intervals = [model.new_optional_interval_var(self.beat[at], self.held[at], self.free[at], self.on[at][node], "") for at in some]
        model.add_cumulative(intervals, [one.memory for one in batch.containers], int(work.node_memory[node]))
        if not batch.rules.memory_only:
            model.add_cumulative(intervals, [one.vcores for one in batch.containers], int(work.node_vcores[node]))
        for kind in (MAP, REDUCE):
            if limits := slots_of(batch, kind):
                model.add_cumulative([intervals[at] for at in some if batch.containers[at].kind == kind], [1] * self._of(kind), limits[node])
        if batch.per_beat:
            given = [model.new_optional_fixed_size_interval_var(self.beat[at], 1, self.on[at][node], "") for at in some]
            if batch.per_beat == 1:
                model.add_no_overlap(given)
            else:
                model.add_cumulative(given, [1] * len(given), batch.per_beat)

    def _of(self, kind: int) -> int:
        return sum(one.kind == kind for one in self.batch.containers)

    def _cluster(self) -> None:
        """All nodes as one; and of containers of which a node holds only one, no more at a time than nodes that hold it."""
        batch, model, work = self.batch, self.model, self.batch.work
        some = range(len(batch.containers))
        intervals = [model.new_interval_var(self.beat[at], self.held[at], self.free[at], "") for at in some]
        memory, vcores = [one.memory for one in batch.containers], [one.vcores for one in batch.containers]
        for size, capacity in ((memory, work.node_memory), (vcores, work.node_vcores)):
            if size is vcores and batch.rules.memory_only:
                continue
            model.add_cumulative(intervals, size, int(capacity.sum()))
            large = [at for at in some if 2 * size[at] > int(capacity.max())]
            if large:
                model.add_cumulative([intervals[at] for at in large], [1] * len(large), len(self.nodes))
        if batch.per_beat:
            given = [model.new_fixed_size_interval_var(self.beat[at], 1, "") for at in some]
            model.add_cumulative(given, [1] * len(given), batch.per_beat * len(self.nodes))
