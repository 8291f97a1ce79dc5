"""capacity-scheduler.xml and yarn-site.xml, property by property."""

from __future__ import annotations

import re

import pytest

from engine import Scenario
from engine.codes import MAX_USER_LIMIT_FACTOR
from engine.dashboard import configuration_text, configure_scenario, read_configuration
from engine.errors import FormatError
from engine.scenario.allocation import Allocation, ContainerSize
from engine.scenario.formats.configuration_files import xml_keys
from engine.simulation.queues import queue_tree
from tests.engine.scenario.configuration.files import (
    CAPACITY,
    SITE,
    alone,
    notes,
    of_capacity,
    of_properties,
    of_queues,
)
from tests.phrases import phrase

PACKAGE = "org.apache.hadoop.yarn.server.resourcemanager.scheduler"
POLICIES = f"{PACKAGE}.policy."
MONITOR = "yarn.resourcemanager.monitor.capacity.preemption."
DOMINANT = "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"
ONE = {"root.queues": "a", "root.a.capacity": "100"}


def below(capacity: str) -> dict[str, str]:
    """One queue below root.a."""
    return {"root.a.queues": "x", "root.a.x.capacity": capacity}


def shares(given: dict[str, str]) -> dict[str, tuple]:
    result = alone(of_capacity({"root.queues": "a,b", **given})).scenario.queues
    return {
        queue.name: (queue.capacity_pct, queue.max_capacity_pct) for queue in result if queue.name != "root"
    }


def test_a_capacity_file_with_a_little_of_everything() -> None:
    made = alone(CAPACITY)
    assert made.scheduler == "capacity"
    result = {
        queue.name: (queue.capacity_pct, queue.max_capacity_pct, queue.user_limit_factor)
        for queue in made.scenario.queues
    }
    assert result == {
        "root": (None, None, None), "root.etl": (75.0, 90.0, 2.0), "root.adhoc": (25.0, None, None),
        "root.adhoc.x": (25.0, None, None), "root.adhoc.y": (75.0, None, None),
    }  # fmt: skip
    assert notes(made) == [
        "1.xml, line 7: yarn.scheduler.capacity.root.etl.maximum-application-lifetime "
        + phrase("configuration.not_modelled_which_may_change", phrase("configuration.how_long_job_may_run")),
        phrase(
            "configuration.line_queues_weights_taken_as",
            "1.xml",
            10,
            "yarn.scheduler.capacity.root.adhoc.x.capacity",
            "root.adhoc",
        ),
    ]


def test_a_site_file() -> None:
    made = alone(SITE)
    assert made.scheduler == "fair(update_ms=100)"
    assert [(group.count, group.memory_mb, group.vcores) for group in made.scenario.cluster.nodes] == [
        (10, 16384, 8)
    ]
    assert notes(made) == [
        phrase(
            "configuration.line_size_all_nodes_mb",
            "1.xml",
            4,
            "yarn.nodemanager.resource.memory-mb",
            "16,384",
        ),
        "1.xml, line 5: yarn.timeline-service.enabled " + phrase("configuration.bears_on_no_decision"),
    ]


@pytest.mark.parametrize(
    ("given", "a", "b"),
    [
        ({"root.a.capacity": "40", "root.b.capacity": "60"}, 40.0, 60.0),
        ({"root.a.capacity": "100"}, 100.0, 0.0),
        ({"root.a.capacity": "33.33", "root.b.capacity": "66.63"}, 33.33, 66.63),
        ({"root.a.capacity": "-1w", "root.b.capacity": "+2fw"}, 0.0, 100.0),
        ({"root.a.capacity": "0w", "root.b.capacity": "0w"}, 0.0, 0.0),
        ({"root.allow-zero-capacity-sum": "true"}, 0.0, 0.0),
        ({"root.a.capacity": "[memory=4g,vcores=4]", "root.b.capacity": "100"}, 0.0, 100.0),
        ({"root.a.capacity": " [memory=4096,vcores=4]", "root.b.capacity": "100"}, 0.0, 100.0),
        (
            {"root.a.capacity": "[memory=8Gi,vcores=8]", "root.b.capacity": "[ memory=20480, vcores=8]"},
            10.0,
            25.0,
        ),
        ({"root.a.capacity": "40", "root.b.capacity": "[memory=8192,vcores=8]"}, 40.0, 10.0),
        ({"root.a.capacity": "1w", "root.b.capacity": "4w"}, 20.0, 80.0),
        (
            {
                "root.a.capacity": "[memory=20480,vcores=20]",
                "root.b.capacity": "[memory-mb=61440, vcores=60]",
            },
            25.0,
            75.0,
        ),
        (
            {"root.a.capacity": "[memory=40960,vcores=20]", "root.b.capacity": "[memory=122880,vcores=20]"},
            25.0,
            75.0,
        ),
    ],
)
def test_capacities(given: dict[str, str], a: float | None, b: float | None) -> None:
    assert {name: share for name, (share, _) in shares(given).items()} == {"root.a": a, "root.b": b}


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("70.5", 70.5),
        ("30", 30.0),
        ("-1", None),
        ("0", 0.0),
        ("-2", 0.0),
        ("NaN", 0.0),
        ("200", 100.0),
        ("[memory=40960,vcores=1]", None),
    ],
)
def test_the_largest_capacity(text: str, most: float | None) -> None:
    assert shares({"root.a.capacity": "40", "root.b.capacity": "60", "root.a.maximum-capacity": text})[
        "root.a"
    ] == (40.0, most)


@pytest.mark.parametrize(
    ("text", "most"), [("[memory=40960,vcores=1]", 50.0), ("[vcores=1]", None), ("50", None)]
)
def test_the_largest_capacity_of_resources(text: str, most: float | None) -> None:
    given = {"root.a.capacity": "[memory=8192,vcores=8]", "root.b.capacity": "[memory=8192,vcores=8]"}
    assert shares({**given, "root.a.maximum-capacity": text})["root.a"] == (10.0, most)


def test_the_largest_capacity_of_root_bears_on_the_queues_in_it() -> None:
    made = alone(of_capacity({**ONE, "root.maximum-capacity": "50"}))
    assert made.scenario.queues[0].max_capacity_pct == 50.0
    tree = queue_tree(made.scenario)
    assert [tree.max_capacity[tree.names.index(name)] for name in ("root", "root.a")] == [1.0, 0.5]


def test_what_is_no_percentage_leaves_root_s_own_0() -> None:
    for capacity, fault in (("1w", ""), ("[memory=1,vcores=1]", ""), ("90", "root"), ("x", "root")):
        given = {"root.capacity": capacity, "root.a.capacity": "0", "root.b.capacity": "0"}
        if fault:
            with pytest.raises(FormatError, match=phrase("configuration.leaves_without_capacity", fault)):
                shares(given)
        else:
            assert shares(given) == {"root.a": (0.0, None), "root.b": (0.0, None)}


def test_a_largest_capacity_is_compared_as_the_calculator_counts() -> None:
    given = {
        "root.queues": "a",
        "root.a.capacity": "[memory=10240,vcores=10]",
        "root.a.maximum-capacity": "[memory=8192,vcores=20]",
    }
    with pytest.raises(FormatError, match=phrase("configuration.maximum_below_resources", r"'\S+'")):
        shares(given)
    assert shares({**given, "resource-calculator": DOMINANT})["root.a"] == (12.5, 10.0)


def test_a_parent_of_0_holds_queues_of_0() -> None:
    given = {**ONE, "root.queues": "a,b", "root.b.capacity": "0", "root.b.queues": "x,y"}
    assert shares(given | {"root.b.x.capacity": "0", "root.b.y.capacity": "0"})["root.b.x"] == (0.0, None)
    with pytest.raises(FormatError, match=phrase("configuration.capacities_must_be_0", "root.b")):
        shares(given | {"root.b.x.capacity": "50", "root.b.y.capacity": "50"})


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("minimum-user-limit-percent", "33.3", "min_user_limit_pct", 33.3),
        ("minimum-user-limit-percent", "0", "min_user_limit_pct", 0),
        ("minimum-user-limit-percent", "101", "min_user_limit_pct", 100),
        ("user-limit-factor", "-1", "user_limit_factor", MAX_USER_LIMIT_FACTOR),
        ("user-limit-factor", "-2", "user_limit_factor", 0.0),
        ("user-limit-factor", " 5f ", "user_limit_factor", 5.0),
        ("maximum-am-resource-percent", "1.5", "max_am_share", 1.0),
        ("maximum-am-resource-percent", "-1", "max_am_share", 0.0),
        ("priority", "0x10", "priority", 16),
        ("max-parallel-apps", "0", "max_running_apps", 0),
        ("max-parallel-apps", "-1", "max_running_apps", 0),
        ("max-parallel-apps", "2147483647", "max_running_apps", None),
        ("disable_preemption", " TRUE ", "disable_preemption", "yes"),
        ("disable_preemption", "on", "disable_preemption", None),
        ("ordering-policy", " fair ", "ordering", "fair"),
        ("ordering-policy", f"{POLICIES}FairOrderingPolicy", "ordering", "fair"),
        ("ordering-policy", "fifo-for-pending-apps", "ordering", "fifo"),
        ("ordering-policy.fair.enable-size-based-weight", "True", "size_based_weight", True),
        ("ordering-policy.fair.enable-size-based-weight", " true", "size_based_weight", False),
    ],
)
def test_a_queue_s_value_is_hadoop_s_or_the_nearest(name: str, text: str, field: str, value: object) -> None:
    made = alone(of_capacity({**ONE, f"root.a.{name}": text}))
    assert getattr(made.scenario.queues[1], field) == value


def test_what_a_parent_does_not_read_does_no_harm() -> None:
    given = {**ONE, "root.a.queues": "x", "root.a.x.capacity": "100"}
    made = alone(of_capacity({**given, "root.a.user-limit-factor": "x"}))
    assert phrase("configuration.it_is_leaf_s_property", "root.a") in str(made.notes[2])
    with pytest.raises(FormatError, match=phrase("configuration.no_order_of_queues", "'fifo'")):
        alone(of_capacity({**given, "root.a.ordering-policy": "fifo"}))


def test_a_queue_in_which_hadoop_creates_queues_is_a_parent() -> None:
    made = alone(of_capacity({**ONE, "root.a.auto-create-child-queue.enabled": "true"}))
    assert phrase("configuration.makes_queue_parent", "root.a") in str(made.notes[2])


def test_a_queue_inherits_the_largest_container_by_resource() -> None:
    given = {**ONE, "root.a.queues": "x", "root.a.x.capacity": "100"}
    given |= {"root.a.maximum-allocation-mb": "4096", "root.a.x.maximum-allocation-vcores": "2"}
    largest = alone(of_capacity(given)).scenario.queues[-1].max_container
    assert (largest.memory_mb, largest.vcores) == (4096, 2)


@pytest.mark.parametrize(
    ("given", "is_preempting"),
    [
        ({}, True),
        ({f"{MONITOR}observe_only": "true"}, False),
        ({f"{MONITOR}observe_only": "yes"}, True),
        ({"yarn.resourcemanager.scheduler.monitor.policies": " , "}, False),
    ],
)
def test_preemption_that_only_observes_preempts_nothing(given: dict[str, str], is_preempting: bool) -> None:
    site = {"yarn.resourcemanager.scheduler.monitor.enable": "true", **given}
    made = alone(of_capacity(ONE), of_properties(site))
    assert ("preemption=yes" in made.scheduler) == is_preempting


def test_numbers_of_preemption_are_read_where_there_is_preemption() -> None:
    given = {f"{MONITOR}max_wait_before_kill": "x"}
    alone(of_capacity(ONE), of_properties(given))
    with pytest.raises(FormatError, match=phrase("formats.must_be_whole_number", "'x'")):
        alone(
            of_capacity(ONE),
            of_properties({**given, "yarn.resourcemanager.scheduler.monitor.enable": "true"}),
        )


def test_defaults_of_all_queues_and_calculators() -> None:
    made = alone(
        of_capacity(
            {
                "root.queues": "a,b",
                "root.a.capacity": "100",
                "user-limit-factor": "3",
                "root.b.user-limit-factor": "1.5",
                "maximum-am-resource-percent": "0.3",
            }
        )
    )
    assert [queue.user_limit_factor for queue in made.scenario.queues] == [None, 3.0, 1.5]
    assert made.scheduler == "capacity(resources=memory)+am-limit(limit=0.3)"


@pytest.mark.parametrize(
    ("family", "given", "limit"),
    [
        ("fair.FairScheduler", {"fair.assignmultiple": "false", "fair.max.assign": "7"}, 1),
        (
            "fair.FairScheduler",
            {"fair.assignmultiple": "true", "fair.dynamic.max.assign": "false", "fair.max.assign": "7"},
            7,
        ),
        ("fair.FairScheduler", {"fair.assignmultiple": "true", "fair.dynamic.max.assign": "false"}, None),
        ("capacity.CapacityScheduler", {"capacity.per-node-heartbeat.maximum-offswitch-assignments": "4"}, 4),
        (
            "capacity.CapacityScheduler",
            {"capacity.per-node-heartbeat.multiple-assignments-enabled": "false"},
            1,
        ),
    ],
)
def test_containers_on_a_beat(family: str, given: dict[str, str], limit: int | None) -> None:
    site = {
        "yarn.resourcemanager.scheduler.class": f"org.apache.hadoop.yarn.server.resourcemanager.scheduler.{family}"  # noqa: E501
    }
    assert (
        alone(
            of_properties(site | {f"yarn.scheduler.{key}": text for key, text in given.items()})
        ).scenario.cluster.containers_per_heartbeat
        == limit
    )


def test_half_of_what_a_node_has_free() -> None:
    given = {
        "yarn.resourcemanager.scheduler.class": f"{PACKAGE}.fair.FairScheduler",
        "yarn.scheduler.fair.assignmultiple": "true",
    }
    made = alone(of_properties(given))
    assert made.scheduler == "fair(dynamic_max_assign=yes)"
    text = configuration_text(made.scenario, made.scheduler, "yarn-site")
    assert (
        "<name>yarn.scheduler.fair.assignmultiple</name>\n    <value>true</value>" in text
        and "max.assign" not in text
    )
    assert (
        "<name>yarn.scheduler.fair.dynamic.max.assign</name>\n    <value>false</value>"
        in configuration_text(made.scenario, "fair", "yarn-site")
    )


def test_the_properties_of_the_other_scheduler_are_told() -> None:
    assert notes(alone(of_properties({"yarn.scheduler.fair.update-interval-ms": "100"}))) == [
        phrase(
            "configuration.line_not_used_as_scheduler", "1.xml", 2, "yarn.scheduler.fair.update-interval-ms"
        ),
        "1.xml: "
        + phrase(
            "configuration.no_given_capacityscheduler_hadoops_default", "yarn.resourcemanager.scheduler.class"
        ),
    ]


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (
            {"root.queues": "a,b.c"},
            phrase(
                "configuration.line_must_be_names_queues", 2, "yarn.scheduler.capacity.root.queues", "'a,b.c'"
            ),
        ),
        (
            {"root.queues": "a", "root.a.capacity": "x"},
            phrase(
                "configuration.line_must_be_percentage", 3, "yarn.scheduler.capacity.root.a.capacity", "'x'"
            ),
        ),
        (
            {"root.queues": "a", "root.a.capacity": "101"},
            phrase(
                "configuration.line_must_be_percentage", 3, "yarn.scheduler.capacity.root.a.capacity", "'101'"
            ),
        ),
        (
            {"root.queues": "a", "root.a.capacity": "-2w"},
            phrase(
                "configuration.line_must_be_weight", 3, "yarn.scheduler.capacity.root.a.capacity", "'-2w'"
            ),
        ),
        (
            {"root.queues": "a", "root.a.capacity": "[memory=1.5,vcores=1]"},
            phrase(
                "configuration.line_must_give_memory",
                3,
                "yarn.scheduler.capacity.root.a.capacity",
                "'[memory=1.5,vcores=1]'",
            ),
        ),
        (
            {"root.queues": "a"},
            phrase("configuration.line_capacities_sum_to_0", 2, "yarn.scheduler.capacity.root.queues"),
        ),
        ({"user-limit-factor": "1"}, phrase("configuration.must_list_queues_under_root")),
        (
            {**ONE, "root.a.queues": "x", "root.a.x.capacity": "[memory=1,vcores=1]"},
            phrase("configuration.resources_above_and_below", "root.a"),
        ),
        (
            {"root.queues": "a", "root.a.capacity": "[memory=9,vcores=9]", **below("[memory=10,vcores=1]")},
            phrase("configuration.more_than_parent", "root.a"),
        ),
        (
            {
                **ONE,
                "root.a.capacity": "[memory=9,vcores=9]",
                "root.a.maximum-capacity": "[memory=8,vcores=9]",
            },
            phrase("configuration.maximum_below_resources", "'[memory=8,vcores=9]'"),
        ),
        ({**ONE, "root.a.ordering-policy": "FAIR"}, phrase("configuration.no_order_of_jobs", "'FAIR'")),
        ({**ONE, "root.a.priority": "1.5"}, phrase("formats.must_be_whole_number", "'1.5'")),
        ({**ONE, "root.a.max-parallel-apps": " 1"}, phrase("formats.must_be_whole_number", "' 1'")),
        ({**ONE, "root.a.user-limit-factor": "x"}, phrase("common.must_be_number", "'x'")),
        (
            {**ONE, "root.a.maximum-allocation-mb": "16384"},
            phrase("configuration.above_cluster_s_largest", "16,384", "8,192"),
        ),
        (
            {**ONE, "resource-calculator": "a.b.DominantResourceCalculator"},
            phrase("configuration.no_resource_calculator", "'a.b.DominantResourceCalculator'"),
        ),
        (
            {"root.queues": "a,b", "root.a.capacity": "3w", "root.b.capacity": "50"},
            phrase("configuration.must_be_all_percentages_all"),
        ),
        (
            {"root.queues": "a,b", "root.a.capacity": "30", "root.b.capacity": "50"},
            phrase(
                "configuration.line_capacities_and_siblings_sum",
                4,
                "yarn.scheduler.capacity.root.b.capacity",
                80,
            ),
        ),
        (
            {"queue-mappings": "u:ann", **ONE},
            phrase(
                "configuration.line_must_be_u_user", 2, "yarn.scheduler.capacity.queue-mappings", "'u:ann'"
            ),
        ),
        ({**ONE, "": "a"}, ""),
    ],
)
def test_what_is_refused(given: dict[str, str], fault: str) -> None:
    if fault:
        with pytest.raises(FormatError, match=re.escape(fault)):
            alone(of_capacity(given))
    else:
        assert notes(alone(of_capacity(given))) == [
            "1.xml, line 4: yarn.scheduler.capacity. " + phrase("configuration.not_read_by_hadoop")
        ]


def test_a_queue_below_itself_is_another_queue() -> None:
    """Names can't go in a circle: each is longer than its parent's."""
    circle = {"root.queues": "root", "root.root.queues": "root"}
    circle |= {"root.root.capacity": "100", "root.root.root.capacity": "100"}
    assert [queue.name for queue in alone(of_capacity(circle)).scenario.queues] == [
        "root",
        "root.root",
        "root.root.root",
    ]


def test_preemption_of_fair_scheduler_comes_and_goes() -> None:
    output = {
        "resourcemanager.scheduler.class": f"{PACKAGE}.fair.FairScheduler",
        "scheduler.fair.preemption": "true",
        "scheduler.fair.waitTimeBeforeKill": "5000",
        "scheduler.fair.preemption.cluster-utilization-threshold": "0.5",
        "scheduler.fair.am.preemption": "false",
    }
    text = "".join(
        f"<property><name>yarn.{name}</name><value>{value}</value></property>"
        for name, value in output.items()
    )
    made = alone(f"<configuration>{text}</configuration>".encode())
    assert (
        made.scheduler
        == "fair(preemption=yes, utilization_threshold=0.5, wait_before_kill_ms=5000, am_preemption=no)"
    )
    assert "yarn.scheduler.fair.waitTimeBeforeKill" in configuration_text(
        made.scenario, made.scheduler, "yarn-site"
    )


@pytest.mark.parametrize(
    ("has_blocks", "name", "a_beat"),
    [
        (False, "capacity(resources=memory)", 3),
        (True, "capacity(resources=memory, maximum_offswitch_assignments=3)", 7),
    ],
)
def test_off_switch_assignments_are_a_limit_of_their_own_where_maps_have_blocks(
    has_blocks: bool, name: str, a_beat: int
) -> None:
    beat = "per-node-heartbeat.maximum-"
    files = [
        (
            "c.xml",
            of_capacity(
                {
                    f"{beat}container-assignments": "7",
                    f"{beat}offswitch-assignments": "3",
                    "root.queues": "default",
                    "root.default.capacity": "100",
                }
            ),
        )
    ]
    bare = {
        "version": 1,
        "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]},
        "jobs": [{"maps": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 1}}],
    }
    bare["cluster"] |= {"locality": {}} if has_blocks else {}
    made = configure_scenario(Scenario.of(bare), read_configuration(files))
    assert (made.scheduler, made.scenario.cluster.containers_per_heartbeat) == (name, a_beat)
    assert f"{beat}offswitch-assignments</name>\n    <value>3<" in configuration_text(
        made.scenario, made.scheduler, "capacity-xml"
    )


def test_an_allocation_that_nobody_says_is_hadoop_s_default() -> None:
    bare = b"<allocations><queue name='a'/></allocations>"
    for file in (bare, of_capacity(ONE), SITE):
        assert alone(file).scenario.cluster.allocation == Allocation()
    largest = of_properties({"yarn.scheduler.maximum-allocation-mb": "16384"})
    allocation = alone(of_capacity(ONE), largest).scenario.cluster.allocation
    assert allocation == Allocation(maximum=ContainerSize(memory_mb=16384, vcores=4))


@pytest.mark.parametrize(
    ("said", "memory_mb", "expected"),
    [
        (None, 8192, Allocation()),
        (None, 8193, None),
        (Allocation(minimum=ContainerSize(memory_mb=512, vcores=1)), 1024, "as it was"),
    ],
)
def test_a_scenario_keeps_its_allocation_and_its_larger_jobs(
    said: Allocation | None, memory_mb: int, expected: Allocation | str | None
) -> None:
    given = of_queues([], {}).plain()
    given["jobs"][0]["maps"]["memory_mb"] = memory_mb
    given["cluster"] |= {"nodes": [{"count": 1, "memory_mb": 16384, "vcores": 8}]}
    given["cluster"] |= {"allocation": said.model_dump()} if said else {}
    configuration = read_configuration([("capacity-scheduler.xml", of_capacity(ONE))])
    made = configure_scenario(Scenario.of(given), configuration, place_jobs=False).scenario
    assert made.cluster.allocation == (said if expected == "as it was" else expected)


def test_a_queue_whose_only_one_has_no_name_is_a_parent() -> None:
    made = alone(of_capacity({"root.queues": "a", "root.a.capacity": "1w", "root.a.queues": " "}))
    job = made.scenario.jobs[0]
    assert job.queue == "root.a" and "unknown queue: root.default" in job.rejected
    assert "root.a.queues</name>" in configuration_text(made.scenario, made.scheduler, "capacity-xml")
    with pytest.raises(FormatError, match=phrase("configuration.leaves_without_capacity", "root.a")):
        alone(of_capacity({**ONE, "root.a.queues": " "}))


def test_root_may_make_its_queues() -> None:
    made = alone(of_capacity({"root.auto-queue-creation-v2.enabled": "true"}))
    assert [queue.name for queue in made.scenario.queues] == ["root"]
    assert made.scenario.jobs[0].rejected


def test_a_name_that_is_too_long_is_told_with_its_line() -> None:
    names = {"a" * 230: 235, ",".join(["b", "c" * 196]): 201}
    for listed, length in names.items():
        with pytest.raises(FormatError, match=phrase("configuration.line_name_too_long", 2, r"\S+", length)):
            alone(of_capacity({"root.queues": listed}))
    deep = {f"root{'.a' * depth}.queues": "a" for depth in range(300)}
    with pytest.raises(FormatError, match=phrase("configuration.line_name_too_long", 100, r"\S+", 202)):
        alone(of_capacity(deep))


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"root.maximum-application-lifetime": "x"}, phrase("formats.must_be_whole_number", "'x'")),
        ({"root.a.default-application-lifetime": "1.5"}, phrase("formats.must_be_whole_number", "'1.5'")),
        (
            {"root.maximum-application-lifetime": "5", "root.a.default-application-lifetime": "9"},
            phrase("configuration.above_longest_lifetime", 5),
        ),
        (
            {"root.maximum-application-lifetime": "5", "root.a.maximum-application-lifetime": "0"}
            | {"root.a.default-application-lifetime": "9"},
            "",
        ),
    ],
)
def test_lifetimes_with_which_hadoop_does_not_start(given: dict[str, str], fault: str) -> None:
    if fault:
        with pytest.raises(FormatError, match=re.escape(fault)):
            alone(of_capacity(ONE | given))
    else:
        alone(of_capacity(ONE | given))


def test_a_queue_of_resources_has_its_part_of_the_default_of_applications() -> None:
    given = {
        "root.queues": "a,b",
        "root.a.capacity": "[memory=40960,vcores=20]",
        "root.b.capacity": "[memory=20480,vcores=40]",
        "global-queue-max-application": "50",
    }
    made = alone(of_capacity(given)).scenario
    assert [queue.max_applications for queue in made.queues] == [None, 25, 12]


def test_a_largest_container_may_be_less_than_the_smallest() -> None:
    made = alone(of_capacity({**ONE, "root.a.maximum-allocation-mb": "512"})).scenario
    assert made.cluster.allocation == Allocation()
    assert made.queues[1].max_container == ContainerSize(memory_mb=512, vcores=4)


def test_the_outermost_element_may_have_any_name() -> None:
    data = of_capacity(ONE)
    foo = data.replace(b"<configuration>", b"<foo>").replace(b"</configuration>", b"</foo>")
    assert alone(foo).scenario.queues == alone(data).scenario.queues
    assert xml_keys(foo) == xml_keys(data)
    assert xml_keys(b"<foo><name>a</name></foo>") == []
    with pytest.raises(FormatError, match="<foo> stands where"):
        alone(b"<foo/>")
