"""A scenario under the other scheduler: what it is given, what is told of it, and that it runs."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.conversion.conversion_rule import ConversionRule, Outcome
from engine.conversion.fair_to_capacity import float_text
from engine.conversion.scheduler_conversion import SchedulerConversion, convert_scheduler
from engine.errors import FormatError
from engine.scenario.configuration.configuration_notes import Remarks
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import standalone_scenario
from engine.scenario.configuration.properties import Property, collect_properties
from engine.scenario.configuration.site_table import CAPACITY
from engine.scenario.configuration.xml_tree import parse_xml
from engine.simulation.queues import queue_tree
from engine.simulation.simulate import simulate

FAIR = """<allocations>
<queue name="etl">
 <weight>3</weight> <minResources>1024 mb, 1 vcores</minResources> <maxRunningApps>5</maxRunningApps>
</queue>
<queue name="adhoc">
 <maxResources>20000 mb, 20 vcores</maxResources>
 <queue name="a"><weight>2</weight><schedulingPolicy>fifo</schedulingPolicy></queue>
 <queue name="b"/>
</queue>
<queuePlacementPolicy>
 <rule name="specified"/><rule name="nestedUserQueue"><rule name="default" queue="adhoc"/></rule>
</queuePlacementPolicy>
</allocations>"""
CAPACITY_FILE = {
    "root.queues": "etl,adhoc",
    "root.etl.capacity": "75",
    "root.etl.maximum-capacity": "80",
    "root.etl.ordering-policy": "fair",
    "root.etl.priority": "2",
    "root.adhoc.capacity": "25",
    "root.adhoc.user-limit-factor": "2",
    "root.adhoc.disable_preemption": "true",
    "resource-calculator": "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator",
}


WEIGHTS = {"a": "0.5", "b": "2"}


def properties(values: dict[str, str], begin: str = CAPACITY) -> bytes:
    inner = "".join(
        f"<property><name>{begin}{name}</name><value>{text}</value></property>"
        for name, text in values.items()
    )
    return f"<configuration>{inner}</configuration>".encode()


def converted(files: dict[str, bytes], percentages: bool = False) -> SchedulerConversion:
    alone = standalone_scenario(read_configuration(list(files.items())), "case")
    return convert_scheduler(alone.scenario, alone.scheduler, percentages)


def from_fair(text: str = FAIR, percentages: bool = False, **site: str) -> SchedulerConversion:
    given_site = {
        "resourcemanager.scheduler.class": "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair."
        "FairScheduler",
        **{f"scheduler.fair.{name}": value for name, value in site.items()},
    }
    files = {"yarn-site.xml": properties(given_site, "yarn."), "fair-scheduler.xml": text.encode()}
    return converted(files, percentages)


def properties_of(conversion: SchedulerConversion, name: str) -> dict[str, str]:
    found: dict[str, Property] = {}
    collect_properties(name, parse_xml(name, conversion.files[name].encode()), found, Remarks())
    return {key: prop.text for key, prop in found.items()}


def rule(conversion: SchedulerConversion, begin: str, queue: str = "") -> ConversionRule:
    return next(one for one in conversion.rules if one.given.startswith(begin) and one.queue == queue)


def test_weights_and_percentages() -> None:
    """Of root 3 and 1, of adhoc 2 and 1: 75 %, 25 %, 16.67 % and 8.33 % of the cluster."""
    for percentages, texts in ((False, ("3.0w", "1.0w", "2.0w")), (True, ("75.000", "25.000", "66.667"))):
        conversion = from_fair(percentages=percentages)
        tree = queue_tree(conversion.scenario)
        parts = dict(zip(tree.names, tree.capacity.tolist(), strict=True))
        assert parts["root.etl"] == 0.75 and parts["root.adhoc"] == 0.25
        assert parts["root.adhoc.a"] == pytest.approx(0.25 * 2 / 3, abs=1e-5)
        for queue, text in zip(("etl", "adhoc", "adhoc.a"), texts, strict=True):
            assert f"<value>{text}</value>" in conversion.files["capacity-scheduler.xml"]
            assert rule(conversion, "weight", f"root.{queue}").written.startswith(f"capacity = {text}")


def test_each_setting_is_told() -> None:
    conversion = from_fair()
    assert rule(conversion, "maxRunningApps 5", "root.etl").written == "max-parallel-apps = 5"
    assert rule(conversion, "minResources 1024 mb, 1 vcores", "root.etl").outcome == Outcome.LOST
    assert rule(conversion, "maxResources", "root.adhoc").outcome == Outcome.LOST
    assert rule(conversion, "schedulingPolicy fifo", "root.adhoc.a").outcome == Outcome.CONVERTED
    assert rule(conversion, "schedulingPolicy fair", "root.etl").outcome == Outcome.CHANGED
    outcomes = [one.outcome for one in conversion.rules]
    assert outcomes == sorted(outcomes, key=list(Outcome).index)


def test_the_placement_rules_become_mappings() -> None:
    kept = properties_of(from_fair(), "capacity-scheduler.xml")[f"{CAPACITY}mapping-rule-json"]
    policies = [(one["policy"], one.get("parentQueue"), one["create"]) for one in json.loads(kept)["rules"]]
    assert policies == [("specified", None, True), ("user", "root.adhoc", True)]


def test_a_part_of_the_nodes_becomes_a_number_of_them() -> None:
    """Of ten nodes half are five."""
    conversion = from_fair(**{"locality.threshold.node": "0.5", "preemption": "true"})
    site = properties_of(conversion, "yarn-site.xml")
    assert site[f"{CAPACITY}node-locality-delay"] == "5"
    assert conversion.scheduler.order.given["node_locality_delay"] == 5
    assert conversion.scheduler.preempts
    assert not any("yarn.scheduler.fair" in name for name in site)


def test_percentages_of_weights_that_are_no_whole_numbers() -> None:
    """fs2cs divides 0.5 and 2 by 2, not 2.5: 25 % and 100 %, of which the larger is cut to 75 %."""
    queues = (f'<queue name="{name}"><weight>{weight}</weight></queue>' for name, weight in WEIGHTS.items())
    conversion = from_fair(f"<allocations>{''.join(queues)}</allocations>", percentages=True)
    assert rule(conversion, "weight 0.5", "root.a").written == "capacity = 25.000"
    assert rule(conversion, "weight 2", "root.b").written == "capacity = 75.000"
    assert rule(conversion, "weight 2", "root.b").outcome == Outcome.CHANGED


def test_to_fair() -> None:
    """etl has 75 % and at most 80 % of ten nodes of 8192 MB and 8 vcores: 65536 MB and 64 vcores."""
    conversion = converted({"capacity-scheduler.xml": properties(CAPACITY_FILE)})
    queues = {queue.name: queue for queue in conversion.scenario.queues}
    assert conversion.scheduler.order.policy.name == "drf"
    assert queues["root.etl"].weight == 3 * queues["root.adhoc"].weight
    assert queues["root.etl"].max_share.model_dump() == {"memory_mb": 65536, "vcores": 64}
    assert queues["root.etl"].policy == "drf" and queues["root.adhoc"].policy == "fifo"
    assert not queues["root.adhoc"].allow_preemption_from
    assert rule(conversion, "node-locality-delay 40").written == "locality.threshold.node 1"
    assert rule(conversion, "user-limit-factor 2", "root.adhoc").outcome == Outcome.LOST
    assert rule(conversion, "priority 2", "root.etl").outcome == Outcome.LOST
    assert set(conversion.files) == {"fair-scheduler.xml", "yarn-site.xml"}


def test_there_and_back_keeps_the_shares() -> None:
    there = from_fair()
    back = convert_scheduler(there.scenario, there.scheduler)
    weights = {queue.name: queue.weight for queue in back.scenario.queues}
    assert weights["root.etl"] == 3 * weights["root.adhoc"]
    assert weights["root.adhoc.a"] == pytest.approx(2 * weights["root.adhoc.b"], rel=1e-5)


def test_weights_have_no_more_digits_than_capacities() -> None:
    third = '<queue name="a"><weight>1</weight></queue><queue name="b"><weight>2</weight></queue>'
    there = from_fair(
        f'<allocations><queue name="c"><weight>3</weight>{third}</queue><queue name="d"/></allocations>'
    )
    text = convert_scheduler(there.scenario, there.scheduler).files["fair-scheduler.xml"]
    assert sorted(re.findall("<weight>(.*)</weight>", text)) == ["25", "25", "50", "75"]


def test_both_run() -> None:
    for conversion in (from_fair(), converted({"capacity-scheduler.xml": properties(CAPACITY_FILE)})):
        assert simulate(conversion.scenario, conversion.scheduler).status == "finished"


def test_what_cant_be_converted() -> None:
    alone = standalone_scenario(read_configuration([("fair-scheduler.xml", FAIR.encode())]), "case")
    with pytest.raises(FormatError, match="haste"):
        convert_scheduler(alone.scenario, "haste")
    heavy = FAIR.replace("<weight>3<", "<weight>20000<")
    with pytest.raises(FormatError, match="20000"):
        from_fair(heavy)
    nested = FAIR.replace('<rule name="default" queue="adhoc"/>', '<rule name="specified"/>')
    with pytest.raises(FormatError, match="nestedUserQueue in specified"):
        from_fair(nested.replace("</queuePlacementPolicy>", '<rule name="default"/></queuePlacementPolicy>'))


@given(st.lists(st.integers(1, 9999), min_size=2, max_size=8), st.booleans())
def test_any_weights_keep_their_ratio(weights: list[int], percentages: bool) -> None:
    """And CapacityScheduler's reader takes what is written."""
    queues = "".join(
        f'<queue name="q{place}"><weight>{weight}</weight></queue>' for place, weight in enumerate(weights)
    )
    conversion = from_fair(f"<allocations>{queues}</allocations>", percentages)
    tree = queue_tree(conversion.scenario)
    parts = dict(zip(tree.names, tree.capacity.tolist(), strict=True))
    for place, weight in enumerate(weights):
        assert parts[f"root.q{place}"] == pytest.approx(weight / sum(weights), abs=1e-3)


def test_floats_are_written_as_java_writes_them() -> None:
    """Float.toString."""
    texts = {1.0: "1.0", 0.1: "0.1", 2e6: "2000000.0", 1e7: "1.0E7", 1.5e-4: "1.5E-4", 0.0: "0.0"}
    assert {value: float_text(value) for value in texts} == texts
