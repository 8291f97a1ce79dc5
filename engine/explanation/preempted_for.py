"""For whom an attempt was preempted, where its task waits again."""

from __future__ import annotations

import numpy as np

from engine.codes import KILLED, NONE
from engine.explanation.container_names import ContainerName
from engine.explanation.observed_run import Observer
from engine.messages import msg
from engine.schedulers.hadoop.resources import amount_of, compare
from engine.simulation.run import Run
from engine.simulation.simulate import PreparedRun
from engine.simulation.waiting.rule import size


class PreemptedFor(Observer):
    """The attempt before a container's, where that was killed. `at`: when, in ms, NONE where it was not;
    `names`: jobs that FairScheduler kept its room for, or queues that CapacityScheduler's monitor was to give
    more than they held, with both.
    """

    def __init__(self, run: Run, name: ContainerName, number: int | None) -> None:
        self.run = run
        self.number = _killed_before(run, name, number)
        self.at = NONE if self.number == NONE else int(run.containers.end[self.number])
        self.names: list[str] = []

    def begin(self) -> None:
        self.names = []

    def note(self, prepared: PreparedRun, now: int) -> None:
        """What is about to kill it, and what just has."""
        if now < self.at:
            self._note_claims(prepared)
        elif now == self.at:
            self._note_monitor(prepared)

    def _note_claims(self, prepared: PreparedRun) -> None:
        state = prepared.state
        on_node = state.claim_node[: state.claim_count] == self.run.containers.node[self.number]
        jobs = dict.fromkeys(state.claim_job[: state.claim_count][on_node].tolist())
        self.names = [self.run.workload.job_names[job] for job in jobs]

    def _note_monitor(self, prepared: PreparedRun) -> None:
        """Of the monitor's round, which chose it among others."""
        view, state = prepared.view, prepared.state
        if self.number not in state.selected_containers[: state.selected_count]:
            return
        for queue in np.flatnonzero(state.queue_is_leaf).tolist():
            held = amount_of(state.queue_current_resource, queue)
            ideal = amount_of(state.queue_ideal_resource, queue)
            cluster = amount_of(state.queue_guaranteed_resource, 0)
            if compare(view.counts_vcores, cluster, ideal, held) > 0:
                self.names.append(
                    msg(
                        "explanation.preempted_for.queue",
                        queue=self.run.workload.queues.names[queue],
                        held=size(*held),
                        ideal=size(*ideal),
                    )
                )


def _killed_before(run: Run, name: ContainerName, number: int | None) -> int:
    """The attempt before this one, NONE where it was not killed."""
    c = run.containers
    if number is None or c.attempt[number] == 1:
        return NONE
    before = np.flatnonzero(
        (c.job == name.job)
        & (c.stage == name.stage)
        & (c.kind == name.kind)
        & (c.index == name.task)
        & (c.attempt == c.attempt[number] - 1)
        & (c.outcome == KILLED)
    )
    return int(before[0]) if len(before) else NONE
