"""What the page says it looks at: checked, and the same for all charts."""

from __future__ import annotations

import pytest

from webapp.figures import Wanted
from webapp.panels.timeline.viewport import TIMES, View, bounds, drawn, facts, mapped, passing, rows_beside, rows_seen, span
from webapp.report.best_possible import above_best
from webapp.services import runs
from webapp.services.cache import Shared
from webapp.services.runs import Task
from webapp.services.url_state import Asked


@pytest.fixture
def task(cache: Shared, small: dict) -> Task:
    return runs.task(Asked(small, ("fifo+slowstart", "fair+slowstart")))


def test_what_makes_no_sense_is_left_at_its_default() -> None:
    sent = {"window": {"x0": "a", "x1": None, "y0": 5, "y1": 2}, "highlight": "planet:mars", "width": float("nan"), "rows": {"by": 7, "opened": [1, "a"]}}
    assert View.of({"rows": 3, "window": [], "colour": ["job"], "strips": [1], "charts": 7}) == View() == View.of(None) == View.of("x")
    found = View.of(sent | {"width": "wide"})
    assert (found.window, found.seen, found.highlight, found.width) == (None, None, None, View.width)
    assert found.wanted.opened == {"a"}
    assert View.of({"width": 10**8}).width == 4000
    assert View.of({"width": -5, "height": -5, "room": -5}) == View(width=120, height=16, room=0)
    assert View.of({"rows": {"find": "x" * 500}}).wanted.find == "x" * 100


def test_what_makes_sense_is_kept() -> None:
    found = View.of(
        {"window": {"x0": 1.4, "x1": 99, "y0": 0.5, "y1": 3}, "rows": {"by": "job", "sort": "busy"}, "highlight": "job:a", "colour": "user", "dark": True,
         "strips": {"capacity": 80, "memory": 2, "planet": 9}, "charts": [0, 2, "x"]}
    )  # fmt: skip
    assert (found.window, found.seen) == ((1, 99), (0.5, 3.0))
    assert found.plain() == {"x0": 1, "x1": 99, "y0": 0.5, "y1": 3.0}
    assert (found.wanted, found.highlight, found.colour, found.dark) == (Wanted("job", "busy"), "job:a", "user", True)
    assert found.strips == (("memory", 8), ("capacity", 80))
    assert found.charts == {0, 2}
    assert View().plain() is None


def test_a_window_is_never_empty() -> None:
    assert View.of({"window": {"x0": 5.1, "x1": 5.3}}).window == (5, 6)


@pytest.mark.parametrize("sent", [None, [], {}, {"a": 1}, {"a": 2, "b": 1}, {"a": True, "b": 5}, {"a": 0, "b": float("inf")}, {"a": float("nan"), "b": 1}])
def test_a_span_is_two_ascending_numbers(sent: object) -> None:
    assert span(sent, "a", "b") is None
    assert span({"a": 1, "b": 2}, "a", "b") == (1.0, 2.0)


def test_all_charts_have_the_same_times_and_rows(task: Task) -> None:
    found = drawn(task, View(width=400, height=100))
    first, last = bounds(task)
    assert found["whole"] == {"x0": first, "x1": last, "rows": rows_seen(task, View()).count}
    assert found["looked"] == {"x0": first, "x1": last, "y0": 0, "y1": found["whole"]["rows"]}
    assert found["asked"] == {}
    assert len({tuple(chart["drawn"].values()) for chart in found["charts"].values()}) == 1


def test_whose_colours_these_are_is_said_once_for_all(task: Task) -> None:
    found = drawn(task, View(colour="job"))
    assert (found["names"], found["others"]) == (["one"], 0)
    assert 'class="g-0"' in found["charts"][1]["gantt"]
    assert drawn(task, View())["names"] == []


def test_rows_left_out_are_counted(task: Task) -> None:
    assert drawn(task, View(wanted=Wanted(find="none")))["hidden"] == 1
    assert drawn(task, View())["hidden"] == 0


def test_a_pinned_scenario_has_rows_of_its_own_on_the_same_time(task: Task, small: dict) -> None:
    small["cluster"]["nodes"][0]["count"] = 5
    both = runs.beside(task, runs.task(Asked(small, ("fifo+slowstart",))))
    own, pinned, other = both.shown
    counts = [rows_beside(both, one, View()).count for one in both.shown]
    assert counts[0] == counts[2] == rows_seen(both, View()).count < counts[1]
    found = drawn(both, View())
    assert [chart["drawn"]["y1"] for chart in found["charts"].values()] == counts
    assert len({(chart["drawn"]["x0"], chart["drawn"]["x1"]) for chart in found["charts"].values()}) == 1
    zoomed = View(seen=(0.0, 1.0))
    assert rows_beside(both, pinned, zoomed).seen is None  # these rows are others
    assert rows_beside(both, own, zoomed).seen == (0.0, 1.0)


def test_what_passes_is_drawn_as_what_is_kept(task: Task) -> None:
    view = View(width=300)
    found, kept = passing(task, task.outcomes(), view), drawn(task, view)
    assert {key: found[key] for key in kept if key != "key"} == {key: kept[key] for key in kept if key != "key"}
    assert found["facts"] == {place: facts(one, task.outcomes()) for place, one in enumerate(task.outcomes())}


def test_facts_have_units(task: Task) -> None:
    found = {fact.title: fact.value for fact in facts(task.outcomes()[0], task.outcomes())}
    assert list(found) == ["Makespan", "Mean turnaround", "Vcores used", "Memory used"]
    assert found["Makespan"].count(":") == found["Mean turnaround"].count(":") == 1
    assert found["Vcores used"].endswith(" %")


def test_times_say_how_far_they_are_above_the_best(task: Task) -> None:
    outcome = task.outcomes()[0]
    found = {fact.title: fact for fact in facts(outcome, [outcome])}
    for title, metric in TIMES:
        above = above_best(outcome, metric)
        assert (found[title].beside, found[title].about) == (above.sign, above.about)
    assert found["Vcores used"].beside == ""


def test_the_map_follows_scheme_and_highlight(task: Task) -> None:
    every = {mapped(task, view) for view in (View(), View(dark=True), View(highlight="phase:map"), View(colour="job"))}
    assert len(every) == 4
