"""The oracle's refusals of jobs that arrive (REFUSE-1)."""

from __future__ import annotations

import math

import numpy as np

from engine.codes import (
    MAX_USER_LIMIT_FACTOR,
    NO_PERMISSION,
    PLACEMENT_REJECTED,
    QUEUE_CLOSED,
    QUEUE_FULL,
    QUEUE_STOPPED,
    SYSTEM_FULL,
    TAKEN,
    USER_FULL,
)
from tests.oracle.cluster_state import ClusterState
from tests.oracle.queues import Queue
from tests.oracle.workload import Job


class Refusals:
    """Everything is counted afresh when a job arrives; shares: "capacity", "weights", or "all" for an order
    that knows no queues.
    """

    def __init__(self, state: ClusterState, shares: str) -> None:
        self.state = state
        self.shares = shares

    def reason(self, job: Job) -> int:
        """TAKEN, or why the job that arrives now is refused."""
        if job.group.rejected:
            return PLACEMENT_REJECTED
        if self.shares == "all":
            return TAKEN
        queue = self.state.queues[job.group.queue]
        asks = self.shares == "weights" or self.state.scenario.cluster.acl_enable
        admitted = any(self._admits(one, job.group.user) for one in queue.path)
        if asks and job.group.user != "default" and not admitted:
            return NO_PERMISSION
        if self.shares == "weights":
            return QUEUE_CLOSED if 0 in queue.max_share else TAKEN
        return self._capacity_reason(job, queue)

    def _capacity_reason(self, job: Job, queue: Queue) -> int:
        """What CapacityScheduler asks beside permission."""
        there = [
            one
            for one in self.state.jobs
            if one.is_registered and one is not job and not one.refused and not one.has_left
        ]
        in_leaf = [one for one in there if one.group.queue == queue.name]
        of_user = [one for one in in_leaf if one.is_runnable and one.group.user == job.group.user]
        system = self.state.scenario.cluster.max_applications
        states = [one.fields.state for one in queue.path if one.fields.state]
        if system is not None and len(there) >= system:
            return SYSTEM_FULL
        if states[:1] == ["stopped"]:
            return QUEUE_STOPPED
        most = self._most(queue)
        if len(in_leaf) >= most:
            return QUEUE_FULL
        return USER_FULL if len(of_user) >= self._most_of_user(queue, most) else TAKEN

    def _most(self, queue: Queue) -> float:
        system = self.state.scenario.cluster.max_applications
        if queue.fields.max_applications is not None:
            return queue.fields.max_applications
        return math.inf if system is None else int(np.float32(system) * np.float32(queue.capacity))

    def _most_of_user(self, queue: Queue, most: float) -> float:
        factor = queue.fields.user_limit_factor
        if most == math.inf or factor == MAX_USER_LIMIT_FACTOR:
            return most
        given = queue.fields.min_user_limit_pct
        percent = 100 if given is None else given
        part = np.float32(most) * (np.float32(percent) / np.float32(100))
        return min(most, int(part * np.float32(1 if factor is None else factor)))

    def _admits(self, queue: Queue, user: str) -> bool:
        """By this queue's own two lists."""
        lists = [queue.fields.submit_acl, queue.fields.administer_acl]
        if queue.parent is None:
            lists = ["*" if one is None else one for one in lists]
        listed = [one for one in self.state.scenario.users if one.name == user]
        for text in lists:
            users, groups = [part.split(",") for part in f"{text} ".split(" ", 1)] if text else ([], [])
            names = [group.strip() for group in groups if group.strip()]
            in_group = [name for name in names if listed and name in _names(listed[0].groups)]
            if text and (text.strip() == "*" or user in users or in_group or (names and not listed)):
                return True
        return False


def _names(groups: str) -> list[str]:
    return [group.strip() for group in groups.split(",")]
