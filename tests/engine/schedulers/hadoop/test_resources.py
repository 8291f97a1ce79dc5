"""Amounts are compared and multiplied for any number of resources; here MB, vcores and GPUs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.resource_types import put
from engine.schedulers.hadoop import resources

CLUSTER = (1000, 100, 10)


@pytest.fixture(autouse=True)
def three_resources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "RESOURCE_COUNT", 3)
    monkeypatch.setattr(resources, "NOTHING", (0, 0, 0))
    monkeypatch.setattr(resources, "NO_SHARES", (-math.inf,) * 3)


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        ((500, 10, 1), (100, 60, 1), -1),  # 1/2 is less than 3/5
        ((500, 10, 2), (200, 50, 2), -1),  # 1/2 and 1/5 each, then 1/10 is less than 1/5
        ((500, 10, 2), (100, 50, 1), 1),  # 1/2 each, then 1/5 is more than 1/10
        ((500, 20, 1), (100, 50, 2), 0),  # 1/2, 1/5, 1/10 each
        ((500, 20, -1), (500, 20, 0), -1),  # the third, below nothing
    ],
)
def test_shares_are_compared_from_the_largest_on(left, right, order):
    assert resources.compare(1, CLUSTER, left, right) == order
    assert resources.compare(1, CLUSTER, right, left) == -order


def test_by_memory_alone_the_others_do_not_count():
    assert resources.compare(0, CLUSTER, (2, 0, 0), (1, 9, 9)) == 1
    assert resources.is_within(0, (1, 9, 9), (1, 0, 0))
    assert not resources.is_within(1, (1, 0, 9), (1, 0, 0))
    assert resources.is_any_above_zero(1, (0, 0, 1)) and not resources.is_any_above_zero(0, (0, 1, 1))


def test_of_what_the_cluster_has_none_of_all_shares_are_equal():
    assert resources.compare(1, (1000, 100, 0), (10, 1, 7), (20, 1, 0)) == -1
    assert resources.largest_share((1000, 100, 0), (10, 20, 7)) == 0.2
    assert resources.divide(1, CLUSTER, (0, 0, 4), (0, 80, 0)) == 0.5


def test_amounts_are_read_and_written_by_column():
    field = np.arange(6).reshape(3, 2)
    resources.set_amount(field, 0, resources.plus(resources.amount_of(field, 1), (10, 20, 30)))
    resources.add_amount(field, 1, resources.times((10, 10, 10), 0.25))
    assert field.tolist() == [[11, 3], [23, 5], [35, 7]]
    assert put((1, 2, 3), 1, 9) == (1, 9, 3)
