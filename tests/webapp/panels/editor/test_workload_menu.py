"""A draft as other tools' files: what the address answers."""

from __future__ import annotations

import pytest
from dash import Dash
from flask.testing import FlaskClient

from engine import WORKLOADS, presets
from webapp.panels.editor import workload_menu
from webapp.panels.editor.workload_menu import file_of

DRAFT = presets()[0].scenario.plain()


@pytest.fixture
def client() -> FlaskClient:
    made = Dash("workloads")
    made.layout = workload_menu.menu()
    workload_menu.register(made)
    return made.server.test_client()


@pytest.mark.parametrize("kind", WORKLOADS)
def test_every_file_of_the_menu_is_written(kind: str) -> None:
    found = file_of(kind, DRAFT)
    assert found["name"] == WORKLOADS[kind].file and found["content"].endswith("\n") and found["lost"]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"kind": "word"}, "There is no such file to write: sls, "),
        ({"kind": ["sls"]}, "There is no such file to write: "),
        ([], "There is no such file to write: "),
        ({"kind": "swim", "scenario": {}}, "workload.tsv is written of a draft without errors: "),
    ],
)
def test_what_cannot_be_written_is_said_in_a_sentence(client: FlaskClient, sent: object, said: str) -> None:
    answer = client.post("/editor/write-workload", json=sent).get_json()
    assert answer["fault"].startswith(said) and answer["fault"].endswith(".")


def test_the_owner_s_limits_hold(monkeypatch: pytest.MonkeyPatch, client: FlaskClient) -> None:
    monkeypatch.setenv("GANTRY_MAX_CONTAINERS", "10")
    fault = client.post("/editor/write-workload", json={"kind": "sls", "scenario": DRAFT}).get_json()["fault"]
    assert "containers in all; this page writes at most 10." in fault
    monkeypatch.delenv("GANTRY_MAX_CONTAINERS")
    monkeypatch.setenv("GANTRY_MAX_FILE_BYTES", "1000")
    fault = client.post("/editor/write-workload", json={"kind": "rumen", "scenario": DRAFT}).get_json()["fault"]
    assert "rumen-trace.json can't be written: it would hold more than 1,000 bytes." in fault
