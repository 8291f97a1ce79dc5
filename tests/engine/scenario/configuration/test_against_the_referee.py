"""The files that Hadoop's schedulers are given in the referee's scripts are read as what Gantry plays on the
same scripts.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import configure_scenario
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from tests.engine.scenario.configuration.files import of_properties
from tests.hadoop.features import CAPACITY, FEATURES, SHARING
from tests.hadoop.scripts import plain_scenario, scheduler_of, script

CLASSES = "org.apache.hadoop.yarn.server.resourcemanager.scheduler."
CALCULATORS = "org.apache.hadoop.yarn.util.resource."
PREFIX, FAIR = "yarn.scheduler.capacity.", "yarn.scheduler.fair."
CAPACITY_ALONE = ("capacity_pct", "max_capacity_pct", "user_limit_factor", "min_user_limit_pct")
SCRIPTS = [
    (feature, scheduler) for feature in FEATURES for scheduler in feature.schedulers if scheduler != "fifo"
]


def children(found: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [queue for queue in found["queues"] if queue["name"].rpartition(".")[0] == name]


def capacity_file(found: dict[str, Any]) -> bytes:
    """As Settings.capacity and Settings.leaf."""
    most, limit = found["per_beat"], found["am_limit"]
    dominant = found["scheduler"] == "capacity-drc"
    given = {
        "resource-calculator": f"{CALCULATORS}{'Dominant' if dominant else 'Default'}ResourceCalculator",
        "maximum-am-resource-percent": str(1000.0 if limit is None else limit),
        "node-locality-delay": "0",
        "per-node-heartbeat.multiple-assignments-enabled": "false" if most == 1 else "true",
        "per-node-heartbeat.maximum-offswitch-assignments": str(most or 2147483647),
        "per-node-heartbeat.maximum-container-assignments": str(most or -1),
        "root.capacity": "100",
    }
    for queue in found["queues"]:
        name, below = queue["name"], children(found, queue["name"])
        if below:
            given[f"{name}.queues"] = ",".join(child["name"].rpartition(".")[2] for child in below)
        if name == "root":
            continue
        given |= {f"{name}.capacity": queue["capacity"], f"{name}.maximum-capacity": queue["max_capacity"]}
        if not below:
            factor, part = queue["user_limit_factor"], queue["min_user_limit_pct"]
            given |= {
                f"{name}.maximum-applications": "100000",
                f"{name}.user-limit-factor": "100000" if factor is None else str(factor),
            }
            given |= {f"{name}.minimum-user-limit-percent": str(part)} if part is not None else {}
            given |= {f"{name}.ordering-policy": "fair"} if queue["policy"] == "fair" else {}
        given |= {f"{name}.{key}": text for key, text in queue.get("settings", {}).items()}
    return of_properties({PREFIX + name: text for name, text in given.items()})


def fair_file(found: dict[str, Any]) -> bytes:
    """As Settings.allocations."""

    def element(tag: str, value: Any) -> str:
        return f"<{tag}>{value}</{tag}>\n"

    def of(queue: dict[str, Any]) -> str:
        below = children(found, queue["name"])
        text = (
            "<queue "
            f'name="{queue["name"].rpartition(".")[2]}"{" type=" + chr(34) + "parent" + chr(34) if below else ""}>\n'  # noqa: E501
        )
        text += element("schedulingPolicy", queue["policy"]) if queue["policy"] is not None else ""
        text += element("weight", queue["weight"])
        for tag, key in (("minResources", "min_share"), ("maxResources", "max_share")):
            text += element(tag, f"{queue[key][0]} mb, {queue[key][1]} vcores") if queue[key] else ""
        return (
            text
            + "".join(element(*one) for one in queue.get("settings", {}).items())
            + "".join(map(of, below))
            + "</queue>\n"
        )

    top = element("defaultQueueSchedulingPolicy", found["scheduler"])
    top += element("queueMaxAMShareDefault", -1.0 if found["am_limit"] is None else found["am_limit"])
    top += "".join(element(*one) for one in found.get("allocations", {}).items())
    return (
        f'<?xml version="1.0"?>\n<allocations>\n{top}{"".join(map(of, children(found, "")))}</allocations>\n'
    ).encode()


def site_file(found: dict[str, Any]) -> bytes:
    """As Settings.of and Settings.fair, but the sizes of containers, which the scripts set so that nothing is
    rounded.
    """
    given = {"yarn.resourcemanager.scheduler.class": f"{CLASSES}capacity.CapacityScheduler"}
    if found["scheduler"] in SHARING:
        most = found["per_beat"]
        given = {
            "yarn.resourcemanager.scheduler.class": f"{CLASSES}fair.FairScheduler",
            f"{FAIR}assignmultiple": "false" if most == 1 else "true",
            f"{FAIR}dynamic.max.assign": "false",
            f"{FAIR}max.assign": str(most or -1),
            f"{FAIR}update-interval-ms": str(found["update_ms"]),
        }
    return of_properties({**given, **found.get("conf", {})})


@pytest.mark.parametrize(
    ("feature", "scheduler"), SCRIPTS, ids=[f"{feature.name}-{scheduler}" for feature, scheduler in SCRIPTS]
)
def test_a_script_s_files_are_what_gantry_plays(feature: Any, scheduler: str) -> None:
    for number in range(3):
        result = script(feature, scheduler, f"golden/{feature.name}/{scheduler}/{number}")
        plain = plain_scenario(result)
        files = [
            ("a.xml", fair_file(result) if scheduler in SHARING else capacity_file(result)),
            ("yarn-site.xml", site_file(result)),
        ]
        bare = {
            **plain,
            "cluster": {"nodes": plain["cluster"]["nodes"]},
            "queues": [{"name": queue["name"]} for queue in plain["queues"]],
        }
        made = configure_scenario(Scenario.of(bare), read_configuration(files))
        wanted = Scenario.of(plain)
        leaves = {queue["name"] for queue in result["queues"] if not children(result, queue["name"])}
        assert of_gantry(made.scenario, scheduler, leaves) == of_gantry(wanted, scheduler, leaves)
        assert [job.queue for job in made.scenario.jobs] == [job.queue for job in wanted.jobs]
        own, theirs = parse(made.scheduler), parse(scheduler_of(result))
        if theirs.order.given.get("dynamic_max_assign") != "yes":  # where it is, max.assign is not asked
            limits = [wanted.cluster.containers_per_heartbeat]
            if not wanted.cluster.locality:  # every assignment is off-switch
                limits.append(theirs.order.given.get("maximum_offswitch_assignments"))
            assert made.scenario.cluster.containers_per_heartbeat == min(
                (limit for limit in limits if limit is not None), default=None
            )
        assert own.admission == theirs.admission
        set_elsewhere = {"reservations", "node_locality_delay"}
        if not made.scenario.cluster.locality:  # every assignment is off-switch: the limit is the beat's
            set_elsewhere.add("maximum_offswitch_assignments")
        assert {key: value for key, value in own.order.given.items() if key not in set_elsewhere} == {
            key: value for key, value in theirs.order.given.items() if key not in set_elsewhere
        }


def of_gantry(scenario: Scenario, scheduler: str, leaves: set[str]) -> dict[str, dict[str, Any]]:
    """The fields of all queues that the files of this scheduler set."""
    result = {}
    for queue in scenario.queues:
        fields = {key: value for key, value in queue.model_dump().items() if key != "x_hadoop"}
        without = ("weight", "min_share", "max_share", "policy") if scheduler in CAPACITY else CAPACITY_ALONE
        without += ("max_applications",)  # so many that nothing is refused
        fields["max_capacity_pct"] = fields["max_capacity_pct"] or 100.0
        if queue.name not in leaves:  # parents have no users' limits in the files, and none is asked
            without += ("user_limit_factor", "min_user_limit_pct")
        result[queue.name] = {key: value for key, value in fields.items() if key not in without}
    return result
