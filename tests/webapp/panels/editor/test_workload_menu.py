"""A draft as other tools' files: what the address answers."""

from __future__ import annotations

import pytest
from dash import Dash
from flask.testing import FlaskClient

from engine import WORKLOADS, TooLarge, presets
from webapp import settings
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


def test_the_owner_s_limits_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "most_containers", lambda: 10)
    with pytest.raises(TooLarge, match="containers in all; this page writes at most 10[.]"):
        file_of("sls", DRAFT)
    monkeypatch.undo()
    monkeypatch.setattr(settings, "most_file_bytes", lambda: 1000)
    with pytest.raises(TooLarge, match="rumen-trace.json can't be written: it would hold more than 1,000 bytes[.]"):
        file_of("rumen", DRAFT)
