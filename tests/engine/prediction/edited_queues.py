"""A recorded batch whose queues come from a ResourceManager's answer to scheduler-conf, and are edited."""

from __future__ import annotations

from engine import Scenario
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import configure_scenario
from tests.engine.prediction.histories import history, truth

CONF = b"""{"property": [
 {"name": "yarn.scheduler.capacity.root.queues", "value": "a,b"},
 {"name": "yarn.scheduler.capacity.root.a.capacity", "value": "80"},
 {"name": "yarn.scheduler.capacity.root.b.capacity", "value": "20"},
 {"name": "yarn.scheduler.capacity.root.b.user-limit-factor", "value": "10"},
 {"name": "yarn.scheduler.capacity.root.b.maximum-capacity", "value": "25"}
]}"""
SCHEDULER = "capacity(resources=memory)"  # as CONF says


def opened() -> Scenario:
    """A recorded batch in two queues, as an answer to scheduler-conf has them."""
    plain = history(truth(6)).plain() | {"queues": [{"name": "root.a"}, {"name": "root.b"}]}
    plain["jobs"] = [{**job, "queue": f"root.{'ab'[place % 2]}"} for place, job in enumerate(plain["jobs"])]
    configuration = read_configuration([("scheduler-conf.json", CONF)])
    return configure_scenario(Scenario.of(plain), configuration).scenario


def edited(scenario: Scenario, maximum: float) -> Scenario:
    plain = scenario.plain()
    (queue,) = [queue for queue in plain["queues"] if queue["name"] == "root.b"]
    queue["max_capacity_pct"] = maximum
    return Scenario.of(plain)
