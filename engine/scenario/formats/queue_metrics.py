"""YARN's QueueMetrics over time as a batch: a demand by queue that rises and falls as the cluster's did.

Of each leaf queue three curves are known at each sample, in containers since the ResourceManager's start:
asked for (AggregateContainersAllocated + PendingContainers), allocated (AggregateContainersAllocated) and
released (what is allocated without AllocatedContainers). Between samples they are taken as straight.

- a job: what a queue asked for between two samples, arriving halfway. Where applications were submitted then
  (AppsSubmitted), it is shared by as many jobs; else it is one job: maps after their master, or reduces.
- a container's time: from the curve of those allocated to the curve of those released, as if those that began
  first ended first. So the container-seconds of a queue are those measured; all containers of a job take
  their mean. The master is one of them.
- a container's size: memory and vcores that the queue held and asked for at the sample, by containers.
- what a queue held and asked for at the first sample arrives with it, and lasts as long as it did from there;
  what had not ended at the last sample ends with it; what was never allocated takes the mean of all.
- sizes are means, so that a cluster's minimum and increment, which round up, are better not set.
- requests that were withdrawn are left out. Where counters begin anew (another ResourceManager), the longest
  part between is read.
- nodes: a nodes file, else NumActiveNMs equal parts of root's AllocatedMB + AvailableMB, and likewise vcores.

It says no user, no name, no kind of task, no locality and no single container: job times can't be compared,
demand, use and waiting of queues can.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.field_types import MAX_RESOURCE
from engine.scenario.formats.json_stream import MAX_INTEGER
from engine.scenario.formats.nodes import DefaultSize, Node
from engine.scenario.formats.scenario_builder import ImportedScenario, ScenarioBuilder, Tasks
from engine.scenario.queue_validation import ROOT

SUBMITTED, ALLOCATED, HELD, PENDING = (
    "AppsSubmitted",
    "AggregateContainersAllocated",
    "AllocatedContainers",
    "PendingContainers",
)
HELD_SIZES, PENDING_SIZES = ("AllocatedMB", "AllocatedVCores"), ("PendingMB", "PendingVCores")
AVAILABLE_SIZES = ("AvailableMB", "AvailableVCores")
QUEUE_FIELDS = (SUBMITTED, ALLOCATED, HELD, PENDING, *HELD_SIZES, *PENDING_SIZES, *AVAILABLE_SIZES)
NODES_FIELD = "NumActiveNMs"
CLUSTER = ""  # stands for a queue: of the cluster itself
MAX_VALUES = 10_000_000
NODE_MB = 8192  # where nobody says how many nodes there are


class QueueSamples:
    """What was sampled, in any order: by queue and field."""

    def __init__(self) -> None:
        self._series: dict[tuple[str, str], tuple[array, array]] = defaultdict(
            lambda: (array("q"), array("d"))
        )
        self.count = 0

    def add(self, queue: str, field: str, time_ms: int, value: float) -> None:
        """One value, which is no less than 0. TooLarge beyond MAX_VALUES."""
        self.count += 1
        if self.count > MAX_VALUES:
            raise TooLarge(msg("scenario.queue_metrics.more_than_values", max_values=MAX_VALUES))
        times, values = self._series[queue, field]
        times.append(time_ms)
        values.append(min(max(value, 0), MAX_INTEGER))

    def times(self) -> np.ndarray:
        """All times at which something was sampled, in ms, ascending."""
        return np.unique(np.concatenate([np.array(times) for times, _ in self._series.values()]))

    def queues(self) -> list[str]:
        return sorted({queue for queue, _ in self._series} - {CLUSTER})

    def at(self, queue: str, field: str, times: np.ndarray) -> np.ndarray:
        """The values at these times: the last one sampled, 0 before the first."""
        own_times, values = (np.array(part) for part in self._series.get((queue, field), ((), ())))
        order = np.argsort(own_times, kind="stable")
        index = np.searchsorted(own_times[order], times, "right")
        return np.concatenate([[0.0], values[order]])[index]


class _Job(NamedTuple):
    """number: among those of its queue, from 1; copies: so many share the containers; memory_mb, vcores:
    of a container; duration_ms: nan where none was allocated.
    """

    arrival_ms: int
    queue: str
    number: int
    copies: int
    containers: int
    memory_mb: int
    vcores: int
    duration_ms: float


def scenario_of_samples(
    samples: QueueSamples, builder: ScenarioBuilder, nodes: set[Node] | None, title: str
) -> ImportedScenario:
    """The scenario; FormatError where they show no demand."""
    times = samples.times() if samples.count else np.array([])
    leaves = _leaves(samples.queues())
    times = _longest_part(samples, leaves, times, builder)
    if len(times) < 2:
        raise FormatError(msg("scenario.queue_metrics.two_samples_needed", samples=len(times)))
    jobs = sorted(job for queue in leaves for job in _jobs(samples, queue, times, builder))
    known = [job for job in jobs if not np.isnan(job.duration_ms)]
    containers = sum(job.containers for job in known)
    if not containers:
        raise FormatError(msg("scenario.queue_metrics.no_container_allocated"))
    mean = sum(job.containers * job.duration_ms for job in known) / containers
    for job in jobs:
        _add(job._replace(duration_ms=mean) if np.isnan(job.duration_ms) else job, builder)
    step_s = float(np.median(np.diff(times))) / 1000
    builder.notes.add(msg("scenario.queue_metrics.demand_of_queues_alone", step_s=step_s))
    default_sizes = _nodes(samples, times, builder)
    return builder.build(title, nodes, default_sizes, origin_ms=int(times[0]))


def _leaves(queues: list[str]) -> list[str]:
    """Those that have no queue below; queues are sorted."""
    parents = {name.rpartition(".")[0] for name in queues}
    return [name for name in queues if name not in parents]


def _longest_part(
    samples: QueueSamples, leaves: list[str], times: np.ndarray, builder: ScenarioBuilder
) -> np.ndarray:
    """The longest of the times between which no counter has begun anew."""
    begins_anew = np.zeros(max(len(times) - 1, 0), bool)
    for queue in leaves:
        for field in (SUBMITTED, ALLOCATED):
            begins_anew |= np.diff(samples.at(queue, field, times)) < 0
    parts = np.split(times, np.flatnonzero(begins_anew) + 1)
    if len(parts) > 1:
        builder.notes.add(msg("scenario.queue_metrics.counters_begin_anew", restarts=len(parts) - 1))
    return max(parts, key=lambda part: part[-1] - part[0] if len(part) else 0)


def _jobs(samples: QueueSamples, queue: str, times: np.ndarray, builder: ScenarioBuilder) -> list[_Job]:
    """The jobs of a leaf queue."""
    submitted, allocated, held, pending = (
        samples.at(queue, field, times) for field in (SUBMITTED, ALLOCATED, HELD, PENDING)
    )
    raw_asked = allocated + pending
    asked, released = _never_falls(raw_asked), _never_falls(np.clip(allocated - held, 0, None))
    withdrawn = int(np.clip(-np.diff(raw_asked), 0, None).sum())
    builder.notes.count("request", msg("scenario.queue_metrics.withdrawn_left_out"), withdrawn)
    sizes = _container_sizes(samples, queue, times, held + pending)
    bounds = np.concatenate([released[:1], asked]).astype(int)  # the first container of each job, and the end
    known = np.minimum(bounds, allocated[-1])
    time_sums = np.diff(_time_sums(released, times, known) - _time_sums(allocated, times, known))
    durations = np.divide(
        time_sums, np.diff(known), out=np.full(len(times), np.nan), where=np.diff(known) > 0
    )
    middles = np.concatenate([times[:1], (times[1:] + times[:-1]) // 2])
    jobs: list[_Job] = []
    for index in np.flatnonzero(np.diff(bounds)).tolist():
        containers = int(bounds[index + 1] - bounds[index])
        applications = int(submitted[index] - submitted[index - 1]) if index else 0
        memory_mb, vcores = (int(size[index]) for size in sizes)
        copies = min(max(applications, 1), containers)
        number, duration = len(jobs) + 1, float(durations[index])
        where = int(middles[index]), queue, number
        jobs.append(_Job(*where, copies, containers, memory_mb, vcores, duration))
        _tell(index, applications, containers, builder)
    not_ended = int(min(allocated[-1], asked[-1]) - released[-1])
    builder.notes.count("container", msg("scenario.queue_metrics.not_ended_end_with_samples"), not_ended)
    never = int(asked[-1] - allocated[-1])
    builder.notes.count("container", msg("scenario.queue_metrics.never_allocated_take_mean"), never)
    return jobs


def _tell(index: int, applications: int, containers: int, builder: ScenarioBuilder) -> None:
    count = builder.notes.count
    if not index:
        count("container", msg("scenario.queue_metrics.there_at_first_sample"), containers)
    elif not applications:
        count("job", msg("scenario.queue_metrics.asked_for_without_application"))
    count(
        "application", msg("scenario.queue_metrics.more_than_containers"), max(0, applications - containers)
    )


def _never_falls(curve: np.ndarray) -> np.ndarray:
    """The curve without what it loses later."""
    return np.minimum.accumulate(curve[::-1])[::-1]


def _time_sums(curve: np.ndarray, times: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The ms since the first sample at which the curve passes each container, summed up over the first
    `counts` of them; those beyond its ends pass there.
    """
    knots = np.concatenate([[0.0], curve, [MAX_INTEGER]])
    since = np.concatenate([[0.0], times - times[0], [times[-1] - times[0]]])
    sums = np.concatenate([[0.0], np.cumsum(np.diff(knots) * (since[1:] + since[:-1]) / 2)])
    index = np.searchsorted(knots, counts, "right") - 1
    return sums[index] + (counts - knots[index]) * (since[index] + np.interp(counts, knots, since)) / 2


def _container_sizes(
    samples: QueueSamples, queue: str, times: np.ndarray, containers: np.ndarray
) -> list[np.ndarray]:
    """Memory in MB and vcores of a container at each time; where there is none, the mean of all times."""
    sizes = []
    for held_field, pending_field in zip(HELD_SIZES, PENDING_SIZES, strict=True):
        total = samples.at(queue, held_field, times) + samples.at(queue, pending_field, times)
        mean = total.sum() / max(containers.sum(), 1)
        each = np.divide(total, containers, out=np.full(len(times), mean), where=containers > 0)
        sizes.append(np.clip(np.rint(each), 1, MAX_RESOURCE))
    return sizes


def _add(job: _Job, builder: ScenarioBuilder) -> None:
    """Adds its copies, of which some have one container more than the others."""
    each, more = divmod(job.containers, job.copies)
    name = f"{job.queue.removeprefix(f'{ROOT}.')}-{job.number}"
    for suffix, copies, containers in (("", job.copies - more, each), ("-more", more, each + 1)):
        if copies:
            maps = Tasks(job.memory_mb, job.vcores)
            maps.append(max(1, round(job.duration_ms)), containers)
            builder.add_job(name + suffix, None, job.queue, job.arrival_ms, maps, Tasks(), count=copies)


def _nodes(samples: QueueSamples, times: np.ndarray, builder: ScenarioBuilder) -> dict[str, DefaultSize]:
    """Sets how many nodes there are; what one has."""
    totals = [
        int((samples.at(ROOT, held, times) + samples.at(ROOT, available, times)).max())
        for held, available in zip(HELD_SIZES, AVAILABLE_SIZES, strict=True)
    ]
    count = int(samples.at(CLUSTER, NODES_FIELD, times).max()) or -(-totals[0] // NODE_MB)
    builder.numbered = count, min(count, 1)
    origin = msg("scenario.queue_metrics.its_part_of_cluster")
    return {
        key: DefaultSize(max(1, total // max(count, 1)), origin)
        for key, total in zip(("memory_mb", "vcores"), totals, strict=True)
    }
