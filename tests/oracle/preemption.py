"""The oracle's containers that the scheduler kills for other jobs: their use is given back at once, their
room when it sees their end.
"""

from __future__ import annotations

from tests.oracle.result import Running
from tests.oracle.retries import Retries


class Preemption(Retries):
    """What follows from such a kill."""

    def _preempt(self, container: Running) -> None:
        container.end, container.outcome = self.now, "killed"
        if container.kind == "am":
            self._preempt_master(container)
        else:
            self._give_back(container)
            self._work_lost(container)

    def _preempt_master(self, master: Running) -> None:
        """The job's other containers go with it, and its reservations; another master is asked for, however
        often.
        """
        job = master.job
        if job.finish is None:
            job.master_kills += 1
            self._start_again(job)
        for container in self.containers:
            if container.job is job and container.seen is None and not container.returned:
                self._give_back(container)
        for node in self.nodes:
            if node.reserved and node.reserved[0] is job:
                self.order.reserves.give_up(node)
        self._jobs_leave()

    def _give_back(self, container: Running) -> None:
        container.returned = True
        memory, vcores = container.job.size(container.kind)
        container.job.held_memory -= memory
        container.job.held_vcores -= vcores
        self.state.users.held(container.job)
