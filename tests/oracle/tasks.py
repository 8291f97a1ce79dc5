"""The oracle's containers from their placement to the heartbeat at which the scheduler sees their end
(HEARTBEAT-3, DRAW-2, ADMISSION-1, SHUFFLE-1, JOB-2).
"""

from __future__ import annotations

from engine.scenario.model import milliseconds
from tests.oracle.attempt_draws import LAUNCH, STARTUP, fails, sample_ms
from tests.oracle.fetching import set_shuffle_end, weighs_fetching
from tests.oracle.result import Running
from tests.oracle.starvation import Starvation, code_of
from tests.oracle.workload import Job, Node


class Tasks(Starvation):
    """They start, shuffle, end and are seen."""

    def _ends(self) -> bool:
        """Containers whose end is now; the job knows it at once (5)."""
        ending = [
            container
            for node in self.nodes
            for container in node.row
            if container.outcome == "running" and container.end == self.now
        ]
        for container in ending:
            if container.outcome != "running":
                continue  # another attempt of its task has finished at this instant
            if fails(self.state.scenario, container):
                container.outcome = "failed"
                self._attempt_failed(container)
                continue
            container.outcome = "finished"
            if container.kind != "am" and not container.job.application:
                self._task_ended(container)
        self._fail_jobs()
        changed = [job.application.ends() for job in self.jobs if job.application and job.application.is_up]
        return bool(ending) or any(changed)

    def _task_ended(self, container: Running) -> None:
        """A map or a reduce has finished."""
        job = container.job
        self._attempt_succeeded(container)
        if container.kind == "map":
            job.maps_done[container.index] = container
            if job.maps_over and not weighs_fetching(self.state):
                for reduce in self.state.running(job, "reduce"):
                    if reduce.shuffle_end is None:
                        set_shuffle_end(self.state, reduce)
        else:
            job.reduces_done.add(container.index)
        if job.iteration_over and job.iteration == job.group.iterations:
            self._finish(job)

    def _finish(self, job: Job) -> None:
        """The last task ends the job and its master's container (16), which may linger."""
        job.finish = self.now
        for container in self._running():
            if container.job is job:
                container.end = self.now + milliseconds(job.group.am.linger_s)
                if container.end == self.now:
                    container.outcome = "finished"

    def _see_ends(self, node: Node) -> bool:
        """The scheduler takes back the room of what ended on the node (5); the last one there takes the place
        of one that is gone.
        """
        place, seen = 0, False
        while place < len(node.row):
            container = node.row[place]
            if container.outcome == "running":
                place += 1
                continue
            node.row[place] = node.row[-1]
            node.row.pop()
            container.seen = self.now
            self._hold(container, -1)
            seen = True
        return seen

    def _hold(self, container: Running, sign: int) -> None:
        memory, vcores = container.job.size(container.kind)
        container.node.held_slots[container.kind] += sign
        for holder in (container.node,) if container.returned else (container.node, container.job):
            holder.held_memory += sign * memory
            holder.held_vcores += sign * vcores
        if not container.returned:
            self.state.users.held(container.job)

    def _task_for(self, node: Node, job: Job, kind: str) -> int:
        """The lowest task that neither runs nor has finished, of maps with blocks the nearest; without one,
        the task that is to have a second attempt.
        """
        tasks = self.state.to_place(job, kind)
        if kind == "map" and self.cluster.locality:
            index = min(tasks, key=lambda task: (job.distance(task, node), task))
            if self.order.delays and self.order.delays.is_on:
                self.order.delays.given(job, job.distance(index, node))
        else:
            index = tasks[0]
        if job.speculative_task.get(kind) == index:
            del job.speculative_task[kind]
            job.speculative_requested.remove(kind)
        return index

    def _place(self, node: Node, job: Job, kind: str) -> None:
        request = job.waiting[kind]
        if kind == "am":
            index = 0
        elif job.application:
            index = job.application.next_index(kind)
        else:
            index = self._task_for(node, job, kind)
        request.tasks.pop()
        if not request.tasks:
            del job.waiting[kind]
            self.state.users.waits(job)
        stage = job.stage_kinds.index(kind) + 1 if kind in job.stage_kinds else max(job.iteration, 1)
        attempt = job.attempts[stage, kind, index] = job.attempts.get((stage, kind, index), 0) + 1
        if kind == "am":
            attempt = job.master_losses + job.master_kills + 1
        container = Running(job, stage, kind, index, attempt, node, request.asked, self.now)
        container.begin = self.now
        container.creation_order = (
            node.reserved_order if node.reserved == (job, kind) else (len(self.containers), 1, 0)
        )
        if container.runs_tasks:
            container.begin = None
        elif kind != "am":
            container.begin = job.next_heartbeat(self.now) + sample_ms(
                self.state.scenario, container, LAUNCH, self.cluster.launch_s
            )
        if kind != "am" and job.application:
            job.application.came(container)
        self.containers.append(container)
        node.row.append(container)
        self._hold(container, 1)
        container.code = code_of(job, self.jobs.index(job))
        self._note_given(container)
        if job.start is None:
            job.start = self.now
        if kind == "am":
            job.ready = self.now + sample_ms(self.state.scenario, container, STARTUP, job.group.am.startup_s)
        if kind == "reduce" and job.maps_over and not weighs_fetching(self.state):
            set_shuffle_end(self.state, container)
