"""The loop with a real ResourceManager whose configuration can be changed: what it answers is read, a change
is applied by its own interface, and it then has what was meant.
"""

from __future__ import annotations

import urllib.error

import pytest

from engine import Scenario
from engine.output.scheduler_conf_update import JSON, STOP, XML, Properties, scheduler_conf_text
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import ConfiguredScenario, standalone_scenario
from tests.hadoop.cluster.daemons import Cluster, resource_manager
from tests.hadoop.referee import MISSING, NotFetched, can_run

ADDRESS = "cluster/scheduler-conf"
TYPES = {XML: "application/xml", JSON: "application/json", STOP: "application/json"}


def properties(running: Cluster) -> Properties:
    return {entry["name"]: entry["value"] for entry in running.value(ADDRESS)["property"]}


def read(running: Cluster) -> ConfiguredScenario:
    return standalone_scenario(read_configuration([("conf.json", running.rest_get(ADDRESS))]), "")


def changed(made: ConfiguredScenario, queues: dict[str, dict]) -> Scenario:
    """With these queues below root, and of those that stay the fields that they have."""
    plain = made.scenario.plain()
    own = {queue["name"]: queue for queue in plain["queues"]}
    plain["queues"] = [own["root"], *(own.get(name, {}) | {"name": name} | queues[name] for name in queues)]
    leaf = next(name for name in queues if not any(other.startswith(f"{name}.") for other in queues))
    plain["jobs"] = [plain["jobs"][0] | {"queue": leaf}]
    return Scenario.of(plain)


def apply(running: Cluster, scenario: Scenario, scheduler: str, kind: str) -> None:
    running.rest_put(ADDRESS, scheduler_conf_text(scenario, scheduler, kind).encode(), TYPES[kind])


def has(running: Cluster, scenario: Scenario) -> bool:
    """Whether the ResourceManager now has the scenario's queues."""
    fields = ("name", "capacity_pct", "max_capacity_pct", "user_limit_factor", "state")
    has, wanted = (
        sorted(str([getattr(queue, field) for field in fields]) for queue in one.queues)
        for one in (read(running).scenario, scenario)
    )
    return has == wanted


@pytest.mark.cluster
@pytest.mark.everything
@pytest.mark.skipif(not can_run(), reason=MISSING)
def test_what_is_given_back_is_taken_and_is_what_was_meant():
    try:
        _loop()
    except NotFetched as error:
        pytest.skip(str(error))


def _loop() -> None:
    with resource_manager() as running:
        for kind in (JSON, XML):
            made = read(running)
            more = 70 if kind == JSON else 60
            queues = {"root.a": {"capacity_pct": more, "user_limit_factor": None if kind == JSON else 3}}
            target = changed(made, queues | {"root.b": {"capacity_pct": 100 - more}})
            apply(running, target, made.scheduler, kind)
            assert has(running, target)
        made = read(running)
        queues = {"root.a": {"capacity_pct": 50}, "root.c": {"capacity_pct": 50}}
        target = changed(made, queues | {"root.c.d": {"capacity_pct": 100}})
        with pytest.raises(urllib.error.HTTPError) as refused:
            apply(running, target, made.scheduler, JSON)
        assert b"STOPPED" in refused.value.read().upper()
        apply(running, target, made.scheduler, STOP)
        apply(running, target, made.scheduler, JSON)
        assert has(running, target)
        assert not [name for name in properties(running) if ".root.b." in name]
        made = read(running)
        queues = {"root.a": {"capacity_pct": 50, "user_limit_factor": None}, "root.c": {}, "root.c.d": {}}
        target = changed(made, queues | {"root.a.x": {"capacity_pct": 100}})
        apply(running, target, made.scheduler, STOP)
        apply(running, target, made.scheduler, XML)
        assert has(running, target)
        made = read(running)
        scheduler = "capacity(resources=memory)+am-limit(limit=0.25)"
        apply(running, made.scenario, scheduler, XML)
        assert properties(running)["yarn.scheduler.capacity.maximum-am-resource-percent"] == "0.25"
