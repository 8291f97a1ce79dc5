"""Every field has an effect, and every fault is told with its JSON path and the relation that must hold."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ScenarioError
from engine.scenario.allocation import Allocation, ContainerSize
from engine.scenario.application_validation import IMPLIED
from engine.scenario.applications import (
    ApplicationStage,
    DynamicAllocation,
    Executors,
    HeldContainers,
    SchedulerPool,
    SparkSpeculation,
)
from engine.scenario.model import Cluster, Job, Master, NodeGroup, Queue, ResourceShare, Scenario, Stage, User
from engine.schedulers.policy import ORDER, Policy
from engine.schedulers.scheduler import Part, Scheduler, parse
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.phrases import phrase

BASE = {
    "version": 1,
    "cluster": {"nodes": [{"count": 2, "memory_mb": 8, "vcores": 8}], "heartbeat_ms": 100},
    "queues": [{"name": "root.a"}, {"name": "root.b"}],
    "jobs": [
        {
            "queue": f"root.{letter}",
            "count": 2,
            "interval_s": 0.3,
            "am": {"memory_mb": 1, "vcores": 1},
            "maps": {"count": 12, "memory_mb": 1, "vcores": 1, "duration_s": 1.0},
            "reduces": {"count": 3, "memory_mb": 1, "vcores": 1, "duration_s": 1.0},
            "shuffle_mb_per_map": 10,
        }
        for letter in "ab"
    ],
}
KILLING = "fair(preemption=yes, utilization_threshold=0)+slowstart+admit-all"
MONITORED = (
    "capacity(user_limits=no, preemption=yes, max_wait_before_kill_ms=1000, "
    "total_preemption_per_round=1)+slowstart+admit-all"
)
ONE = {"memory_mb": 1, "vcores": 1}
LARGE = {
    "minimum": {"memory_mb": 2, "vcores": 1},
    "increment": {"memory_mb": 2, "vcores": 1},
    "maximum": {"memory_mb": 8, "vcores": 8},
}
# path -> (another value, the scheduler that minds)
EFFECTS = {
    "seed": (5, "fifo"),
    "users": ([{"name": "default", "max_running_apps": 1}], "drf"),
    "cluster.nodes.0.count": (3, "fifo"),
    "cluster.nodes.0.memory_mb": (5, "fifo"),
    "cluster.nodes.0.vcores": (5, "fifo"),
    "cluster.nodes.0.speed": (2.0, "fifo"),
    "cluster.nodes.0.map_slots": (2, "fifo"),
    "cluster.nodes.0.reduce_slots": (1, "fifo"),
    "cluster.nodes.0.joins_s": (0.5, "fifo"),
    "cluster.heartbeat_ms": (70, "fifo"),
    "cluster.containers_per_heartbeat": (None, "fifo"),
    "cluster.user_max_running_apps": (1, "fair"),
    "cluster.max_applications": (1, "capacity"),
    "cluster.acl_enable": (True, "capacity"),
    "cluster.shuffle_mb_s": (7.0, "fifo"),
    "cluster.contention": (0.5, "fifo"),
    "cluster.launch_contention": (1.0, "fifo"),
    "cluster.fetch_weight": (0.5, "fifo"),
    "cluster.launch_s": (0.4, "fifo"),
    "cluster.shuffle_latency_s": (0.4, "fifo"),
    "cluster.failures": ({"probability": 0.5}, "fifo"),
    "cluster.outages": ([{"node": "node1-2", "lost_s": 0.5, "back_s": 1.5}], "fifo"),
    "cluster.out_of_band_heartbeats": (True, "fifo"),
    "cluster.stragglers": ({"share": 0.5, "factor": 3.0}, "fifo"),
    "cluster.locality": ({"replication": 1, "rack_factor": 3.0}, "fifo"),
    "cluster.allocation": (LARGE, "fifo"),
    "cluster.allocation.minimum": ({"memory_mb": 3, "vcores": 1}, "fifo"),
    "cluster.allocation.increment": ({"memory_mb": 3, "vcores": 1}, "fair"),
    "cluster.allocation.maximum": ({"memory_mb": 3, "vcores": 8}, "fifo"),
    "queues.0.weight": (3.0, "fair"),
    "queues.0.min_share": ({"memory_mb": 10, "vcores": 10}, "fair"),
    "queues.0.max_share": ({"memory_mb": 3, "vcores": 9}, "fair"),
    "queues.0.capacity_pct": (80.0, "capacity"),
    "queues.0.max_capacity_pct": (30.0, "capacity"),
    "queues.0.user_limit_factor": (0.1, "capacity"),
    "queues.0.min_user_limit_pct": (10, "capacity"),
    "queues.0.min_share_preemption_timeout_s": (3.0, KILLING),
    "queues.0.fair_share_preemption_timeout_s": (3.0, KILLING),
    "queues.0.fair_share_preemption_threshold": (0.01, KILLING),
    "queues.0.allow_preemption_from": (False, KILLING),
    "queues.0.disable_preemption": ("yes", MONITORED),
    "queues.0.max_running_apps": (1, "fair"),
    "queues.0.max_applications": (1, "capacity"),
    "queues.0.state": ("stopped", "capacity"),
    "queues.0.submit_acl": ("ann", "fair"),
    "queues.0.administer_acl": ("ann", "fair"),
    "users.1.groups": ("dev", "fair"),
    "queues.0.policy": ("fifo", "fair"),
    "queues.0.ordering": ("fair", "capacity+admit-all"),
    "queues.0.size_based_weight": (True, "capacity+admit-all"),
    "queues.0.priority": (-1, "capacity"),
    "queues.0.max_container": ({"memory_mb": 3, "vcores": 3}, "fair"),
    "queues.0.max_am_share": (0.1, "fair"),
    "queues.0.name": ("root.a.c", "fair"),
    "jobs.0.queue": ("root.b", "fair"),
    "jobs.0.rejected": ("it is too late", "fifo"),
    "jobs.0.arrival_s": (0.35, "fifo"),
    "jobs.0.count": (1, "fifo"),
    "jobs.0.interval_s": (0.7, "fifo"),
    "jobs.0.weight": (4.0, "fair"),
    "jobs.1.priority": (3, "capacity"),
    "jobs.0.min_share": ({"memory_mb": 6, "vcores": 6}, "drf"),
    "jobs.0.input_mb": (1000.0, "told"),
    "jobs.0.estimate_s": (1000.0, "told"),
    "jobs.0.am": (None, "fifo"),
    "jobs.0.am.memory_mb": (3, "fifo"),
    "jobs.0.am.vcores": (3, "fifo"),
    "jobs.0.am.startup_s": (0.9, "fifo"),
    "jobs.0.am.heartbeat_s": (0.3, "fifo"),
    "jobs.0.am.linger_s": (2.0, "fifo"),
    "jobs.0.maps.count": (5, "fifo"),
    "jobs.0.maps.memory_mb": (3, "fifo"),
    "jobs.0.maps.vcores": (3, "fifo"),
    "jobs.0.maps.duration_s": (0.4, "fifo"),
    "jobs.0.reduces": (None, "fifo"),
    "jobs.0.reduces.count": (1, "fifo"),
    "jobs.0.reduces.memory_mb": (3, "fifo"),
    "jobs.0.reduces.vcores": (3, "fifo"),
    "jobs.0.reduces.duration_s": (0.4, "fifo"),
    "jobs.0.shuffle_mb_per_map": (200.0, "fifo"),
    "jobs.0.partitions": ({"sizes": [1.0, 0.0, 5.0]}, "fifo"),
    "jobs.0.slowstart": (1.0, "fifo"),
    "jobs.0.iterations": (2, "fifo"),
    "jobs.0.speculation": ("both", "fifo"),
}
LABELS = {"name", "user", "rack", "version"}


def largest_told_first(candidates, count, request_job, job_input, job_estimate):
    """An order that reads what size-based orders are told."""
    best = 0
    for position in range(count):
        job, rival = request_job[candidates[position]], request_job[candidates[best]]
        if job_input[job] + job_estimate[job] > job_input[rival] + job_estimate[rival]:
            best = position
    return best


def run(data: dict, scheduler: str):
    if scheduler == "told":
        fifo = parse("fifo")
        order = Part(Policy("told", "Told", ORDER, largest_told_first, "a test"), ())
        return result_of(simulate(Scenario.of(data), Scheduler(order, fifo.reduce_start, fifo.admission)))
    return result_of(simulate(Scenario.of(data), scheduler))


def changed(data: dict, path: str, value: object) -> dict:
    copy = json.loads(json.dumps(data))
    *above, last = path.split(".")
    place = copy
    for key in above:
        place = place[int(key) if key.isdigit() else key]
    place[last] = value
    return copy


def closed_to_all_but_a_group() -> dict:
    """A job of ann, of no group, in root.a, and one of bob, of the group ops, which alone may submit."""
    root = {"name": "root", "submit_acl": " ", "administer_acl": " ops"}
    base = changed(BASE, "queues", [{"name": "root.a"}, {"name": "root.b"}, root])
    base["users"] = [{"name": "ann"}, {"name": "bob", "groups": "ops"}]
    for job, user in zip(base["jobs"], ("ann", "bob")):
        job["user"] = user
    return base


APPLICATION = {
    "version": 1,
    "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 8}], "heartbeat_ms": 100},
    "jobs": [
        {
            "framework": "spark",
            "am": {"memory_mb": 512, "vcores": 1, "heartbeat_s": 1.0},
            "executors": {"memory_mb": 512, "vcores": 1, "launch_s": 0.5, "count": 3},
            "stages": [
                {"name": "read", "tasks": 24, "duration_s": 1.0},
                {"name": "join", "tasks": 2, "after": ["read"], "duration_s": 3.0},
                {"name": "write", "tasks": 24, "after": ["join"], "duration_s": 1.0},
            ],
        }
    ],
}
DYNAMIC = {"idle_s": 0.2, "shuffle_tracking": False}
# of a field of a Spark application, another value
APPLICATION_EFFECTS = {
    "executors.memory_mb": 2000,
    "executors.memory_overhead_mb": 3000,
    "executors.vcores": 8,
    "executors.slots": 2,
    "executors.launch_s": 2.0,
    "executors.count": 2,
    "executors.dynamic": {},
    "executors.registered_ratio": 0.1,
    "executors.registered_wait_s": 0.1,
    "executors.locality_wait_s": 0.0,
    "executors.excluded_s": [0, 4.0],
    "pools.0.name": "z",
    "pools.0.weight": 5,
    "pools.0.minimum_share": 3,
    "pools.0.mode": "fair",
    "stages.1.pool": None,
    "executors.speculation": {"quantile": 0.5},
    "executors.speculation.quantile": 1.0,
    "executors.speculation.multiplier": 3.0,
    "executors.speculation.interval_s": 1.7,
    "executors.speculation.minimum_s": 4.0,
    "executors.dynamic.minimum": 4,
    "executors.dynamic.initial": 3,
    "executors.dynamic.maximum": 2,
    "executors.dynamic.backlog_s": 0.2,
    "executors.dynamic.sustained_backlog_s": 0.1,
    "executors.dynamic.idle_s": 60.0,
    "executors.dynamic.ratio": 0.2,
    "executors.dynamic.shuffle_tracking": True,
    "stages.1.tasks": 4,
    "stages.0.result": True,
    "stages.2.after": [],
    "stages.1.duration_s": 2.0,
}


def with_pools(base: dict, name: str) -> dict:
    """Two of its stages are in a pool of that name, one in the default one; twelve tasks run at once."""
    base = changed(changed(base, "jobs.0.pools", [{"name": name}]), "jobs.0.executors.slots", 4)
    own = {"tasks": 16, "pool": name}
    stages = [{"tasks": 12, "duration_s": 1.0}, {**own, "duration_s": 1.5}, {**own, "duration_s": 2.0}]
    return changed(base, "jobs.0.stages", stages)


@pytest.mark.parametrize("path", APPLICATION_EFFECTS)
def test_a_field_of_a_spark_application_has_an_effect(path):
    base = APPLICATION
    if path.startswith("executors.dynamic"):
        base = changed(base, "jobs.0.executors.count", None)
    if path.startswith("executors.dynamic."):
        base = changed(base, "jobs.0.executors.dynamic", DYNAMIC)
    if path.startswith("executors.speculation"):
        base = changed(base, "cluster.stragglers", {"share": 0.2, "factor": 9.0})
        base = changed(base, "jobs.0.executors.slots", 12)
    if path.startswith("executors.speculation."):
        base = changed(base, "jobs.0.executors.speculation", {"quantile": 0.5})
    if path.startswith("pools") or path.endswith("pool"):
        base = with_pools(base, "a")
        if path == "pools.0.name":  # stages name it
            assert run(with_pools(base, "z"), "fair") != run(base, "fair")
            return
    if path.startswith("executors.registered"):  # some wait for a node that is not there yet
        late = {"count": 1, "memory_mb": 4096, "vcores": 8, "joins_s": 5.0}
        base = changed(base, "cluster.nodes", [{"count": 1, "memory_mb": 2048, "vcores": 8}, late])
    if path == "stages.0.result":  # an executor is lost while the next stage runs
        base = changed(base, "cluster.outages", [{"node": "node1-2", "lost_s": 13.0}])
    if path == "executors.locality_wait_s":
        base = changed(base, "cluster.locality", {"replication": 1, "off_rack_factor": 5.0})
    other = changed(base, f"jobs.0.{path}", APPLICATION_EFFECTS[path])
    assert run(other, "fair") != run(base, "fair")


SIZE = {"memory_mb": 512, "vcores": 1}
TASK = {**SIZE, "duration_s": 4.0}
DAG = {
    "framework": "stages",
    "am": {**SIZE, "heartbeat_s": 1.0},
    "stages": [
        {**TASK, "name": "a", "tasks": 6, "duration_s": {"values": [2, 4, 6, 8, 10, 12]}, "output_mb": 10},
        {**TASK, "tasks": 6, "after": ["a"]},
    ],
}
TEZ = {**DAG, "framework": "tez", "stages": [*DAG["stages"], {"tasks": 3, **TASK, "start_s": 40.0}]}
DEMAND = {"framework": "demand", "stages": [{"tasks": 3, **TASK}]}
STAGES_EFFECTS = {
    "stages.0.memory_mb": (DAG, 4096),
    "stages.0.vcores": (DAG, 8),
    "stages.0.output_mb": (DAG, 1000),
    "stages.1.slow_start": (DAG, 0.1),
    "stages.0.start_s": (DEMAND, 3.0),
    "stages.2.start_s": (TEZ, 60.0),
    "containers.reuse": (TEZ, False),
    "containers.reuse_delay_s": (TEZ, 5.0),
    "containers.idle_minimum_s": (TEZ, 0.1),
    "containers.idle_maximum_s": (TEZ, 60.0),
    "containers.slow_start_minimum": (TEZ, 0.7),
    "containers.slow_start_maximum": (TEZ, 1.0),
}


@pytest.mark.parametrize("path", STAGES_EFFECTS)
def test_a_field_of_an_application_of_stages_has_an_effect(path):
    job, value = STAGES_EFFECTS[path]
    base = changed(changed(APPLICATION, "jobs", [job]), "cluster.launch_s", 1.0)
    if path == "containers.reuse_delay_s":  # the second vertex has larger tasks
        base = changed(base, "jobs.0.stages.1.memory_mb", 1024)
    owner, _, field = path.partition(".")
    if owner == "containers":
        other = changed(base, "jobs.0.containers", {field: value})
    else:
        other = changed(base, f"jobs.0.{path}", value)
    assert run(other, "fair") != run(base, "fair")


@pytest.mark.parametrize("path", EFFECTS)
def test_a_field_has_an_effect(path):
    value, scheduler = EFFECTS[path]
    base = BASE
    if path == "seed":
        base = changed(BASE, "jobs.0.maps.duration_s", {"dist": "exponential", "mean": 1.0})
    if path == "cluster.launch_contention":
        base = APPLICATION
    if path == "cluster.fetch_weight":
        base = changed(BASE, "cluster.contention", 0.5)
    if path in ("jobs.0.weight", "jobs.0.min_share"):
        base = changed(BASE, "jobs.1.queue", "root.a")
    if path == "jobs.0.speculation":
        base = changed(BASE, "cluster.stragglers", {"share": 0.2, "factor": 20.0})
    if "preemption" in path:  # a job of the other queue fills the cluster before
        full, late = (0, 1) if path.endswith(("allow_preemption_from", "disable_preemption")) else (1, 0)
        base = changed(
            changed(
                BASE, f"jobs.{full}.maps", {"count": 30, "memory_mb": 1, "vcores": 1, "duration_s": 60.0}
            ),
            f"jobs.{late}.arrival_s",
            5.0,
        )
        base = changed(base, "queues.0.min_share", {"memory_mb": 8, "vcores": 8})
        if "timeout" not in path:
            base = changed(base, f"queues.{late}.fair_share_preemption_timeout_s", 2.0)
    if path == "queues.0.min_user_limit_pct":
        base = changed(changed(BASE, "jobs.1.queue", "root.a"), "jobs.1.user", "another")
    if path in ("queues.0.ordering", "queues.0.size_based_weight", "jobs.1.priority"):
        base = changed(changed(BASE, "jobs.1.queue", "root.a"), "jobs.1.maps.count", 40)
    if path == "queues.0.size_based_weight":
        base = changed(base, "queues.0.ordering", "fair")
    if path == "queues.0.priority":
        base = changed(
            BASE, "queues", [*BASE["queues"], {"name": "root", "ordering": "priority-utilization"}]
        )
    if path.startswith("cluster.allocation."):
        # which becomes 4
        base = changed(changed(BASE, "cluster.allocation", LARGE), "jobs.0.maps.memory_mb", 3)
    if path == "queues.0.max_container":
        base = changed(
            BASE, "cluster.allocation", {**LARGE, "minimum": ONE, "increment": {"memory_mb": 5, "vcores": 1}}
        )
    if "acl" in path or path == "users.1.groups":
        base = closed_to_all_but_a_group()
    if path == "jobs.0.queue":
        base = changed(BASE, "queues.0.weight", 5.0)
    if path == "queues.0.name":
        base = changed(changed(BASE, "queues.0.weight", 3.0), "jobs.0.queue", "root.a")
        other = changed(changed(base, "queues.0.name", value), "jobs.0.queue", value)
        assert run(other, scheduler) != run(base, scheduler)  # the implied parent root.a has weight 1
        return
    before, after = run(base, scheduler), run(changed(base, path, value), scheduler)
    assert (before.containers, before.jobs) != (after.containers, after.jobs)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("cluster.launch_s", {"values": [1, 2]}, phrase("scenario.must_be_number_seconds_or")),
        ("cluster.out_of_band_heartbeats", 1, phrase("common.must_be_true_or_false", 1)),
    ],
)
def test_a_wrong_kind_of_value_is_told_in_words(path, value, said):
    with pytest.raises(ScenarioError) as caught:
        Scenario.of(changed(BASE, path, value))
    assert said in str(caught.value)


def test_what_a_framework_lacks_is_told_by_another_value_than_the_default():
    assert {key: Job.model_fields[key].default for key in IMPLIED} == IMPLIED


OWNERS = {"nodes", "maps", "framework", "executors", "containers", "pools", "stages"}


def test_no_field_is_forgotten():
    """A field added to the scenario needs a line in EFFECTS, unless it only labels."""
    last = {path.rpartition(".")[2] for path in (*EFFECTS, *APPLICATION_EFFECTS, *STAGES_EFFECTS)}
    for model in (
        Cluster,
        NodeGroup,
        Queue,
        User,
        Job,
        Master,
        Stage,
        ResourceShare,
        Allocation,
        ContainerSize,
        Executors,
        DynamicAllocation,
        SparkSpeculation,
        SchedulerPool,
        HeldContainers,
        ApplicationStage,
    ):
        for field in model.model_fields:
            assert field in last | LABELS | OWNERS, f"{model.__name__}.{field} has no line in EFFECTS"


@pytest.mark.parametrize("path", ["cluster.nodes.0.rack", "jobs.0.user"])
def test_labels_do_nothing(path):
    assert run(changed(BASE, path, "somewhere"), "fair") == run(BASE, "fair")


FAULTS = {
    "jobs.0.maps.memory_mb": (
        16,
        "jobs[0].maps.memory_mb: " + phrase("scenario.fits_no_node_largest", 16, 8),
    ),
    "cluster.allocation": (
        {},
        "cluster.allocation.minimum.memory_mb: " + phrase("scenario.fits_no_node_largest", 1024, 8),
    ),
    "queues.0.max_container": (
        {"memory_mb": 1, "vcores": 0},
        "queues[0].max_container.vcores: " + phrase("common.must_be_at_least", 0, 1),
    ),
    "queues.1.max_am_share": (
        -0.5,
        "queues[1].max_am_share: " + phrase("scenario.must_be_from_or_for", -0.5, 0, 1, -1),
    ),
    "jobs.0.maps.vcores": (9, "jobs[0].maps.vcores: " + phrase("scenario.fits_no_node_largest", 9, 8)),
    "cluster.nodes.0.map_slots": (
        0,
        "jobs[0].maps: " + phrase("scenario.fits_no_node_where_memory", "map_slots", 0),
    ),
    "jobs.0.maps.count": (0, "jobs[0].maps.count: " + phrase("common.must_be_at_least", 0, 1)),
    "jobs.0.maps.duration_s": (-1, "jobs[0].maps.duration_s: " + phrase("common.must_be_at_least", -1, 0)),
    "jobs.0.slowstart": (1.5, "jobs[0].slowstart: " + phrase("scenario.too_large_at_most", 1.5, 1)),
    "cluster.contention": (
        float("nan"),
        "cluster.contention: " + phrase("scenario.nan_must_be_finite_number"),
    ),
    "jobs.0.arrival_s": (
        1e300,
        "jobs[0].arrival_s: " + phrase("scenario.too_large_at_most", "1e+300", "100,000,000"),
    ),
    "jobs.0.queue": (
        "root.c",
        "jobs[0].queue: " + phrase("scenario.not_listed_in_queues_did", "'root.c'", "root.b"),
    ),
    "jobs.0.weigth": (2, "jobs[0].weigth: " + phrase("scenario.not_field_here_did_you")),
    "jobs.0.maps": (None, "jobs[0].maps: " + phrase("scenario.required_for_mapreduce")),
    "jobs.0.name": ("a/b", "jobs[0].name: 'a/b' must not contain /"),
    "queues.0.capacity_pct": (
        120,
        "queues[0].capacity_pct: " + phrase("scenario.too_large_at_most", 120, 100),
    ),
    "queues.0.ordering": (
        "utilization",
        "queues[0].ordering: " + phrase("scenario.utilization_orders_queues_and_leaf", "'root.a'"),
    ),
    "queues": (
        [{"name": "root", "ordering": "fair"}, *BASE["queues"]],
        "queues[0].ordering: " + phrase("scenario.fair_orders_jobs_and_only"),
    ),
    "queues.1.name": ("root.a", "queues[1].name: 'root.a' is listed twice"),
    "users": ([{"name": "ann", "max_running_apps": 1}] * 2, "users[1].name: 'ann' is listed twice"),
    "cluster.user_max_running_apps": (
        -1,
        "cluster.user_max_running_apps: " + phrase("common.must_be_at_least", -1, 0),
    ),
}


@pytest.mark.parametrize("path", FAULTS)
def test_a_fault_names_its_path_and_what_must_hold(path):
    value, line = FAULTS[path]
    with pytest.raises(ScenarioError) as result:
        Scenario.of(changed(BASE, path, value))
    assert line in str(result.value).splitlines()


def test_all_faults_come_at_once():
    data = BASE
    for path in ("jobs.0.maps.memory_mb", "jobs.1.weigth", "cluster.contention"):
        data = changed(data, path, FAULTS.get(path, FAULTS["jobs.0.weigth"])[0])
    with pytest.raises(ScenarioError) as result:
        Scenario.of(data)
    assert len(result.value.faults) == 3


KEYS = st.sampled_from(
    [
        "version",
        "cluster",
        "jobs",
        "nodes",
        "maps",
        "count",
        "name",
        "queue",
        "queues",
        "dist",
        "values",
        "duration_s",
        "x",
    ]
)
SIMPLE = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5)


@given(
    st.recursive(
        SIMPLE,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
        max_leaves=25,
    )
)
def test_no_json_value_is_more_than_a_list_of_faults(value):
    with pytest.raises(ScenarioError) as result:
        Scenario.of(value)
    assert all(str(fault) for fault in result.value.faults)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1e999]",
        "[" * 100_000,
        b"\xff\xfe",
        '{"version":1,"seed":' + "9" * 5000 + "}",
        "nul",
        "{}{}",
    ],
)
def test_broken_text_is_one_fault_or_more(text):
    with pytest.raises(ScenarioError):
        Scenario.read(text)


def test_saved_and_read_again_it_is_the_same():
    scenario = Scenario.of(changed(BASE, "jobs.0.x_note", {"kept": [1, "as it is"]}))
    again = Scenario.read(scenario.json())
    assert again == scenario and again.canonical == scenario.canonical


def test_defaults_written_out_or_not_are_the_same_scenario():
    data = changed(BASE, "jobs.0.weight", 1)
    assert Scenario.of(data).digest == Scenario.of(BASE).digest
    assert Scenario.of(changed(BASE, "jobs.0.weight", 2)).digest != Scenario.of(BASE).digest
