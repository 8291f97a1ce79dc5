"""A span of time, counted by hand and against sums over its parts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.capacity.split import capacity_split
from engine.analysis.interval_statistics import interval_statistics
from engine.codes import NONE
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.strategies import scenarios

# One node of 2 vcores and no heartbeats: j0's two maps run from 0 to 10 s, j1's from 10 to 20 s, having
# waited since 4 s.
TASK = {"memory_mb": 1024, "vcores": 1, "duration_s": 10}
SMALL = {
    "version": 1,
    "cluster": {"nodes": [{"count": 1, "memory_mb": 4096, "vcores": 2}], "heartbeat_ms": 0},
    "jobs": [
        {"name": "j0", "maps": TASK | {"count": 2}},
        {"name": "j1", "arrival_s": 4, "maps": TASK | {"count": 2}},
    ],
}


def test_who_ran_and_who_waited() -> None:
    run = simulate(Scenario.of(SMALL), "fifo")
    result = interval_statistics(run, capacity_split(run), (2_000, 12_000))
    assert (result.ran["map"], result.started["map"]) == (4, 2)
    assert result.waiting == [("j1", 12.0)]  # two requests for 6 s
    assert result.unstarted == 1
    assert result.vcores["map"] == 1.0
    assert result.memory == {key: 0.5 if key == "map" else share for key, share in result.memory.items()}
    early = interval_statistics(run, capacity_split(run), (0, 3_000))
    assert (early.ran["map"], early.waiting, early.unstarted) == (2, [], 0)


@given(scenarios(), st.integers(0, 60_000), st.integers(1, 60_000))
def test_a_span_equals_its_slow_twin(scenario: Scenario, first: int, length: int) -> None:
    run = simulate(scenario, "fair")
    until = first + length
    result, parts = interval_statistics(run, capacity_split(run), (first, until)), capacity_split(run)
    c = run.containers
    ran = [i for i in range(len(c.job)) if c.start[i] < until and (c.end[i] == NONE or c.end[i] > first)]
    assert sum(result.ran.values()) == len(ran)
    waited = dict.fromkeys(run.workload.job_names, 0)
    for i in range(len(c.job)):
        waited[run.workload.job_names[c.job[i]]] += max(
            0, min(int(c.start[i]), until) - max(int(c.requested[i]), first)
        )
    for job, count, since in zip(run.waiting.job, run.waiting.count, run.waiting.since):
        waited[run.workload.job_names[job]] += int(count) * max(
            0, min(until, max(run.until_ms, first)) - max(int(since), first)
        )
    assert dict(result.waiting).items() <= {name: ms / 1000 for name, ms in waited.items()}.items()
    assert len(result.waiting) + result.others == sum(ms > 0 for ms in waited.values())
    inside = max(0, min(until, int(parts.times[-1])) - max(first, int(parts.times[0])))
    assert abs(sum(result.vcores.values()) - inside / length) < 1e-9


def test_the_whole_run_is_the_split() -> None:
    run = simulate(Scenario.of(SMALL), "fair")
    parts = capacity_split(run)
    result = interval_statistics(run, parts, (run.first_ms, run.until_ms))
    complete = parts.vcores.capacity * (run.until_ms - run.first_ms)
    assert result.vcores == {key: total / complete for key, total in parts.vcores.totals.items()}


def test_a_run_without_a_container() -> None:
    """A queue that may run nothing: both jobs wait for ever, and nothing ever runs."""
    nothing = {"name": "root.default", "max_running_apps": 0}
    run = simulate(Scenario.of(SMALL | {"queues": [nothing]}), "fair")
    result = interval_statistics(run, capacity_split(run), (0, 5_000))
    assert (run.status, sum(result.ran.values())) == ("deadlock", 0)
