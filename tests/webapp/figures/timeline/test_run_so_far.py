"""A run as it is known at an instant: nothing of it tells what comes after."""

from __future__ import annotations

import numpy as np
import pytest

from engine import Run, Scenario, presets, simulate
from engine.dashboard import NONE, RUNNING
from webapp.figures import Scene, run_so_far


def cut(run: Run) -> list[int]:
    """Instants at which something happens, and between."""
    times = np.unique(np.concatenate([run.containers.start, run.containers.end]))
    return [int(time) for time in (*times[:: max(len(times) // 12, 1)], times[len(times) // 2] + 1)]


@pytest.mark.parametrize("preset", presets()[:4], ids=lambda preset: preset.key)
def test_what_is_drawn_ends_at_the_instant_and_is_the_same_before_it(preset) -> None:
    run = simulate(preset.scenario, "fair")
    for until_ms in cut(run):
        known = run_so_far(run, until_ms)
        scene, c = Scene(known), run.containers
        first = int((c.start < until_ms).sum())
        assert len(known.containers.job) == first
        assert scene.end.max(initial=0) <= until_ms
        assert all(times.max(initial=0) <= until_ms for times in known.jobs[1:5])
        for place in range(first):
            ended = c.end[place] <= until_ms
            assert known.containers.end[place] == (c.end[place] if ended else NONE)
            assert known.containers.outcome[place] == (c.outcome[place] if ended else RUNNING)
            assert known.containers.node[place] == c.node[place]


def test_what_begins_at_the_instant_is_not_among_it() -> None:
    run = simulate(presets()[0].scenario, "fair")
    at = int(run.containers.start[5])
    assert (run_so_far(run, at).containers.start < at).all()
    assert (run_so_far(run, at + 1).containers.start <= at).all()


def test_at_the_end_it_is_the_whole_run() -> None:
    run = simulate(presets()[0].scenario, "haste")
    whole, known = Scene(run), Scene(run_so_far(run, run.until_ms + 1))
    assert (whole.start == known.start).all() and (whole.end == known.end).all()
    assert (whole.phase == known.phase).all()


def test_fetches_are_cut_too() -> None:
    scenario = presets()[0].scenario.plain()
    scenario["cluster"] |= {"contention": 0.5, "fetch_weight": 0.5}
    run = simulate(Scenario.of(scenario), "fair")
    assert run.fetches is not None
    at = int(np.median(run.fetches.start))
    known = run_so_far(run, at)
    assert known.fetches is not None
    assert 0 < len(known.fetches.start) < len(run.fetches.start)
    assert (known.fetches.start < at).all() and (known.fetches.end <= at).all()
    assert (known.fetches.container < len(known.containers.job)).all()
    assert Scene(known).end.max() <= at
