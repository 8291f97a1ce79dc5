"""Each question changes what it says and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.conversion.scheduler_conversion import convert_scheduler
from engine.errors import GantryError
from engine.prediction.question import QuestionError
from engine.prediction.questions import QUESTIONS, apply_question, question_fields
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.phrases import phrase
from tests.small_scenarios import job, master, node, scenario, tasks
from tests.spark_jobs import MIXED, spark, stage
from tests.tez_jobs import tez_scenario

QUEUES = [
    {"name": "root.a", "weight": 2.0},
    {"name": "root.b"},
    {"name": "root.b.x"},
    {"name": "root.b.y", "max_share": {"memory_mb": 4, "vcores": 40}},
]
CAPACITIES = [
    {"name": "root.a", "capacity_pct": 60.0, "max_capacity_pct": 70.0},
    {"name": "root.b", "capacity_pct": 30.0},
    {"name": "root.c"},
]


def batch(**more: Any) -> Scenario:
    """Two racks, four leaf queues' worth of jobs, one of which recurs."""
    nodes = [node(8, 8, name="n", count=3, rack="r1"), node(8, 8, name="m", count=2, rack="r2")]
    jobs = [
        job("etl1", tasks(4, 10.0), tasks(1, 5.0), queue="root.a", user="ann", am=master(), x_group="etl"),
        job(
            "etl2",
            tasks(4, 10.0),
            tasks(1, 5.0),
            queue="root.a",
            user="ann",
            am=master(),
            x_group="etl",
            arrival_s=60.0,
        ),
        job("report", tasks(6, 20.0), tasks(2, 5.0), queue="root.b.x", user="bob", arrival_s=30.0),
        job("load", tasks(3, 4.0, memory=2), queue="root.b.y", user="cy", count=2),
    ]
    return scenario(nodes, jobs, QUEUES, **more)


def differing(before: Scenario, after: Scenario) -> set[str]:
    """The parts of the scenario that differ, cluster's and jobs' fields by name."""
    old, new = before.model_dump(), after.model_dump()
    result = {key for key in old if key not in ("cluster", "jobs") and old[key] != new[key]}
    result |= {f"cluster.{key}" for key in old["cluster"] if old["cluster"][key] != new["cluster"][key]}
    result |= {"jobs"} if len(old["jobs"]) != len(new["jobs"]) else set()
    return result | {
        f"jobs.{key}"
        for one, other in zip(old["jobs"], new["jobs"])
        for key in one
        if one[key] != other.get(key)
    }


TOUCHED = {
    "nodes": {"cluster.nodes"},
    "share": {"queues"},
    "limit": {"queues"},
    "scheduler": set(),
    "convert": {
        "queues",
        "cluster.allocation",
        "cluster.containers_per_heartbeat",
        "cluster.max_applications",
        "x_hadoop",
    },
    "slowstart": {"jobs.slowstart"},
    "containers": {"jobs.maps", "jobs.reduces"},
    "shift": {"jobs.arrival_s"},
    "queue": {"jobs.queue"},
    "drain": {"jobs"},
    "growth": {"jobs"},
    "rack": {"cluster.outages"},
}


@pytest.mark.parametrize("key", TOUCHED)
@pytest.mark.parametrize("scheduler", ["fair", "capacity", "drf+slowstart(at=1)"])
def test_each_question_touches_what_it_says_and_can_be_run(key: str, scheduler: str) -> None:
    before = batch()
    result = apply_question(before, scheduler, key)
    touched = differing(before, result.scenario)
    # without a queue's jobs the others stand in other places
    assert touched <= TOUCHED[key] or key == "drain"
    assert (
        result.title
        and not result.title.endswith(".")
        and all(caveat.endswith(".") for caveat in result.caveats)
    )
    assert simulate(result.scenario, result.scheduler).status == "finished"
    assert (touched == set()) == (key == "scheduler")


@given(total=st.integers(1, 40))
def test_so_many_nodes_as_were_asked_for(total: int) -> None:
    after = apply_question(batch(), "fair", "nodes", {"nodes": total}).scenario
    assert sum(group.count for group in after.cluster.nodes) == total


def test_outages_of_nodes_that_are_no_longer_there_go_with_them() -> None:
    before = batch(outages=[{"node": "m-2", "lost_s": 5.0}, {"node": "n-1", "lost_s": 5.0}])
    after = apply_question(before, "fair", "nodes", {"nodes": 3}).scenario
    assert [outage.node for outage in after.cluster.outages] == ["n-1"]


@given(wanted=st.floats(0, 100, allow_nan=False).map(lambda value: round(value, 2)))
def test_capacities_still_sum_to_a_hundred(wanted: float) -> None:
    before = Scenario.of(
        {
            **batch().plain(),
            "queues": CAPACITIES,
            "jobs": [{**one, "queue": "root.a"} for one in batch().plain()["jobs"]],
        }
    )
    result = apply_question(before, "capacity", "share", {"queue": "root.a", "capacity_pct": wanted})
    own = {queue.name: queue for queue in result.scenario.queues}
    assert own["root.a"].capacity_pct == wanted
    assert sum(queue.capacity_pct for queue in own.values()) == pytest.approx(100, abs=1e-6)
    assert own["root.a"].max_capacity_pct == max(70.0, wanted)
    # the others keep what they have of the rest: 30 to 10, which root.c had of what was left
    if 0 < wanted < 100:
        assert own["root.b"].capacity_pct == pytest.approx(0.75 * (100 - wanted), abs=1e-3)
    assert "30 %" in result.caveats[0]


@given(weight=st.floats(0.01, 1000))
def test_a_weight_is_that_queues_alone(weight: float) -> None:
    after = apply_question(batch(), "fair", "share", {"queue": "root.b", "weight": weight}).scenario
    assert {queue.name: queue.weight for queue in after.queues} == {
        "root.a": 2.0,
        "root.b": weight,
        "root.b.x": 1.0,
        "root.b.y": 1.0,
    }


def test_a_limit_is_a_part_of_the_cluster_under_fair_and_of_the_parent_under_capacity() -> None:
    ask = lambda name: (
        apply_question(batch(), name, "limit", {"queue": "root.a", "most_pct": 50}).scenario.queues
    )
    under = {name: {queue.name: queue for queue in ask(name)} for name in ("fair", "capacity")}
    share = under["fair"]["root.a"].max_share
    assert (share.memory_mb, share.vcores) == (20, 20) and under["fair"]["root.a"].max_capacity_pct is None
    assert (
        under["capacity"]["root.a"].max_capacity_pct == 50 and under["capacity"]["root.a"].max_share is None
    )
    lifted = apply_question(batch(), "fair", "limit", {"queue": "root.b.y", "most_pct": 100})
    assert (
        all(queue.max_share is None for queue in lifted.scenario.queues) and "instead of 10 %" in lifted.title
    )
    of = Scenario.of(
        {
            **batch().plain(),
            "queues": [{"name": "root.a", "capacity_pct": 60.0}, *CAPACITIES[1:]],
            "jobs": [{**one, "queue": "root.a"} for one in batch().plain()["jobs"]],
        }
    )
    assert question_fields(of, "capacity", "limit")[1].default == 60
    with pytest.raises(QuestionError, match=phrase("prediction.at_least_capacity")):
        apply_question(of, "capacity", "limit", {"queue": "root.a", "most_pct": 40})


@pytest.mark.parametrize("key", ["slowstart", "containers", "growth", "scheduler", "nodes"])
def test_what_others_held_stays_beside_every_question(key: str) -> None:
    plain = batch().plain()
    stage = {"tasks": 2, "memory_mb": 2, "vcores": 1, "start_s": 3, "duration_s": 50}
    demand = {"name": "sql", "framework": "demand", "queue": "root.a", "am": master(), "stages": [stage]}
    before = Scenario.of({**plain, "jobs": [*plain["jobs"], demand]})
    result = apply_question(before, "fair", key)
    assert result.scenario.jobs[len(before.jobs) - 1] == before.jobs[-1]
    assert not any("sql" in str(job.name) for job in result.scenario.jobs[len(before.jobs) :])
    assert simulate(result.scenario, result.scheduler).status == "finished"


def test_slow_start_is_every_jobs_and_the_rules_own_where_it_has_one() -> None:
    plain = apply_question(batch(), "fair", "slowstart", {"slowstart": 0.9})
    assert {one.slowstart for one in plain.scenario.jobs} == {0.9} and plain.scheduler.name == "fair"
    ruled = apply_question(batch(), "fair+slowstart(at=1)", "slowstart", {"slowstart": 0.5})
    assert ruled.scheduler.name == "fair+slowstart(at=0.5)" and "instead of 1" in ruled.title
    with pytest.raises(QuestionError, match=phrase("prediction.looks_at_no_slow_start")):
        apply_question(batch(), "fair+lazy-start", "slowstart")


def test_sizes_are_those_of_tasks_alone() -> None:
    after = apply_question(batch(), "fair", "containers", {"maps_mb": 3, "reduces_mb": 2}).scenario
    assert {one.maps.memory_mb for one in after.jobs} == {3} and {
        one.reduces.memory_mb for one in after.jobs if one.reduces
    } == {2}
    assert [one.am for one in after.jobs] == [one.am for one in batch().jobs]


@given(by=st.integers(-5, 5))
def test_jobs_move_together_and_not_before_the_beginning(by: int) -> None:
    result = apply_question(batch(), "fair", "shift", {"jobs": "group:etl", "by_min": by / 2})
    assert [one.arrival_s for one in result.scenario.jobs] == [
        max(0.0, 30.0 * by),
        max(0.0, 60.0 + 30.0 * by),
        30.0,
        0.0,
    ]
    assert any(phrase("prediction.before_record_begins") in caveat for caveat in result.caveats) == (by < 0)


@pytest.mark.parametrize(("asked", "moved"), [("queue:root.a", 2), ("user:bob", 1), ("job:load", 1)])
def test_what_is_moved_is_chosen_by_queue_user_or_name(asked: str, moved: int) -> None:
    after = apply_question(batch(), "fair", "shift", {"jobs": asked, "by_min": 1}).scenario
    assert sum(one.arrival_s != was.arrival_s for one, was in zip(after.jobs, batch().jobs)) == moved


def test_a_job_or_an_application_is_submitted_to_another_queue() -> None:
    """The recurring jobs by default; what is set when they are submitted is told."""
    result = apply_question(batch(), "fair", "queue")
    assert result.title == phrase("prediction.in_queue_instead", "Etl (recurs)", "b.x", "a")
    assert [one.queue for one in result.scenario.jobs] == ["root.b.x", "root.b.x", "root.b.x", "root.b.y"]
    assert not result.files and "mapreduce.job.queuename=root.b.x;" in result.caveats[0]
    plain = batch().plain()
    mixed = Scenario.of({**plain, "jobs": [*plain["jobs"], {**spark([stage(2, 5.0)]), "queue": "root.a"}]})
    changed = apply_question(mixed, "capacity", "queue", {"jobs": "job:a", "to": "root.b.y"})
    assert changed.title == phrase("prediction.in_queue_instead", "Application a", "b.y", "a")
    assert [file.text for file in changed.files] == ["spark.yarn.queue root.b.y\n"]
    assert "spark.yarn.queue=root.b.y;" in changed.caveats[0]


def test_jobs_go_to_a_queue_that_is_there_and_another() -> None:
    with pytest.raises(QuestionError, match=phrase("prediction.already_there", "a")):
        apply_question(batch(), "fair", "queue", {"to": "root.a"})
    with pytest.raises(QuestionError, match="leaf queue"):
        apply_question(batch(), "fair", "queue", {"to": "root.b"})
    with pytest.raises(QuestionError, match=phrase("prediction.looks_at_no_queues")):
        apply_question(batch(), "fifo", "queue")
    one_queue = scenario([node(8, 8)], [job("j", tasks(1))])
    with pytest.raises(QuestionError, match="only one queue"):
        apply_question(one_queue, "fair", "queue")
    alike = [job(name, tasks(1), queue="root.a", x_group="g") for name in ("i", "j")]
    every = scenario([node(8, 8)], alike, [{"name": "root.a"}, {"name": "root.b"}])
    moved = apply_question(every, "fair", "queue").scenario  # nothing tells them apart
    assert [one.queue for one in moved.jobs] == ["root.b", "root.b"]


def test_a_drained_queue_has_no_jobs() -> None:
    out = apply_question(batch(), "capacity", "drain", {"queue": "root.a"})
    assert [one.name for one in out.scenario.jobs] == ["report", "load"]
    assert "<name>yarn.scheduler.capacity.root.a.state</name>" in out.files[0].text and not out.files[0].whole
    to = apply_question(batch(), "fair", "drain", {"queue": "root.a", "to": "root.b.x"})
    assert [one.queue for one in to.scenario.jobs] == [
        "root.b.x",
        "root.b.x",
        "root.b.x",
        "root.b.y",
    ] and not to.files


@given(share=st.integers(1, 300))
def test_growth_adds_copies_of_what_recurs_in_proportion(share: int) -> None:
    before, after = batch(), apply_question(batch(), "fair", "growth", {"growth_pct": share}).scenario
    assert after.jobs[: len(before.jobs)] == before.jobs
    added = after.jobs[len(before.jobs) :]
    assert len(added) == max(1, int(share * 5 / 100 + 0.5 + 1e-9))  # the nearest whole number
    assert all(one.count == 1 and 0 <= one.arrival_s <= 60 for one in added)
    of_etl = sum((one.model_extra or {}).get("x_group") == "etl" for one in added)
    assert abs(of_etl - share * 2 / 100) <= 1
    assert apply_question(batch(), "fair", "growth", {"growth_pct": share}).scenario == after


def test_a_rack_is_lost_with_all_its_nodes() -> None:
    after = apply_question(batch(), "fair", "rack", {"lost": "r2", "after_min": 0.5}).scenario
    assert [(outage.node, outage.lost_s, outage.back_s) for outage in after.cluster.outages] == [
        ("m-1", 30.0, None),
        ("m-2", 30.0, None),
    ]
    one_rack = scenario([node(8, 8, name="n", count=3)], [job("j", tasks(1))])
    assert [choice.value for choice in question_fields(one_rack, "fair", "rack")[0].choices] == [
        "n-1",
        "n-2",
        "n-3",
    ]
    assert [
        outage.node
        for outage in apply_question(one_rack, "fair", "rack", {"lost": "n-2"}).scenario.cluster.outages
    ] == ["n-2"]


def test_another_scheduler_keeps_the_rule_for_reduces_and_comes_with_its_files() -> None:
    result = apply_question(batch(), "fair+slowstart(at=1)", "scheduler", {"scheduler": "capacity"})
    assert result.scheduler.name == "capacity+slowstart(at=1)"
    assert [file.name for file in result.files] == ["yarn-site.xml", "capacity-scheduler.xml"] and all(
        file.whole for file in result.files
    )
    none = apply_question(batch(), "fair", "scheduler", {"scheduler": "haste"})
    assert not none.files and any(phrase("prediction.no_file_take_back") in caveat for caveat in none.caveats)


def test_the_converted_configuration_is_taken_back() -> None:
    """What is written of the converted scenario is what fs2cs wrote, and what it loses is told."""
    for scheduler, names in (
        ("fair+slowstart(at=1)", ["capacity-scheduler.xml", "yarn-site.xml"]),
        ("capacity", ["fair-scheduler.xml", "yarn-site.xml"]),
    ):
        result = apply_question(batch(), scheduler, "convert")
        written = convert_scheduler(batch(), scheduler).files
        assert [file.name for file in result.files] == names and all(file.whole for file in result.files)
        again = [(file.name, file.text.encode()) for file in result.files]
        first = [(name, text.encode()) for name, text in written.items()]
        assert read_configuration(again).queues == read_configuration(first).queues
        assert result.scheduler.reduce_start.number("at", 0) == ("slowstart" in scheduler)
    assert any("root.b.y" in caveat and "maxResources" in caveat for caveat in caveats_of_fair())
    with pytest.raises(QuestionError, match="haste"):
        apply_question(batch(), "haste", "convert")


def caveats_of_fair() -> tuple[str, ...]:
    return apply_question(batch(), "fair", "convert", {"capacities": "percentages"}).caveats


def test_the_record_stays_behind() -> None:
    """It is of the nodes and jobs as they were."""
    assert all(apply_question(batch(), "fair", key).scenario.measured is None for key in TOUCHED)


@pytest.mark.parametrize(
    ("key", "values", "says"),
    [
        ("nodez", {}, phrase("prediction.did_you_mean_nodes")),
        ("nodes", {"nodes": "x"}, phrase("prediction.whole_number_from_nodes_not", 1, "10,000,000", "'x'")),
        ("nodes", {"nodes": 1.5}, "whole number"),
        ("nodes", {"nodes": True}, "whole number"),
        ("nodes", {"nodes": float("nan")}, "whole number"),
        ("nodes", {"nodes": None}, "whole number"),
        ("nodes", {"of": 3}, phrase("prediction.nodes_asks_for_nodes_not", "'of'")),
        ("slowstart", {"slowstart": 2}, "number from 0 to 1"),
        ("rack", {"lost": "r3"}, phrase("prediction.did_you_mean_r")),
        ("shift", {"jobs": "user:bo"}, phrase("prediction.did_you_mean_user_bob")),
        ("drain", {"queue": "root.a", "to": "root.a"}, phrase("prediction.must_go_another_queue")),
        ("convert", {"capacities": "weight"}, phrase("prediction.did_you_mean_weights")),
        ("scheduler", {"scheduler": "faire"}, phrase("prediction.did_you_mean_fair")),
        ("scheduler", {"scheduler": "measured"}, "name a scheduler"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(key: str, values: dict, says: str) -> None:
    with pytest.raises(GantryError, match=says) as error:
        apply_question(batch(), "fair", key, values)
    assert "\n" not in str(error.value)


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.lists(st.integers(), max_size=2),
)


@given(value=ANYTHING, key=st.sampled_from([*QUESTIONS]))
def test_whatever_is_sent_as_a_value_is_a_change_or_a_sentence(value: Any, key: str) -> None:
    before = {"spark": Scenario.of(MIXED), "tez": tez_scenario()}.get(QUESTIONS[key].framework or "", batch())
    for field in question_fields(before, "capacity", key):
        try:
            assert apply_question(before, "capacity", key, {field.key: value}).title
        except GantryError as error:
            assert str(error)


def test_a_scenario_that_leaves_nothing_to_ask_says_why() -> None:
    alone = scenario([node(4, 4)], [job("j", tasks(2))])
    for key, says in (
        ("rack", "one node"),
        ("drain", "one queue"),
        ("share", "one queue"),
        ("slowstart", phrase("prediction.no_job_has_reduces")),
    ):
        with pytest.raises(QuestionError, match=says):
            question_fields(alone, "fair", key)
    with pytest.raises(QuestionError, match=phrase("prediction.looks_at_no_queues")):
        question_fields(batch(), "fifo", "limit")
    with pytest.raises(QuestionError, match=phrase("prediction.measured_what_cluster_did")):
        question_fields(batch(), "measured", "nodes")
