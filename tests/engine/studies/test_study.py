"""A study as data: what is wrong with one, what comes back of its JSON, and which runs are the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import GantryError, ScenarioError
from engine.studies.measures import COMPARED, MEASURES, STUDY_MEASURES
from engine.studies.study import MAX_SEEDS, Study, Vary
from tests.handmade_runs import scenario, stage
from tests.phrases import phrase

PLAIN = scenario([(8, 8), (8, 8)], [{"maps": stage(4, 1, 1, 20.0), "reduces": stage(2, 2, 2, 10.0)}]).plain()
SLOW, NODES = "jobs[*].slowstart", "cluster.nodes.total"


def faults(**given: object) -> list[str]:
    """What a file with these fields is refused for."""
    with pytest.raises(ScenarioError) as caught:
        Study.of({"version": 1, "scenario": PLAIN, **given})
    return str(caught.value).splitlines()


def test_what_is_left_out_is_one_seed_under_fair():
    result = Study.of({"version": 1, "scenario": PLAIN})
    assert (result.schedulers, result.vary, result.seeds, result.metrics, result.jitter) == (
        ("fair",),
        (),
        1,
        COMPARED,
        0.0,
    )
    assert (result.points, result.units, result.runs, result.seed(0)) == ([()], 1, 1, 0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"version": 2}, "version: must be 1"),
        ({"seed": 3}, phrase("studies.seed_no_field_study_did")),
        ({"scenario": []}, phrase("studies.scenario_must_be_scenario_json")),
        ({"scenario": {**PLAIN, "jobs": []}}, "scenario.jobs: "),
        ({"schedulers": []}, phrase("studies.schedulers_must_be_list_names", 1, 20)),
        ({"schedulers": "fair"}, phrase("studies.schedulers_must_be_list_names", 1, 20)),
        ({"schedulers": None}, phrase("studies.schedulers_must_be_list_names", 1, 20)),
        ({"metrics": 7}, phrase("studies.metrics_must_be_list", 1) + " "),
        ({"schedulers": [["fair"]]}, phrase("studies.schedulers_must_be_list_names", 1, 20)),
        ({"schedulers": ["fair", "fair"]}, phrase("studies.schedulers_must_differ_from_each")),
        (
            {"schedulers": ["fair", "fiar"]},
            "schedulers[1]: " + phrase("common.no_order_named_did_you", "'fiar'"),
        ),
        ({"metrics": ["makespan"]}, phrase("studies.metrics_no_metric_did_you", "'makespan'", "makespan_s")),
        ({"metrics": []}, phrase("studies.metrics_must_be_list_names", 1, len(STUDY_MEASURES))),
        (
            {"metrics": ["others_mean_slowdown"]},
            phrase("studies.needs_number_one_job", "others_mean_slowdown"),
        ),
        ({"seeds": 0}, phrase("studies.seeds_must_be_whole_number", 1, "10,000")),
        ({"seeds": True}, phrase("studies.seeds_must_be_whole_number", 1, "10,000")),
        ({"seeds": 2.5}, phrase("studies.seeds_must_be_whole_number", 1, "10,000")),
        ({"seeds": MAX_SEEDS + 1}, phrase("studies.seeds_must_be_whole_number", 1, "10,000")),
        (
            {"first_seed": -1},
            "first_seed: " + phrase("studies.must_be_whole_number_from_on", 0, "2^63", "-", 1),
        ),
        (
            {"first_seed": 2**63 - 1, "seeds": 2},
            "first_seed: " + phrase("studies.must_be_whole_number_from_on", 0, "2^63", "-", 1),
        ),
        ({"jitter": 3.5}, phrase("common.jitter_must_be_number_from", 0, 3)),
        ({"jitter": float("nan")}, phrase("common.jitter_must_be_number_from", 0, 3)),
        ({"jitter": "much"}, phrase("common.jitter_must_be_number_from", 0, 3)),
        ({"name": 7}, phrase("studies.name_must_be_text_at") + " "),
        ({"vary": {}}, phrase("studies.vary_must_be_list_paths")),
        ({"vary": [7]}, "vary[0]: " + phrase("studies.must_have_path_such_as", "cluster.nodes[0].count")),
        ({"vary": [{"path": SLOW}]}, "vary[0]: " + phrase("studies.must_have_values_or_first", 0, "10,000")),
        (
            {"vary": [{"path": SLOW, "first": 1, "last": 0, "step": 1}]},
            "vary[0]: " + phrase("studies.must_have_values_or_first_last", 0),
        ),
        (
            {"vary": [{"path": SLOW, "first": 0, "last": 1, "step": 1e-9}]},
            "vary[0]: " + phrase("studies.must_have_values_or_first_last", 0),
        ),
        (
            {"vary": [{"path": SLOW, "values": []}]},
            "vary[0].values: " + phrase("studies.must_be_numbers_or_choices_parameter"),
        ),
        (
            {"vary": [{"path": SLOW, "values": [None]}]},
            "vary[0].values: " + phrase("studies.must_be_numbers_or_choices_parameter"),
        ),
        (
            {"vary": [{"path": SLOW, "values": ["No Choice"]}]},
            "vary[0].values: " + phrase("studies.must_be_numbers_or_choices_parameter"),
        ),
        (
            {"vary": [{"path": SLOW, "values": [0.1, 0.1]}]},
            "vary[0].values: " + phrase("studies.must_differ_from_each_other"),
        ),
        ({"vary": [{"path": SLOW, "values": [0.1]}] * 2}, "vary[1].path: is already varied"),
        (
            {"vary": [{"path": f"jobs[0].{key}", "values": [1]} for key in ("weight", "count", "slowstart")]},
            phrase("studies.vary_at_most_parameters_vary", 2),
        ),
        ({"vary": [{"path": "jobs[*].slow", "values": [1]}]}, "vary[0].path: jobs[0].slow: "),
        (
            {"vary": [{"path": "jobs[9].weight", "values": [1]}]},
            "vary[0].path: jobs[9].weight: " + phrase("studies.there_no_entry", 9),
        ),
        (
            {"vary": [{"path": "", "values": [1]}]},
            "vary[0].path: $: " + phrase("studies.no_path_number_such_as", "cluster.nodes[0].count"),
        ),
        (
            {
                "vary": [
                    {"path": SLOW, "first": 0, "last": 100, "step": 1},
                    {"path": NODES, "first": 1, "last": 100, "step": 1},
                ]
            },
            "vary: makes 10,100 points",
        ),
        (
            {"vary": [{"path": NODES, "first": 1, "last": 2000, "step": 1}], "seeds": 10_000},
            phrase("studies.seeds_makes_runs_at_most", "20,000,000", "10,000,000"),
        ),
    ],
    ids=str,
)
def test_each_fault_has_its_sentence(given, said):
    result = faults(**given)
    assert any(line.startswith(said) for line in result), result


def test_all_faults_are_told_at_once():
    assert [line.partition(":")[0] for line in faults(seeds=0, jitter=-1, metrics=["x"], sceduler=1)] == [
        "sceduler",
        "metrics",
        "seeds",
        "jitter",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        "null",
        "{",
        b"\xff\xfe\x00",
        "[" * 100_000,
        '{"version": 1}',
        '{"version": NaN, "scenario": {}}',
    ],
)
def test_a_file_of_anything_is_refused_in_a_sentence(text):
    with pytest.raises(ScenarioError):
        Study.read(text)


def test_fields_of_others_are_passed_over():
    assert Study.of({"version": 1, "scenario": PLAIN, "x_note": [1]}) == Study(PLAIN)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=8)
    | st.just(SLOW),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["path", "values", "first", "last", "step", "count", "x"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["scenario", "schedulers", "vary", "seeds", "first_seed", "metrics", "jitter", "name"]
)


@given(st.dictionaries(FIELDS, ANYTHING, max_size=4))
def test_anything_in_any_field_makes_a_study_or_a_sentence(fields):
    try:
        result = Study.of({"version": 1, "scenario": PLAIN, **fields})
    except GantryError as error:
        assert str(error)
    else:
        assert result.units >= 1


@st.composite
def studies(draw: st.DrawFn) -> Study:
    varied = {SLOW: st.floats(0, 1), NODES: st.integers(1, 50), "schedulers[0].saf.alpha": st.floats(1.5, 9)}
    schedulers = draw(
        st.sampled_from(
            [
                ("saf(entropy=renyi)",),
                ("saf(entropy=renyi)", "fifo"),
                ("saf(entropy=renyi)", "fifo(resources=memory)", "drf"),
            ]
        )
    )
    paths = draw(st.lists(st.sampled_from(list(varied)), unique=True, max_size=2))
    vary = tuple(
        Vary(path, tuple(draw(st.lists(varied[path], min_size=1, max_size=4, unique=True)))) for path in paths
    )
    metrics = tuple(draw(st.lists(st.sampled_from(list(MEASURES)), min_size=1, max_size=3, unique=True)))
    first = draw(st.none() | st.integers(0, 2**63 - 10_001))
    return Study(
        PLAIN,
        schedulers,
        vary,
        draw(st.integers(1, 5)),
        first,
        metrics,
        draw(st.floats(0, 3)),
        draw(st.text(max_size=5)),
    )


@given(studies())
def test_json_comes_back_the_same(study):
    again = Study.read(study.json())
    assert (again.plain(), again.digest, again.points, again.runs) == (
        study.plain(),
        study.digest,
        study.points,
        study.runs,
    )
    assert Study.read(json.dumps(study.plain())).json() == study.json()


@given(studies())
def test_runs_are_the_points_that_are_their_own_source(study):
    own = sum(
        study.source(point, place) == point
        for point in range(len(study.points))
        for place in range(len(study.schedulers))
    )
    assert study.runs == own * study.seeds


def test_a_range_is_its_values():
    result = Study.of(
        {"version": 1, "scenario": PLAIN, "vary": [{"path": SLOW, "first": 0.1, "last": 0.55, "step": 0.2}]}
    )
    assert result.vary == (Vary(SLOW, (0.1, 0.3, 0.5)),)


def test_the_last_parameter_changes_first_and_a_scheduler_s_own_moves_it_alone():
    # Points: (1.5, 2), (1.5, 4), (3, 2), (3, 4). fifo does not see alpha: it has two points, those of the
    # first alpha.
    study = Study(
        PLAIN,
        ("saf(entropy=renyi)", "fifo"),
        (Vary("schedulers[0].saf.alpha", (1.5, 3)), Vary(NODES, (2, 4))),
        seeds=5,
    )
    assert study.points == [(1.5, 2), (1.5, 4), (3, 2), (3, 4)]
    assert [study.source(point, 0) for point in range(4)] == [0, 1, 2, 3]
    assert [study.source(point, 1) for point in range(4)] == [0, 1, 0, 1]
    assert (study.units, study.runs) == (20, 5 * (4 + 2))


def test_the_digest_is_of_what_decides_the_numbers():
    one = Study(PLAIN, name="one")
    assert one.digest == Study(PLAIN, name="other").digest == Study({**PLAIN, "queues": []}).digest
    assert one.digest == Study(PLAIN, first_seed=0).digest, "the scenario's own seed, written down"
    others = [
        Study(PLAIN, jitter=0.1),
        Study(PLAIN, seeds=2),
        Study(PLAIN, ("fifo",)),
        Study(PLAIN, first_seed=7),
        Study(PLAIN, metrics=("makespan_s",)),
    ]
    assert len({one.digest, *(other.digest for other in others)}) == 1 + len(others)


def test_seeds_go_on_from_the_scenario_s():
    study = Study({**PLAIN, "seed": 40}, seeds=3)
    assert [study.seed(number) for number in range(3)] == [40, 41, 42]
    assert study.at(0).seeded(2).seed == 42


@pytest.mark.parametrize(
    ("given", "is_random"),
    [
        ({}, False),
        ({"jitter": 0.1}, True),
        ({"schedulers": ("fair", "saf")}, True),
        (
            {
                "scenario": {
                    **PLAIN,
                    "jobs": [
                        {
                            **PLAIN["jobs"][0],
                            "maps": {**stage(1, 1, 1), "duration_s": {"dist": "exponential", "mean": 1}},
                        }
                    ],
                }
            },
            True,
        ),
    ],
    ids=str,
)
def test_what_draws_is_random(given, is_random):
    assert Study(**{"scenario": PLAIN, **given}).is_random is is_random


def test_a_point_has_its_values():
    study = Study(
        PLAIN, ("saf(entropy=renyi)",), (Vary("schedulers[0].saf.alpha", (1.5, 3)), Vary(SLOW, (0.2, 0.7)))
    )
    point = study.at(3)
    assert (point.schedulers, point.plain["jobs"][0]["slowstart"]) == (("saf(entropy=renyi, alpha=3)",), 0.7)
