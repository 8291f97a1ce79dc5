"""What the readers of traces share: jobs, hosts and assumptions gathered, then written out as one
scenario.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.errors import FormatError, ScenarioError, TooLarge
from engine.messages import msg
from engine.scenario.configuration.configuration_notes import ConfigurationNote
from engine.scenario.field_types import MAX_COUNT, MAX_SECONDS
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.nodes import UNITS, DefaultSize, Node, node_groups
from engine.scenario.formats.time_window import ALL_JOBS, MAX_SPAN_MS, Part, fullest_window
from engine.scenario.formats.unique_names import UniqueNames, sanitize
from engine.scenario.model import VERSION, Scenario
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT
from engine.scenario.scenario_limits import MAX_JOB_GROUPS

HEARTBEAT_MS = (
    1000  # yarn.sls.nm.heartbeat.interval.ms and yarn.resourcemanager.nodemanagers.heartbeat-interval-ms
)


@dataclass(frozen=True)
class ImportedScenario:
    """A file of another format as a scenario; notes: each thing the file does not say, a sentence, or what is
    told of a configuration; its scheduler, where it names one.
    """

    scenario: Scenario
    notes: Sequence[str | ConfigurationNote]
    scheduler: str = ""

    @property
    def assumptions(self) -> list[str]:
        """The notes as sentences."""
        return list(map(str, self.notes))


@dataclass
class Tasks:
    """The maps or the reduces of one job: size of a container in MB and vcores, durations in ms in order of
    the file.
    """

    memory_mb: int = 1
    vcores: int = 1
    count: int = 0
    durations: array = field(default_factory=lambda: array("q"))
    times: array = field(default_factory=lambda: array("q"))  # so many equal ones stand in a row

    def append(self, duration_ms: int, times: int = 1) -> None:
        """`times` more tasks of this duration. TooLarge beyond what a stage may hold."""
        self.count += times
        if self.count > MAX_COUNT:
            raise TooLarge(msg("scenario.scenario_builder.more_than_tasks_one_kind_in", max_count=MAX_COUNT))
        if self.durations and self.durations[-1] == duration_ms:
            self.times[-1] += times
        else:
            self.durations.append(duration_ms)
            self.times.append(times)


class ScenarioBuilder:
    """Jobs and hosts as they are read; `notes` counts what the file does not say. max_tasks: of all jobs and
    their copies; None for no limit. part: which of the others are left out.
    """

    def __init__(self, max_tasks: int | None = None, part: Part = ALL_JOBS) -> None:
        self.notes = Notes()
        self.hosts: set[Node] = set()
        self.numbered = (0, 0)
        self._jobs: list[tuple[int, dict[str, Any]]] = []
        self._names = UniqueNames()
        self._listed = 0
        self._max_tasks, self._part = max_tasks, part
        self._first_ms: int | None = None  # arrival of the first job
        self._last_ms = 0  # arrival of the last
        self._tasks = self._skipped = self._left_out = self._outside = 0

    def add_job(
        self,
        name: str | None,
        user: str | None,
        queue: str,
        arrival_ms: int,
        maps: Tasks,
        reduces: Tasks,
        **fields: Any,
    ) -> None:
        """One job of the scenario, with one task at least; `fields` are its other fields, such as `am`. Those
        beyond what a scenario may hold are counted. TooLarge where the first is too large already.
        """
        if self._first_ms is None:
            self._first_ms = self._last_ms = arrival_ms
        self._last_ms = max(self._last_ms, arrival_ms)
        if not self._part.holds(arrival_ms - self._first_ms):
            self._outside += 1
            return
        if self._skipped < self._part.skip_jobs:
            self._skipped += 1
            return
        self._tasks += fields.get("count", 1) * (maps.count + reduces.count)
        has_too_many_tasks = self._max_tasks is not None and self._tasks > self._max_tasks
        if has_too_many_tasks and not self._jobs:
            raise TooLarge(
                msg("scenario.scenario_builder.file_holds_more_than_tasks_which", max_tasks=self._max_tasks)
            )
        if has_too_many_tasks or self._left_out or len(self._jobs) >= MAX_JOB_GROUPS:
            self._left_out += 1
            return
        if not maps.count:
            self.notes.count(
                "job",
                msg("shared.have_only_reduces_they_stand_as"),
            )
            maps, reduces = reduces, maps
        job = {
            "name": self._name(name, fields.get("count", 1)),
            "user": sanitize(user or "default"),
            "queue": under_root(queue),
            **fields,
        }
        job["maps"] = self._stage(maps)
        if reduces.count:
            job["reduces"] = self._stage(reduces)
        self._jobs.append((arrival_ms, job))

    def build(
        self,
        title: str,
        nodes: set[Node] | None,
        default_sizes: dict[str, DefaultSize],
        origin_ms: int | None = 0,
    ) -> ImportedScenario:
        """The scenario on `nodes`, or on the hosts of the trace itself; `default_sizes` sizes nodes whose own
        size is not known.

        Arrivals count from `origin_ms`, and from the first job where that is None or where jobs are left out
        before it. FormatError when there is no job or no node, or when what was read makes no scenario.
        """
        if not self._jobs:
            if self._first_ms is not None and self._outside and not self._skipped:
                last_s = (self._last_ms - self._first_ms) / 1000
                raise FormatError(msg("scenario.time_window.no_job_in_part", last=last_s))
            raise FormatError(msg("scenario.scenario_builder.file_holds_no_job_can_be"))
        jobs = self._jobs_in_time(origin_ms)
        parts = [job[part] for job in jobs for part in ("am", "maps", "reduces") if part in job]
        largest_request = {key: max(part[key] for part in parts) for key in UNITS}
        numbered = self.numbered if nodes is None else (0, 0)
        groups = node_groups(
            self.hosts if nodes is None else nodes, numbered, default_sizes, largest_request, self.notes
        )
        if not groups:
            raise FormatError(msg("scenario.scenario_builder.trace_names_no_node_nodes_file"))
        queues = [name for name in dict.fromkeys(job["queue"] for job in jobs) if name != DEFAULT_QUEUE]
        self.notes.count(
            "queue", msg("scenario.scenario_builder.have_no_weight_and_no_capacity"), len(queues)
        )
        cluster = {"nodes": groups, "heartbeat_ms": HEARTBEAT_MS}
        data = {
            "version": VERSION,
            "name": title[:500],
            "cluster": cluster,
            "queues": [{"name": name} for name in queues],
            "jobs": jobs,
        }
        try:
            return ImportedScenario(Scenario.of(data), self.notes.sentences())
        except ScenarioError as error:
            others = msg("shared.and_more", faults=len(error.faults) - 1) if len(error.faults) > 1 else ""
            raise FormatError(
                msg(
                    "scenario.scenario_builder.file_does_not_give_valid_scenario",
                    faults=error.faults[0],
                    others=others,
                )
            ) from None

    def _jobs_in_time(self, origin_ms: int | None) -> list[dict[str, Any]]:
        """The jobs by arrival; what is left out of them stands first in the notes."""
        arrived = sorted(self._jobs, key=lambda job: job[0])
        arrivals = [arrival for arrival, _ in arrived]
        if origin_ms is None or self._skipped or self._part.since_s or arrivals[-1] - origin_ms > MAX_SPAN_MS:
            start, end = fullest_window(arrivals)
            origin_ms = arrivals[start]
        else:
            start, end = 0, len(arrived)
        self.notes.count_first(
            "job",
            msg(
                "scenario.scenario_builder.left_out_too_far_from_others",
                max_seconds=MAX_SECONDS,
                jobs=end - start,
            ),
            len(arrived) - (end - start),
        )
        self.notes.count_first(
            "job",
            msg(
                "scenario.scenario_builder.left_out_after_first",
                jobs=len(arrived),
                skip_jobs=self._skipped + len(arrived),
            ),
            self._left_out,
        )
        self.notes.count_first("job", msg("scenario.time_window.left_out_outside"), self._outside)
        return [{**job, "arrival_s": (arrival - origin_ms) / 1000} for arrival, job in arrived[start:end]]

    def _name(self, original: str | None, count: int) -> str:
        sanitized = sanitize(original or f"job{len(self._jobs) + 1}")
        unique = self._names.claim(sanitized, count)
        if unique != sanitized:
            self.notes.count("job", msg("shared.have_name_stands_before_number_added"))
        if original and "/" in original:
            self.notes.count("job", msg("scenario.scenario_builder.have_in_name_stands_in_its"))
        return unique

    def _stage(self, tasks: Tasks) -> dict[str, Any]:
        stage = {"count": tasks.count, "memory_mb": tasks.memory_mb, "vcores": tasks.vcores}
        if len(tasks.durations) == 1:
            return {**stage, "duration_s": tasks.durations[0] / 1000}
        self._listed += tasks.count
        if self._listed > MAX_COUNT:
            raise TooLarge(
                msg("scenario.scenario_builder.more_than_tasks_with_durations_their", max_count=MAX_COUNT)
            )
        values = [
            duration / 1000 for duration, times in zip(tasks.durations, tasks.times) for _ in range(times)
        ]
        return {**stage, "duration_s": {"values": values}}


def under_root(queue: str) -> str:
    """The queue's whole name, as Hadoop's schedulers complete it: sls_queue_1 is root.sls_queue_1."""
    return queue if queue == ROOT or queue.startswith(f"{ROOT}.") else f"{ROOT}.{queue}"
