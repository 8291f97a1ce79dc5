"""A draft as lines: what stands for a job, a node group or a queue, hosts that are alike, and drafts that
hold anything.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import presets
from tests.phrases import phrase
from webapp.panels.editor.lines import MAX_LINES, leaf_queues, lines, summaries

TASKS = {"count": 31, "memory_mb": 1024, "vcores": 2, "duration_s": 20}
HOST = {"count": 1, "memory_mb": 8192, "vcores": 8}


def draft(**parts: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "cluster": {"nodes": parts.get("nodes", [HOST])},
        "queues": parts.get("queues", []),
        "jobs": parts.get("jobs", [{"maps": TASKS}]),
    }


def test_a_job_is_name_maps_reduces_sizes_durations_and_arrival() -> None:
    reduces = {
        "count": 5,
        "memory_mb": 1536,
        "vcores": 1,
        "duration_s": {"dist": "uniform", "low": 10, "high": 30},
    }
    [line] = lines(
        draft(jobs=[{"name": "wc", "arrival_s": 90, "count": 3, "maps": TASKS, "reduces": reduces}])
    )["jobs"]
    assert (line["name"], line["aside"]) == ("wc", "× 3, at 90 s")
    assert line["parts"] == [["map", "31 × 1 GB, 2 vc · 20 s"], ["reduce", "5 × 1.5 GB, 1 vc · ~20 s"]]


def test_a_spark_application_is_its_executors_stages_and_tasks() -> None:
    stages = [{"name": "read", "tasks": 30}, {"tasks": 10, "after": ["read"]}]
    executors = {"memory_mb": 2048, "vcores": 2}

    def parts(**more: Any) -> list:
        job = {"framework": "spark", "executors": {**executors, **more}, "stages": stages}
        return [words for _, words in lines(draft(jobs=[job]))["jobs"][0]["parts"]]

    fixed = [phrase("editor.spark_executors", 2, 2, 2), "2 stages, 40 tasks"]  # Spark's default number
    assert parts() == fixed
    assert parts(dynamic={"maximum": 10})[0] == fixed[0].replace(" 2 ×", " 0 to 10 ×")
    assert parts(dynamic={"minimum": 1})[0] == fixed[0].replace(" 2 ×", " 1 or more ×")
    assert parts(count="x")[0] == fixed[0].replace(" 2 ×", " ? ×")

    master = {"memory_mb": 1024, "vcores": 1}
    both = draft(jobs=[{"maps": TASKS}, {"framework": "spark", "am": master, "stages": stages}])
    assert summaries(both)["jobs"] == phrase("editor.jobs_containers_tasks", 2, 32, 40)
    held = {"framework": "tez", "am": master, "count": 2, "stages": stages}
    all_three = draft(jobs=[*both["jobs"], held])
    assert summaries(all_three)["jobs"] == phrase("editor.jobs_containers_tasks", 4, 34, 120)


def test_a_dag_is_its_stages_tasks_and_the_sizes_of_their_containers() -> None:
    stages = [
        {"name": "read", "tasks": 30, "memory_mb": 1024, "vcores": 1},
        {"tasks": 10, "after": ["read"], "memory_mb": 4096, "vcores": 1},
    ]
    job = {"framework": "stages", "stages": stages}
    (line,) = lines(draft(jobs=[job]))["jobs"]
    assert line["parts"] == [["", phrase("editor.dag_line", "2 stages", 40, "1 GB to 4 GB", "1")]]
    assert line["graph"].count("<rect") == 2
    assert summaries(draft(jobs=[job]))["jobs"] == "1 job, 40 containers"
    (line,) = lines(draft(jobs=[{**job, "stages": [{"tasks": "x"}]}]))["jobs"]
    assert line["parts"] == [["", phrase("editor.dag_line", "1 stage", 0, "?", "?")]]


def test_a_demand_is_what_it_holds_and_from_when() -> None:
    held = {"tasks": 4, "memory_mb": 2048, "vcores": 1, "duration_s": 300}
    first = phrase("editor.demand_line", 4, 2, 1, 300)

    def line(*stages: dict) -> dict:
        return lines(draft(jobs=[{"framework": "demand", "stages": list(stages)}]))["jobs"][0]

    one = line(held)
    assert one["parts"] == [["", first]] and "8 GB" in one["graph"] and "5:00" in one["graph"]
    later = {**held, "start_s": 60, "duration_s": {"dist": "uniform", "low": 100, "high": 140}}
    two = line(held, later)
    assert two["parts"][1] == ["", phrase("editor.demand_from", 4, 2, 1, 120, 60)]
    assert "16 GB" in two["graph"]
    assert [words for _, words in line(*5 * [held])["parts"]][3:] == ["and 2 stages more"]
    assert line({**held, "duration_s": "x"})["graph"] == ""


@pytest.mark.parametrize("framework", ["spark", "stages", "demand"])
@pytest.mark.parametrize("stages", [None, 3, "x", [], [3], [{"after": 3}], [{"name": 3, "after": [{}]}]])
def test_stages_of_any_kind_are_shown(stages: Any, framework: str) -> None:
    assert len(lines(draft(jobs=[{"framework": framework, "stages": stages, "executors": 3}]))["jobs"]) == 1


def test_nodes_and_queues_are_lines_too() -> None:
    queue = {"name": "root.prod", "weight": 2, "capacity_pct": 40, "policy": "drf"}
    sections = lines(
        draft(
            nodes=[{**HOST, "name": "big", "count": 4, "rack": "r1", "map_slots": 2, "speed": 2}],
            queues=[queue],
        )
    )
    assert sections["nodes"] == [
        {
            "rows": (0, 0),
            "name": "big",
            "aside": "r1",
            "parts": [["", phrase("editor.gb_vc_maps_speed", 4, 8, 8, 2, 2)]],
        }
    ]
    assert [line["parts"] for line in sections["queues"] if line["rows"]] == [
        [["", phrase("editor.weight_capacity_policy_drf", 2, 40)]]
    ]


def test_equal_hosts_are_one_line_and_keep_their_names() -> None:
    hosts = [{**HOST, "name": f"a{2115 + number}.smile.com.example.org"} for number in range(50)]
    other = {**HOST, "name": "b1", "memory_mb": 4096}
    line, last = lines(draft(nodes=[*hosts, other]))["nodes"]
    assert (line["rows"], line["name"], line["parts"]) == (
        (0, 49),
        "50 hosts like a2115",
        [["", "8 GB, 8 vc"]],
    )
    assert line["names"] == [host["name"] for host in hosts]
    assert (last["rows"], last["name"]) == ((50, 50), "b1")


def test_a_long_list_is_cut_but_counted() -> None:
    long = draft(jobs=[{"name": f"j{number}", "maps": TASKS} for number in range(MAX_LINES + 7)])
    assert len(lines(long)["jobs"]) == MAX_LINES
    assert summaries(long)["jobs"] == f"{MAX_LINES + 7} jobs, {(MAX_LINES + 7) * 31:,} containers"


def test_what_a_section_holds() -> None:
    assert summaries(presets()[0].scenario.plain()) == {
        "nodes": "8 nodes, 64 GB, 64 vcores",
        "queues": "root.default only",
        "jobs": "4 jobs, 148 containers",
        "settings": phrase("editor.heartbeat_every_ms_seed", "1,000", 0),
    }


def test_jobs_are_submitted_to_leaves() -> None:
    assert leaf_queues(
        draft(queues=[{"name": "root.a"}, {"name": "root.a.b"}, {"name": 5}, {"name": "c"}])
    ) == ["root.default", "root.a.b"]


@pytest.mark.parametrize(
    "senseless",
    [
        None,
        3,
        [],
        {"jobs": 3, "cluster": 3, "queues": "x"},
        {
            "jobs": [3, {"name": 5, "maps": 7, "count": None, "arrival_s": [], "iterations": "x"}],
            "cluster": {"nodes": [None, {"memory_mb": {}, "speed": "x"}]},
        },
        {
            "jobs": [
                {"maps": {"duration_s": {"values": []}}},
                {"maps": {"duration_s": {"dist": "normal"}, "count": 1e999}},
            ],
            "queues": [{"weight": {}}],
        },
    ],
)
def test_a_draft_may_hold_anything(senseless: Any) -> None:
    assert set(lines(senseless)) == {"nodes", "queues", "jobs"} and set(summaries(senseless)) == {
        "nodes",
        "queues",
        "jobs",
        "settings",
    }
    assert leaf_queues(senseless) == ["root.default"]
