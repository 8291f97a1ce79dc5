"""The golden files know each rule: with one of them switched off in Gantry, decisions differ."""

from __future__ import annotations

import pytest

from engine.codes import MAX_CAPACITIES, NEVER, NO_RESERVATIONS
from engine.resource_types import MEMORY
from engine.schedulers.admission import am_limit, am_share
from engine.schedulers.amounts import THE_RUN
from engine.schedulers.hadoop import capacity_reservation, capacity_walk, queue_sharing, user_limits
from engine.schedulers.scheduler import Scheduler
from engine.simulation.hadoop.capacity import capacity_headroom
from engine.simulation.hadoop.fair import reservable_nodes, reserved_container
from engine.simulation.hadoop.queues import headroom
from engine.simulation.kernel import candidates, waiting_requests
from tests.hadoop.rule_ablation import differs_without


def no_blocked_room(view, queue, amount):
    pass


def no_limit(view, queue, child):
    view.limit_resource[:, child] = view.cluster_resource[:, 0]


def may_be_passed_by_one(v, request, limits):
    queue = v.job_queue[request // 3]
    while queue >= 0 and v.queue_used_memory[queue] < int(v.cluster_memory * v.queue_max_capacity[queue]):
        queue = v.queue_parent[queue]
    return queue < 0 or limits != MAX_CAPACITIES


def fair_ties(used, least, demand, weight):
    needy, ratio, _ = queue_sharing_fair(used, least, demand, weight)
    return needy, ratio, 0.0


def exact_guarantees(view, queue):
    held, guaranteed = view.queue_used_resource + view.queue_reserved_resource, view.queue_capacity[queue]
    shares = held[:, queue] / view.cluster_resource[:, THE_RUN]
    used = shares.max() if view.counts_vcores == 1 else shares[MEMORY]
    return 0.0, used / max(guaranteed, 1 / view.cluster_memory), -guaranteed


queue_sharing_fair = queue_sharing.fair_rank


def any_size(v, s, request):
    return True


def always_starved(v, how, job):
    return True


def never_again(view, request):
    return 0


def accepted(view, request, released):
    return True


def first_by_index(view, request):
    return int((view.node_reserved == request).nonzero()[0][0])


def free_in_the_cluster(v, s, queue):
    return v.cluster_memory - v.queue_used_memory[0], v.cluster_vcores - v.queue_used_vcores[0]


def no_user_limit(v, queue):
    v.queue_user_memory[queue], v.queue_user_vcores[queue] = v.cluster_memory, v.cluster_vcores


def always_wanting(v, job):
    return True


def no_masters(view, queue, resource):
    return 0


def never_over(view, job, without):
    return False


def whole_queue(view, queue, part, of_queue):
    return of_queue


def guarantee_alone(view, queue, part):
    return user_limits.multiply_round_up(view, user_limits.guaranteed_capacity(view, queue), float(part))


def may_always(s, job, admission, table, now):
    return True


def one_user(amount, users):
    return amount


def nothing_reserved(view, job):
    return 0, 0


RULES = [
    (
        "headroom is no more than the fair share",
        "fair",
        "ramp-up",
        {(headroom, "fair_headroom"): free_in_the_cluster},
    ),
    (
        "headroom is no more than the fair share",
        "drf",
        "ramp-up",
        {(headroom, "fair_headroom"): free_in_the_cluster},
    ),
    (
        "headroom is no more than the user's limit",
        "capacity",
        "ramp-up",
        {(capacity_headroom, "compute_user_limit"): no_user_limit},
    ),
    (
        "headroom is no more than the user's limit",
        "capacity-drc",
        "ramp-up",
        {(capacity_headroom, "compute_user_limit"): no_user_limit},
    ),
    (
        "demand is as old as the last update",
        "fair",
        "updates every 500 ms",
        {(candidates, "has_known_demand"): always_wanting},
    ),
    (
        "demand is as old as the last update",
        "drf",
        "updates every 500 ms",
        {(candidates, "has_known_demand"): always_wanting},
    ),
    ("masters are limited", "fair", "limits of masters", {(am_share, "masters_of"): no_masters}),
    ("masters are limited", "drf", "limits of masters", {(am_share, "masters_of"): no_masters}),
    (
        "a reservation for a master ends at the limit",
        "drf",
        "updates every 500 ms, reservations, limits of masters",
        {(reserved_container, "may_run"): may_always},
    ),
    (
        "masters of a user are limited",
        "capacity",
        "users' limits, limits of masters",
        {(am_limit, "user_am_limit"): whole_queue},
    ),
    (
        "masters may have part of the queue's limit",
        "capacity",
        "limits of masters",
        {(am_limit, "queue_am_limit"): guarantee_alone},
    ),
    ("users are limited", "capacity", "users' limits", {(capacity_walk, "exceeds_user_limit"): never_over}),
    (
        "users are limited",
        "capacity-drc",
        "users' limits",
        {(capacity_walk, "exceeds_user_limit"): never_over},
    ),
    ("users who want more share", "capacity", "users' limits", {(user_limits, "even_share"): one_user}),
    ("reservations", "capacity", "reservations", {(Scheduler, "reserves"): NO_RESERVATIONS}),
    ("reservations", "capacity-drc", "reservations", {(Scheduler, "reserves"): NO_RESERVATIONS}),
    (
        "the longer it does not fit the more it reserves",
        "capacity",
        "reservations, reduces",
        {(capacity_reservation, "rereservations"): never_again},
    ),
    (
        "the last check of every maximum",
        "capacity-drc",
        "reservations, limits",
        {(capacity_reservation, "is_accepted"): accepted},
    ),
    (
        "which reservation is exchanged",
        "capacity",
        "reservations",
        {(capacity_reservation, "first_reserved"): first_by_index},
    ),
    (
        "what is reserved for a job may be exchanged",
        "capacity",
        "reservations, limits",
        {(capacity_walk, "reserved_by"): nothing_reserved},
    ),
    (
        "only a starved job reserves",
        "fair",
        "reservations",
        {(reservable_nodes, "is_starved"): always_starved},
    ),
    (
        "only a starved job reserves",
        "drf",
        "reservations",
        {(reservable_nodes, "is_starved"): always_starved},
    ),
    (
        "only from a threshold on",
        "fair",
        "reservations",
        {(waiting_requests, "exceeds_reservation_threshold"): any_size},
    ),
    (
        "only from a threshold on",
        "drf",
        "reservations",
        {(waiting_requests, "exceeds_reservation_threshold"): any_size},
    ),
    ("on at most 5 % of the nodes", "fair", "reservations", {(reservable_nodes, "RESERVABLE_NODES"): 1.0}),
    ("reservations", "fair", "reservations", {(Scheduler, "reserves"): NO_RESERVATIONS}),
    ("reservations", "drf", "reservations", {(Scheduler, "reserves"): NO_RESERVATIONS}),
    ("a request that does not fit stops its job", "fifo", "slowstart", {(Scheduler, "stops_job"): NEVER}),
    ("a request that does not fit stops its job", "fair", "slowstart", {(Scheduler, "stops_job"): NEVER}),
    ("a request that does not fit stops its job", "drf", "slowstart", {(Scheduler, "stops_job"): NEVER}),
    (
        "needy queues that tie go by usage over weight",
        "fair",
        "limits of queues",
        {(queue_sharing, "fair_rank"): fair_ties},
    ),
    (
        "guarantees are floats and whole MB",
        "capacity",
        "guarantees",
        {(queue_sharing, "capacity_rank"): exact_guarantees},
    ),
    (
        "guarantees are floats and whole vcores",
        "capacity-drc",
        "guarantees",
        {(queue_sharing, "capacity_rank"): exact_guarantees},
    ),
    (
        "a leaf at its limit blocks its room",
        "capacity",
        "limits of queues",
        {(capacity_walk, "block"): no_blocked_room},
    ),
    (
        "a maximum capacity is not passed",
        "capacity",
        "limits of queues",
        {(candidates, "within_limits"): may_be_passed_by_one, (capacity_walk, "set_child_limit"): no_limit},
    ),
]


@pytest.mark.parametrize(
    ("rule", "scheduler", "feature", "without"),
    RULES,
    ids=[f"{rule}, {scheduler}" for rule, scheduler, *_ in RULES],
)
def test_without_it_a_decision_differs(
    rule: str, scheduler: str, feature: str, without: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert differs_without(without, scheduler, feature, monkeypatch), rule
