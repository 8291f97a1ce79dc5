"""The terms shown for a decision are those that made it: the choice follows from what is shown alone, for
every order.
"""

from __future__ import annotations

from math import ceil, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings

from engine.explanation.container_names import name_of
from engine.explanation.explain import explain
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.scheduler import parse
from engine.schedulers.view import MASTER, REDUCE
from engine.simulation.simulate import simulate
from tests.engine.schedulers.busy import busy
from tests.examples import examples
from tests.strategies import BUSY, scenarios

EVERY = 5  # of a run's decisions, one in so many is explained
Row = dict[str, Any]


def term(row: Row, name: str) -> float:
    return row["terms"][name]


def first_jobs(rows: list[Row]) -> list[Row]:
    """The first candidate of each job."""
    return [
        row
        for place, row in enumerate(rows)
        if row["job"] not in [earlier["job"] for earlier in rows[:place]]
    ]


def compared(row: Row, *names: str) -> tuple:
    """0 / 0, of a minimum share of nothing, ties with every number."""
    return tuple(nan if term(row, name) is None else term(row, name) for name in names)


def least(rows: list[Row], *names: str) -> Row:
    """The first of the rows with the least terms, compared one after another."""
    return min(rows, key=lambda row: compared(row, *names))


def by_preference(found: Row, rows: list[Row], name: str) -> Row:
    """The highest term; in a tie the first in job order, of one job its map."""
    best = max(term(row, name) for row in rows)
    tied = [row for row in rows if term(row, name) == best]
    return next((row for row in tied if row["job"] == tied[0]["job"] and row["kind"] == "map"), tied[0])


def masters_or(found: Row, rows: list[Row], choose) -> Row:
    return next((row for row in rows if row["kind"] == "am"), None) or choose(found, rows)


def haste(found: Row, rows: list[Row]) -> Row:
    if next(fact["value"] for fact in found["facts"] if fact["name"] == "initial"):
        return next(row for row in rows if term(row, "fill"))
    return by_preference(found, rows, "preference")


def saf(found: Row, rows: list[Row]) -> Row:
    jobs = sorted(first_jobs(rows), key=lambda row: compared(row, "needy", "share", "second_share"))
    facts = {fact["name"]: fact["value"] for fact in found["facts"]}
    drawn = facts["draw"] is not None and facts["chance"] > facts["draw"]
    return jobs[1] if drawn else jobs[0]


def down_the_queues(found: Row, rows: list[Row], best_of_leaf) -> Row:
    """The best of each leaf, then of each parent's children the one whose three numbers are the least."""
    best = {
        name: best_of_leaf([row for row in rows if row["queue"] == name])
        for name in {row["queue"] for row in rows}
    }
    if not found["queues"]:
        return next(iter(best.values()))
    keys = {queue["name"]: tuple(queue["terms"].values()) for queue in found["queues"]}
    for queue in sorted(keys, key=lambda name: -name.count(".")):
        parent = queue.rpartition(".")[0]
        siblings = [name for name in keys if name.rpartition(".")[0] == parent and name in best]
        if len({keys[name] for name in siblings}) > 1 and any(None in keys[name] for name in siblings):
            reject()  # an infinite ratio and one that is no number (a tie in Hadoop) are both shown as null
        if siblings:
            best[parent] = best[min(siblings, key=lambda name: (keys[name], name))]
    return best["root"]


def fair(found: Row, rows: list[Row]) -> Row:
    return down_the_queues(
        found,
        rows,
        lambda own: (
            least(own, "needy", "share", "second_share") if term(own[0], "share") is not None else own[0]
        ),
    )


def batch(found: Row, rows: list[Row]) -> Row:
    gaining = [row for row in rows if term(row, "gain") is not None and term(row, "gain") > 0]
    return max(gaining, key=lambda row: term(row, "gain")) if gaining else fair(found, rows)


def omo(found: Row, rows: list[Row]) -> Row:
    due = [row for row in rows if term(row, "held") is not None]
    return least(due, "held") if due else batch(found, rows)


def may_be_served(found: Row, row: Row) -> bool:
    """As RegularContainerAllocator.assignContainer: it gets the container, or reserves the node, or gives up
    a node reserved for it elsewhere.
    """
    fits = row["memory_mb"] <= found["free_memory_mb"] and row["vcores"] <= found["free_vcores"]
    is_within = row["memory_mb"] <= row["queue_left_memory_mb"] and row["vcores"] <= row["queue_left_vcores"]
    may_reserve = row["most_reserved_nodes"] > row["reserved_nodes"] and is_within
    return may_reserve or (fits and row["reserved_nodes"] > 0)


def fresh(found: Row, rows: list[Row]) -> Row:
    requested = [row for row in rows if term(row, "deficit") is not None]
    return min(requested, key=lambda row: (-term(row, "deficit"), term(row, "held")))


def priority(found: Row, rows: list[Row]) -> Row:
    return down_the_queues(found, rows, lambda own: max(own, key=lambda row: term(row, "score")))


CHOICES = {
    "fifo": lambda found, rows: rows[0],
    "fair": fair,
    "drf": fair,
    "ffd-dp": lambda found, rows: masters_or(found, rows, lambda f, r: by_preference(f, r, "fitness")),
    "haste": lambda found, rows: masters_or(found, rows, haste),
    "haste-a": lambda found, rows: masters_or(found, rows, haste),
    "saf": saf,
    "priority-fifo": lambda found, rows: max(rows, key=lambda row: term(row, "score")),
    "priority-fair": priority,
    "batch-finish": batch,
    "omo": omo,
    "fresh": lambda found, rows: masters_or(found, rows, fresh),
    "weighted": lambda found, rows: masters_or(
        found, rows, lambda f, r: max(r, key=lambda row: term(row, "preference"))
    ),
}
# Queues under these tie by their place in the file, which is not a term: there only runs with one queue are
# asked.
BY_PLACE = {
    "capacity": lambda found, rows: max(
        (row for row in rows if may_be_served(found, row)), key=lambda row: row.get("priority", 0)
    ),
    "priority-capacity": lambda found, rows: max(rows, key=lambda row: term(row, "score")),
}


def test_every_order_of_ours_is_asked() -> None:
    assert set(CHOICES) | set(BY_PLACE) == set(CATALOGUE["order"])


@pytest.mark.parametrize("order", [*CHOICES, *BY_PLACE])
@settings(max_examples=6)
@given(scenario=scenarios(BUSY))
def test_the_choice_follows_from_what_is_shown(order: str, scenario: Scenario) -> None:
    if order in BY_PLACE:
        scenario = Scenario.of(
            {
                **scenario.plain(),
                "queues": [],
                "jobs": [{**job, "queue": "root.default"} for job in scenario.plain()["jobs"]],
            }
        )
    run = simulate(scenario, order)
    for container in range(0, len(run.containers.job), EVERY):
        result = explain(run, parse(order), container)
        chosen = {**CHOICES, **BY_PLACE}[order](result, result["candidates"])
        assert chosen["chosen"], f"{name_of(run, container)}: {result}"


def facts(earlier: Row) -> dict[str, float | None]:
    return {fact["name"]: fact["value"] for fact in earlier["facts"]}


@examples(3, 25)
@given(scenario=scenarios(BUSY))
def test_reduces_are_asked_for_when_the_gap_shown_says_so(scenario: Scenario) -> None:
    """omo Eq. 3: the gap less half a step more is 0 or above, or no map is pending."""
    text = "fair+lazy-start(window_s=0.05)"
    run = simulate(scenario, text)
    for container in range(0, len(run.containers.job), EVERY):
        requested = explain(run, parse(text), container)["asked"]
        assert (requested is None) == (run.containers.kind[container] != REDUCE)
        if requested and requested["facts"]:
            display_value = facts(requested)
            assert (
                display_value["pending_maps"] == 0 or display_value["beta"] + display_value["step"] / 2 >= 0
            )
            assert requested["at_s"] == run.containers.requested[container] / 1000


FLOAT = float(np.float32(0.4))  # which Hadoop has a limit as


@pytest.mark.parametrize("rule", ["autoadmin(floor=0.2)", "reserve(vcores=3)", "am-share(limit=0.4)"])
@examples(2, 15)
@given(scenario=scenarios(BUSY))
def test_masters_are_admitted_when_the_numbers_shown_leave_the_reserve(rule: str, scenario: Scenario) -> None:
    """autoadmin Algorithm 3: C - masters - own >= reserve; am-share: masters + own within the limit, rounded
    up.
    """
    text = f"fair+{rule}"
    run = simulate(scenario, text)
    work = run.workload
    capacity = int(work.node_vcores.sum())
    for container in range(0, len(run.containers.job), EVERY):
        admitted = explain(run, parse(text), container)["admitted"]
        assert (admitted is None) == (run.containers.kind[container] != MASTER)
        if admitted:
            display_value, own = (
                facts(admitted),
                int(work.request_vcores[3 * int(run.containers.job[container])]),
            )
            within = (
                capacity - ceil(FLOAT * display_value["share_vcores"]) if rule.startswith("am-share") else 0
            )
            kept = {"autoadmin": display_value.get("reserve_vcores"), "reserve": 3, "am-share": within}[
                admitted["rule"]
            ]
            assert capacity - display_value["masters_vcores"] - own >= kept


def test_under_ramp_up_the_request_is_told_that_was_made_then() -> None:
    """The rule answers at every heartbeat; what is shown is its answer when the reduce was asked for, not the
    last before it was placed.
    """
    text = "fair+ramp-up"
    run = simulate(busy(), text)
    for container in (run.containers.kind == REDUCE).nonzero()[0].tolist():
        requested = explain(run, parse(text), container)["asked"]
        assert requested["facts"] and requested["at_s"] == run.containers.requested[container] / 1000
