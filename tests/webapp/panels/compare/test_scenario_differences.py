"""What differs between two scenarios: nothing of one with itself, a line of each change that names it, and
long lists in few lines.
"""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import Scenario, ScenarioError, presets, tunables
from engine.dashboard import with_overrides
from tests.phrases import phrase
from tests.strategies import scenarios
from webapp.panels.compare import scenario_differences
from webapp.panels.compare.scenario_differences import FIRST_LINES, content, task_differences
from webapp.runs.task import Task, build_task, with_pinned
from webapp.url.url_state import RunRequest

LISTED = re.compile(r"(cluster\.nodes|queues|jobs)\[(\d+)\]")
WORDCOUNT = presets()[0].scenario


def changed(**more: Any) -> dict:
    """The first preset, of which each value is a function of its plain values."""
    plain = copy.deepcopy(WORDCOUNT.plain())
    return {**plain, **{key: change(plain[key]) for key, change in more.items()}}


def lines(before: Any, after: Any, **more: Any) -> list[str]:
    of = [one if isinstance(one, Scenario) else Scenario.of(one) for one in (before, after)]
    return scenario_differences.scenario_differences(*of, **more)


@given(scenarios())
def test_of_a_scenario_with_itself_nothing_differs(scenario: Scenario) -> None:
    assert lines(scenario, Scenario.read(scenario.json())) == []


@given(scenarios(), st.data())
def test_a_number_that_is_changed_is_named_with_both_values(scenario: Scenario, data: st.DataObject) -> None:
    tunable = data.draw(st.sampled_from(tunables(scenario, [])))
    value = data.draw(st.sampled_from([tunable.range.first, tunable.range.last]))
    try:
        after, _ = with_overrides(scenario.plain(), [], [(tunable.path, value)])
    except ScenarioError:
        assume(False)
    assume(after.canonical != scenario.canonical)
    told = lines(scenario, after)
    assert told
    if match := LISTED.match(tunable.path):
        entry = getattr(after if match[1] != "cluster.nodes" else after.cluster, match[1].split(".")[-1])
        if len(entry) > 1:
            assert (entry[int(match[2])].name or "") in told[0]
        assert len(told) == 1
    for line in told:
        before, arrow, now = line.partition(" → ")
        assert not f" {before}".endswith(f" {now}") if arrow else line.endswith((" added", " removed"))


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ({"name": "Other"}, [phrase("compare.scenario_name")]),
        (changed(cluster=lambda cluster: cluster | {"heartbeat_ms": 3000}), ["Cluster: heartbeat 1 s → 3 s"]),
        (
            changed(
                cluster=lambda cluster: {"nodes": [cluster["nodes"][0] | {"count": 16, "memory_mb": 4096}]}
            ),
            ["Nodes: 8 → 16", phrase("compare.memory_of_node", "8 GB", "4 GB")],
        ),
        (
            changed(
                cluster=lambda cluster: {
                    "nodes": [*cluster["nodes"], {"count": 1, "memory_mb": 64, "vcores": 1}]
                }
            ),
            ["Node group node2 added"],
        ),
        (
            {"queues": [{"name": "root.default", "capacity_pct": 100}]},
            ["Queue root.default added"],
        ),
        ({"users": [{"name": "ann", "max_running_apps": 1}]}, ["User ann added"]),
        (
            changed(cluster=lambda cluster: cluster | {"outages": [{"node": "worker-1", "lost_s": 5}]}),
            ["Outage worker-1 added"],
        ),
        (
            changed(cluster=lambda cluster: cluster | {"stragglers": {"share": 0.1}}),
            [phrase("compare.stragglers_none", 0.1, 3)],
        ),
        (changed(jobs=lambda jobs: jobs[:1]), ["Jobs wordcount2, wordcount3 and wordcount4 removed"]),
        (
            changed(jobs=lambda jobs: [jobs[0] | {"name": "a"}, jobs[1] | {"name": "b"}, *jobs[2:]]),
            [phrase("compare.jobs_renamed", "wordcount1 and wordcount2", "a and b")],
        ),
        (  # it is changed too
            changed(jobs=lambda jobs: [jobs[0] | {"name": "a", "slowstart": 0.8}, *jobs[1:]]),
            ["Job wordcount1 removed", "Job a added"],
        ),
        (changed(jobs=lambda jobs: jobs[::-1]), [phrase("compare.jobs_in_another_order")]),
        (
            changed(jobs=lambda jobs: [job | {"slowstart": 0.8} for job in jobs]),
            [phrase("compare.all_jobs_slow_start", 4, 0.05, 0.8)],
        ),
        (
            changed(jobs=lambda jobs: [*jobs[:2], jobs[2] | {"reduces": None}, jobs[3] | {"am": None}]),
            [
                phrase("compare.reduces_none", "wordcount3", 5, "1 GB", 3, "30 s"),
                phrase("compare.master_none", "wordcount4", "1 GB", 1, 0, 0, 0),
            ],
        ),
        (
            changed(
                jobs=lambda jobs: [
                    *jobs[:3],
                    jobs[3]
                    | {
                        "estimate_s": 60,
                        "maps": jobs[3]["maps"]
                        | {"count": 62, "duration_s": {"dist": "normal", "mean": 9, "sd": 2}},
                    },
                ]
            ),
            [
                phrase("compare.estimated_run_time", "wordcount4", "1 min"),
                "Job wordcount4: maps 31 → 62",
                phrase("compare.duration_of_map", "wordcount4", "20 s", "normal(9, 2) s"),
            ],
        ),
    ],
)
def test_each_kind_of_change_in_words(after: dict, expected: list[str]) -> None:
    assert lines(WORDCOUNT, WORDCOUNT.plain() | after) == expected


def test_a_queue_that_is_renamed_takes_its_jobs_along() -> None:
    def with_queue(name: str, weight: float = 2) -> dict:
        queues = [{"name": name, "weight": weight}, {"name": f"{name}.x"}]
        return changed(jobs=lambda jobs: [job | {"queue": f"{name}.x"} for job in jobs]) | {"queues": queues}

    before = with_queue("root.a")
    assert lines(before, with_queue("root.b")) == [
        phrase("compare.queues_renamed", "root.a and root.a.x", "root.b and root.b.x")
    ]
    other = with_queue("root.b", weight=3)
    assert lines(before, other)[:3] == [
        phrase("compare.queue_renamed", "root.a.x", "root.b.x"),
        "Queue root.a removed",
        "Queue root.b added",
    ]


def test_an_application_is_compared_by_its_stages_and_executors() -> None:
    before = presets()[5].scenario
    after = copy.deepcopy(before.plain())
    etl = after["jobs"][0]
    etl["executors"]["dynamic"]["maximum"] = 8
    etl["stages"][1:] = [{"name": "join", "after": ["read"], "tasks": 1000, "duration_s": 1.5}]
    maximum, stages = phrase("compare.application_maximum", 8), phrase("compare.application_stages")
    assert lines(before, after) == [maximum, stages]


def test_values_that_read_alike_are_told_apart() -> None:
    def of(values: list[float], memory: int) -> dict:
        maps = {"count": len(values), "memory_mb": 1, "vcores": 1, "duration_s": {"values": values}}
        return changed(
            cluster=lambda cluster: {"nodes": [cluster["nodes"][0] | {"memory_mb": memory}]},
            jobs=lambda jobs: [{"name": "long", "maps": maps}],
        )

    times = [1.0] * 20
    assert lines(of(times, 2_000_001), of([*times[:-2], 2.0, 3.0], 2_000_002)) == [
        phrase("compare.memory_of_node", "2000001 MB", "2000002 MB"),
        phrase("compare.duration_of_map", "long", "values(1, 1, 1, 1, 1, 1, …) s", "2 other values"),
    ]


def test_notes_that_change_nothing_are_no_difference() -> None:
    assert lines(WORDCOUNT, WORDCOUNT.plain() | {"x_about": "another"}) == []


def task(scenario: dict, *schedulers: str) -> Task:
    return build_task(RunRequest(scenario, schedulers))


def test_schedulers_are_compared_too_and_alone_there_is_nothing(small: dict) -> None:
    own = task(small, "fifo", "fair")
    assert (task_differences(own), content(own, False)) == ((), ([], True))
    other = with_pinned(own, task(small, "drf"))
    assert task_differences(other) == (phrase("compare.other_schedulers", "drf", "fifo, fair"),)
    noted = with_pinned(own, task(small | {"x_about": "another"}, "fair", "fifo"))
    assert content(noted, False)[0][1].children == phrase("compare.two_scenarios_do_not_differ")


def test_of_a_long_list_the_first_are_shown_until_all_are_asked_for(small: dict) -> None:
    def jobs(number: int, seconds: float) -> dict:
        maps = small["jobs"][0]["maps"]
        lengths = (seconds + one for one in range(number))
        return small | {
            "jobs": [
                {"name": f"j{one}", "maps": maps | {"duration_s": length}}
                for one, length in enumerate(lengths)
            ]
        }

    both = with_pinned(task(jobs(FIRST_LINES + 9, 1), "fifo"), task(jobs(FIRST_LINES + 19, 2), "fifo"))
    (_, first, says), is_all = content(both, False)
    assert len(first.children) == FIRST_LINES and not is_all
    assert says.children == [phrase("compare.first_of_differences", FIRST_LINES, FIRST_LINES + 10)]
    assert first.children[0].children == phrase("compare.jobs_and_more_removed", "j59, j60, j61", 7)
    (_, every, says), is_all = content(both, True)
    assert len(every.children) == FIRST_LINES + 10 and is_all and says.children == []
    assert every.children[0].children.endswith("j66, j67 and j68 removed")
