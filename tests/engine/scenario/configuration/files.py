"""Configurations written for the tests, a little of everything in them, and the short way to read them."""

from __future__ import annotations

from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import ConfiguredScenario, standalone_scenario
from engine.scenario.model import Scenario

FAIR = b"""<?xml version="1.0"?>
<allocations>
  <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>
  <queue name="etl">
    <minResources>2048 mb, 2 vcores</minResources>
    <maxResources>50%</maxResources>
    <weight>2.5</weight>
    <maxChildResources>1024 mb, 1 vcores</maxChildResources>
    <queue name="daily"><schedulingPolicy>fifo</schedulingPolicy></queue>
    <pool name="hourly"><weight>3.0</weight></pool>
  </queue>
  <queue name="adhoc" type="parent"><queue name="ann"/></queue>
  <queuePlacementPolicy>
    <rule name="specified" create="false"/>
    <rule name="nestedUserQueue"><rule name="default" queue="adhoc"/></rule>
  </queuePlacementPolicy>
</allocations>
"""


def of_properties(given: dict[str, str]) -> bytes:
    """A Configuration file of these properties, a line each from the second on."""
    lines = [
        f"<property><name>{name}</name><value>{value}</value></property>" for name, value in given.items()
    ]
    return "\n".join(['<?xml version="1.0"?><configuration>', *lines, "</configuration>"]).encode()


def of_capacity(given: dict[str, str]) -> bytes:
    """A capacity-scheduler.xml; the names go on after yarn.scheduler.capacity."""
    return of_properties({f"yarn.scheduler.capacity.{name}": value for name, value in given.items()})


CAPACITY = of_capacity({
    "resource-calculator": "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator",
    "root.queues": "etl, adhoc",
    "root.etl.capacity": "75.0",
    "root.etl.maximum-capacity": "90",
    "root.etl.user-limit-factor": "2",
    "root.etl.maximum-application-lifetime": "100",
    "root.adhoc.capacity": "25",
    "root.adhoc.queues": "x,y",
    "root.adhoc.x.capacity": "1w",
    "root.adhoc.y.capacity": "3w",
})  # fmt: skip
SITE = of_properties(
    {
        "yarn.resourcemanager.scheduler.class": "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler",  # noqa: E501
        "yarn.scheduler.fair.update-interval-ms": "100",
        "yarn.nodemanager.resource.memory-mb": "16384",
        "yarn.timeline-service.enabled": "true",
    }
)
MAPRED = of_properties(
    {
        "mapreduce.framework.name": "yarn",
        "mapreduce.map.memory.mb": "3072",
        "mapreduce.reduce.memory.mb": "6144",
        "yarn.app.mapreduce.am.resource.mb": "2048",
        "mapred.reduce.slowstart.completed.maps": "0.8",
    }
)


def alone(*files: bytes) -> ConfiguredScenario:
    """The files, named 1.xml and so on, as a scenario of their own."""
    return standalone_scenario(
        read_configuration([(f"{place}.xml", data) for place, data in enumerate(files, 1)]), "alone"
    )


def of_queues(queues: list[dict], *jobs: dict) -> Scenario:
    """A scenario of one node with these queues; jobs of one small map."""
    maps = {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 1}
    cluster = {"nodes": [{"count": 1, "memory_mb": 8192, "vcores": 8}]}
    return Scenario.of(
        {"version": 1, "cluster": cluster, "queues": queues, "jobs": [{"maps": maps, **job} for job in jobs]}
    )


def notes(made: ConfiguredScenario) -> list[str]:
    """What is told of files, but the stand-ins."""
    return [str(note) for note in made.notes if note.file != "the configuration"]
