"""A draft as other tools' files: what the address answers."""

from __future__ import annotations

import pytest
from dash import Dash
from flask.testing import FlaskClient

from engine import presets
from engine.dashboard import WORKLOADS, TooLarge
from tests.phrases import phrase, phrase_pattern
from webapp import settings
from webapp.panels.editor import workload_menu
from webapp.panels.editor.workload_menu import draft_file

DRAFT = presets()[0].scenario.plain()


@pytest.fixture
def client() -> FlaskClient:
    app = Dash("workloads")
    app.layout = workload_menu.menu()
    workload_menu.register(app)
    return app.server.test_client()


@pytest.mark.parametrize("kind", WORKLOADS)
def test_every_file_of_the_menu_is_written(kind: str) -> None:
    file_ = draft_file(kind, DRAFT)
    assert file_["name"] == WORKLOADS[kind].file and file_["content"].endswith("\n") and file_["lost"]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"kind": "word"}, phrase("editor.there_no_such_file_write_sls") + " "),
        ({"kind": ["sls"]}, phrase("editor.there_no_such_file_write") + " "),
        ([], phrase("editor.there_no_such_file_write") + " "),
        (
            {"kind": "swim", "scenario": {}},
            phrase("editor.written_draft_without_errors", "workload.tsv") + " ",
        ),
    ],
)
def test_what_cannot_be_written_is_said_in_a_sentence(client: FlaskClient, sent: object, said: str) -> None:
    answer = client.post("/editor/write-workload", json=sent).get_json()
    assert answer["fault"].startswith(said) and answer["fault"].endswith(".")


def test_the_owner_s_limits_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "max_containers", lambda: 10)
    with pytest.raises(TooLarge, match=phrase_pattern("editor.containers_in_all_this_page_writes", 10)):
        draft_file("sls", DRAFT)
    monkeypatch.undo()
    monkeypatch.setattr(settings, "max_file_bytes", lambda: 1000)
    with pytest.raises(
        TooLarge, match=phrase_pattern("editor.cant_be_written_would_hold", "rumen-trace.json", "1,000")
    ):
        draft_file("rumen", DRAFT)
