"""Which hosts are nodes, where several files name them."""

from __future__ import annotations

import io
import json

import pytest

from engine.scenario.formats.combined_files import read_files
from engine.scenario.formats.scenario_builder import ImportedScenario
from engine.scenario.history.hosts import of_another_start
from tests.engine.scenario.history.spark.event_logs import ID, EventLog, stage_info
from tests.phrases import phrase


def log_on(*hosts: str, mode: str = "cluster", driver: str = "n1") -> EventLog:
    """An application with an executor on each of these, on which a task ran."""
    log = EventLog()
    log.begin({"spark.master": "yarn", "spark.submit.deployMode": mode})
    log.lines[1] = log.lines[1].replace('"n1"', f'"{driver}"')
    log.job(0, 5000, [stage_info(0)])
    for number, host in enumerate(hosts, 1):
        log.executor(f"{number}", 3000, host=host)
        log.task(0, number, 5000, 6000, **{"Executor ID": f"{number}"})
    log.job_end(0, 6000)
    log.end(6000)
    return log


def read(log: EventLog, *nodes: str) -> ImportedScenario:
    size = {"state": "RUNNING", "totalResource": {"memory": 4096, "vCores": 4}}
    told = [{"id": f"{node}0", "nodeHTTPAddress": node} | size for node in nodes]
    answer = json.dumps({"nodes": {"node": told}}).encode()
    return read_files([("nodes.json", io.BytesIO(answer)), (ID, io.BytesIO(log.data))])


def test_nodes_of_another_start_stand_for_those_on_which_something_ran() -> None:
    imported = read(log_on("n1:8111", "n1:8222"), "n1:8301", "n1:8302", "n1:8303")
    (group,) = imported.scenario.plain()["cluster"]["nodes"]
    assert (group["count"], group["memory_mb"]) == (3, 4096)
    assert group["x_hosts"] == ["n1:8111", "n1:8222", "n1:8303"]
    assert phrase("history.nodes_of_another_start", 2) in imported.assumptions


def test_nodes_of_the_same_start_are_those_they_are() -> None:
    imported = read(log_on("n1:8111", "n1:8222"), "n1:8111", "n1:8222", "n1:8303")
    (group,) = imported.scenario.plain()["cluster"]["nodes"]
    assert group["x_hosts"] == ["n1:8111", "n1:8222", "n1:8303"]
    assert not any("another start" in note for note in imported.assumptions)


@pytest.mark.parametrize(
    ("ran", "told", "stands_for"),
    [
        (["a:1", "b:1"], ["a:1", "b:1", "c:1"], {}),
        (["a:1"], ["a"], {}),
        (["a"], ["a:1"], {}),
        (["c10:1", "c9:1"], ["d1:1", "d2:1"], {"d1:1": "c9:1", "d2:1": "c10:1"}),
        (["a:1", "b:1"], ["c:1"], {}),
        (["a:1", "b:1"], ["a:2", "b:1"], {"a:2": "a:1"}),
        (["a:1", "a:2"], ["a:2", "a:3"], {"a:3": "a:1"}),
        ([], ["a:1"], {}),
        (["a:1"], [], {}),
    ],
)
def test_by_their_names(ran: list[str], told: list[str], stands_for: dict[str, str]) -> None:
    assert of_another_start(ran, told) == stands_for


def test_a_driver_that_runs_where_it_was_submitted_is_on_no_node() -> None:
    def hosts(mode: str) -> list[str]:
        log = log_on("n1:8042", mode=mode, driver="gateway")
        return [
            host for group in log.imported.scenario.plain()["cluster"]["nodes"] for host in group["x_hosts"]
        ]

    assert (hosts("cluster"), hosts("client")) == (["gateway", "n1"], ["n1"])
