"""Why a container was placed: the decision shown is the run's own."""

from __future__ import annotations

import re

import pytest

from engine.explanation.container_names import NoSuchContainer
from engine.explanation.explain import explain
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.scheduler import parse
from engine.schedulers.view import KINDS
from engine.simulation.simulate import simulate
from tests.engine.schedulers.busy import busy
from tests.phrases import phrase
from tests.small_scenarios import job, node, scenario, tasks
from tests.spark_jobs import MIXED


@pytest.mark.parametrize("order", CATALOGUE["order"])
def test_every_container_s_decision_names_it_its_node_and_its_time(order):
    run = simulate(busy(), order)
    c, work = run.containers, run.workload
    for number in range(0, len(c.job), 7):
        kind = KINDS[c.kind[number]]
        name = (
            f"{work.job_names[c.job[number]]}/{c.stage[number]}/{kind}/{c.index[number]}/{c.attempt[number]}"
        )
        result = explain(run, parse(order), name)
        chosen = [row for row in result["candidates"] if row["chosen"]]
        assert (result["node"], result.get("starts_s", result["at_s"])) == (
            work.node_names[c.node[number]],
            c.start[number] / 1000,
        )
        assert [(row["job"], row["kind"]) for row in chosen] == [(work.job_names[c.job[number]], kind)]


def test_fair_takes_the_job_that_holds_less():
    """Node of 3 MB: a, b, then of a and b, both holding 1 MB, a by job order."""
    result = explain(
        simulate(scenario([node(3)], [job("a", tasks(2)), job("b", tasks(2))]), "fair"),
        parse("fair"),
        "b/1/map/0",
    )
    assert [(row["job"], row["job_used_memory_mb"]) for row in result["candidates"]] == [("a", 1), ("b", 0)]
    assert result["because"] == (
        phrase("explanation.had_mb_and_vcores_free", "node1", 2, 99, "0:00", 2, 0, 1)
    )


@pytest.mark.parametrize(
    ("jobs", "queues", "words"),
    [
        ([job("a", tasks(2)), job("b", tasks(2))], None, phrase("explanation.tie_in_the_list_of_jobs")),
        (
            [job("c", tasks(2, 5.0)), job("a", tasks(2), arrival_s=1), job("b", tasks(2), arrival_s=2)],
            None,
            phrase("explanation.tie_by_arrival"),
        ),
        (
            [job("b", tasks(2), queue="root.y"), job("a", tasks(2), queue="root.x")],
            [{"name": "root.x"}, {"name": "root.y"}],
            phrase("explanation.tie_of_queues"),
        ),
    ],
)
def test_where_all_tie_it_is_said_what_breaks_the_tie(jobs, queues, words):
    """It once said that a's job holds the least memory."""
    told = explain(simulate(scenario([node(2)], jobs, queues), "fair"), parse("fair"), "a/1/map/0")
    assert told["because"].endswith(words)


@pytest.mark.parametrize("order", CATALOGUE["order"])
def test_of_jobs_that_tie_the_first_submitted_is_chosen(order):
    jobs = [job(name, tasks(3, 2.0), arrival_s=arrival) for name, arrival in (("a", 0), ("b", 0), ("c", 1))]
    run = simulate(scenario([node(2), node(2)], jobs), order)
    told = [explain(run, parse(order), f"{name}/1/map/{index}") for name in "abc" for index in range(3)]
    ties = [one["candidates"] for one in told if "jobs whose requests fitted tie" in one["because"]]
    assert bool(ties) == (order not in ("fifo", "capacity") and not order.startswith("priority"))
    for rows in ties:
        (chosen,) = (row["job"] for row in rows if row["chosen"])
        assert chosen == min(row["job"] for row in rows)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a/1/map", "write JOB/STAGE/KIND"),
        ("c/1/map/0", "no job 'c'"),
        ("a/1/map/9", phrase("explanation.no_such_container")),
        ("a/1/mop/0", "write JOB"),
    ],
)
def test_what_was_not_placed_is_said_in_a_sentence(name, words):
    with pytest.raises(NoSuchContainer, match=words):
        explain(simulate(scenario([node(3)], [job("a", tasks(2))]), "fair"), parse("fair"), name)


@pytest.mark.parametrize(
    ("order", "nodes"), [("fair(reservations=yes)", 1), ("capacity(reservations=yes)", 2)]
)
def test_what_reserved_its_node_says_when_it_fitted(order, nodes):
    """Nodes of 4 GB: a has 2.5 GB of each, of the last until 10 s; b's 3 GB reserve that at once, and c's 1
    GB, which would fit, wait.
    """
    jobs = [
        job("a", tasks(nodes, [20.0, 10.0][-nodes:], 2560)),
        job("b", tasks(1, 1.0, 3072)),
        job("c", tasks(1, 1.0, 1024), arrival_s=1),
    ]
    run = simulate(scenario([node(4096, count=nodes)], jobs), order)
    assert run.containers.start.tolist() == [0] * nodes + [10_000, 10_000]
    result = explain(run, parse(order), "b/1/map/0")
    assert (result["at_s"], result["starts_s"]) == (0.0, 10.0)
    assert result["because"].endswith(phrase("explanation.only_map_b_could_go", "0:10"))
    assert "starts_s" not in explain(run, parse(order), "c/1/map/0")


def test_what_preemption_made_room_for_is_said_in_a_sentence():
    """The hog takes both MB; b, starved after 1 s, is given the one whose container is killed for it."""
    queues = [
        {"name": "root.a"},
        {"name": "root.b", "min_share": {"memory_mb": 1, "vcores": 1}, "min_share_preemption_timeout_s": 1},
    ]
    made = scenario(
        [node(2)],
        [job("a", tasks(2, 100.0), queue="root.a"), job("b", tasks(1), queue="root.b", arrival_s=1)],
        queues=queues,
    )
    name = "fair(preemption=yes, wait_before_kill_ms=1000)"
    told = explain(simulate(made, name), name, "b/1/map/0")
    assert re.match(
        phrase("explanation.was_compared_with_nothing_b", "b/1/map/0/1", "node1"), told["because"]
    )
    assert told["placed"] and not told["candidates"]
    assert [span["rule"] for span in told["waits"]] == ["room", "preemption"]


def test_an_executor_is_explained_as_a_map_is() -> None:
    run = simulate(Scenario.of(MIXED), "fair")
    told = explain(run, "fair", "etl/1/executor/3")
    assert told["placed"]
    assert [row["kind"] for row in told["candidates"] if row["chosen"]] == ["executor"]
    assert told["waits"]
    for none in ("etl/1/executor/99", "etl/1/map/0", "mr/1/executor/0"):
        with pytest.raises(NoSuchContainer):
            explain(run, "fair", none)


@pytest.mark.parametrize(
    ("container", "words"),
    [
        ("task/0", phrase("explanation.tasks_run_in_executors", "etl")),
        ("map/0", phrase("explanation.has_no_containers_of_kind", "etl", "map")),
    ],
)
def test_what_spark_has_in_executors_is_no_container(container, words):
    run = simulate(Scenario.of(MIXED), "fair")
    with pytest.raises(NoSuchContainer, match=words):
        explain(run, parse("fair"), f"etl/1/{container}")


def test_executors_are_counted_from_stage_1():
    run = simulate(Scenario.of(MIXED), "fair")
    with pytest.raises(NoSuchContainer, match=phrase("explanation.no_such_container")):
        explain(run, parse("fair"), "etl/0/executor/0")
