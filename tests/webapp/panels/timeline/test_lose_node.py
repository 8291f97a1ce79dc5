"""What if a node is lost: the scenario with that outage, or why not, in a sentence."""

from __future__ import annotations

import copy

import pytest

from engine import Scenario
from tests.phrases import phrase
from tests.webapp import measured_task
from webapp.panels.timeline.lose_node import lose, names
from webapp.runs.cache import SharedCache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest


@pytest.fixture
def task(cache: SharedCache, small: dict) -> Task:
    """Two nodes, n-1 and n-2."""
    small["cluster"]["nodes"] = [{"name": "n", "count": 2, "memory_mb": 4096, "vcores": 4}]
    return build_task(RunRequest(small, ("fifo",)))


def of(small: dict, *schedulers: str) -> dict:
    return {"scenario": small, "schedulers": list(schedulers or ("fifo",))}


def test_the_names_to_choose_from(task: Task) -> None:
    assert names(task, {}) == {"names": ["n-1", "n-2"]}


def test_one_more_outage_at_the_cursor(task: Task, small: dict) -> None:
    small["x_note"], small["cluster"]["outages"] = "mine", [{"node": "n-1", "lost_s": 3.0, "back_s": 5.0}]
    sent = {"of": of(small, "fifo", "fair"), "node": "n-2", "at": 61_250.4}
    before = copy.deepcopy(sent)
    answer = lose(task, sent)
    assert sent == before
    assert answer["says"] == "n-2 lost at 1:01" and answer["schedulers"] == ("fifo", "fair")
    outages = answer["scenario"]["cluster"]["outages"]
    assert outages == [{"node": "n-1", "lost_s": 3.0, "back_s": 5.0}, {"node": "n-2", "lost_s": 61.25}]
    assert answer["scenario"] == small | {"cluster": small["cluster"] | {"outages": outages}}
    Scenario.of(answer["scenario"])


@pytest.mark.parametrize(
    ("node", "at", "says"),
    [
        ("n-1", 4_000, phrase("timeline.not_run_lost_already_at", "n-1", 4)),
        ("n-1", 1_000, phrase("timeline.not_run_lost_already_at", "n-1", 3)),
        ("n-2", 4_000, phrase("timeline.not_run_no_node_left", 4)),
        ("m-2", 4_000, phrase("timeline.not_run_no_node_cluster", "'m-2'", "n-2")),
        ("", 0, phrase("timeline.choose_node_and_time")),
        (7, 0, phrase("timeline.choose_node_and_time")),
        ("n-2", -1, phrase("timeline.choose_node_and_time")),
        ("n-2", float("nan"), phrase("timeline.choose_node_and_time")),
        ("n-2", 1e18, phrase("timeline.choose_node_and_time")),
        ("n-2", None, phrase("timeline.choose_node_and_time")),
    ],
)
def test_what_can_t_be_lost_is_said_in_a_sentence(
    task: Task, small: dict, node: object, at: object, says: str
) -> None:
    small["cluster"]["outages"] = [{"node": "n-1", "lost_s": 3.0}]
    assert lose(task, {"of": of(small), "node": node, "at": at}) == {"because": says}


NO_SCENARIO = {"scenario": {"cluster": []}, "schedulers": ["fifo"]}


@pytest.mark.parametrize(
    "sent",
    [None, 7, {}, {"scenario": 7, "schedulers": []}, {"scenario": {}, "schedulers": "fifo"}, NO_SCENARIO],
)
def test_what_is_no_scenario_is_refused(task: Task, sent: object) -> None:
    assert list(lose(task, {"of": sent, "node": "n-1", "at": 0})) == ["because"]


def test_what_was_measured_is_left_out(cache: SharedCache, small: dict) -> None:
    small["cluster"]["nodes"][0]["count"] = 2
    task = measured_task.task(small, "measured", "fifo")
    plain, node = task.scenario.plain(), names(task, {})["names"][0]
    answer = lose(task, {"of": of(plain, "measured", "fifo"), "node": node, "at": 1_000})
    assert "measured" in plain and "measured" not in answer["scenario"] and answer["schedulers"] == ("fifo",)
    assert lose(task, {"of": of(plain, "measured"), "node": node, "at": 1_000})["because"].startswith(
        phrase("timeline.what_was_measured_stays_as")
    )
