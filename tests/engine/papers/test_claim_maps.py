"""A claim judged at every point of two parameters, recorded and read again."""

from __future__ import annotations

import math

from engine.papers import (
    Axis,
    ClaimMap,
    Printed,
    headline_maps,
    judge_at_point,
    paper_experiments,
    recorded_maps,
)
from engine.papers.claim_maps import SEEDS, as_json, compute_map
from engine.papers.schema import Ordered

SHORTER = Ordered("a is shorter than b", ("a", "b"), "text")


def sum_of(x: float, y: float, trial) -> dict[str, list[float]]:
    return {
        "a": [x] * len(trial.seeds),
        "b": [y] * len(trial.seeds),
        "change": [100 * (x - y) / y if y else math.inf] * len(trial.seeds),
    }


def a_map(**changed) -> ClaimMap:
    axes = {"x": Axis("First", "s", (1.0, 2.0, 3.0)), "y": Axis("Second", "s", (0.0, 2.5))}
    return ClaimMap(
        "A map", "Look.", "a/b", SHORTER, **{**axes, **changed}, measure=sum_of, key="change", name="Change"
    )


def test_a_point_has_the_number_that_is_drawn_and_whether_the_claim_holds() -> None:
    assert judge_at_point(a_map(), 2.0, 2.5) == (-20.0, True)
    assert judge_at_point(a_map(), 3.0, 2.5) == (20.0, False)


def test_a_number_holds_as_its_page_judges_it_and_not_by_its_direction() -> None:
    one = a_map()
    for number, holds in ((-21, True), (-90, False)):
        printed = ClaimMap(
            **{**one.__dict__, "claim": Printed("change", "change", number, "%", "text", side=True)}
        )
        assert judge_at_point(printed, 2.0, 2.5) == (-20.0, holds)


def test_a_map_is_drawn_row_by_row() -> None:
    observed = []
    grid = compute_map(a_map(), lambda *at: observed.append(at))
    assert grid.value == ((math.inf, math.inf, math.inf), (-60.0, -20.0, 20.0))
    assert grid.holds == ((False, False, False), (True, True, False))
    assert observed[-1] == (6, 6)


def test_what_is_recorded_can_be_read_again(monkeypatch, tmp_path) -> None:
    file = tmp_path / "maps.json"
    monkeypatch.setattr("engine.papers.claim_maps.FILE", file)
    monkeypatch.setattr("engine.papers.claim_maps.headline_maps", lambda: {"saf": a_map()})
    grid = compute_map(a_map())
    file.write_text(as_json({"saf": grid}))
    assert recorded_maps.__wrapped__() == {"saf": grid}
    monkeypatch.setattr(
        "engine.papers.claim_maps.headline_maps", lambda: {"saf": a_map(x=Axis("First", "s", (1.0, 2.0)))}
    )
    assert recorded_maps.__wrapped__() == {}, "one whose axes have changed is no longer true"


def test_every_headline_is_a_claim_of_its_experiment_and_is_recorded() -> None:
    assert list(recorded_maps()) == list(headline_maps()), "run python -m tests.gallery --maps"
    for one in headline_maps().values():
        assert one.claim in paper_experiments()[one.experiment].claims
        assert one.says.endswith(".") and len(one.x.values) > 3 < len(one.y.values)
        assert all(axis.values == tuple(sorted(set(axis.values))) for axis in (one.x, one.y))


def test_a_recorded_point_is_what_is_run_now() -> None:
    """One point a map: the middle of it."""
    assert SEEDS > 1
    for key, one in headline_maps().items():
        grid = recorded_maps()[key]
        x, y = len(grid.x) // 2, len(grid.y) // 2
        now = judge_at_point(one, grid.x[x], grid.y[y])
        assert (
            math.isclose(now.value, grid.value[y][x], rel_tol=1e-3, abs_tol=1e-3)
            or now.value == grid.value[y][x]
        ), key
        assert now.holds == grid.holds[y][x], key
