"""How long executors take to launch, from those that had room."""

from __future__ import annotations

import pytest

from engine import Scenario, predict
from engine.prediction.evidence import evidence
from engine.prediction.executor_launch import executor_launch, launch_contention, launches
from engine.prediction.fit import fit
from engine.scenario.measured import fingerprint
from engine.simulation.measured_run import measured_run
from tests.engine.prediction.histories import history, truth
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
    found = launches(evidence(measured_run(starved_log(7400).imported.scenario)))
    assert found.medians(0.0) == {0: 6400 - 400 - LEARNT_MS}
    assert executor_launch(found, 0.0).count == 1
    assert launch_contention(found).value is None  # of three


def test_executors_that_had_no_room_are_not_looked_at() -> None:
    """The driver and the executors have 1,408 MB each: three more need three nodes' halves."""
    scenario = starved_log(40_000).imported.scenario
    found, none = (
        launches(evidence(measured_run(on_nodes_of(scenario, memory_mb)))) for memory_mb in (2816, 2815)
    )
    assert found.medians(0.0) == {0: 6000 - LEARNT_MS}
    assert none.medians(0.0) == {}


def test_without_any_that_had_room_it_is_the_shortest_wait_of_each_application() -> None:
    scenario = starved_log(40_000).imported.scenario
    found = fit(evidence(measured_run(on_nodes_of(scenario, 2815))))["executor_launch_s"]
    assert found.value == scenario.jobs[0].executors.launch_s
    assert phrase("prediction.no_executor_with_room") in found.basis


def test_the_contention_of_launches_is_found_again() -> None:
    """Alone on its node an executor takes 4 s, two take 6 s each, and so on: a contention of 0.5."""
    log = EventLog()
    log.begin(ON_YARN | {"spark.executor.instances": "12"})
    asked = 400 + LEARNT_MS
    for number, beside in enumerate((1, 2, 2, 3, 3, 3, 6, 6, 6, 6, 6, 6)):
        log.executor(str(number), asked + 2000 + 2000 * beside, host=f"n{beside}:8042")
    log.job(0, 20_000, [stage_info(0)])
    log.task(0, 0, 20_000, 50_000)
    log.job_end(0, 50_000)
    log.end(50_000)
    found = fit(evidence(measured_run(log.imported.scenario)))
    assert found.value("launch_contention") == pytest.approx(0.5)
    assert found.value("executor_launch_s") == pytest.approx(4.0, abs=0.01)


def test_the_fit_says_what_it_is_of() -> None:
    found = fit(evidence(measured_run(starved_log(7400).imported.scenario)))
    assert found.value("executor_launch_s") == pytest.approx(5.4)
    assert found.value("driver_s") == pytest.approx(0.4)
    assert [one.key for one in found.parameters] == [
        "driver_s",
        "executor_launch_s",
        "launch_contention",
        "others",
    ]
    assert found["executor_launch_s"].basis.startswith(phrase("prediction.executors_had_room"))


def test_from_a_history_without_spark_nothing_of_the_predicted_one_is_used() -> None:
    """Drivers and executors start as that one's masters and tasks do, and this is told."""
    scenario, elsewhere = starved_log(7400).imported.scenario, history(truth(4, launch_s=3.0), jvm_s=3.0)
    found = predict(scenario, "fair", training=elsewhere)
    values = found.fit.values
    assert values["driver_s"] is values["executor_launch_s"] is None
    assert found.notes == (phrase("prediction.no_spark_in_fit", "6 s", "3 s"),)
    record = evidence(measured_run(scenario))
    (job,) = found.fit.apply_to(record, [0]).jobs
    assert (job.am.startup_s, job.executors.launch_s) == (values["startup_s"], 3.0)
    (known,) = found.fit.apply_to(record).jobs
    assert (known.am.startup_s, known.executors.launch_s) == (0.4, 5.4)


def asked_log(asked: tuple[int | None, ...]) -> EventLog:
    """Executors on one node, asked for by dynamic allocation; each registers 5 s after the one before."""
    log = EventLog()
    log.begin(ON_YARN | {"spark.dynamicAllocation.enabled": "true"})
    log.job(0, 500, [stage_info(0)])
    log.attempt(stage_info(0), 0, 500, 50_000)
    for number, at in enumerate(asked, 1):
        log.executor(str(number), 1000 + 5000 * number, asked=at)
    log.task(0, 0, 6000, 50_000)
    log.job_end(0, 50_000)
    log.end(50_000)
    return log


def test_an_executor_of_which_no_request_is_recorded_counts_as_pending_alone() -> None:
    """The second took 15 s from the first request on, and the request that led to it is not known."""
    scenario = asked_log((1000, None)).imported.scenario
    roomy, narrow = (
        launches(evidence(measured_run(on_nodes_of(scenario, memory_mb)))) for memory_mb in (4224, 4223)
    )
    assert roomy.medians(0.0) == {0: 5000 - LEARNT_MS}
    assert narrow.medians(0.0) == {}


def test_an_executor_may_lose_its_room_to_one_that_is_asked_for_before_its_driver_learns_of_it() -> None:
    """There is room for the driver and one executor."""
    late, soon = (asked_log((1000, at)).imported.scenario for at in (1000 + LEARNT_MS + 1, 1000 + LEARNT_MS))
    assert launches(evidence(measured_run(on_nodes_of(late, 2816)))).medians(0.0) == {0: 5000 - LEARNT_MS}
    assert launches(evidence(measured_run(on_nodes_of(soon, 2816)))).medians(0.0) == {}
