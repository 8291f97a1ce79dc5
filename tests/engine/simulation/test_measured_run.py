"""A cluster's record as a run: had a cluster done what a run did, the run of its record is that run."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from engine import (
    GantryError,
    Scenario,
    SchedulerError,
    capacity_split,
    explain,
    json_text,
    parse,
    presets,
    simulate,
    summary,
)
from engine.dashboard import placement_digest, signals
from engine.scenario.measured import fingerprint
from tests.engine.scenario.history.spark.event_logs import plain_log
from tests.phrases import phrase
from tests.simulated_records import recorded, written_out
from tests.strategies import scenarios

PRESETS = {
    preset.key: preset.scenario
    for preset in presets()
    if not any(job.stages for job in preset.scenario.jobs)  # a record has maps and reduces
}


def equal(measured, simulated) -> None:
    """Attempt by attempt; those that start at one instant may stand in another order."""
    columns = (
        "job",
        "kind",
        "index",
        "attempt",
        "node",
        "requested",
        "start",
        "shuffle_end",
        "end",
        "outcome",
        "begin",
    )
    rows = [
        sorted(zip(*(getattr(run.containers, name).tolist() for name in columns)))
        for run in (measured, simulated)
    ]
    assert rows[0] == rows[1]
    assert measured.jobs.finish.tolist() == simulated.jobs.finish.tolist()
    assert measured.jobs.start.tolist() == simulated.jobs.start.tolist()
    assert measured.jobs.maps_end.tolist() == simulated.jobs.maps_end.tolist()


@pytest.mark.parametrize("key", PRESETS)
def test_a_record_is_run_as_it_was(key):
    scenario = written_out(PRESETS[key])
    truth = simulate(scenario, "fair", plain=True)
    measured = simulate(recorded(truth), "measured")
    equal(measured, truth)
    assert summary(measured) == summary(truth)
    assert (measured.scheduler, measured.status) == ("measured", "finished")


@settings(max_examples=60, deadline=None)
@given(scenarios())
def test_any_record_is_run_as_it_was(scenario):
    one_time = [{**job, "iterations": 1, "count": 1, "interval_s": 0.0} for job in scenario.plain()["jobs"]]
    try:
        truth = simulate(Scenario.of({**scenario.plain(), "jobs": one_time}), "fifo", plain=True)
    except GantryError:
        return
    if truth.status != "finished":
        return
    measured = simulate(recorded(truth), "measured")
    equal(measured, truth)
    assert placement_digest(measured) == placement_digest(truth)
    split = capacity_split(measured)
    assert (split.memory.parts.sum(axis=1) == measured.workload.node_memory.sum()).all()


def a_record() -> Scenario:
    return recorded(simulate(written_out(PRESETS["wordcount"]), "fifo", plain=True))


def test_a_scenario_without_a_record_has_nothing_measured():
    with pytest.raises(SchedulerError, match=phrase("common.this_scenario_has_none_open")):
        simulate(PRESETS["wordcount"], "measured")


@pytest.mark.parametrize(
    "change",
    [
        lambda plain: plain["cluster"]["nodes"][0].update(count=plain["cluster"]["nodes"][0]["count"] + 1),
        lambda plain: plain["jobs"][0].update(arrival_s=5.0),
        lambda plain: plain["jobs"][0]["maps"].update(memory_mb=512),
        lambda plain: plain["jobs"].pop(),
    ],
)
def test_a_record_of_other_nodes_or_jobs_is_not_shown(change):
    plain = a_record().plain()
    change(plain)
    with pytest.raises(SchedulerError, match=phrase("simulation.these_others_now")):
        simulate(Scenario.of(plain), "measured")


def test_what_says_nothing_of_nodes_and_jobs_may_change():
    plain = a_record().plain()
    plain["cluster"]["launch_s"] = 2.0
    plain["jobs"][0]["slowstart"] = 1.0
    plain["jobs"][0]["maps"]["duration_s"] = 3.0
    plain["queues"] = [{"name": "root.other", "weight": 3.0}]
    assert (
        summary(simulate(Scenario.of(plain), "measured"))["makespan_s"]
        == summary(simulate(a_record(), "measured"))["makespan_s"]
    )


def test_measured_takes_no_rule_and_nothing_decided_it():
    with pytest.raises(SchedulerError, match="has no rules"):
        parse("measured+slowstart")
    run = simulate(a_record(), "measured")
    with pytest.raises(GantryError, match=phrase("simulation.history_which_does_not_say")):
        explain(run, parse("measured"), 3)
    assert signals(run, parse("measured")) == []


def test_the_result_names_it():
    scenario = a_record()
    run = simulate(scenario, "measured")
    result = json.loads("".join(json_text(scenario, [run])))["runs"][0]
    assert (result["scheduler"], result["status"], result["metrics"]["makespan_s"]) == (
        "measured",
        "finished",
        summary(run)["makespan_s"],
    )


@pytest.mark.parametrize("changes", [{"kind": [0, 2, 3]}, {"stage": 9}, {"slot": 2}])
def test_a_record_of_executors_that_the_jobs_do_not_have_is_refused(changes):
    plain = plain_log().imported.scenario.plain()
    assert simulate(Scenario.of(plain), "measured").tasks is not None
    record = plain["measured"]
    for name, value in changes.items():
        if name == "kind":
            record["containers"]["kind"] = value
            record.pop("tasks")
        else:
            record["tasks"][name][0] = value
    with pytest.raises(SchedulerError, match=phrase("simulation.record_other_executors")):
        simulate(Scenario.of(plain), "measured")


def test_slots_are_of_what_is_recorded():
    plain = plain_log().imported.scenario.plain()
    of = plain["measured"]["of"]
    plain["jobs"][0]["executors"]["slots"] = 1
    assert fingerprint(Scenario.of(plain)) != of
