"""How much room the masters of a record need, where no file says how large nodes are or what limits masters.

FairScheduler, the default, gives the masters of a queue half of its fair share and lets none start beyond it
(FSLeafQueue.canRunAppAM, maxAMShare 0.5). A record that has run has had room for them: nodes of unknown size
get it, and where all sizes are known the queue's limit does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.codes import NO_AM_LIMIT
from engine.scenario.formats.scenario_builder import under_root
from engine.scenario.history.hosts import RESOURCES, HeldContainer, peak_held
from engine.scenario.history.job_run import JobRun
from engine.scenario.history.records import OtherApplicationRecord

AM_SHARE = 0.5  # FairSchedulerConfiguration's and QueueProperties' default of maxAMShare
# times as long as recorded a job may take in a run, which brings queues together that followed each other
LATENESS = 2
SHARE_STEP = 1000  # limits of queues are whole thousandths


class MastersNeed(NamedTuple):
    """MB and vcores: the largest task; all masters together; by queue the most that its masters held at a
    time, and into how many parts the cluster is divided for it.
    """

    task: tuple[int, int]
    masters: tuple[int, int]
    held: dict[str, tuple[int, int]]
    parts: dict[str, int]

    def least_total(self, resource: int) -> int:
        """What a cluster has to have for all masters of the record to run in half of their queues' shares."""
        needs = (held[resource] * self.parts[queue] for queue, held in self.held.items())
        return math.ceil(max(needs, default=0) / AM_SHARE)

    def least_node(self, resource: int, nodes: int) -> int:
        """So much that, however masters lie on so many nodes, the largest task fits one of them."""
        task = self.task[resource]
        return min(math.ceil(task / (1 - AM_SHARE)), task + -(-self.masters[resource] // nodes))


def masters_need(
    runs: Sequence[JobRun], jobs: Sequence[Mapping[str, Any]], others: Iterable[OtherApplicationRecord]
) -> MastersNeed:
    """What the masters of the runs, whose jobs of the scenario are `jobs`, need; other applications have
    none, and their queues have a share.
    """
    stages = [job[part] for job in jobs for part in ("maps", "reduces") if part in job]
    masters = [job["am"] for job in jobs if "am" in job]
    spans = [(job["queue"], run.arrival, run.finish) for run, job in zip(runs, jobs)]
    spans += [(under_root(one.queue or "default"), one.start_ms, one.end_ms) for one in others]
    at_once = _children_at_once(spans)
    held = peak_held(_held_by_masters(runs, jobs))
    return MastersNeed(
        _each(max(stage[key] for stage in stages) for key in RESOURCES),
        _each(sum(master[key] for master in masters) for key in RESOURCES),
        held,
        {queue: math.prod(at_once[parent] for parent, _ in _levels(queue)) for queue in held},
    )


def needed_share(need: MastersNeed, queue: str, total: tuple[int, int]) -> float | None:
    """What a queue's masters held of its fair share of a cluster, where that is more than half:
    `max_am_share`, -1 where it is more than all; else None.
    """
    held, parts = need.held.get(queue, (0, 0)), need.parts.get(queue, 1)
    share = max(amount * parts / whole for amount, whole in zip(held, total))
    if share <= AM_SHARE:
        return None
    return math.ceil(share * SHARE_STEP) / SHARE_STEP if share <= 1 else NO_AM_LIMIT


def _held_by_masters(runs: Sequence[JobRun], jobs: Sequence[Mapping[str, Any]]) -> Iterator[HeldContainer]:
    """Each master in its queue: as recorded, else from the job's first container to its end."""
    for run, job in zip(runs, jobs):
        if "am" not in job:
            continue
        size = job["am"]["memory_mb"], job["am"]["vcores"]
        recorded = [(attempt.start, attempt.end) for attempt in run.all if attempt.kind == "am"]
        for start, end in recorded or [(min(attempt.start for attempt in run.all), run.finish)]:
            yield HeldContainer(job["queue"], start, end, *size)


def _children_at_once(spans: Iterable[tuple[str, int, int]]) -> dict[str, int]:
    """Of each parent how many of its children had jobs at a time. spans: queue, when its job arrived and
    ended.
    """
    changes = []
    for queue, start, end in spans:
        late_end = start + LATENESS * max(0, end - start)
        changes += [(start, -1, queue), (late_end, 1, queue)]
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


def _levels(queue: str) -> list[tuple[str, str]]:
    """root.a.b: (root, root.a), (root.a, root.a.b)."""
    names = queue.split(".")
    return [(".".join(names[:end]), ".".join(names[: end + 1])) for end in range(1, len(names))]


def _each(amounts: Iterable[int]) -> tuple[int, int]:
    memory_mb, vcores = amounts
    return memory_mb, vcores
