"""The oracle's fresh: slots for maps and for reduces by what work is left of each, then the job that is owed
most.
"""

from __future__ import annotations

from tests.oracle.cluster_state import TASKS, Candidate
from tests.oracle.haste import first_master
from tests.oracle.orders import Flat
from tests.oracle.workload import Job, Node, added


class Fresh(Flat):
    spreads_load = True

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate:
        master = first_master(candidates)
        if master:
            return master
        kind = self._kind()
        fitting = [candidate for candidate in candidates if candidate[1] == kind] or candidates
        return min(
            fitting,
            key=lambda candidate: (-self._deficit(candidate[0]), len(self.state.held(candidate[0], *TASKS))),
        )

    def _slots(self) -> int:
        """S: how many of the largest tasks the cluster takes, at least 2."""
        sizes = [job.size(kind) for job in self.state.jobs for kind in TASKS if kind == "map" or job.reduces]
        memory, vcores = max(size[0] for size in sizes), max(size[1] for size in sizes)
        return max(2, sum(min(node.memory // memory, node.vcores // vcores) for node in self.state.nodes))

    def _kind(self) -> str:
        """Which kind of task has fewer slots than its part of the work."""
        waiting = {kind: [job for job in self.state.jobs if self.state.waiting(job, kind)] for kind in TASKS}
        if not waiting["map"] or not waiting["reduce"]:
            return "map" if waiting["map"] else "reduce"
        map_mean = self._mean(waiting["map"], "map", 1.0)
        reduce_mean = self._mean(waiting["reduce"], "reduce", map_mean)
        maps, reduces = (
            self._work(waiting["map"], "map", map_mean),
            self._work(waiting["reduce"], "reduce", reduce_mean),
        )
        slots = self._slots()
        target = slots * maps / (maps + reduces) if maps + reduces > 0 else slots / 2
        return "map" if len(self.state.held(None, "map")) < min(max(target, 1.0), slots - 1.0) else "reduce"

    def _mean(self, jobs: list[Job], kind: str, unknown: float) -> float:
        known = [mean for job in jobs if (mean := self.state.mean_time(job, kind)) is not None]
        return added(known) / len(known) if known else unknown

    def _work(self, jobs: list[Job], kind: str, unknown: float) -> float:
        """Waiting tasks times their mean time."""
        means = {job: self.state.mean_time(job, kind) for job in jobs}
        return added(
            [self.state.waiting(job, kind) * (unknown if means[job] is None else means[job]) for job in jobs]
        )

    def _deficit(self, job: Job) -> float:
        """Its fair part of the slots since its first container, less the time for which it held some."""
        share = 0.0 if job.start is None else self._fair_now() - self._fair_until(job.start)[0]
        times = [
            (self.state.now if c.seen is None else c.seen) - c.start for c in self.state.all(job, *TASKS)
        ]
        return self._slots() * share - sum(times)

    def _fair_now(self) -> float:
        fair, since, running = self._fair_until(self.state.now)
        return fair + (self.state.now - since) / running if running else fair

    def _fair_until(self, time: int) -> tuple[float, int, int]:
        """What one job that ran all along had got of the slots when the number of running jobs last changed;
        when; and the number since.
        """
        starts = [job.start for job in self.state.jobs if job.start is not None]
        finishes = [job.finish for job in self.state.jobs if job.finish is not None and not job.refused]
        fair, since, running = 0.0, 0, 0
        for change in sorted({at for at in starts + finishes if at <= time}):
            if running:
                fair += (change - since) / running
            since = change
            running += starts.count(change) - finishes.count(change)
        return fair, since, running
