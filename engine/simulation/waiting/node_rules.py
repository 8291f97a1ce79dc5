"""What the nodes have, and for whom it is kept (PLACE-3, RESERVE-3, LOCALITY-3)."""

from __future__ import annotations

import numpy as np

from engine import quantities
from engine.codes import (
    ALWAYS,
    COUNTED,
    FITTING,
    MAP,
    NO_DELAYS,
    NODE_LOCAL,
    OFF_SWITCH,
    RELAXED,
    UNSERVED,
)
from engine.messages import msg
from engine.schedulers.view import View
from engine.simulation.applications.seam import nearest_distance
from engine.simulation.kernel.candidates import fits_empty_node
from engine.simulation.kernel.node_rows import KIND_COUNT
from engine.simulation.kernel.state import State
from engine.simulation.waiting.rule import Moment, WaitingRule, amount, kinds, setting_of, simple_rule, size

NODE_LOCALITY_DELAY_PROPERTY = "yarn.scheduler.capacity.node-locality-delay"


def empty_cluster(moment: Moment, request: int) -> WaitingRule | None:
    if moment.view.cluster_memory > 0:
        return None
    return WaitingRule("no-nodes", "", None, None, "", "", msg("simulation.node_rules.no_node_is_up"))


def own_requests(moment: Moment, request: int) -> WaitingRule | None:
    """An earlier request of the job that does not fit keeps its later ones from the node (PLACE-3)."""
    view, state = moment.view, moment.state
    job, kind = view.request_job[request], view.request_kind[request]
    stops = state.stops_job
    fits = _open_nodes(moment, request)
    if stops not in (UNSERVED, FITTING, ALWAYS) or not fits.any():
        return None
    for earlier in range(kind):
        own = view.job_first_request[job] + earlier
        if view.request_waiting[own] == 0 or _open_nodes(moment, own).any():
            continue
        if stops == FITTING and not any(
            fits_empty_node(view, state, node, own) for node in np.flatnonzero(fits).tolist()
        ):
            continue
        return WaitingRule(
            "own-priority",
            moment.work.job_names[job],
            None,
            None,
            "",
            "",
            msg(
                "simulation.node_rules.own_requests_come_first",
                kind=kinds(earlier),
                size=size(int(view.request_memory[own]), int(view.request_vcores[own])),
                job=moment.work.job_names[job],
            ),
        )
    return None


def node_rule(moment: Moment, request: int) -> WaitingRule | None:
    """No node could take it now: none has room, or those that have are kept for others."""
    view, state = moment.view, moment.state
    if _open_nodes(moment, request).any():
        return None
    has_room = _has_room(view, request)
    kind = view.request_kind[request]
    if has_room.any() and not (has_room & _has_slot(state, kind)).any():
        return simple_rule("task-slots", kinds(kind))
    if has_room.any():
        return reservation(moment, np.flatnonzero(has_room))
    return _preemption(moment, request) or _room(moment, request)


def reservation(moment: Moment, nodes: np.ndarray) -> WaitingRule:
    """These nodes are reserved, for others."""
    holder = moment.work.job_names[moment.view.request_job[moment.view.node_reserved[nodes[0]]]]
    return WaitingRule(
        "reservation",
        holder,
        float(len(nodes)),
        None,
        "nodes",
        setting_of(moment, "yarn.scheduler.fair.reservable-nodes", ""),
        msg(
            "simulation.node_rules.room_for_it_is_reserved",
            nodes=quantities.count(len(nodes), "nodes"),
            job=holder,
        ),
    )


def _preemption(moment: Moment, request: int) -> WaitingRule | None:
    """Containers of others are being preempted for its job, and their nodes are kept for it
    (FSSchedulerNode.getPreemptionList).
    """
    state, job = moment.state, moment.work.request_job[request]
    if state.preempts == 0:
        return None
    claims = np.flatnonzero(state.claim_job[: state.claim_count] == job)
    if not len(claims):
        return None
    memory = int(state.claim_memory[claims].sum())
    return WaitingRule(
        "preemption",
        moment.work.job_names[job],
        float(memory),
        float(moment.view.request_memory[request]),
        "MB",
        "yarn.scheduler.fair.waitTimeBeforeKill",
        msg(
            "simulation.node_rules.containers_are_preempted_for_it",
            memory=amount(memory, "MB"),
            job=moment.work.job_names[job],
            ms=f"{int(state.warning_ms):,}",
        ),
    )


def _room(moment: Moment, request: int) -> WaitingRule:
    """No node has so much of both available; told of the node that lacks least."""
    view = moment.view
    asked = int(view.request_memory[request]), int(view.request_vcores[request])
    free = view.node_free_memory, view.node_free_vcores
    counted = 1 + int(view.counts_vcores)
    parts = np.min([free[place] / asked[place] for place in range(counted)], axis=0)
    best = int(np.argmax(parts))
    place = next(place for place in range(counted) if free[place][best] < asked[place])
    unit, resource = (("MB", "memory-mb"), ("vcores", "cpu-vcores"))[place]
    is_scattered = all(free[place].sum() >= asked[place] for place in range(counted))
    texts = {
        "size": size(*asked),
        "node": moment.work.node_names[best],
        "most": size(int(free[0][best]), int(free[1][best])),
    }
    text = (
        msg(
            "simulation.node_rules.room_is_scattered",
            total=size(int(free[0].sum()), int(free[1].sum())),
            **texts,
        )
        if is_scattered
        else msg("simulation.node_rules.no_node_has_room", **texts)
    )
    return WaitingRule(
        "scattered" if is_scattered else "room",
        "",
        float(free[place][best]),
        float(asked[place]),
        unit,
        f"yarn.nodemanager.resource.{resource}",
        text,
    )


def locality_delay(moment: Moment, request: int) -> WaitingRule | None:
    """Every node that could take a map is farther from its blocks than its job takes now (LOCALITY-3)."""
    view, state, job = moment.view, moment.state, moment.work.request_job[request]
    if state.delays == NO_DELAYS or view.request_kind[request] != MAP:
        return None
    nodes = np.flatnonzero(_open_nodes(moment, request)).tolist()
    allowed = int(state.allowed_distance[job]) if state.delays == RELAXED else NODE_LOCAL
    allowed = max(allowed, NODE_LOCAL)
    if allowed >= OFF_SWITCH or any(nearest_distance(view, state, job, node) <= allowed for node in nodes):
        return None
    missed = int(view.job_missed_opportunities[job])
    if state.delays == COUNTED:
        limit, setting = (
            moment.scheduler.order.number("node_locality_delay"),
            NODE_LOCALITY_DELAY_PROPERTY,
        )
    else:
        limit = float(state.max_missed[allowed])
        setting = f"yarn.scheduler.fair.locality.threshold.{('node', 'rack')[allowed]}"
    return delayed_map(moment.work.job_names[job], missed, limit, setting)


def delayed_map(job: str, missed: int, limit: float, setting: str) -> WaitingRule:
    """A map that waits for a nearer node, after so many heartbeats of others."""
    return WaitingRule(
        "locality",
        job,
        limit,
        float(missed),
        "heartbeats",
        setting,
        msg(
            "simulation.node_rules.waits_for_nearer_node",
            missed=f"{missed:,}",
            limit=quantities.count(limit, "heartbeats"),
        ),
    )


def _open_nodes(moment: Moment, request: int) -> np.ndarray:
    """bool, one a node: does the request fit it now, and is the node for nobody else?"""
    reserved = moment.view.node_reserved
    is_free = (reserved < 0) | (reserved == request)
    has_slot = _has_slot(moment.state, moment.view.request_kind[request])
    return _has_room(moment.view, request) & is_free & has_slot


def _has_room(view: View, request: int) -> np.ndarray:
    fits = view.node_free_memory >= view.request_memory[request]
    if view.counts_vcores == 1:
        fits &= view.node_free_vcores >= view.request_vcores[request]
    return fits


def _has_slot(state: State, kind: int) -> np.ndarray:
    return state.used_slots[kind::KIND_COUNT] < state.slots[kind::KIND_COUNT]
