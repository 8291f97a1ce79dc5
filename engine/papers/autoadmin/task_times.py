"""The test bed's parameters that the paper does not give, fitted to five numbers that it prints of static
reservations.

Where a master is as large as a task only the sum of a job's task times counts, so that map and reduce can't
be told apart: they are taken as equally long. There contention can't be told from longer tasks either: the
fifth cell is the corner of which section 3.2 says that jobs do better with fewer beside them. The cells were
named before any other was run, and no run of AutoAdmin is among them.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.papers.autoadmin.reserve_sweep import SEEDS, optimum, sweep_each
from engine.papers.autoadmin.workloads import SIZES, STATIC_JOBS, cell, terasort
from engine.papers.schema import Fit, FreeParameter, Printed
from engine.papers.trial import Trial

# Table 3.1, EXP: by TC, over AMC 1 to 4
EXPERIMENT = {
    1: (32, 30, 27, 26),
    2: (41, 34, 28, 27),
    3: (46, 39, 32, 29),
    4: (48, 40, 36, 32),
}
CORNER_CELL = (1, 4)  # (TC, AMC)
FITTED = (*((size, size) for size in SIZES), CORNER_CELL)


def measured(task: int, master: int, reason: str = "") -> Printed:
    """A cell of Table 3.1 found by experiment. Off the diagonal it is compared with the diagonal's cell of
    its row: a larger master than there lowers the optimum, a smaller one raises it (section 2.3)."""
    middle = None if task == master else (f"{cell(task, task)}/optimum", EXPERIMENT[task][task - 1])
    what, number = f"Optimal reservation by experiment, {cell(task, master)}", EXPERIMENT[task][master - 1]
    return Printed(
        what,
        f"{cell(task, master)}/optimum",
        number,
        "vcores",
        "Table 3.1",
        against=middle,
        reason=reason,
        theme="optimum",
    )


def named_cells(values: Mapping[str, float]) -> dict[str, float]:
    """Optimal reservation in the cells of the fit."""
    curves = sweep_each(
        {cell(*entry): terasort(*entry, STATIC_JOBS, values) for entry in FITTED}, Trial().at_most(SEEDS)
    )
    return {f"{name}/optimum": optimum(entry.mean) for name, entry in curves.items()}


TIMES = Fit(
    title="AutoAdmin's Terasort jobs",
    source="the optimal reservations of Table 3.1 where TC = AMC, and where TC = 1 and AMC = 4",
    free=(
        FreeParameter("startup_s", "start-up of a master", "s", 8.5, 1.0, 21.0),
        FreeParameter(
            "task_s", "mean time of a map of 50 MB, and of a reduce once it has fetched", "s", 9.5, 2.0, 62.0
        ),
        FreeParameter(
            "contention", "share by which each further task on a node slows the others", "", 0.725, 0.0, 1.6
        ),
    ),
    cells=tuple(measured(*one) for one in FITTED),
    predict=named_cells,
)
SAYS = (
    "Start-up, task time and contention fitted to five of Table 3.1's optima under static reservations, "
    "named in advance: its diagonal and TC=1, AMC=4. "
    "AutoAdmin was never fitted."
)
