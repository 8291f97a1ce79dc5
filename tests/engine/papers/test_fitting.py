"""The search finds what it is given, and stays within its ranges."""

from __future__ import annotations

import pytest

from engine.papers.fitting import errors, residual, search
from engine.papers.schema import Fit, FreeParameter, Printed


def fit(first: float, second: float) -> Fit:
    """Cells of a model a x + b that has the parameters first and second exactly."""
    cells = tuple(Printed(f"x = {x}", str(x), first * x + second, "s", "Table") for x in (1, 2, 5))
    free = (FreeParameter("a", "slope", "", 0.0, 0.0, 8.0), FreeParameter("b", "start", "s", 0.0, 0.0, 64.0))
    return Fit(
        "line",
        "three cells",
        free,
        cells,
        lambda values: {str(x): values["a"] * x + values["b"] for x in (1, 2, 5)},
    )


@pytest.mark.parametrize(("first", "second"), [(2.0, 16.0), (7.5, 1.0), (0.5, 60.0)])
def test_it_finds_the_parameters_that_gave_the_cells(first: float, second: float) -> None:
    result, off = search(fit(first, second))
    assert off < 0.03, "a pattern search may end in a narrow valley, but near"
    assert result == pytest.approx({"a": first, "b": second}, abs=2.0)


def test_the_residual_is_the_root_mean_square() -> None:
    one = fit(2.0, 10.0)  # cells 12, 14, 20
    assert errors(one, {"a": 2.0, "b": 13.0}) == pytest.approx([0.25, 3 / 14, 0.15])
    assert residual(one, {"a": 2.0, "b": 13.0}) == pytest.approx(
        ((0.25**2 + (3 / 14) ** 2 + 0.15**2) / 3) ** 0.5
    )


def test_what_is_told_gets_better() -> None:
    observed = []
    search(fit(3.3, 21.0), lambda off, values: observed.append(off))
    assert observed == sorted(observed, reverse=True)
    assert observed
