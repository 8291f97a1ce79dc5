"""What a search may change: ranges, choices, what has an effect, and what is refused."""

from __future__ import annotations

import pytest

from engine import ScenarioError, parse
from engine.dashboard import Dimension, SearchSpace
from engine.studies.search_space import NO_EFFECT
from tests.engine.studies.toys import many, one_map, two_jobs
from tests.phrases import phrase


def space(
    *vary: Dimension, schedulers: tuple[str, ...] = ("fifo",), scenario: dict | None = None
) -> SearchSpace:
    return SearchSpace(scenario or two_jobs(), tuple(map(parse, schedulers)), vary)


def faults(*vary: Dimension, **more) -> list[str]:
    with pytest.raises(ScenarioError) as error:
        space(*vary, **more)
    return str(error.value).splitlines()


def test_a_path_alone_takes_its_own_range() -> None:
    result = space(Dimension("jobs[*].slowstart"))
    assert result.dimensions == (Dimension("jobs[*].slowstart", 0, 1, 0.05),)
    assert result.dimensions[0].values[:3] == (0, 0.05, 0.1) and result.size == 21
    assert result.present == (0.05,)


def test_ends_of_ones_own_keep_the_step_where_it_has_room() -> None:
    assert space(Dimension("jobs[*].slowstart", 0.2, 0.9)).dimensions[0].step == 0.05
    # two steps of 0.05 are few
    assert space(Dimension("jobs[*].slowstart", 0.2, 0.3)).dimensions[0].step == 0.005
    assert space(Dimension("cluster.nodes.total", 2, 5)).dimensions[0].values == (2, 3, 4, 5)


def test_several_schedulers_are_a_choice() -> None:
    result = space(Dimension("jobs[*].slowstart"), schedulers=("fifo", "fair"))
    assert result.dimensions[0].choices == ("fifo", "fair") and result.size == 2 * 21
    assert result.at((1, 4))[1].name == "fair" and result.at((1, 4))[0]["jobs"][0]["slowstart"] == 0.2
    assert result.values((1, 4)) == {"scheduler": "fair", "jobs[*].slowstart": 0.2}


def test_a_parameter_of_another_scheduler_has_no_effect() -> None:
    """fifo has no update_ms: 1 setting of it, 3 of fair, at each of 2 numbers of nodes."""
    result = space(
        Dimension("schedulers[*].fair.update_ms", 0, 1000, 500),
        Dimension("cluster.nodes.total", 1, 2),
        schedulers=("fifo", "fair"),
    )
    assert result.size == 2 * (1 + 3)
    assert len(set(result.settings())) == result.size
    assert result.normalized((0, 2, 1)) == (0, NO_EFFECT, 1) and result.normalized((1, 2, 1)) == (1, 2, 1)
    names = [result.at(setting)[1].name for setting in ((0, NO_EFFECT, 1), (1, 2, 1))]
    assert names == ["fifo", "fair(update_ms=1000)"]
    assert (
        space(Dimension("schedulers[1].fair.update_ms", 0, 1000, 500), schedulers=("drf", "fair")).size
        == 1 + 3
    )


def test_a_parameter_that_one_scheduler_has_is_that_of_every() -> None:
    result = space(Dimension("schedulers[*].fair.update_ms"), schedulers=("fifo", "fair"))
    assert result.present == ("fifo", 500) and len(result.dimensions[1].values) > 10


def test_beside_a_setting_are_those_one_change_away() -> None:
    result = space(Dimension("cluster.nodes.total", 1, 5), schedulers=("fifo", "fair", "drf"))
    assert set(result.neighbours((0, 0))) == {(0, 1), (1, 0), (2, 0)}
    assert set(result.neighbours((2, 2))) == {(2, 1), (2, 3), (0, 2), (1, 2)}


def test_the_present_setting_is_found_where_it_is_among_the_values() -> None:
    assert space(Dimension("cluster.nodes.total", 1, 5)).present_setting() == (0,)
    assert space(Dimension("cluster.nodes.total", 2, 5)).present_setting() is None
    # two values are none
    assert (
        space(Dimension("jobs[*].maps.duration_s", 1, 5, 1), scenario=two_jobs(1.0, 2.0)).present_setting()
        is None
    )


@pytest.mark.parametrize(
    ("dimension", "said"),
    [
        (Dimension("seed", 1, 5, 1), "vary[0].path: " + phrase("common.luck_no_setting_seeds_says")),
        (
            Dimension("scheduler", choices=("fifo", "fair")),
            "vary[0].path: " + phrase("studies.several_schedulers_choice_by_themselves"),
        ),
        (Dimension("jobs[*].slowstrt"), "did you mean jobs[*].slowstart?"),
        (
            Dimension("jobs[*].slowstart", 0, 2),
            "vary[0].low: " + phrase("studies.all_jobs_slow_start_must", 0, 1),
        ),
        (
            Dimension("jobs[*].slowstart", 1, 0),
            "vary[0].low: " + phrase("studies.must_be_below_high_not", 1, 0),
        ),
        (
            Dimension("jobs[*].slowstart", 0, 1, 0),
            "vary[0].step: " + phrase("studies.must_be_above_and_at", 0, 1),
        ),
        (
            Dimension("jobs[*].slowstart", 0, 1, 1e-9),
            "vary[0].step: " + phrase("studies.makes_more_than_values_wider", "10,000"),
        ),
        (
            Dimension("jobs[*].slowstart", "a", 1, 0.1),
            "vary[0].low: " + phrase("studies.low_high_and_step_must"),
        ),
        (
            Dimension("jobs[*].slowstart", float("nan"), 1, 0.1),
            "vary[0].low: " + phrase("studies.low_high_and_step_must"),
        ),
        (
            Dimension("jobs[*].slowstart", 0, 10**400, 0.1),
            "vary[0].low: " + phrase("studies.low_high_and_step_must"),
        ),
        (
            Dimension("cluster.nodes.total", 1, 3, 0.5),
            "vary[0].low: " + phrase("studies.nodes_total_must_be_whole"),
        ),
        (
            Dimension("jobs[*].slowstart", choices=(1,)),
            "vary[0].choices: " + phrase("studies.must_be_two_or_more"),
        ),
        (
            Dimension("jobs[*].slowstart", choices=(1, "a")),
            "vary[0].choices: " + phrase("studies.must_be_numbers_or_choices"),
        ),
        (
            Dimension("jobs[7].slowstart", 0, 1, 0.1),
            "vary[0].path: jobs[7].slowstart: " + phrase("studies.there_no_entry", 7),
        ),
        (
            Dimension("schedulers[0].saf.alpha", 1, 2, 0.1),
            "vary[0].path: " + phrase("studies.fifo_has_no_parameter", "saf.alpha"),
        ),
        (Dimension("jobs[*]", choices=(1, 2)), "vary[0].path"),
        (Dimension("x" * 100_000), phrase("studies.no_number_with_range_own")),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(dimension: Dimension, said: str) -> None:
    (fault,) = faults(dimension)
    assert said in fault and len(fault) < 600


def test_a_choice_must_be_one_of_the_parameter_s() -> None:
    path = "schedulers[0].saf.entropy"
    assert len(space(Dimension(path), schedulers=("saf",)).dimensions[0].choices) == 6
    assert (
        phrase("studies.choices_must_be_shannon_hartley")
        in faults(Dimension(path, choices=("shannon", "none")), schedulers=("saf",))[0]
    )
    assert (
        phrase("studies.choices_must_be_shannon_hartley")
        in faults(Dimension(path, 1, 2, 1), schedulers=("saf",))[0]
    )


def test_every_fault_is_said_at_once_and_six_are_the_most() -> None:
    assert len(faults(Dimension("seed"), Dimension("jobs[*].slowstart", 1, 0), Dimension("seed"))) == 3
    seven = [
        Dimension(f"jobs[0].{field}", 1, 2, 1)
        for field in ("weight", "arrival_s", "count", "interval_s", "iterations", "input_mb")
    ]
    assert space(*seven[:6], scenario=many()).size == 2**6
    assert faults(*seven, schedulers=("fifo", "fair")) == [
        phrase("studies.vary_must_be_parameters_choice", 1, 6, 7)
    ]
    assert faults(scenario=one_map()) == [phrase("common.vary_must_be_parameters_not", 1, 6, 0)]
