"""The oracle's limits of jobs that run at a time, of queues and of users."""

from __future__ import annotations

import math

from tests.oracle.cluster_state import ClusterState
from tests.oracle.workload import Job


class RunningJobs:
    """Counted afresh whenever it is asked; an order that knows no queues has no limits."""

    def __init__(self, state: ClusterState, has_limits: bool) -> None:
        self.state = state
        self.has_limits = has_limits

    def allow(self, job: Job) -> bool:
        """May one more job of its user, of its queue and of all above it run?"""
        running = [other for other in self.state.jobs if other.is_runnable and not other.has_left]
        of_user = [other for other in running if other.group.user == job.group.user]
        if not self.has_limits:
            return True
        queues = self.state.queues[job.group.queue].path
        of_queues = [
            [other for other in running if queue in self.state.queues[other.group.queue].path]
            for queue in queues
        ]
        fits = [
            len(those) < _or_none(queue.fields.max_running_apps) for queue, those in zip(queues, of_queues)
        ]
        return all(fits) and len(of_user) < self._most_of(job.group.user)

    def _most_of(self, user: str) -> float:
        own = [one.max_running_apps for one in self.state.scenario.users if one.name == user]
        return (
            own[0]
            if own and own[0] is not None
            else _or_none(self.state.scenario.cluster.user_max_running_apps)
        )


def _or_none(limit: int | None) -> float:
    return math.inf if limit is None else limit
