"""What the page says it looks at: checked, and the same for all charts."""

from __future__ import annotations

import pytest

from webapp.figures import RowOptions
from webapp.panels.timeline.viewport import (
    TIMES,
    View,
    ascending_pair,
    bounds,
    facts,
    minimap_image,
    preview,
    render_view,
    rows_of_chart,
    visible_rows,
)
from webapp.report.optimality_gap import gap_of
from webapp.runs.cache import SharedCache
from webapp.runs.task import Task, build_task, with_pinned
from webapp.url.url_state import RunRequest


@pytest.fixture
def task(cache: SharedCache, small: dict) -> Task:
    return build_task(RunRequest(small, ("fifo+slowstart", "fair+slowstart")))


def test_what_makes_no_sense_is_left_at_its_default() -> None:
    sent = {
        "window": {"x0": "a", "x1": None, "y0": 5, "y1": 2},
        "highlight": "planet:mars",
        "width": float("nan"),
        "rows": {"by": 7, "opened": [1, "a"]},
    }
    assert (
        View.of({"rows": 3, "window": [], "colour": ["job"], "strips": [1], "charts": 7})
        == View()
        == View.of(None)
        == View.of("x")
    )
    result = View.of(sent | {"width": "wide"})
    assert (result.window, result.seen, result.highlight, result.width) == (None, None, None, View.width)
    assert result.wanted.opened == {"a"}
    assert View.of({"width": 10**8}).width == 4000
    assert View.of({"width": -5, "height": -5, "room": -5}) == View(width=120, height=16, margin=0)
    assert View.of({"rows": {"find": "x" * 500}}).wanted.find == "x" * 100


def test_what_makes_sense_is_kept() -> None:
    result = View.of(
        {
            "window": {"x0": 1.4, "x1": 99, "y0": 0.5, "y1": 3},
            "rows": {"by": "job", "sort": "busy"},
            "highlight": "job:a",
            "colour": "user",
            "dark": True,
            "strips": {"capacity": 80, "memory": 2, "planet": 9},
            "charts": [0, 2, "x"],
        }
    )
    assert (result.window, result.seen) == ((1, 99), (0.5, 3.0))
    assert result.plain() == {"x0": 1, "x1": 99, "y0": 0.5, "y1": 3.0}
    assert (result.wanted, result.highlight, result.colour, result.dark) == (
        RowOptions("job", "busy"),
        "job:a",
        "user",
        True,
    )
    assert result.strips == (("memory", 8), ("capacity", 80))
    assert result.charts == {0, 2}
    assert View().plain() == {}


def test_a_window_is_never_empty() -> None:
    assert View.of({"window": {"x0": 5.1, "x1": 5.3}}).window == (5, 6)


@pytest.mark.parametrize(
    "sent",
    [
        None,
        [],
        {},
        {"a": 1},
        {"a": 2, "b": 1},
        {"a": True, "b": 5},
        {"a": 0, "b": float("inf")},
        {"a": float("nan"), "b": 1},
    ],
)
def test_a_span_is_two_ascending_numbers(sent: object) -> None:
    assert ascending_pair(sent, "a", "b") is None
    assert ascending_pair({"a": 1, "b": 2}, "a", "b") == (1.0, 2.0)


def test_all_charts_have_the_same_times_and_rows(task: Task) -> None:
    result = render_view(task, View(width=400, height=100))
    first, last = bounds(task)
    assert result["whole"] == {"x0": first, "x1": last, "rows": visible_rows(task, View()).row_count}
    assert result["looked"] == {"x0": first, "x1": last, "y0": 0, "y1": result["whole"]["rows"]}
    assert result["asked"] == {}
    assert len({tuple(chart["drawn"].values()) for chart in result["charts"].values()}) == 1


def test_whose_colours_these_are_is_said_once_for_all(task: Task) -> None:
    result = render_view(task, View(colour="job"))
    assert (result["names"], result["others"]) == (["one"], 0)
    assert 'class="g-0"' in result["charts"][1]["gantt"]
    assert render_view(task, View())["names"] == []


def test_rows_left_out_are_counted(task: Task) -> None:
    assert render_view(task, View(wanted=RowOptions(find="none")))["hidden"] == 1
    assert render_view(task, View())["hidden"] == 0


def test_a_pinned_scenario_has_rows_of_its_own_on_the_same_time(task: Task, small: dict) -> None:
    small["cluster"]["nodes"][0]["count"] = 5
    both = with_pinned(task, build_task(RunRequest(small, ("fifo+slowstart",))))
    own, pinned, other = both.shown
    counts = [rows_of_chart(both, one, View()).row_count for one in both.shown]
    assert counts[0] == counts[2] == visible_rows(both, View()).row_count < counts[1]
    result = render_view(both, View())
    assert [chart["drawn"]["y1"] for chart in result["charts"].values()] == counts
    assert len({(chart["drawn"]["x0"], chart["drawn"]["x1"]) for chart in result["charts"].values()}) == 1
    zoomed = View(seen=(0.0, 1.0))
    assert rows_of_chart(both, pinned, zoomed).seen is None  # these rows are others
    assert rows_of_chart(both, own, zoomed).seen == (0.0, 1.0)


def test_what_passes_is_drawn_as_what_is_kept(task: Task) -> None:
    view = View(width=300)
    result, rendered = preview(task, task.outcomes(), view), render_view(task, view)
    assert {key: result[key] for key in rendered if key != "key"} == {
        key: rendered[key] for key in rendered if key != "key"
    }
    assert result["facts"] == {
        place: facts(one, task.outcomes()) for place, one in enumerate(task.outcomes())
    }


def test_facts_have_units(task: Task) -> None:
    result = {fact.title: fact.value for fact in facts(task.outcomes()[0], task.outcomes())}
    assert list(result) == ["Makespan", "Mean turnaround", "Vcores", "Memory"]
    assert result["Makespan"].count(":") == result["Mean turnaround"].count(":") == 1
    assert result["Vcores"].endswith(" %")


def test_times_say_how_far_they_are_above_the_best(task: Task) -> None:
    outcome = task.outcomes()[0]
    result = {fact.title: fact for fact in facts(outcome, [outcome])}
    for title, metric in TIMES:
        above = gap_of(outcome, metric)
        assert (result[title].beside, result[title].about) == (above.sign, above.about)
    assert result["Vcores"].beside == ""


def test_the_map_follows_scheme_and_highlight(task: Task) -> None:
    images = {
        minimap_image(task, view)
        for view in (View(), View(dark=True), View(highlight="phase:map"), View(colour="job"))
    }
    assert len(images) == 4
