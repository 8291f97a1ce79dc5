"""Why a job was refused: when, by which limit, and what would change it; the numbers are by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.codes import QUEUE_FULL, SYSTEM_FULL, TAKEN, USER_FULL
from engine.explanation.explain import explain
from engine.explanation.refusal import refusal
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from engine.simulation.simulate import simulate
from tests.examples import examples
from tests.limited_scenarios import limited
from tests.phrases import phrase
from tests.small_scenarios import job, master, node, tasks
from tests.stage_jobs import DEMAND
from tests.strategies import BUSY, named_schedulers, scenarios

CAPACITY, FAIR = "capacity+slowstart+admit-all", "fair(update_ms=0)+slowstart+admit-all"
PROPERTY = "yarn.scheduler.capacity.root.a."


def batch(jobs: list[dict], of_a: dict[str, Any], **cluster: Any) -> Scenario:
    """A node with room for all; root.a has 60 % of it."""
    queues = [{"name": "root.a", "capacity_pct": 60, **of_a}, {"name": "root.b", "capacity_pct": 40}]
    queues.append({"name": "root.default", "capacity_pct": 0})
    fields = {"nodes": [node(1000)], "heartbeat_ms": 1000, "containers_per_heartbeat": None, **cluster}
    return Scenario.of({"version": 1, "cluster": fields, "queues": queues, "jobs": jobs})


def in_a(name: str, arrival_s: float = 0, **fields: Any) -> dict:
    return job(name, tasks(1, 9.5), queue="root.a", arrival_s=arrival_s, **fields)


def told(case: Scenario, scheduler: str, container: str) -> dict[str, Any]:
    found = explain(simulate(case, scheduler), parse(scheduler), container)
    assert not found["placed"] and json.loads(json.dumps(found)) == found
    assert repr(found).splitlines()[:2] == [f"{found['because']}.", f"{found['refused']['compared']}."]
    return found


def names(found: dict[str, Any]) -> list[str]:
    return [one["name"] for one in found["refused"]["properties"]]


def test_a_queue_that_is_full_tells_how_many_were_there_and_when_one_left() -> None:
    case = batch([in_a("x"), in_a("y", 1), in_a("z", 2)], {"max_applications": 2})
    found = told(case, CAPACITY, "z/1/map/0")
    refused = found["refused"]
    assert found["because"] == phrase(
        "explanation.was_refused", "z", "0:02", phrase("simulation.queue_full", "root.a", 2, "z")
    )
    assert (refused["at_s"], refused["limit"], refused["there"], refused["unit"]) == (2, 2, 2, "applications")
    assert refused["compared"] == phrase("explanation.may_have_applications", "root.a", 2, 2, 2, 0, "0:09.5")
    assert names(found) == [f"{PROPERTY}maximum-applications", f"{PROPERTY}capacity"]
    assert refused["properties"][0]["value"] == "2"


def test_a_queue_without_capacity_may_have_none() -> None:
    case = batch([job("x", tasks(1, 1.5))], {}, max_applications=10)
    found = told(case, CAPACITY, "x/1/map/0")
    assert (found["refused"]["limit"], found["refused"]["there"]) == (0, 0)
    assert names(found) == [
        "yarn.scheduler.capacity.maximum-applications",
        "yarn.scheduler.capacity.root.default.capacity",
    ]


def test_a_user_has_a_part_of_the_queues() -> None:
    jobs = [in_a(name, user="ann") for name in "wxyz"]
    found = told(batch(jobs, {"user_limit_factor": 0.5}, max_applications=10), CAPACITY, "z/1/map/0")
    assert (found["refused"]["limit"], found["refused"]["there"]) == (3, 3)
    assert names(found)[1:] == [f"{PROPERTY}minimum-user-limit-percent", f"{PROPERTY}user-limit-factor"]


def test_a_closed_queue_tells_what_its_first_container_asks_for() -> None:
    case = batch([in_a("x", am=master())], {"max_share": {"memory_mb": 0, "vcores": 5}})
    found = told(case, FAIR, "x/1/am/0")
    refused = found["refused"]
    assert (refused["limit"], refused["there"], refused["unit"]) == (0, 1, "MB")
    assert refused["compared"] == phrase("explanation.first_container_asks_for", 1, "root.a", 0)
    assert names(found) == ["root.a/maxResources"]


def test_a_closed_queue_tells_what_a_demand_without_a_master_asks_for() -> None:
    stages = [DEMAND["stages"][0] | {"memory_mb": 3}]
    case = batch(
        [DEMAND | {"queue": "root.a", "stages": stages}], {"max_share": {"memory_mb": 9, "vcores": 0}}
    )
    refused = told(case, FAIR, "held/1/task/0")["refused"]
    assert (refused["limit"], refused["there"], refused["unit"]) == (0, 1, "vcores")


@pytest.mark.parametrize(
    ("of_a", "fields", "scheduler", "properties"),
    [
        ({"state": "stopped"}, {}, CAPACITY, [f"{PROPERTY}state"]),
        ({}, {"rejected": phrase("simulation.no_rule_takes")}, CAPACITY, []),
        ({}, {"rejected": phrase("simulation.no_rule_takes")}, "fifo", []),
    ],
)
def test_where_no_number_decides_there_is_none(of_a, fields, scheduler, properties) -> None:
    found = told(
        batch([in_a("x", **fields), job("y", tasks(1, 1.5), queue="root.b")], of_a), scheduler, "x/1/map/0"
    )
    assert (found["refused"]["limit"], found["refused"]["there"]) == (None, None)
    assert names(found) == properties


@pytest.mark.parametrize(
    ("scheduler", "name"), [(FAIR, "aclSubmitApps"), (CAPACITY, "acl_submit_applications")]
)
def test_who_is_on_no_list_is_told_the_lists_that_are_given(scheduler: str, name: str) -> None:
    case = batch([in_a("x", user="bob")], {"submit_acl": "ann"}, acl_enable=True).plain()
    case["queues"].append({"name": "root", "submit_acl": " ", "administer_acl": " "})
    found = told(Scenario.of(case), scheduler, "x/1/map/0")
    assert [one["value"] for one in found["refused"]["properties"]] == ["ann", " "]
    assert all(name in one for one in names(found))


@examples(30, 300)
@given(scenario=scenarios(BUSY), scheduler=named_schedulers(), data=st.data())
def test_as_many_were_there_as_may_be(scenario: Scenario, scheduler: str, data: st.DataObject) -> None:
    run = simulate(limited(scenario, data.draw), scheduler)
    for place, code in enumerate(run.jobs.refused.tolist()):
        found = refusal(run, place)
        assert (found is None) == (code == TAKEN)
        if code in (SYSTEM_FULL, QUEUE_FULL, USER_FULL):
            assert found and found["limit"] == found["there"] and found["properties"]
