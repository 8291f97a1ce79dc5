"""gantry.Client against a real server: gunicorn, its processes and its queue."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from engine import VERSION, presets
from tests.conftest import ROOT
from tests.phrases import phrase
from tests.webapp.live_server import CROWD, Served
from tests.webapp.real_stores import free_port
from webapp.client import ApiError, Client

MAX_BYTES = 2**20


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    server = Served(tmp_path_factory.mktemp("client") / "data", {"GANTRY_MAX_BYTES": str(MAX_BYTES)})
    yield Client(server.url)
    server.stop()


def test_it_needs_no_page() -> None:
    code = "import sys, webapp.client; sys.exit(bool({'dash', 'flask', 'numpy'} & {*sys.modules}))"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_run_then_ask_for_more(client: Client) -> None:
    scenario, told = presets()[0].scenario, []
    assert client.check(scenario, ["fair"])["valid"]
    found = client.run(scenario, ["fair", "drf"], told.append)
    assert found["engine"] == VERSION and [run["scheduler"] for run in found["runs"]] == ["fair", "drf"]
    assert told[-1]["state"] == "finished" and told[-1]["done"] == 2
    name = "{job}/{stage}/{kind}/{index}".format(**found["runs"][0]["containers"][0])
    assert client.explain(found["id"], name)["because"]
    assert client.csv(found["id"], "jobs").startswith("scheduler,name,")
    assert client.link(found["id"], "See the reduces.").startswith(f"{client.url}?r=")


def test_a_body_that_is_too_large_is_answered_while_it_is_sent(client: Client) -> None:
    with pytest.raises(ApiError, match=phrase("client.more_bytes_than_limit")) as refused:
        client.check({"name": "a" * 3 * MAX_BYTES})
    assert refused.value.status == 413
    with pytest.raises(ApiError, match=phrase("client.closed_while_sending")):
        client.check({"name": "a" * 50 * MAX_BYTES})


def test_chunks_that_are_too_large_are_answered_as_well(client: Client) -> None:
    chunks = (b"a" * 2**16 for _ in range(3 * MAX_BYTES // 2**16))
    asked = Request(f"{client.url}api/v1/check", chunks, {"Content-Type": "application/json"}, method="POST")
    with pytest.raises(HTTPError) as refused:
        urlopen(asked)
    assert refused.value.code == 413


def test_a_sweep(client: Client) -> None:
    vary = [{"path": "cluster.nodes[0].count", "first": 4, "last": 8, "step": 4}]
    found = client.sweep(presets()[0].scenario, ["fair"], vary, seeds=2)
    assert [point["values"]["cluster.nodes[0].count"] for point in found["points"]] == [4, 8]


def test_who_stops_waiting_ends_the_run(client: Client) -> None:
    seen: list[dict[str, Any]] = []

    def impatient(status: dict[str, Any]) -> None:
        seen.append(status)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        client.run(CROWD, ["fifo"], impatient)
    (status,) = seen
    assert status["state"] in ("queued", "running")
    while status["state"] in ("queued", "running"):
        status = client._json("GET", f"runs/{status['id']}")
    assert status["state"] == "cancelled"


def test_a_lost_server_does_not_hide_what_ended_the_waiting(client: Client) -> None:
    lost, seen = Client(client.url), []

    def lose(status: dict[str, Any]) -> None:
        seen.append(status["id"])
        lost._api = f"http://127.0.0.1:{free_port()}/"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lost.run(CROWD, ["fair"], lose)
    client._ask("DELETE", f"runs/{seen[0]}")


def test_what_is_refused_is_a_sentence_and_its_faults(client: Client) -> None:
    with pytest.raises(ApiError) as refused:
        client.run({"version": 1}, ["fair"])
    assert refused.value.status == 422 and {"cluster", "jobs"} <= {
        one["path"] for one in refused.value.faults
    }


def test_a_server_that_is_not_there_or_is_another(client: Client) -> None:
    with pytest.raises(ApiError) as away:
        Client(f"http://127.0.0.1:{free_port()}").schedulers()
    assert away.value.status == 0 and "127.0.0.1" in str(away.value)
    with pytest.raises(ApiError) as other:
        Client(f"{client.url}nothing/").schedulers()
    assert other.value.status in (404, 405)


BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def examples() -> dict[str, str]:
    """The document's examples by their languages."""
    return dict(BLOCK.findall((ROOT / "webapp/docs/reference/api.md").read_text("utf-8")))


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_document_s_commands(client: Client, examples: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(examples["json"])
    about = {**os.environ, "GANTRY": client.url.rstrip("/")}
    for command in examples["sh"].splitlines():
        failing = command.replace("curl -s", "curl -s --fail-with-body")
        done = subprocess.run(
            ["bash", "-c", failing], cwd=tmp_path, env=about, capture_output=True, text=True
        )
        assert done.returncode == 0 and done.stdout, f"{command}\n{done.stdout}{done.stderr}"
        if "@run.json" in command:
            asked = json.loads(examples["json"])
            about["ID"] = client.run(asked["scenario"], asked["schedulers"])["id"]


def test_the_document_s_python(client: Client, examples: dict[str, str]) -> None:
    said: list[Any] = []
    names = {"scenario": json.loads(examples["json"])["scenario"], "print": said.append}
    exec(examples["python"].replace("http://127.0.0.1:8050", client.url), names)
    assert said[-1].startswith(f"{client.url}?r=") and len(said) >= 3
