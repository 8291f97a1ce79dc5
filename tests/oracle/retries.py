"""The oracle's attempts where one may not be enough: failures, lost nodes, masters that start again."""

from __future__ import annotations

from engine.scenario.model import milliseconds
from tests.oracle.capacity_walk import Capacity
from tests.oracle.cluster_state import TASKS
from tests.oracle.ramp_up import RampUp, kill
from tests.oracle.result import Running
from tests.oracle.simulation import Simulation
from tests.oracle.workload import Job, Node

RESTARTS = 2


class Retries(Simulation):
    """What loses its work, and what follows from it."""

    def _other_attempts(self, container: Running) -> list[Running]:
        """Attempts of the same task that run."""
        return [
            c
            for c in self.state.running(container.job, container.kind)
            if c.index == container.index and c is not container
        ]

    def _attempt_failed(self, container: Running) -> None:
        job, task = container.job, (container.kind, container.index)
        job.failures[task] = job.failures.get(task, 0) + 1
        self._work_lost(container)

    def _work_lost(self, container: Running) -> None:
        """A task whose only attempt has lost its work is asked for again, unless its second attempt waits
        already.
        """
        job, kind = container.job, container.kind
        if job.application:
            job.application.container_lost(container)
            return
        if self._other_attempts(container):
            return
        if job.speculative_task.get(kind) == container.index:
            del job.speculative_task[kind]
            job.speculative_requested.discard(kind)
        else:
            self._request_again(job, kind, container.index)

    def _request_again(self, job: Job, kind: str, index: int) -> None:
        by_rule = kind == "reduce" and (
            isinstance(self.reduce_start, RampUp) or not job.reduces_asked or job.reduces_withheld
        )
        if not by_rule:
            job.tasks_to_rerequest.setdefault(kind, []).append(index)

    def _attempt_succeeded(self, container: Running) -> None:
        """Another attempt of a task that has finished is killed, or wanted no more."""
        job, kind = container.job, container.kind
        job.times.setdefault(kind, []).append(self.now - container.begin)
        for other in self._other_attempts(container):
            kill(other, self.now)
        if job.speculative_task.get(kind) == container.index:
            del job.speculative_task[kind]
            self._drop_one(job, kind)

    def _drop_one(self, job: Job, kind: str) -> None:
        """The second attempt that waits, or will be asked for at the next heartbeat, is wanted no more."""
        if kind not in job.speculative_requested:
            job.tasks_to_rerequest[kind].pop()
            if not job.tasks_to_rerequest[kind]:
                del job.tasks_to_rerequest[kind]
            return
        job.speculative_requested.remove(kind)
        job.waiting[kind].tasks.pop()
        job.requests_changed = True
        if not job.waiting[kind].tasks:
            del job.waiting[kind]
            self.state.users.waits(job)

    def _fail_jobs(self) -> None:
        """After the ends of an instant."""
        failures = self.cluster.failures
        for job in self.jobs:
            if (
                job.finish is None
                and failures
                and max(job.failures.values(), default=0) >= failures.max_attempts
            ):
                self._fail(job)

    def _fail(self, job: Job) -> None:
        self._stop_tasks(job)
        job.failed = True
        self._finish(job)

    def _stop_tasks(self, job: Job) -> None:
        if job.application:
            job.application.stop("killed")
        for container in self.state.running(job, *TASKS):
            kill(container, self.now)
        job.waiting.clear()
        job.tasks_to_rerequest.clear()
        job.speculative_task.clear()
        job.speculative_requested.clear()
        self.state.users.waits(job)

    def _outage_times(self) -> list[tuple[int, int, bool]]:
        """(ms, node, does it come) in order, of those to come; what is lost at 0 was never there."""
        names = [node.name for node in self.nodes]
        outages = [(node.joins, place, True) for place, node in enumerate(self.nodes) if node.joins]
        for one in self.cluster.outages:
            outages.append((milliseconds(one.lost_s), names.index(one.node), False))
            if one.back_s is not None:
                outages.append((milliseconds(one.back_s), names.index(one.node), True))
        return sorted(one for one in outages if one[0])[self.outages_over :]

    def _outages(self) -> bool:
        """After the ends of an instant: nodes that are lost or come now."""
        due = [(node, is_back) for at, node, is_back in self._outage_times() if at == self.now]
        self.outages_over += len(due)
        for place, is_back in due:
            node = self.nodes[place]
            if is_back:
                node.down = False
            else:
                self._lose(node)
            self._update_cluster_resource()
        return bool(due)

    def _update_cluster_resource(self) -> None:
        """What CapacityScheduler and FairScheduler do at once when a node has come or gone."""
        if isinstance(self.order, Capacity):
            self.order.hand_down(self.state.queues["root"], self.state.cluster)
        self.state.users.cluster_changed()
        self.admission.cluster_changed()
        if isinstance(self.order, Capacity) and self.state.cluster != (0, 0):
            for queue in self.state.queues.values():
                if any(job.active and not job.has_left for job in queue.jobs):
                    self.state.users.look(queue)
        if self.order.fair and self.order.fair.update_ms:
            self.order.fair.update()
            if self.preempts:
                self._check_starvation()

    def _lose(self, node: Node) -> None:
        running_here = [container for container in node.row if container.outcome == "running"]
        for container in running_here:
            container.end, container.outcome = self.now, "lost"
        for container in running_here:
            if container.kind != "am":
                self._work_lost(container)
        for container in running_here:
            if container.kind == "am" and container.job.finish is None:
                self._lose_master(container.job)
        for job in self.jobs:
            if job.application and job.finish is None:
                job.application.node_lost(node)
            if job.finish is None and len(job.reduces_done) < job.reduces:
                self._lose_outputs(job, node)
        self._see_ends(node)
        if node.reserved:
            self.order.reserves.give_up(node)
        node.down = True
        self._jobs_leave()

    def _lose_master(self, job: Job) -> None:
        job.master_losses += 1
        if job.master_losses > RESTARTS:
            self._fail(job)
        else:
            self._start_again(job)

    def _start_again(self, job: Job) -> None:
        """Its tasks die with its master; another one is asked for."""
        job.master_away = True
        self._stop_tasks(job)
        job.ready = None
        job.reduces_asked = job.reduces_withheld = job.reduces_first = False
        job.tasks_to_rerequest["am"] = [0]

    def _lose_outputs(self, job: Job, node: Node) -> None:
        """Maps that finished there run again; reduces that have not fetched everything wait for them."""
        were_over = job.maps_over
        lost = [index for index, container in sorted(job.maps_done.items()) if container.node is node]
        for index in lost:
            del job.maps_done[index]
            if not job.master_away:
                self._request_again(job, "map", index)
        if were_over and lost:
            for container in self.state.running(job, "reduce"):
                if container.shuffle_end is not None and container.shuffle_end > self.now:
                    container.shuffle_end = None
