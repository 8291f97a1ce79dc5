"""Each cell of reference/frameworks.md: a feature does for a framework what it says, or is refused in a
sentence with the words that stand there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.analysis.capacity.split import capacity_split
from engine.analysis.metrics import summary
from engine.analysis.phases import phases
from engine.analysis.stage_times import stage_times
from engine.bounds.lower_bounds import lower_bounds
from engine.bounds.optimum.planned_batch import planned_batch
from engine.codes import FINISHED, KILLED, KINDS, LOST, MASTER
from engine.errors import GantryError, ScenarioError
from engine.exercises import exercise as exercises
from engine.experiments.overrides import with_overrides
from engine.experiments.parameters import tunables
from engine.explanation.container_names import name_of
from engine.explanation.explain import explain
from engine.explanation.regret import costly_decisions
from engine.explanation.wait_spans import wait_spans
from engine.explanation.waiting_at import waiting_at
from engine.output.result_format import csv_tables, json_text
from engine.output.trace_events import trace_text
from engine.output.workloads.workload_files import workload_text
from engine.prediction.evidence import evidence
from engine.scenario.formats.import_notes import Notes
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import ADMISSION, ORDER, REDUCE_START
from engine.schedulers.scheduler import parse
from engine.simulation.measured_run import measured_run
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from engine.studies.jitter import jittered
from tests.conftest import ROOT
from tests.engine.exercises.small_exercises import exercise
from tests.phrases import phrase
from tests.simulated_records import recorded

MB = 1024
SIZE = {"memory_mb": MB, "vcores": 1}
TASKS = {"tasks": 4, "duration_s": 10}
# Each: four containers of tasks, 10 s of work in each.
JOBS: dict[str, dict[str, Any]] = {
    "mapreduce": {"maps": SIZE | {"count": 4, "duration_s": 10}},
    "spark": {
        "framework": "spark",
        "executors": {"memory_mb": MB - 384, "vcores": 1, "count": 4},
        "stages": [TASKS],
    },
    "stages": {
        "framework": "stages",
        "stages": [
            SIZE | TASKS | {"output_mb": 1},
            SIZE | {"tasks": 1, "duration_s": 1, "after": ["stage1"]},
        ],
    },
    "demand": {"framework": "demand", "stages": [SIZE | TASKS]},
    "tez": {"framework": "tez", "stages": [SIZE | TASKS]},
}
KIND = {"mapreduce": "map", "spark": "executor", "stages": "task", "demand": "task", "tez": "executor"}


def job(framework: str, name: str = "a", **more: Any) -> dict[str, Any]:
    return {"name": name, "am": SIZE | {"startup_s": 1}} | JOBS[framework] | more


def of(jobs: list[dict], memory: int = 6, queues: Any = (), nodes: int = 1, **cluster: Any) -> Scenario:
    """memory: of a node, in containers."""
    groups = [{"name": "n", "count": nodes, "memory_mb": memory * MB, "vcores": 16}]
    cluster = {"nodes": groups, "heartbeat_ms": 0, "containers_per_heartbeat": None} | cluster
    return Scenario.of({"version": 1, "cluster": cluster, "queues": list(queues), "jobs": jobs})


def run(framework: str, scheduler: str = "fifo", **cluster: Any) -> Run:
    found = simulate(of([job(framework)], **cluster), scheduler, plain=True)
    assert found.status == "finished"
    return found


def name(framework: str, task: int = 0, of_job: str = "a") -> str:
    return f"{of_job}/1/{KIND[framework]}/{task}"


def rules(found: Run, scheduler: str, container: str) -> set[str]:
    return {span.rule.rule for span in wait_spans(found, parse(scheduler), container).spans}


def preemption(framework: str) -> None:
    starved = {"min_share": SIZE, "min_share_preemption_timeout_s": 1}
    other = job("mapreduce", "b", queue="root.b", arrival_s=5, am=None)
    by_fair = of(
        [job(framework, queue="root.a"), other], 5, [{"name": "root.a"}, {"name": "root.b", **starved}]
    )
    halves = [{"name": f"root.{leaf}", "capacity_pct": 50, "user_limit_factor": 2} for leaf in "ab"]
    by_capacity = of([job(framework, queue="root.a"), other], 5, halves)
    for scenario, scheduler in (
        (by_fair, "fair(preemption=yes, wait_before_kill_ms=1000)"),
        (
            by_capacity,
            "capacity(preemption=yes, monitoring_interval_ms=1000, max_wait_before_kill_ms=1000, "
            "total_preemption_per_round=1, natural_termination_factor=1, max_ignored_over_capacity=0)",
        ),
    ):
        found = simulate(scenario, scheduler, plain=True)
        c = found.containers
        assert KIND[framework] in {KINDS[kind] for kind in c.kind[(c.outcome == KILLED) & (c.job == 0)]}
        assert found.status == "finished"


def reservations(framework: str) -> None:
    """Small containers leave room for no other large one until both end: the node is reserved."""
    large = {"mapreduce": ("maps",), "spark": ("executors",)}.get(framework, ("stages", 0))
    whole = json.loads(
        json.dumps(job(framework, arrival_s=1, am=SIZE if KIND[framework] == "executor" else None))
    )
    part = whole
    for key in large:
        part = part[key]
    part["memory_mb"] = 4 * MB - (384 if framework == "spark" else 0)
    small = {"name": "small", "maps": SIZE | {"count": 2, "duration_s": {"values": [4, 8]}}}
    found = simulate(of([small, whole], 5), "fair(reservations=yes)", plain=True)
    told = explain(found, "fair(reservations=yes)", name(framework))
    assert told["starts_s"] > told["at_s"]


def limits_of_queues(framework: str) -> None:
    queues = [
        {"name": "root.a", "capacity_pct": 50, "max_capacity_pct": 50},
        {"name": "root.b", "capacity_pct": 50},
    ]
    found = simulate(of([job(framework, queue="root.a")], 8, queues), "capacity", plain=True)
    c = found.containers
    assert "queue-maximum" in {one.rule for one in waiting_at(found, parse("capacity"), 5000)}
    assert max(int(((c.start <= at) & (c.end > at)).sum()) for at in c.start) == 4


def limits_of_masters(framework: str) -> None:
    queues = [{"name": "root.a", "max_am_share": 0.2}]
    jobs = [job(framework, one, queue="root.a") for one in "ab"]
    found = simulate(of(jobs, 5, queues), "fair", plain=True)
    assert rules(found, "fair", "b/1/am/0") == {"am-share"}


def largest_container(framework: str) -> None:
    limits = {"minimum": SIZE | {"memory_mb": 1}, "maximum": SIZE | {"memory_mb": 1000}}
    with pytest.raises(ScenarioError) as refused:
        of([job(framework, am=SIZE | {"memory_mb": 512})], allocation=limits)
    assert {fault.path.split(".")[-2] for fault in refused.value.faults} == {
        {"mapreduce": "maps", "spark": "executors"}.get(framework, "stages[0]"),
        *(["stages[1]"] if framework == "stages" else []),
    }


def lost_nodes(framework: str) -> None:
    found = run(framework, nodes=2, memory=3, outages=[{"node": "n-2", "lost_s": 5, "back_s": 7}])
    assert (found.containers.outcome == LOST).any()


def stragglers(framework: str) -> None:
    slow = run(framework, stragglers={"share": 1.0, "factor": 3})
    assert slow.until_ms >= run(framework).until_ms + 20_000


def failures(framework: str) -> None:
    assert run(framework, failures={"probability": 0.3, "max_attempts": 30}).containers.attempt.max() > 1


def contention(framework: str) -> None:
    """Demand is held as long as it says."""
    slowed, alone = (run(framework, contention=g).until_ms for g in (1.0, 0.0))
    assert slowed == alone if framework == "demand" else slowed > alone


def locality(framework: str) -> None:
    run(framework, locality={"replication": 1})


def speculation(framework: str) -> None:
    """Some attempts are so slow that others begin beside them, and win."""
    slow = {"stragglers": {"share": 0.3, "factor": 9}}
    if framework == "spark":
        executors = {**JOBS["spark"]["executors"], "speculation": {"quantile": 0.3}}
        found = simulate(of([job("spark", executors=executors)], 3, nodes=2, **slow), "fifo", plain=True)
        assert found.tasks is not None and (found.tasks.outcome == KILLED).any()
        return
    simulate(of([job(framework, speculation="both")]), "fifo", plain=True)


def pools(framework: str) -> None:
    """Of two stages on one slot the second runs first: its pool is the first by name."""
    one_slot = {"executors": {**JOBS["spark"]["executors"], "count": 1}} if framework == "spark" else {}
    pooled = job(framework, pools=[{"name": "b"}, {"name": "a"}], **one_slot)
    if framework == "spark":
        pooled["stages"] = [TASKS | {"pool": "b"}, TASKS | {"pool": "a"}]
    found = simulate(of([pooled]), "fifo", plain=True)
    assert found.tasks is not None and found.tasks.stage[0] == 2


def weighing_orders(framework: str) -> None:
    orders = [policy for policy in CATALOGUE[ORDER].values() if policy.assignment.weighs_tasks]
    refused = []
    for policy in orders:
        try:
            run(framework, policy.name)
        except GantryError as error:
            refused.append(error)
    assert len(refused) in (0, len(orders))
    if refused:
        raise refused[0]


def other_policies(framework: str) -> None:
    for policy in CATALOGUE[ORDER].values():
        if not policy.assignment.weighs_tasks and policy.name != "measured":
            run(framework, policy.name)
    for role in (REDUCE_START, ADMISSION):
        for rule in CATALOGUE[role]:
            run(framework, f"fifo+{rule}" + ("(vcores=0)" if rule == "reserve" else ""))


def explanation(framework: str) -> None:
    found = run(framework, memory=3)
    first, *_, last = np.flatnonzero(
        (found.containers.kind != MASTER) & (found.containers.stage == 1)
    ).tolist()
    told = explain(found, "fifo", last)
    assert told["placed"] and told["candidates"][0]["kind"] == KIND[framework]
    assert ("room" in {span["rule"] for span in told["waits"]}) == (KIND[framework] != "executor")
    assert name_of(found, first) == name(framework) + "/1"


def regret(framework: str) -> None:
    found = simulate(of([job(framework), job("mapreduce", "b")], 4), "fair", plain=True)
    assert costly_decisions(found, parse("fair")).choices > 0


def analysis(framework: str) -> None:
    found = run(framework)
    split = capacity_split(found).memory
    assert (split.parts.sum(axis=1) == split.capacity).all()
    assert split.totals["map" if framework == "mapreduce" else "task"] >= 4 * 10_000 * MB
    slices, c = phases(found), found.containers
    filled = np.bincount(slices.container, slices.end - slices.start)
    assert (filled == c.end - c.start).all()
    assert summary(found)["mean_slowdown"] >= 1


def stages(framework: str) -> None:
    if not (found := stage_times(run(framework), 0)):
        raise GantryError("a job without stages")
    assert found[0].end - found[0].start >= 10_000


def outputs(framework: str) -> None:
    found = run(framework)
    told = json.loads("".join(json_text(found.scenario, [found])))["runs"][0]
    assert {one["kind"] for one in told["containers"]} == {"am", KIND[framework]}
    assert (framework != "mapreduce") == ("stages" in told["jobs"][0])
    rows = "".join(csv_tables([found])["containers.csv"]).splitlines()
    assert len(rows) == 1 + len(found.containers.job)
    slices = [one for one in json.loads("".join(trace_text([found])))["traceEvents"] if one["ph"] == "X"]
    assert len({one["args"]["task"] for one in slices}) == len(found.containers.job)


def workload_formats(framework: str) -> None:
    notes = Notes()
    text = "".join(workload_text(of([job(framework), job("mapreduce", "b")]), "swim", notes))
    if len(text.splitlines()) == 1:
        raise GantryError(" ".join(notes.sentences()))


def bounds(framework: str) -> None:
    found = run(framework, memory=3)
    told = summary(found)
    limits = {bound.key: bound for bound in lower_bounds(found.scenario)}
    assert {"critical_path", "area_memory"} <= set(limits)
    assert all(told[bound.metric] >= bound.at_least for bound in limits.values())


def optimum(framework: str) -> None:
    assert planned_batch(of([job(framework)])).containers


def studies(framework: str) -> None:
    plain = of([job(framework)]).plain()
    varied = simulate(Scenario.of(jittered(plain, 0.3, 1)), "fifo", plain=True)
    assert varied.until_ms != run(framework).until_ms


def sliders(framework: str) -> None:
    path = "jobs[0].maps.duration_s" if framework == "mapreduce" else "jobs[0].stages[0].duration_s"
    scenario = of([job(framework)])
    assert path in {one.path for one in tunables(scenario, ["fifo"])}
    changed, _ = with_overrides(scenario.plain(), ["fifo"], [(path, 20)])
    assert simulate(changed, "fifo", plain=True).until_ms > run(framework).until_ms


def exercising(framework: str) -> None:
    jobs = [job(framework), job("mapreduce", "b")]
    placed = {"kind": "predict", "ask": "next", "container": name(framework, 1)}
    waiting = name("mapreduce", 3, "b") if KIND[framework] == "executor" else name(framework, 3)
    waited = {"kind": "explain", "container": waiting, "which": "longest"}
    scenario = of(jobs, 4).plain()
    for task in (placed, waited):
        asked = exercise(task, scenario=scenario, schedulers=["fifo"])
        fields = exercises.question(asked).fields
        assert fields and exercises.solution(asked)


def prediction(framework: str) -> None:
    """A history is of MapReduce jobs."""
    found = recorded(run(framework)) if framework == "mapreduce" else of([job(framework)])
    assert evidence(measured_run(found)).is_chosen_attempt.any()


# As the rows of the table.
FEATURES: tuple[Callable[[str], None], ...] = (
    preemption,
    reservations,
    limits_of_queues,
    limits_of_masters,
    largest_container,
    lost_nodes,
    stragglers,
    failures,
    contention,
    locality,
    speculation,
    pools,
    weighing_orders,
    other_policies,
    explanation,
    regret,
    analysis,
    stages,
    outputs,
    workload_formats,
    bounds,
    optimum,
    studies,
    sliders,
    exercising,
    prediction,
)


def cells() -> list[tuple[Callable[[str], None], str, str]]:
    """(feature, framework, what stands there)."""
    text = (ROOT / "engine/docs/reference/frameworks.md").read_text("utf-8")
    _, *rows = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| "))
    return [
        (feature, framework, cell)
        for feature, row in zip(FEATURES, rows, strict=True)
        for framework, cell in zip(JOBS, row[1:], strict=True)
    ]


@pytest.mark.parametrize(("feature", "framework", "cell"), cells())
def test_what_the_table_says_is_so(feature: Callable[[str], None], framework: str, cell: str) -> None:
    if cell == "yes":
        feature(framework)
        return
    word, _, why = cell.partition(": ")
    assert word == "refused"
    with pytest.raises(GantryError) as refused:
        feature(framework)
    assert why in str(refused.value)


def test_tasks_finish_in_every_framework() -> None:
    for framework in JOBS:
        found = run(framework)
        assert (found.containers.outcome == FINISHED).all()


def test_under_contention_a_fetch_weight_is_for_reduces_alone() -> None:
    jobs = [job(framework, framework) for framework in ("mapreduce", "spark", "demand", "tez")]
    weighs = {"contention": 0.5, "fetch_weight": 0.5}
    assert of(jobs, **weighs).cluster.fetch_weight == 0.5
    assert of([job("stages")], **weighs | {"contention": 0.0}).cluster.fetch_weight == 0.5
    with pytest.raises(ScenarioError) as refused:
        of([*jobs, job("stages")], **weighs)
    (fault,) = refused.value.faults
    assert fault.path == "cluster.fetch_weight"
    assert fault.message == phrase("scenario.under_contention_weight_of_fetching")


SPARK: dict[str, Any] = {
    "framework": "spark",
    "am": SIZE,
    "executors": SIZE,
    "stages": [TASKS | {"pool": "etl"}],
    "pools": [{"name": "etl"}],
}
OVERHEAD = phrase("scenario.memory_with_overhead", 3800, 384)


@pytest.mark.parametrize(
    ("fields", "path", "said"),
    [
        ({"framework": "flink"}, "framework", "'flink' must be "),
        ({"framework": 5}, "framework", "5 must be "),
        ({"pools": {"etl": {"weight": 2}}}, "pools", phrase("scenario.object_must_be_list")),
        (
            {"executors": SIZE | {"memory_mb": 3800}},
            "executors.memory_mb",
            OVERHEAD + phrase("scenario.fits_no_node_largest", 4184, 4096),
        ),
    ],
)
def test_one_fault_is_told_once(fields: dict[str, Any], path: str, said: str) -> None:
    nodes = [{"count": 1, "memory_mb": 4 * MB, "vcores": 4}]
    with pytest.raises(ScenarioError) as caught:
        Scenario.of({"version": 1, "cluster": {"nodes": nodes}, "jobs": [SPARK | fields]})
    (fault,) = caught.value.faults
    assert fault.path == f"jobs[0].{path}"
    assert fault.message.startswith(said)
