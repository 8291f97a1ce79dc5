"""The slow, obvious twin of engine.analysis.capacity: every instant is looked at afresh, container by
container.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import count

from engine.analysis.capacity.split import PARTS
from engine.codes import OUTCOMES
from engine.scenario.field_types import milliseconds
from engine.schedulers.view import KINDS
from engine.simulation.run import Run


class Container:
    """One container of a run with names instead of codes; its phases are (part, from, to) until its end."""

    def __init__(self, run: Run, number: int) -> None:
        (
            job,
            _stage,
            kind,
            _index,
            attempt,
            self.node,
            requested,
            self.start,
            shuffle_end,
            end,
            outcome,
            begin,
        ) = (int(column[number]) for column in run.containers)
        work = run.workload
        self.job, self.kind, self.outcome = job, KINDS[kind], OUTCOMES[outcome]
        self.size = int(work.request_memory[3 * job + kind]), int(work.request_vcores[3 * job + kind])
        self.asked = int(run.jobs.arrival[job]) if self.kind == "am" and attempt == 1 else requested
        self.end = run.until_ms if self.outcome == "running" else end
        begin = min(max(begin, self.start), self.end)
        self.seen = self.observed_end_ms(run)
        self.phases = [({"am": "master", "map": "map"}.get(self.kind), begin, self.end)]
        if self.kind == "reduce":
            fetched = self.end if shuffle_end < 0 else min(shuffle_end, self.end)
            self.phases = [*fetching(run, number, begin, fetched), ("computing", fetched, self.end)]
        self.phases = [("launching", self.start, begin), *self.phases]

    def observed_end_ms(self, run: Run) -> int:
        """At its node's heartbeat, but at once when that is lost meanwhile."""
        outages = [lost for node, lost, _ in losses(run) if node == self.node and lost >= self.end]
        return min([self._beat(run), *outages]) if self.outcome != "lost" else self.end

    def _beat(self, run: Run) -> int:
        heartbeat, nodes = run.scenario.cluster.heartbeat_ms, len(run.workload.node_names)
        if heartbeat == 0 or run.scenario.cluster.out_of_band_heartbeats:
            return self.end
        started = [
            int(node) for node, start in zip(run.containers.node, run.containers.start) if start == self.end
        ]
        missed = self.outcome == "killed" and bool(started) and started[-1] >= self.node
        return next(
            beat
            for beat in count(self.node * heartbeat // nodes, heartbeat)
            if beat > self.end or (beat == self.end and not missed)
        )


def losses(run: Run) -> list[tuple[int, int, int]]:
    """(node, lost, back) of each outage in the scenario; a node that joins is lost from 0 on until then."""
    names, cluster = list(run.workload.node_names), run.scenario.cluster
    joins = [milliseconds(group.joins_s) for group in cluster.nodes for _ in range(group.count)]
    return [(node, 0, at) for node, at in enumerate(joins) if at] + [
        (
            names.index(one.node),
            milliseconds(one.lost_s),
            run.until_ms if one.back_s is None else milliseconds(one.back_s),
        )
        for one in cluster.outages
    ]


def fetching(run: Run, number: int, start: int, until: int) -> list[tuple[str, int, int]]:
    """One map's output after another, none before its map has ended (SHUFFLE-1), the last time: the times of
    fetching and of waiting up to `until`.
    """
    c = run.containers
    job = int(c.job[number])
    if run.fetches is not None:
        return as_told(run, number, start, until)
    each = float(run.workload.job_fetch_ms[job])
    if len(run.workload.reduce_part):
        each = each * float(run.workload.reduce_part[run.workload.reduce_base[job] + c.index[number]])
    same = [
        i
        for i in range(len(c.job))
        if c.job[i] == job and c.stage[i] == c.stage[number] and KINDS[c.kind[i]] == "map"
    ]
    last = {
        int(c.index[i]): int(c.end[i])
        for i in sorted(same, key=lambda i: c.end[i])
        if OUTCOMES[c.outcome[i]] == "finished"
    }
    ends: list[float] = sorted(last.values())
    ends += [math.inf] * (int(run.workload.job_maps[job]) - len(ends))
    clock, last, phases = Fraction(start), start, []
    for end in ends:
        idle = math.ceil(clock - Fraction(1, 10**6))
        if end > idle:
            phases += [("fetching", last, idle), ("waiting", idle, end)]
            last = end
        if end == math.inf:
            break
        clock = max(clock, Fraction(end)) + Fraction(each)
    phases.append(("fetching", last, until))
    return [(part, begin, min(end, until)) for part, begin, end in phases if begin < min(end, until)]


def as_told(run: Run, number: int, begin: int, until: int) -> list[tuple[str, int, int]]:
    """The run tells when it fetched; it waited otherwise, and the latency of its shuffle counts as
    fetching.
    """
    c = run.containers
    spans = [
        (int(start), until if end < 0 else int(end)) for of, start, end in zip(*run.fetches) if of == number
    ]
    over = until - run.workload.shuffle_latency_ms * (until == c.shuffle_end[number])
    phases, last = [("fetching", over, until)], begin
    for start, end in spans:
        phases += [("waiting", last, start), ("fetching", start, end)]
        last = end
    phases.append(("waiting", last, over))
    return [(part, begin, min(end, until)) for part, begin, end in phases if begin < min(end, until)]


class Twin:
    """`at(t)`: (memory, vcores) by part, with "wasted" beside them, from t to the next millisecond;
    `moments`: where that may change.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.containers = [Container(run, number) for number in range(len(run.containers.job))]
        self.never = self._never_served()
        self.losses = losses(run)
        moments = {
            run.first_ms,
            *(since for *_, since in self.never),
            *(at for _, *times in self.losses for at in times if at >= run.first_ms),
        }
        for c in self.containers:
            moments |= {
                c.asked,
                c.start,
                c.end,
                c.seen,
                *(moment for _, *ends in c.phases for moment in ends),
            }
        self.moments = sorted(moment for moment in moments if moment < run.until_ms)

    def _never_served(self) -> list[tuple[int, str, int, int]]:
        """(job, kind, count, since) of requests that wait for ever, and of masters held back for ever."""
        waiting, work = self.run.waiting, self.run.workload
        rows = list(
            zip(
                waiting.job.tolist(),
                (KINDS[kind] for kind in waiting.kind),
                waiting.count.tolist(),
                waiting.since.tolist(),
            )
        )
        begun = {c.job for c in self.containers if c.kind == "am"}
        held_back = [
            job for job in range(len(work.job_names)) if work.job_startup[job] >= 0 and job not in begun
        ]
        return [row for row in rows if row[1] != "am"] + [
            (job, "am", 1, int(self.run.jobs.arrival[job])) for job in held_back
        ]

    def at(self, t: int) -> dict[str, tuple[int, int]]:
        held, wanted = Counter(), Counter()
        room = [
            [int(m), int(v), {"am": math.inf, "reduce": int(r), "map": int(p)}]
            for m, v, r, p in self._nodes()
        ]
        for c in self.containers:
            if c.asked <= t < c.start:
                wanted[c.job, c.kind, c.size] += 1
            parts = [part for part, begin, end in c.phases if begin <= t < end]
            if c.end <= t < c.seen and c.start <= t:
                parts.append("unseen")
            elif parts and c.outcome in ("killed", "failed", "lost"):
                parts.append("wasted")
            for part in parts:
                held[part, 0] += c.size[0]
                held[part, 1] += c.size[1]
            if c.start <= t < c.seen:
                room[c.node][0] -= c.size[0]
                room[c.node][1] -= c.size[1]
                room[c.node][2][c.kind] -= 1
        for node, lost, back in self.losses:
            if lost <= t < back:
                for resource, capacity in enumerate(list(self._nodes())[node][:2]):
                    held["down", resource] += int(capacity)
                    room[node][resource] = 0
        for job, kind, number, since in self.never:
            if since <= t:
                wanted[job, kind, self._size(job, kind)] += number
        return self._with_idle(held, wanted, room)

    def _nodes(self) -> zip:
        work = self.run.workload
        return zip(work.node_memory, work.node_vcores, work.node_reduce_slots, work.node_map_slots)

    def _size(self, job: int, kind: str) -> tuple[int, int]:
        request = 3 * job + KINDS.index(kind)
        return int(self.run.workload.request_memory[request]), int(self.run.workload.request_vcores[request])

    def _with_idle(self, held: Counter, wanted: Counter, room: list) -> dict[str, tuple[int, int]]:
        by_shape = Counter()
        for (_, kind, size), number in wanted.items():
            by_shape[kind, size] += number
        placeable = {}
        for (kind, (memory, vcores)), number in by_shape.items():
            fits = 0
            for free_memory, free_vcores, slots in room:
                by_vcores = math.inf if self.run.memory_only else free_vcores // vcores
                fits += max(0, min(free_memory // memory, by_vcores, slots[kind]))
            placeable[kind, (memory, vcores)] = min(number, fits)
        result = {part.key: [0, 0] for part in PARTS} | {"wasted": [0, 0]}
        for (part, resource), amount in held.items():
            result[part][resource] = amount
        for resource in (0, 1):
            capacity = sum(int(node[resource]) for node in self._nodes())
            free = capacity - sum(amount[resource] for part, amount in result.items() if part != "wasted")
            both = min(max(free, 0), sum(size[resource] * number for (_, size), number in by_shape.items()))
            given = min(both, sum(size[resource] * number for (_, size), number in placeable.items()))
            result["fits_no_node"][resource], result["not_given"][resource], result["unwanted"][resource] = (
                both - given,
                given,
                free - both,
            )
        return {part: tuple(amounts) for part, amounts in result.items()}
