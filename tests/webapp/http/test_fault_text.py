"""Errors name the place on the page, not a path in a file."""

from __future__ import annotations

import pytest

from engine import ScenarioError, SchedulerError
from engine.dashboard import Fault
from tests.phrases import phrase
from webapp.http.fault_text import error_text, fault_text, path_text, sentence_text

SCENARIO = {
    "cluster": {"nodes": [{"name": "a2115"}, {"name": 5}]},
    "queues": [{"name": "root.a"}],
    "jobs": [{"maps": {}}],
}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("cluster.nodes[0].memory_mb", "Node group a2115, memory"),
        ("cluster.nodes[1].vcores", "Node group 2, vcores"),
        ("cluster.nodes[7]", "Node group 8"),
        ("cluster.heartbeat_ms", "Heartbeat"),
        ("cluster.shuffle_mb_s", "Shuffle"),
        ("queues[0].weight", "Queue root.a, weight"),
        ("jobs[0].maps.duration_s", "Job 1, maps duration"),
        ("jobs[0].am.memory_mb", "Job 1, ApplicationMaster memory"),
        ("schedulers", "Schedulers"),
        ("", "Scenario"),
    ],
)
def test_a_path_in_words(path: str, words: str) -> None:
    assert path_text(path, SCENARIO) == words


@pytest.mark.parametrize(
    "scenario", [None, 5, [], {"cluster": 5}, {"cluster": {"nodes": {}}}, {"cluster": {"nodes": [7]}}]
)
def test_whatever_the_scenario_is(scenario: object) -> None:
    assert path_text("cluster.nodes[0].memory_mb", scenario) == "Node group 1, memory"


def test_the_text_of_an_error() -> None:
    fault = Fault("cluster.nodes[0].memory_mb", "must be a number")
    assert fault_text(fault, SCENARIO) == phrase("services.node_group_memory_must_be", "a2115")
    assert error_text(ScenarioError([fault, Fault("seed", "x")]), SCENARIO) == phrase(
        "services.node_group_memory_must_be", "a2115"
    )
    assert error_text(SchedulerError("There is no order x"), SCENARIO) == "There is no order x"


def test_a_sentence_keeps_what_is_no_path() -> None:
    assert sentence_text("jobs[0].maps.memory_mb: 9 fits no node") == phrase(
        "services.job_maps_memory_fits_no", 1, 9
    )
    for sentence in (phrase("services.maps_wait_for_ever_node", 2, 1), phrase("services.there_no_order_x")):
        assert sentence_text(sentence) == sentence
