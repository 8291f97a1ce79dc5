"""The field `measured`: what a record must say, and what is said of one that does not."""

from __future__ import annotations

import copy

import pytest

from engine import Scenario, ScenarioError
from engine.scenario.measured import fingerprint
from tests.phrases import phrase

SMALL = {
    "version": 1,
    "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [{"name": "one", "maps": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 4}}],
}
RECORD = {
    "source": "1 job history",
    "of": fingerprint(Scenario.of(SMALL)),
    "began_ms": 1_795_314_319_159,
    "jobs": {"asked_ms": [900], "finish_ms": [6000], "failed": [0]},
    "containers": {
        "job": [0, 0],
        "kind": [2, 2],
        "index": [0, 1],
        "attempt": [1, 1],
        "node": [0, 1],
        "requested_ms": [0, 0],
        "start_ms": [1000, 2000],
        "begin_ms": [1000, 2000],
        "shuffle_end_ms": [-1, -1],
        "end_ms": [5000, 6000],
        "outcome": [0, 0],
    },
}

TASKS = {
    "container": [1],
    "slot": [0],
    "stage": [1],
    "index": [0],
    "attempt": [1],
    "start_ms": [3000],
    "end_ms": [4000],
    "outcome": [0],
}


def with_record(**changes) -> dict:
    record = copy.deepcopy(RECORD)
    for path, value in changes.items():
        *owners, key = path.split("__")
        place = record
        for owner in owners:
            place = place[owner]
        place[key] = value
    return {**SMALL, "measured": record}


def test_a_record_comes_back_as_it_was_written():
    scenario = Scenario.of(with_record())
    assert scenario.plain()["measured"] == RECORD
    assert Scenario.read(scenario.json()) == scenario


def test_a_scenario_without_a_record_keeps_its_digest_and_one_with_it_has_another():
    assert b"measured" not in Scenario.of(SMALL).canonical
    assert Scenario.of(with_record()).digest != Scenario.of(SMALL).digest


def test_the_fingerprint_is_of_nodes_and_jobs_alone():
    base = fingerprint(Scenario.of(SMALL))
    assert (
        fingerprint(
            Scenario.of({**SMALL, "name": "another", "cluster": {**SMALL["cluster"], "launch_s": 3.0}})
        )
        == base
    )
    more = {**SMALL["cluster"]["nodes"][0], "count": 3}
    assert fingerprint(Scenario.of({**SMALL, "cluster": {"nodes": [more]}})) != base


@pytest.mark.parametrize(
    ("changes", "path", "said"),
    [
        ({"of": "zz"}, "measured.of", "16 hexadecimal digits"),
        ({"containers__job": [0]}, "measured.containers", phrase("scenario.columns_one_length")),
        ({"containers__job": [0, 1]}, "measured", "of its 1 jobs"),
        ({"containers__kind": [2, 4]}, "measured.containers", "kind below 4"),
        ({"tasks": TASKS | {"slot": [0, 0]}}, "measured.tasks", phrase("scenario.columns_one_length")),
        ({"tasks": TASKS | {"stage": [0]}}, "measured.tasks", "of at least 1"),
        ({"tasks": TASKS | {"container": [7]}}, "measured", phrase("scenario.tasks_in_executors")),
        ({"tasks": TASKS}, "measured", phrase("scenario.tasks_in_executors")),
        ({"containers__attempt": [0, 1]}, "measured.containers", "of at least 1"),
        ({"containers__end_ms": [900, 6000]}, "measured.containers", phrase("scenario.in_this_order_time")),
        ({"containers__start_ms": [2000, 1000]}, "measured.containers", "ascending order"),
        (
            {"containers__node": [0, "a"]},
            "measured.containers.node[1]",
            phrase("common.must_be_whole_number"),
        ),
        ({"jobs__failed": [2]}, "measured", "0 or 1 as failed"),
        ({"jobs__finish_ms": []}, "measured", "of equal length"),
        ({"containers": None}, "measured.containers", "must be"),
        ({"job": []}, "measured.job", phrase("common.not_field_here")),
    ],
)
def test_what_is_wrong_with_a_record_is_said_at_its_place(changes, path, said):
    with pytest.raises(ScenarioError) as caught:
        Scenario.of(with_record(**changes))
    assert [fault.path for fault in caught.value.faults][0] == path
    assert said in caught.value.faults[0].message
    assert len(caught.value.faults[0].message) < 300
