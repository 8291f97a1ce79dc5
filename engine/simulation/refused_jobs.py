"""Which jobs a scheduler refuses, and why in Hadoop's words (REFUSE-1): what is known before the run, and the
limits that the kernel asks when a job arrives (hadoop/queues/refusals.py).

In Hadoop  RMAppManager.createAndPopulateNewRMApp (permissions), FairScheduler.addApplication,
           AbstractLeafQueue.validateSubmitApplication, updateMaximumApplications
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import (
    BY_CAPACITY,
    BY_WEIGHT,
    INFINITE,
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
from engine.messages import msg
from engine.scenario.model import Job, Scenario
from engine.simulation.hadoop.queues.refusals import SYSTEM
from engine.simulation.kernel.state import State
from engine.simulation.queues import EVERYBODY, QueueTree
from engine.simulation.run import Run
from engine.simulation.workload import Workload

UNNAMED_USER = "default"  # of jobs that name none: nobody's permissions are asked


class ApplicationLimits(NamedTuple):
    """int64 by queue: how many applications may be in a leaf, in root's place in the system; how many of one
    user of a leaf. INFINITE: no limit.
    """

    of_queue: np.ndarray
    of_user: np.ndarray


def application_limits(scenario: Scenario, queues: QueueTree) -> ApplicationLimits:
    """As AbstractLeafQueue.updateMaximumApplications computes them, in floats: a leaf's own, else its
    guaranteed part of the system's.
    """
    system = scenario.cluster.max_applications
    of_queue = queues.max_applications.copy()
    if system is not None:
        part = (np.float32(system) * queues.capacity.astype(np.float32)).astype(np.int64)
        of_queue = np.where(of_queue == INFINITE, part, of_queue)
    of_queue[SYSTEM] = INFINITE if system is None else system
    of_user = of_queue.copy()
    limited = (of_queue < INFINITE) & (queues.user_limit_factor < MAX_USER_LIMIT_FACTOR)
    whole = of_queue[limited].astype(np.float32)
    part = whole * (queues.min_user_limit[limited].astype(np.float32) / np.float32(100))
    part = (part * queues.user_limit_factor[limited].astype(np.float32)).astype(np.int64)
    of_user[limited] = np.minimum(of_queue[limited], part)
    return ApplicationLimits(of_queue, of_user)


def set_refusals(scenario: Scenario, scheme: int, work: Workload, state: State) -> None:
    """What the kernel needs to refuse jobs, in a fresh state. scheme: how the order treats queues
    (capabilities.Queues).
    """
    state.job_refused[:] = _known_refusals(scenario, scheme, work)
    state.refuses = bool(state.job_refused.any())
    if scheme == BY_CAPACITY:
        limits = application_limits(scenario, work.queues)
        state.queue_max_applications[:], state.queue_max_user_applications[:] = limits
        state.refuses |= _may_be_full(limits, work)


def may_refuse(scenario: Scenario, work: Workload) -> bool:
    """Can a job be refused under some order?"""
    is_known = any(_known_refusals(scenario, scheme, work).any() for scheme in (BY_WEIGHT, BY_CAPACITY))
    return is_known or _may_be_full(application_limits(scenario, work.queues), work)


def _may_be_full(limits: ApplicationLimits, work: Workload) -> bool:
    jobs_of_leaf = np.bincount(work.job_queue, minlength=len(limits.of_queue))
    narrow = (limits.of_user < jobs_of_leaf) & (jobs_of_leaf > 0)
    return bool(narrow.any()) or bool(limits.of_queue[SYSTEM] < len(work.job_names))


def _known_refusals(scenario: Scenario, scheme: int, work: Workload) -> np.ndarray:
    """int8 by job: what Hadoop finds first of what does not depend on the others."""
    queues = work.queues
    asks_lists = scheme == BY_WEIGHT or scheme == BY_CAPACITY and scenario.cluster.acl_enable
    refused = np.full(len(scenario.jobs), TAKEN, np.int8)
    queue_of_group = np.zeros(len(scenario.jobs), np.int64)
    queue_of_group[work.job_group] = work.job_queue
    closed = (queues.max_resource == 0).any(axis=0)
    for group, job in enumerate(scenario.jobs):
        queue = int(queue_of_group[group])
        if job.rejected:
            refused[group] = PLACEMENT_REJECTED
        elif asks_lists and not _may_submit(scenario, queues, queue, job):
            refused[group] = NO_PERMISSION
        elif scheme == BY_WEIGHT and closed[queue]:
            refused[group] = QUEUE_CLOSED
        elif scheme == BY_CAPACITY and queues.stopped[queue]:
            refused[group] = QUEUE_STOPPED
    return refused[work.job_group]


def _may_submit(scenario: Scenario, queues: QueueTree, queue: int, job: Job) -> bool:
    """May its user submit to the queue, or administer it, there or in a queue above? Who is not listed under
    users may be in any group.
    """
    if queues.opens_to_all[queue] or job.user == UNNAMED_USER:
        return True
    listed = next((user for user in scenario.users if user.name == job.user), None)
    groups = {group.strip() for group in listed.groups.split(",")} - {""} if listed else None
    while queue >= 0:
        for acl in queues.acls[queue]:
            if _admits(acl, job.user, groups):
                return True
        queue = int(queues.parent[queue])
    return False


def _admits(acl: str, user: str, groups: set[str] | None) -> bool:
    """AccessControlList: users, a space, groups, each with commas between; * is everybody."""
    if acl.strip() == EVERYBODY:
        return True
    users, _, group_names = acl.partition(" ")
    allowed_groups = {group.strip() for group in group_names.split(",")} - {""}
    if user in {name.strip() for name in users.split(",")}:
        return True
    return bool(allowed_groups) if groups is None else not groups.isdisjoint(allowed_groups)


def refusal_reasons(run: Run) -> dict[int, str]:
    """Of each job that is refused, in job order, why, as Hadoop says it."""
    return _reasons(run.scenario, run.workload, run.jobs.refused)


def _reasons(scenario: Scenario, work: Workload, refused: np.ndarray) -> dict[int, str]:
    limits = application_limits(scenario, work.queues)
    reasons = {}
    for job in np.flatnonzero(refused != TAKEN).tolist():
        queue, code = int(work.job_queue[job]), int(refused[job])
        words = {"job": work.job_names[job], "queue": work.queues.names[queue], "user": work.job_users[job]}
        reasons[job] = _reason(code, words, int(limits.of_queue[queue]), int(limits.of_user[queue]))
        reasons[job] = reasons[job] or scenario.jobs[work.job_group[job]].rejected
    return reasons


def _reason(code: int, words: dict[str, str], of_queue: int, of_user: int) -> str:
    if code == NO_PERMISSION:
        return msg("simulation.refused_jobs.no_permission", **words)
    if code == QUEUE_CLOSED:
        return msg("simulation.refused_jobs.queue_closed", **words)
    if code == QUEUE_STOPPED:
        return msg("simulation.refused_jobs.queue_stopped", **words)
    if code == SYSTEM_FULL:
        return msg("simulation.refused_jobs.system_full", **words)
    if code == QUEUE_FULL:
        return msg("simulation.refused_jobs.queue_full", count=of_queue, **words)
    return msg("simulation.refused_jobs.user_full", count=of_user, **words) if code == USER_FULL else ""


def all_refused_reason(scenario: Scenario, work: Workload, refused: np.ndarray) -> str:
    """One sentence for a run in which no job is taken."""
    return msg("simulation.refused_jobs.all_refused", because=_reasons(scenario, work, refused[:1])[0])
