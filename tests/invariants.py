"""What holds for every run whatever the scheduler (INVARIANT-1), checked on the oracle's form of a result."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from engine.scenario.model import Scenario, milliseconds
from tests.oracle.attempt_draws import duration_ms
from tests.oracle.result import Container, Result
from tests.oracle.workload import Job, Node, jobs_of, nodes_of


def check(scenario: Scenario, result: Result, memory_only: bool = False) -> None:
    """AssertionError at the first thing that no run may show."""
    jobs = {job.name: job for job in jobs_of(scenario)}
    nodes = {node.name: node for node in nodes_of(scenario)}
    assert [times.name for times in result.jobs] == list(jobs)
    _placement_order(scenario, result, list(nodes))
    for node in nodes.values():
        _node_holds(node, jobs, [c for c in result.containers if c.node == node.name], memory_only)
    for times in result.jobs:
        containers = [c for c in result.containers if c.job == times.name]
        _attempts(containers)
        _order_of_work(jobs[times.name], containers)
        if scenario.cluster.contention == 0:
            _durations(scenario, jobs[times.name], nodes, containers)
        if times.finish is not None:
            _everything_done(jobs[times.name], containers, times.finish)
    taken = [times for times in result.jobs if not times.refused]
    assert (result.status == "refused") == (not taken)
    assert (result.status == "deadlock") == any(times.finish is None for times in taken)
    assert (result.status != "deadlock") or result.at_ms >= max(
        [c.start for c in result.containers], default=0
    )


def _placement_order(scenario: Scenario, result: Result, nodes: list[str]) -> None:
    """Containers start on their node's beats, or when one ends there if that makes it beat, in the order of
    time, no more of them than allowed.
    """
    starts = [c.start for c in result.containers]
    assert starts == sorted(starts)
    heartbeat, max_per_beat = scenario.cluster.heartbeat_ms, scenario.cluster.containers_per_heartbeat
    if heartbeat == 0:
        return
    ends = Counter((c.end, c.node) for c in result.containers if scenario.cluster.out_of_band_heartbeats)
    for (start, node), beat in groupby(result.containers, key=lambda c: (c.start, c.node)):
        is_regular = (start - nodes.index(node) * heartbeat // len(nodes)) % heartbeat == 0
        assert is_regular or ends[start, node]
        assert max_per_beat is None or len(list(beat)) <= max_per_beat * (is_regular + ends[start, node])


def _node_holds(node: Node, jobs: dict[str, Job], containers: list[Container], memory_only: bool) -> None:
    """At every placement, what the scheduler has placed and not yet seen the end of fits the node."""
    for index, c in enumerate(containers):
        held = [other for other in containers[: index + 1] if other.seen is None or other.seen > c.start]
        sizes = [jobs[other.job].size(other.kind) for other in held]
        assert sum(memory for memory, _ in sizes) <= node.memory
        assert memory_only or sum(vcores for _, vcores in sizes) <= node.vcores
        for kind, slots in node.slots.items():
            assert slots is None or sum(other.kind == kind for other in held) <= slots


def _attempts(containers: list[Container]) -> None:
    """A task's attempts count from 1, one after another; only its last is not killed; only reduces are."""
    tasks: dict[tuple, list[Container]] = {}
    for c in containers:
        tasks.setdefault((c.stage, c.kind, c.index), []).append(c)
    for attempts in tasks.values():
        assert [c.attempt for c in attempts] == list(range(1, len(attempts) + 1))
        assert all(
            c.outcome == "killed" and c.kind == "reduce" and c.shuffle_end is None for c in attempts[:-1]
        )
        assert all(before.end <= after.requested for before, after in zip(attempts, attempts[1:]))


def _order_of_work(job: Job, containers: list[Container]) -> None:
    """Nothing before it was asked for, no shuffle over before the maps, no iteration begun before the one
    before ended.
    """
    for c in containers:
        assert job.arrival <= c.requested <= c.start
        assert c.end is None or c.end >= c.start + (c.outcome == "finished")
        assert (c.end is None) == (c.outcome == "running")
        assert c.seen is None or c.seen >= c.end
        maps = [other for other in containers if other.kind == "map" and other.stage == c.stage]
        if c.shuffle_end is not None:
            assert c.kind == "reduce" and len(maps) == job.maps
            assert (
                c.shuffle_end >= max(other.end for other in maps)
                and c.shuffle_end >= c.start
                and c.end > c.shuffle_end
            )
        if c.kind == "map" and c.stage > 1:
            before = max(
                other.end for other in containers if other.stage == c.stage - 1 and other.kind != "am"
            )
            assert before <= c.requested < before + max(job.beat_ms, 1)
        if c.kind == "reduce" and maps:
            assert c.requested >= min(other.requested for other in maps)


def _durations(scenario: Scenario, job: Job, nodes: dict[str, Node], containers: list[Container]) -> None:
    """Without contention a task computes for its duration."""
    for c in containers:
        if c.outcome == "finished" and c.kind != "am":
            begin = c.begin if c.kind == "map" else c.shuffle_end
            assert c.end - begin == duration_ms(scenario, c._replace(job=job), nodes[c.node].speed)


def _everything_done(job: Job, containers: list[Container], finish: int) -> None:
    """Each task has exactly one finished attempt, and the master ends with the last one, or lingers."""
    done = sorted(
        (c.stage, c.kind, c.index) for c in containers if c.outcome == "finished" and c.kind != "am"
    )
    counts = {"map": job.maps, "reduce": job.reduces}
    assert done == [
        (stage, kind, index)
        for stage in range(1, job.group.iterations + 1)
        for kind in counts
        for index in range(counts[kind])
    ]
    assert max(c.end for c in containers if c.kind != "am") == finish
    assert [c.end for c in containers if c.kind == "am"] == (
        [finish + milliseconds(job.group.am.linger_s)] if job.group.am else []
    )
