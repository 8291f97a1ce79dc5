"""Why that container, there, then: the decision that placed it, found by running again up to it.

Nothing is stored for it: a plain run is watched until the container is placed. What each candidate is
listed with is what the orders compare: sizes, what its job and queue hold, weights and arrival.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from engine.binding import Answer
from engine.errors import GantryError
from engine.policies.policy import ORDER_AT
from engine.run import KINDS, Run
from engine.scenario import Scenario
from engine.scheduler import Scheduler
from engine.simulate import simulate
from engine.version import VERSION
from engine.view import KINDS as PER_JOB
from engine.view import View


class NoSuchContainer(GantryError):
    """A container that the run does not have, or a name that is not JOB/STAGE/KIND/INDEX[/ATTEMPT]."""


class _Found(Exception):
    """The decision has been seen; the rest of the run is not needed."""


def explain(scenario: Scenario, scheduler: Scheduler, container: str) -> dict[str, Any]:
    """The decision that placed `container` (JOB/STAGE/KIND/INDEX[/ATTEMPT]) as the command line prints it.

    Raises NoSuchContainer.
    """
    run = simulate(scenario, scheduler)
    number = _number(run, container)
    seen: dict[str, Any] = {}

    def watch(told: Answer) -> None:
        if told.place == ORDER_AT and told.placed == number and told.answer >= 0:
            seen.update(_decision(run, told.view, told.first, told.view.candidates[: told.second], told.answer))
            raise _Found

    with suppress(_Found):
        simulate(scenario, scheduler, plain=True, watch=watch)
    rule = scheduler.order.policy.rule or f"{scheduler.order.policy.title} preferred it"
    return {"version": 1, "engine": VERSION, "scheduler": run.scheduler, "container": container, **seen, "because": _because(seen, rule)}


def _number(run: Run, container: str) -> int:
    parts = container.split("/")
    known = len(parts) in (4, 5) and parts[2] in KINDS and all(part.isascii() and part.isdigit() for part in (parts[1], *parts[3:]))
    if not known:
        raise NoSuchContainer(f"{container!r} is no container; write JOB/STAGE/KIND/INDEX[/ATTEMPT] with kind am, map or reduce, such as wc/1/map/0")
    if parts[0] not in run.workload.job_names:
        raise NoSuchContainer(f"there is no job {parts[0]!r}; the first is {run.workload.job_names[0]!r}")
    c = run.containers
    mine = (c.job == run.workload.job_names.index(parts[0])) & (c.stage == int(parts[1])) & (c.kind == KINDS.index(parts[2])) & (c.index == int(parts[3]))
    mine &= c.attempt == int(parts[4]) if len(parts) == 5 else c.attempt >= 1
    found = np.flatnonzero(mine)
    if not len(found):
        raise NoSuchContainer(f"{container}: no such container was placed in the run under {run.scheduler}")
    return int(found[-1])


def _decision(run: Run, view: View, node: int, candidates: np.ndarray, chosen: int) -> dict[str, Any]:
    work = run.workload
    rows = []
    for position, request in enumerate(candidates.tolist()):
        job = request // PER_JOB
        queue = int(view.job_queue[job])
        rows.append(
            {
                "job": work.job_names[job],
                "kind": KINDS[request % PER_JOB],
                "chosen": position == chosen,
                "waiting": int(view.request_waiting[request]),
                "memory_mb": int(view.request_memory[request]),
                "vcores": int(view.request_vcores[request]),
                "arrival_s": int(view.job_arrival[job]) / 1000,
                "weight": float(view.job_weight[job]),
                "job_used_memory_mb": int(view.job_used_memory[job]),
                "job_used_vcores": int(view.job_used_vcores[job]),
                "queue": work.queues.names[queue],
                "queue_used_memory_mb": int(view.queue_used_memory[queue]),
                "queue_used_vcores": int(view.queue_used_vcores[queue]),
            }
        )
    free = {"free_memory_mb": int(view.node_free_memory[node]), "free_vcores": int(view.node_free_vcores[node])}
    return {"at_s": int(view.now[0]) / 1000, "node": work.node_names[node], **free, "candidates": rows}


def _because(seen: dict[str, Any], rule: str) -> str:
    chosen = next(row for row in seen["candidates"] if row["chosen"])
    others = len(seen["candidates"]) - 1
    room = f"{seen['node']} had {seen['free_memory_mb']} MB and {seen['free_vcores']} vcores free at {seen['at_s']:g} s"
    if not others:
        return f"{room}; of all that waited only a {chosen['kind']} of {chosen['job']} fitted"
    return f"{room}; of {others + 1} requests that fitted, the {chosen['kind']} of {chosen['job']} was chosen because {rule}"
