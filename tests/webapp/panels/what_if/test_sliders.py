"""The answers to movements, and the words of curves and goals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engine import METRICS, Scenario, quantities, simulate, tunables
from engine.dashboard import (
    ALREADY,
    FOUND,
    OUT_OF_REACH,
    GoalAnswer,
    Metric,
    ParameterSweep,
    SweepPoint,
    apply_overrides,
)
from tests.phrases import phrase
from tests.webapp.handmade_runs import numbers
from webapp import theme
from webapp.jobs.whatif import CurveGoal, CurveRequest, CurveResult
from webapp.panels.timeline import viewport
from webapp.panels.what_if import slider_text, sliders, sweep_text
from webapp.panels.what_if.sweep_curve import curve_card
from webapp.runs import run_cache, saved_tasks
from webapp.runs.cache import SharedCache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

MAKESPAN = METRICS[0]
NODES = "cluster.nodes[0].count"


@pytest.fixture
def task(cache: SharedCache, small: dict) -> Task:
    result = build_task(RunRequest(small, ("fifo", "fair")))
    saved_tasks.save_task(result)
    return result


def result_of(
    task: Task,
    columns: list[list[float | None]],
    answers: list[GoalAnswer] | None = None,
    bound: float | None = None,
) -> CurveResult:
    """A curve over 1, 2 and 3 nodes, at 1 now."""
    points = [
        [
            SweepPoint(None, "nodes: too few.") if number is None else SweepPoint({"makespan_s": number})
            for number in column
        ]
        for column in columns
    ]
    goal = CurveGoal("makespan_s", bound) if bound is not None else None
    ask = CurveRequest(key=task.key, path=NODES, first=1, last=3, step=1, present=1, whole=True, goal=goal)
    now = [None if column[0] is None else {"makespan_s": column[0]} for column in columns]
    return CurveResult(ask, ParameterSweep(NODES, [1, 2, 3], list(task.names), points), now, answers or [])


def tunable(task: Task):
    return next(one for one in tunables(task.scenario, task.schedulers) if one.path == NODES)


def test_an_answer_has_charts_with_the_facts_of_their_heads(task):
    change = {"path": NODES, "value": 2}
    result = sliders.answer({"key": task.key, "changes": [change], "draw": True, "width": 400, "height": 100})
    assert set(result["charts"]) == {0, 1} and all(
        chart["gantt"].startswith("<svg") for chart in result["charts"].values()
    )
    assert [title for title, *_ in result["facts"][0]] == [
        title for title, *_ in viewport.TIMES + viewport.FACTS
    ]
    moved = simulate(Scenario.of(apply_overrides(task.scenario.plain(), ["fifo"], [(NODES, 2)])[0]), "fifo")
    assert result["facts"][0][0][1] == quantities.clock((moved.until_ms - moved.first_ms) / 1000)
    assert sliders.answer({"key": task.key, "changes": [change]}) == {"schedulers": ("fifo", "fair")}


def test_at_rest_an_answer_is_what_is_run_as_the_user_has_it_and_in_words(task, small):
    small["x_ours"] = ["jobs[0].weight"]
    changes = [{"path": NODES, "value": 2}, {"path": "schedulers[*].slowstart.at", "value": 0.5}]
    asked = {
        "rest": True,
        "key": task.key,
        "of": {"scenario": small, "schedulers": ["fifo", "fair"]},
        "changes": changes,
    }
    result = sliders.answer(asked)
    scenario, names = apply_overrides(
        small, ["fifo", "fair"], [(NODES, 2), ("schedulers[*].slowstart.at", 0.5)]
    )
    assert (result["scenario"], result["schedulers"]) == (scenario, list(names))
    assert result["says"] == phrase(
        "what_if.instead_all_schedulers_slow_start", tunable(task).title, 2, 1, 0.5
    )
    assert sliders.answer(asked | {"key": "0" * 16})["says"] == ""  # the run is forgotten, the change is not
    assert (
        "no entry 7"
        in sliders.answer(asked | {"changes": [{"path": "cluster.nodes[7].count", "value": 2}]})["because"]
    )
    assert sliders.answer(asked | {"of": 3})["because"] == phrase("what_if.there_no_scenario_in")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"changes": "x"}, phrase("services.cant_be_read")),
        ({"changes": [{"path": "cluster.nodes[9].count", "value": 1}]}, "no entry 9"),
        ({"changes": [{"path": NODES, "value": 0}]}, phrase("common.must_be_at_least", 0, 1)),
        (
            {
                "changes": [{"path": NODES, "value": 2}],
                "draw": True,
                "left": float("nan"),
                "plot": "x",
                "window": {"x0": 5, "x1": 1},
                "highlight": 3,
            },
            None,
        ),
    ],
)
def test_nonsense_is_answered_in_a_sentence(task, asked, says):
    result = sliders.answer({"key": task.key} | asked)
    assert says in result["because"] if says else "charts" in result


def test_what_is_forgotten_is_said(task):
    assert sliders.answer({}) == sliders.answer({"key": "0" * 16}) == {"forgotten": True}


def test_the_best_is_the_nearest_of_equal_ones_at_which_the_fewest_jobs_are_given_up(task):
    def best(
        column: list[float | None], metric: Metric = MAKESPAN, refused: Sequence[int] = ()
    ) -> int | None:
        result = result_of(task, [column])
        for place in refused:
            point = result.sweep.points[0][place]
            assert point and point.metrics
            point.metrics["refused_jobs"] = 1
        return sweep_text.best_index(result, 0, column, metric)

    assert best([3, 9, 3]) == 0 and best([5, 3, 3]) == 1
    assert best([5, 8, 1], MAKESPAN._replace(better="larger")) == 1
    assert best([5, 5, 5]) is None and best([None, None, None]) is None
    assert best([5, 3, 4], refused=[1]) == 2 and best([5, 3, 4], refused=[0, 1, 2]) == 1
    assert best([5, 3, 4], refused=[1, 2]) == 0, "the only one"


def test_the_story_tells_best_present_and_gaps(task):
    columns = [[30, 20, 10], [None, 20, 20]]
    assert sweep_text.story(tunable(task), result_of(task, columns), columns, MAKESPAN) == (
        phrase("what_if.best_at_nodes_in_brackets", 3, 1, 10, 30, 20, 1)
    )
    columns = [[None] * 3, [30, 20, 10]]
    assert phrase("what_if.no_value_anywhere_fifo") in sweep_text.story(
        tunable(task), result_of(task, columns), columns, MAKESPAN
    )


def test_schedulers_that_are_alike_are_named_together_once(task):
    columns = [[30, 20, 10], [30, 20, 10]]
    result = result_of(task, columns, [GoalAnswer(FOUND, 2, 20, 1)] * 2, 20)
    assert sweep_text.story(tunable(task), result, columns, MAKESPAN) == phrase(
        "what_if.best_at_nodes_in_brackets_at", 3, 1, 10, 30
    )
    assert sweep_text.answers(result, tunable(task), MAKESPAN) == [
        phrase("what_if.all_schedulers_nodes_instead_node", 2, 1, 20, 1)
    ]
    _, card = curve_card(result, tunable(task), MAKESPAN, False, 700)
    curves = [trace for trace in card.children[2].children.figure["data"] if trace["mode"] == "lines+markers"]
    assert [trace["name"] for trace in curves] == ["fifo = fair"]
    assert sweep_text.scheduler_names(result, [1]) == "fair"


def test_a_curve_has_its_schedulers_colour_where_those_before_it_are_alike(small, cache):
    task = build_task(RunRequest(small, ("fifo", "fair", "drf")))
    columns = [[30, 20, 10], [30, 20, 10], [9, 8, 7]]
    [_, card] = curve_card(result_of(task, columns), tunable(task), MAKESPAN, False, 700)
    curves = [trace for trace in card.children[2].children.figure["data"] if trace["mode"] == "lines+markers"]
    assert [(trace["name"], trace["line"]["color"]) for trace in curves] == [
        ("fifo = fair", theme.scheduler(0, False)),
        ("drf", theme.scheduler(2, False)),
    ]


def test_answers_say_what_was_looked_at(task):
    result = result_of(task, [[30, 20, 10], [30, 30, 30]])
    say = lambda one: sweep_text.answer("fifo", one, result, tunable(task), MAKESPAN)
    assert say(GoalAnswer(ALREADY, 1, 30)) == phrase("what_if.fifo_already_reached_makespan_s", 30, 1)
    assert say(GoalAnswer(FOUND, 2, 20, 1)) == phrase("what_if.fifo_nodes_instead_node_makespan", 2, 1, 20, 1)
    halved = say(GoalAnswer(FOUND, 2, 20, 1, 8, True))
    assert halved.endswith(phrase("what_if.not_yet_at_node_values", 1, 8))
    assert say(GoalAnswer(OUT_OF_REACH, best=3, best_metric=10)) == phrase(
        "what_if.fifo_not_within_range_nearest", 10, 3
    )
    assert sweep_text.tried_text(result, tunable(task)).startswith(
        phrase("what_if.tried_values_from_node_nodes", 3, 1, 3)
    )


def test_the_card_has_a_line_a_scheduler_a_goal_and_a_table(task):
    result = result_of(
        task, [[30, 20, 10], [None, 20, 20]], [GoalAnswer(FOUND, 2, 20, 1), GoalAnswer(FOUND, 2, 20, 1)], 20
    )
    answers, card = curve_card(result, tunable(task), MAKESPAN, False, 700)
    assert len(answers.children[0].children) == 1  # the same holds of both
    figure = card.children[2].children.figure
    curves = [trace for trace in figure["data"] if trace["mode"] == "lines+markers"]
    assert [trace["name"] for trace in curves] == ["fifo", "fair"]
    assert len({(trace["line"]["dash"], trace["marker"]["symbol"]) for trace in curves}) == 2
    assert [trace["line"]["color"] for trace in curves] == [theme.scheduler(place, False) for place in (0, 1)]
    assert numbers(curves[0]["y"]).tolist() == [30, 20, 10]
    assert np.isnan(numbers(curves[1]["y"])[0])
    assert curves[1]["connectgaps"] is False
    stars = [(trace["x"], trace["y"]) for trace in figure["data"] if trace["marker"]["symbol"] == "star"]
    assert stars == [([3.0], [10.0])]
    goal = [shape for shape in figure["layout"]["shapes"] if shape["yref"] == "y"]
    assert [shape["y0"] for shape in goal] == [20]
    assert figure["layout"]["yaxis"]["title"]["text"] == "Makespan (m:ss)"
    table = sweep_text.table(
        tunable(task), [1, 2, 3], ["fifo", "fair"], [[30, 20, 10], [None, 20, 20]], MAKESPAN
    )
    assert table[0] == {
        "n: nodes" if task.scenario.cluster.nodes[0].name else "node1: nodes": 1,
        "fifo (s)": 30,
        "fair (s)": "–",
    }


def test_a_curve_without_any_value_is_drawn_empty(task):
    result = result_of(task, [[None] * 3, [None] * 3])
    _, card = curve_card(result, tunable(task), MAKESPAN, True, 360)
    assert (
        card.children[2].children.figure["layout"]["yaxis"]["range"][0]
        < card.children[2].children.figure["layout"]["yaxis"]["range"][1]
    )


def test_values_in_words(task):
    tunables_by_path = {one.path: one for one in tunables(task.scenario, task.schedulers)}
    memory, nodes = tunables_by_path["cluster.nodes[0].memory_mb"], tunables_by_path["cluster.nodes.total"]
    assert slider_text.label(memory).endswith(phrase("what_if.memory_node_mb"))
    assert slider_text.label(nodes) == "Nodes, total"
    assert slider_text.value_text(4, nodes) == "4"
    assert slider_text.value_text(None, tunables_by_path["schedulers[*].slowstart.at"]) == "ramp-up"
    assert slider_text.value_text("memory", tunables_by_path["schedulers[0].fifo.resources"]) == "memory"
    assert slider_text.base(task)["tunables"][0]["text"] == str(nodes.value)
    assert slider_text.choices(task)[0]["items"][0] == {
        "value": "cluster.nodes.total",
        "label": "Nodes, total",
    }


def test_a_movement_that_takes_long_is_drawn_once_it_rests(task, monkeypatch):
    monkeypatch.setattr(run_cache, "preview", lambda *_: None)
    assert sliders.answer(
        {"key": task.key, "changes": [{"path": NODES, "value": 2}], "draw": True, "width": 400}
    ) == {"schedulers": ("fifo", "fair")}
