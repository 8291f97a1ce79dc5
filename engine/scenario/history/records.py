"""A cluster's history as plain records, whatever files it came from. Times are ms since 1970, UNKNOWN (-1)
where the files don't say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.codes import UNKNOWN
from engine.scenario.history.spark.event_records import SparkApplication
from engine.scenario.scenario_limits import MAX_JOB_GROUPS

FINISHED, FAILED, KILLED, RUNNING = "finished", "failed", "killed", "running"


class AttemptRecord(NamedTuple):
    """One attempt of a map or a reduce.

    kind: "map" or "reduce"; index: the task's, from 0; attempt: Hadoop's number and 1; host: with the port of
    its NodeManager's web page where that is known, n1:8042, since several NodeManagers may share a host, as
    in masters and nodes; scheduled_ms: when its task was asked for; shuffle_end_ms, sort_end_ms: of a reduce;
    outcome: FINISHED, FAILED, KILLED or RUNNING; locality: Hadoop's NODE_LOCAL, RACK_LOCAL, OFF_SWITCH or "";
    moved_bytes: a map's output, or what a reduce fetched.
    """

    kind: str
    index: int  # type: ignore[assignment]  # hides tuple.index
    attempt: int
    host: str
    rack: str
    container: str
    scheduled_ms: int
    start_ms: int
    shuffle_end_ms: int
    sort_end_ms: int
    end_ms: int
    outcome: str
    locality: str
    moved_bytes: int


class MasterRecord(NamedTuple):
    """One attempt of an ApplicationMaster. launched_ms: as the ResourceManager says; jvm_ms: its own start
    (AM_STARTED); end_ms: its container's.
    """

    attempt: int
    host: str
    container: str
    launched_ms: int
    jvm_ms: int
    end_ms: int


@dataclass
class JobRecord:
    """One MapReduce job. id: job_…; status: Hadoop's SUCCEEDED, FAILED, KILLED, ERROR, or "" of one that
    never ended; properties: of its _conf.xml.
    """

    id: str
    name: str = ""
    user: str = ""
    queue: str = ""
    submit_ms: int = UNKNOWN
    inited_ms: int = UNKNOWN
    finish_ms: int = UNKNOWN
    status: str = ""
    priority: int = 0
    maps: int = 0
    reduces: int = 0
    uberized: bool = False
    masters: list[MasterRecord] = field(default_factory=list)
    attempts: list[AttemptRecord] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)


class NodeRecord(NamedTuple):
    """One node. memory_mb, vcores: UNKNOWN where only its name is known."""

    host: str
    rack: str
    memory_mb: int
    vcores: int


class HeldSample(NamedTuple):
    """What an application held at a time, its master's container with it: containers, MB, vcores."""

    at_ms: int
    containers: int
    memory_mb: int
    vcores: int


class OtherApplicationRecord(NamedTuple):
    """An application without a job history: of another type, or whose history is missing. start_ms: when its
    master was launched; end_ms: of one that still ran when it was last told, has_ended: of none such;
    memory_mb_s, vcore_s: what it held, over all its time; samples: by time.
    """

    id: str
    name: str
    user: str
    queue: str
    type: str
    start_ms: int
    end_ms: int
    memory_mb_s: int
    vcore_s: int
    submit_ms: int
    samples: tuple[HeldSample, ...] = ()
    has_ended: bool = True


@dataclass
class History:
    """All that files say.

    spark: by the id of the application and that of its attempt; spark_pools: allocation file of Spark -> pool
    -> its fields in a scenario;
    scheduler: the ResourceManager's answer `scheduler`, as it is; notes: sentences of what could not be read,
    or was assumed; responses: what REST responses have said so far, until `rest_history.merge_responses`
    joins it to the rest.
    """

    jobs: list[JobRecord] = field(default_factory=list)
    nodes: dict[str, NodeRecord] = field(default_factory=dict)
    others: list[OtherApplicationRecord] = field(default_factory=list)
    spark: dict[tuple[str, str], SparkApplication] = field(default_factory=dict)
    spark_pools: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    scheduler: dict[str, Any] | None = None
    notes: list[str] = field(default_factory=list)
    responses: Any = field(default=None, repr=False)
    left_out: set[str] = field(default_factory=set, repr=False)
    _places: dict[str, int] = field(default_factory=dict, repr=False)

    def job(self, id: str) -> JobRecord:
        """The job of this id, new where no file has named it yet. Beyond what a scenario may hold it is none
        of `jobs`, and `left_out` has its id.
        """
        if id not in self._places:
            if len(self.jobs) >= MAX_JOB_GROUPS:
                self.left_out.add(id)
                return JobRecord(id)
            self._places[id] = len(self.jobs)
            self.jobs.append(JobRecord(id))
        return self.jobs[self._places[id]]
