"""Step curves: right at every instant, few points, none of the extremes lost."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.codes import NONE, RUNNING
from engine.schedulers.view import MAP, MASTER
from tests.webapp.handmade_runs import run
from webapp.figures.timeline.usage_curves import (
    StepFunction,
    clip_to_window,
    downsample,
    memory_view,
    usage,
    vcores_view,
)

spans = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 15), st.integers(0, 1)), min_size=1, max_size=25
)
steps = st.lists(st.tuples(st.integers(1, 30), st.integers(0, 9)), min_size=1, max_size=60).map(
    lambda found: StepFunction(np.cumsum([gap for gap, _ in found]), np.array([level for _, level in found]))
)


def at(found: StepFunction, instants: np.ndarray) -> np.ndarray:
    """The level at each instant, 0 before the first."""
    return np.append(found.level, 0)[np.searchsorted(found.time, instants, "right") - 1]


@given(spans)
def test_in_use_equals_its_slow_twin(found) -> None:
    made = run(
        [{"kind": MAP, "start": start, "end": start + length, "job": job} for start, length, job in found],
        jobs=2,
    )
    for jobs in ([True, True], [False, True]):
        curve = usage(made, made.workload.request_memory, np.array(jobs)[made.containers.job])
        for instant in range(60):
            assert at(curve, np.array([instant]))[0] == sum(
                1024 for start, length, job in found if jobs[job] and start <= instant < start + length
            )


def test_what_never_ends_is_in_use_for_good() -> None:
    made = run([{"kind": MASTER, "start": 3, "end": NONE, "outcome": RUNNING}], status="deadlock")
    assert usage(made, made.workload.request_memory, np.array([True])).level[-1] == 512


@given(steps, st.integers(0, 300), st.integers(1, 300))
def test_within_is_the_same_curve_cut_out(found: StepFunction, start: int, length: int) -> None:
    window = start, start + length
    cut = clip_to_window(found, window)
    instants = np.arange(*window)
    assert (cut.time[0], cut.time[-1]) == window
    assert (at(cut, instants) == at(found, instants)).all()


def test_at_most_four_points_a_pixel_and_no_extreme_lost() -> None:
    random = np.random.default_rng(1)
    window, width = (0, 1_000_000), 50
    result = clip_to_window(
        StepFunction(
            np.sort(random.choice(1_000_000, 20_000, replace=False)), random.integers(0, 1_000, 20_000)
        ),
        window,
    )
    thin = downsample(result, window, width)
    assert len(thin.time) <= 4 * (width + 1)
    assert (np.diff(thin.time) >= 0).all()
    pixel, of_thin = result.time * width // 1_000_001, thin.time * width // 1_000_001
    for number in range(width):
        one, other = result.level[pixel == number], thin.level[of_thin == number]
        assert (one.min(), one.max(), one[0], one[-1]) == (other.min(), other.max(), other[0], other[-1])


def test_few_points_stay_as_they_are() -> None:
    result = StepFunction(np.array([0, 5, 9]), np.array([1, 2, 1]))
    assert downsample(result, (0, 9), 1) is result


def test_memory_is_told_in_the_unit_that_suits() -> None:
    assert (memory_view(run([])).unit, memory_view(run([], nodes=2)).unit) == ("MB", "GB")
    large = memory_view(run([], nodes=2048))
    assert (large.title, large.per) == ("Memory (TB)", 2**20)


def test_a_resource_knows_what_there_is_of_it() -> None:
    made = run([], nodes=3)
    assert (memory_view(made).title, memory_view(made).capacity, memory_view(made).per) == (
        "Memory (GB)",
        3 * 4096,
        1024,
    )
    assert (vcores_view(made).title, vcores_view(made).capacity, vcores_view(made).per) == ("Vcores", 12, 1)
