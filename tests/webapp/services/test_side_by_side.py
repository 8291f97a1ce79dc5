"""Several large results at once."""

from __future__ import annotations

import threading

import pytest

from webapp.services.side_by_side import LARGE, begun, give_back, side_by_side


@pytest.mark.parametrize("containers", [1, LARGE + 1])
def test_answers_come_in_the_order_of_what_was_asked(containers: int) -> None:
    assert side_by_side(lambda number: number**2, range(50), containers) == [number**2 for number in range(50)]


def test_large_ones_are_made_beside_each_other() -> None:
    both = threading.Barrier(2)
    assert side_by_side(lambda _: both.wait(10) >= 0, range(2), LARGE + 1) == [True, True]
    assert begun(lambda: threading.current_thread().name).result() != threading.current_thread().name


def test_what_was_freed_goes_back_wherever_that_can_be_asked() -> None:
    give_back()
