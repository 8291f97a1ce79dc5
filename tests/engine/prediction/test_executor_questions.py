"""Questions of what Spark applications hold, and what that does to the others."""

from __future__ import annotations

from typing import Any

import pytest

from engine.prediction.answer import answer, unvalidated_baseline
from engine.prediction.question import QuestionError
from engine.prediction.questions import QUESTIONS, ChangedScenario, apply_question, question_fields
from engine.scenario.model import Scenario
from engine.scenario.presets import presets
from tests.phrases import phrase
from tests.spark_jobs import MIXED, SPARK

KEYS = [key for key, question in QUESTIONS.items() if question.framework == "spark"]
BESIDE = next(preset.scenario for preset in presets() if preset.key == "spark-beside-mapreduce")
DYNAMIC = {"memory_mb": 1000, "vcores": 2, "dynamic": {"minimum": 3, "maximum": 9}}


def two(**executors: Any) -> Scenario:
    """An application of a fixed number of executors, and one that allocates them dynamically."""
    jobs = [SPARK, {**SPARK, "name": "ad-hoc", "executors": DYNAMIC | executors}]
    nodes = [{"count": 2, "memory_mb": 8192, "vcores": 8}]
    return Scenario.of({"version": 1, "cluster": {"nodes": nodes}, "jobs": jobs})


def asked(scenario: Scenario, key: str, **values: Any) -> ChangedScenario:
    return apply_question(scenario, "fair", key, values)


def executors_of(changed: ChangedScenario) -> list[dict[str, Any]]:
    return [job["executors"] for job in changed.scenario.plain()["jobs"] if "executors" in job]


def test_they_are_about_scenarios_with_spark() -> None:
    assert KEYS == ["maximum", "idle", "executors"]
    plain = Scenario.of({**MIXED, "jobs": MIXED["jobs"][1:]})
    for key in KEYS:
        assert QUESTIONS[key].is_about(Scenario.of(MIXED)) and not QUESTIONS[key].is_about(plain)
        with pytest.raises(QuestionError):
            question_fields(plain, "fair", key)
    assert all(QUESTIONS[key].is_about(plain) for key in QUESTIONS if not QUESTIONS[key].framework)


def test_a_maximum_serves_the_neighbour_and_costs_the_application() -> None:
    changed = asked(BESIDE, "maximum")  # half of the 16 executors that fit on 8 nodes
    assert changed.title == phrase("prediction.at_most_instead_of_no_limit", 8)
    assert executors_of(changed)[0]["dynamic"] == {"maximum": 8}
    found = answer(unvalidated_baseline(BESIDE, "fair"), changed)
    assert [gain.name for gain in found.gainers("job")] == ["report"]
    assert [gain.name for gain in found.losers("job")] == ["etl"]


def test_an_application_is_changed_alone_or_all_that_have_the_field() -> None:
    fixed, dynamic = executors_of(asked(two(), "maximum", application="job:ad-hoc", maximum=5))
    assert fixed == two().plain()["jobs"][0]["executors"]
    assert dynamic["dynamic"] == {"minimum": 3, "maximum": 5}
    assert executors_of(asked(two(), "maximum", maximum=5)) == [fixed, dynamic]
    with pytest.raises(QuestionError, match=phrase("prediction.maximum_too_small", 3, 2)):
        asked(two(), "maximum", maximum=2)
    with pytest.raises(QuestionError, match="ad-hoc"):  # the nearest one
        asked(two(), "maximum", application="job:ad-hok")


def test_idle_executors_are_removed_earlier_or_later_and_with_their_output_or_not() -> None:
    changed = asked(two(), "idle")
    assert changed.title == phrase("prediction.idle_instead", 10, 60)
    assert executors_of(changed)[1]["dynamic"]["idle_s"] == 10
    assert changed.caveats[0] == phrase("prediction.output_keeps_executors")
    without = asked(two(), "idle", idle_s=10, tracking="no")
    assert without.title == changed.title + phrase("prediction.without_tracking")
    assert executors_of(without)[1]["dynamic"]["shuffle_tracking"] is False
    soon = two(dynamic={"idle_s": 10, "shuffle_tracking": False})
    assert [field.default for field in question_fields(soon, "fair", "idle")] == ["all", 60, "no"]


def test_executors_of_another_size_have_as_many_vcores_in_all() -> None:
    # of the fixed application 4 of 1 vcore, of the other 3 to 9 of 2 vcores with 384 MB of overhead
    changed = asked(two(), "executors")
    assert changed.title == phrase("prediction.other_size_instead", 4, "1 to 2")
    fixed, dynamic = executors_of(changed)
    assert (fixed["vcores"], fixed["slots"], fixed["count"], fixed["memory_mb"]) == (4, 4, 1, 4 * 640)
    assert (dynamic["memory_mb"], dynamic["memory_overhead_mb"], dynamic["slots"]) == (2000, 768, 4)
    assert dynamic["dynamic"] == {"minimum": 2, "maximum": 5}
    smaller = executors_of(asked(two(), "executors", application="job:ad-hoc", vcores=1))[1]
    assert (smaller["memory_mb"], smaller["dynamic"]) == (500, {"minimum": 6, "maximum": 18})


def test_an_executor_is_no_larger_than_a_node_or_the_largest_container() -> None:
    def largest(**cluster: Any) -> float:
        plain = two().plain()
        changed = Scenario.of({**plain, "cluster": {**plain["cluster"], **cluster}})
        return question_fields(changed, "fair", "executors")[1].high

    assert largest() == 8  # of 8 GB: 8 vcores with 1,024 MB each fit, and 8 vcores with 692 MB
    assert largest(allocation={}) == 4  # Hadoop's default
    with pytest.raises(QuestionError, match=phrase("prediction.no_room_for_two_vcores")):
        largest(nodes=[{"count": 9, "memory_mb": 1500, "vcores": 8}])
