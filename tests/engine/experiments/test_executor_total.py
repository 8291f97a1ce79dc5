"""How many executors an application may have: fixed ones by their number, dynamic ones by a maximum that
lowers what is above it.
"""

from __future__ import annotations

import pytest

from engine import Scenario, ScenarioError
from engine.experiments.executor_total import executors_path, room_for, with_maximum
from engine.experiments.overrides import with_overrides
from tests.phrases import phrase
from tests.spark_jobs import MIXED, SPARK

PATH = "jobs[0].executors.dynamic.total"


@pytest.mark.parametrize(
    ("dynamic", "total", "then"),
    [
        ({}, 3, {"maximum": 3}),
        ({"maximum": 8, "idle_s": 2}, 9, {"maximum": 9, "idle_s": 2}),
        ({"minimum": 4, "initial": 6, "maximum": 8}, 5, {"minimum": 4, "initial": 5, "maximum": 5}),
        ({"minimum": 4, "initial": None}, 2, {"minimum": 2, "initial": None, "maximum": 2}),
    ],
)
def test_a_maximum_lowers_what_is_above_it(dynamic, total, then):
    assert with_maximum(dynamic, PATH, total) == then


@pytest.mark.parametrize("total", [0, -1, 1.5, 1_000_001, float("nan"), float("inf"), "few", True, None])
def test_what_is_no_number_of_executors_is_told(total):
    with pytest.raises(ScenarioError, match="^" + PATH.replace("[", r"\[").replace("]", r"\]")):
        with_maximum({}, PATH, total)


def test_executors_of_a_fixed_number_are_told_apart():
    with pytest.raises(ScenarioError, match=phrase("experiments.needs_dynamic_allocation")):
        with_overrides({**MIXED, "jobs": [SPARK]}, ["fair"], [(PATH, 2)])


def test_both_kinds_have_a_path_that_moves_them():
    dynamic, fixed = Scenario.of(MIXED), Scenario.of({**MIXED, "jobs": [SPARK]})
    for of, read in (
        (dynamic, lambda executors: executors.dynamic.maximum),
        (fixed, lambda executors: executors.count),
    ):
        path = executors_path(of.jobs[0].executors, 0)
        changed, _ = with_overrides(of.plain(), ["fair"], [(path, 3)])
        assert read(changed.jobs[0].executors) == 3


def test_the_room_is_what_all_nodes_hold():
    # 1500 and 384 MB of 4096 with 2 vcores of 4: two on each of four nodes
    of = Scenario.of(MIXED)
    assert room_for(of, of.jobs[0].executors) == 8
