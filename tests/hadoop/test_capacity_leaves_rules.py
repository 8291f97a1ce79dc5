"""The golden files know how CapacityScheduler orders jobs and queues: with one of its rules switched off in
Gantry, decisions differ.
"""

from __future__ import annotations

import pytest

from engine.schedulers.hadoop import capacity_walk, leaf_order
from engine.schedulers.scheduler import Scheduler
from engine.simulation.applications.mapreduce import ramping
from engine.simulation.hadoop.capacity import activation
from engine.simulation.kernel import requests
from tests.hadoop.rule_ablation import differs_without


def in_job_order(view, job, rival):
    return job < rival


def by_policy(view, leaf):
    return leaf_order.IN_JOB_ORDER


def by_use_alone(view, parent, queue, rival):
    return (
        capacity_walk_before(view, 0, queue, rival)
        if view.queue_priority[queue] == view.queue_priority[rival]
        else by_use(view, queue, rival)
    )


def by_use(view, queue, rival):
    return (view.queue_first[queue], view.queue_second[queue], view.queue_file_rank[queue]) < (
        view.queue_first[rival], view.queue_second[rival], view.queue_file_rank[rival],
    )  # fmt: skip


def priority_whatever_is_used(view, parent, queue, rival):
    if (
        view.queue_ordering[parent] == capacity_walk.BY_PRIORITY
        and view.queue_priority[queue] != view.queue_priority[rival]
    ):
        return view.queue_priority[queue] > view.queue_priority[rival]
    return by_use(view, queue, rival)


def priority_everywhere(view, parent, queue, rival):
    if view.queue_priority[queue] != view.queue_priority[rival] and (view.queue_first[queue] < 1) == (
        view.queue_first[rival] < 1
    ):
        return view.queue_priority[queue] > view.queue_priority[rival]
    return by_use(view, queue, rival)


capacity_walk_before, rank_by_memory = capacity_walk.queue_comes_before, leaf_order.rank_by_memory


def by_memory_alone(view, job, for_size):
    rank_by_memory(view, job, False)


def up_to_date(view, leaf):
    for job in range(len(view.job_queue)):
        if view.job_queue[job] == leaf and leaf_order.is_by_memory(view.queue_ordering[leaf]):
            view.job_reorder[job] = 1
            rank_by_memory(view, job, view.queue_ordering[leaf] == leaf_order.BY_MEMORY_SIZE_WEIGHTED)


def never_told(view, request):
    pass


def never_asked_anew(v, s, job):
    pass


def no_idle_last(view, job, for_size):
    rank_by_memory(view, job, for_size)
    view.second_share[job] = view.job_arrival[job]


RULES = [
    (
        "the higher priority goes first",
        "capacity",
        "priorities of jobs",
        {(leaf_order, "has_higher_priority"): in_job_order},
    ),
    (
        "the higher priority goes first",
        "capacity-drc",
        "priorities of jobs",
        {(leaf_order, "has_higher_priority"): in_job_order},
    ),
    (
        "its master may start first",
        "capacity-drc",
        "priorities of jobs, limits of masters",
        {(activation, "has_higher_priority"): in_job_order},
    ),
    (
        "the job that holds the least goes first",
        "capacity",
        "fair leaves",
        {(capacity_walk, "order_of"): by_policy},
    ),
    (
        "the job that holds the least goes first",
        "capacity-drc",
        "fair leaves, reservations",
        {(capacity_walk, "order_of"): by_policy},
    ),
    (
        "a job keeps its place until it is marked",
        "capacity",
        "fair leaves, reservations",
        {(capacity_walk, "reorder_marked_jobs"): up_to_date},
    ),
    (
        "a job keeps its place until it is marked",
        "capacity",
        "size-based weight",
        {(capacity_walk, "reorder_marked_jobs"): up_to_date},
    ),
    (
        "a job that wants nothing, as far as is known, comes last",
        "capacity-drc",
        "fair leaves, ties",
        {(leaf_order, "rank_by_memory"): no_idle_last},
    ),
    (
        "memory counts less for the large",
        "capacity",
        "size-based weight",
        {(leaf_order, "rank_by_memory"): by_memory_alone},
    ),
    (
        "memory counts less for the large",
        "capacity-drc",
        "size-based weight",
        {(leaf_order, "rank_by_memory"): by_memory_alone},
    ),
    (
        "who asks anew is marked",
        "capacity-drc",
        "priorities, fair leaves, ramp-up",
        {(ramping, "apply_late_reorder"): never_asked_anew},
    ),
    ("what asks is marked", "capacity", "size-based weight", {(requests, "mark_for_reorder"): never_told}),
    (
        "the queue of the higher priority goes first",
        "capacity",
        "priorities of queues",
        {(capacity_walk, "queue_comes_before"): by_use_alone},
    ),
    (
        "the queue of the higher priority goes first",
        "capacity-drc",
        "priorities of queues",
        {(capacity_walk, "queue_comes_before"): by_use_alone},
    ),
    (
        "a queue below its guarantee goes before",
        "capacity",
        "priorities of queues",
        {(capacity_walk, "queue_comes_before"): priority_whatever_is_used},
    ),
    (
        "only where the parent asks for it",
        "capacity",
        "priorities of queues",
        {(capacity_walk, "queue_comes_before"): priority_everywhere},
    ),
    ("far containers are limited", "capacity", "off-switch assignments", {(Scheduler, "max_off_switch"): 0}),
    (
        "far containers are limited",
        "capacity-drc",
        "off-switch assignments",
        {(Scheduler, "max_off_switch"): 0},
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
