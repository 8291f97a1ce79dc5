"""Several large results at once."""

from __future__ import annotations

import threading

import pytest

from engine import presets, simulate, summary
from tests.waiting import PATIENT_S
from webapp.services import outcome
from webapp.services import side_by_side as side_by_side_module
from webapp.services.outcome import Outcome
from webapp.services.side_by_side import LARGE, begun, give_back, side_by_side


@pytest.mark.parametrize("containers", [1, LARGE + 1])
def test_answers_come_in_the_order_of_what_was_asked(containers: int) -> None:
    assert side_by_side(lambda number: number**2, range(50), containers) == [number**2 for number in range(50)]


def test_large_ones_are_made_beside_each_other() -> None:
    both = threading.Barrier(2)
    assert side_by_side(lambda _: both.wait(PATIENT_S) >= 0, range(2), LARGE + 1) == [True, True]
    assert begun(lambda: threading.current_thread().name).result() != threading.current_thread().name


@pytest.mark.parametrize("asked", [0, 1])
def test_what_was_freed_of_a_large_result_goes_back(asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(side_by_side_module, "_trim", given.append)
    run = simulate(presets()[0].scenario, "fifo")
    monkeypatch.setattr(outcome, "LARGE", len(run.containers.job) - asked)
    Outcome(run, summary(run)).ready()
    assert len(given) == 2 * asked


def test_where_nobody_can_be_asked_it_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_by_side_module, "_trim", None)
    give_back()
