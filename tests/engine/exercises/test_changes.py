"""What may be changed: fields, the lock, and the grid of settings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exercises.changes import changeables, changed, grid, grid_size, present_setting, read_setting
from engine.exercises.question import AnswerError
from tests.engine.exercises.small_exercises import FIRST, NODES, SLOWSTART, exercise
from tests.phrases import phrase

SCHEDULER = {"path": "schedulers[1]", "choices": ["drf", "fair", "saf"]}
TWO = {"schedulers": ["fifo", "fair"]}
WORD = {"path": "schedulers[0].fifo.resources", "choices": ["memory", "both"]}
CHANGES = [NODES, SLOWSTART, SCHEDULER, WORD]


@given(st.lists(st.sampled_from(CHANGES), unique_by=lambda change: change["path"]))
def test_the_grid_holds_every_setting_once_the_nearest_first(change: list) -> None:
    asked = exercise(FIRST, change=change, **TWO)
    settings, present = list(grid(asked)), present_setting(asked)
    assert settings[0] == present
    assert len({str(setting) for setting in settings}) == len(settings) == grid_size(asked)

    def steps(setting: dict) -> int:
        sizes = {NODES["path"]: 1, SLOWSTART["path"]: 0.05}
        return sum(
            round(abs(setting[path] - present[path]) / sizes[path])
            if path in sizes
            else setting[path] != present[path]
            for path in setting
        )

    distances = list(map(steps, settings))
    assert distances == sorted(distances)


def test_the_present_setting_changes_nothing() -> None:
    asked = exercise(FIRST, change=CHANGES, **TWO)
    assert changed(asked, present_setting(asked)) == (asked.checked_scenario, ("fifo", "fair"))
    assert read_setting(asked, present_setting(asked)) == present_setting(asked)


def test_everything_that_is_set_is_changed() -> None:
    asked = exercise(FIRST, change=CHANGES, **TWO)
    answer = {NODES["path"]: "5", SLOWSTART["path"]: 0.3, "schedulers[1]": "saf", WORD["path"]: "memory"}
    scenario, schedulers = changed(asked, read_setting(asked, answer))
    assert scenario.cluster.nodes[0].count == 5
    assert [job.slowstart for job in scenario.jobs] == [0.3, 0.3]
    assert schedulers == ("fifo(resources=memory)", "saf")


@pytest.mark.parametrize(
    ("other", "title"),
    [("fair", "reserve's vcores"), ("fifo+reserve(vcores=1)", "fair+reserve(vcores=0): vcores")],
)
def test_a_parameter_is_titled_by_its_scheduler_where_both_have_it(other: str, title: str) -> None:
    change = {"path": "schedulers[0].reserve.vcores", "low": 0, "high": 3, "step": 1}
    asked = exercise(FIRST, change=[change], schedulers=["fair+reserve(vcores=0)", other])
    assert [each.field.title for each in changeables(asked)] == [title]


def test_a_scheduler_is_told_by_its_place_and_keeps_the_order_of_the_file() -> None:
    fields = [each.field for each in changeables(exercise(FIRST, change=CHANGES, **TWO))]
    assert fields[2].title == "Scheduler 2" and fields[2].value == "fair"
    assert [choice.value for choice in fields[2].choices] == SCHEDULER["choices"]
    (only,) = changeables(
        exercise(FIRST, change=[{**SCHEDULER, "path": "schedulers[0]"}], schedulers=["saf"])
    )
    assert only.field.title == "Scheduler"
    assert (fields[3].choices[0].value, fields[3].value, fields[3].is_number) == ("memory", "both", False)


def test_a_parameter_of_a_scheduler_that_is_not_chosen_has_no_effect() -> None:
    alpha = {"path": "schedulers[0].saf.alpha", "low": 0.5, "high": 3, "step": 0.5}
    choice = {"path": "schedulers[0]", "choices": ["saf(alpha=2)", "fair"]}
    asked = exercise(FIRST, change=[alpha, choice], schedulers=["saf(alpha=2)"])
    answer = {alpha["path"]: 3, "schedulers[0]": "saf(alpha=2)"}
    assert changed(asked, read_setting(asked, answer))[1] == ("saf(alpha=3)",)
    answer = {alpha["path"]: 3, "schedulers[0]": "fair"}
    assert changed(asked, read_setting(asked, answer))[1] == ("fair",)
    with pytest.raises(AnswerError):  # saf is undefined there
        changed(asked, read_setting(asked, answer | {alpha["path"]: 1, "schedulers[0]": "saf(alpha=2)"}))


@pytest.mark.parametrize(
    "answer",
    [
        {"cluster.nodes[0].count": 3},
        {"schedulers[0]": "fair"},
        {"schedulers[1]": "fifo"},
        {"schedulers[1]": 1},
        {WORD["path"]: "vcores"},
        {SLOWSTART["path"]: 0.33},
        {SLOWSTART["path"]: None},
        {SLOWSTART["path"]: True},
        *({NODES["path"]: count} for count in (0, 7, 2.5, "two", 10**400)),
    ],
)
def test_what_is_locked_or_no_value_is_refused(answer: dict) -> None:
    asked = exercise(FIRST, change=CHANGES, **TWO)
    with pytest.raises(AnswerError):
        read_setting(asked, present_setting(asked) | answer)


@pytest.mark.parametrize("given", [{}, {NODES["path"]: ""}, {NODES["path"]: "0,5"}, {NODES["path"]: "1:16"}])
def test_a_number_that_is_left_out_or_unreadable_is_asked_for(given: dict) -> None:
    asked = exercise(FIRST, change=CHANGES, **TWO)
    others = {path: value for path, value in present_setting(asked).items() if path != NODES["path"]}
    with pytest.raises(AnswerError) as caught:
        read_setting(asked, others | given)
    assert str(caught.value) == phrase("exercises.enter_a_number", "Nodes, total")


def test_ranges_that_are_left_out_are_those_of_the_sliders() -> None:
    (asked,) = changeables(exercise(FIRST, change=[{"path": "jobs[*].slowstart"}]))
    assert (asked.field.low, asked.field.high, asked.field.step) == (0, 1, 0.05)
    assert len(asked.values) == 21 and asked.values[0] == asked.present == 0.05
