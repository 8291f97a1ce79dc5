"""What the oracle's policies know: nodes, jobs, every container so far and the time. All is counted afresh
whenever it is asked.
"""

from __future__ import annotations

from engine.scenario.model import Scenario
from tests.oracle.allocation import Normalization, min_allocation_of
from tests.oracle.blocks import blocks_of
from tests.oracle.queues import queue_tree
from tests.oracle.result import Running
from tests.oracle.users import Users
from tests.oracle.workload import Job, Node, jobs_of, nodes_of

Candidate = tuple[Job, str]
Pair = tuple[int, int]
TASKS = ("map", "reduce")


class ClusterState:
    """`running` is what really runs, known at once; `held` is the scheduler's view: from placement until the
    end is seen.
    """

    def __init__(
        self, scenario: Scenario, memory_only: bool = False, normalized: Normalization | None = None
    ) -> None:
        self.scenario = scenario
        self.memory_only = memory_only
        self.nodes = nodes_of(scenario)
        self.jobs = jobs_of(scenario)
        self.min_allocation = min_allocation_of(scenario)
        for job in self.jobs if normalized else []:
            parts = {
                "am": job.group.am,
                "reduce": job.reduces,
                "map": job.maps,
                "executor": job.group.is_spark,
                **dict.fromkeys(job.stage_kinds, True),
            }
            job.normalized = {
                kind: normalized(job.group.queue, job.asked(kind))
                for kind, is_there in parts.items()
                if is_there
            }
        self.queues = queue_tree(scenario, self.jobs)
        self.containers: list[Running] = []
        self.now = 0
        self.users = Users(self)
        for job in self.jobs if scenario.cluster.locality else []:
            job.blocks = blocks_of(scenario, job, self.nodes)

    @property
    def cluster(self) -> Pair:
        """What the nodes that are up have."""
        return sum(node.memory for node in self.up), sum(node.vcores for node in self.up)

    @property
    def up(self) -> list[Node]:
        """The nodes that are there."""
        return [node for node in self.nodes if not node.down]

    def add(
        self,
        place: int,
        kind: str,
        count: int,
        outcome: str = "running",
        end: int | None = None,
        seen: int | None = None,
    ) -> None:
        """For tests of one formula: containers of a job's first iteration from 0 on the first node, which
        does not feel them.
        """
        job = self.jobs[place]
        job.iteration, job.start = 1, 0
        first = len(self.all(job, kind))
        containers = [
            Running(
                job,
                1,
                kind,
                first + index,
                1,
                self.nodes[0],
                0,
                0,
                end=end,
                outcome=outcome,
                seen=seen,
                begin=0,
            )
            for index in range(count)
        ]
        self.containers += containers
        if outcome == "finished" and kind == "map":
            job.maps_done |= {one.index: one for one in containers}
        elif outcome == "finished" and kind == "reduce":
            job.reduces_done |= {one.index for one in containers}

    def all(self, job: Job | None, *kinds: str) -> list[Running]:
        """Containers of a job (None: of every job), of these kinds (none: of all), in placement order."""
        return [
            c for c in self.containers if c.kind in (kinds or c.job.kinds) and (job is None or c.job is job)
        ]

    def running(self, job: Job | None, *kinds: str) -> list[Running]:
        return [c for c in self.all(job, *kinds) if c.outcome == "running"]

    def held(self, job: Job | None, *kinds: str) -> list[Running]:
        return [c for c in self.all(job, *kinds) if c.seen is None and not c.returned]

    def finished(self, job: Job | None, *kinds: str) -> list[Running]:
        """Of every iteration; killed ones have not finished."""
        return [c for c in self.all(job, *kinds) if c.outcome == "finished"]

    def placed(self, job: Job, kind: str) -> int:
        """Tasks of the running iteration that run or have finished; one whose attempts lost their work is to
        be placed again.
        """
        done = set(job.maps_done) if kind == "map" else job.reduces_done
        return len({c.index for c in self.running(job, kind)} | done)

    def to_place(self, job: Job, kind: str) -> list[int]:
        """Tasks that neither run nor have finished; without any, the one that is to have a second attempt."""
        placed = {c.index for c in self.running(job, kind)} | (
            set(job.maps_done) if kind == "map" else job.reduces_done
        )
        return [index for index in range(job.size_of(kind)) if index not in placed] or [
            job.speculative_task[kind]
        ]

    def waiting(self, job: Job, kind: str) -> int:
        return len(job.waiting[kind].tasks) if kind in job.waiting else 0

    def sizes(self, containers: list[Running]) -> Pair:
        """Memory and vcores of them all."""
        sizes = [c.job.size(c.kind) for c in containers]
        return sum(memory for memory, _ in sizes), sum(vcores for _, vcores in sizes)

    def running_jobs(self) -> list[Job]:
        """D: those with a first container and no finish."""
        return [job for job in self.jobs if job.start is not None and job.finish is None]

    def mean_time(self, job: Job, kind: str) -> float | None:
        """Mean ms from start to end of the job's finished tasks of a kind in all iterations."""
        times = [c.end - c.start for c in self.finished(job, kind)]
        return sum(times) / len(times) if times else None

    def fetch_ms(self, job: Job) -> float:
        """What a reduce needs to fetch the output of one map (14)."""
        return 1000.0 * job.group.shuffle_mb_per_map / job.reduces / self.scenario.cluster.shuffle_mb_s


def divide(a: float, b: float) -> float:
    """IEEE division: a rate that decayed to almost nothing may make the divisor 0."""
    if b != 0:
        return a / b
    return float("nan") if a == 0 or a != a else float("inf") * (1 if a > 0 else -1)
