"""The oracle's rule by which a job kills its own reduces (KILL-1)."""

from __future__ import annotations

from tests.oracle.ramp_up import RampUp, kill
from tests.oracle.result import Running
from tests.oracle.simulation import Simulation
from tests.oracle.workload import Job, Node


class KillRule(Simulation):
    """Jobs whose maps their own reduces keep out."""

    def _kills(self, job: Job) -> bool:
        """Kills own reduces when no map runs and none can otherwise (17); withdraws the reduces that wait."""
        if (
            isinstance(self.reduce_start, RampUp)
            or "map" not in job.waiting
            or self.state.running(job, "map")
        ):
            return False
        needed = [self._reduces_in_the_way(node, job) for node in self.nodes]
        counts = [len(victims) for victims in needed if victims is not None]
        if not counts or min(counts) == 0:
            return False
        victims = next(victims for victims in needed if victims is not None and len(victims) == min(counts))
        for container in victims:
            kill(container, self.now)
        job.withdraw("reduce")
        job.tasks_to_rerequest.pop("reduce", None)
        job.speculative_task.pop("reduce", None)
        self.state.users.waits(job)
        job.reduces_withheld = True
        job.reduces_first = False
        return True

    def _reduces_in_the_way(self, node: Node, job: Job) -> list[Running] | None:
        """The job's fewest reduces on a node whose end lets one map in, latest start and highest index first;
        None: it can't go there.
        """
        there = [container for container in self._running() if container.node is node]
        own = [container for container in there if container.job is job and container.kind == "reduce"]
        own.sort(key=lambda container: (container.start, container.index), reverse=True)
        for count in range(len(own) + 1):
            stay = [container for container in there if container not in own[:count]]
            memory = sum(container.job.size(container.kind)[0] for container in stay)
            vcores = sum(container.job.size(container.kind)[1] for container in stay)
            maps = sum(container.kind == "map" for container in stay)
            if self.placement.fits(node, memory, vcores, {"map": maps}, job, "map"):
                return own[:count]
        return None
