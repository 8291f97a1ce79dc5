"""Several large results at once."""

from __future__ import annotations

import threading

import pytest

from engine import presets, simulate, summary
from tests.waiting import MAX_WAIT_S
from webapp.runs import outcome
from webapp.runs import parallel_map as parallel_map_module
from webapp.runs.outcome import Outcome
from webapp.runs.parallel_map import PARALLEL_CONTAINERS, map_in_parallel, submit, trim_memory


@pytest.mark.parametrize("containers", [1, PARALLEL_CONTAINERS + 1])
def test_answers_come_in_the_order_of_what_was_asked(containers: int) -> None:
    assert map_in_parallel(lambda number: number**2, range(50), containers) == [
        number**2 for number in range(50)
    ]


def test_large_ones_are_made_beside_each_other() -> None:
    both = threading.Barrier(2)
    assert map_in_parallel(lambda _: both.wait(MAX_WAIT_S) >= 0, range(2), PARALLEL_CONTAINERS + 1) == [
        True,
        True,
    ]
    assert submit(lambda: threading.current_thread().name).result() != threading.current_thread().name


@pytest.mark.parametrize("asked", [0, 1])
def test_what_was_freed_of_a_large_result_goes_back(asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(parallel_map_module, "_malloc_trim", given.append)
    run = simulate(presets()[0].scenario, "fifo")
    monkeypatch.setattr(outcome, "PARALLEL_CONTAINERS", len(run.containers.job) - asked)
    Outcome(run, summary(run)).ready()
    assert len(given) == 2 * asked


def test_where_nobody_can_be_asked_it_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_map_module, "_malloc_trim", None)
    trim_memory()
