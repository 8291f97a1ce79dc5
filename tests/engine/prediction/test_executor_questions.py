"""Questions of how many executors there are and of what size, and what that does to the others."""

from __future__ import annotations

from typing import Any

import pytest

from engine.prediction.answer import answer, unvalidated_baseline
from engine.prediction.question import QuestionError
from engine.prediction.questions import QUESTIONS, question_fields
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.engine.prediction.spark_questions import asked, defaults_of, executors_of, two
from tests.phrases import phrase
from tests.spark_jobs import MIXED

KEYS = [key for key, question in QUESTIONS.items() if question.framework == "spark"]


def test_they_are_about_scenarios_with_spark() -> None:
    assert KEYS == ["instances", "dynamic", "executors"]
    plain = Scenario.of({**MIXED, "jobs": MIXED["jobs"][1:]})
    for key in KEYS:
        assert QUESTIONS[key].is_about(Scenario.of(MIXED)) and not QUESTIONS[key].is_about(plain)
        with pytest.raises(QuestionError):
            question_fields(plain, "fair", key)
    assert all(QUESTIONS[key].is_about(plain) for key in QUESTIONS if not QUESTIONS[key].framework)


@pytest.mark.parametrize("key", KEYS)
def test_what_is_asked_first_changes_something_and_can_be_run(key: str) -> None:
    for scenario in (two(), Scenario.of(MIXED)):
        changed = asked(scenario, key)
        assert simulate(changed.scenario, changed.scheduler).status == "finished"
        assert changed.scenario.jobs != scenario.jobs and changed.files
        assert all(caveat.endswith(".") for caveat in changed.caveats)


def test_those_of_a_fixed_number_get_another() -> None:
    changed = asked(two(), "instances")
    assert changed.title == phrase("prediction.count_instead", phrase("prediction.all_fixed"), 8, 4)
    fixed, dynamic = executors_of(changed)
    assert fixed["count"] == 8 and dynamic == two().plain()["jobs"][1]["executors"]
    # the other one would take the line for its initial number
    assert (
        defaults_of(changed)
        == phrase("prediction.alone", "etl") + "\n#   --conf spark.executor.instances=8\n"
    )


def test_more_than_the_nodes_hold_are_told() -> None:
    room = phrase("prediction.beyond_room", "etl", "16 executors")
    told = {count: asked(two(), "instances", count=count).caveats[0] == room for count in (16, 17)}
    assert told == {16: False, 17: True}


def test_dynamic_allocation_ends_where_a_number_is_given() -> None:
    changed = asked(two(), "instances", application="all", count=6)
    assert changed.title == phrase(
        "prediction.count_instead", phrase("services.all_spark_applications"), 6, "4 or dynamic allocation"
    )
    assert all(one["count"] == 6 and "dynamic" not in one for one in executors_of(changed))
    assert defaults_of(changed) == "spark.executor.instances 6\nspark.dynamicAllocation.enabled false\n"
    assert simulate(changed.scenario, "fair").status == "finished"


def test_more_executors_serve_the_application_and_cost_its_neighbour() -> None:
    job = {**MIXED["jobs"][1], "arrival_s": 0}
    spark = {**two().plain()["jobs"][0], "executors": {"memory_mb": 640, "vcores": 1, "count": 2}}
    nodes = [{"count": 2, "memory_mb": 6144, "vcores": 6}]
    beside = Scenario.of({"version": 1, "cluster": {"nodes": nodes}, "jobs": [spark, job]})
    found = answer(unvalidated_baseline(beside, "fair"), asked(beside, "instances", count=6))
    assert [gain.name for gain in found.gainers("job")] == ["etl"]
    assert [gain.name for gain in found.losers("job")] == ["mr"]


def test_executors_of_another_size_have_as_many_vcores_in_all() -> None:
    # of the fixed application 4 of 1 vcore, of the other 3 to 9 of 2 vcores
    changed = asked(two(), "executors")
    assert changed.title == phrase(
        "prediction.other_size_instead",
        "4 vcores",
        "1 vcore to 2 vcores",
        "2,000 MB to 2.5 GB",
        "640 MB to 1,000 MB",
    )
    fixed, dynamic = executors_of(changed)
    assert (fixed["vcores"], fixed["count"], fixed["memory_mb"]) == (4, 1, 4 * 640)
    assert (dynamic["memory_mb"], dynamic["dynamic"]) == (2000, {"minimum": 2, "maximum": 5})
    smaller = executors_of(asked(two(), "executors", application="job:ad-hoc", vcores=1))[1]
    assert (smaller["memory_mb"], smaller["dynamic"]) == (500, {"minimum": 6, "maximum": 18})
    lines = defaults_of(changed).splitlines()
    assert "spark.executor.cores 4" in lines and "spark.dynamicAllocation.maxExecutors 5" in lines


def test_slots_and_an_overhead_that_was_set_change_in_proportion() -> None:
    scenario = two(slots=1, memory_overhead_mb=300)
    changed = asked(scenario, "executors", application="job:ad-hoc")
    size = executors_of(changed)[1]
    assert (size["slots"], size["memory_overhead_mb"]) == (2, 600)
    assert phrase("prediction.overhead_counts") in changed.caveats
    assert phrase("prediction.overhead_counts") not in asked(two(), "executors").caveats


def test_cores_memory_and_overhead_are_set_each_for_itself() -> None:
    own = {"vcores": 3, "memory_mb": 1536, "overhead_mb": 512, "number": "now"}
    changed = asked(two(), "executors", application="job:etl", **own)
    assert executors_of(changed)[0] | {"launch_s": 5} == {
        "vcores": 3,
        "memory_mb": 1536,
        "memory_overhead_mb": 512,
        "count": 4,
        "launch_s": 5,
    }
    assert changed.caveats[0] == phrase("prediction.shared_memory")
    assert "spark.executor.memoryOverhead=512m" in defaults_of(changed)
    little = asked(two(), "executors", application="job:etl", vcores=1, memory_mb=449)
    assert little.caveats[0] == phrase("prediction.too_little_memory", 450)
    same = {"application": "job:etl", "vcores": 1}
    for key, values in (("executors", same), ("instances", {"count": 4})):
        with pytest.raises(QuestionError, match=phrase("prediction.nothing_changes")):
            asked(two(), key, **values)


def test_an_executor_is_no_larger_than_a_node_or_the_largest_container() -> None:
    def changed(**cluster: Any) -> Scenario:
        plain = two().plain()
        return Scenario.of({**plain, "cluster": {**plain["cluster"], **cluster}})

    def cores(**cluster: Any) -> Any:
        return question_fields(changed(**cluster), "fair", "executors")[1]

    assert (cores().high, cores().default) == (8, 4)
    assert cores(allocation={}).high == 4  # Hadoop's default
    few = {"nodes": [{"count": 9, "memory_mb": 1500, "vcores": 8}]}
    assert cores(**few).default == 1
    with pytest.raises(QuestionError, match=phrase("prediction.executor_fits_no_node", "2.875 GB", 4)):
        asked(changed(**few), "executors", vcores=4)


@pytest.mark.parametrize("key", ["memory_mb", "overhead_mb"])
def test_memory_that_is_asked_about_changes_alone(key) -> None:
    changed = asked(two(), "executors", **{key: 1024})
    assert "proportion" not in changed.title
    field = {"memory_mb": "memory_mb", "overhead_mb": "memory_overhead_mb"}[key]
    assert executors_of(changed) == [{**job["executors"], field: 1024} for job in two().plain()["jobs"]]
