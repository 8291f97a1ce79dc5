"""Haste's knapsack, which looks at candidates of one size together, beside the oracle's, which looks at
each.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.schedulers.terms.fitness import size
from engine.schedulers.terms.knapsack import KNAPSACK_MEMORY, best_fill
from engine.schedulers.view import MAP
from tests.oracle.knapsack import knapsack

NODE = (12, 8)
JOBS = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 4)), min_size=1, max_size=7)


def view_of(jobs: list[tuple[int, int, int]]) -> SimpleNamespace:
    """An empty node of 12 MB and 8 vcores before the maps of jobs, a request each: MB, vcores and how many
    wait.
    """
    per = {"run": 1, "request": len(jobs)}
    memory = {one.name: np.zeros(per[one.per] * one.size, one.kind) for one in KNAPSACK_MEMORY}
    amounts = {
        name: np.array([job[place] for job in jobs])
        for place, name in enumerate(("request_memory", "request_vcores", "request_waiting"))
    }
    node = {
        "node_memory": NODE[0],
        "node_vcores": NODE[1],
        "node_free_memory": NODE[0],
        "node_free_vcores": NODE[1],
    }
    return SimpleNamespace(
        **memory,
        **amounts,
        **{name: np.array([amount]) for name, amount in node.items()},
        request_kind=np.full(len(jobs), MAP),
        candidates=np.arange(len(jobs)),
        fill=np.zeros(len(jobs)),
    )


def filled(jobs: list[tuple[int, int, int]], weights: tuple[float, float]) -> list[int]:
    """The jobs that the node is given to, one container after another, each choice compared with the
    oracle's.
    """
    view, given = view_of(jobs), []
    while True:
        waiting = [job for job in range(len(jobs)) if view.request_waiting[job] > 0]
        sizes, free = (
            [jobs[job][:2] for job in waiting],
            (int(view.node_free_memory[0]), int(view.node_free_vcores[0])),
        )
        fits = [
            place for place, (memory, vcores) in enumerate(sizes) if memory <= free[0] and vcores <= free[1]
        ]
        waiting, sizes = [waiting[place] for place in fits], [sizes[place] for place in fits]
        view.candidates[: len(waiting)] = waiting
        values = [size(*one, *NODE, *weights) for one in sizes]
        expected = knapsack(free, sizes, [int(view.request_waiting[job]) for job in waiting], values)
        chosen = best_fill(view, len(waiting), 0, *weights) if waiting else -1
        assert (None if chosen < 0 else chosen) == expected
        if chosen < 0:
            return given
        given.append(waiting[chosen])
        view.request_waiting[waiting[chosen]] -= 1
        view.node_free_memory[0] -= sizes[chosen][0]
        view.node_free_vcores[0] -= sizes[chosen][1]


@given(JOBS, st.sampled_from(((1.0, 1.0), (1.0, 0.0), (0.0, 0.0), (0.3, 3.0))))
def test_it_chooses_as_one_that_looks_at_each_candidate(
    jobs: list[tuple[int, int, int]], weights: tuple[float, float]
) -> None:
    filled(jobs, weights)


def test_of_equal_sizes_the_next_is_taken_once_the_first_is_used_up() -> None:
    """Three jobs of 4 MB and 2 vcores, of which 1, 1 and 5 maps wait: the node holds three."""
    assert filled([(4, 2, 1), (4, 2, 1), (4, 2, 5)], (1.0, 1.0)) == [0, 1, 2]


def test_of_two_sizes_worth_the_same_the_earlier_candidate_is_taken() -> None:
    """By vcores alone 2 MB are worth 1 MB: behind job 0, which is used up after one, job 1 comes before job
    2, though job 0's size was met first.
    """
    view = view_of([(1, 4, 1), (2, 4, 1), (1, 4, 1)])
    assert best_fill(view, 3, 0, 0.0, 1.0) == 0
    assert view.fill.tolist() == [1, 1, 0]
