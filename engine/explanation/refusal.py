"""Why a job was refused: when, in Hadoop's words, by which limit, and which property would change it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine import quantities
from engine.codes import (
    EXECUTOR,
    INFINITE,
    MAP,
    MASTER,
    NO_PERMISSION,
    NONE,
    PLACEMENT_REJECTED,
    QUEUE_CLOSED,
    QUEUE_FULL,
    QUEUE_STOPPED,
    REDUCE,
    SYSTEM_FULL,
    TAKEN,
    TASK,
    USER_FULL,
    kind_name,
)
from engine.explanation import configured_values as settings
from engine.explanation.configured_values import Configured, Setting, Value
from engine.explanation.order_rules import KIND_WORDS
from engine.messages import msg
from engine.resource_types import MEMORY, RESOURCES
from engine.simulation.refused_jobs import application_limits, refusal_reasons
from engine.simulation.run import Run
from engine.simulation.waiting.rule import amount

CHANGES: dict[int, Sequence[Setting]] = {
    SYSTEM_FULL: (settings.SYSTEM_APPLICATIONS,),
    QUEUE_FULL: (settings.MAX_APPLICATIONS, settings.CAPACITY),
    USER_FULL: (settings.MAX_APPLICATIONS, settings.USER_LIMIT, settings.USER_FACTOR),
    QUEUE_STOPPED: (settings.STATE,),
    QUEUE_CLOSED: (settings.FAIR_MAXIMUM,),
    NO_PERMISSION: (settings.SUBMITTERS, settings.FAIR_SUBMITTERS),
    PLACEMENT_REJECTED: (),
}
CONTAINER_SIZES = (
    settings.MAX_MEMORY,
    settings.MAX_VCORES,
    settings.QUEUE_MAX_MEMORY,
    settings.QUEUE_MAX_VCORES,
    settings.FAIR_MAX_CONTAINER,
)
OF_ALL_ABOVE = (QUEUE_STOPPED, QUEUE_CLOSED, NO_PERMISSION)  # a queue above may be the one that says it


def refusal(run: Run, job: int) -> dict[str, Any] | None:
    """Of a job by its index, None where it was taken: {at_s, reason, limit, there, unit, compared,
    properties}.

    reason: Hadoop's words; limit, there: how many applications may be there and were, or MB or vcores that a
    closed queue may hold and its first container asks for, None where no number decides; compared: them in a
    sentence; properties: those that would change it, as Value.plain.
    """
    code = int(run.jobs.refused[job])
    if code == TAKEN:
        return None
    limit, there, unit, compared = _compared(run, job, code)
    return {
        "at_s": int(run.jobs.arrival[job]) / 1000,
        "reason": refusal_reasons(run)[job],
        "limit": limit,
        "there": there,
        "unit": unit,
        "compared": compared,
        "properties": [value.plain() for value in _values(run, job, code)],
    }


def _compared(run: Run, job: int, code: int) -> tuple[int | None, int | None, str, str]:
    """(limit, there, unit, sentence)."""
    work = run.workload
    queue, user = work.queues.names[work.job_queue[job]], work.job_users[job]
    if code in (SYSTEM_FULL, QUEUE_FULL, USER_FULL):
        return _applications(run, job, code)
    if code == QUEUE_CLOSED:
        return _closed(run, job)
    if code == QUEUE_STOPPED:
        return None, None, "", msg("explanation.refusal.queue_is_stopped", queue=queue)
    if code == NO_PERMISSION:
        return None, None, "", msg("explanation.refusal.lists_do_not_name_user", queue=queue, user=user)
    return _too_large(run, job) or (None, None, "", msg("explanation.refusal.no_rule_places_it"))


def _too_large(run: Run, job: int) -> tuple[int, int, str, str] | None:
    """The first request of the job that is larger than its queue's largest container, None without one."""
    work, leaf = run.workload, int(run.workload.job_queue[job])
    kinds = (MASTER, MAP, REDUCE, EXECUTOR, TASK)
    first, end = work.job_first_request[job : job + 2].tolist()
    places = [*kinds, *range(len(kinds), end - first)][: end - first]
    for request in (first + place for place in places):
        sizes = work.asked_resource[:, request].tolist(), work.queues.container_resource[:, leaf].tolist()
        for resource, asked, most in zip(RESOURCES, *sizes):
            if asked > most:
                text = msg(
                    "explanation.refusal.container_is_too_large",
                    kind=KIND_WORDS[kind_name(work, request)].capitalize(),
                    asked=amount(asked, resource.unit),
                    limit=amount(most, resource.unit),
                )
                return most, asked, resource.unit, text
    return None


def _applications(run: Run, job: int, code: int) -> tuple[int, int, str, str]:
    work, jobs = run.workload, run.jobs
    queue, user = int(work.job_queue[job]), work.job_users[job]
    limits = application_limits(run.scenario, work.queues)
    of = limits.of_user if code == USER_FULL else limits.of_queue
    limit = int(of[0 if code == SYSTEM_FULL else queue])
    whose = {
        SYSTEM_FULL: msg("explanation.refusal.all_queues"),
        QUEUE_FULL: work.queues.names[queue],
        USER_FULL: msg("explanation.refusal.user_in_queue", user=user, queue=work.queues.names[queue]),
    }[code]
    is_counted = np.arange(len(jobs.refused)) < job
    is_counted &= jobs.refused == TAKEN
    if code != SYSTEM_FULL:
        is_counted &= work.job_queue == queue
    if code == USER_FULL:
        is_counted &= np.array(work.job_users) == user
    counted = np.flatnonzero(is_counted)
    ends = np.where(jobs.finish[counted] == NONE, INFINITE, jobs.finish[counted])
    # those that ended before, and were still there, are the last that did
    there = counted[np.argsort(-ends, kind="stable")[:limit]]
    now = jobs.arrival[job]
    running = int(((jobs.start[there] != NONE) & (jobs.start[there] <= now)).sum())
    text = msg(
        "explanation.refusal.so_many_applications_were_there",
        whose=whose,
        limit=quantities.count(limit, "applications"),
        there=quantities.count(len(there), "applications"),
        running=f"{running:,}",
        waiting=f"{len(there) - running:,}",
    )
    later = jobs.finish[there][jobs.finish[there] > now]
    if len(later):
        text += msg("explanation.refusal.first_of_them_ended_at", moment=quantities.moment(int(later.min())))
    return limit, len(there), "applications", text


def _closed(run: Run, job: int) -> tuple[int, int, str, str]:
    work = run.workload
    queue = int(work.job_queue[job])
    requests = slice(*work.job_first_request[job : job + 2].tolist())
    first = int(work.asked_resource[MEMORY, requests].nonzero()[0][0])
    closed = next(place for place in range(len(RESOURCES)) if work.queues.max_resource[place, queue] == 0)
    asked, unit = int(work.asked_resource[closed, requests][first]), RESOURCES[closed].unit
    text = msg(
        "explanation.refusal.queue_is_closed",
        queue=work.queues.names[queue],
        asked=amount(asked, unit),
        limit=amount(0, unit),
    )
    return 0, asked, unit, text


def _values(run: Run, job: int, code: int) -> Iterator[Value]:
    configured = Configured(run.scenario, [run.scheduler])
    changes = CHANGES[code]
    if code == PLACEMENT_REJECTED and _too_large(run, job):
        changes = CONTAINER_SIZES
    names, parent = run.workload.queues.names, run.workload.queues.parent
    leaf = int(run.workload.job_queue[job])
    of_files = [setting for setting in changes if setting.kind in configured.kinds]
    for setting in of_files or changes:  # an order of a paper reads no file
        own = configured.value(setting, names[leaf])
        above, queue = [], int(parent[leaf])
        while code in OF_ALL_ABOVE and queue >= 0:
            value = configured.value(setting, names[queue])
            above += [value] if value.given else []
            queue = int(parent[queue])
        yield from ([own] if own.given or not above else []) + above
