"""Hadoop's configuration on the page: put on a draft, told with its lines, and written of it."""

from __future__ import annotations

import gzip
import io
import json

import pytest
from dash import Dash
from flask.testing import FlaskClient

from engine import FormatError, presets, sample
from engine.dashboard import Configuration, read_configuration
from tests.phrases import phrase, phrase_pattern
from webapp.panels.editor import editor
from webapp.panels.editor.configuration import apply_configuration, draft_file
from webapp.panels.editor.files import opened

QUEUES = b"""<allocations>
  <queue name="a"><weight>3</weight><maxChildResources>1 mb, 1 vcores</maxChildResources></queue>
  <queuePlacementPolicy><rule name="default" queue="root.a"/></queuePlacementPolicy>
</allocations>
"""
SITE = b"""<configuration><property><name>yarn.resourcemanager.scheduler.class</name>
<value>org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler</value></property></configuration>"""
DRAFT = presets()[0].scenario.plain()


@pytest.fixture
def client() -> FlaskClient:
    app = Dash("editor", suppress_callback_exceptions=True)
    app.layout = editor.layout()
    editor.register(app)
    return app.server.test_client()


def given(text: bytes = QUEUES, name: str = "fair-scheduler.xml") -> Configuration:
    return read_configuration([(name, text)])


def test_queues_and_jobs_places_come_into_the_draft() -> None:
    result = apply_configuration(given(), DRAFT)
    assert [queue["name"] for queue in result["scenario"]["queues"]] == ["root.a"]
    assert {job["queue"] for job in result["scenario"]["jobs"]} == {"root.a"}
    assert result["scheduler"] == "fair" and result["assumed"][0] == phrase("editor.scheduler_fair")
    assert [
        note["kind"]
        for note in result["assumed"][1:]
        if note["text"].startswith("fair-scheduler.xml, line 2: maxChildResources")
    ] == ["not modelled"]


def test_a_draft_with_errors_is_kept() -> None:
    with pytest.raises(FormatError, match=phrase("editor.draft_without_errors_and_this", 2)):
        apply_configuration(given(), {"version": 1, "cluster": {"nodes": []}, "jobs": []})


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_files_are_known_by_what_is_in_them(pack) -> None:
    result = opened([("one.txt", io.BytesIO(pack(QUEUES))), ("two", io.BytesIO(pack(SITE)))], DRAFT)
    assert result["scheduler"] == "fair" and result["scenario"]["queues"][0]["weight"] == 3


def test_a_scenario_and_its_configuration_are_opened_together() -> None:
    result = opened(
        [
            ("a.xml", io.BytesIO(QUEUES)),
            ("jobs.json", io.BytesIO(json.dumps(DRAFT | {"name": "Mine"}).encode())),
        ]
    )
    assert result["scenario"]["name"] == "Mine" and result["scenario"]["queues"][0]["name"] == "root.a"


@pytest.mark.parametrize("text", [QUEUES[:-15], b"<allocations><queue/></allocations>"])
def test_what_cannot_be_read_is_said_in_a_sentence(text: bytes) -> None:
    with pytest.raises(
        FormatError,
        match="^"
        + phrase_pattern("editor.this_configuration_cant_be_opened", "fair-scheduler.xml", "[0-9]+.*")
        + "$",
    ):
        opened([("fair-scheduler.xml", io.BytesIO(text))], DRAFT)


@pytest.mark.parametrize(
    ("kind", "holds"),
    [
        ("fair-xml", '<queue name="a">'),
        ("capacity-xml", "yarn.scheduler.capacity.root.queues"),
        ("yarn-site", "FairScheduler"),
    ],
)
def test_a_draft_is_written_by_the_first_scheduler_that_a_file_is_for(kind: str, holds: str) -> None:
    scenario = apply_configuration(given(), DRAFT)["scenario"]
    assert holds in draft_file(kind, scenario, ["haste", "nonsense(", "fair", "capacity"])["content"]


def test_what_was_changed_of_a_cluster_s_queues_is_given_back() -> None:
    own = {"root.queues": "a,b", "root.a.capacity": "60", "root.b.capacity": "40"}
    entries = [{"name": f"yarn.scheduler.capacity.{name}", "value": value} for name, value in own.items()]
    answer = json.dumps({"property": entries}).encode()
    result = opened([("scheduler-conf.json", io.BytesIO(answer))], DRAFT)
    assert result["scheduler"].startswith("capacity")
    draft = result["scenario"]
    with pytest.raises(FormatError, match=phrase("scheduler_conf.nothing_changed")):
        draft_file("scheduler-conf-json", draft, ["fifo"])
    for queue in draft["queues"]:
        queue |= {"root.a": {"capacity_pct": 75}, "root.b": {"capacity_pct": 25}}.get(queue["name"], {})
    file = draft_file("scheduler-conf-json", draft, ["fifo"])
    assert file["name"] == "scheduler-conf.json"
    assert [queue["params"]["entry"] for queue in json.loads(file["content"])["update-queue"]] == [
        [{"key": "capacity", "value": "75"}],
        [{"key": "capacity", "value": "25"}],
    ]


def test_what_was_written_is_read_again() -> None:
    scenario = apply_configuration(given(), DRAFT)["scenario"]
    text = draft_file("fair-xml", scenario, ["fair"])["content"]
    assert (
        draft_file(
            "fair-xml",
            apply_configuration(given(text.encode()), DRAFT)["scenario"],
            ["fair"],
        )["content"]
        == text
    )


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"kind": "pom.xml"}, phrase("editor.there_no_such_file_write") + " "),
        (
            {"kind": "fair-xml", "scenario": {}},
            phrase("editor.written_draft_without_errors", "fair-scheduler.xml") + " ",
        ),
        (
            {"kind": "fair-xml", "scenario": DRAFT, "schedulers": ["fair(shares=kind)"]},
            "fair-scheduler.xml can't be written: ",
        ),
        ([], phrase("editor.there_no_such_file_write") + " "),
    ],
)
def test_what_cannot_be_written_is_said_in_a_sentence(client: FlaskClient, sent, said: str) -> None:
    answer = client.post("/editor/write", json=sent).get_json()
    assert answer["fault"].startswith(said) and answer["fault"].endswith(".")


def test_a_draft_that_is_no_json_is_no_error_of_the_server(client: FlaskClient) -> None:
    data = {
        "file": (io.BytesIO(QUEUES), "fair-scheduler.xml"),
        "draft": (io.BytesIO(b"{nonsense"), "draft.json"),
    }
    answer = client.post("/editor/open", data=data)
    assert answer.status_code == 200 and phrase("editor.draft_without_errors") in answer.get_json()["fault"]


def test_mapred_site_gives_a_trace_its_sizes_and_a_draft_nothing() -> None:
    mapred = b"<configuration><property><name>mapreduce.map.memory.mb</name><value>3072</value></property></configuration>"  # noqa: E501
    swim = sample("swim.tsv").read_bytes()
    result = opened([("jobs.tsv", io.BytesIO(swim)), ("mapred-site.xml", io.BytesIO(mapred))], DRAFT)
    assert {job["maps"]["memory_mb"] for job in result["scenario"]["jobs"]} == {3072}
    result = opened([("mapred-site.xml", io.BytesIO(mapred))], DRAFT)
    assert (result["scenario"], result["scheduler"]) == (DRAFT, "")
    *_, unused = result["assumed"]  # which changes nothing
    assert unused["kind"] == "default"
    assert phrase("configuration.all_them_say_it_themselves") in unused["text"]
