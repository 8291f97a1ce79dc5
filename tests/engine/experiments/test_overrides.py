"""Numbers of a scenario by their paths: what is changed, what is left alone, what is refused in a
sentence.
"""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import GantryError, ScenarioError, SchedulerError
from engine.experiments.overrides import apply_overrides, with_overrides
from engine.experiments.parameters import limits, tunables
from engine.scenario.model import Cluster, Job, NodeGroup, Scenario
from engine.scenario.presets import presets
from engine.schedulers.scheduler import parse
from tests.examples import examples
from tests.phrases import phrase
from tests.spark_jobs import MIXED
from tests.strategies import named_schedulers, scenarios

TASK = {"memory_mb": 1024, "vcores": 1}
PLAIN = {
    "version": 1,
    "cluster": {"nodes": [{"name": "n", "count": 4, "memory_mb": 8192, "vcores": 8}]},
    "jobs": [
        {
            "name": "a",
            "maps": {"count": 4, **TASK, "duration_s": 10},
            "reduces": {"count": 2, **TASK, "duration_s": {"values": [1, 2]}},
        },
        {"name": "b", "maps": {"count": 6, **TASK, "duration_s": {"dist": "normal", "mean": 20, "sd": 4}}},
    ],
}
NAMES = ["fair+reserve(vcores=2)", "saf", "omo(window_s=5)"]


def test_a_path_changes_its_number_and_nothing_else():
    before = copy.deepcopy(PLAIN)
    result, names = apply_overrides(
        PLAIN, NAMES, [("cluster.nodes[0].count", 7), ("jobs[*].slowstart", 0.8), ("cluster.contention", 0.2)]
    )
    assert before == PLAIN
    expected = copy.deepcopy(PLAIN)
    expected["cluster"]["nodes"][0]["count"] = 7
    expected["cluster"]["contention"] = 0.2
    for job in expected["jobs"]:
        job["slowstart"] = 0.8
    assert (result, list(names)) == (expected, NAMES)


def test_durations_are_scaled_whatever_they_are():
    result, _ = apply_overrides(
        PLAIN,
        NAMES,
        [
            ("jobs[*].maps.duration_s.scale", 1.5),
            ("jobs[0].reduces.duration_s.scale", 2),
            ("jobs[1].maps.duration_s.sd", 1),
        ],
    )
    assert result["jobs"][0]["maps"]["duration_s"] == 15
    assert result["jobs"][0]["reduces"]["duration_s"] == {"values": [2, 4]}
    assert result["jobs"][1]["maps"]["duration_s"] == {"dist": "normal", "mean": 30, "sd": 1}


def test_parameters_of_schedulers():
    change = lambda path, value: apply_overrides(PLAIN, NAMES, [(path, value)])[1]
    assert change("schedulers[0].reserve.vcores", 3) == ("fair+reserve(vcores=3)", *NAMES[1:])
    assert change("schedulers[0].ramp-up.limit", 0.25)[0] == "fair+ramp-up(limit=0.25)+reserve(vcores=2)"
    assert change("schedulers[1].saf.cooling", "linear")[1] == "saf(cooling=linear)"
    # Lazy start comes with omo and has its windows.
    assert change("schedulers[2].omo.window_s", 2)[2] == "omo(window_s=2)"
    assert parse("omo(window_s=2)").reduce_start.given["window_s"] == 2


def test_one_parameter_of_every_scheduler_that_can_have_it():
    change = lambda path, value: apply_overrides(PLAIN, NAMES, [(path, value)])[1]
    # A rule that isn't in the name takes the place of the one of its kind; omo starts reduces by its own.
    assert change("schedulers[*].slowstart.at", 0.8) == (
        "fair+slowstart(at=0.8)+reserve(vcores=2)",
        "saf+slowstart(at=0.8)",
        "omo(window_s=5)",
    )
    assert change("schedulers[1].slowstart.at", 0.8) == (NAMES[0], "saf+slowstart(at=0.8)", NAMES[2])
    assert change("schedulers[*].saf.rate", 0.5) == (NAMES[0], "saf(rate=0.5)", NAMES[2])


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("cluster.nodes[1].count", 3, "no entry 1"),
        ("cluster.nodes[0].colour", 3, phrase("common.not_field_here")),
        ("cluster.nodes", 3, phrase("common.must_be_list")),
        ("cluster.nodes.total", 0, phrase("experiments.must_be_whole_number_from", 0, 1, "10,000,000")),
        ("cluster.nodes.total", 1.5, phrase("common.must_be_whole_number")),
        ("jobs.total", 3, phrase("experiments.nothing_has_field_total")),
        ("jobs[1].reduces.count", 3, "is required"),
        ("jobs[1].name.count", 3, phrase("experiments.nothing_has_field_count")),
        ("jobs[0].maps.memory_mb", 99_999, "fits no node"),
        ("jobs[0].maps.count", 1.5, "whole number"),
        ("jobs[0].maps.duration_s.scale", "two", phrase("experiments.multiplied_by_number")),
        ("__class__.x", 1, phrase("common.not_field_here")),
        ("a b", 1, phrase("experiments.no_path_number")),
        ("", 1, phrase("experiments.no_path_number")),
        ("x." * 200, 1, phrase("experiments.no_path_number")),
    ],
)
def test_what_makes_no_sense_is_a_fault_of_the_scenario(path, value, says):
    with pytest.raises(ScenarioError, match=says):
        with_overrides(PLAIN, NAMES, [(path, value)])


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("schedulers[3].fair.shares", "kind", "there are 3 schedulers"),
        ("schedulers[0].saf.alpha", 1, "no parameter saf.alpha"),
        ("schedulers[2].slowstart.at", 1, "no parameter slowstart.at"),
        ("schedulers[*].haste.alpha", 1, phrase("experiments.no_scheduler_has_parameter", "haste.alpha")),
        ("schedulers[0].reserve.colour", 1, "no parameter reserve.colour"),
        ("schedulers[1].saf.alpha", 1, "must not be 1"),
        ("schedulers[1].saf.rate", 7, phrase("common.must_be_from", 0.001, 1)),
        ("schedulers[1].saf.cooling", "linear)+fifo(", phrase("experiments.must_be_number_or_one")),
    ],
)
def test_what_makes_no_sense_is_a_fault_of_the_scheduler(path, value, says):
    with pytest.raises(SchedulerError, match=says):
        with_overrides(PLAIN, NAMES, [(path, value)])


PATHS = st.text(max_size=30) | st.from_regex(
    r"(cluster|jobs\[\d\]|queues\[\*\])(\.[a-z_]{1,9}(\[\d\])?){0,3}", fullmatch=True
)


@given(path=PATHS, value=st.integers() | st.floats() | st.text(max_size=5))
def test_no_path_and_no_value_raises_anything_but_a_sentence(path, value):
    try:
        scenario, _ = with_overrides(PLAIN, NAMES, [(path, value)])
    except GantryError as error:
        assert str(error)
    else:
        assert isinstance(scenario, Scenario)


def value_at(plain, path):
    """The slow way to read what a path of one entry names, defaults filled in."""
    result = Scenario.of(plain)
    for step in path.replace("[", ".").replace("]", "").split("."):
        result = result[int(step)] if step.isdecimal() else getattr(result, step)
    return result


@examples(2, 15)
@given(scenario=scenarios(), name=named_schedulers())
def test_every_tunable_tells_its_present_value_and_setting_that_changes_nothing(scenario, name):
    names = [parse(name).name]
    for tunable in tunables(scenario, names):
        if tunable.value is None:
            continue
        if (
            not tunable.path.startswith("schedulers")
            and "*" not in tunable.path
            and not tunable.path.endswith(("scale", "total"))
        ):
            assert value_at(scenario.plain(), tunable.path) == tunable.value, tunable
        again, same = with_overrides(scenario.plain(), names, [(tunable.path, tunable.value)])
        assert (again.canonical, list(same)) == (scenario.canonical, names), tunable


@examples(2, 15)
@given(scenario=scenarios(), name=named_schedulers())
def test_ranges_hold_the_present_value_and_are_legal(scenario, name):
    for tunable in tunables(scenario, [parse(name).name]):
        if tunable.choices:
            assert tunable.value in tunable.choices
        else:
            assert tunable.low <= tunable.range.first < tunable.range.last <= tunable.high, tunable
            assert tunable.value is None or tunable.range.first <= tunable.value <= tunable.range.last, (
                tunable
            )


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.title)
def test_ends_of_ranges_are_refused_only_where_parts_of_a_scenario_disagree(preset):
    """A field's own limit is never passed: what is refused is a container that fits no node, a distribution's
    order of numbers and the like.
    """
    plain = preset.scenario.plain()
    result = tunables(preset.scenario, ["fair", "saf"])
    assert len({tunable.path for tunable in result}) == len(result)
    for tunable in result:
        for value in tunable.choices or (tunable.range.first, tunable.range.last):
            try:
                with_overrides(plain, ["fair", "saf"], [(tunable.path, value)])
            except ScenarioError as error:
                assert all(
                    "too large" not in fault.message
                    and phrase("experiments.must_be_at_least") not in fault.message
                    for fault in error.faults
                ), (
                    tunable,
                    error,
                )


def test_what_all_entries_have_in_common():
    result = {tunable.path: tunable for tunable in tunables(Scenario.of(PLAIN), NAMES)}
    assert result["jobs[*].maps.count"].value is None
    assert result["jobs[*].maps.vcores"].value == 1
    assert "jobs[*].maps.duration_s" not in result  # one is a number, the other a distribution
    assert result["jobs[*].maps.duration_s.scale"].value == 1
    assert "jobs[*].reduces.count" not in result  # b has none
    assert "cluster.nodes[*].count" not in result  # there is one group
    assert result["cluster.nodes[0].count"].title == "n: nodes"
    assert result["jobs[1].maps.duration_s.sd"].title == phrase(
        "experiments.b_standard_deviation_duration_map"
    )
    assert result["schedulers[0].reserve.vcores"].title == "fair+reserve(vcores=2): vcores"
    assert "schedulers[2].lazy-start.window_s" not in result  # omo's own window


def test_nodes_are_offered_in_all_and_slow_start_under_every_name():
    two = {
        **PLAIN,
        "cluster": {"nodes": [{"count": count, "memory_mb": 8192, "vcores": 8} for count in (30, 6)]},
    }
    result = {
        tunable.path: tunable
        for tunable in tunables(Scenario.of(two), ["fair", "saf+lazy-start", "drf+slowstart(at=0.2)", "omo"])
    }
    total = result["cluster.nodes.total"]
    assert (total.title, total.unit, total.value, total.whole, total.range) == (
        "Nodes, total",
        "nodes",
        36,
        True,
        (9, 108, 1),
    )
    assert "cluster.nodes[*].count" not in result
    slow = result["schedulers[0].slowstart.at"]
    assert (slow.title, slow.value, slow.without) == ("fair: slow start", None, "ramp-up")
    assert result["schedulers[1].slowstart.at"].without == "lazy-start"
    every = result["schedulers[*].slowstart.at"]
    assert (every.title, every.value, every.without) == ("3 schedulers: slow start", None, "mixed values")
    assert result["jobs[*].maps.count"].without == "mixed values"
    assert not {"schedulers[3].slowstart.at", "schedulers[*].saf.alpha"} & set(result)


def test_a_job_s_slow_start_says_where_it_does_nothing():
    def help_of(*names):
        return {tunable.path: tunable.help for tunable in tunables(Scenario.of(PLAIN), names)}

    plain = help_of("fair", "fifo+ramp-up")
    assert plain["jobs[0].slowstart"] == Job.model_fields["slowstart"].description
    result = help_of("fair", "fair+slowstart(at=0.8)", "omo", "fifo+lazy-start")
    for path in ("jobs[*].slowstart", "jobs[0].slowstart"):
        assert result[path] == phrase(
            "experiments.no_effect_under_omo",
            plain["jobs[0].slowstart"],
            "fair+",
            "slowstart(at=0.8)",
            "fifo+lazy-start",
        )
    assert {path for path in result if result[path] != plain.get(path, result[path])} == {
        "jobs[*].slowstart",
        "jobs[0].slowstart",
        "jobs[1].slowstart",
        "schedulers[1].slowstart.at",  # there in both, the rule written in the name or not
    }


def test_limits_are_read_from_the_fields():
    assert limits(NodeGroup.model_fields["count"]) == (1, 10**7)
    assert limits(NodeGroup.model_fields["map_slots"]) == (0, 10**7)
    assert limits(NodeGroup.model_fields["speed"]) == (0.001, 1000)
    assert limits(Cluster.model_fields["contention"]) == (0, 100)


TASK = {"count": 2, "memory_mb": 1, "vcores": 1, "duration_s": 1.0}
PHYSICS = {
    "launch_s": {"dist": "normal", "mean": 3.0, "sd": 1.0},
    "out_of_band_heartbeats": True,
    "stragglers": {"share": 0.1},
    "failures": {"probability": 0.2},
    "outages": [{"node": "node1-1", "lost_s": 10.0}],
    "locality": {},
}


def test_the_physics_of_a_cluster_can_be_turned_but_for_lists():
    job = {"maps": TASK, "reduces": TASK, "am": {"memory_mb": 1, "vcores": 1, "startup_s": 5.0}}
    plain = {
        "version": 1,
        "cluster": {"nodes": [{"count": 2, "memory_mb": 8, "vcores": 8}], **PHYSICS},
        "jobs": [job, job | {"partitions": {"sizes": [1, 2]}}],
    }
    result = {one.path: one for one in tunables(Scenario.of(plain), ["fair"])}
    assert result["cluster.launch_s.mean"].title == "Mean launch"
    assert {
        "cluster.launch_s.mean",
        "cluster.launch_s.scale",
        "cluster.stragglers.share",
        "cluster.failures.max_attempts",
    } <= set(result)
    assert {
        "cluster.locality.replication",
        "jobs[0].am.startup_s",
        "jobs[*].am.heartbeat_s",
        "cluster.fetch_weight",
    } <= set(result)
    assert not [path for path in result if "outages" in path or "sizes" in path or "out_of_band" in path]
    for path in (
        path for path in result if path.startswith("cluster.") and not path.startswith("cluster.nodes")
    ):
        for value in (result[path].range.first, result[path].range.last):
            with_overrides(plain, ["fair"], [(path, value)])


def test_an_applications_own_numbers_can_be_moved() -> None:
    of = Scenario.of(MIXED)
    offered = {one.path: one for one in tunables(of, ["fair"])}
    assert {
        "jobs[0].executors.dynamic.maximum",
        "jobs[0].executors.dynamic.idle_s",
        "jobs[0].stages[1].duration_s",
        "jobs[0].stages[2].duration_s.scale",
    } <= set(offered)
    assert offered["jobs[0].stages[1].duration_s"].title == "etl: stage2: duration"
    assert not {"jobs[0].slowstart", "jobs[0].iterations", "jobs[*].slowstart", "cluster.contention"} & set(
        offered
    )
    # what only stages with containers of their own have
    assert not {f"jobs[0].stages[2].{key}" for key in ("output_mb", "slow_start", "start_s")} & set(offered)
    for path, one in offered.items():
        if path.startswith("jobs[0].stages") or ".executors." in path:
            with_overrides(of.plain(), ["fair"], [(path, one.value)])
    fixed = MIXED | {
        "jobs": [MIXED["jobs"][0] | {"executors": {"memory_mb": 640, "vcores": 1, "count": 4}}] * 2
    }
    fixed["jobs"][1] = fixed["jobs"][1] | {"name": "other"}
    two = Scenario.of(fixed)
    assert "jobs[*].executors.count" in {one.path for one in tunables(two, ["fair"])}
    changed, _ = with_overrides(two.plain(), ["fair"], [("jobs[*].executors.count", 7)])
    assert [job.executors and job.executors.count for job in changed.jobs] == [7, 7]


@pytest.mark.parametrize(
    ("framework", "of_stage"),
    [("stages", {"output_mb", "slow_start"}), ("demand", {"start_s"})],
)
def test_numbers_of_stages_with_containers_of_their_own_can_be_moved(
    framework: str, of_stage: set[str]
) -> None:
    stage = {"tasks": 2, "duration_s": 1, "memory_mb": 512, "vcores": 1}
    last = stage | ({"after": ["stage1"]} if framework == "stages" else {})
    nodes = [{"count": 1, "memory_mb": 1024, "vcores": 4}]
    job = {"framework": framework, "stages": [stage, last]}
    of = Scenario.of({"version": 1, "cluster": {"nodes": nodes}, "jobs": [job]})
    at = "jobs[0].stages[1]."
    offered = {one.path: one for one in tunables(of, ["fair"])}
    found = {path.removeprefix(at) for path in offered if path.startswith(at)}
    assert found == {"tasks", "duration_s", "duration_s.scale", "memory_mb", "vcores"} | of_stage
    assert offered[f"{at}memory_mb"].range.last == 1024
    assert "jobs[0].stages[0].slow_start" not in offered
    for path, one in offered.items():
        if ".stages" in path:
            with_overrides(of.plain(), ["fair"], [(path, one.range.first)])
