"""How long executors take to launch, from those that had room."""

from __future__ import annotations

import pytest

from engine import Scenario
from engine.prediction.evidence import evidence
from engine.prediction.executor_launch import executor_launch, executor_launches
from engine.prediction.fit import fit
from engine.scenario.measured import fingerprint
from tests.engine.scenario.history.spark.event_logs import ON_YARN, EventLog, stage_info
from tests.phrases import phrase

LEARNT_MS = 600  # half a node's heartbeat is 500 ms, and the driver's are 200 and 600 ms after its request


def starved_log(last: int) -> EventLog:
    """Three executors on two nodes of one host each, asked for when the driver was there; the last one
    registers when it does.
    """
    log = EventLog()
    log.begin(ON_YARN | {"spark.executor.instances": "3"})
    log.executor("1", 5400, host="n1:8042")
    log.executor("2", 6400, host="n2:8042")
    log.executor("3", last, host="n2:8042")
    log.job(0, 7000, [stage_info(0)])
    log.task(0, 0, 7000, 50_000)
    log.job_end(0, 50_000)
    log.end(50_000)
    return log


def on_nodes_of(scenario: Scenario, memory_mb: int) -> Scenario:
    plain = scenario.plain()
    plain["cluster"]["nodes"][0]["memory_mb"] = memory_mb
    record = plain.pop("measured")
    return Scenario.of(plain | {"measured": record | {"of": fingerprint(Scenario.of(plain))}})


def test_it_is_the_median_of_an_applications_executors() -> None:
    record = evidence(starved_log(7400).imported.scenario)
    assert executor_launches(record) == {0: 6400 - 400 - LEARNT_MS}
    assert executor_launch(record).count == 1


def test_executors_that_had_no_room_are_not_looked_at() -> None:
    """The driver and the executors have 1,408 MB each: three more need three nodes' halves."""
    scenario = starved_log(40_000).imported.scenario
    assert executor_launches(evidence(on_nodes_of(scenario, 2816))) == {0: 6000 - LEARNT_MS}
    assert executor_launches(evidence(on_nodes_of(scenario, 2815))) == {}


def test_the_fit_says_what_it_is_of() -> None:
    found = fit(starved_log(7400).imported.scenario)
    assert found.value("executor_launch_s") == pytest.approx(5.4)
    assert found.value("driver_s") == pytest.approx(0.4)
    assert [one.key for one in found.parameters] == ["driver_s", "executor_launch_s", "others"]
    assert found["executor_launch_s"].basis.startswith(phrase("prediction.executors_had_room"))
