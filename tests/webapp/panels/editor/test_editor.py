"""The parts of the editor that need no browser: columns from the models, files to drafts, faults."""

from __future__ import annotations

import gzip
import io
import json
import time
from dataclasses import replace
from typing import Any, get_args

import pytest
from dash import Dash
from pydantic import BaseModel, Field, create_model

from engine import CATALOGUE, Cluster, FormatError, Job, NodeGroup, Queue, Scenario, presets, sample
from engine.dashboard import READABLE, Allocation
from tests.phrases import phrase
from webapp.panels.editor import check, editor, files, folds, form, places, schedulers
from webapp.panels.editor.fields import entries, groups, help_text, nested
from webapp.panels.editor.tables import TABLES, columns

TASKS = {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": 20.0}
SMALL = {
    "version": 1,
    "cluster": {"nodes": [{"count": 1, "memory_mb": 8192, "vcores": 8}]},
    "jobs": [{"maps": TASKS}],
}
TABLE = {table.key: table for table in TABLES}
STAGE = {"name": "read", "tasks": 4, "duration_s": 2}
EXECUTORS = {"memory_mb": 2048, "vcores": 2, "count": 4}
DYNAMIC_IDLE = "executors.dynamic.idle_s"


@pytest.fixture
def app() -> Dash:
    """What links within the page need."""
    return Dash("editor", suppress_callback_exceptions=True)


def opened(content: bytes | dict, name: str = "file.json") -> dict[str, Any]:
    """The draft of one file."""
    return files.opened(
        [(name, io.BytesIO(content if isinstance(content, bytes) else json.dumps(content).encode()))]
    )


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.key)
def test_a_table_has_each_field_of_its_model_once(table: Any) -> None:
    cells = [
        column["field"]
        for definition in columns(table)
        for column in definition.get("children", [definition])
    ]
    inside = [
        path
        for name, field in table.model.model_fields.items()
        if nested(field)
        for path in _paths_within(nested(field), name)
    ]
    plain = [name for name, field in table.model.model_fields.items() if not nested(field)]
    assert sorted(cells) == sorted(plain + inside)


def _paths_within(model: type[BaseModel], owner: str) -> list[str]:
    paths = []
    for name, field in model.model_fields.items():
        inner = nested(field)
        paths += [f"{owner}.{name}", *(_paths_within(inner, f"{owner}.{name}") if inner else [])]
    return paths


def test_tables_and_form_hold_the_whole_scenario() -> None:
    assert {table.model for table in TABLES} == {NodeGroup, Queue, Job}
    paths = {entry.path for entry in form.TITLE + form.SETTINGS}
    inside = {
        f"cluster.{name}.{key}"
        for name, field in Cluster.model_fields.items()
        if nested(field)
        for key in _within(nested(field))
    }
    assert paths == {
        "name",
        "seed",
        "users",
        *(f"cluster.{name}" for name in Cluster.model_fields if name != "nodes"),
        *inside,
    }
    assert set(Scenario.model_fields) == {
        "version",
        "cluster",
        "queues",
        "users",
        "jobs",
        "name",
        "seed",
        "measured",
    }


def _within(model: type[BaseModel]) -> list[str]:
    """The paths of its fields; of an object that is there by default, those of its own."""
    return [
        f"{name}.{inner}" if isinstance(field.default, BaseModel) else name
        for name, field in model.model_fields.items()
        for inner in (nested(field).model_fields if isinstance(field.default, BaseModel) else [""])
    ]


def test_heads_and_help_come_from_the_models() -> None:
    cells = {entry.path: entry for entry in TABLE["jobs"].entries()}
    assert cells["maps.memory_mb"].heading == "Memory (MB)"
    assert (
        cells["maps.duration_s"].help
        == nested(Job.model_fields["maps"]).model_fields["duration_s"].description
    )
    assert help_text(cells["maps.count"]) == phrase("editor.how_many_tasks_required")
    assert help_text(cells["count"]).endswith("Default: 1 job.")
    assert [group.title for group in groups(Job)] == [
        "Min share",
        "ApplicationMaster",
        "Maps",
        "Reduces",
        "Partitions",
        "Executors",
        "Dynamic allocation",
        "Speculative execution",
        "Held containers",
    ]
    unfolded = [
        entry.title
        for entry in form.SETTINGS
        if not any(entry.path.startswith(fold.paths) for fold in folds.SETTINGS)
    ]
    assert unfolded == ["Heartbeat", "Containers per heartbeat", "Shuffle", "Contention", "Seed"]
    assert (
        next(entry.title for entry in TABLE["queues"].entries() if entry.path == "capacity_pct") == "Capacity"
    )


def test_a_new_field_is_a_column_and_a_row_of_the_form() -> None:
    wider = create_model(
        "Wider",
        __base__=Job,
        priority_pct=(
            float | None,
            Field(50.0, description="How urgent it is.", json_schema_extra={"unit": "%"}),
        ),
    )
    table = replace(TABLE["jobs"], model=wider)
    *others, last = columns(table)
    assert others == columns(TABLE["jobs"])
    assert (last["field"], last["headerName"], last["headerTooltip"]) == (
        "priority_pct",
        "Priority (%)",
        phrase("editor.how_urgent_default", 50),
    )
    assert [entry.path for entry in entries(wider, prefix="cluster.")][-1] == "cluster.priority_pct"
    assert table.facts()["fields"][-1]["kind"] == "number"


@pytest.mark.parametrize(
    ("table", "path", "kind", "empty"),
    [
        ("jobs", "maps.duration_s", "duration", ""),
        ("jobs", "interval_s", "duration", "0"),
        ("jobs", "queue", "queue", "root.default"),
        ("jobs", "am.startup_s", "duration", "0"),
        ("jobs", "speculation", "choice", "none"),
        ("jobs", "partitions.sizes", "numbers", ""),
        ("jobs", "executors.dynamic", "switch", phrase("editor.fixed_number")),
        ("jobs", "executors.dynamic.maximum", "whole", "no limit"),
        ("jobs", "stages", "rows", ""),
        ("jobs", "slowstart", "number", "0.05"),
        ("jobs", "name", "text", "job1, job2, …"),
        ("nodes", "map_slots", "whole", "no limit"),
        ("queues", "policy", "choice", phrase("editor.as_scheduler_does")),
        ("queues", "capacity_pct", "number", phrase("editor.equal_share_what_left")),
    ],
)
def test_a_field_s_kind_and_what_stands_in_its_empty_cell(
    table: str, path: str, kind: str, empty: str
) -> None:
    entry = next(entry for entry in TABLE[table].entries() if entry.path == path)
    assert (entry.kind, entry.empty) == (kind, empty)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("cluster.launch_s", "duration"),
        ("cluster.out_of_band_heartbeats", "switch"),
        ("cluster.failures", "switch"),
        ("cluster.outages", "rows"),
    ],
)
def test_kinds_of_the_settings(path: str, kind: str) -> None:
    entry = next(entry for entry in form.SETTINGS if entry.path == path)
    assert (entry.kind, [one.path for one in entry.fields]) == (
        kind,
        ["node", "lost_s", "back_s"] if kind == "rows" else [],
    )
    json.dumps(form.facts())


def _paths(table: str) -> list[str]:
    return [entry.path for entry in TABLE[table].entries()]


def test_each_fold_has_fields_and_a_sentence() -> None:
    for result, entry_paths in (
        (folds.SETTINGS, [entry.path for entry in form.SETTINGS]),
        *((result, _paths(key)) for key, result in (("queues", folds.QUEUES), ("jobs", folds.JOBS))),
    ):
        for fold in result:
            assert fold.about.endswith(".")
            for path in fold.paths:
                assert any(one == path or one.startswith(f"{path}.") for one in entry_paths), path


@pytest.mark.parametrize(
    ("cluster", "field", "sentence"),
    [
        ({"launch_s": "soon"}, "cluster.launch_s", phrase("editor.launch_must_be_number", "'soon'")),
        (
            {"launch_s": {"dist": "normal", "mean": -1.0, "sd": 1.0}},
            "cluster.launch_s",
            phrase("editor.launch_must_be_more_than", "-1.0", 0),
        ),
        (
            {"failures": {"probability": 2.0}},
            "cluster.failures.probability",
            phrase("editor.failures_probability_too_large_at", "2.0", 1),
        ),
        (
            {"outages": [{"node": "node9", "lost_s": 1.0}]},
            "cluster.outages[0].node",
            phrase("editor.outage_node_no_node_cluster", 1, "'node9'", "node1"),
        ),
        (
            {"outages": [{"node": "node1"}]},
            "cluster.outages[0].lost_s",
            phrase("editor.outage_lost_required", 1),
        ),
        ({"stragglers": 3}, "cluster.stragglers", phrase("editor.stragglers_must_be_object", 3)),
    ],
)
def test_faults_of_the_physics_have_their_place(cluster: dict, field: str, sentence: str) -> None:
    result = check.check_result({**SMALL, "cluster": {**SMALL["cluster"], **cluster}}, 1000)["faults"][0]
    assert (result["section"], result["row"], result["field"]) == ("settings", None, field)
    assert result["sentence"].startswith(sentence)


def test_uneven_partitions_have_their_place() -> None:
    job = {**SMALL["jobs"][0], "reduces": TASKS, "partitions": {"sizes": [1, 2]}}
    where = places.place({"jobs": [job]}, check.faults({**SMALL, "jobs": [job]}, 1000)[0]["path"])
    assert (where.section, where.row, where.field) == ("jobs", 0, "partitions.sizes")


def test_new_rows_make_a_scenario_without_faults() -> None:
    fresh = {table.key: table.fresh for table in TABLES}
    Scenario.of(
        {
            "version": 1,
            "cluster": {"nodes": [fresh["nodes"]]},
            "queues": [fresh["queues"]],
            "jobs": [fresh["jobs"]],
        }
    )


def test_jobs_of_each_framework_have_a_new_row_and_fields_of_their_own() -> None:
    table = TABLE["jobs"]
    assert [one.key for one in table.frameworks] == list(get_args(Job.model_fields["framework"].annotation))
    fields = set(Job.model_fields)
    for one in table.frameworks:
        lacks = {path for path in one.facts()["lacks"] if "." not in path}
        assert lacks < fields and fields - lacks >= {"name", "queue", "user", "am"}
        job = Scenario.of({**SMALL, "jobs": [one.fresh]}).jobs[0]
        assert job.framework == one.key
    shown = [check.outline({**SMALL, "jobs": [one.fresh]}) for one in table.frameworks[1:]]
    assert [[words for _, words in one["lines"]["jobs"][0]["parts"]] for one in shown] == [
        [phrase("editor.spark_executors", 4, 2, 2), "1 stage, 20 tasks"],
        [phrase("editor.tez_line", "1 stage", 20, "1 GB", "1")],
        [phrase("editor.dag_line", "1 stage", 20, "1 GB", "1")],
        [phrase("editor.demand_line", 4, 2, 1, 300)],
    ]
    assert [one.about for one in table.frameworks[1:]] == [
        phrase("editor.spark_application", 4, 2, 2, 20, 10),
        phrase("editor.tez_application", 20, 10, 1, 1),
        phrase("editor.dag_of_stages", 20, 10, 1, 1),
        phrase("editor.demand", 4, 2, 1, 300),
    ]


def test_a_stage_has_the_fields_of_its_framework() -> None:
    (stages,) = (entry for entry in TABLE["jobs"].entries() if entry.path == "stages")
    kinds = {field.path: field.kind for field in stages.fields}
    assert (kinds["name"], kinds["after"], kinds["tasks"]) == ("text", "names", "whole")
    own = {
        one.key: set(kinds) - {path.removeprefix("stages.") for path in one.facts()["lacks"]}
        for one in TABLE["jobs"].frameworks[1:]
    }
    both = {"name", "tasks", "duration_s"}
    assert own == {
        "spark": both | {"after", "pool", "result"},
        "stages": both | {"after", "memory_mb", "vcores", "output_mb", "slow_start"},
        "demand": both | {"memory_mb", "vcores", "start_s"},
        "tez": both | {"after", "memory_mb", "vcores", "output_mb", "start_s"},
    }
    for one in TABLE["jobs"].frameworks:  # words of fields that it has
        assert {path.removeprefix("stages.") for path in one.words} <= own.get(one.key, set())


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"stages": [{"tasks": "x", "duration_s": 1}]}, "stages[0].tasks", phrase("editor.stage_tasks")),
        ({"stages": [{**STAGE, "after": ["z"]}]}, "stages[0].after", phrase("editor.stage_after")),
        ({"stages": [{**STAGE, "speed": 1}]}, "stages[0].name", phrase("editor.stage_unknown")),
        ({"stages": []}, "stages", phrase("editor.stages_required")),
        (
            {"executors": {**EXECUTORS, "count": None, "dynamic": {"idle_s": -1}}},
            DYNAMIC_IDLE,
            phrase("editor.dynamic_idle"),
        ),
        ({"executors": {**EXECUTORS, "dynamic": {}}}, "executors.count", phrase("editor.count_and_dynamic")),
        ({"stages": [{**STAGE, "pool": "z"}]}, "stages[0].pool", phrase("editor.no_such_pool")),
        (
            {"pools": [{"name": "a"}, {"name": "a"}]},
            "pools[1].name",
            phrase("editor.pools_named_twice"),
        ),
        ({"am": None}, "am.memory_mb", phrase("editor.driver_required")),
        ({"slowstart": 0.5}, "slowstart", phrase("editor.slow_start_of_spark")),
        (
            {"framework": "stages", "stages": [{**STAGE, "memory_mb": 1024}]},
            "stages[0].vcores",
            phrase("editor.dag_vcores_required"),
        ),
        (
            {"framework": "demand", "stages": [{**STAGE, "memory_mb": 1, "vcores": 1, "slow_start": 0.5}]},
            "stages[0].slow_start",
            phrase("editor.slow_start_of_demand"),
        ),
    ],
)
def test_faults_of_an_application_have_their_place(change: dict, field: str, sentence: str) -> None:
    framework = next(one for one in TABLE["jobs"].frameworks if one.key == change.get("framework", "spark"))
    job = {**framework.fresh, "name": "etl", **change}
    (found,) = check.check_result({**SMALL, "jobs": [job]}, 1000)["faults"]
    assert (found["section"], found["row"], found["field"]) == ("jobs", 0, field)
    assert found["sentence"] == sentence


def test_presets_are_offered_as_drafts_and_end_with_an_empty_one() -> None:
    *drafts, empty = json.loads(json.dumps(files.facts()))
    assert [draft["key"] for draft in drafts] == [preset.key for preset in presets()]
    for draft in drafts:
        assert Scenario.of(draft["scenario"])
    assert (empty["key"], empty["scenario"]["jobs"]) == ("new", [])
    assert Allocation(**empty["scenario"]["cluster"]["allocation"]) == Allocation()


def test_a_draft_without_an_allocation_is_told_what_hadoop_rounds() -> None:
    assert check.check_result(presets()[1].scenario.plain(), 1000)["unrounded"] is None
    note = check.check_result(presets()[0].scenario.plain(), 1000)["unrounded"]
    assert note["sentence"].startswith(phrase("simulation.requests_are_not_rounded"))
    assert (note["section"], note["row"], note["field"]) == ("settings", None, "cluster.allocation")


@pytest.mark.parametrize(
    ("nodes", "jobs", "sentence"),
    [
        (0, 0, phrase("editor.add_nodes_and_job_to_run")),
        (0, 1, phrase("editor.add_nodes_to_run")),
        (1, 0, phrase("editor.add_job_to_run")),
    ],
)
def test_one_sentence_says_what_a_draft_still_lacks(nodes: int, jobs: int, sentence: str) -> None:
    rows = {table.key: table.fresh for table in TABLES}
    draft = {"version": 1, "cluster": {"nodes": nodes * [rows["nodes"]]}, "jobs": jobs * [rows["jobs"]]}
    (fault,) = check.check_result(draft, 1000)["faults"]
    assert (fault["sentence"], fault["missing"]) == (sentence, True)
    assert fault["section"] == ("jobs" if nodes else "nodes")


def test_what_is_wrong_beside_what_a_draft_lacks_is_said_too() -> None:
    found = check.check_result({"version": 1, "nmae": "x", "cluster": {"nodes": []}, "jobs": []}, 1000)
    assert sorted(fault["missing"] for fault in found["faults"]) == [False, True]


def test_the_buttons_that_begin_a_list_say_what_they_add() -> None:
    tables = {table.key: table for table in TABLES}
    rows = {"cluster": {"nodes": [tables["nodes"].begins]}, "jobs": [tables["jobs"].begins]}
    shown = check.outline(rows)
    assert (shown["summaries"]["nodes"], tables["nodes"].begins_with) == (
        "8 nodes, 64 GB, 64 vcores",
        phrase("editor.cluster_nodes_each_with_gb", 8, 8, 8),
    )
    assert (shown["lines"]["jobs"][0]["parts"], tables["jobs"].begins_with) == (
        [["map", "10 × 1 GB, 1 vc · 20 s"], ["reduce", "2 × 1 GB, 1 vc · 30 s"]],
        phrase("editor.mapreduce_job_maps_s_reduces", 10, 20, 2, 30, 1, 1),
    )


def test_marks_of_the_presets_name_places_of_the_page() -> None:
    known_paths = {
        f"{table.path}[].{path}"
        for table in TABLES
        for path in [entry.path for entry in table.entries()] + list(table.model.model_fields)
    }
    known_paths |= {entry.path for entry in form.SETTINGS}
    for preset in presets():
        for mark in preset.ours:
            assert "".join(part for part in mark if not part.isdigit()) in known_paths, (
                f"{preset.key}: {mark}"
            )


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_scenario_file_becomes_its_sparse_form(pack: Any) -> None:
    full = {**SMALL, "seed": 0, "x_about": "mine", "jobs": [{"maps": {**TASKS, "count": 4.0}, "weight": 1.0}]}
    assert opened(pack(json.dumps(full).encode())) == {
        "scenario": {**SMALL, "x_about": "mine"},
        "assumed": [],
    }


def test_a_faulty_scenario_is_opened_as_it_is() -> None:
    faulty = {**SMALL, "seed": "x", "jobs": [{"maps": {"count": 0}}]}
    assert opened(faulty)["scenario"] == faulty


def test_numbers_a_browser_can_t_keep_stay_text_and_are_faults() -> None:
    text = (
        json.dumps(SMALL)
        .replace('"version": 1', '"version": 1, "seed": 9007199254740993, "x_high": 1e999, "x_none": NaN')
        .encode()
    )
    scenario = opened(text)["scenario"]
    assert (scenario["seed"], scenario["x_high"], scenario["x_none"]) == ("9007199254740993", "1e999", "NaN")
    assert "largest whole number" in check.faults(scenario, 100)[0]["message"]


def test_a_file_without_a_version_says_which_is_assumed() -> None:
    assert opened({key: value for key, value in SMALL.items() if key != "version"})["assumed"]


def test_a_list_that_is_far_too_long_is_not_walked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """The old one: 3,000,000 zeros as jobs took 10 s and 1 GB, after it was known that they are too many."""
    monkeypatch.setattr(check, "container_count", lambda scenario: pytest.fail("it was counted"))
    (fault,) = check.check_result({"version": 1, "jobs": [0] * 100_001}, 1_000_000)["faults"]
    assert fault["path"] == "jobs" and "at most 100,000" in fault["message"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", phrase("editor.not_scenario")),
        (b"\x00\x01\x02", phrase("editor.not_scenario")),
        (json.dumps(SMALL).encode()[:90], phrase("editor.cant_be_opened_not_json", "file.json")),
        (gzip.compress(json.dumps(SMALL).encode(), mtime=0)[:100], phrase("editor.broken_or_cut_off")),
        ({**SMALL, "version": 2}, phrase("editor.version_this_page_reads_version", 2, 1)),
        ({**SMALL, "jobs": {}}, phrase("editor.jobs_must_be_list_objects")),
        ({**SMALL, "jobs": [1]}, phrase("editor.jobs_must_be_list_objects")),
        ({**SMALL, "cluster": []}, phrase("editor.must_be_list_objects", "cluster.nodes")),
        ({**SMALL, "cluster": {"nodes": 5}}, phrase("editor.must_be_list_objects", "cluster.nodes")),
        (b'{"version": 1, "cluster": ' + b"[" * 100_000, phrase("common.nested_more_than_deep_2", 100)),
    ],
)
def test_what_can_t_be_opened_gives_a_sentence(content: bytes | dict, words: str) -> None:
    with pytest.raises(FormatError, match=".") as caught:
        opened(content)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_trace_is_opened_with_its_nodes_file() -> None:
    given = [(name, io.BytesIO(sample(name).read_bytes())) for name in ("sls-nodes.json", "sls-jobs.json")]
    draft = files.opened(given)
    assert draft["assumed"] and Scenario.of(draft["scenario"])
    with pytest.raises(FormatError, match=phrase("editor.together_with_trace")):
        files.opened([("sls-nodes.json", io.BytesIO(sample("sls-nodes.json").read_bytes()))])
    with pytest.raises(FormatError, match="same kind"):
        files.opened([("a.json", io.BytesIO(json.dumps(SMALL).encode())) for _ in range(2)])
    with pytest.raises(FormatError, match="at a time"):
        files.opened([])


@pytest.mark.parametrize(
    ("name", "jobs"),
    [
        ("swim.tsv", ["sift", "count", "move"]),
        ("cluster-log.swf", ["job1", "job3", "job4"]),
        ("queue-jmx.jsonl", ["etl-1", "adhoc-1", "adhoc-1-more", "etl-2"]),
        ("queue-range.json", ["etl-1", "adhoc-1", "adhoc-1-more", "etl-2"]),
    ],
)
def test_workloads_are_opened(name: str, jobs: list[str]) -> None:
    draft = files.opened([(name, io.BytesIO(sample(name).read_bytes()))])
    assert [job["name"] for job in draft["scenario"]["jobs"]] == jobs
    assert draft["assumed"] and draft["scenario"]["name"] == name.partition(".")[0]


def test_the_page_opens_what_the_readers_read() -> None:
    Dash("accept", suppress_callback_exceptions=True)
    assert (
        editor.facts()["accept"]
        == ".csv,.gz,.inprogress,.jhist,.json,.jsonl,.lz4,.sls,.snappy,.swf,.tar,.tar.gz,.tgz,.trace,.tsv,"
        ".txt,.xml,.zip,.zstd"
    )
    with pytest.raises(FormatError, match=f"^notes.txt is not {READABLE}.$"):
        opened(b"<xml/>", "notes.txt")


def test_faults_name_their_place_and_the_server_s_limit() -> None:
    assert check.faults(SMALL, 4) == []
    assert check.faults(SMALL, 3) == [
        {"path": "jobs", "message": phrase("editor.containers_in_all_this_page", 4, 3)}
    ]
    broken = {**SMALL, "jobs": [{"maps": {**TASKS, "duration_s": "normal(20"}}]}
    [fault] = check.faults(broken, 4)
    assert (
        fault["path"] == "jobs[0].maps.duration_s"
        and phrase("editor.number_seconds_or_distribution") in fault["message"]
    )
    for senseless in (None, [], "x", 5, {"jobs": 5, "cluster": None}):
        assert check.faults(senseless, 4)


def test_a_fault_is_one_sentence_with_its_place_and_where_it_is_on_the_page() -> None:
    node = {"name": "a2115", "count": 1, "memory_mb": "much", "vcores": 1}
    broken = {
        **SMALL,
        "nmae": 1,
        "seed": -1,
        "cluster": {"nodes": [node]},
        "jobs": [{"maps": TASKS}, {"name": "wc", "reduces": 3}],
    }
    result = {
        fault["sentence"]: (fault["section"], fault["row"], fault["field"], fault["unknown"])
        for fault in check.check_result(broken, 100)["faults"]
    }
    assert result[phrase("editor.node_memory_must_be_whole", "a2115", "'much'")] == (
        "nodes",
        0,
        "memory_mb",
        False,
    )
    assert result[phrase("editor.scenario_nmae_not_field_here")] == ("", None, "", True)
    assert result[phrase("editor.seed_must_be_at_least", -1, 0)] == ("settings", None, "seed", False)
    assert result[phrase("editor.job_wc_maps_count_required")] == ("jobs", 1, "maps.count", False)
    assert result[phrase("editor.job_wc_reduces_count_must", 3)] == ("jobs", 1, "reduces.count", False)


def test_a_draft_is_saved_with_its_faults_under_a_name_every_disk_takes() -> None:
    assert files.saved(SMALL) == {"content": Scenario.of(SMALL).json(), "filename": "scenario.json"}
    faulty = files.saved({**SMALL, "name": "Été / 2 jobs!", "seed": "x"})
    assert faulty["filename"] == "ete-2-jobs.json" and json.loads(faulty["content"])["seed"] == "x"
    assert files.saved(3)["filename"] == "scenario.json"


def test_a_value_that_is_not_the_default_of_a_field_that_may_be_none_has_a_word() -> None:
    entry = next(entry for entry in form.SETTINGS if entry.path == "cluster.containers_per_heartbeat")
    assert (entry.none, entry.empty) == ("no limit", "1")
    assert help_text(entry).endswith(phrase("editor.no_limit_may_be_written", 1))
    assert not [entry.path for table in TABLES for entry in table.entries() if entry.none]


def test_every_policy_can_be_chosen_by_its_full_name_and_a_sentence(app: Dash) -> None:
    line = schedulers.chosen_item("fair+slowstart(at=1)")
    assert [part.children for part in line.children if hasattr(part, "children")][:2] == [
        phrase("editor.fair_sharing_slow_start"),
        "fair+slowstart(at=1)",
    ]
    assert line.children[-1].children.startswith(phrase("editor.every_free_container_goes_job"))
    assert schedulers.chosen_item("nothing") is None
    for role in CATALOGUE.values():
        for name in role:
            title, says = schedulers.titles()[name]
            assert title and says


def test_the_addresses_answer_in_words() -> None:
    app = Dash("editor", suppress_callback_exceptions=True)
    app.layout = editor.layout()
    editor.register(app)
    client = app.server.test_client()
    assert client.post("/editor/check", json=SMALL).json["faults"] == []
    assert client.post("/editor/check", data=b"{").json["faults"]
    sent = client.post("/editor/open", data={"file": (io.BytesIO(json.dumps(SMALL).encode()), "small.json")})
    assert sent.json["draft"]["scenario"] == SMALL
    assert (
        "cut"
        in client.post("/editor/open", data={"file": (io.BytesIO(b'{"version": 1, '), "cut.json")}).json[
            "fault"
        ]
    )


def test_a_draft_that_is_too_large_is_told_so_and_not_outlined() -> None:
    result = check.check_result({**SMALL, "jobs": [{}] * 100_001}, 1000)
    assert [fault["sentence"] for fault in result["faults"]] == [
        phrase("editor.jobs_has_entries_at_most", "100,001", "100,000")
    ]
    assert (result["lines"]["jobs"], result["queues"]) == ([], ["root.default"])


def test_a_draft_of_many_wrong_rows_is_checked_in_a_moment() -> None:
    """It took 120 s: each line and each fault made the whole table anew."""
    begun = time.process_time()
    result = check.check_result({**SMALL, "jobs": [0] * 20_000}, 1000)
    assert (len(result["faults"]), len(result["lines"]["jobs"])) == (101, 200)
    assert time.process_time() - begun < 2


def test_numbers_beyond_all_bounds_are_outlined() -> None:
    """The sum of what has 4,000 digits each has more than Python writes."""
    huge = 10**4000
    row = {"count": huge, "memory_mb": huge, "vcores": huge}
    result = check.check_result(
        {
            "version": 1,
            "cluster": {"nodes": [row]},
            "jobs": [{"count": huge, "iterations": huge, "maps": row}],
            "queues": [{"name": []}],
        },
        10,
    )
    assert len(result["faults"]) > 5 and all(len(fault["sentence"]) < 200 for fault in result["faults"])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"version":' + b"[" * 900 + b"]" * 900 + b"}", phrase("common.nested_more_than_deep_2", 100)),
        (json.dumps({**SMALL, "x_note": "a" * 70_000}).encode(), "its scenario has 70,"),
        (
            b'{"version":1,"jobs":[' + b"0," * 20_000 + b"0]}",
            phrase("common.holds_more_than_values", "13,107"),
        ),
        (
            b'{"num.nodes":1}{"job.queue.name":"q","job.tasks":[{"count":2000000,"duration.ms":1}]}',
            phrase("editor.file_holds_more_than_tasks", "1,000,000"),
        ),
        (
            gzip.compress(b'{"jobID":"' + b" " * 3_000_000),
            phrase("editor.file_holds_more_than_bytes", "2,000,000"),
        ),
    ],
    ids=["depth", "draft", "values", "tasks", "bomb"],
)
def test_a_file_that_is_too_much_is_a_sentence(
    content: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GANTRY_MAX_BYTES", "65536")
    monkeypatch.setenv("GANTRY_MAX_TEXT_BYTES", "2000000")
    with pytest.raises(FormatError, match=said):
        opened(content)
