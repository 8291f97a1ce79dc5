"""fair-scheduler.xml, element by element: what it becomes, what is told, what Hadoop would refuse."""

from __future__ import annotations

import re

import pytest

from engine.dashboard import configuration_text
from engine.errors import FormatError
from tests.engine.scenario.configuration.files import FAIR, alone, notes
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
    assert notes(made) == [
        phrase("configuration.line_aclsubmitapps_not_modelled_kept", "1.xml", 8, "root.etl")
    ]


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
    assert list(queues('<queue name="Root"><weight>2</weight><queue name="a"/></queue>')) == [
        "root",
        "root.a",
    ]


def test_limits_of_applications() -> None:
    text = """<queueMaxAppsDefault>5</queueMaxAppsDefault><userMaxAppsDefault>9</userMaxAppsDefault>
        <user name="ann"><maxRunningApps>3</maxRunningApps></user><user name="bob"><maxRunningJobs>1</maxRunningJobs></user>
        <queue name="a"><maxRunningApps>2</maxRunningApps></queue><queue name="b"/>"""  # noqa: E501
    made = alone(f"<allocations>{text}</allocations>".encode())
    assert [(queue.name, queue.max_running_apps) for queue in made.scenario.queues] == [
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
            '<queue name="a"><weight>0</weight></queue>',
            phrase("configuration.line_weight_which_not_modelled", 2, 0, 0),
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
        ('<queue name="a"><weight>-1</weight></queue>', "line 2: weight "),
        ('<queue name="a"><weight/></queue>', phrase("configuration.line_weight_value_must_stand", 2)),
        (
            '<queue name="a"/>\n<queue name="a"/>',
            phrase("configuration.line_queue_stands_in_line", 3, "'root.a'", 2),
        ),
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
            '<queue name="a"><schedulingPolicy>fifo</schedulingPolicy><queue name="b"/></queue>',
            phrase("configuration.line_schedulingpolicy_fifo_orders_jobs", 2),
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
