"""The times that the paper does not give, from four numbers that it prints: the diagonal of Table 3.1.

A map and a reduce follow one another in containers of one size, so that only their sum counts in these cells, which can't tell one from the other:
they are taken as equally long, which leaves two times to be found.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.papers.autoadmin.reserve_sweep import optimum, sweep
from engine.papers.autoadmin.workloads import SIZES, STATIC_JOBS, cell, terasort
from engine.papers.schema import Fit, Free, Printed

EXPERIMENT = {1: (32, 30, 27, 26), 2: (41, 34, 28, 27), 3: (46, 39, 32, 29), 4: (48, 40, 36, 32)}  # Table 3.1, EXP: by TC, over AMC 1 to 4


def measured(task: int, master: int) -> Printed:
    """A cell of Table 3.1 found by experiment. Off the diagonal it is compared with the diagonal's cell of its row: a larger master than there lowers
    the optimum, a smaller one raises it (section 2.3)."""
    middle = None if task == master else (f"{cell(task, task)}/optimum", EXPERIMENT[task][task - 1])
    what, number = f"Optimal reservation by experiment, {cell(task, master)}", EXPERIMENT[task][master - 1]
    return Printed(what, f"{cell(task, master)}/optimum", number, "vcores", "Table 3.1", against=middle)


def diagonal(values: Mapping[str, float]) -> dict[str, float]:
    """Optimal reservation where a master is as large as a task."""
    return {f"{cell(size, size)}/optimum": optimum(sweep(terasort(size, size, STATIC_JOBS, values))) for size in SIZES}


TIMES = Fit(
    title="AutoAdmin's Terasort jobs",
    source="the optimal reservations of Table 3.1 where TC = AMC",
    free=(
        Free("startup_s", "start-up of a master", "s", 1.62, 1.0, 21.0),
        Free("task_s", "a map of one split, and as long a reduce once it has fetched", "s", 24.5, 2.0, 62.0),
    ),
    cells=tuple(measured(size, size) for size in SIZES),
    predict=diagonal,
    starts=16,  # the cells move in steps: a coarser search stops on the first that it meets
)
