"""A search as data: it checks itself, is a file, and says what is wrong with it."""

from __future__ import annotations

import json

import pytest

from engine import ScenarioError, Search
from engine.dashboard import Constraint, Dimension, Objective
from engine.studies.setting_search import FIELDS
from tests.engine.studies.toys import one_map, two_jobs
from tests.phrases import phrase

MAP = Dimension("jobs[0].maps.duration_s", 1, 9, 1)
HOSTILE = (
    None,
    True,
    -1,
    0,
    10**400,
    float("nan"),
    1.5,
    "",
    "x" * 10_000,
    "\x00",
    [],
    [None],
    [[]],
    [{}],
    {},
    {"a": 1},
    [{"path": 1}],
    [{"metric": []}],
)


def search(**more) -> Search:
    return Search(**{"scenario": one_map(), "vary": (MAP,), "objectives": (Objective("makespan_s"),)} | more)


def faults(**more) -> str:
    with pytest.raises(ScenarioError) as error:
        search(**more)
    return str(error.value)


def test_it_is_a_file_and_back() -> None:
    of = search(
        constraints=(Constraint("mean_wait_s", at_most=60), Constraint("fairness", at_least=0.5)),
        schedulers=("fifo", "fair"),
        jitter=0.3,
    )
    back = Search.read(of.json())
    assert back.digest == of.digest and back.json() == of.json()
    assert back.space.size == 9 * 2 and back.metrics == ("makespan_s", "mean_wait_s", "fairness")


def test_ranges_that_are_taken_from_the_number_are_written_out() -> None:
    of = search(vary=(Dimension("jobs[*].slowstart"),), scenario=two_jobs())
    assert of.plain()["vary"] == [{"path": "jobs[*].slowstart", "low": 0, "high": 1, "step": 0.05}]
    assert Search.read(of.json()).json() == of.json()


def test_the_name_is_no_part_of_the_digest_and_all_else_is() -> None:
    assert search(name="mine").digest == search().digest
    others = [
        search(seeds=6),
        search(sampler_seed=1),
        search(fresh_seeds=31),
        search(trials=99),
        search(objectives=(Objective("makespan_s", "larger"),)),
    ]
    assert len({one.digest for one in (search(), *others)}) == 6


def test_the_direction_is_the_metric_s_own_unless_it_is_said() -> None:
    assert [Objective(key).better for key in ("makespan_s", "fairness", "memory_utilization")] == [
        "smaller",
        "larger",
        "",
    ]
    assert "objectives[0].better: " + phrase(
        "studies.must_say_whether_smaller_or", "memory_utilization"
    ) in faults(objectives=(Objective("memory_utilization"),))
    assert search(objectives=(Objective("memory_utilization", "larger"),)).objectives[0].sign == -1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"scenario": 1}, phrase("studies.scenario_must_be_scenario_json")),
        ({"scenario": {"version": 1}}, "scenario.cluster"),
        ({"objectives": ()}, phrase("studies.objectives_must_be_one_metric")),
        ({"objectives": (Objective("makespan_s"),) * 2}, phrase("studies.objectives_must_be_two_metrics")),
        (
            {"objectives": (Objective("makespan"),)},
            "objectives[0].metric: " + phrase("common.no_metric_did_you_mean", "'makespan'", "makespan_s"),
        ),
        ({"constraints": (Constraint("wait", at_most=1),)}, "constraints[0].metric: 'wait' is not"),
        (
            {"constraints": (Constraint("makespan_s", at_most=1),) * 11},
            phrase("studies.constraints_at_most_allowed", 10),
        ),
        ({"schedulers": ("fifo", "fifo")}, phrase("studies.schedulers_must_differ_from_each")),
        ({"schedulers": ("best",)}, "schedulers[0]: "),
        ({"trials": 9}, phrase("common.trials_must_be_whole_number", 10, "2,000")),
        ({"trials": 2001}, phrase("common.trials_must_be_whole_number", 10, "2,000")),
        ({"seeds": 0}, phrase("studies.seeds_must_be_whole_number", 1, "10,000")),
        ({"fresh_seeds": 1}, "fresh_seeds: " + phrase("common.must_be_whole_number_from", 2, "10,000")),
        ({"first_seed": 2**63 - 10}, "first_seed: " + phrase("studies.must_be_whole_number_from", 0)),
        (
            {"trials": 2000, "seeds": 10_000},
            phrase("studies.seeds_makes_runs_at_most", "20,000,000", "10,000,000"),
        ),
        ({"jitter": 10**400}, phrase("common.jitter_must_be_number_from", 0, 3)),
        (
            {"sampler_seed": -1},
            "sampler_seed: " + phrase("studies.must_be_whole_number_from_2", 0, "2^32", "-", 1),
        ),
        ({"name": "x" * 1000}, phrase("studies.name_must_be_text_at")),
        ({"vary": ()}, phrase("common.vary_must_be_parameters_not", 1, 6, 0)),
    ],
)
def test_what_is_wrong_is_said(more: dict, said: str) -> None:
    assert said in faults(**more)


@pytest.mark.parametrize("field", FIELDS)
def test_anything_in_a_file_is_answered_in_sentences(field: str) -> None:
    for value in HOSTILE:
        try:
            result = Search.of(search().plain() | {field: value})
        except ScenarioError as error:
            assert all(len(str(fault)) < 600 for fault in error.faults)
        else:
            assert Search.of(json.loads(result.json())).json() == result.json()


def test_a_file_that_is_none_is_said() -> None:
    for text in ("", "{", "[]", "1", '{"version": 2}', "[" * 100_000):
        with pytest.raises(ScenarioError):
            Search.read(text)
    with pytest.raises(ScenarioError, match=phrase("studies.trails_no_field_search_did", "trials?")):
        Search.of(search().plain() | {"trails": 1})
    assert Search.of(search().plain() | {"x_mine": 1}).json() == search().json()
