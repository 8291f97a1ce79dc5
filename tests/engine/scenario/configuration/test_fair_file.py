"""fair-scheduler.xml, element by element: what it becomes, what is told, what Hadoop would refuse."""

from __future__ import annotations

import re

import pytest

from engine import written
from engine.errors import FormatError
from tests.engine.scenario.configuration.files import FAIR, alone, notes


def queues(text: str) -> dict:
    return {queue.name: queue for queue in alone(f"<allocations>\n{text}\n</allocations>".encode()).scenario.queues}


def told(text: str) -> list[str]:
    return notes(alone(f"<allocations>\n{text}\n</allocations>".encode()))


def test_a_file_with_a_little_of_everything() -> None:
    made = alone(FAIR)
    assert made.scheduler == "drf"
    found = {queue.name: queue for queue in made.scenario.queues}
    assert list(found) == ["root.etl", "root.etl.daily", "root.etl.hourly", "root.adhoc", "root.adhoc.ann"]
    etl = found["root.etl"]
    assert (etl.weight, etl.min_share.memory_mb, etl.min_share.vcores, etl.max_share.memory_mb, etl.max_share.vcores) == (2.5, 2048, 2, 40960, 40)
    assert (found["root.etl.daily"].policy, found["root.etl.hourly"].weight) == ("fifo", 3.0)
    assert {job.queue for job in made.scenario.jobs} == {"root.etl.daily", "root.etl.hourly", "root.adhoc.ann"}
    assert notes(made) == ["1.xml, line 8: aclSubmitApps of root.etl is not modelled; it is kept for writing the file back"]


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
    found = queues(
        '<queueMaxResourcesDefault>1024 mb, 1 vcores</queueMaxResourcesDefault><queue name="a"><maxResources>5 mb, 5 vcores</maxResources></queue>'
        '<queue name="b"/>'
    )
    assert [found[name].max_share.memory_mb for name in ("root.a", "root.b")] == [5, 1024]


def test_root_may_be_an_element() -> None:
    assert list(queues('<queue name="Root"><weight>2</weight><queue name="a"/></queue>')) == ["root", "root.a"]


def test_limits_of_applications() -> None:
    text = """<queueMaxAppsDefault>5</queueMaxAppsDefault><userMaxAppsDefault>9</userMaxAppsDefault>
        <user name="ann"><maxRunningApps>3</maxRunningApps></user><user name="bob"><maxRunningJobs>1</maxRunningJobs></user>
        <queue name="a"><maxRunningApps>2</maxRunningApps></queue><queue name="b"/>"""
    made = alone(f"<allocations>{text}</allocations>".encode())
    assert [(queue.name, queue.max_running_apps) for queue in made.scenario.queues] == [("root.a", 2), ("root.b", 5)]
    assert ([(user.name, user.max_running_apps) for user in made.scenario.users], made.scenario.cluster.user_max_running_apps) == ([("ann", 3)], 9)
    written_again = written(made.scenario, made.scheduler, "fair-xml")
    assert written(alone(written_again.encode()).scenario, "fair", "fair-xml") == written_again
    assert written_again.count("maxRunningApps>") == 4 and "<maxRunningJobs>1</maxRunningJobs>" in written_again


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ('<queue name="a"><weight>0</weight></queue>', "line 2: weight is 0, which is not modelled: weights are above 0 here"),
        ('<queue name="a"><weight>1</weight><weight>2</weight></queue>', "line 2: weight stands twice; the last counts, as in Hadoop"),
        (
            '<queue name="a"><minResources>5%</minResources></queue>',
            "line 2: minResources is a percentage, which Hadoop takes for no minimum: it has no effect",
        ),
        ('<queue name="a" type="parent"/>', "line 2: queue root.a is a parent without queues: here it is a leaf"),
        ("<reservation-agent>x</reservation-agent>", "line 2: reservation-agent is not modelled; it is kept for writing the file back"),
        ('<user name="ann"><maxRunningJobs>3</maxRunningJobs></user>', "line 2: "),
    ],
)
def test_what_is_told(text: str, note: str) -> None:
    assert any(one.startswith(f"1.xml, {note}") for one in told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('<queue name="a"><weight>x</weight></queue>', "line 2: weight 'x' must be a number"),
        ('<queue name="a"><weight>-1</weight></queue>', "line 2: weight "),
        ('<queue name="a"><weight/></queue>', "line 2: weight a value must stand in it"),
        ('<queue name="a"/>\n<queue name="a"/>', "line 3: queue 'root.a' stands in line 2, too; a queue is listed once"),
        ('<queue name="a.b"/>', "line 2: queue a queue's name must not be empty and holds no dot, but is 'a.b'"),
        ("<queue/>", "line 2: queue a queue's name must not be empty and holds no dot, but is ''"),
        ('<queue name="root"/><queue name="a"/>', "line 2: queue no other queue can stand beside root"),
        ('<queue name="a"><maxAMShare>0.5</maxAMShare><queue name="b"/></queue>', "line 2: maxAMShare is of a leaf alone, as in Hadoop"),
        ("<defaultQueueSchedulingPolicy>fifo</defaultQueueSchedulingPolicy>", "line 2: defaultQueueSchedulingPolicy can't be fifo"),
        ('<queue name="a"><schedulingPolicy>fifo</schedulingPolicy><queue name="b"/></queue>', "line 2: schedulingPolicy fifo orders jobs"),
        ("<queuePlacementPolicy/>", "line 2: queuePlacementPolicy holds no rule"),
        ('<queuePlacementPolicy><rule name="specified"/></queuePlacementPolicy>', "line 2: rule specified may place no job"),
        ('<queuePlacementPolicy><rule name="default"/>\n<rule name="user"/></queuePlacementPolicy>', "line 2: rule default always places a job"),
        ('<queuePlacementPolicy><rule name="own"/></queuePlacementPolicy>', "line 2: rule 'own' is no rule that can stand here"),
        ('<queuePlacementPolicy><rule name="nestedUserQueue"/></queuePlacementPolicy>', "line 2: rule nestedUserQueue must hold a rule"),
        (f'<queue name="{"a" * 300}"/>', "line 2: queue its whole name is too long"),
        ("<b>" * 30 + "</b>" * 30, "is nested more than 12 deep"),
    ],
)
def test_what_is_refused(text: str, fault: str) -> None:
    with pytest.raises(FormatError, match=re.escape(fault)) as error:
        told(text)
    assert "\n" not in str(error.value)
