"""Scripts tell times, shares and memory as the server does."""

from __future__ import annotations

import pytest

from engine import quantities
from tests.scripts import Scripts

NUMBERS = (0, 0.2, 0.25, 1, 9.95, 59.6, 60, 271.7, 999.95, 3599.9996, 3723, 86_400, 273_900.125, 1e7)


@pytest.fixture(scope="module")
def scripts() -> Scripts:
    return Scripts("quantities.js")


@pytest.mark.parametrize("digits", range(4))
def test_clocks(scripts: Scripts, digits: int) -> None:
    seconds = [*NUMBERS, -5, -0.5]
    told = scripts.evaluate(
        "(all, digits) => all.map((one) => gantry.clock(1000 * one, digits))", seconds, digits
    )
    assert told == [quantities.clock(one, digits) for one in seconds]


@pytest.mark.parametrize("signed", [False, True])
def test_percentages(scripts: Scripts, signed: bool) -> None:
    shares = [*(number / 1000 for number in range(-1100, 1100, 7)), 0.0025, -0.0004, 0.61299, 12.5, 1234.5]
    told = scripts.evaluate("(all, signed) => all.map((one) => gantry.percent(one, signed))", shares, signed)
    assert told == [quantities.percent(one, signed) for one in shares]


def test_memory(scripts: Scripts) -> None:
    sizes = [0.04, 0.05, 0.25, 1, 512, 1023.94, 1024, 1536, 100_000, 2**20, 3.3 * 2**20]
    assert scripts.evaluate("(all) => all.map(gantry.memory)", sizes) == [
        quantities.memory(one) for one in sizes
    ]
