"""What is listed short, or not at all, is chosen from as if all candidates were listed: the same run, under
every order that may.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import GantryError
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import ORDER
from engine.simulation import run_plan, shortlist_arrays, simulate
from engine.simulation.applications.mapreduce import ramping
from engine.simulation.kernel import heartbeats
from engine.simulation.run import Run
from tests.bench.scenarios import stream
from tests.engine.simulation.shortlists import CACHED_SCORE_ORDERS, where_room_decides
from tests.examples import examples
from tests.strategies import BUSY, SMALL, scenarios

RANKED = [
    "fair",
    "drf",
    "saf",
    "fair(update_ms=0)",
    "drf(reservations=no)+am-share(limit=0.1)",
    "fair+autoadmin(floor=0.2)",
    "drf(resources=memory)+am-limit",
]
CACHED_SCORE_ORDERS += [
    "weighted(urgency=1, alignment=-0.5, share=0.3, waiting=0.7, remaining=-1, arrival=0.2)+slowstart",
    "weighted(fitness=-1, share=1)",
    "weighted(fitness=0, waiting=1, remaining=0.1)",
]
SCORED = ["ffd-dp", "haste", "haste-a", "batch-finish", "fresh", "omo", "weighted"]
WALKED = [
    "capacity",
    "capacity(user_limits=no)+admit-all",
    "priority-fifo",
    "priority-fair(k1=0.01)+admit-all",
    "priority-capacity+admit-all",
]


def outcome(scenario: Scenario, scheduler: str) -> Run | str:
    """A plain run, or why there is none."""
    try:
        return simulate.simulate(scenario, scheduler, plain=True)
    except GantryError as error:
        return str(error)


def are_same(run: Run | str, other: Run | str) -> bool:
    if isinstance(run, str) or isinstance(other, str):
        return run == other
    same = [
        np.array_equal(own, its)
        for one, its_own in ((run.containers, other.containers), (run.jobs, other.jobs))
        for own, its in zip(one, its_own)
    ]
    return all(same) and run.status == other.status


@pytest.mark.parametrize("scheduler", RANKED)
@examples(2, 12)
@given(scenario=st.one_of(scenarios(BUSY), scenarios(SMALL)))
def test_with_the_first_of_each_group_a_run_is_the_same(scheduler: str, scenario: Scenario) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortlist_arrays, "MIN_JOBS", 10**9)
        whole = outcome(scenario, scheduler)
        patch.setattr(shortlist_arrays, "MIN_JOBS", 0)
        assert are_same(whole, outcome(scenario, scheduler))


@pytest.mark.parametrize("scheduler", ["fifo", "fifo(resources=memory)", *RANKED, *WALKED])
@examples(2, 12)
@given(scenario=st.one_of(scenarios(BUSY), scenarios(SMALL)).map(where_room_decides))
def test_a_list_that_is_made_late_makes_the_same_run(scheduler: str, scenario: Scenario) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortlist_arrays, "MIN_JOBS", 0)
        late = outcome(scenario, scheduler)
        patch.setattr(run_plan, "_lists_lazily", lambda *_: False)
        assert are_same(outcome(scenario, scheduler), late)


@pytest.mark.parametrize("scheduler", CACHED_SCORE_ORDERS)
@examples(2, 20)
@given(scenario=st.one_of(scenarios(BUSY), scenarios(SMALL)).map(where_room_decides))
def test_by_scores_that_are_kept_a_run_is_the_same(scheduler: str, scenario: Scenario) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortlist_arrays, "MIN_JOBS", 10**9)
        whole = outcome(scenario, scheduler)
        patch.setattr(shortlist_arrays, "MIN_JOBS", 0)
        assert are_same(whole, outcome(scenario, scheduler))


@pytest.mark.parametrize("scheduler", ["batch-finish", "omo"])
def test_an_index_is_told_of_what_changes_while_candidates_are_listed(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a job has to wait for others that run, not all that waits is a candidate."""
    plain = stream(1_000, 8, 40).plain()
    plain["cluster"]["user_max_running_apps"] = 30
    scenario = Scenario.of(plain)
    found = []
    finding = heartbeats.find_unlisted
    monkeypatch.setattr(
        heartbeats, "find_unlisted", lambda *given: found.append(finding(*given)) or found[-1]
    )
    monkeypatch.setattr(shortlist_arrays, "MIN_JOBS", 0)
    short = outcome(scenario, scheduler)
    monkeypatch.setattr(shortlist_arrays, "MIN_JOBS", 10**9)
    assert are_same(outcome(scenario, scheduler), short) and len(found) > 100


@pytest.mark.parametrize("scheduler", WALKED)
@examples(2, 12)
@given(scenario=st.one_of(scenarios(BUSY), scenarios(SMALL)))
def test_a_walk_that_finds_its_candidates_itself_makes_the_same_run(
    scheduler: str, scenario: Scenario
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortlist_arrays, "MIN_JOBS", 0)
        short = outcome(scenario, scheduler)
        patch.setattr(run_plan, "_uses_index", lambda *_: False)
        assert are_same(outcome(scenario, scheduler), short)


@pytest.mark.parametrize(
    "scheduler",
    ["fifo", "fair", "drf+ramp-up(limit=1)", "haste+ramp-up", "priority-capacity+ramp-up(limit=0.2)"],
)
@examples(2, 12)
@given(scenario=st.one_of(scenarios(BUSY), scenarios(SMALL)))
def test_reduces_are_looked_at_of_jobs_alone_of_which_something_has_changed(
    scheduler: str, scenario: Scenario
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        some = outcome(scenario, scheduler)
        patch.setattr(ramping, "is_asked_of_all", lambda s: True)
        assert are_same(outcome(scenario, scheduler), some)


@pytest.mark.parametrize(
    "scheduler",
    ["fair", "drf", "saf", "capacity", "priority-fifo", "priority-fair", "priority-capacity", *SCORED],
)
def test_where_many_jobs_are_active_all_candidates_are_seldom_listed(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most one time in ten that a node with room is looked at, once nodes have been filled for the first
    time.
    """
    seen: Counter[str] = Counter()
    listing, looking = heartbeats.list_candidates, heartbeats.may_assign_more

    def has_room(v, s, node):
        return bool(v.node_free_memory[node] >= s.min_waiting_memory) and s.container_count > 1_000

    def listed(v, s, node, *rest):
        seen["listed"] += has_room(v, s, node)
        return listing(v, s, node, *rest)

    def looked(v, s, node, *rest):
        seen["looked"] += has_room(v, s, node)
        return looking(v, s, node, *rest)

    monkeypatch.setattr(heartbeats, "list_candidates", listed)
    monkeypatch.setattr(heartbeats, "may_assign_more", looked)
    simulate.simulate(stream(2_000, 60, 40), scheduler, plain=True)
    assert seen["looked"] > 1_000
    assert seen["listed"] <= seen["looked"] / 10


@pytest.mark.parametrize("scheduler", ["fair", "drf", "saf", "capacity", "priority-fair", *SCORED])
def test_a_compiled_run_lists_as_a_plain_one_does(scheduler: str) -> None:
    scenario = stream(1_500, 40, 60)
    assert are_same(simulate.simulate(scenario, scheduler, plain=False), outcome(scenario, scheduler))


def test_orders_that_go_by_a_rank_or_by_scores_say_so() -> None:
    assert {name for name, policy in CATALOGUE[ORDER].items() if policy.ranked} == {"fair", "drf", "saf"}
    indexes = {name: policy.index for name, policy in CATALOGUE[ORDER].items() if policy.index}
    assert {name for name, index in indexes.items() if index.keeps_scores} == set(SCORED)
    assert indexes.keys() - SCORED == {"capacity", "priority-fifo", "priority-fair", "priority-capacity"}
