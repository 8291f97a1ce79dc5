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

from engine.errors import Fault, ScenarioError
from engine.scenario.allocation import Allocation, ContainerSize
from engine.scenario.field_descriptions import described
from engine.scenario.field_types import (
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
    milliseconds,
)
from engine.scenario.json_values import oversize_faults
from engine.scenario.measured import Measured
from engine.scenario.physics import Failures, Locality, Outage, Partitions, Stragglers
from engine.scenario.queue_validation import DEFAULT_QUEUE
from engine.scenario.scenario_limits import MAX_NAME_LENGTH
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
        "Groups rows in the charts, and tells how near nodes are where the maps' input lies on nodes.",
        "",
        None,
    )
    speed: Annotated[Positive, Field(ge=0.001, le=1000)] = described(
        "Task durations are divided by it: 2 is twice as fast.", "x", 1.0, name="speed of a node"
    )
    map_slots: CountOrZero | None = described(
        "At most so many maps at once on a node. Empty: no limit.",
        "maps",
        None,
        name="maps at once on a node",
    )
    reduce_slots: CountOrZero | None = described(
        "At most so many reduces at once on a node. Empty: no limit.",
        "reduces",
        None,
        name="reduces at once on a node",
    )


class Cluster(Value):
    """The nodes and what is the same on all of them."""

    nodes: Annotated[list[NodeGroup], Field(min_length=1, fail_fast=True)]
    heartbeat_ms: Milliseconds = described(
        "Time between two beats of a node; it is given containers only on its beat. 0: at once.", "ms", 1000
    )
    containers_per_heartbeat: Count | None = described(
        "At most so many containers a node is given on one beat. Empty: no limit.",
        "containers",
        1,
        name="containers given on a beat",
    )
    user_max_running_apps: CountOrZero | None = described(
        "At most so many jobs of a user run at a time, under fair, drf and capacity: userMaxAppsDefault, "
        "user.max-parallel-apps. Empty: no limit.",
        "jobs",
        None,
        name="jobs of a user that run at a time",
    )
    shuffle_mb_s: Annotated[Positive, Field(ge=1e-6)] = described(
        "How fast one reduce fetches map output.", "MB/s", 100.0, name="bandwidth of the shuffle"
    )
    contention: Annotated[NotNegative, Field(le=100)] = described(
        "Tasks on a node slow each other: each of k runs at 1 / (1 + contention x (k - 1)). 0: not at all.",
        "",
        0.0,
    )
    fetch_weight: Annotated[NotNegative, Field(le=100)] = described(
        "What a reduce that fetches counts beside a task that computes, under contention; its fetching is "
        "slowed then too. 0: nothing.",
        "",
        0.0,
    )
    shuffle_latency_s: Seconds = described(
        "A reduce's shuffle takes so much longer, once.", "s", 0.0, name="latency of the shuffle"
    )
    launch_s: SecondsOrDistribution = described(
        "From a container's start to its task's: localizing files and starting the JVM. 20, or normal(20, "
        "5) and so on.",
        "s",
        0.0,
        name="launch",
    )
    out_of_band_heartbeats: bool = described(
        "A node beats as soon as a container on it ends, as Hadoop 3's does.",
        "",
        False,
        name="out-of-band heartbeats",
    )
    stragglers: Stragglers | None = described(
        "Attempts that are slow for no reason of their own. Empty: none.", "", None
    )
    failures: Failures | None = described("Attempts that fail. Empty: none.", "", None)
    outages: Annotated[list[Outage], Field(fail_fast=True)] = described(
        "Nodes that are lost, and when.", "", []
    )
    locality: Locality | None = described("Where the maps' input lies. Empty: everywhere.", "", None)
    allocation: Allocation | None = described(
        "To what requests are rounded, and which are refused. Empty: nothing is rounded.", "", None
    )


class Queue(Value):
    """A queue; its parents are implied by the dots in its name."""

    name: Annotated[Text, Field(max_length=MAX_NAME_LENGTH)] = described(
        "Dotted name under root, such as root.production."
    )
    weight: Annotated[Positive, Field(le=1e6)] = described(
        "Its share among its siblings under fair and drf.", "", 1.0
    )
    min_share: ResourceShare = described(
        "Below this it goes first, under fair and drf.",
        "",
        ResourceShare(),
        within="{} below which it goes first",
    )
    max_share: ResourceShare | None = described(
        "It is never given more, under fair and drf. Empty: no limit.", "", None, within="most {}"
    )
    capacity_pct: Percent | None = described(
        "Guaranteed part of its parent, under capacity. Empty: an equal share of what is left.",
        "%",
        None,
        name="guaranteed part of its parent",
    )
    max_capacity_pct: Percent | None = described(
        "It gets nothing more once it holds this part of its parent, under capacity. Empty: 100 %.",
        "%",
        None,
        name="largest part of its parent",
    )
    user_limit_factor: Annotated[NotNegative, Field(le=1e6)] | None = described(
        "One user gets at most this many times its guaranteed part, under capacity. Empty: 1, Hadoop's "
        "default.",
        "",
        None,
    )
    min_user_limit_pct: Annotated[int, Field(ge=1, le=100)] | None = described(
        "Users who want more share it until each has this part of it, under capacity. Empty: 100 %, "
        "Hadoop's default.",
        "%",
        None,
        name="least part of it for a user",
    )
    min_share_preemption_timeout_s: Seconds | None = described(
        "So long below its minimum share, it has containers of others killed, under fair and drf with "
        "preemption. Empty: as its parent; root: never.",
        "s",
        None,
        name="minimum share preemption timeout",
    )
    fair_share_preemption_timeout_s: Seconds | None = described(
        "So long below the threshold of its fair share, a job of it has containers of others killed, "
        "under fair and drf with preemption. "
        "Empty: as its parent; root: never.",
        "s",
        None,
        name="fair share preemption timeout",
    )
    fair_share_preemption_threshold: Annotated[NotNegative, Field(le=1)] | None = described(
        "The part of its fair share below which a job of it is starved, under fair and drf with "
        "preemption. Empty: as its parent; root: 0.5.",
        "",
        None,
    )
    allow_preemption_from: bool = described(
        "Whether its containers may be killed for others, under fair and drf with preemption. Where a "
        "parent's may not, its own may not.",
        "",
        True,
    )
    max_running_apps: CountOrZero | None = described(
        "At most so many of its jobs run at a time, the others wait until one has left: maxRunningApps, "
        "max-parallel-apps. Empty: no limit.",
        "jobs",
        None,
        name="jobs of it that run at a time",
    )
    policy: Literal["fifo", "fair", "drf"] | None = described(
        "How it orders what is in it. Empty: as the scheduler does.", "", None
    )
    disable_preemption: Literal["yes", "no"] | None = described(
        "No container of it is killed for other queues, under capacity(preemption=yes). Empty: as the "
        "queue above it, no for root.",
        "",
        None,
    )
    ordering: Literal["fifo", "fair", "utilization", "priority-utilization"] | None = described(
        "Hadoop's ordering-policy, under capacity: fifo or fair, the least memory first, of a leaf's "
        "jobs; utilization or priority-utilization of a parent's "
        "queues. Empty: of a leaf as its policy says, else fifo; of a parent as of the one above, at the "
        "top utilization.",
        "",
        None,
    )
    size_based_weight: bool = described(
        "Under ordering fair, memory counts the less the more a job holds and waits for, by the "
        "logarithm: Hadoop's fair.enable-size-based-weight.",
        "",
        False,
    )
    priority: Annotated[int, Field(ge=-1_000_000, le=1_000_000)] = described(
        "Under a parent whose ordering is priority-utilization the higher goes first, of queues below "
        "their guarantees, and of those that are not.",
        "",
        0,
    )
    max_container: ContainerSize | None = described(
        "Larger containers are refused in it and below it: maxContainerAllocation, maximum-allocation-mb "
        "and -vcores. Empty: as its parent, or the cluster.",
        "",
        None,
        within="largest {}",
    )
    max_am_share: MasterShare | None = described(
        "Its masters hold at most this part of its share: maxAMShare, maximum-am-resource-percent of a "
        "leaf. -1: no limit. Empty: as the scheduler has it.",
        "",
        None,
        heading="Max AM share",
        name="largest part for masters",
    )


class User(Value):
    """What one user may, other than the rest."""

    name: Name = described("The user, as jobs name it.")
    max_running_apps: CountOrZero = described(
        "At most so many of their jobs run at a time, in whatever queue, under fair, drf and capacity: "
        "maxRunningApps of a user, max-parallel-apps.",
        "jobs",
        name="jobs of a user that run at a time",
    )


class Master(Value):
    """The ApplicationMaster's container."""

    memory_mb: Amount = described("Memory of the ApplicationMaster.", "MB")
    vcores: Amount = described("Virtual cores of the ApplicationMaster.", "vcores")
    startup_s: SecondsOrDistribution = described(
        "Time from its start until it asks for maps: 5, or normal(5, 1) and so on.", "s", 0.0, name="start-up"
    )
    heartbeat_s: Seconds = described(
        "It asks for containers and learns of them at its heartbeats, so far apart; 1 in Hadoop. 0: at once.",
        "s",
        0.0,
        name="heartbeat of the master",
    )
    linger_s: Seconds = described("Its container outlives the job by so much.", "s", 0.0, name="lingering")


class Stage(Value):
    """The maps, or the reduces, of one iteration."""

    count: CountOrZero = described("How many tasks.", "tasks", name="{owner}")
    memory_mb: Amount = described("Memory of one task's container.", "MB")
    vcores: Amount = described("Virtual cores of one task's container.", "vcores")
    duration_s: Duration = described(
        "How long one task computes: 20, or normal(20, 5), lognormal(20, 5), uniform(10, 30), "
        "exponential(20), values(1, 2, 3).",
        "s",
    )


class Job(Value):
    """A MapReduce job, or `count` copies of it."""

    name: Name | None = described("Name of the job; copies are numbered. Empty: job1, job2, …", "", None)
    user: Name = described(
        "Labels and groups results; under capacity, the limits of its queue's users count it.", "", "default"
    )
    queue: Text = described("The leaf queue it is submitted to.", "", DEFAULT_QUEUE)
    arrival_s: Seconds = described("When it is submitted.", "s", 0.0)
    count: Count = described("How many copies of it are submitted.", "jobs", 1, name="copies")
    interval_s: Duration = described(
        "Time between two copies, a number or a distribution.", "s", 0.0, name="time between copies"
    )
    weight: Annotated[Positive, Field(le=1e6)] = described(
        "Its share among the jobs of its queue under fair and drf.", "", 1.0
    )
    priority: Annotated[int, Field(ge=0, le=1_000_000)] = described(
        "The higher goes first in a fifo leaf, under capacity alone. No more than "
        "yarn.cluster.max-application-priority of the cluster, by default 0.",
        "",
        0,
    )
    min_share: ResourceShare | None = described(
        "Below this drf and saf call it needy.", "", None, within="{} below which it is needy"
    )
    input_mb: NotNegative | None = described(
        "Its input; schedulers that count splits use it. Empty: one split a map.", "MB", None
    )
    estimate_s: Seconds | None = described(
        "Its run time as size-based schedulers see it. Empty: the engine's estimate.",
        "s",
        None,
        name="estimated run time",
    )
    am: Master | None = described(
        "The ApplicationMaster. Empty: the job has no such container.",
        "",
        None,
        heading="ApplicationMaster",
        within="{} of the master",
    )
    maps: Stage = described("The maps.", within="{} of a map")
    reduces: Stage | None = described(
        "The reduces. Empty: a map-only job.", "", None, within="{} of a reduce"
    )
    shuffle_mb_per_map: NotNegative = described(
        "Output of one map, fetched by all reduces together.", "MB", 0.0, name="output of a map"
    )
    slowstart: Fraction = described(
        "Reduces are asked for once this share of the maps has finished.", "", 0.05, name="slow start"
    )
    partitions: Partitions | None = described(
        "How unevenly the output is divided among the reduces. Empty: evenly.", "", None
    )
    speculation: Literal["none", "maps", "reduces", "both"] = described(
        "Tasks for which a second attempt is started when they are late; both in Hadoop.", "", "none"
    )
    iterations: Annotated[Whole, Field(ge=1, le=100_000)] = described(
        "Maps and reduces are repeated so often, one after another.", "", 1
    )


class Scenario(Value):
    """A cluster, its queues and a batch of jobs.

    Constructing one directly or by `read` checks it; `ScenarioError` lists all faults with their JSON paths.
    """

    version: Literal[1]
    name: Annotated[Text, Field(max_length=500)] = described("Title of the scenario.", "", "")
    seed: Annotated[Whole, Field(ge=0, lt=2**63)] = described(
        "All draws of random durations come from it.", "", 0
    )
    cluster: Cluster
    queues: Annotated[list[Queue], Field(fail_fast=True)] = []
    users: Annotated[list[User], Field(fail_fast=True)] = described(
        "Users with a limit of their own.", "", []
    )
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
        scenario = None
        try:
            scenario = handler(data)
        except ValidationError as error:
            field_errors = error
        faults = find_faults(cls, data, field_errors)
        if faults:
            raise ScenarioError(faults)
        return scenario

    @classmethod
    def read(cls, text: str | bytes) -> Scenario:
        """A scenario from JSON text; ScenarioError with every fault when it is not one."""
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

    def json(self) -> str:
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
    "max_running_apps",
    "users",
    "ordering",
    "size_based_weight",
    "priority",
    "fetch_weight",
    "shuffle_latency_s",
    "launch_s",
    "out_of_band_heartbeats",
    "stragglers",
    "failures",
    "outages",
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
    return milliseconds(item) if _is_time(key) and isinstance(item, (int, float)) else _in_milliseconds(item)


def _number_ms(item: Any) -> Any:
    if isinstance(item, list):
        return [milliseconds(seconds) for seconds in item]
    return milliseconds(item) if isinstance(item, (int, float)) else item
