"""The golden files know each rule of rounding, of largest containers, of parts for masters and of mixed
policies: without it decisions differ.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.resource_types import MEMORY
from engine.schedulers.admission import am_limit, am_share
from engine.schedulers.hadoop import capacity_reservation, capacity_walk, queue_sharing, user_limits
from engine.schedulers.view import FAIR, FIFO
from engine.simulation import normalization, queues, run_plan, simulate
from engine.simulation.hadoop.capacity import capacity_headroom, users
from engine.simulation.hadoop.fair import fair_headroom, fair_shares
from engine.simulation.kernel import waiting_requests
from tests.hadoop.rule_ablation import differs_without

normalize_requests = normalization.normalize_requests
largest_containers = queues._largest_containers
leaf_policy = queue_sharing.leaf_policy


def as_asked(asked, least, step, most):
    return asked


def by_minimum(work, scenario, chosen):
    given = scenario.cluster.allocation
    other = given.model_copy(update={"increment": given.minimum})
    return normalize_requests(
        work,
        scenario.model_copy(update={"cluster": scenario.cluster.model_copy(update={"allocation": other})}),
        chosen,
    )


def told_to_masters(work, scenario, chosen):
    result = normalize_requests(work, scenario, chosen)
    return replace(result, asked_resource=result.request_resource)


def containers_that_fit(view, amount):
    return amount


def exact(amount, least):
    return amount


def any_room(view, node):
    return False


def at_least_2048(v, s, request):
    return v.request_memory[request] >= 2048


def of_no_limit(view, queue, amount):
    return np.float32(amount[MEMORY]) / np.float32(2.0**30)


def of_the_cluster(scenario, tree, parent):
    return np.repeat(largest_containers(scenario, tree, parent)[:, :1], len(parent), axis=1)


def as_held(view, job):
    return view.request_memory[3 * job], view.request_vcores[3 * job]


def of_all_queues(view, queue, limit):
    return limit


def own_alone(own, policy):
    return own


def shared_by_all(own, policy):
    how = leaf_policy(own, policy)
    return FAIR if how == FIFO else how


SCHEDULERS = {
    "fifo": "rounding",
    "fair": "rounding",
    "drf": "rounding",
    "capacity": "rounding",
    "capacity-drc": "rounding",
}
LIMITS, MASTERS, USERS = (
    "rounding, reservations, limits of masters",
    "parts of queues for masters",
    "rounding, users' limits",
)
LARGEST, DEFAULTS, MIXED, ALL_MIXED = (
    "largest containers of queues",
    "rounding, all defaults",
    "mixed policies",
    "mixed policies, all defaults",
)
AS_HELD = {(am_limit, "am_resource"): as_held, (users, "am_resource"): as_held}
RULES = [
    *(
        ("requests are rounded", scheduler, feature, {(normalization, "_rounded"): as_asked})
        for scheduler, feature in SCHEDULERS.items()
    ),
    (
        "FairScheduler rounds to its increment",
        "fair",
        "rounding",
        {(simulate, "normalize_requests"): by_minimum},
    ),
    (
        "FairScheduler rounds to its increment",
        "drf",
        "rounding",
        {(simulate, "normalize_requests"): by_minimum},
    ),
    (
        "two increments reserve",
        "fair",
        LIMITS,
        {(waiting_requests, "exceeds_reservation_threshold"): at_least_2048},
    ),
    (
        "limits are handed down in whole minimum allocations",
        "capacity",
        LARGEST,
        {(capacity_walk, "round_down"): containers_that_fit},
    ),
    (
        "limits are handed down in whole minimum allocations",
        "capacity-drc",
        LARGEST,
        {(capacity_walk, "round_down"): containers_that_fit},
    ),
    (
        "a node without room for the smallest container gives nothing",
        "capacity-drc",
        "rounding",
        {(capacity_walk, "is_full"): any_room},
    ),
    (
        "limits of users and masters are whole minimum allocations",
        "capacity",
        USERS,
        {(user_limits, "round_up"): exact},
    ),
    (
        "limits of users and masters are whole minimum allocations",
        "capacity-drc",
        USERS,
        {(user_limits, "round_up"): exact},
    ),
    (
        "the headroom is whole minimum allocations",
        "capacity",
        USERS,
        {(capacity_headroom, "round_down"): containers_that_fit},
    ),
    (
        "masters know what they asked for",
        "capacity",
        USERS,
        {(simulate, "normalize_requests"): told_to_masters},
    ),
    (
        "masters know what they asked for",
        "fair",
        DEFAULTS,
        {(simulate, "normalize_requests"): told_to_masters},
    ),
    (
        "a master that would pass a maximum ends the beat",
        "capacity-drc",
        "masters at limits",
        {(run_plan, "ACTIVATE"): None},
    ),
    (
        "a container is held against its queue's largest",
        "capacity",
        LARGEST,
        {(capacity_reservation, "ratio_to_largest"): of_no_limit},
    ),
    (
        "nothing is rounded beyond its queue's largest",
        "fair",
        LARGEST,
        {(queues, "_largest_containers"): of_the_cluster},
    ),
    (
        "nothing is rounded beyond its queue's largest",
        "drf",
        LARGEST,
        {(queues, "_largest_containers"): of_the_cluster},
    ),
    ("a master counts for no more than its queue's largest", "capacity", "masters at limits", AS_HELD),
    *(
        ("leaves have their own part for masters", name, MASTERS, {(am_share, "am_share_of"): of_all_queues})
        for name in ("fair", "drf")
    ),
    *(
        ("leaves have their own part for masters", name, MASTERS, {(am_limit, "am_share_of"): of_all_queues})
        for name in ("capacity", "capacity-drc")
    ),
    *(
        ("leaves have their own policy", name, MIXED, {(queue_sharing, "leaf_policy"): own_alone})
        for name in ("fair", "drf")
    ),
    *(
        (
            "the earliest job of a fifo leaf has all its share",
            name,
            ALL_MIXED,
            {(fair_shares, "leaf_policy"): shared_by_all},
        )
        for name in ("fair", "drf")
    ),
    (
        "headroom is as the leaf's policy has it",
        "drf",
        ALL_MIXED,
        {(fair_headroom, "leaf_policy"): own_alone},
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
