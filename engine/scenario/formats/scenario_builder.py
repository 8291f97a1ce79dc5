"""What the readers of traces share: jobs, hosts and assumptions gathered, then written out as one scenario."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any

from engine.errors import FormatError, ScenarioError, TooLarge
from engine.scenario.bounds import MOST_JOB_GROUPS
from engine.scenario.field_types import MOST_COUNT
from engine.scenario.formats.assumptions import Notes
from engine.scenario.formats.nodes import UNITS, Node, StandIn, groups_of
from engine.scenario.formats.unique_names import Names, label
from engine.scenario.model import VERSION, Scenario
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT

HEARTBEAT_MS = 1000  # yarn.sls.nm.heartbeat.interval.ms and yarn.resourcemanager.nodemanagers.heartbeat-interval-ms


@dataclass(frozen=True)
class Imported:
    """A file of another format as a scenario, `assumed`: a sentence for each thing the file does not say, and its scheduler, where it names one."""

    scenario: Scenario
    assumed: list[str]
    scheduler: str = ""


@dataclass
class Tasks:
    """The maps or the reduces of one job: size of a container in MB and vcores, durations in ms in order of the file."""

    memory_mb: int = 1
    vcores: int = 1
    count: int = 0
    durations: array = field(default_factory=lambda: array("q"))
    times: array = field(default_factory=lambda: array("q"))  # so many equal ones stand in a row

    def append(self, duration_ms: int, times: int = 1) -> None:
        """`times` more tasks of this duration. TooLarge beyond what a stage may hold."""
        self.count += times
        if self.count > MOST_COUNT:
            raise TooLarge(f"more than {MOST_COUNT:,} tasks of one kind in a job")
        if self.durations and self.durations[-1] == duration_ms:
            self.times[-1] += times
        else:
            self.durations.append(duration_ms)
            self.times.append(times)


class Batch:
    """Jobs and hosts as they are read; `notes` counts what the file does not say. most_tasks: of all jobs and their copies; None for no limit."""

    def __init__(self, most_tasks: int | None = None) -> None:
        self.notes = Notes()
        self.hosts: set[Node] = set()
        self.numbered = (0, 0)
        self._jobs: list[tuple[int, dict[str, Any]]] = []
        self._names = Names()
        self._listed = 0
        self._most_tasks = most_tasks
        self._tasks = 0

    def add_job(self, name: str | None, user: str | None, queue: str, arrival_ms: int, maps: Tasks, reduces: Tasks, **fields: Any) -> None:
        """One job of the scenario, with one task at least; `fields` are its other fields, such as `am`. TooLarge when they are too many."""
        if len(self._jobs) >= MOST_JOB_GROUPS:
            raise TooLarge(f"more than {MOST_JOB_GROUPS:,} jobs")
        self._tasks += fields.get("count", 1) * (maps.count + reduces.count)
        if self._most_tasks is not None and self._tasks > self._most_tasks:
            raise TooLarge(f"the file holds more than {self._most_tasks:,} tasks, which is the limit here")
        if not maps.count:
            self.notes.count("job", "have only reduces: they stand as maps, which ask for the same containers at the same time")
            maps, reduces = reduces, maps
        job = {"name": self._name(name, fields.get("count", 1)), "user": label(user or "default"), "queue": under_root(queue), **fields}
        job["maps"] = self._stage(maps)
        if reduces.count:
            job["reduces"] = self._stage(reduces)
        self._jobs.append((arrival_ms, job))

    def imported(self, title: str, nodes: set[Node] | None, stand_in: dict[str, StandIn], origin_ms: int = 0) -> Imported:
        """The scenario on `nodes`, or on the hosts of the trace itself; `stand_in` sizes nodes whose own size is not known.

        Arrivals count from `origin_ms`. FormatError when there is no job or no node, or when what was read makes no scenario.
        """
        if not self._jobs:
            raise FormatError("the file holds no job that can be run")
        jobs = [{**job, "arrival_s": (arrival - origin_ms) / 1000} for arrival, job in sorted(self._jobs, key=lambda job: job[0])]
        parts = [job[part] for job in jobs for part in ("am", "maps", "reduces") if part in job]
        asked = {key: max(part[key] for part in parts) for key in UNITS}
        numbered = self.numbered if nodes is None else (0, 0)
        groups = groups_of(self.hosts if nodes is None else nodes, numbered, stand_in, asked, self.notes)
        if not groups:
            raise FormatError("the trace names no node: a nodes file (of SLS, or a Rumen topology) must come with it")
        queues = [name for name in dict.fromkeys(job["queue"] for job in jobs) if name != DEFAULT_QUEUE]
        self.notes.count("queue", "have no weight and no capacity in the trace: equal ones stand in", len(queues))
        cluster = {"nodes": groups, "heartbeat_ms": HEARTBEAT_MS}
        data = {"version": VERSION, "name": title[:500], "cluster": cluster, "queues": [{"name": name} for name in queues], "jobs": jobs}
        try:
            return Imported(Scenario.of(data), self.notes.sentences())
        except ScenarioError as error:
            more = f" (and {len(error.faults) - 1:,} more)" if len(error.faults) > 1 else ""
            raise FormatError(f"what the file says makes no scenario: {error.faults[0]}{more}") from None

    def _name(self, wanted: str | None, count: int) -> str:
        named = label(wanted or f"job{len(self._jobs) + 1}")
        given = self._names.give(named, count)
        if given != named:
            self.notes.count("job", "have a name that stands before: a number is added to it")
        if wanted and "/" in wanted:
            self.notes.count("job", "have a / in the name: _ stands in its place")
        return given

    def _stage(self, tasks: Tasks) -> dict[str, Any]:
        stage = {"count": tasks.count, "memory_mb": tasks.memory_mb, "vcores": tasks.vcores}
        if len(tasks.durations) == 1:
            return {**stage, "duration_s": tasks.durations[0] / 1000}
        self._listed += tasks.count
        if self._listed > MOST_COUNT:
            raise TooLarge(f"more than {MOST_COUNT:,} tasks with durations of their own")
        values = [duration / 1000 for duration, times in zip(tasks.durations, tasks.times) for _ in range(times)]
        return {**stage, "duration_s": {"values": values}}


def under_root(queue: str) -> str:
    """The queue's whole name, as Hadoop's schedulers complete it: sls_queue_1 is root.sls_queue_1."""
    return queue if queue == ROOT or queue.startswith(f"{ROOT}.") else f"{ROOT}.{queue}"
