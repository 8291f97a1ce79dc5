"""gantry.Client against a real server: gunicorn, its processes and its queue."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from engine import VERSION, presets
from tests.conftest import ROOT
from tests.webapp.live_server import CROWD, Served
from tests.webapp.real_stores import free_port
from webapp.client import ApiError, Client


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    server = Served(tmp_path_factory.mktemp("client") / "data")
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
