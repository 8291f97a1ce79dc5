"""A wrong scenario, however large, costs time and memory in proportion to its text, and is told in a bounded
number of faults.
"""

from __future__ import annotations

import difflib
import json
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from types import FrameType

import pytest

from engine.errors import Fault, ScenarioError
from engine.scenario import name_hints, scenario_limits
from engine.scenario.json_values import depth_exceeds
from engine.scenario.model import Scenario
from tests.phrases import phrase

NODE = {"count": 1, "memory_mb": 8, "vcores": 8}
JOB = {"maps": {"count": 2, "memory_mb": 1, "vcores": 1, "duration_s": 1.0}}
BASE = {"version": 1, "cluster": {"nodes": [NODE]}, "jobs": [JOB]}


def faults(data: object) -> list[str]:
    with pytest.raises(ScenarioError) as result:
        Scenario.of(data)
    return [str(fault) for fault in result.value.faults]


def on(**cluster: object) -> dict:
    return {**BASE, "cluster": {**BASE["cluster"], **cluster}}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            {**BASE, "jobs": [0] * (scenario_limits.MAX_JOB_GROUPS + 1)},
            phrase("common.jobs_has_entries_at_most", "100,001", "100,000"),
        ),
        (
            {**BASE, "queues": [0] * (scenario_limits.MAX_QUEUES + 1)},
            phrase("scenario.queues_has_entries_at_most", "10,001", "10,000"),
        ),
        (
            on(nodes=[0] * (scenario_limits.MAX_NODE_GROUPS + 1)),
            "cluster.nodes: " + phrase("scenario.has_entries_at_most", "100,001", "100,000"),
        ),
        (
            on(outages=[0] * (scenario_limits.MAX_OUTAGES + 1)),
            "cluster.outages: " + phrase("scenario.has_entries_at_most", "100,001", "100,000"),
        ),
    ],
)
def test_lists_are_bounded_and_then_looked_at_no_further(data: dict, said: str) -> None:
    assert faults(data) == [said]


def test_parents_of_queues_are_queues() -> None:
    """10,000 queues 90 deep took 770 MB."""
    deep = [{"name": f"root.{number}" + ".a" * 90} for number in range(200)]
    assert faults({**BASE, "queues": deep}) == [phrase("scenario.queues_more_than_with_their", "10,000")]
    Scenario.of({**BASE, "queues": deep[:100]})


@pytest.mark.parametrize("depth", [60, 900, 100_000])
def test_deep_nesting_is_a_fault(depth: int) -> None:
    inner: object = 0
    for _ in range(depth):
        inner = [inner]
    output = ["$: " + phrase("common.nested_more_than_deep", 50)]
    assert faults(inner) == output
    assert faults({**BASE, "x_note": inner}) == output
    assert faults({**BASE, "jobs": [{**JOB, "queue": {"a": inner}}]}) == output


def test_depth_is_counted() -> None:
    assert not depth_exceeds({"a": [1, {"b": 2}]}, 3) and depth_exceeds({"a": [1, {"b": 2}]}, 2)
    assert not depth_exceeds(1, 0)


def test_what_a_scenario_may_be_nested_is_written_and_read_again() -> None:
    inner: object = 0
    for _ in range(scenario_limits.MAX_DEPTH - 1):
        inner = [inner]
    scenario = Scenario.of({**BASE, "x_note": inner})
    assert Scenario.read(scenario.json()).digest == scenario.digest


def test_the_first_faults_are_told_and_that_there_are_more() -> None:
    """In the order of the file, and without a kilobyte for each of the others, which is what a list of them
    all took.
    """
    data = {**BASE, "jobs": [0] * 50_000}
    tracemalloc.start()
    result = faults(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result[:100] == [f"jobs[{place}]: " + phrase("scenario.must_be_object", 0) for place in range(100)]
    assert result[100:] == ["$: " + phrase("scenario.has_more_than_faults_first", 100, 100)]
    assert peak < 20 * 2**20


def test_bad_entries_of_several_lists_are_told_in_the_order_of_the_file() -> None:
    wrong = {"count": "x", "memory_mb": 8, "vcores": "y"}
    data = {
        **BASE,
        "cluster": {"nodes": [NODE, wrong, NODE, wrong]},
        "queues": [{"name": "root.a", "weight": "z"}, {"name": "root.b", "weight": -1}],
        "seed": -1,
    }
    paths = [line.partition(":")[0] for line in faults(data)]
    assert paths == [
        "seed",
        "cluster.nodes[1].count",
        "cluster.nodes[1].vcores",
        "cluster.nodes[3].count",
        "cluster.nodes[3].vcores",
        "queues[0].weight",
        "queues[1].weight",
    ]


def test_of_a_list_of_numbers_the_first_wrong_one_is_told() -> None:
    job = {"maps": {**JOB["maps"], "duration_s": {"values": [1, "x"]}}}
    wrong = {"maps": {**JOB["maps"], "count": 3, "duration_s": {"values": [1, "x", "y"]}}}
    assert faults({**BASE, "jobs": [job]}) == [
        "jobs[0].maps.duration_s.values[1]: " + phrase("common.must_be_number", "'x'")
    ]
    assert faults({**BASE, "jobs": [wrong]}) == [
        "jobs[0].maps.duration_s.values[1]: " + phrase("common.must_be_number", "'x'")
    ]


def test_names_are_suggested_for_the_first_few(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    real = difflib.get_close_matches
    monkeypatch.setattr(
        name_hints.difflib,
        "get_close_matches",
        lambda *given, **more: asked.append(given) or real(*given, **more),
    )
    queues = [{"name": f"root.production-{number}"} for number in range(1200)]
    nodes = [{**NODE, "name": f"worker-of-rack-{number}"} for number in range(1200)]
    data = {
        **BASE,
        "cluster": {
            "nodes": nodes,
            "outages": [{"node": f"wrker-{number}", "lost_s": 1} for number in range(40)],
        },
        "queues": queues,
    }
    data |= {
        "jobs": [{**JOB, "queue": f"root.prodction-{number}"} for number in range(40)],
        **{f"clustr{number}": 1 for number in range(10)},
    }
    result = faults(data)
    assert len(result) == 90 and len(asked) == scenario_limits.MAX_HINTS
    assert sum("did you mean" in line for line in result) == scenario_limits.MAX_HINTS
    assert max(len(known) for _, known in asked) <= scenario_limits.MAX_HINT_CANDIDATES


def groups(number: int) -> dict[str, dict]:
    """Scenarios whose check once took time in proportion to the square of their size."""
    many = range(number)
    nodes = [{**NODE, "name": f"n{place}"} for place in many]
    named = [{**JOB, "name": f"a{place}"} for place in many] + [
        {**JOB, "name": f"b{place}", "count": 2} for place in many
    ]
    return {
        "fits": {
            **BASE,
            "cluster": {"nodes": [{**NODE, "map_slots": 0}] * number + [NODE]},
            "jobs": [JOB] * number,
        },
        "copies": {**BASE, "jobs": named},
        "queues": {
            **BASE,
            "queues": [{"name": f"root.{place}"} for place in many] + [{"name": "root.default"}],
        },
        "outages": {
            **BASE,
            "cluster": {
                "nodes": nodes,
                "outages": [
                    {"node": f"n{place}", "lost_s": 2 * place, "back_s": 2 * place + 1} for place in many
                ],
            },
        },
    }


@pytest.mark.parametrize("name", groups(0))
def test_checks_are_linear(name: str) -> None:
    """Eight times as much takes some eight times as many steps of the interpreter; it took 64 times as
    many.
    """
    few, many = (steps(partial(Scenario.of, groups(number)[name])) for number in (100, 800))
    assert many < 10 * few


def steps(act: Callable[[], object]) -> int:
    """How many instructions the interpreter does for it."""
    count, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, _: object) -> Callable:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


HUGE = 10**400
OBJECT_PATHS = [
    "version",
    "seed",
    "name",
    "cluster",
    "cluster.heartbeat_ms",
    "cluster.contention",
    "cluster.launch_s",
    "cluster.nodes.0.name",
    "cluster.nodes.0.count",
    "cluster.nodes.0.memory_mb",
    "cluster.nodes.0.map_slots",
    "cluster.nodes.0.speed",
    "cluster.outages.0.node",
    "cluster.outages.0.lost_s",
    "cluster.outages.0.back_s",
    "queues.0.name",
    "queues.0.policy",
    "queues.0.capacity_pct",
    "queues.0.max_capacity_pct",
    "queues.0.min_share.vcores",
    "jobs.0.name",
    "jobs.0.count",
    "jobs.0.queue",
    "jobs.0.iterations",
    "jobs.0.maps.count",
    "jobs.0.maps.memory_mb",
    "jobs.0.maps.duration_s",
    "jobs.0.maps.duration_s.low",
    "jobs.0.reduces.count",
    "jobs.0.partitions.sizes",
    "jobs.0.partitions.zipf",
    "jobs.0.speculation",
]
FULL = {
    "version": 1,
    "cluster": {
        "nodes": [{**NODE, "name": "a"}, {**NODE, "count": 2}],
        "outages": [{"node": "a", "lost_s": 1, "back_s": 2}],
    },
    "queues": [
        {"name": "root.default", "capacity_pct": 100, "max_capacity_pct": 100, "min_share": {"vcores": 1}},
        {"name": "root.default.b"},
    ],
    "jobs": [
        {
            "queue": "root.default.b",
            "maps": {**JOB["maps"], "duration_s": {"dist": "uniform", "low": 1, "high": 2}},
            "reduces": {**JOB["maps"], "count": 1},
            "partitions": {"sizes": [1]},
        }
    ],
}


@pytest.mark.parametrize("path", OBJECT_PATHS)
@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        [[]],
        HUGE,
        -HUGE,
        float("inf"),
        1e308,
        "a" * 100_000,
        "a-" + "9" * 5000,
        [HUGE],
        "\ud800",
        True,
    ],
    ids=lambda value: repr(value)[:12],
)
def test_anything_anywhere_is_a_list_of_short_faults(path: str, value: object) -> None:
    copy = json.loads(json.dumps(FULL))
    *above, last = path.split(".")
    place = copy
    for key in above:
        place = place[int(key) if key.isdigit() else key]
    place[last] = value
    try:
        Scenario.of(copy)
    except ScenarioError as error:
        assert all(isinstance(fault, Fault) and len(str(fault)) < 800 for fault in error.faults)


def test_the_largest_counts_are_a_fault() -> None:
    """Their product has more digits than Python writes."""
    huge = 10**4000
    assert faults(
        {**BASE, "jobs": [{"count": huge, "iterations": huge, "maps": {**JOB["maps"], "count": huge}}]}
    )


@pytest.mark.parametrize(
    "path",
    [
        "name",
        "cluster.nodes.0.name",
        "cluster.nodes.0.rack",
        "cluster.outages.0.node",
        "queues.0.name",
        "jobs.0.name",
        "jobs.0.user",
        "jobs.0.queue",
    ],
)
def test_a_nul_is_a_fault(path: str) -> None:
    copy = json.loads(json.dumps(FULL))
    *above, last = path.split(".")
    place = copy
    for key in above:
        place = place[int(key) if key.isdigit() else key]
    place[last] = "root.a\0b"
    assert any(phrase("scenario.must_hold_no_nul") in line for line in faults(copy))


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({**BASE, "name": "a\ud800"}, "name"),
        ({**BASE, "jobs": [{**JOB, "queue": "root.\ud800"}]}, "jobs[0].queue"),
        ({**BASE, "jobs": [{**JOB, "name": "\ud800"}]}, "jobs[0].name"),
        ({**BASE, "x_note": {"a": ["\udfff"]}}, "x_note"),
        (on(x_note={"\udfff": 1}), "cluster.x_note"),
    ],
)
def test_half_of_a_character_is_a_fault(data: dict, path: str) -> None:
    """It can be read and not written."""
    assert any(
        line.startswith(f"{path}: ") and phrase("scenario.half_character_lone_surrogate") in line
        for line in faults(data)
    )
