"""The constraints of a plan for OR-Tools CP-SAT; every schedule that the simulator can make is one that they
allow, so its bound holds for all of them.

Time       a container starts on a heartbeat of its node: start = offset of the node + unit x K, K whole. Room
           is given back on a heartbeat too, so that a node holds a container for whole units. Where nodes
           heartbeat out of band, or without heartbeats, the unit is 1 ms and heartbeats are relaxed
Nodes      each container is on one node, an optional interval on each; memory, vcores (where they count),
           slots and containers a heartbeat are cumulative there. All nodes together are one more cumulative
           of each, implied and good for the bound
Masters    hold their container from its start, through the start-up, to the end of their job; they linger
Maps       start after the start-up, or after all of the iteration before; in the order of their index, as the
           simulator hands them out
Reduces    start when as many maps have finished as slow start asks for, and hold their container until the
           shuffle and their own time are over. The shuffle ends no sooner than all outputs fetched at the
           nominal rate one after another from its begin on, and than each has been fetched after its map's
           end, one after another, as on a machine; a fetch takes whole ms there, rounded down
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ortools.sat.python import cp_model

from engine.bounds.optimum.plan_times import Plan, plan_times
from engine.bounds.optimum.planned_batch import PlannedBatch, fetch_time_ms, limits_of_slots
from engine.codes import MAP, REDUCE


class PlanModel(NamedTuple):
    """start: of each container, an expression in ms; on: of each container its literal on each node."""

    model: cp_model.CpModel
    start: Sequence[cp_model.LinearExprT]
    on: list[list[cp_model.IntVar]]


def plan_model(
    batch: PlannedBatch, hint: Plan, min_makespan_ms: int, reduces_in_order: bool = False
) -> PlanModel:
    """hint: a schedule that is known; what takes longer than it is not looked for. min_makespan_ms: no
    makespan is less.

    reduces_in_order: only schedules are looked for in which reduces start in the order of their index.
    """
    return _Builder(batch, hint, min_makespan_ms, reduces_in_order).built()


class _Builder:
    def __init__(self, batch: PlannedBatch, hint: Plan, min_makespan_ms: int, reduces_in_order: bool) -> None:
        self.batch, self.hint, self.min_makespan_ms, self.reduces_in_order = (
            batch,
            hint,
            min_makespan_ms,
            reduces_in_order,
        )
        self.hint_times = plan_times(batch, hint)
        self.model = cp_model.CpModel()
        self.first = int(batch.work.job_arrival.min())
        self.last = self.first + self.hint_times.makespan_ms(batch)
        self.nodes = range(len(batch.node_offset))

    def built(self) -> PlanModel:
        batch, model = self.batch, self.model
        self.on: list[list[cp_model.IntVar]] = []
        self.beat: list[cp_model.IntVar] = []
        self.offset: list[cp_model.LinearExpr | int] = []
        self.start: list[cp_model.LinearExpr] = []
        self.end: list[cp_model.LinearExprT] = []
        self.free: list[cp_model.LinearExpr | int] = []  # in units, from when the node has the room again
        self.held: list[cp_model.LinearExpr | int] = []  # in units
        for index in range(len(batch.containers)):
            self._place(index)
        makespan = self._var(self.min_makespan_ms, self.last - self.first, self.last - self.first)
        self.ends_by = makespan + self.first
        for job in range(len(batch.tasks)):
            self._job(job)
        for node in self.nodes:
            self._node(node)
        self._cluster()
        model.minimize(makespan)
        return PlanModel(model, self.start, self.on)

    def _var(self, minimum: int, maximum: int, hint: int) -> cp_model.IntVar:
        variable = self.model.new_int_var(minimum, maximum, "")
        self.model.add_hint(variable, hint)
        return variable

    def _place(self, at: int) -> None:
        """The node of a container and its start."""
        batch, container, node = self.batch, self.batch.containers[at], self.hint.node[at]
        work, model, unit = batch.work, self.model, batch.unit_ms
        literals = []
        for place in self.nodes:
            fits = container.memory <= work.node_memory[place] and (
                batch.rules.memory_only or container.vcores <= work.node_vcores[place]
            )
            literal = model.new_bool_var("")
            model.add_hint(literal, place == node)
            if not fits:
                model.add(literal == 0)
            literals.append(literal)
        model.add_exactly_one(literals)
        arrival = int(work.job_arrival[container.job])
        beat = self._var(
            max(arrival - max(batch.node_offset), 0) // unit,
            self.last // unit,
            (self.hint.start_ms[at] - batch.node_offset[node]) // unit,
        )
        offset = sum(batch.node_offset[place] * literals[place] for place in self.nodes)
        self.on.append(literals)
        self.beat.append(beat)
        self.offset.append(offset)
        self.start.append(unit * beat + offset)

    def _takes(self, at: int) -> cp_model.LinearExpr | int:
        """ms, by the node's speed."""
        times = self.batch.containers[at].durations_ms
        if len(set(times)) == 1:
            return times[0]
        return sum(times[self.batch.node_speed[place]] * self.on[at][place] for place in self.nodes)

    def _job(self, job: int) -> None:
        batch, model, hint_times = self.batch, self.model, self.hint_times
        master, arrival = batch.masters[job], int(batch.work.job_arrival[job])
        ready: cp_model.LinearExprT = arrival
        if master >= 0:
            model.add(self.start[master] >= arrival)
            ready = self.start[master] + self._takes(master)
        for maps, reduces in batch.tasks[job]:
            self._maps(maps, ready)
            self._reduces(job, maps, reduces, ready)
            stage_end = max(hint_times.end[at] for at in (*maps, *reduces))
            ready = self._var(arrival, self.last, stage_end)
            for at in (*maps, *reduces):
                model.add(ready >= self.end[at])
        model.add(ready <= self.ends_by)
        if master >= 0:
            self._hold(master, ready + batch.linger_ms[job])

    def _hold(self, at: int, end: cp_model.LinearExprT, held: int | None = None) -> None:
        """The node has the room again on its first heartbeat at the end or after it; held: for so many units,
        where that is known.
        """
        batch, hint_times = self.batch, self.hint_times.end[at]
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
        free = -((batch.node_offset[node] - hint_times) // unit)
        self.free[at] = self._var(
            0, self.last // unit + batch.linger_ms[batch.containers[at].job] // unit + 2, free
        )
        self.held[at] = self._var(
            0, self.last // unit + batch.linger_ms[batch.containers[at].job] // unit + 2, free - first
        )
        self.model.add(self.held[at] == self.free[at] - self.beat[at])
        self.model.add(unit * self.free[at] + self.offset[at] >= end)

    def _maps(self, maps: list[int], ready: cp_model.LinearExprT) -> None:
        batch = self.batch
        for place, at in enumerate(maps):
            durations = batch.containers[at].durations_ms
            is_same_length = len({-(-duration // batch.unit_ms) for duration in durations}) == 1
            self._hold(
                at,
                self.start[at] + self._takes(at),
                -(-durations[0] // batch.unit_ms) if is_same_length else None,
            )
            if place and batch.keeps_order:
                self.model.add(self.start[at] >= self.start[maps[place - 1]])
            if not place or not batch.keeps_order:
                self.model.add(self.start[at] >= ready)

    def _reduces(self, job: int, maps: list[int], reduces: list[int], ready: cp_model.LinearExprT) -> None:
        if not reduces:
            return
        batch, model = self.batch, self.model
        may_start = self._reduces_may_start(
            maps, batch.needed_maps[job], ready, min(self.hint.start_ms[at] for at in reduces)
        )
        after, fetching = self._ending_no_sooner(maps), self._fetching(maps, reduces)
        for at in reduces:
            reduce = batch.containers[at]
            model.add(self.start[at] >= may_start)
            shuffled = self._var(0, self.last, self.hint_times.fetched[at])
            model.add(shuffled >= self.start[at] + reduce.launch_ms + fetch_time_ms(reduce, len(maps)))
            model.add(shuffled >= fetching + reduce.latency_ms)
            for place, coming in zip(maps, after):
                model.add(shuffled >= self.end[place] + fetch_time_ms(reduce, coming))
            self._hold(at, shuffled + self._takes(at))
            shortest = min(reduce.durations_ms) + reduce.launch_ms + fetch_time_ms(reduce, len(maps))
            model.add(self.held[at] >= -(-shortest // batch.unit_ms))
        if self.reduces_in_order:
            for at, later in zip(reduces, reduces[1:]):
                model.add(self.start[later] >= self.start[at])

    def _fetching(self, maps: list[int], reduces: list[int]) -> cp_model.LinearExprT:
        """When the last of the maps' outputs is fetched by a reduce that has been there from the first on."""
        per_map = int(min(self.batch.containers[at].fetch_ms for at in reduces))
        if per_map == 0:
            return 0
        last_fetched, now, intervals = self._var(0, self.last, self._known_fetching(maps, per_map)), 0, []
        for at in sorted(maps, key=lambda at: self.hint_times.end[at]):
            now = max(now, self.hint_times.end[at])
            begins = self._var(0, self.last, now)
            now += per_map
            intervals.append(self.model.new_fixed_size_interval_var(begins, per_map, ""))
            self.model.add(begins >= self.end[at])
            self.model.add(last_fetched >= begins + per_map)
        self.model.add_no_overlap(intervals)
        return last_fetched

    def _known_fetching(self, maps: list[int], each: int) -> int:
        ends = sorted(self.hint_times.end[at] for at in maps)
        return max(end + (len(ends) - place) * each for place, end in enumerate(ends))

    def _ending_no_sooner(self, maps: list[int]) -> list[int]:
        """Of each map: how many, itself among them, can't end before it."""
        batch = self.batch
        if not batch.keeps_order or len(batch.speeds) > 1:
            return [1] * len(maps)
        times = [batch.containers[at].durations_ms[0] for at in maps]
        return [sum(other >= time for other in times[place:]) for place, time in enumerate(times)]

    def _reduces_may_start(
        self, maps: list[int], needed: int, ready: cp_model.LinearExprT, hint_times: int
    ) -> cp_model.LinearExprT:
        """From when reduces may start: when so many maps have finished."""
        model = self.model
        if needed == 0:
            return ready
        may_start = self._var(0, self.last, hint_times)
        if needed == len(maps):
            for at in maps:
                model.add(may_start >= self.end[at])
            return may_start
        has_ended = []
        for at in maps:
            literal = model.new_bool_var("")
            model.add_hint(literal, self.hint_times.end[at] <= hint_times)
            model.add(may_start >= self.end[at]).only_enforce_if(literal)
            has_ended.append(literal)
        model.add(sum(has_ended) >= needed)
        return may_start

    def _node(self, node: int) -> None:
        batch, model, work = self.batch, self.model, self.batch.work
        indices = range(len(batch.containers))
        intervals = [
            model.new_optional_interval_var(
                self.beat[at], self.held[at], self.free[at], self.on[at][node], ""
            )
            for at in indices
        ]
        model.add_cumulative(
            intervals, [container.memory for container in batch.containers], int(work.node_memory[node])
        )
        if not batch.rules.memory_only:
            model.add_cumulative(
                intervals, [container.vcores for container in batch.containers], int(work.node_vcores[node])
            )
        for kind in (MAP, REDUCE):
            if limits := limits_of_slots(batch, kind):
                model.add_cumulative(
                    [intervals[at] for at in indices if batch.containers[at].kind == kind],
                    [1] * self._count_of(kind),
                    min(limits[node], self._count_of(kind)),
                )
        if batch.per_heartbeat:
            starts = [
                model.new_optional_fixed_size_interval_var(self.beat[at], 1, self.on[at][node], "")
                for at in indices
            ]
            if batch.per_heartbeat == 1:
                model.add_no_overlap(starts)
            else:
                model.add_cumulative(starts, [1] * len(starts), batch.per_heartbeat)

    def _count_of(self, kind: int) -> int:
        return sum(container.kind == kind for container in self.batch.containers)

    def _cluster(self) -> None:
        """All nodes as one; and of containers of which a node holds only one, no more at a time than nodes
        that hold it.
        """
        batch, model, work = self.batch, self.model, self.batch.work
        indices = range(len(batch.containers))
        intervals = [
            model.new_interval_var(self.beat[at], self.held[at], self.free[at], "") for at in indices
        ]
        memory, vcores = (
            [container.memory for container in batch.containers],
            [container.vcores for container in batch.containers],
        )
        for size, capacity in ((memory, work.node_memory), (vcores, work.node_vcores)):
            if size is vcores and batch.rules.memory_only:
                continue
            model.add_cumulative(intervals, size, int(capacity.sum()))
            large = [at for at in indices if 2 * size[at] > int(capacity.max())]
            if large:
                model.add_cumulative([intervals[at] for at in large], [1] * len(large), len(self.nodes))
        if batch.per_heartbeat:
            starts = [model.new_fixed_size_interval_var(self.beat[at], 1, "") for at in indices]
            model.add_cumulative(starts, [1] * len(starts), batch.per_heartbeat * len(self.nodes))
