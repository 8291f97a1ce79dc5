"""The question of dynamic allocation: its numbers, and it instead of a fixed number of executors."""

from __future__ import annotations

import pytest

from engine.prediction.answer import answer, unvalidated_baseline
from engine.prediction.question import QuestionError
from engine.prediction.questions import question_fields
from engine.scenario.presets import presets
from engine.simulation.simulate import simulate
from tests.engine.prediction.spark_questions import asked, defaults_of, executors_of, two
from tests.phrases import phrase

BESIDE = next(preset.scenario for preset in presets() if preset.key == "spark-beside-mapreduce")


def test_a_maximum_serves_the_neighbour_and_costs_the_application() -> None:
    changed = asked(BESIDE, "dynamic")  # half of the 16 executors that fit on 8 nodes
    assert changed.title == phrase("prediction.maximum_instead_of_no_limit", 8)
    assert executors_of(changed)[0]["dynamic"] == {"maximum": 8}
    assert defaults_of(changed) == "spark.dynamicAllocation.maxExecutors 8\n"
    found = answer(unvalidated_baseline(BESIDE, "fair"), changed)
    assert [gain.name for gain in found.gainers("job")] == ["report"]
    assert [gain.name for gain in found.losers("job")] == ["etl"]


def test_an_application_is_changed_alone_or_all_that_allocate_dynamically() -> None:
    fixed, dynamic = executors_of(asked(two(), "dynamic", application="job:ad-hoc", maximum=5))
    assert fixed == two().plain()["jobs"][0]["executors"]
    assert dynamic["dynamic"] == {"minimum": 3, "maximum": 5}
    assert executors_of(asked(two(), "dynamic", maximum=5)) == [fixed, dynamic]
    with pytest.raises(QuestionError, match=phrase("prediction.maximum_too_small", 3, 2)):
        asked(two(), "dynamic", maximum=2)
    with pytest.raises(QuestionError, match="ad-hoc"):  # the nearest one
        asked(two(), "dynamic", application="job:ad-hok")


def test_what_is_left_empty_stays_and_says_what_it_is() -> None:
    fields = {field.key: field for field in question_fields(two(), "fair", "dynamic")}
    assert {key: (field.default, field.empty) for key, field in fields.items() if field.empty} == {
        "maximum": (4, "9"),
        "minimum": ("", "3"),
        "initial": ("", "3"),
        "idle_s": ("", "60"),
        "backlog_s": ("", "1"),
        "sustained_backlog_s": ("", "1"),
        "ratio": ("", "1"),
    }
    changed = asked(two(), "dynamic", maximum="", idle_s="10", backlog_s=5, sustained_backlog_s=2, ratio=0.5)
    assert executors_of(changed)[1]["dynamic"] == two().plain()["jobs"][1]["executors"]["dynamic"] | {
        "idle_s": 10,
        "backlog_s": 5,
        "sustained_backlog_s": 2,
        "ratio": 0.5,
    }
    with pytest.raises(QuestionError, match=phrase("prediction.nothing_changes")):
        asked(two(), "dynamic", maximum="")
    with pytest.raises(QuestionError, match="whole number"):  # Spark would cut it
        asked(two(), "dynamic", idle_s=1.5)


@pytest.mark.parametrize("given", [{"idle_s": 10}, {"ratio": 0.5}, {"tracking": "no"}])
def test_a_number_that_is_asked_about_changes_alone(given) -> None:
    assert asked(two(), "dynamic", **given) == asked(two(), "dynamic", maximum="", **given)


def test_a_time_that_spark_would_cut_is_not_taken_back() -> None:
    scenario = two(dynamic={"backlog_s": 0.5, "idle_s": 2.5})
    assert defaults_of(asked(scenario, "dynamic", application="job:ad-hoc", maximum=5))  # both stay
    timeout = "spark.dynamicAllocation.schedulerBacklogTimeout=500ms"
    with pytest.raises(QuestionError, match=phrase("prediction.whole_seconds", "ad-hoc", timeout)):
        asked(scenario, "dynamic", application="all", maximum=5)  # etl gets them
    with pytest.raises(QuestionError, match="executorIdleTimeout=2500ms"):
        asked(scenario, "dynamic", application="all", maximum=5, backlog_s=1)
    assert defaults_of(asked(scenario, "dynamic", application="all", maximum=5, backlog_s=1, idle_s=3))


def test_executors_are_removed_with_their_output_or_not() -> None:
    changed = asked(two(), "dynamic", maximum="", idle_s=10)
    assert changed.title == phrase("prediction.idle_instead", 10, 60)
    assert changed.caveats[0] == phrase("prediction.output_keeps_executors")
    without = asked(two(), "dynamic", maximum="", idle_s=10, tracking="no")
    assert without.title == changed.title + phrase("prediction.without_tracking")
    assert executors_of(without)[1]["dynamic"]["shuffle_tracking"] is False
    assert "spark.shuffle.service.enabled=true" in defaults_of(without)
    soon = two(dynamic={"shuffle_tracking": False})
    assert asked(soon, "dynamic", idle_s=10).caveats[0] != phrase("prediction.output_keeps_executors")


def test_a_fixed_number_becomes_dynamic_allocation() -> None:
    changed = asked(two(), "dynamic", application="job:etl", maximum=6)
    assert changed.title == phrase("prediction.dynamic_instead", "etl", 4, 6)
    etl = executors_of(changed)[0]
    assert etl["dynamic"] == {"maximum": 6} and "count" not in etl
    assert phrase("prediction.need_no_instances") in changed.caveats
    assert simulate(changed.scenario, "fair").status == "finished"
    every = asked(two(), "dynamic", application="all", maximum=6)
    assert "spark.dynamicAllocation.enabled true\n" in defaults_of(every)
