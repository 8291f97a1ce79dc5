"""How much room the masters of a record need, where no file says how large nodes are or what limits masters.

FairScheduler, the default, gives the masters of a queue half of its fair share and lets none start beyond it
(FSLeafQueue.canRunAppAM, maxAMShare 0.5). A record that has run has had room for them: nodes of unknown size
get it, and where all sizes are known the limits of queues give way: maxAMShare to what masters held,
user-limit-factor of CapacityScheduler to what a user held. So that masters cannot fill all nodes, no more
applications run at a time (maxRunningApps of root) than leave the largest task room on one of them, however
they lie.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np

from engine.codes import NO_AM_LIMIT
from engine.scenario.history.hosts import RESOURCES, HeldContainer, peak_held, task_sizes
from engine.scenario.history.job_run import JobRun

AM_SHARE = 0.5  # FairSchedulerConfiguration's and QueueProperties' default of maxAMShare
# times as long as recorded a job may take in a run, which brings queues together that followed each other
LATENESS = 2
SHARE_STEP = 1000  # limits of queues are whole thousandths


class MastersNeed(NamedTuple):
    """MB and vcores: the largest task; the largest master; all masters together; those whose jobs may meet in
    a run, and how many they are; by queue the most that its masters held at a time, and into how many parts
    the cluster is divided for it.
    """

    task: tuple[int, int]
    master: tuple[int, int]
    masters: tuple[int, int]
    meeting: tuple[int, int]
    jobs_meeting: int
    held: dict[str, tuple[int, int]]
    parts: dict[str, int]

    def least_total(self, resource: int) -> int:
        """What a cluster has to have for all masters of the record to run in half of their queues' shares."""
        needs = (held[resource] * self.parts[queue] for queue, held in self.held.items())
        return math.ceil(max(needs, default=0) / AM_SHARE)

    def least_node(self, resource: int, nodes: int) -> int:
        """So much that, however masters lie on so many nodes, the largest task fits one of them: those of
        half of the cluster, or all; and without a limit, as of FifoScheduler, those whose jobs may meet.
        """
        task = self.task[resource]
        limited = min(math.ceil(task / (1 - AM_SHARE)), task + -(-self.masters[resource] // nodes))
        return max(limited, task + -(-self.meeting[resource] // nodes))

    def most_masters(self, nodes: Sequence[tuple[int, tuple[int, int]]]) -> float:
        """How many masters leave the largest task room on one of the nodes wherever they lie, or wait on a
        node that is reserved for them, which CapacityScheduler counts as held; 0: one alone may take it.
        nodes: how many of which size.
        """
        wherever = sum(count * self._masters_that_fill(size) for count, size in nodes) - 1
        total = (sum(count * size[resource] for count, size in nodes) for resource in range(len(RESOURCES)))
        return min([wherever, *self._beside_task(tuple(total))])

    def _masters_that_fill(self, size: tuple[int, ...]) -> float:
        """How many masters leave the task no room on a node that has it; 0 on one that never has it."""
        return max(0, min(self._beside_task(size), default=math.inf) + 1)

    def _beside_task(self, size: tuple[int, ...]) -> list[int]:
        """How many masters have room beside the task, in each resource; below 0 without room for the task."""
        return [
            (amount - task) // master for amount, task, master in zip(size, self.task, self.master) if master
        ]


class RunBeside(Protocol):
    """An application beside MapReduce's, as a job of the scenario; when it began and ended, ms since 1970."""

    @property
    def job(self) -> dict[str, Any]: ...

    @property
    def start_ms(self) -> int: ...

    @property
    def end_ms(self) -> int: ...


def masters_need(
    runs: Sequence[JobRun], jobs: Sequence[Mapping[str, Any]], others: Sequence[RunBeside]
) -> MastersNeed:
    """What the masters of the runs, whose jobs of the scenario are `jobs`, and of other applications need.
    Those of which totals alone are known have none, and are divided into what fits.
    """
    spans = [(job, run.arrival, run.finish) for run, job in zip(runs, jobs)]
    spans += [(run.job, run.start_ms, run.end_ms) for run in others]
    in_steps = [run for run in others if "am" in run.job]
    tasks = [size for job in (*jobs, *(run.job for run in in_steps)) for size in task_sizes(job)]
    masters = [job["am"] for job, *_ in spans if "am" in job]
    at_once = _children_at_once((job["queue"], start, end) for job, start, end in spans)
    of_others = (_of_stage(run.job["queue"], run.start_ms, run.end_ms, run.job["am"]) for run in in_steps)
    held = peak_held(chain(_held_by_masters(runs, jobs), of_others))
    late = [
        _of_stage("", start, _late_end(start, end), job["am"]) for job, start, end in spans if "am" in job
    ]
    jobs_late = peak_held(one._replace(memory_mb=1) for one in late)
    return MastersNeed(
        _largest(tasks),
        _largest(masters),
        _each(sum(master[key] for master in masters) for key in RESOURCES),
        peak_held(late).get("", (0, 0)),
        jobs_late.get("", (0, 0))[0],
        held,
        {queue: math.prod(at_once[parent] for parent, _ in _levels(queue)) for queue in held},
    )


def _largest(sizes: Sequence[Mapping[str, int]]) -> tuple[int, int]:
    return _each(max((size[key] for size in sizes), default=0) for key in RESOURCES)


def needed_share(need: MastersNeed, queue: str, total: tuple[int, int]) -> float | None:
    """What a queue's masters held of its fair share of a cluster, where that is more than half:
    `max_am_share`, -1 where it is more than all; else None.
    """
    held, parts = need.held.get(queue, (0, 0)), need.parts.get(queue, 1)
    share = max(amount * parts / whole for amount, whole in zip(held, total))
    if share <= AM_SHARE:
        return None
    return _rounded_up(share) if share <= 1 else NO_AM_LIMIT


def needed_user_factors(
    runs: Sequence[JobRun],
    jobs: Sequence[Mapping[str, Any]],
    need: MastersNeed,
    queues: Collection[str],
    total: tuple[int, int],
) -> dict[str, float]:
    """By queue what one of its users held, or a master beside a task, of an even part of a cluster, where
    that is more than the part: `user_limit_factor`. queues: all that have no capacity of their own.
    """
    siblings = Counter(parent for parent, _ in {pair for queue in queues for pair in _levels(queue)})
    least = tuple(master + task for master, task in zip(need.master, need.task))
    factors: dict[str, float] = {}
    for queue, held in _held_by_users(runs, jobs):
        parts = math.prod(siblings[parent] for parent, _ in _levels(queue))
        factor = max(max(pair) * parts / whole for *pair, whole in zip(held, least, total))
        if factor > 1:
            factors[queue] = max(factors.get(queue, 0), _rounded_up(factor))
    return factors


def held_containers(run: JobRun, job: Mapping[str, Any]) -> Iterator[HeldContainer]:
    """The containers of a run, whose job of the scenario is `job`, on their hosts."""
    stages = {"am": job.get("am", job["maps"]), "map": job["maps"], "reduce": job.get("reduces", job["maps"])}
    for attempt in run.all:
        yield _of_stage(attempt.host, attempt.start, attempt.end, stages[attempt.kind])


def _of_stage(place: str, start_ms: int, end_ms: int, stage: Mapping[str, int]) -> HeldContainer:
    return HeldContainer(place, start_ms, end_ms, *(stage[key] for key in RESOURCES))


def _held_by_masters(runs: Sequence[JobRun], jobs: Sequence[Mapping[str, Any]]) -> Iterator[HeldContainer]:
    """Each master in its queue: as recorded, else from the job's first container to its end."""
    for run, job in zip(runs, jobs):
        if "am" not in job:
            continue
        recorded = [(attempt.start, attempt.end) for attempt in run.all if attempt.kind == "am"]
        for start, end in recorded or [(min(attempt.start for attempt in run.all), run.finish)]:
            yield _of_stage(job["queue"], start, end, job["am"])


def _held_by_users(
    runs: Sequence[JobRun], jobs: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, tuple[int, int]]]:
    """(queue, the most memory and the most vcores that one of its users held at a time)."""
    # int64[containers, 3], twice a job: when they start or end, and what they take or give back then
    changes: dict[tuple[str, str], list[np.ndarray]] = defaultdict(list)
    for run, job in zip(runs, jobs):
        rows = [one[1:] for one in held_containers(run, job)]
        start, end, memory_mb, vcores = np.array(rows, np.int64).T
        taken, given = np.stack([start, memory_mb, vcores], -1), np.stack([end, -memory_mb, -vcores], -1)
        changes[job["queue"], job["user"]] += taken, given
    for (queue, _), parts in changes.items():
        joined = np.concatenate(parts)
        order = np.lexsort((joined[:, 1], joined[:, 0]))  # what ends first gives back first
        memory_mb, vcores = np.cumsum(joined[order, 1:], axis=0).max(axis=0).tolist()
        yield queue, (memory_mb, vcores)


def _children_at_once(spans: Iterable[tuple[str, int, int]]) -> dict[str, int]:
    """Of each parent how many of its children had jobs at a time. spans: queue, when its job arrived and
    ended.
    """
    changes = []
    for queue, start, end in spans:
        changes += [(start, -1, queue), (_late_end(start, end), 1, queue)]
    jobs: Counter[str] = Counter()
    active: Counter[str] = Counter()
    most: dict[str, int] = {}
    for _, ends, queue in sorted(changes):
        for parent, child in _levels(queue):
            had_jobs = jobs[child] > 0
            jobs[child] -= ends
            active[parent] += (jobs[child] > 0) - had_jobs
            most[parent] = max(most.get(parent, 0), active[parent])
    return most


def _late_end(start: int, end: int) -> int:
    """When a job may end in a run."""
    return start + LATENESS * max(0, end - start)


def _rounded_up(share: float) -> float:
    return math.ceil(share * SHARE_STEP) / SHARE_STEP


def _levels(queue: str) -> list[tuple[str, str]]:
    """root.a.b: (root, root.a), (root.a, root.a.b)."""
    names = queue.split(".")
    return [(".".join(names[:end]), ".".join(names[: end + 1])) for end in range(1, len(names))]


def _each(amounts: Iterable[int]) -> tuple[int, int]:
    memory_mb, vcores = amounts
    return memory_mb, vcores
