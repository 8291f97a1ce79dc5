"""The rules that keep a container waiting, in words, and why one of them did not at a moment.

Their keys are those of engine/simulation/waiting and engine/explanation/wait_spans.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from engine import quantities
from engine.codes import (
    BY_CAPACITY,
    EXECUTOR,
    INFINITE,
    MAP,
    MASTER,
    REDUCE,
    TASK,
    job_of,
    kind_name,
    kind_of,
)
from engine.explanation.order_rules import KIND_WORDS
from engine.messages import msg
from engine.schedulers.scheduler import Scheduler
from engine.simulation.run import Run
from engine.simulation.waiting.rule import Moment, WaitingRule, amount, size, upwards
from engine.simulation.waiting.waiting_rule import RULES

# In the order in which they are asked (WAIT-1), as a student reads them.
RULE_WORDS = {
    "no-nodes": msg("exercises.waiting_rules.no_nodes"),
    "running-jobs": msg("exercises.waiting_rules.running_jobs"),
    "am-share": msg("exercises.waiting_rules.am_share"),
    "am-limit": msg("exercises.waiting_rules.am_limit"),
    "user-am-limit": msg("exercises.waiting_rules.user_am_limit"),
    "reserve": msg("exercises.waiting_rules.reserve"),
    "masters-in-line": msg("exercises.waiting_rules.masters_in_line"),
    "activation": msg("exercises.waiting_rules.activation"),
    "update": msg("exercises.waiting_rules.update"),
    "queue-maximum": msg("exercises.waiting_rules.queue_maximum"),
    "user-limit": msg("exercises.waiting_rules.user_limit"),
    "siblings": msg("exercises.waiting_rules.siblings"),
    "leaf-at-limit": msg("exercises.waiting_rules.leaf_at_limit"),
    "leaf-without-slot": msg("exercises.waiting_rules.leaf_without_slot"),
    "own-priority": msg("exercises.waiting_rules.own_priority"),
    "task-slots": msg("exercises.waiting_rules.task_slots"),
    "reservation": msg("exercises.waiting_rules.reservation"),
    "preemption": msg("exercises.waiting_rules.preemption"),
    "room": msg("exercises.waiting_rules.room"),
    "scattered": msg("exercises.waiting_rules.scattered"),
    "locality": msg("exercises.waiting_rules.locality"),
    "heartbeat": msg("exercises.waiting_rules.heartbeat"),
    "order": msg("exercises.waiting_rules.order"),
    "own-tasks": msg("exercises.waiting_rules.own_tasks"),
    "left-free": msg("exercises.waiting_rules.left_free"),
    "slow-start": msg("exercises.waiting_rules.slow_start"),
    "reduce-start": msg("exercises.waiting_rules.reduce_start"),
    "earlier-stages": msg("exercises.waiting_rules.earlier_stages"),
    "stage-start": msg("exercises.waiting_rules.stage_start"),
}
ALWAYS_OFFERED = {"running-jobs", "queue-maximum", "room", "scattered", "heartbeat", "order"}
OF_MASTERS = {"am-share", "am-limit", "user-am-limit", "reserve", "masters-in-line", "activation"}
OF_REDUCES = {"slow-start", "reduce-start"}


def offered_rules(run: Run, scheduler: Scheduler, kind: int, held: Collection[str]) -> list[str]:
    """The rules to choose from, in their order: those that held it, and others that could have under this
    scheduler, at least four of them.
    """
    others = set(ALWAYS_OFFERED)
    if scheduler.limits_users:
        others.add("user-limit")
    if scheduler.order.policy.queues.scheme == BY_CAPACITY:
        others.add("siblings")
    if kind == MASTER:
        others.add(scheduler.admission.policy.name if _is_limit(scheduler) else "masters-in-line")
    if kind == REDUCE:
        others |= {"slow-start", "own-priority"}
    if kind == TASK:
        others.add("earlier-stages")
    if kind in (MAP, EXECUTOR, TASK):
        others.add("own-tasks")
    if kind == MAP and run.scenario.cluster.locality:
        others.add("locality")
    return [rule for rule in RULE_WORDS if rule in others or rule in held]


def _is_limit(scheduler: Scheduler) -> bool:
    return scheduler.admission.policy.name in RULE_WORDS


def why_not(moment: Moment, request: int, rule: str) -> str:
    """A sentence: that the rule did not keep this request at this moment, or not alone."""
    kind = kind_of(moment.view, request)
    if moment.view.request_waiting[request] == 0 and rule not in OF_REDUCES:
        return msg("exercises.waiting_rules.not_asked_for")
    found = next((found for found in (asked(moment, request) for asked in RULES) if _is(found, rule)), None)
    if found is not None:
        return msg("exercises.waiting_rules.held_too", because=found.because)
    if rule in OF_MASTERS and kind != MASTER:
        return msg("exercises.waiting_rules.about_masters", kind=KIND_WORDS[kind_name(moment.work, request)])
    if rule in OF_REDUCES and kind != REDUCE:
        return msg("exercises.waiting_rules.about_reduces", kind=KIND_WORDS[kind_name(moment.work, request)])
    if rule in NOT_HELD:
        return NOT_HELD[rule](moment, request)
    return msg("exercises.waiting_rules.not_held", rule=RULE_WORDS[rule])


def _is(found: WaitingRule | None, rule: str) -> bool:
    return found is not None and found.rule == rule


def _no_running_jobs(moment: Moment, request: int) -> str:
    job = moment.work.job_names[job_of(moment.work, request)]
    return msg("exercises.waiting_rules.not_running_jobs", job=job)


def _no_maximum(moment: Moment, request: int) -> str:
    """What the nearest queue with a maximum holds of it."""
    view, tree = moment.view, moment.work.queues
    for queue in upwards(view, view.job_queue[job_of(view, request)]):
        most = view.queue_max_memory[queue]
        if moment.scheduler.order.policy.queues.scheme == BY_CAPACITY:
            most = int(view.cluster_memory * view.queue_max_capacity[queue])
            most = INFINITE if view.queue_max_capacity[queue] >= 1 else most
        if most < INFINITE:
            return msg(
                "exercises.waiting_rules.not_queue_maximum",
                queue=tree.names[queue],
                used=amount(int(view.queue_used_memory[queue]), "MB"),
                most=amount(int(most), "MB"),
            )
    return msg("exercises.waiting_rules.no_queue_maximum")


def _room(moment: Moment, request: int) -> str:
    """Which node had room; or what all of them had together."""
    view = moment.view
    asked = size(int(view.request_memory[request]), int(view.request_vcores[request]))
    node = _with_room(moment, request)
    if node is not None:
        free = size(int(view.node_free_memory[node]), int(view.node_free_vcores[node]))
        name = moment.work.node_names[node]
        return msg("exercises.waiting_rules.node_had_room", node=name, free=free, asked=asked)
    free_memory, free_vcores = int(view.node_free_memory.sum()), int(view.node_free_vcores.sum())
    is_enough = free_memory >= view.request_memory[request]
    if view.counts_vcores == 1:
        is_enough = is_enough and free_vcores >= view.request_vcores[request]
    total = size(free_memory, free_vcores)
    if is_enough:
        return msg("exercises.waiting_rules.enough_in_all", total=total, asked=asked)
    return msg("exercises.waiting_rules.all_nodes_had", total=total, asked=asked)


def _with_room(moment: Moment, request: int) -> int | None:
    view = moment.view
    fits = view.node_free_memory >= view.request_memory[request]
    if view.counts_vcores == 1:
        fits = fits & (view.node_free_vcores >= view.request_vcores[request])
    nodes = np.flatnonzero(fits)
    return int(nodes[0]) if len(nodes) else None


def _where_room(no_room: str) -> Callable[[Moment, int], str]:
    """Of a rule that matters only where a node has room; no_room: said where none has."""

    def sentence(moment: Moment, request: int) -> str:
        has_room = _with_room(moment, request) is not None
        return msg("exercises.waiting_rules.not_by_order") if has_room else no_room

    return sentence


def _no_slow_start(moment: Moment, request: int) -> str:
    view, job = moment.view, job_of(moment.view, request)
    return msg(
        "exercises.waiting_rules.not_slow_start",
        finished=f"{int(view.job_finished_maps[job]):,}",
        maps=quantities.count(int(view.job_maps[job]), "maps"),
    )


NOT_HELD: dict[str, Callable[[Moment, int], str]] = {
    "running-jobs": _no_running_jobs,
    "queue-maximum": _no_maximum,
    "room": _room,
    "scattered": _room,
    "order": _where_room(msg("exercises.waiting_rules.no_room_for_order")),
    "own-tasks": _where_room(msg("exercises.waiting_rules.no_room_for_own_tasks")),
    "heartbeat": _where_room(msg("exercises.waiting_rules.no_room_for_heartbeat")),
    "slow-start": _no_slow_start,
}
