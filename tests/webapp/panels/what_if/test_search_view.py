"""A search's answer as the page shows it: sentences with titles, the trade-off curve, what is opened, and nothing for hostile bodies."""

from __future__ import annotations

from typing import Any

import pytest
from dash.development.base_component import Component

from engine import SearchResult, run_search
from tests.phrases import phrase
from webapp.panels.what_if import search_form, search_view, search_words
from webapp.services import runs, searches
from webapp.services.cache import Shared
from webapp.services.searches import SearchAsk
from webapp.services.tasks import Cancelled, Progress, TaskControl
from webapp.services.url_state import Asked

NODES = {"path": "cluster.nodes[0].count", "low": 1, "high": 3, "step": 1}
USE = "memory_utilization"


@pytest.fixture
def task(cache: Shared, small: dict) -> runs.Task:
    small["jobs"][0]["maps"] |= {"count": 8, "duration_s": {"dist": "exponential", "mean": 10}}
    found = runs.task(Asked(small, ("fifo", "fair")))
    runs.keep(found).result()
    return found


def asked(task: runs.Task, **changes: Any) -> dict[str, Any]:
    plain = {"key": task.key, "vary": [NODES], "objectives": ["makespan_s"], "constraints": [], "held": [], "scheduler": "fifo"}
    return SearchAsk.of(plain | {"trials": 20, "seeds": 2, "jitter": 0} | changes).plain()


def found_of(task: runs.Task, **changes: Any) -> SearchResult:
    return run_search(searches.search_of(SearchAsk.of(asked(task, **changes)), task))


def shown(found: SearchResult) -> str:
    """The text of the answer."""
    return " ".join(text_of(part) for part in search_view.answered(found, search_words.by_path(found.search)))


def text_of(part: Any) -> str:
    if isinstance(part, (list, tuple)):
        return " ".join(map(text_of, part))
    return text_of(part.children) if isinstance(part, Component) else str(part) if part is not None else ""


def test_one_metric_is_answered_in_sentences_with_titles(task: runs.Task) -> None:
    said = shown(found_of(task))
    assert "instead of 1" in said and NODES["path"] not in said
    assert "better for sure" in said and "Open this setting" in said and "Tried all 3 settings" in said


def test_where_nothing_holds_the_nearest_is_said(task: runs.Task) -> None:
    """No node count ends eight maps of about 10 s within a second."""
    said = shown(found_of(task, constraints=[{"metric": "makespan_s", "way": "most", "text": "1 s"}]))
    assert phrase("what_if.no_setting_was_tried_holds") in said and "broken by" in said and NODES["path"] not in said


def test_two_metrics_are_a_table_and_a_picture(task: runs.Task) -> None:
    found = found_of(task, objectives=["makespan_s", "killed_containers"], scheduler="")
    known = search_words.by_path(found.search)
    made = search_view.picture(found, known, False, 700)
    assert {trace["name"] for trace in made.figure["data"]} >= {"Best trade-offs"}
    assert len(made.table) == len(found.trials) == 6
    table = search_view.table(found, known)
    assert len(table.children[2].children) >= len(found.front)


def test_what_is_opened_is_the_trial_and_what_is_pinned_the_present_setting(task: runs.Task) -> None:
    found = found_of(task)
    made = search_view.opened(found, found.best.trial.number)
    assert made["draft"]["scenario"]["cluster"]["nodes"][0]["count"] == found.best.trial.changed[NODES["path"]]
    assert made["pinned"]["scenario"]["cluster"]["nodes"][0]["count"] == 1
    assert (made["draft"]["schedulers"], made["pinned"]["schedulers"]) == (["fifo"], ["fifo"])
    assert [search_view.opened(found, number) for number in (99, -1, "1", None, True, [])] == [None] * 6


def test_what_was_found_until_it_was_ended_is_shown_with_its_sentence(task: runs.Task) -> None:
    class Ends(TaskControl):
        def report(self, done: int, now: str) -> None:
            if now.startswith("2 of 3"):
                self.halt.ask()

    plain = asked(task)
    with pytest.raises(Cancelled):
        searches._do_search(plain, Ends(100, here=True))
    store, says, work, hidden, _ = search_form._followed({"id": "f" * 16, "asked": plain}, Progress(2, 100, "", "cancelled"))
    assert (says, work, hidden, store["ended"]) == (search_form.ENDED, None, True, True)
    assert phrase("what_if.was_not_run_on_others") in shown(search_view.looked_up(store)) or "Tried 2 of 3" in shown(search_view.looked_up(store))
    assert search_form._begun(plain | {"ended": True})[1] == search_form.ENDED


def test_a_search_without_its_library_says_so_in_one_sentence() -> None:
    because = phrase("common.search_needs_optuna_pip_install", "'gantry[search]'")
    assert search_form._followed({"id": "f" * 16, "asked": None}, Progress(0, 9, "", "failed", because))[1] == because


def test_the_price_says_how_much_is_tried(task: runs.Task) -> None:
    """3 settings x 2 seeds, and two settings over 30 fresh ones: 66 runs."""
    assert search_form.priced(asked(task)).startswith(phrase("what_if.all_settings_seeds_answer_compared", 3, 2, 30, 66))
    assert search_form.priced(asked(task) | {"vary": []}) == f"Vary: {searches.NO_SLIDER}"


@pytest.mark.parametrize("wish", [5, [], "all", {}, {"key": []}, {"vary": {}}, {"objectives": [{}]}, {"trials": None}, {"held": 1}])
def test_hostile_bodies_give_sentences(task: runs.Task, wish: Any) -> None:
    for said in (search_form.priced(wish), search_form._begun(wish)[1]):
        assert said and "Traceback" not in said
    for body in (wish, {"asked": wish}, None):
        assert search_view.looked_up(body) is None
