"""A search's answer as the page shows it: sentences with titles, the trade-off curve, what is opened, and
nothing for hostile bodies.
"""

from __future__ import annotations

from typing import Any

import pytest
from dash.development.base_component import Component

from engine import run_search
from engine.dashboard import SearchResult
from tests.phrases import phrase
from webapp.jobs import searches
from webapp.jobs.job_manager import Cancelled, JobControl, Progress
from webapp.jobs.searches import SearchRequest
from webapp.panels import long_work
from webapp.panels.long_work import Begun
from webapp.panels.what_if import search_form, search_view, search_words
from webapp.runs import saved_tasks
from webapp.runs.cache import SharedCache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

NODES = {"path": "cluster.nodes[0].count", "low": 1, "high": 3, "step": 1}
USE = "memory_utilization"


@pytest.fixture
def task(cache: SharedCache, small: dict) -> Task:
    small["jobs"][0]["maps"] |= {"count": 8, "duration_s": {"dist": "exponential", "mean": 10}}
    result = build_task(RunRequest(small, ("fifo", "fair")))
    saved_tasks.save_task(result).result()
    return result


def asked(task: Task, **changes: Any) -> dict[str, Any]:
    plain = {
        "key": task.key,
        "vary": [NODES],
        "objectives": ["makespan_s"],
        "constraints": [],
        "held": [],
        "scheduler": "fifo",
    }
    return SearchRequest.of(plain | {"trials": 20, "seeds": 2, "jitter": 0} | changes).plain()


def result_of(task: Task, **changes: Any) -> SearchResult:
    return run_search(searches.build_search(SearchRequest.of(asked(task, **changes)), task))


def shown(result: SearchResult) -> str:
    """The text of the answer."""
    return " ".join(
        text_of(part) for part in search_view.answer_content(result, search_words.by_path(result.search))
    )


def text_of(part: Any) -> str:
    if isinstance(part, (list, tuple)):
        return " ".join(map(text_of, part))
    return text_of(part.children) if isinstance(part, Component) else str(part) if part is not None else ""


def test_one_metric_is_answered_in_sentences_with_titles(task: Task) -> None:
    text = shown(result_of(task))
    assert "instead of 1" in text and NODES["path"] not in text
    assert "better for sure" in text and "Open this setting" in text and "Tried all 3 settings" in text


def test_where_nothing_holds_the_nearest_is_said(task: Task) -> None:
    """No node count ends eight maps of about 10 s within a second."""
    text = shown(result_of(task, constraints=[{"metric": "makespan_s", "way": "most", "text": "1 s"}]))
    assert (
        phrase("what_if.no_setting_was_tried_holds") in text
        and "violated by" in text
        and NODES["path"] not in text
    )


def test_two_metrics_are_a_table_and_a_picture(task: Task) -> None:
    result = result_of(task, objectives=["makespan_s", "killed_containers"], scheduler="")
    tunables_by_path = search_words.by_path(result.search)
    picture = search_view.picture(result, tunables_by_path, False, 700)
    assert {trace["name"] for trace in picture.figure["data"]} >= {"Best trade-offs"}
    assert len(picture.table) == len(result.trials) == 6
    table = search_view.table(result, tunables_by_path)
    assert len(table.children[2].children) >= len(result.front)


def test_what_is_opened_is_the_trial_and_what_is_pinned_the_present_setting(task: Task) -> None:
    result = result_of(task)
    picture = search_view.opened(result, result.best.trial.number)
    assert (
        picture["draft"]["scenario"]["cluster"]["nodes"][0]["count"]
        == result.best.trial.changed[NODES["path"]]
    )
    assert picture["pinned"]["scenario"]["cluster"]["nodes"][0]["count"] == 1
    assert (picture["draft"]["schedulers"], picture["pinned"]["schedulers"]) == (["fifo"], ["fifo"])
    assert [search_view.opened(result, number) for number in (99, -1, "1", None, True, [])] == [None] * 6


def test_what_was_found_until_it_was_ended_is_shown_with_its_sentence(task: Task) -> None:
    class Ends(JobControl):
        def report(self, done: int, now: str) -> None:
            if now.startswith("2 of 3"):
                self.cancel_token.cancel()

    plain = asked(task)
    with pytest.raises(Cancelled):
        searches._do_search(plain, Ends(100, is_local=True))
    begun = Begun("f" * 16, Progress(2, 100, "", "cancelled"), plain)
    answer = long_work.status(search_form.WORK, begun, {})
    store = answer["found"]
    assert (answer["says"], store) == (search_form.WORK.cancelled, {"asked": plain, "ended": True})
    assert phrase("what_if.was_not_run_on_others") in shown(
        search_view.stored_result(store)
    ) or "Tried 2 of 3" in shown(search_view.stored_result(store))
    assert long_work.start(search_form.WORK, plain | {"ended": True}) == answer


def test_a_search_without_its_library_says_so_in_one_sentence() -> None:
    because = phrase("common.search_needs_optuna_pip_install", "'gantry-yarn[search]'")
    begun = Begun("f" * 16, Progress(0, 9, "", "failed", because), None)
    assert long_work.status(search_form.WORK, begun, {})["says"] == because


def test_the_price_says_how_much_is_tried(task: Task) -> None:
    """3 settings x 2 seeds, and two settings over 30 fresh ones: 66 runs."""
    assert search_form.price_or_reason(asked(task)).startswith(
        phrase("what_if.all_settings_seeds_answer_compared", 3, 2, 30, 66)
    )
    assert search_form.price_or_reason(asked(task) | {"vary": []}) == f"Vary: {searches.NO_SLIDER}"


@pytest.mark.parametrize(
    "wish", [5, [], "all", {}, {"key": []}, {"vary": {}}, {"objectives": [{}]}, {"trials": None}, {"held": 1}]
)
def test_hostile_bodies_give_sentences(task: Task, wish: Any) -> None:
    for text in (search_form.price_or_reason(wish), long_work.start(search_form.WORK, wish)["says"]):
        assert text and "Traceback" not in text
    for body in (wish, {"asked": wish}, None):
        assert search_view.stored_result(body) is None
