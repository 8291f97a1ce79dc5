"""The parts of the composing column that need no browser: columns from the models, files to drafts, faults."""

from __future__ import annotations

import gzip
import io
import json
from typing import Any

import pytest
from dash import Dash

from engine import Cluster, FormatError, Job, NodeGroup, Queue, Scenario, presets, sample
from webapp.panels import compose, compose_check, compose_files, compose_form
from webapp.panels.compose_fields import groups, nested, said, title
from webapp.panels.compose_tables import TABLES, columns

TASKS = {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": 20.0}
SMALL = {"version": 1, "cluster": {"nodes": [{"count": 1, "memory_mb": 8192, "vcores": 8}]}, "jobs": [{"maps": TASKS}]}
TABLE = {table.key: table for table in TABLES}


def opened(content: bytes | dict, name: str = "file.json") -> dict[str, Any]:
    """The draft of one file."""
    return compose_files.opened([(name, io.BytesIO(content if isinstance(content, bytes) else json.dumps(content).encode()))])


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.key)
def test_a_table_has_each_field_of_its_model_once(table: Any) -> None:
    assert sorted(table.columns) == sorted(table.model.model_fields)
    cells = [column["field"] for definition in columns(table) for column in definition.get("children", [definition])]
    inside = [f"{name}.{key}" for name, field in table.model.model_fields.items() if nested(field) for key in nested(field).model_fields]
    plain = [name for name, field in table.model.model_fields.items() if not nested(field)]
    assert sorted(cells) == sorted(plain + inside)


def test_tables_and_form_hold_the_whole_scenario() -> None:
    assert {table.model for table in TABLES} == {NodeGroup, Queue, Job}
    paths = {entry.path for entry in compose_form.TITLE + compose_form.SETTINGS}
    assert paths == {"name", "seed", *(f"cluster.{name}" for name in Cluster.model_fields if name != "nodes")}
    assert set(Scenario.model_fields) == {"version", "cluster", "queues", "jobs", "name", "seed"}


def test_heads_and_help_come_from_the_models() -> None:
    cells = {entry.path: entry for entry in TABLE["jobs"].entries()}
    assert cells["maps.memory_mb"].heading == "Memory (MB)"
    assert cells["maps.duration_s"].help == nested(Job.model_fields["maps"]).model_fields["duration_s"].description
    assert said(cells["maps.count"]) == "How many tasks. Required."
    assert said(cells["count"]).endswith("Default: 1 job.")
    assert [group.title for group in groups(Job)] == ["Min share", "ApplicationMaster", "Maps", "Reduces"]
    assert [title(name) for name in ("heartbeat_ms", "shuffle_mb_s", "capacity_pct", "am")] == ["Heartbeat", "Shuffle", "Capacity", "ApplicationMaster"]


@pytest.mark.parametrize(
    ("table", "path", "kind", "empty"),
    [
        ("jobs", "maps.duration_s", "duration", ""),
        ("jobs", "interval_s", "duration", "0"),
        ("jobs", "queue", "queue", "root.default"),
        ("jobs", "slowstart", "number", "0.05"),
        ("jobs", "name", "text", "job1, job2, …"),
        ("nodes", "map_slots", "whole", "no limit"),
        ("queues", "policy", "choice", "as the scheduler does"),
        ("queues", "capacity_pct", "number", "an equal share of what is left"),
    ],
)
def test_a_field_s_kind_and_what_stands_in_its_empty_cell(table: str, path: str, kind: str, empty: str) -> None:
    entry = next(entry for entry in TABLE[table].entries() if entry.path == path)
    assert (entry.kind, entry.empty) == (kind, empty)


def test_new_rows_make_a_scenario_without_faults() -> None:
    fresh = {table.key: table.fresh for table in TABLES}
    Scenario.of({"version": 1, "cluster": {"nodes": [fresh["nodes"]]}, "queues": [fresh["queues"]], "jobs": [fresh["jobs"]]})


def test_presets_are_offered_as_drafts_and_end_with_an_empty_one() -> None:
    drafts = compose_files.facts()
    assert [draft["key"] for draft in drafts] == [*(preset.key for preset in presets()), "new"]
    for draft in drafts:
        assert Scenario.of(draft["scenario"])
        json.dumps(draft)


def test_marks_of_the_presets_name_places_of_the_page() -> None:
    known = {f"{table.path}[].{path}" for table in TABLES for path in [entry.path for entry in table.entries()] + list(table.model.model_fields)}
    known |= {entry.path for entry in compose_form.SETTINGS}
    for preset in presets():
        for mark in preset.ours:
            assert "".join(part for part in mark if not part.isdigit()) in known, f"{preset.key}: {mark}"


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_scenario_file_becomes_its_sparse_form(pack: Any) -> None:
    full = {**SMALL, "seed": 0, "x_about": "mine", "jobs": [{"maps": {**TASKS, "count": 4.0}, "weight": 1.0}]}
    assert opened(pack(json.dumps(full).encode())) == {"scenario": {**SMALL, "x_about": "mine"}, "assumed": [], "ours": []}


def test_a_faulty_scenario_is_opened_as_it_is() -> None:
    faulty = {**SMALL, "seed": "x", "jobs": [{"maps": {"count": 0}}]}
    assert opened(faulty)["scenario"] == faulty


def test_numbers_a_browser_can_t_keep_stay_text_and_are_faults() -> None:
    text = json.dumps(SMALL).replace('"version": 1', '"version": 1, "seed": 9007199254740993, "x_high": 1e999, "x_none": NaN').encode()
    scenario = opened(text)["scenario"]
    assert (scenario["seed"], scenario["x_high"], scenario["x_none"]) == ("9007199254740993", "1e999", "NaN")
    assert "largest whole number" in compose_check.faults(scenario, 100)[0]["message"]


def test_a_file_without_a_version_says_which_is_assumed() -> None:
    assert opened({key: value for key, value in SMALL.items() if key != "version"})["assumed"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not a scenario"),
        (b"\x00\x01\x02", "is not a scenario"),
        (json.dumps(SMALL).encode()[:90], "file.json can't be opened: not JSON"),
        (gzip.compress(json.dumps(SMALL).encode(), mtime=0)[:100], "broken or cut off"),
        ({**SMALL, "version": 2}, "it is of version 2, this page reads version 1"),
        ({**SMALL, "jobs": {}}, "jobs must be a list of objects"),
        ({**SMALL, "jobs": [1]}, "jobs must be a list of objects"),
        ({**SMALL, "cluster": []}, "cluster.nodes must be a list of objects"),
        ({**SMALL, "cluster": {"nodes": 5}}, "cluster.nodes must be a list of objects"),
        (b'{"version": 1, "cluster": ' + b"[" * 100_000, "not JSON"),
    ],
)
def test_what_can_t_be_opened_gives_a_sentence(content: bytes | dict, words: str) -> None:
    with pytest.raises(FormatError, match=".") as caught:
        opened(content)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_trace_is_opened_with_its_nodes_file() -> None:
    files = [(name, io.BytesIO(sample(name).read_bytes())) for name in ("sls-nodes.json", "sls-jobs.json")]
    draft = compose_files.opened(files)
    assert draft["assumed"] and Scenario.of(draft["scenario"])
    with pytest.raises(FormatError, match="together with the trace"):
        compose_files.opened([("sls-nodes.json", io.BytesIO(sample("sls-nodes.json").read_bytes()))])
    with pytest.raises(FormatError, match="same kind"):
        compose_files.opened([("a.json", io.BytesIO(json.dumps(SMALL).encode())) for _ in range(2)])
    with pytest.raises(FormatError, match="at a time"):
        compose_files.opened([])


def test_faults_name_their_place_and_the_server_s_limit() -> None:
    assert compose_check.faults(SMALL, 4) == []
    assert compose_check.faults(SMALL, 3) == [{"path": "jobs", "message": "4 containers in all; this page runs at most 3. The command line has no such limit."}]
    broken = {**SMALL, "jobs": [{"maps": {**TASKS, "duration_s": "normal(20"}}]}
    [fault] = compose_check.faults(broken, 4)
    assert fault["path"] == "jobs[0].maps.duration_s" and "a number of seconds or a distribution" in fault["message"]
    for senseless in (None, [], "x", 5, {"jobs": 5, "cluster": None}):
        assert compose_check.faults(senseless, 4)


def test_the_addresses_answer_in_words() -> None:
    app = Dash("compose", suppress_callback_exceptions=True)
    app.layout = compose.layout()
    compose.register(app)
    client = app.server.test_client()
    assert client.post("/compose/check", json=SMALL).json == []
    assert client.post("/compose/check", data=b"{").json
    sent = client.post("/compose/open", data={"file": (io.BytesIO(json.dumps(SMALL).encode()), "small.json")})
    assert sent.json["draft"]["scenario"] == SMALL
    assert "cut" in client.post("/compose/open", data={"file": (io.BytesIO(b'{"version": 1, '), "cut.json")}).json["fault"]
