"""The oracle's second attempts of tasks that are late (DefaultSpeculator, LegacyTaskRuntimeEstimator)."""

from __future__ import annotations

import math

from tests.oracle.attempt_draws import duration_ms, work_ms
from tests.oracle.result import Running
from tests.oracle.simulation import Simulation
from tests.oracle.workload import Job

LOOK_MS = 1000


class Speculation(Simulation):
    """Every second each job is looked at, for 15 s not after it asked for a second attempt."""

    def _speculates(self) -> bool:
        return any(job.group.speculation != "none" for job in self.jobs)

    def _look(self) -> bool:
        """Whether any job asks for a second attempt."""
        if not self._speculates() or self.now % LOOK_MS:
            return False
        changes = [
            self._look_at(job)
            for job in self.jobs
            if job.iteration > 0 and job.finish is None and not job.master_away
        ]
        return any(changes)

    def _look_at(self, job: Job) -> bool:
        if self.now < job.next_speculation_ms:
            return False
        kinds = {"none": (), "maps": ("map",), "reduces": ("reduce",), "both": ("map", "reduce")}[
            job.group.speculation
        ]
        rows = [self._look_at_kind(job, kind) for kind in kinds if job.size_of(kind)]
        if any(rows):
            job.next_speculation_ms = self.now + 15_000
        return any(rows)

    def _look_at_kind(self, job: Job, kind: str) -> bool:
        total = job.size_of(kind)
        done = len(job.maps_done) if kind == "map" else len(job.reduces_done)
        if (
            self.state.placed(job, kind) < total
            or kind in job.waiting
            or job.tasks_to_rerequest.get(kind)
            or done < 1
            or done / total < 0.05
        ):
            return False
        mean = sum(job.times[kind]) // len(job.times[kind])
        attempts: dict[int, list[Running]] = {}
        for container in self.state.running(job, kind):
            attempts.setdefault(container.index, []).append(container)
        already = sum(len(several) > 1 for several in attempts.values())
        gains = {
            index: self._gain(several[0], self.now + mean)
            for index, several in sorted(attempts.items())
            if len(several) == 1
        }
        best = max(gains, key=lambda index: (gains[index], -index), default=None)
        if (
            best is None
            or gains[best] <= 0
            or already >= max(10, int(0.01 * total), int(0.1 * len(attempts)))
        ):
            return False
        job.speculative_task[kind] = best
        job.tasks_to_rerequest.setdefault(kind, []).append(best)
        return True

    def _gain(self, container: Running, replaced: int) -> int:
        """By how much a second attempt that ends at `replaced` would end before this one, as far as its
        progress tells.
        """
        computes = container.begin if container.kind == "map" else container.shuffle_end
        if computes is None or computes >= self.now or container.begin >= self.now:
            return 0
        g = self.cluster.contention
        node = container.node
        left = container.left - (self.now - container.since) / (1 + g * (node.computing - 1))
        whole = duration_ms(self.state.scenario, container, node.speed)
        progress = (whole - left) / max(1.0, work_ms(self.state.scenario, container, node.speed))
        if container.kind == "reduce":
            progress = 2.0 / 3.0 + progress / 3.0
        estimated = container.begin + math.floor((self.now - container.begin) / max(0.0001, progress))
        return max(0, estimated - replaced) if estimated >= self.now else 0
