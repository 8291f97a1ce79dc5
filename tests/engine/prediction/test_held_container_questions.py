"""Questions of what Tez holds its containers for, and what that does to the others."""

from __future__ import annotations

from typing import Any

import pytest

from engine.prediction.answer import answer, unvalidated_baseline
from engine.prediction.question import QuestionError
from engine.prediction.questions import QUESTIONS, ChangedScenario, apply_question, question_fields
from engine.scenario.model import Scenario
from engine.scenario.presets import presets
from tests.phrases import phrase
from tests.spark_jobs import MIXED
from tests.tez_jobs import TEZ, tez_scenario

KEYS = [key for key, question in QUESTIONS.items() if question.framework == "tez"]
SESSION = next(preset.scenario for preset in presets() if preset.key == "tez-session")


def asked(scenario: Scenario, key: str, **values: Any) -> ChangedScenario:
    return apply_question(scenario, "fair", key, values)


def containers_of(changed: ChangedScenario) -> list[dict[str, Any]]:
    return [job["containers"] for job in changed.scenario.plain()["jobs"] if "containers" in job]


def test_they_are_about_scenarios_with_tez() -> None:
    assert KEYS == ["reuse", "kept"]
    for key in KEYS:
        assert QUESTIONS[key].is_about(SESSION) and not QUESTIONS[key].is_about(Scenario.of(MIXED))
        with pytest.raises(QuestionError, match=phrase("prediction.none_of_tez")):
            question_fields(Scenario.of(MIXED), "fair", key)


def test_without_reuse_each_task_has_a_container_of_its_own() -> None:
    changed = asked(SESSION, "reuse")
    assert changed.title == phrase("prediction.without_reuse")
    assert containers_of(changed) == [{"reuse": False}]
    again = asked(changed.scenario, "reuse")
    assert again.title == phrase("prediction.with_reuse")
    assert containers_of(again) == [{}]
    with pytest.raises(QuestionError, match=phrase("prediction.choice_of_reuse")):
        asked(SESSION, "reuse", reuse="perhaps")
    with pytest.raises(QuestionError, match=phrase("prediction.none_reused")):
        question_fields(changed.scenario, "fair", "kept")


def test_idle_containers_kept_for_longer_cost_the_neighbour() -> None:
    changed = asked(SESSION, "kept")
    assert changed.title == phrase("prediction.kept_instead", 60, 5, 10)
    assert containers_of(changed) == [{"idle_minimum_s": 60.0, "idle_maximum_s": 60.0}]
    found = answer(unvalidated_baseline(SESSION, "fair"), changed)
    assert [loser.name for loser in found.losers("job")][:1] == ["load"]
    assert [field.default for field in question_fields(changed.scenario, "fair", "kept")] == [
        "all",
        5.0,
        10.0,
    ]


def test_an_application_is_changed_alone_and_keeps_what_else_it_says() -> None:
    both = tez_scenario(TEZ | {"name": "other", "containers": {"reuse": False}})
    first, second = containers_of(asked(both, "kept", application="job:query", least_s=1, most_s=2))
    assert first == {**TEZ["containers"], "idle_minimum_s": 1, "idle_maximum_s": 2}
    assert second == {"reuse": False}
    with pytest.raises(QuestionError, match=phrase("prediction.most_is_less", 3, 2)):
        asked(both, "kept", least_s=3, most_s=2)
    with pytest.raises(QuestionError, match="query"):  # the nearest one
        asked(both, "kept", application="job:querry")
    assert [choice.value for choice in question_fields(both, "fair", "kept")[0].choices] == [
        "all",
        "job:query",
    ]
