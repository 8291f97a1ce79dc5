"""Refused jobs on the rows of jobs."""

from __future__ import annotations

import pytest

from engine import Scenario, simulate
from webapp.figures.timeline.refusal_marks import draw_marks, refusal_at
from webapp.figures.timeline.rows import RowOptions, rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.time_scale import TimeScale


@pytest.fixture
def scene(small: dict) -> Scene:
    """y is refused at 3 s."""
    first = small["jobs"][0]
    small["jobs"] = [first, first | {"name": "y", "rejected": "un<wanted", "arrival_s": 3}]
    return Scene(simulate(Scenario.of(small), "fifo"))


def test_a_word_stands_where_it_was_submitted(scene: Scene) -> None:
    place = TimeScale((0, 30_000), (0, 30_000), 300)
    of = rows([scene], RowOptions("job"))
    drawn = draw_marks(scene, of._replace(px=40), place)
    assert drawn.count("<text") == 1 and 'x="30.0" y="34.0"' in drawn
    assert "<title>refused: un&lt;wanted</title>" in drawn
    assert draw_marks(scene, of._replace(px=10), place) == ""
    assert draw_marks(scene, of._replace(px=40), TimeScale((9000, 30_000), (9000, 30_000), 300)) == ""


def test_rows_of_nodes_or_users_have_none(scene: Scene) -> None:
    place = TimeScale((0, 30_000), (0, 30_000), 300)
    for by in ("lane", "user"):
        assert draw_marks(scene, rows([scene], RowOptions(by)), place) == ""


def test_the_pointer_is_told_from_then_on(scene: Scene) -> None:
    of = rows([scene], RowOptions("job"))
    assert [refusal_at(scene, of, "y", ms) for ms in (2999, 3000)] == ["", "refused: un<wanted"]
    assert refusal_at(scene, of, "one", 9000) == ""
