"""Which of CloudLab's clusters each scheduler runs on, and the two calibrations of every experiment there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from engine.papers.omo.fits import LONG_MAPS, SHORT_MAPS
from engine.papers.omo.simulations import (
    BATCH,
    BATCH_ALL,
    FRESH,
    LAZY,
    OMO,
    SEEDS,
    SLOWSTARTS,
    Case,
    fair,
    native,
)
from engine.papers.omo.workloads import Benchmark, Values, cloudlab
from engine.papers.schema import Fit, Measurement, Reading, Show
from engine.papers.trial import Trial

FAIRS = tuple(fair(at) for at in SLOWSTARTS)
SCHEDULERS = {
    **{fair(at): native(at) for at in SLOWSTARTS},
    "FRESH": FRESH,
    "Lazy Start": LAZY,
    "Batch Finish": BATCH,
    "Batch Finish, all jobs": BATCH_ALL,
    "OMO": OMO,
}
LEFT_OUT = {
    "long-maps": "The 36 s that Fair-0.05 leaves to shuffle (Fig. 9) decide nothing.",
    "short-maps": "That FRESH shortens the map phase by 17.8 % (Fig. 9) decides nothing.",
}
CALIBRATIONS = {"long-maps": LONG_MAPS, "short-maps": SHORT_MAPS}


def cases(
    title: str, jobs: list[Benchmark], names: Iterable[str], values: Values, nodes: int = 20
) -> dict[str, Case]:
    """By name: native Fair on slots of two kinds, the others on containers that take either."""
    return {
        name: Case(
            cloudlab(title, jobs, values, 1, nodes, typed=name in FAIRS, capped=name == "FRESH"),
            SCHEDULERS[name],
        )
        for name in names
    }


def readings(measure: Callable[[Values, Trial], Measurement]) -> tuple[Reading, ...]:
    """An experiment on CloudLab with long and with short maps, over its first seeds."""
    return tuple(_reading(key, fit, measure) for key, fit in CALIBRATIONS.items())


def _reading(key: str, fit: Fit, measure: Callable[[Values, Trial], Measurement]) -> Reading:
    calibration = fit.values
    says = (
        f"{fit.title}, fitted to Fair and FRESH alone: maps of {calibration['map_s']:g} s and reduces of "
        f"{calibration['reduce_s']:g} s for 10 GB, alone on a node; "
        f"{calibration['mb_s']:g} MB/s a reduce; contention {calibration['contention']:g}."
    )
    return Reading(
        partial(_measured, measure, calibration),
        says,
        key,
        "Long maps" if fit is LONG_MAPS else "Short maps",
        fit,
        (LEFT_OUT[key],),
    )


def _measured(
    measure: Callable[[Values, Trial], Measurement], calibration: Values, trial: Trial
) -> Measurement:
    return measure(calibration, trial.at_most(SEEDS))


def shown(
    title: str, jobs: list[Benchmark], names: Iterable[str], fairs: Iterable[str] = (), nodes: int = 20
) -> tuple[Show, ...]:
    """A workload with long and with short maps, on containers that take either kind and on fixed slots:
    clusters that the dashboard opens one at a time.
    """
    shows = []
    for fit in CALIBRATIONS.values():
        maps = "long maps" if fit is LONG_MAPS else "short maps"
        for kind, chosen in (("dynamic containers", tuple(names)), ("fixed slots", tuple(fairs))):
            if chosen:
                built = cases(f"{title}, {maps}, {kind}", jobs, chosen, fit.values, nodes)
                shows.append(
                    Show(
                        f"{title}, {maps}, {kind}",
                        built[chosen[0]].scenario,
                        tuple(SCHEDULERS[name] for name in chosen),
                    )
                )
    return tuple(shows)
