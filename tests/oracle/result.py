"""What the oracle gives back, and a container while it runs. Times are integer milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tests.oracle.workload import Job, Node


class Container(NamedTuple):
    """One attempt. None: never shuffled, still running (end), its end never seen by the scheduler (seen)."""

    job: str
    stage: int
    kind: str
    index: int
    attempt: int
    node: str
    requested: int
    start: int
    shuffle_end: int | None
    end: int | None
    outcome: str
    seen: int | None
    begin: int


class TaskRun(NamedTuple):
    """An attempt of a task in a slot of an executor; container: its place among all; stage from 1."""

    container: int
    slot: int
    stage: int
    index: int
    attempt: int
    start: int
    end: int | None
    outcome: str
    shuffle_end: int | None = None


class Target(NamedTuple):
    """A driver wants another number of executors; tasks that waited and ran then."""

    job: str
    time: int
    executors: int
    waiting: int
    running: int


class JobTimes(NamedTuple):
    """maps_end and shuffle_end are the last iteration's; None where there is none."""

    name: str
    arrival: int
    start: int | None
    maps_end: int | None
    shuffle_end: int | None
    finish: int | None
    failed: bool
    refused: int  # TAKEN or why it was refused (engine/codes.py)


class Result(NamedTuple):
    """status is "finished", "deadlock" or "refused"; at_ms (deadlock only) is the last start or end;
    containers in placement order, jobs in job order.
    """

    status: str
    at_ms: int | None
    containers: list[Container]
    jobs: list[JobTimes]
    tasks: list[TaskRun] = []
    targets: list[Target] = []  # by time, then in job order


@dataclass(eq=False)
class Running:
    """A container; `left` is its compute time at k = 1 still to do, as of `since` (15), None until it
    computes.
    """

    job: Job
    stage: int
    kind: str
    index: int
    attempt: int
    node: Node
    requested: int
    start: int
    shuffle_end: int | None = None
    left: float | None = None
    since: int | None = None
    end: int | None = None
    outcome: str = "running"
    seen: int | None = None
    code: int = 0  # its hash
    returned: bool = False  # preempted: its room alone waits to be seen
    to_fetch: float | None = (
        # with a fetch weight: output to fetch, in ms at the full rate, as of `since`; None while there is
        # none
        None
    )
    fetched_at: int | None = None  # when it will have fetched that
    known_outputs: int = 0  # maps of whose output it knows
    begin: int | None = None  # when its task begins
    creation_order: tuple[
        int, ...
    ] = ()  # where it, or the reservation it came from, stands among all that were made

    @property
    def runs_tasks(self) -> bool:
        """Several in its time, of Spark or of Tez."""
        return self.kind.startswith("executor")

    def record(self) -> Container:
        """What the result shows of it."""
        ends = (
            self.shuffle_end,
            self.end if self.outcome != "running" else None,
            self.outcome,
            self.seen,
            self.start if self.begin is None and not self.runs_tasks else self.begin,
        )
        return Container(
            self.job.name,
            self.stage,
            self.kind.rstrip("0123456789"),
            self.index,
            self.attempt,
            self.node.name,
            self.requested,
            self.start,
            *ends,
        )
