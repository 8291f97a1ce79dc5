"""Which of CloudLab's clusters each scheduler runs on, with the parameters of the fit."""

from __future__ import annotations

from collections.abc import Iterable

from engine.papers.omo.fits import CLOUDLAB_BED
from engine.papers.omo.simulations import BATCH, BATCH_ALL, FRESH, LAZY, OMO, SLOWSTARTS, Case, fair, native
from engine.papers.omo.workloads import Benchmark, Values, cloudlab
from engine.papers.schema import Show
from engine.scenario.model import Scenario

FAIRS = tuple(fair(at) for at in SLOWSTARTS)
SCHEDULERS = {
    **{fair(at): native(at) for at in SLOWSTARTS},
    "FRESH": FRESH,
    "Lazy Start": LAZY,
    "Batch Finish": BATCH,
    "Batch Finish, all jobs": BATCH_ALL,
    "OMO": OMO,
}


def cases(title: str, jobs: list[Benchmark], names: Iterable[str], nodes: int = 20, values: Values = CLOUDLAB_BED) -> dict[str, Case]:
    """By name: native Fair on slots of two kinds, the others on containers that take either."""
    beds = {typed: cloudlab(title, jobs, values, 1, nodes, typed) for typed in (True, False)}
    return {name: Case(beds[name in FAIRS], SCHEDULERS[name]) for name in names}


def on_both(title: str, dynamic: Scenario, fixed: Scenario) -> tuple[Show, ...]:
    """A workload on containers that take either kind, and on fixed slots, as two clusters that the dashboard opens one at a time."""
    return (
        Show(f"{title}, dynamic containers", dynamic, (SCHEDULERS["FRESH"], SCHEDULERS["OMO"])),
        Show(f"{title}, fixed slots", fixed, (SCHEDULERS["Fair-0.05"], SCHEDULERS["Fair-1"])),
    )
