"""What fits a node, what may reserve it, and what is kept from it (PLACE-1, PLACE-3, RESERVE-1)."""

from __future__ import annotations

import math
from typing import Any

from tests.oracle.cluster_state import Candidate, ClusterState
from tests.oracle.workload import Job, Node


class PlacementRules:
    """The nodes as an order and an admission rule see them."""

    def __init__(self, state: ClusterState, order: Any, admission: Any) -> None:
        self.state = state
        self.order = order
        self.admission = admission

    def candidates(self, node: Node) -> list[Candidate]:
        """Waiting requests that fit the node and their queues' limits, in the order of 9; admitted masters;
        no maps beside reduces that go first.
        """
        waiting = [one for one in self._waiting_requests() if not self._is_stopped(node, *one)]
        fitting = [one for one in waiting if self._may_be_chosen(node, *one) and self.order.allows(*one)]
        if self.order.spreads_load:
            fitting = [(job, kind) for job, kind in fitting if kind == "am" or self._may_take(node, kind)]
        may_start = [(job, kind) for job, kind in fitting if kind != "am" or self.admission.passes(job)]
        return [
            (job, kind)
            for job, kind in may_start
            if not (kind == "map" and job.reduces_first and (job, "reduce") in fitting)
        ]

    def _waiting_requests(self) -> list[Candidate]:
        """Of jobs that run, and under fair that the order serves now."""
        fair = self.order.fair
        return [
            (job, kind)
            for job in self.state.jobs
            if job.is_runnable and (not fair or fair.wants(job))
            for kind in job.kinds
            if kind in job.waiting
        ]

    def _may_take(self, node: Node, kind: str) -> bool:
        """Hadoop 1's load cap: has the node fewer tasks of a kind than its part of those that run and
        wait?
        """
        slots = node.slots.get(kind)
        if slots is None:
            return True
        total = sum(other.slots[kind] for other in self.state.nodes if other.slots[kind] is not None)
        runnable = len(self.state.held(None, kind)) + sum(
            self.state.waiting(job, kind) for job in self.state.jobs
        )
        return node.held_slots[kind] < math.ceil(slots * min(1.0, runnable / total))

    def _may_be_chosen(self, node: Node, job: Job, kind: str) -> bool:
        fits = self.fits(node, node.held_memory, node.held_vcores, node.held_slots, job, kind)
        return fits or self.may_reserve(node, job, kind) or self._is_asked(node, job, kind)

    def _is_asked(self, node: Node, job: Job, kind: str) -> bool:
        """Whether maps are asked that do not fit now: a job that waits for nodes near its blocks counts
        those.
        """
        delays = self.order.delays
        return (
            kind == "map"
            and bool(delays and delays.is_on)
            and not self.fits_now(node, job, kind)
            and self.fits(node, 0, 0, {}, job, kind, False)
        )

    def may_reserve(self, node: Node, job: Job, kind: str) -> bool:
        """Whether a request that does not fit now, and would fit the node empty, may keep it."""
        could = self.fits(node, 0, 0, {}, job, kind, slots_count=False)
        if self.order.fair and (node, job) in self.order.fair.claims:
            return False
        return (
            could
            and not self.fits_now(node, job, kind)
            and self.order.reserves.allows(node, (job, kind))
            and self.order.allows(job, kind)
        )

    def _is_stopped(self, node: Node, job: Job, kind: str) -> bool:
        """Whether an earlier request of the job, which does not fit the node now, keeps this one from it
        (13).
        """
        earlier = [other for other in job.kinds[: job.kinds.index(kind)] if other in job.waiting]
        return any(self._stops(node, job, other) for other in earlier)

    def _stops(self, node: Node, job: Job, kind: str) -> bool:
        if self.order.stops == "always":
            return not (self.fits_now(node, job, kind) and self.order.allows(job, kind))
        if self.order.stops == "never" or self.fits_now(node, job, kind):
            return False
        if self.order.stops == "unserved":
            return not any(
                c.node is node and c.job is job and c.kind == kind and c.start == self.state.now
                for c in self.state.containers
            )
        return self.fits(node, 0, 0, {}, job, kind, slots_count=False) and self.order.allows(job, kind)

    def fits_now(self, node: Node, job: Job, kind: str) -> bool:
        return self.fits(node, node.held_memory, node.held_vcores, {}, job, kind, slots_count=False)

    def fits(
        self,
        node: Node,
        memory: int,
        vcores: int,
        slots: dict[str, int],
        job: Job,
        kind: str,
        slots_count: bool = True,
    ) -> bool:
        """Whether one more container goes beside what is held (13)."""
        if node.down:
            return False
        ask_memory, ask_vcores = job.size(kind)
        memory_fits = memory + ask_memory <= node.memory
        vcores_fit = self.state.memory_only or vcores + ask_vcores <= node.vcores
        return (
            memory_fits
            and vcores_fit
            and (not slots_count or node.slots.get(kind) is None or slots[kind] < node.slots[kind])
        )
