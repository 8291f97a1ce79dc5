"""Why a run is stuck, in one sentence: what waits, and who holds what (DEADLOCK-1)."""

from __future__ import annotations

import numpy as np

from engine import quantities
from engine.codes import MASTER, RUNNING, kind_name, requests_of
from engine.messages import msg
from engine.schedulers.view import View
from engine.simulation.run import Containers, Waiting
from engine.simulation.waiting.rule import Moment
from engine.simulation.waiting.waiting_rule import waiting_rule
from engine.simulation.workload import Workload

KIND_WORDS = {
    "am": "ApplicationMaster",
    "reduce": "reduce",
    "map": "map",
    "executor": "executor",
    "container": "container",
    "task": "task",
}
MAX_NAMED = 3  # jobs named before "and N more"


def deadlock_reason(moment: Moment, containers: Containers, waiting: Waiting) -> str:
    """One sentence: the requests nobody can serve, the rule that keeps the smallest of them, and the
    containers that hold the rest.
    """
    work, view = moment.work, moment.view
    wants = [
        f"{count} {KIND_WORDS[kind_name(work, request)]}{'s' if count > 1 else ''} of {work.job_names[job]}"
        for job, request, count in zip(
            waiting.job.tolist(), requests_of(work, waiting).tolist(), waiting.count.tolist()
        )
    ]
    held = (
        msg("simulation.deadlock.nothing_held")
        if not (containers.outcome == RUNNING).any()
        else _holders(work, containers, view)
    )
    if not wants:
        return msg("simulation.deadlock.nothing_can_happen_any_more", held=held)
    may_run = view.job_runnable_since[waiting.job] >= 0
    masters, tasks = may_run & (waiting.kind == MASTER), may_run & (waiting.kind != MASTER)
    held_back = int(waiting.count[masters].sum()) if tasks.any() else 0
    # a master that could run is held back; what the others lack is free resources
    tasks = tasks if tasks.any() else masters if masters.any() else ~may_run
    details = ""
    if held_back == 1:
        details = msg("simulation.deadlock.master_held_back_or_fits_nowhere")
    elif held_back:
        details = msg("simulation.deadlock.masters_held_back_or_fit_nowhere", held_back=held_back)
    not_runnable = list(dict.fromkeys(work.job_names[job] for job in waiting.job[~may_run].tolist()))
    if not_runnable and may_run.any():
        details += msg(
            "simulation.deadlock.may_not_run",
            list=_list(not_runnable),
            because=_shortage(moment, waiting, ~may_run),
        )
    return msg(
        "simulation.deadlock.wait_for_ever",
        list=_list(wants),
        wait="waits" if waiting.count.sum() == 1 else "wait",
        shortage=_shortage(moment, waiting, tasks),
        details=details,
        held=held,
    )


def _shortage(moment: Moment, waiting: Waiting, is_unserved: np.ndarray) -> str:
    """What keeps the smallest of these requests."""
    slots = requests_of(moment.work, waiting, is_unserved)
    sizes = moment.work.request_memory[slots], moment.work.request_vcores[slots]
    rule = waiting_rule(moment, int(slots[np.lexsort((sizes[1], sizes[0]))[0]]))
    return rule.because if rule else msg("simulation.deadlock.order_leaves_room_to_nobody")


def _holders(work: Workload, containers: Containers, view: View) -> str:
    running = np.flatnonzero(containers.outcome == RUNNING)
    requests = requests_of(work, containers, running)
    called = np.array([kind_name(work, request) for request in range(len(work.request_kind))])[requests]
    parts = []
    for word, kind_words in KIND_WORDS.items():
        of_kind = running[called == word]
        if len(of_kind):
            jobs = list(dict.fromkeys(work.job_names[job] for job in containers.job[of_kind].tolist()))
            slots = requests_of(work, containers, of_kind)
            amount = msg(
                "shared.memory_and_vcores",
                memory=quantities.memory(int(work.request_memory[slots].sum()), exact=True),
                vcores=quantities.vcores(int(work.request_vcores[slots].sum())),
            )
            parts.append(
                msg(
                    "simulation.deadlock.hold",
                    sum=len(of_kind),
                    kind_words=kind_words,
                    plural="s" if len(of_kind) > 1 else "",
                    list=_list(jobs),
                    plural2="s" if len(of_kind) == 1 else "",
                    amount=amount,
                )
            )
    total = msg(
        "simulation.deadlock.memory_and_vcores",
        memory=quantities.memory(int(view.cluster_memory), exact=True),
        vcores=quantities.vcores(int(view.cluster_vcores)),
    )
    return "; ".join(parts) + f" {total}"


def _list(words: list[str]) -> str:
    more = msg("simulation.deadlock.and_more", words=len(words) - MAX_NAMED) if len(words) > MAX_NAMED else ""
    return ", ".join(words[:MAX_NAMED]) + more
