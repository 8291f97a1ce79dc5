"""The oracle's requests, and masters that are held back (REQUEST-1, REQUEST-2, ADMISSION-1, ADMISSION-2)."""

from __future__ import annotations

from tests.oracle.ramp_up import unplaced_reduces
from tests.oracle.simulation import Simulation
from tests.oracle.workload import Job, Node, Request


class Requests(Simulation):
    """What a job asks for, and when."""

    def _requests(self, job: Job) -> bool:
        """Everything the job asks for now: master, an iteration's maps, its reduces. Whether it asked."""
        if job.arrival > self.now or job.finish is not None:
            return False
        asked = False
        if not self._has_arrived(job):
            if job.group.am:
                self._ask(job, "am", [0])
                job.master_asked = asked = True
                self._queue_for_admission(job)
            else:
                job.ready = self.now
        asked = self._ask_again(job, "am") or asked
        if job.application:
            return job.application.look() or asked
        if not job.has_heartbeat_at(self.now):
            return asked
        asked = self._ask_again(job, "reduce", "map") or asked
        if job.master_away:
            return self._resume(job) or asked
        first_can_start = job.iteration == 0 and job.ready is not None and job.ready <= self.now
        if first_can_start or (job.iteration > 0 and job.iteration_over):
            self._begin_iteration(job)
            asked = True
        return self._ask_for_reduces(job) or asked

    def _ask_for_reduces(self, job: Job) -> bool:
        """Reduces by the reduce-start rule, and those that were withheld once no maps wait. Whether it
        asked.
        """
        asked = False
        if job.iteration > 0 and job.reduces and not job.reduces_asked and self.reduce_start.asks(job):
            self._ask(job, "reduce", unplaced_reduces(self.state, job))
            job.reduces_asked = asked = True
            job.reduces_first = self.reduce_start.reduces_first
        if job.reduces_withheld and "map" not in job.waiting:
            self._ask(job, "reduce", unplaced_reduces(self.state, job))
            job.reduces_withheld = False
            asked = True
        return asked

    def _make_runnable(self, job: Job) -> None:
        """A job that waits runs if its queues and its user have fewer that do than they may."""
        if job.is_registered and not job.refused and not job.is_runnable and self.running_jobs.allow(job):
            job.is_runnable = True
            self.admission.reconsider(job)
            if job.master_asked:
                self._queue_for_admission(job)

    def _queue_for_admission(self, job: Job) -> None:
        if self.admission.holds and job.is_runnable:
            job.admitted = (self.admission.overtakes or self._held_back() == [job]) and self.admission.admits(
                job
            )

    def _has_arrived(self, job: Job) -> bool:
        return job.master_asked or job.ready is not None

    def _ask(self, job: Job, kind: str, tasks: list[int]) -> None:
        job.waiting[kind] = Request(self.now, tasks)
        job.requests_changed = job.requests_changed or kind != "am"
        self.state.users.asked(job)

    def _withdraw(self, job: Job, kind: str, count: int) -> None:
        """So many containers of those that wait are wanted no more."""
        if count:
            request = job.waiting[kind]
            del request.tasks[:count]
            job.requests_changed = True
            if not request.tasks:
                del job.waiting[kind]
                self.state.users.waits(job)

    def _ask_again(self, job: Job, *kinds: str) -> bool:
        """Tasks whose attempt lost its work, second attempts, a master that was lost."""
        kinds = tuple(kind for kind in kinds if kind in job.tasks_to_rerequest)
        for kind in kinds:
            waiting = job.waiting[kind].tasks if kind in job.waiting else []
            self._ask(job, kind, waiting + job.tasks_to_rerequest.pop(kind))
            if kind in job.speculative_task:
                job.speculative_requested.add(kind)
        return bool(kinds)

    def _resume(self, job: Job) -> bool:
        """A new master that has started up goes on where the last one stopped."""
        if job.ready is None or job.ready > self.now:
            return False
        job.master_away = False
        if job.iteration == 0 or job.iteration_over:
            self._begin_iteration(job)
            return True
        running = {c.index for c in self.state.running(job, "map")}
        left = [index for index in range(job.maps) if index not in job.maps_done and index not in running]
        if left:
            self._ask(job, "map", left)
        self._requests(job)
        return True

    def _begin_iteration(self, job: Job) -> None:
        """On arrival or after the master's startup (10), then when the last task of the one before ended
        (16).
        """
        job.iteration += 1
        job.maps_done, job.failures, job.times = {}, {}, {}
        job.reduces_done = set()
        job.reduces_asked = job.reduces_first = False
        self._ask(job, "map", list(range(job.maps)))

    def _held_back(self) -> list[Job]:
        """Jobs whose masters wait to be admitted."""
        return [job for job in self.jobs if "am" in job.waiting and job.is_runnable and not job.admitted]

    def _admit(self, node: Node) -> int:
        """Masters held back, in job order, up to the first that does not fit the node or may not start yet;
        how many may.
        """
        admitted = 0
        for job in self._held_back() if self.admission.holds else []:
            if not self.placement.fits(
                node, node.held_memory, node.held_vcores, node.held_slots, job, "am"
            ) or not self.admission.admits(job):
                break
            job.admitted = True
            admitted += 1
        return admitted
