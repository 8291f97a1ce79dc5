"""What the page sends about moving numbers is checked, answered without a file, and measured along a range
once.
"""

from __future__ import annotations

import pytest

from engine import METRICS, ScenarioError, SchedulerError, simulate, summary
from engine.dashboard import ALREADY, FOUND, Range, TooLarge, names_of, with_overrides
from tests.phrases import phrase
from webapp.jobs import whatif
from webapp.jobs.job_manager import Cancelled, JobControl
from webapp.jobs.page_request import parse_changes
from webapp.jobs.whatif import CurveGoal, CurveRequest
from webapp.runs import cache, run_cache, saved_tasks
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

NODES = "cluster.nodes[0].count"
ASK = {"key": "0" * 16, "path": NODES, "first": 1, "last": 3, "step": 1, "present": 1, "whole": True}


@pytest.fixture
def task(cache: SharedCache, small: dict, monkeypatch: pytest.MonkeyPatch) -> Task:
    shared_cache.hold_at_most(MAX_HELD)
    small["jobs"][0]["maps"]["count"] = 8
    result = build_task(RunRequest(small, ("fifo", "fair+reserve(vcores=0)")))
    saved_tasks.save_task(result)
    return result


class Quiet(JobControl):
    """A control that nobody listens to."""

    def __init__(self, of: int = 1, wish: bool = False) -> None:
        super().__init__(of)
        self.wish = wish

    def report(self, done: int, now: str) -> None:
        pass

    def cancelled(self) -> bool:
        return self.wish


def test_a_movement_has_the_outcomes_of_what_is_varied(task):
    result = whatif.preview_changes(task, ((NODES, 2), ("schedulers[1].reserve.vcores", 1)))
    assert names_of(result.schedulers) == ("fifo", "fair+reserve(vcores=1)")
    scenario, names = with_overrides(
        task.scenario.plain(), task.names, [(NODES, 2), ("schedulers[1].reserve.vcores", 1)]
    )
    assert [outcome.metrics for outcome in result.outcomes] == [
        summary(simulate(scenario, name)) for name in names
    ]


def test_the_last_movement_is_held_ready_and_no_file_is_written(task, monkeypatch):
    written = []
    monkeypatch.setattr(cache.shared_cache, "put", lambda key, *_: written.append(key))
    whatif.preview_changes(task, ((NODES, 2),))
    scenario, schedulers = whatif.apply_changes(task, ((NODES, 2),))
    monkeypatch.setattr(run_cache, "simulate", lambda *_, **__: pytest.fail("it was run already"))
    assert [run_cache.outcome(scenario, scheduler).run.scheduler for scheduler in schedulers] == list(
        task.names
    )
    assert written == []


def test_a_scheduler_s_own_parameter_runs_that_scheduler_alone(task, monkeypatch):
    whatif.preview_changes(task, (("schedulers[1].reserve.vcores", 1),))
    ran = []
    monkeypatch.setattr(
        run_cache,
        "simulate",
        lambda scenario, scheduler, **more: (
            ran.append(scheduler.name) or simulate(scenario, scheduler, **more)
        ),
    )
    whatif.preview_changes(task, (("schedulers[1].reserve.vcores", 2),))
    assert ran == ["fair+reserve(vcores=2)"]


def test_a_large_scenario_is_not_run_while_it_moves(task, monkeypatch):
    monkeypatch.setattr(whatif, "MAX_LIVE_CONTAINERS", 3)
    assert whatif.preview_changes(task, ((NODES, 2),)) == (task.schedulers, None)
    assert (
        whatif.slider_data(task)["moving"] is False
        and phrase("services.once_slider_rests") in whatif.slider_data(task)["hint"]
    )


def test_what_is_varied_keeps_what_the_user_wrote(task, small):
    small |= {"seed": 0, "x_note": "mine"}  # a default written out, and a field of the user's own
    result = whatif.change_request(
        RunRequest(small, ("fifo", "fair", "fair+slowstart(at=0.2)")),
        (("cluster.nodes.total", 3), ("schedulers[*].slowstart.at", 0.5)),
    ).request
    assert (result.scenario["seed"], result.scenario["x_note"]) == (0, "mine")
    assert result.scenario["cluster"]["nodes"][0]["count"] == 3
    assert result.schedulers == ("fifo+slowstart(at=0.5)", "fair+slowstart(at=0.5)")  # two have become one


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("300", "s", 300),
        ("5 min", "s", 300),
        ("1,200", "s", 1200),
        ("0,5 h", "s", 1800),
        ("80 %", "share", 0.8),
        ("80", "share", 0.8),
        ("150 %", "share", 1.5),
        ("0.8", "share", 0.8),
        ("3", "containers", 3),
        ("", "s", None),
        (None, "s", None),
        ("soon", "s", phrase("services.must_be_number_seconds_such", 300)),
        ("1.2.3", "share", phrase("services.must_be_number_percent_such", 80)),
        ("5 min", "containers", phrase("services.must_be_number")),
    ],
)
def test_a_goal_as_it_is_typed(text, unit, expected):
    metric = METRICS[0]._replace(unit=unit)
    if isinstance(expected, str):
        with pytest.raises(ScenarioError, match=expected):
            whatif.parse_bound(text, metric)
    else:
        assert whatif.parse_bound(text, metric) == pytest.approx(expected)


def test_what_makes_no_sense_is_a_sentence(task, monkeypatch):
    with pytest.raises(ScenarioError, match="no entry 7"):
        whatif.preview_changes(task, (("cluster.nodes[7].count", 2),))
    with pytest.raises(SchedulerError):
        whatif.preview_changes(task, (("schedulers[0].fifo.colour", 2),))
    monkeypatch.setenv("GANTRY_MAX_CONTAINERS", "20")
    with pytest.raises(TooLarge, match=phrase("services.containers_this_server_runs_at", 901, 20)):
        whatif.apply_changes(task, (("jobs[0].maps.count", 900),))


@pytest.mark.parametrize(
    "data",
    [None, "x", [1], [{}], [{"path": NODES}], [{"path": 1, "value": 1}], [{"path": NODES, "value": True}], [{"path": NODES, "value": float("nan")}],  # noqa: E501
     [{"path": NODES, "value": "x" * 41}], [{"path": NODES, "value": 1}] * 21],
)  # fmt: skip
def test_changes_are_checked(data):
    with pytest.raises(ScenarioError):
        parse_changes(data)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        ASK | {"first": "1"},
        ASK | {"first": 4},
        ASK | {"step": 0},
        ASK | {"step": 1e-9},
        ASK | {"last": float("inf")},
        ASK | {"held": 3},
    ],
)
def test_curves_are_checked(data):
    with pytest.raises(ScenarioError):
        CurveRequest.of(data)


def test_a_goal_is_checked():
    goal = {"metric": "makespan_s", "bound": 9}
    assert CurveRequest.of(ASK | {"goal": goal}).goal == CurveGoal("makespan_s", 9)
    assert CurveRequest.of(ASK | {"goal": None}).goal is None
    for changes in ({"metric": "containers"}, {"bound": "9"}, {"bound": float("nan")}):
        with pytest.raises(ScenarioError):
            CurveRequest.of(ASK | {"goal": goal | changes})


def test_a_curve_is_measured_once_and_searched_for_any_goal(task, monkeypatch):
    ask = CurveRequest.of(ASK | {"key": task.key})
    assert whatif.find_curve(ask) is None
    assert whatif.count_curve_runs(task, ask) == 6
    whatif._do_curve(ask.plain(), Quiet())
    result = whatif.find_curve(ask)
    # 8 maps of 10 s, one a beat: on one node of four places two waves, on two one.
    makespans = [point.get("makespan_s") for point in result.sweep.points[0]]
    assert makespans[0] > makespans[1] and result.now[0]["makespan_s"] == makespans[0]
    monkeypatch.setattr(whatif, "parameter_sweep", lambda *_: pytest.fail("it was measured already"))
    searched = CurveRequest.of(
        ASK | {"key": task.key, "goal": {"metric": "makespan_s", "bound": makespans[1]}}
    )
    whatif._do_curve(searched.plain(), Quiet())
    answer = whatif.find_curve(searched).answers[0]
    assert (answer.state, answer.value, answer.beyond) == (FOUND, 2, 1)
    easy = CurveRequest.of(ASK | {"key": task.key, "goal": {"metric": "makespan_s", "bound": makespans[0]}})
    whatif._do_curve(easy.plain(), Quiet())
    assert [answer.state for answer in whatif.find_curve(easy).answers] == [ALREADY, ALREADY]


def test_a_cancelled_curve_keeps_nothing(task):
    ask = CurveRequest.of(ASK | {"key": task.key})
    with pytest.raises(Cancelled):
        whatif._do_curve(ask.plain(), Quiet(wish=True))
    assert whatif.find_curve(ask) is None


def test_a_curve_beyond_the_owners_limit_is_refused(task, monkeypatch):
    monkeypatch.setenv("GANTRY_MAX_CONTAINERS", "50")
    with pytest.raises(TooLarge):
        whatif._do_curve(
            CurveRequest.of(ASK | {"key": task.key, "path": "jobs[0].maps.count", "last": 100}).plain(),
            Quiet(),
        )


def test_what_the_page_may_turn(task):
    result = whatif.slider_data(task)
    assert result["key"] == task.key and result["moving"] is True
    nodes = next(tunable for tunable in result["tunables"] if tunable["path"] == NODES)
    assert (nodes["value"], nodes["low"], nodes["whole"]) == (1, 1, True)
    assert Range(nodes["first"], nodes["last"], nodes["step"]) == Range(1, 9, 1)
