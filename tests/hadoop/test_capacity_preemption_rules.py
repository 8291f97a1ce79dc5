"""The golden files know each rule of CapacityScheduler's monitor: with one switched off in Gantry, decisions
differ; and kills are the same.
"""

from __future__ import annotations

import pytest

from engine.codes import INFINITE
from engine.schedulers.scheduler import Scheduler
from engine.simulation import simulate
from engine.simulation.hadoop.capacity import capacity_monitor
from engine.simulation.hadoop.capacity import ideal_allocation as ideal_capacity
from tests.examples import some
from tests.hadoop.features.capacity_preemption import FEATURES
from tests.hadoop.gantry_decisions import kills
from tests.hadoop.referee import golden
from tests.hadoop.rule_ablation import differs_without
from tests.hadoop.scripts import golden_scripts

DRC = "capacity-drc"
parts_of = simulate.monitor_arrays
try_size = capacity_monitor.try_preempt


def without_part(place: int, value: float):
    def arrays(chosen, *rest):
        result = parts_of(chosen, *rest)
        result["monitor_parameters"][place : place + 1] = value
        return result

    return arrays


def no_spared(chosen, *rest):
    return {
        **parts_of(chosen, *rest),
        "queue_disables_preemption": parts_of(chosen, *rest)["queue_disables_preemption"] * 0,
    }


def by_name(chosen, *rest):
    result = parts_of(chosen, *rest)
    return {**result, "leaves_in_hash_order": result["leaves_in_hash_order"][::-1].copy()}


def no_reservations(v, s, job, wanted, allowed, cluster):
    return wanted, allowed


def at_once(v, s, now):
    s.monitor_due = INFINITE
    for place in range(s.selected_count):
        capacity_monitor.kill(v, s, s.selected_containers[place], now)


def never_forgotten(v, s, now):
    interval, s.monitor_ms = s.monitor_ms, 2**40
    kill_picked(v, s, now)
    s.monitor_ms = interval


kill_picked = capacity_monitor.kill_selected


def first_jobs(v, leaf, job, rival):
    return job > rival


def masters_too(v, s, leaf, wanted, allowed, cluster):
    kinds = capacity_monitor.MASTER
    capacity_monitor.MASTER = -1
    try:
        return pick_from(v, s, leaf, wanted, allowed, cluster)
    finally:
        capacity_monitor.MASTER = kinds


pick_from = capacity_monitor.select_from_leaf


def all_that_waits(v, s):
    limits, s.limits_users = s.limits_users, 0
    note_wanted(v, s)
    s.limits_users = limits


note_wanted = ideal_capacity.set_pending

RULES = {
    "it kills": ({(Scheduler, "monitor_ms"): property(lambda self: 0)}, DRC, "preemption"),
    "no more than a part of the cluster a round": (
        {(simulate, "monitor_arrays"): without_part(0, 10.0)},
        DRC,
        "preemption",
    ),
    "a dead zone": ({(simulate, "monitor_arrays"): without_part(1, 0.0)}, "capacity", "preemption"),
    "some containers end by themselves": (
        {(simulate, "monitor_arrays"): without_part(2, 1.0)},
        DRC,
        "preemption",
    ),
    "it waits before it kills": ({(capacity_monitor, "kill_selected"): at_once}, "capacity", "preemption"),
    "queues that are spared": ({(simulate, "monitor_arrays"): no_spared}, "capacity", "preemption"),
    "the last jobs first": ({(capacity_monitor, "ranks_before"): first_jobs}, DRC, "preemption"),
    "masters are spared": ({(capacity_monitor, "select_from_leaf"): masters_too}, "capacity", "preemption"),
    "reservations go first": (
        {(capacity_monitor, "select_reservations"): no_reservations},
        "capacity",
        "preemption, sizes",
    ),
    "users want no more than their limits": (
        {(ideal_capacity, "set_pending"): all_that_waits},
        "capacity",
        "preemption, users",
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_without_a_rule_some_script_differs(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert differs_without(*RULES[rule], monkeypatch)


@pytest.mark.parametrize("feature", [one for one in FEATURES if not one.slowstart], ids=lambda one: one.name)
@pytest.mark.parametrize("scheduler", FEATURES[0].schedulers)
def test_the_same_containers_are_killed(feature, scheduler: str) -> None:
    asked = [
        script
        for script in golden_scripts(scheduler, feature.name)
        if golden()[script["id"]].status != "endless"
    ]
    assert sum(len(golden()[script["id"]].kills) for script in asked) >= 10
    for script in some(asked, 2):
        assert kills(script, plain=True) == list(golden()[script["id"]].kills), script["id"]
