"""capacity-scheduler.xml and yarn-site.xml, property by property."""

from __future__ import annotations

import re

import pytest

from engine import Scenario
from engine.dashboard import configuration_text, configure_scenario, read_configuration
from engine.errors import FormatError
from tests.engine.scenario.configuration.files import CAPACITY, SITE, alone, notes, of_capacity, of_properties
from tests.phrases import phrase


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
        "1.xml, line 7: yarn.scheduler.capacity.root.etl.acl_submit_applications "
        + phrase("configuration.not_modelled_which_may_change", phrase("configuration.who_may_submit_jobs")),
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
        ({}, None, None),
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
            {"root.a.capacity": "[memory=10240,vcores=20]", "root.b.capacity": "[memory=30720,vcores=20]"},
            25.0,
            75.0,
        ),
    ],
)
def test_capacities(given: dict[str, str], a: float | None, b: float | None) -> None:
    assert {name: share for name, (share, _) in shares(given).items()} == {"root.a": a, "root.b": b}


@pytest.mark.parametrize(("text", "most"), [("70.5", 70.5), ("-1", None), ("[memory=40960,vcores=1]", 50.0)])
def test_the_largest_capacity(text: str, most: float | None) -> None:
    assert shares({"root.a.capacity": "40", "root.b.capacity": "60", "root.a.maximum-capacity": text})[
        "root.a"
    ] == (40.0, most)


def test_defaults_of_all_queues_and_calculators() -> None:
    made = alone(
        of_capacity(
            {
                "root.queues": "a,b",
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
        "yarn.resourcemanager.scheduler.class": "a.FairScheduler",
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
            {"root.queues": "a,a"},
            phrase("configuration.line_listed_twice", 2, "yarn.scheduler.capacity.root.queues", "'root.a'"),
        ),
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
            {"root.queues": "a", "root.a.capacity": "[gpu=1]"},
            phrase(
                "configuration.line_must_give_memory",
                3,
                "yarn.scheduler.capacity.root.a.capacity",
                "'[gpu=1]'",
            ),
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
            {"root.queues": "a", "root.a.capacity": "100", "root.a.maximum-capacity": "200"},
            "line 4: yarn.scheduler.capacity.root.a.maximum-capacity '200'",
        ),
        (
            {"root.queues": "a", "root.a.user-limit-factor": "-2"},
            "line 3: yarn.scheduler.capacity.root.a.user-limit-factor ",
        ),
        (
            {"queue-mappings": "u:ann"},
            phrase(
                "configuration.line_must_be_u_user", 2, "yarn.scheduler.capacity.queue-mappings", "'u:ann'"
            ),
        ),
        ({"": "a"}, ""),
    ],
)
def test_what_is_refused(given: dict[str, str], fault: str) -> None:
    if fault:
        with pytest.raises(FormatError, match=re.escape(fault)):
            alone(of_capacity(given))
    else:
        assert notes(alone(of_capacity(given))) == [
            "1.xml, line 2: yarn.scheduler.capacity. " + phrase("configuration.not_read_by_hadoop")
        ]


def test_a_queue_below_itself_is_another_queue() -> None:
    """Names can't go in a circle: each is longer than its parent's."""
    assert [
        queue.name
        for queue in alone(of_capacity({"root.queues": "root", "root.root.queues": "root"})).scenario.queues
    ] == [
        "root",
        "root.root",
        "root.root.root",
    ]


def test_preemption_of_fair_scheduler_comes_and_goes() -> None:
    output = {
        "resourcemanager.scheduler.class": "FairScheduler",
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
