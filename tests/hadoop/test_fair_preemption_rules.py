"""The golden files know each rule of FairScheduler's preemption: with one of them switched off in Gantry,
decisions differ.
"""

from __future__ import annotations

import pytest

from engine.schedulers.amounts import THE_RUN, clear
from engine.schedulers.scheduler import Scheduler
from engine.simulation import queues
from engine.simulation.hadoop.fair import fair_updates, starvation, victims
from engine.simulation.kernel import loop
from tests.examples import some
from tests.hadoop.features import SHARING
from tests.hadoop.gantry_decisions import kills
from tests.hadoop.referee import golden
from tests.hadoop.rule_ablation import differs_without
from tests.hadoop.scripts import golden_scripts

PLAIN, SIZES = "preemption", "preemption, sizes, reduces"
kill_due, list_containers, find_starved = loop.kill_due, victims.list_containers, starvation.find_starved


def at_once(v, s, admission, table, now):
    s.kill_at[: s.kill_count] = now
    kill_due(v, s, admission, table, now)


def no_claims(s, node, job, sizes, size):
    pass


def by_place(s, container, other, table):
    return container < other


def used_or_not(v, s, now):
    s.preemption_threshold = 0.0
    find_starved(v, s, now)


def no_lack(v, s, queue, now):
    clear(s.leaf_lacks_resource, THE_RUN)


def no_starvation(v, s, job, queue, now):
    pass


def any_may_go(v, policy, held, holder, shares, share):
    return False


def own_alone(own, parent, otherwise):
    return [otherwise if one is None else one for one in own]


RULES = [
    ("containers are killed", PLAIN, {(Scheduler, "preempts"): False}),
    ("they are warned first", PLAIN, {(loop, "kill_due"): at_once}),
    ("their room is kept for the starved job", PLAIN, {(victims, "add_claim"): no_claims}),
    ("the order of the hash map", PLAIN, {(victims, "precedes"): by_place}),
    ("only where the cluster is used enough", PLAIN, {(fair_updates, "find_starved"): used_or_not}),
    ("minimum shares", PLAIN, {(starvation, "min_share_starvation"): no_lack}),
    ("fair shares", PLAIN, {(starvation, "update_fair_share_starvation"): no_starvation}),
    ("a job keeps its fair share", PLAIN, {(victims, "is_below"): any_may_go}),
    ("timeouts, thresholds and allowPreemptionFrom of parents", PLAIN, {(queues, "_inherited"): own_alone}),
]


@pytest.mark.parametrize("scheduler", SHARING)
@pytest.mark.parametrize(("rule", "feature", "without"), RULES, ids=[rule for rule, *_ in RULES])
def test_without_it_a_decision_differs(
    rule: str, feature: str, without: dict, scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert differs_without(without, scheduler, feature, monkeypatch), rule


@pytest.mark.parametrize("feature", [PLAIN, SIZES])
@pytest.mark.parametrize("scheduler", SHARING)
def test_the_same_are_killed_when_hadoop_kills_them(feature: str, scheduler: str) -> None:
    asked = golden_scripts(scheduler, feature)
    assert sum(len(golden()[script["id"]].kills) for script in asked) > 20
    for script in some(asked, 4):
        assert kills(script, plain=True) == list(golden()[script["id"]].kills), script["id"]
