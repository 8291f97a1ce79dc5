"""fair-scheduler.xml, element by element: what it becomes, what is told, what Hadoop would refuse."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.dashboard import configuration_text
from engine.errors import FormatError
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import ConfiguredScenario, configure_scenario
from tests.engine.scenario.configuration.files import FAIR, alone, notes, of_queues
from tests.phrases import phrase


def queues(text: str) -> dict:
    return {
        queue.name: queue
        for queue in alone(f"<allocations>\n{text}\n</allocations>".encode()).scenario.queues
    }


def told(text: str) -> list[str]:
    return notes(alone(f"<allocations>\n{text}\n</allocations>".encode()))


def test_a_file_with_a_little_of_everything() -> None:
    made = alone(FAIR)
    assert made.scheduler == "drf"
    result = {queue.name: queue for queue in made.scenario.queues}
    assert list(result) == ["root.etl", "root.etl.daily", "root.etl.hourly", "root.adhoc", "root.adhoc.ann"]
    etl = result["root.etl"]
    assert (
        etl.weight,
        etl.min_share.memory_mb,
        etl.min_share.vcores,
        etl.max_share.memory_mb,
        etl.max_share.vcores,
    ) == (2.5, 2048, 2, 40960, 40)
    assert (result["root.etl.daily"].policy, result["root.etl.hourly"].weight) == ("fifo", 3.0)
    assert {job.queue for job in made.scenario.jobs} == {
        "root.etl.daily",
        "root.etl.hourly",
        "root.adhoc.ann",
    }
    assert notes(made) == [phrase("configuration.line_maxchildresources_not_modelled", "1.xml", 8)]


@pytest.mark.parametrize(
    ("text", "scheduler"),
    [
        ("", "fair"),
        ("<defaultQueueSchedulingMode>fair</defaultQueueSchedulingMode>", "fair"),
        ("<queueMaxAMShareDefault>0.2</queueMaxAMShareDefault>", "fair+am-share(limit=0.2)"),
        ("<queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>", "fair+admit-all"),
        ("<queueMaxAMShareDefault>7</queueMaxAMShareDefault>", "fair+am-share(limit=1)"),
    ],
)
def test_the_scheduler_is_named(text: str, scheduler: str) -> None:
    assert alone(f"<allocations>{text}</allocations>".encode()).scheduler == scheduler


def test_the_largest_share_by_default_is_everybody_s() -> None:
    result = queues(
        "<queueMaxResourcesDefault>1024 mb, 1 vcores</queueMaxResourcesDefault><queue "
        'name="a"><maxResources>5 mb, 5 vcores</maxResources></queue>'
        '<queue name="b"/>'
    )
    assert [result[name].max_share.memory_mb for name in ("root.a", "root.b")] == [5, 1024]


def test_root_may_be_an_element() -> None:
    inner = '<weight>2</weight><queue name="a"><weight>3</weight></queue></queue>'
    assert {name: queue.weight for name, queue in queues(f'<queue name="root">{inner}').items()} == {
        "root": 2,
        "root.a": 3,
    }
    assert {name: queue.weight for name, queue in queues(f'<queue name=" root ">{inner}').items()} == {
        "root.root": 2,
        "root.root.a": 3,
    }
    assert {name: queue.weight for name, queue in queues(f'<queue name="Root">{inner}').items()} == {
        "root.Root": 1,
        "root.Root.a": 1,
    }


def test_a_queue_listed_twice_is_one() -> None:
    result = queues(
        '<queue name="a"><weight>2</weight><allowPreemptionFrom>no</allowPreemptionFrom></queue>'
        '<pool name="a"><weight>3</weight><maxRunningApps>4</maxRunningApps>'
        "<allowPreemptionFrom>true</allowPreemptionFrom></pool>"
    )
    assert list(result) == ["root.a"]
    both = result["root.a"]
    assert (both.weight, both.max_running_apps, both.allow_preemption_from) == (3, 4, False)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('<queue name="p"><e name="a"/><ue name="b"/></queue>', ["root.p", "root.p.a", "root.p.b"]),
        ('<ue name="a"/>', []),
        ('<queue name="a"><schedulingPolicy>drf</schedulingPolicy></queue><queue name="b"/>', ["root.b"]),
        (
            "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
            '<queue name="p"><schedulingPolicy>fair</schedulingPolicy><queue name="a"/></queue>',
            ["root.p"],
        ),
        (
            '<queue name="p"><schedulingPolicy>fifo</schedulingPolicy><queue name="a"/></queue>'
            '<queue name="b"/>',
            ["root.b"],
        ),
        ('<queue name="root"><schedulingPolicy>fifo</schedulingPolicy><queue name="a"/></queue>', ["root"]),
        ('<queue name="a"/><queue name="a"><queue name="b"/></queue>', ["root.a"]),
        ('<queue name="d"/><queue name="d"><queue name="dev"/></queue>', ["root.d", "root.d.dev"]),
    ],
)
def test_only_what_hadoop_creates_is_there(text: str, names: list[str]) -> None:
    assert [name for name in queues(text) if name != "root.default"] == names


def test_root_has_the_defaults_too() -> None:
    text = """<queueMaxAppsDefault>x</queueMaxAppsDefault><queueMaxAppsDefault>5</queueMaxAppsDefault>
        <queueMaxResourcesDefault>50%</queueMaxResourcesDefault>
        <fairSharePreemptionTimeout>x</fairSharePreemptionTimeout>
        <defaultFairSharePreemptionTimeout>7</defaultFairSharePreemptionTimeout>
        <queue name="a"><maxRunningApps>-1</maxRunningApps></queue>"""
    result = queues(text)
    assert {name: queue.max_running_apps for name, queue in result.items()} == {"root": 5, "root.a": 0}
    assert result["root"].max_share == result["root.a"].max_share
    assert result["root"].fair_share_preemption_timeout_s == 7


def test_what_root_says_itself_goes_before_its_defaults() -> None:
    text = """<defaultMinSharePreemptionTimeout>x</defaultMinSharePreemptionTimeout>
        <queue name="root"><minSharePreemptionTimeout>5</minSharePreemptionTimeout></queue>"""
    assert queues(text)["root"].min_share_preemption_timeout_s == 5


def test_parents_without_queues_run_no_job() -> None:
    made = alone(
        b'<allocations><queue name="p" type="parent"/><queue name="r"><reservation/></queue><queue name="a"/>'
        b"</allocations>"
    )
    assert [job.queue for job in made.scenario.jobs] == ["root.a"]


def fields(made: ConfiguredScenario) -> tuple[Any, ...]:
    """What a file sets, but what is kept of its text."""
    queues = {
        queue.name: {key: value for key, value in queue.model_dump().items() if key != "x_hadoop"}
        for queue in made.scenario.queues
        if queue.name != "root" or queue.model_dump(exclude_defaults=True).keys() - {"name"}
    }
    return queues, made.scenario.cluster, made.scenario.users, made.scheduler


def test_no_rule_creates_a_queue_that_hadoop_does_not() -> None:
    queue = '<queue name="a"><schedulingPolicy>drf</schedulingPolicy></queue><queue name="b"/>'
    scenario = of_queues([{"name": "root.a"}], {"name": "j", "queue": "root.a"})
    placed = configure_scenario(
        scenario, read_configuration([("a.xml", f"<allocations>{queue}</allocations>".encode())])
    )
    assert [job.queue for job in placed.scenario.jobs] == ["root.b"]


ODD = [
    '<queue name="a"><weight>0</weight></queue>',
    '<queue name="a" type="parent"><maxChildResources>5%</maxChildResources></queue><queue name="b"/>',
    '<queue name="a"><maxResources>memory-mb=4096</maxResources><weight>-2</weight></queue>',
    '<queue name="a"><minResources>5%</minResources><maxContainerAllocation>5%</maxContainerAllocation>'
    "</queue>",
    '<queue name="a"><maxAMShare>-3</maxAMShare><maxRunningApps>-1</maxRunningApps></queue>',
    '<queue name="a"><allowPreemptionFrom>no</allowPreemptionFrom><weight>1</weight><weight>2</weight>'
    "</queue>",
    '<queue name="a" type="x"/><queue name="a" type="y">'
    "<minSharePreemptionTimeout>-1</minSharePreemptionTimeout></queue>",
    '<defaultFairSharePreemptionTimeout>9</defaultFairSharePreemptionTimeout><queue name="root">'
    '<fairSharePreemptionTimeout>5</fairSharePreemptionTimeout><queue name="a"/></queue>',
    "<queueMaxAppsDefault>x</queueMaxAppsDefault><queueMaxAppsDefault>5</queueMaxAppsDefault>"
    '<queueMaxAppsDefault>-4</queueMaxAppsDefault><queue name="a"/>',
    '<queue name="ROOT"><queue name="a"/></queue>',
    '<user><maxRunningApps>3</maxRunningApps></user><user name="b"><maxRunningApps>-1</maxRunningApps></user>'
    '<queue name="a"/>',
    "<queuePlacementPolicy> </queuePlacementPolicy><minMaps>3</minMaps><queue name='a'><minMaps/></queue>",
    "<queuePlacementPolicy><rule name='user'/></queuePlacementPolicy>"
    "<queuePlacementPolicy><rule name='default'/></queuePlacementPolicy><queue name='a'/>",
]


@pytest.mark.parametrize("text", ODD)
def test_what_is_odd_comes_back(text: str) -> None:
    made = alone(f"<allocations>\n{text}\n</allocations>".encode())
    written = configuration_text(made.scenario, made.scheduler, "fair-xml")
    again = alone(written.encode())
    assert fields(again) == fields(made)
    assert configuration_text(again.scenario, again.scheduler, "fair-xml") == written


def test_limits_of_applications() -> None:
    text = """<queueMaxAppsDefault>5</queueMaxAppsDefault><userMaxAppsDefault>9</userMaxAppsDefault>
        <user name="ann"><maxRunningApps>3</maxRunningApps></user><user name="bob"><maxRunningJobs>1</maxRunningJobs></user>
        <queue name="a"><maxRunningApps>2</maxRunningApps></queue><queue name="b"/>"""  # noqa: E501
    made = alone(f"<allocations>{text}</allocations>".encode())
    assert [(queue.name, queue.max_running_apps) for queue in made.scenario.queues] == [
        ("root", 5),
        ("root.a", 2),
        ("root.b", 5),
    ]
    assert (
        [(user.name, user.max_running_apps) for user in made.scenario.users],
        made.scenario.cluster.user_max_running_apps,
    ) == ([("ann", 3)], 9)
    written_again = configuration_text(made.scenario, made.scheduler, "fair-xml")
    assert configuration_text(alone(written_again.encode()).scenario, "fair", "fair-xml") == written_again
    assert (
        written_again.count("maxRunningApps>") == 4 and "<maxRunningJobs>1</maxRunningJobs>" in written_again
    )


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            '<queue name="a"><weight>-1</weight></queue>',
            phrase("configuration.line_weight_below_0", 2),
        ),
        (
            '<queue name="a"/>\n<queue name="a"/>',
            phrase("configuration.line_queue_stands_in_line", 3, "'root.a'", 2),
        ),
        (
            '<queue name="a"><wieght>1</wieght></queue>',
            phrase("configuration.line_not_read_meant", 2, "wieght", "weight"),
        ),
        (
            '<queue name="a"><minMaps>1</minMaps></queue>',
            phrase("configuration.line_hadoop_1_name", 2, "minMaps"),
        ),
        (
            '<queue name="a"><schedulingPolicy>drf</schedulingPolicy></queue>',
            phrase("configuration.line_queue_not_created", 2, "root.a", "drf", "root", "fair"),
        ),
        ('<queue name="ROOT"/>', phrase("configuration.line_queue_not_root", 2, "'ROOT'")),
        (
            "<queuePlacementPolicy> </queuePlacementPolicy>",
            phrase("configuration.line_rules_without_it_stand", 2),
        ),
        (
            '<queue name="a"><weight>1</weight><weight>2</weight></queue>',
            phrase("configuration.line_weight_stands_twice_last", 2),
        ),
        (
            '<queue name="a"><minResources>5%</minResources></queue>',
            phrase("configuration.line_minresources_percentage_which_hadoop", 2),
        ),
        (
            '<queue name="a" type="parent"/>',
            phrase("configuration.line_queue_parent_without_queues", 2, "root.a"),
        ),
        (
            "<reservation-agent>x</reservation-agent>",
            phrase("configuration.line_reservation_agent_not_modelled", 2),
        ),
        ('<user name="ann"><maxRunningJobs>3</maxRunningJobs></user>', "line 2: "),
    ],
)
def test_what_is_told(text: str, note: str) -> None:
    assert any(one.startswith(f"1.xml, {note}") for one in told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            '<queue name="a"><weight>x</weight></queue>',
            phrase("configuration.line_weight_must_be_number", 2, "'x'"),
        ),
        ('<queue name="a"><weight/></queue>', phrase("configuration.line_weight_value_must_stand", 2)),
        ('<queue name="a.b"/>', phrase("configuration.line_queue_queues_name_must", 2, "'a.b'")),
        ("<queue/>", phrase("configuration.line_queue_queues_name_must_not", 2)),
        ('<queue name="root"/><queue name="a"/>', phrase("configuration.line_queue_no_other_queue", 2)),
        (
            '<queue name="a"><maxAMShare>0.5</maxAMShare><queue name="b"/></queue>',
            phrase("configuration.line_maxamshare_leaf_alone_as", 2),
        ),
        (
            "<defaultQueueSchedulingPolicy>fifo</defaultQueueSchedulingPolicy>",
            phrase("configuration.line_defaultqueueschedulingpolicy_cant_be_fifo", 2),
        ),
        (
            '<queue name="a"><schedulingPolicy>lottery</schedulingPolicy></queue>',
            phrase("configuration.line_schedulingpolicy_none_of", 2, "'lottery'"),
        ),
        ('<queue name="a"><aclSubmitApps/></queue>', "line 2: aclSubmitApps "),
        ('<queue name="a"><maxChildResources>5</maxChildResources></queue>', "line 2: maxChildResources "),
        ('<queue name="a"><reservation/><queue name="b"/></queue>', "line 2: reservation "),
        ("<reservation-agent/>", "line 2: reservation-agent "),
        ('<user name="b"><maxRunningApps>x</maxRunningApps></user>', "line 2: maxRunningApps "),
        (
            '<queuePlacementPolicy><rule name="default"><rule name="user"/></rule></queuePlacementPolicy>',
            phrase("configuration.line_rule_takes_no_rule", 2, "default"),
        ),
        (
            '<queuePlacementPolicy><rule name="user"><rule name="user"/></rule></queuePlacementPolicy>',
            phrase("configuration.line_rule_of_its_own_kind", 2, "user", "user"),
        ),
        (
            '<queuePlacementPolicy><rule name="default" create=" true"/></queuePlacementPolicy>',
            phrase("configuration.line_rule_specified_may_place", 2).replace("specified", "default"),
        ),
        ("<queuePlacementPolicy/>", phrase("configuration.line_queueplacementpolicy_holds_no_rule", 2)),
        (
            '<queuePlacementPolicy><rule name="specified"/></queuePlacementPolicy>',
            phrase("configuration.line_rule_specified_may_place", 2),
        ),
        (
            '<queuePlacementPolicy><rule name="default"/>\n<rule name="user"/></queuePlacementPolicy>',
            phrase("configuration.line_rule_default_always_places", 2),
        ),
        (
            '<queuePlacementPolicy><rule name="own"/></queuePlacementPolicy>',
            phrase("configuration.line_rule_no_rule_can", 2, "'own'"),
        ),
        (
            '<queuePlacementPolicy><rule name="nestedUserQueue"/></queuePlacementPolicy>',
            phrase("configuration.line_rule_nesteduserqueue_must_hold", 2),
        ),
        (f'<queue name="{"a" * 300}"/>', phrase("configuration.line_queue_whole_name_too", 2)),
        ("<b>" * 30 + "</b>" * 30, phrase("common.nested_more_than_deep", 12)),
    ],
)
def test_what_is_refused(text: str, fault: str) -> None:
    with pytest.raises(FormatError, match=re.escape(fault)) as error:
        told(text)
    assert "\n" not in str(error.value)
