"""What Hadoop's properties are on a scenario, and what their values come to."""

from __future__ import annotations

import pytest

from engine import Scenario
from engine.explanation import configured_values as settings
from engine.explanation.configured_values import Configured, Setting
from engine.simulation.refused_jobs import application_limits
from engine.simulation.workload import workload
from tests.engine.explanation.lines import cluster
from tests.phrases import phrase


@pytest.mark.parametrize(
    ("setting", "queue", "text", "given", "amounts"),
    [
        (settings.AM_PERCENT, "root.q1", "0.2", True, [(1639, 2), (3277, 4)]),
        (settings.AM_PERCENT, "root.q2", "0.1", False, [(2458, 3), (3277, 4)]),
        (settings.CAPACITY, "root.q1", "25", True, [(8192, 8)]),
        (settings.MAX_CAPACITY, "root.q1", "50", True, [(16384, 16)]),
        (settings.MAX_CAPACITY, "root.q2", "100", False, [(32768, 32)]),
        (settings.USER_FACTOR, "root.q1", "1", False, [(8192, 8)]),
        (settings.MAX_APPLICATIONS, "root.q1", "10000", False, [2500]),
        (settings.FAIR_MAXIMUM, "root.q2", "8192 mb, 8 vcores", True, []),
        (settings.FAIR_QUEUE_JOBS, "root.q1", "3", True, []),
        (settings.FAIR_QUEUE_JOBS, "root.q2", "", False, []),
        (settings.MAX_MEMORY, "root.q1", "8192", False, []),
    ],
)
def test_a_value_is_the_files_or_hadoops_default(
    setting: Setting, queue: str, text: str, given: bool, amounts: list
) -> None:
    value = Configured(cluster()).value(setting, queue)
    assert (value.text, value.given, list(value.amounts)) == (text, given, amounts)


@pytest.mark.parametrize(("most", "part"), [(10, 7), (None, 7000), (1, 0)])
def test_the_part_of_the_clusters_applications_is_that_of_a_run(most: int | None, part: int) -> None:
    """In floats: 0.7 of 10 is 7, and of 10,000, Hadoop's default, 7,000."""
    data = cluster().plain()
    data["cluster"]["max_applications"] = most
    data["queues"][0] |= {"capacity_pct": 30, "max_capacity_pct": 100}
    data["queues"][1] |= {"capacity_pct": 70}
    scenario = Scenario.of(data)
    value = Configured(scenario).value(settings.MAX_APPLICATIONS, "root.q2")
    assert value.amounts == (part,)
    if most is not None:
        limits = application_limits(scenario, workload(scenario).queues)
        assert limits.of_queue.tolist().count(part) and value.sentence() == phrase(
            "explanation.maximum_applications_of_which", most, part
        )


def test_a_queues_own_number_of_applications_is_all_of_it() -> None:
    data = cluster().plain()
    data["queues"][1] |= {"max_applications": 5}
    value = Configured(Scenario.of(data)).value(settings.MAX_APPLICATIONS, "root.q2")
    assert value.amounts == (5,) and value.sentence() == phrase("explanation.maximum_applications_own", 5, 5)


def test_memory_alone_counts_where_the_scheduler_says_so() -> None:
    """DefaultResourceCalculator rounds to the nearest MB, DominantResourceCalculator up."""
    value = Configured(cluster(), ["capacity(resources=memory)"]).value(settings.AM_PERCENT, "root.q1")
    assert value.amounts == ((1638, None), (3277, None))
    assert value.sentence() == phrase("explanation.am_percent_of_memory", 0.2, "1,638", "3,277")


def test_a_setting_of_the_scheduler_that_is_looked_at_holds() -> None:
    value = Configured(cluster(), ["fair", "capacity+am-limit(limit=0.5)"]).value(
        settings.AM_PERCENT, "root.q2"
    )
    assert (value.name, value.text) == ("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5")


def test_more_users_leave_less_for_the_masters_of_one() -> None:
    data = cluster().plain()
    data["queues"][0] |= {"min_user_limit_pct": 25}
    value = Configured(Scenario.of(data)).value(settings.USER_AM_PERCENT, "root.q1")
    assert list(value.amounts) == [(410, 1), (1639, 2)]


def test_a_value_is_told_in_a_sentence() -> None:
    configured = Configured(cluster())
    tell = lambda setting, queue: configured.value(setting, queue).sentence()
    assert tell(settings.AM_PERCENT, "root.q1") == phrase(
        "explanation.am_percent_is_here", 0.2, "1,639", 2, "3,277", 4
    )
    assert tell(settings.MAX_CAPACITY, "root.q1") == phrase(
        "explanation.maximum_capacity_is_here", 50, 16, 16
    )
    assert tell(settings.FAIR_QUEUE_JOBS, "root.q2") == phrase("explanation.maxrunningapps_is_not_set_here")


def test_a_scenario_that_hadoops_files_cannot_hold_has_the_defaults() -> None:
    data = cluster().plain()
    data["queues"].append({"name": "root.q\u0001", "capacity_pct": 0})
    assert Configured(Scenario.of(data)).value(settings.AM_PERCENT, "root.q1").text == "0.1"
