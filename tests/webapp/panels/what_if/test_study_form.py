"""Studies as the page's script asks for them, whatever it sends, and their files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.phrases import phrase
from tests.webapp.followed_work import ended
from webapp.jobs import studies
from webapp.jobs.job_manager import JobControl, Progress
from webapp.jobs.studies import StudyRequest
from webapp.panels import long_work
from webapp.panels.long_work import Begun
from webapp.panels.what_if import study_downloads, study_form, study_text
from webapp.panels.what_if.study_downloads import WRITERS, Writer
from webapp.runs import saved_tasks
from webapp.runs.cache import SharedCache
from webapp.runs.task import build_task
from webapp.url.url_state import RunRequest

X = {"path": "cluster.nodes.total", "first": 1, "last": 3, "step": 1, "present": 1}


@pytest.fixture
def sent(cache: SharedCache, small: dict) -> dict[str, Any]:
    task = build_task(RunRequest(small, ("fifo", "fair")))
    saved_tasks.save_task(task).result()
    return {"key": task.key, "x": X, "seeds": 10, "jitter": 0, "values": 20}


@pytest.fixture
def client():
    from webapp.app import server

    return server.test_client()


def test_the_price_suggests_jitter_where_nothing_is_drawn(sent: dict) -> None:
    words, is_wrong = study_form.price_or_reason(sent)
    assert (
        words == phrase("what_if.schedulers_values_seeds_runs", 2, 3, 10, 60, study_text.DRAWS_NOTHING)
        and not is_wrong
    )
    assert study_form.price_or_reason(sent | {"jitter": 0.2})[0] == phrase(
        "what_if.schedulers_values_seeds_runs_2", 2, 3, 10, 60
    )
    assert study_form.price_or_reason(sent | {"seeds": 1})[0] == phrase(
        "what_if.schedulers_values_seed_runs", 2, 3, 1, 6
    )


@pytest.mark.parametrize(
    "wish", [None, 5, [], {}, {"key": "x"}, {"x": X, "seeds": 1, "jitter": 0, "values": 5, "key": "0" * 16}]
)
def test_what_can_not_be_run_is_said(cache: SharedCache, wish: Any) -> None:
    words, is_wrong = study_form.price_or_reason(wish)
    assert is_wrong and words.endswith((".", "above 0", "10,000"))
    answer = long_work.start(study_form.WORK, wish if isinstance(wish, dict) else {})
    assert answer["state"] == "failed" and answer["says"]


def test_it_is_begun_followed_and_ends(sent: dict) -> None:
    answer = ended(study_form.WORK, sent)
    found = {"asked": StudyRequest.of(sent).plain(), "done": 60}
    assert answer == {"says": "", "state": "finished", "found": found}
    assert long_work.start(study_form.WORK, sent) == answer


def test_until_it_is_cancelled_there_is_something_of_it_to_show(sent: dict) -> None:
    begun = Begun("0" * 16, Progress(7, 60, ""), sent)
    assert long_work.status(study_form.WORK, begun, {})["found"] == {"asked": sent, "done": 7}
    cancelled = begun._replace(progress=Progress(7, 60, "", "cancelled"))
    assert long_work.status(study_form.WORK, cancelled, {}) == {
        "says": study_form.WORK.cancelled,
        "state": "cancelled",
        "found": {"asked": sent, "done": 7},
    }
    kept_nowhere = begun._replace(progress=Progress(60, 60, "", "finished"))
    assert long_work.status(study_form.WORK, kept_nowhere, {})["says"] == studies.NOT_STORED


def test_hostile_bodies_get_sentences(client, cache: SharedCache) -> None:
    for act, body in (
        ("start", "[1]"),
        ("follow", "{}"),
        ("cancel", "{}"),
        ("start", '{"x": 1e999}'),
        ("other", "{}"),
        ("start", "nothing"),
    ):
        answer = client.post(f"/jobs/study/{act}", data=body, content_type="application/json")
        assert answer.status_code in (200, 400) and b"Traceback" not in answer.data


def test_files_of_a_study(sent: dict, client, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = StudyRequest.of(sent)
    studies._do_study(ask.plain(), JobControl(60, is_local=True))
    name = studies.study_id(studies.build_study(ask, saved_tasks.load_task(ask.key)))
    table = client.get(f"/study/files/{name}/runs.csv")
    lines = table.get_data(as_text=True).splitlines()
    assert len(lines) == 1 + 2 * 3 * 10 and lines[0].startswith(
        "cluster.nodes.total,scheduler,seed,status,makespan_s"
    )
    assert table.headers["Content-Disposition"] == 'attachment; filename="small-runs.csv"'
    assert json.loads(client.get(f"/study/files/{name}/study.json").data)["seeds"] == 10
    for file, begins in (("runs.parquet", b"PAR1"), ("figure.svg", b"<?xml"), ("figure.pdf", b"%PDF")):
        answer = client.get(f"/study/files/{name}/{file}?metric=mean_turnaround_s")
        assert answer.status_code == 200 and answer.data.startswith(begins)
    for address in (f"{name}/other.csv", f"{'0' * 32}/runs.csv", "x/runs.csv"):
        assert client.get(f"/study/files/{address}").status_code == 404

    def missing(*_: Any) -> bytes:
        raise studies.TooLarge("Parquet needs pyarrow: pip install 'gantry-yarn[parquet]'")

    monkeypatch.setitem(WRITERS, "runs.parquet", Writer("Parquet", "", "application/octet-stream", missing))
    answer = client.get(f"/study/files/{name}/runs.parquet")
    assert answer.status_code == 501 and "pip install" in answer.get_data(as_text=True)
    assert study_downloads.ID.fullmatch(name)


def test_what_an_owner_has_not_installed_is_said_in_the_file_s_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.output.study_files.find_spec", lambda name: None)
    links = {one.children: one for one in study_downloads.layout().children}
    assert links["Parquet"].title == "Parquet needs pyarrow: pip install 'gantry-yarn[parquet]'"
    assert (
        not hasattr(links["Parquet"], "href")
        and "data-study-file" not in links["Parquet"].to_plotly_json()["props"]
    )
    assert links["CSV"].to_plotly_json()["props"]["data-study-file"] == "runs.csv"
