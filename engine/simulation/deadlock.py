"""Why a run is stuck, in one sentence: what waits, and who holds what (DEADLOCK-1)."""

from __future__ import annotations

import numpy as np

from engine.schedulers.view import KINDS, MASTER, PER_JOB, View
from engine.simulation.run import RUNNING, Containers, Waiting
from engine.simulation.workload import Workload

KIND_WORDS = {"am": "ApplicationMaster", "reduce": "reduce", "map": "map"}
MAX_NAMED = 3  # jobs named before "and N more"


def deadlock_reason(
    work: Workload, containers: Containers, waiting: Waiting, view: View, memory_only: bool
) -> str:
    """One sentence: the requests nobody can serve, the most room a node has, and the containers that hold the
    rest.
    """
    wants = [
        f"{count} {KIND_WORDS[KINDS[kind]]}{'s' if count > 1 else ''} of {work.job_names[job]}"
        for job, kind, count in zip(*(c.tolist() for c in waiting[:3]))
    ]
    held = "nothing is held" if not (containers.outcome == RUNNING).any() else _holders(work, containers)
    if not wants:
        return f"nothing can happen any more; {held}"
    may_run = view.job_runnable_since[waiting.job] >= 0
    if not may_run.any():
        return (
            f"{_list(wants)} wait for ever: no more jobs of their queues or users may run at a time; {held}"
        )
    masters, tasks = may_run & (waiting.kind == MASTER), may_run & (waiting.kind != MASTER)
    held_back = int(waiting.count[masters].sum()) if tasks.any() else 0
    tasks = (
        tasks if tasks.any() else masters
    )  # a master that could run is held back; what the others lack is free resources
    details = (
        f"; {held_back} of the masters {'is' if held_back == 1 else 'are'} held back or fit nowhere either"
        if held_back
        else ""
    )
    not_runnable = list(dict.fromkeys(work.job_names[job] for job in waiting.job[~may_run].tolist()))
    if not_runnable:
        details += (
            f"; {_list(not_runnable)} may not run before another job of the same queues or user has left"
        )
    return (
        f"{_list(wants)} wait for ever: {_shortage(work, waiting, tasks, view, memory_only)}{details}; {held}"
    )


def _shortage(
    work: Workload, waiting: Waiting, is_unserved: np.ndarray, view: View, memory_only: bool
) -> str:
    """What the smallest of these requests lacks."""
    slots = PER_JOB * waiting.job[is_unserved] + waiting.kind[is_unserved]
    memory, vcores = work.request_memory[slots].min(), work.request_vcores[slots].min()
    fits = view.node_free_memory >= memory
    if not memory_only:
        fits &= view.node_free_vcores >= vcores
    if fits.any():
        return "resources are free, but a limit of the scheduler, a queue or the slots refuses them"
    emptiest = int(
        np.argmax(
            view.node_free_memory
            if memory_only
            else np.minimum(view.node_free_memory / memory, view.node_free_vcores / vcores)
        )
    )
    return (
        f"the node with most free resources has {view.node_free_memory[emptiest]} MB and "
        f"{view.node_free_vcores[emptiest]} vcores free"
    )


def _holders(work: Workload, containers: Containers) -> str:
    running = containers.outcome == RUNNING
    parts = []
    for code, word in enumerate(KINDS):
        of_kind = running & (containers.kind == code)
        if of_kind.any():
            jobs = list(dict.fromkeys(work.job_names[job] for job in containers.job[of_kind].tolist()))
            slots = PER_JOB * containers.job[of_kind].astype(np.int64) + code
            amount = f"{work.request_memory[slots].sum()} MB and {work.request_vcores[slots].sum()} vcores"
            parts.append(
                f"{of_kind.sum()} {KIND_WORDS[word]}{'s' if of_kind.sum() > 1 else ''} of {_list(jobs)} "
                f"hold{'s' if of_kind.sum() == 1 else ''} {amount}"
            )
    total = f"of {work.node_memory.sum()} MB and {work.node_vcores.sum()} vcores"
    return "; ".join(parts) + f" {total}"


def _list(words: list[str]) -> str:
    more = f" and {len(words) - MAX_NAMED} more" if len(words) > MAX_NAMED else ""
    return ", ".join(words[:MAX_NAMED]) + more
