"""What the user composed: cluster, queues and jobs; frozen, checks itself, to and from JSON.

The fields and their defaults are the contract's; `described` gives each the sentence of help, the unit and
the names that the page shows. `Scenario.read` finds all faults at once.
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from engine.codes import MAX_USER_LIMIT_FACTOR
from engine.errors import Fault, ScenarioError
from engine.messages import msg
from engine.scenario.allocation import Allocation, ContainerSize
from engine.scenario.applications import ApplicationStage, Executors, HeldContainers, SchedulerPool
from engine.scenario.field_descriptions import described
from engine.scenario.field_types import (
    Acl,
    Amount,
    Count,
    CountOrZero,
    Duration,
    Exponential,
    Fraction,
    Listed,
    MasterShare,
    Milliseconds,
    Name,
    NotNegative,
    Percent,
    Positive,
    Seconds,
    SecondsOrDistribution,
    Share,
    Spread,
    Text,
    Uniform,
    Value,
    Whole,
    WholePercent,
    milliseconds,
)
from engine.scenario.json_values import oversize_faults
from engine.scenario.measured import Measured
from engine.scenario.physics import Failures, Locality, Outage, Partitions, Stragglers
from engine.scenario.queue_validation import DEFAULT_QUEUE
from engine.scenario.scenario_limits import MAX_NAME_LENGTH, MAX_REJECTED_LENGTH
from engine.scenario.validation import find_faults

VERSION = 1


class ResourceShare(Value):
    """An amount of both resources, used for minimum and maximum shares."""

    memory_mb: Share = described("Memory.", "MB", 0)
    vcores: Share = described("Virtual cores.", "vcores", 0)


class NodeGroup(Value):
    """Equal nodes."""

    name: Name | None = described("Name of the node; copies are numbered. Empty: node1, node2, …", "", None)
    count: Count = described("How many such nodes there are.", "nodes", name="nodes")
    memory_mb: Amount = described("Memory a node offers to containers.", "MB", name="memory of a node")
    vcores: Amount = described(
        "Virtual cores a node offers to containers.", "vcores", name="vcores of a node"
    )
    rack: Name | None = described(
        "Groups rows in the charts; with locality, maps are slower off their block's rack.",
        "",
        None,
    )
    speed: Annotated[Positive, Field(ge=0.001, le=1000)] = described(
        "Task durations are divided by it: 2 is twice as fast.", "x", 1.0, name="speed of a node"
    )
    map_slots: CountOrZero | None = described(
        "Maximum number of maps that run at once on a node. Empty: no limit.",
        "maps",
        None,
        name="maps at once on a node",
    )
    reduce_slots: CountOrZero | None = described(
        "Maximum number of reduces that run at once on a node. Empty: no limit.",
        "reduces",
        None,
        name="reduces at once on a node",
    )
    joins_s: Seconds = described(
        "When these nodes register with the ResourceManager. 0: they are there from the beginning.",
        "s",
        0.0,
        name="time at which nodes join",
    )

    @property
    def joins_ms(self) -> int:
        """When they register."""
        return milliseconds(self.joins_s)


class Cluster(Value):
    """The nodes and what is the same on all of them."""

    nodes: Annotated[list[NodeGroup], Field(min_length=1, fail_fast=True)]
    heartbeat_ms: Milliseconds = described(
        "Time between two heartbeats of a node, which gets containers only on a heartbeat. 0: at once.",
        "ms",
        1000,
    )
    containers_per_heartbeat: Count | None = described(
        "Maximum number of containers that a node gets on one heartbeat. Empty: no limit.",
        "containers",
        1,
        name="containers per heartbeat",
    )
    user_max_running_apps: CountOrZero | None = described(
        "Maximum number of running jobs of a user, under fair, drf and capacity: userMaxAppsDefault, "
        "user.max-parallel-apps. Empty: no limit.",
        "jobs",
        None,
        name="jobs of a user that run at a time",
    )
    max_applications: CountOrZero | None = described(
        "Maximum number of jobs that have been submitted and have not finished, under capacity; more are "
        "refused: yarn.scheduler.capacity.maximum-applications. A leaf has its guaranteed part of it. Empty: "
        "no limit.",
        "jobs",
        None,
        name="jobs of the cluster that are not refused",
    )
    acl_enable: bool = described(
        "Whether CapacityScheduler asks access lists: yarn.acl.enable. FairScheduler always does.",
        "",
        False,
        heading="ACL enable",
        name="access lists under capacity",
    )
    shuffle_mb_s: Annotated[Positive, Field(ge=1e-6)] = described(
        "The rate at which one reduce fetches map output.", "MB/s", 100.0, name="bandwidth of the shuffle"
    )
    contention: Annotated[NotNegative, Field(le=100)] = described(
        "Tasks on a node slow each other down: each of k runs at 1 / (1 + contention x (k - 1)). 0: no "
        "effect.",
        "",
        0.0,
    )
    launch_contention: Annotated[NotNegative, Field(le=100)] = described(
        "Spark's executors that launch on a node at the same time slow each other down: each of k launches "
        "at 1 / (1 + launch contention x (k - 1)). 0: no effect.",
        "",
        0.0,
    )
    fetch_weight: Annotated[NotNegative, Field(le=100)] = described(
        "How much a fetching reduce counts relative to a computing task, under contention; its fetching is "
        "then slowed down too. 0: nothing.",
        "",
        0.0,
    )
    shuffle_latency_s: Seconds = described(
        "Added once to the shuffle of each reduce.", "s", 0.0, name="latency of the shuffle"
    )
    launch_s: SecondsOrDistribution = described(
        "From a container's start to its task's start: localizing files and starting the JVM. 20, or "
        "normal(20, 5) and so on.",
        "s",
        0.0,
        name="launch",
    )
    out_of_band_heartbeats: bool = described(
        "A node sends a heartbeat as soon as a container on it ends, as in Hadoop 3.",
        "",
        False,
        name="out-of-band heartbeats",
    )
    stragglers: Stragglers | None = described(
        "Attempts that are slow, whatever they compute. Empty: none.", "", None
    )
    failures: Failures | None = described("Attempts that fail. Empty: none.", "", None)
    outages: Annotated[list[Outage], Field(fail_fast=True)] = described(
        "Nodes that are lost, and when.", "", []
    )
    locality: Locality | None = described(
        "Where the blocks of the maps' input are. Empty: on every node.", "", None
    )
    allocation: Allocation | None = described(
        "How requests are rounded, and which are rejected. Empty: nothing is rounded.", "", None
    )

    @property
    def varies(self) -> bool:
        """Are any nodes not there all the time?"""
        return bool(self.outages) or any(group.joins_ms for group in self.nodes)


class Queue(Value):
    """A queue; its parents are implied by the dots in its name."""

    name: Annotated[Text, Field(max_length=MAX_NAME_LENGTH)] = described(
        "Dotted name under root, such as root.production."
    )
    weight: NotNegative = described(
        "The queue's share relative to its siblings, under fair and drf; 0: only what they leave.", "", 1.0
    )
    min_share: ResourceShare = described(
        "Below this share the queue goes first, under fair and drf.",
        "",
        ResourceShare(),
        within="{} below which it goes first",
    )
    max_share: ResourceShare | None = described(
        "The queue never gets more than this, under fair and drf. Empty: no limit.",
        "",
        None,
        within="maximum {}",
    )
    capacity_pct: Percent | None = described(
        "Guaranteed part of the parent queue, under capacity. Empty: an equal share of the rest.",
        "%",
        None,
        name="guaranteed part of its parent",
    )
    max_capacity_pct: Percent | None = described(
        "The queue gets nothing more once it holds this part of its parent, under capacity. Empty: 100 %.",
        "%",
        None,
        name="maximum part of its parent",
    )
    user_limit_factor: Annotated[NotNegative, Field(le=MAX_USER_LIMIT_FACTOR)] | None = described(
        "One user gets at most this many times the guaranteed part, under capacity. Empty: 1, Hadoop's "
        "default.",
        "",
        None,
    )
    min_user_limit_pct: WholePercent | None = described(
        "Users who want more share the queue until each has this part of it, under capacity. Empty: 100 %, "
        "Hadoop's default.",
        "%",
        None,
        name="minimum part of it for a user",
    )
    min_share_preemption_timeout_s: Seconds | None = described(
        "After this time below its minimum share, containers of other queues are killed for it, under fair "
        "and drf with preemption. Empty: as its parent; root: never.",
        "s",
        None,
        name="minimum share preemption timeout",
    )
    fair_share_preemption_timeout_s: Seconds | None = described(
        "After this time below the threshold of its fair share, containers of others are killed for a job of "
        "the queue, under fair and drf with preemption. Empty: as its parent; root: never.",
        "s",
        None,
        name="fair share preemption timeout",
    )
    fair_share_preemption_threshold: Annotated[NotNegative, Field(le=1)] | None = described(
        "The part of its fair share below which a job of the queue is starved, under fair and drf with "
        "preemption. Empty: as its parent; root: 0.5.",
        "",
        None,
    )
    allow_preemption_from: bool = described(
        "Whether the queue's containers may be killed for others, under fair and drf with preemption. "
        "A parent's no applies to its children too.",
        "",
        True,
    )
    max_running_apps: CountOrZero | None = described(
        "Maximum number of running jobs of the queue; the others wait until one has finished: "
        "maxRunningApps, max-parallel-apps. Empty: no limit.",
        "jobs",
        None,
        name="jobs of it that run at a time",
    )
    max_applications: CountOrZero | None = described(
        "Maximum number of jobs of a leaf that have been submitted and have not finished, under capacity; "
        "more are refused: maximum-applications. Empty: its guaranteed part of the cluster's.",
        "jobs",
        None,
        name="jobs of it that are not refused",
    )
    state: Literal["running", "stopped"] | None = described(
        "A stopped queue refuses all jobs, under capacity. Empty: as its parent; root: running.", "", None
    )
    submit_acl: Acl | None = described(
        "Who may submit jobs to it, under fair, drf and capacity: users, a space, groups, with commas "
        "between, or * for everybody; others are refused: aclSubmitApps, acl_submit_applications. Who is "
        "allowed in a queue above is allowed here. Empty: nobody else; root: everybody.",
        "",
        None,
        heading="Submit ACL",
        name="access list for submitting",
    )
    administer_acl: Acl | None = described(
        "Who may administer it, and so submit jobs to it too: aclAdministerApps, acl_administer_queue. "
        "Empty: nobody else; root: everybody, who may then submit to all queues.",
        "",
        None,
        heading="Administer ACL",
        name="access list for administering",
    )
    policy: Literal["fifo", "fair", "drf"] | None = described(
        "How the queue orders its jobs or child queues. Empty: as the scheduler does.", "", None
    )
    disable_preemption: Literal["yes", "no"] | None = described(
        "Whether its containers are protected from being killed for other queues, under "
        "capacity(preemption=yes). Empty: as its parent, no for root.",
        "",
        None,
    )
    ordering: Literal["fifo", "fair", "utilization", "priority-utilization"] | None = described(
        "Hadoop's ordering-policy, under capacity. For the jobs of a leaf: fifo, or fair (least memory "
        "first). For the child queues of a parent: utilization or priority-utilization. Empty: a leaf "
        "follows its policy, else fifo; a parent follows its own parent, root is utilization.",
        "",
        None,
    )
    size_based_weight: bool = described(
        "Under ordering fair, memory is divided by the logarithm of what a job holds and waits for, so "
        "large jobs count less: Hadoop's fair.enable-size-based-weight.",
        "",
        False,
    )
    priority: Annotated[int, Field(ge=-1_000_000, le=1_000_000)] = described(
        "Under a parent with ordering priority-utilization the higher priority goes first, among queues "
        "below their guarantees, and among the others.",
        "",
        0,
    )
    max_container: ContainerSize | None = described(
        "Larger containers are rejected in this queue and its children: maxContainerAllocation, "
        "maximum-allocation-mb and -vcores. Empty: as its parent, or the cluster.",
        "",
        None,
        within="maximum {}",
    )
    max_am_share: MasterShare | None = described(
        "Its ApplicationMasters hold at most this part of its share: maxAMShare, maximum-am-resource-percent "
        "of a leaf. -1: no limit. Empty: as set in the scheduler.",
        "",
        None,
        heading="Max AM share",
        name="maximum part for ApplicationMasters",
    )


class User(Value):
    """The limits and groups of one user."""

    name: Name = described("The user's name, as in the jobs.")
    max_running_apps: CountOrZero | None = described(
        "Maximum number of running jobs of the user in all queues, under fair, drf and capacity: "
        "maxRunningApps of a user, max-parallel-apps. Empty: as for all users.",
        "jobs",
        None,
        name="jobs of a user that run at a time",
    )
    groups: Acl = described(
        "The user's groups, with commas between, for the queues' access lists. A user who is not listed may "
        "be in any group.",
        "",
        "",
    )


class Master(Value):
    """The ApplicationMaster's container."""

    memory_mb: Amount = described("Memory of the ApplicationMaster.", "MB")
    vcores: Amount = described("Virtual cores of the ApplicationMaster.", "vcores")
    startup_s: SecondsOrDistribution = described(
        "Time from its start until it requests maps: 5, or normal(5, 1) and so on.", "s", 0.0, name="start-up"
    )
    heartbeat_s: Seconds = described(
        "Time between its heartbeats, at which it requests containers and learns of them; 1 in Hadoop. "
        "0: at once.",
        "s",
        0.0,
        name="heartbeat of the master",
    )
    linger_s: Seconds = described(
        "How long its container remains after the job has finished.", "s", 0.0, name="lingering"
    )


class Stage(Value):
    """The maps, or the reduces, of one iteration."""

    count: CountOrZero = described("Number of tasks.", "tasks", name="{owner}")
    memory_mb: Amount = described("Memory of one task's container.", "MB")
    vcores: Amount = described("Virtual cores of one task's container.", "vcores")
    duration_s: Duration = described(
        "How long one task computes: 20, or normal(20, 5), lognormal(20, 5), uniform(10, 30), "
        "exponential(20), values(1, 2, 3).",
        "s",
    )


class Job(Value):
    """An application of one of the frameworks, or `count` copies of it."""

    name: Name | None = described("Name of the job; copies are numbered. Empty: job1, job2, …", "", None)
    user: Name = described(
        "Groups the results; under capacity, the limits of users apply to it.", "", "default"
    )
    framework: Literal["mapreduce", "spark", "tez", "stages", "demand"] = described(
        msg("scenario.applications.framework"), "", "mapreduce"
    )
    queue: Text = described("The leaf queue it is submitted to.", "", DEFAULT_QUEUE)
    rejected: Annotated[Text, Field(max_length=MAX_REJECTED_LENGTH)] = described(
        "Why it is refused when it is submitted, whatever the scheduler: a placement rule rejects it, or a "
        "container is too large. Empty: it is not.",
        "",
        "",
    )
    arrival_s: Seconds = described("When it is submitted.", "s", 0.0)
    count: Count = described("Number of copies that are submitted.", "jobs", 1, name="copies")
    interval_s: Duration = described(
        "Time between two copies, a number or a distribution.", "s", 0.0, name="time between copies"
    )
    weight: Annotated[Positive, Field(le=1e6)] = described(
        "The job's share relative to the other jobs of its queue, under fair and drf.", "", 1.0
    )
    priority: Annotated[int, Field(ge=0, le=1_000_000)] = described(
        "The higher priority goes first in a fifo leaf, only under capacity. Hadoop allows at most "
        "yarn.cluster.max-application-priority, by default 0.",
        "",
        0,
    )
    min_share: ResourceShare | None = described(
        "Below this share the job goes first, under drf and saf.",
        "",
        None,
        within="{} below which it goes first",
    )
    input_mb: NotNegative | None = described(
        "Size of the input, for schedulers that count splits. Empty: one split per map.", "MB", None
    )
    estimate_s: Seconds | None = described(
        "The run time that size-based schedulers assume. Empty: the engine's estimate.",
        "s",
        None,
        name="estimated run time",
    )
    am: Master | None = described(
        "The ApplicationMaster. Empty: the job has none.",
        "",
        None,
        heading="ApplicationMaster",
        within="{} of the master",
    )
    maps: Stage | None = described("The maps of a MapReduce job.", "", None, within="{} of a map")
    reduces: Stage | None = described(
        "The reduces. Empty: a map-only job.", "", None, within="{} of a reduce"
    )
    shuffle_mb_per_map: NotNegative = described(
        "Output of one map, which the reduces fetch between them.", "MB", 0.0, name="output of a map"
    )
    slowstart: Fraction = described(
        "Reduces are requested once this share of the maps has finished.", "", 0.05, name="slow start"
    )
    partitions: Partitions | None = described(
        "How unevenly the map output is divided among the reduces. Empty: evenly.", "", None
    )
    speculation: Literal["none", "maps", "reduces", "both"] = described(
        "Tasks that get a speculative second attempt when they are slow; both in Hadoop.", "", "none"
    )
    iterations: Annotated[Whole, Field(ge=1, le=100_000)] = described(
        "How many times the maps and reduces are run, one iteration after another.", "", 1
    )
    executors: Executors | None = described(
        "The executors of a Spark application.", "", None, within="{} of an executor"
    )
    containers: HeldContainers | None = described(
        msg("scenario.applications.containers"),
        "",
        None,
        heading=msg("scenario.applications.containers_heading"),
    )
    pools: list[SchedulerPool] = described(
        msg("scenario.applications.pools"), "", [], heading=msg("scenario.applications.pools_heading")
    )
    stages: list[ApplicationStage] = described(msg("scenario.applications.stages"), "", [])

    @property
    def is_spark(self) -> bool:
        """Is it a Spark application?"""
        return self.framework == "spark"

    @property
    def speculates(self) -> bool:
        """Do slow tasks of it get a second attempt?"""
        return self.speculation != "none" or bool(self.executors and self.executors.speculation)

    @property
    def held_containers(self) -> HeldContainers | None:
        """How a Tez application holds its containers; None of other frameworks."""
        return self.containers or HeldContainers() if self.framework == "tez" else None

    @property
    def slots(self) -> int:
        """Tasks at once in one of the containers that run several, one after another; 0 without such."""
        return self.executors.tasks_at_once if self.executors else int(self.held_containers is not None)

    @property
    def task_stages(self) -> list[Stage | ApplicationStage]:
        """What holds tasks and their durations: maps and reduces, those there are, or stages."""
        if self.stages:
            return list(self.stages)
        return [stage for stage in (self.maps, self.reduces) if stage and stage.count]

    @property
    def stage_names(self) -> list[str]:
        """What each stage is called, also those without a name of their own."""
        return [stage.name or f"stage{number}" for number, stage in enumerate(self.stages, start=1)]

    @property
    def stage_sources(self) -> list[list[int]]:
        """The stages that each comes after, from 0."""
        names = self.stage_names
        return [[names.index(source) for source in stage.after] for stage in self.stages]

    @property
    def task_count(self) -> int:
        """Tasks of one copy, of all iterations."""
        return self.iterations * sum(stage.count for stage in self.task_stages)


class Scenario(Value):
    """A cluster, its queues and a batch of jobs.

    Constructing one directly or by `read` checks it; `ScenarioError` lists all faults with their JSON paths.
    """

    version: Literal[1]
    name: Annotated[Text, Field(max_length=500)] = described("Title of the scenario.", "", "")
    seed: Annotated[Whole, Field(ge=0, lt=2**63)] = described("All random numbers come from it.", "", 0)
    cluster: Cluster
    queues: Annotated[list[Queue], Field(fail_fast=True)] = []
    users: Annotated[list[User], Field(fail_fast=True)] = described("Users with their own limits.", "", [])
    jobs: Annotated[list[Job], Field(min_length=1, fail_fast=True)]
    measured: Measured | None = None

    @model_validator(mode="wrap")
    @classmethod
    def _check(cls, data: Any, handler: Any) -> Scenario:
        if isinstance(data, cls):
            return data
        if faults := oversize_faults(data):
            raise ScenarioError(faults)
        field_errors: ValidationError | None = None
        scenario: Scenario | None = None
        try:
            scenario = handler(data)
        except ValidationError as error:
            field_errors = error
        faults = find_faults(cls, data, field_errors)
        if faults:
            raise ScenarioError(faults)
        assert scenario is not None  # what the fields refuse is a fault
        return scenario

    @classmethod
    def read(cls, text: str | bytes) -> Scenario:
        """A scenario from JSON text; ScenarioError with every fault when it is not one."""
        if not text.strip():
            raise ScenarioError([Fault("", "the file is empty; a scenario is JSON")])
        try:
            data = json.loads(text, parse_constant=float)
        except UnicodeDecodeError:
            raise ScenarioError([Fault("", "the file is not text in UTF-8; a scenario is JSON")]) from None
        except json.JSONDecodeError as error:
            where = f"line {error.lineno}, column {error.colno}"
            raise ScenarioError([Fault("", f"not JSON: {error.msg} at {where}")]) from None
        except (RecursionError, ValueError):
            raise ScenarioError(
                [Fault("", "not JSON that can be read: nested too deeply or a number too long")]
            ) from None
        return cls.of(data)

    @classmethod
    def of(cls, data: Any) -> Scenario:
        """A scenario from the JSON's values (dicts and lists); ScenarioError with every fault."""
        return cls.model_validate(data)

    def json(self) -> str:  # type: ignore[override]  # pydantic's own of this name is of its version 1
        """The scenario as a file for people: defaults left out, two spaces of indent."""
        return json.dumps(self.plain(), indent=2, ensure_ascii=False) + "\n"

    def plain(self) -> dict:
        """The scenario as dicts and lists, only what differs from the defaults; `of` reads it back."""
        return {"version": VERSION, **self.model_dump(exclude_defaults=True)}

    @cached_property
    def canonical(self) -> bytes:
        """Defaults filled in, keys sorted, no spaces, UTF-8, times as integer milliseconds (`_s` becomes
        `_ms`).
        """
        data = _in_milliseconds(self)
        return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

    @cached_property
    def digest(self) -> str:
        """sha256 of the canonical scenario, in hexadecimal."""
        return hashlib.sha256(self.canonical).hexdigest()


ADDED_LATER = {  # where they have their default, a scenario's digest is what it was before
    "measured",
    "user_limit_factor",
    "min_user_limit_pct",
    "disable_preemption",
    "user_max_running_apps",
    "max_applications",
    "acl_enable",
    "state",
    "submit_acl",
    "administer_acl",
    "groups",
    "rejected",
    "max_running_apps",
    "users",
    "ordering",
    "size_based_weight",
    "priority",
    "fetch_weight",
    "launch_contention",
    "shuffle_latency_s",
    "launch_s",
    "out_of_band_heartbeats",
    "stragglers",
    "failures",
    "outages",
    "joins_s",
    "locality",
    "heartbeat_s",
    "linger_s",
    "partitions",
    "speculation",
    "allocation",
    "max_container",
    "max_am_share",
    "min_share_preemption_timeout_s",
    "fair_share_preemption_timeout_s",
    "fair_share_preemption_threshold",
    "allow_preemption_from",
    "framework",
    "executors",
    "containers",
    "pools",
    "pool",
    "result",
    "stages",
    "output_mb",
    "slow_start",
    "start_s",
    "locality_wait_s",
    "excluded_s",
    "tasks",
}


def _in_milliseconds(value: Any) -> Any:
    if isinstance(value, (Spread, Uniform, Exponential, Listed)):
        return {
            key: _number_ms(item) if key in type(value).model_fields else item
            for key, item in value.model_dump().items()
        }
    if isinstance(value, Value):
        declared = type(value).model_fields
        fields = {
            name: item
            for name in declared
            if (item := getattr(value, name)) != declared[name].default or name not in ADDED_LATER
        }
        fields |= value.model_extra or {}
        return {_ms_name(key): _ms_value(key, item) for key, item in fields.items()}
    if isinstance(value, list) and value and not isinstance(value[0], int):
        return [_in_milliseconds(item) for item in value]
    return value


def _is_time(key: str) -> bool:
    return key.endswith("_s") and not key.endswith("_mb_s") and not key.startswith("x_")


def _ms_name(key: str) -> str:
    return key[:-2] + "_ms" if _is_time(key) else key


def _ms_value(key: str, item: Any) -> Any:
    return (_number_ms if _is_time(key) and isinstance(item, (int, float, list)) else _in_milliseconds)(item)


def _number_ms(item: Any) -> Any:
    if isinstance(item, list):
        return [milliseconds(seconds) for seconds in item]
    return milliseconds(item) if isinstance(item, (int, float)) else item
