"""Calibrations of HaSTE's test bed: what the paper leaves open. Nothing is fitted to a result of the paper,
and all but how reduces are asked for was settled before a scheduler ran on it.

Hadoop     YARN 2.2.0 (the authors' project page): Fair, DRF and Capacity reserve nodes, Fair and DRF see
           demand at updates 500 ms apart, and no limit on masters is known there. Thresholds of reservations
           are Hadoop 3.4.1's, the only ones that the engine has. Hadoop's schedulers offer a job's requests
           by priority, reduces (10) before maps (20). FFD-DP keeps to that as FIFO, Fair, DRF and Capacity
           do: the paper builds it into Hadoop, names no exception, and says of it, after Fair and DRF, that
           its reduces hold what maps wait for. That FFD-DP chooses among all requests, as HaSTE does, whose
           text weighs maps against reduces, is the fourth reading; it was the only one before. HaSTE takes
           the reduce where a job's map and reduce are equal.
Masters    start up in 4 to 10 s, drawn for each job, and the order of a batch is drawn for each seed:
           submission and start of masters take seconds and differ.
Fetching   The paper gives no rate. Of the five papers' test beds OMO's alone has its fetching measured, on
           CloudLab. Two ways to take it from there: the rate itself (its two beds have nearly the same; their
           mean); or the time that fetching takes. There a reduce of a TeraSort has I MB of input, fetches r
           MB/s, and a map takes M s, so it fetches for I / r / M map times; a reduce of TeraSort here, with i
           MB and maps of m s, fetches for as many at i M r / (I m) MB/s. Both times are of a task alone: what
           else runs on a node slows maps and fetches by the same factor. OMO's long and short maps (its paper
           needs both) give two such rates. The map of the headline shows 2 to 100 MB/s.
Reduces    The paper describes Hadoop's master: it asks for reduces once a configured share of the maps has
           finished (slow start, 5 % by default), and raises their limit with the progress of the maps and the
           memory that is available. That is `ramp-up`. All reduces of a job at once, as these experiments had
           it before, was run beside it before this was settled; notes have the makespans.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from engine.papers.haste.workloads import MAP_S, TERASORT_REDUCE_MB
from engine.papers.omo.fits import LONG_VALUES, SHORT_VALUES
from engine.papers.omo.workloads import GB, SHUFFLE_GB
from engine.papers.schema import Measurement, Reading
from engine.papers.trial import Trial

SEEDS = 40  # of the 100: there are four readings
OMO_CALIBRATIONS = {"long": LONG_VALUES, "short": SHORT_VALUES}
OMO_MB_S = sum(calibration["mb_s"] for calibration in OMO_CALIBRATIONS.values()) / len(OMO_CALIBRATIONS)
OMO_REDUCE_MB = SHUFFLE_GB["Terasort"] * GB / 2  # 20 GB are two reduces
RAMPED_UP, AT_ONCE = "ramp-up", "slowstart"
HADOOP_2 = {
    "fifo": "fifo",
    "fair": "fair(reservations=yes, update_ms=500)",
    "drf": "drf(reservations=yes, update_ms=500)",
    "capacity": "capacity(reservations=yes, user_limits=yes)",
    "ffd-dp": "ffd-dp(ties=reduces, priorities=yes)",
    "haste": "haste(ties=reduces)",
    "haste-a": "haste-a(ties=reduces)",
}


def map_times(calibration: Mapping[str, float]) -> float:
    """For how many map times a reduce of a TeraSort fetches on one of OMO's beds."""
    return OMO_REDUCE_MB / calibration["mb_s"] / calibration["map_s"]


def mb_s_of(times: float) -> float:
    """The rate at which a reduce of our TeraSort fetches for so many map times, MB/s."""
    return TERASORT_REDUCE_MB / (times * MAP_S)


class Calibration(NamedTuple):
    """A calibration of the test bed. mb_s: what a reduce fetches; assumes: as of `Reading`; reduces: the rule
    by which they are asked for; orders: written in full, by label.
    """

    key: str
    title: str
    says: str
    mb_s: float
    assumes: tuple[str, ...]
    reduces: str = RAMPED_UP
    orders: Mapping[str, str] = HADOOP_2

    def scheduler(self, order: str) -> str:
        """An order, written in full."""
        return f"{order}+{self.reduces}+admit-all"

    def columns(self, *labels: str) -> dict[str, str]:
        """The schedulers by label."""
        return {label: self.scheduler(self.orders[label]) for label in labels}

    def full_names(self, *labels: str) -> tuple[str, ...]:
        """The schedulers of these columns."""
        return tuple(self.columns(*labels).values())


def _of_times(length: str) -> Calibration:
    times = map_times(OMO_CALIBRATIONS[length])
    says = (
        f"A reduce of a TeraSort fetches for {times:.1f} map times, as on OMO's CloudLab with {length} "
        f"maps: {mb_s_of(times):.1f} MB/s. {UNFITTED}"
    )
    assumes = ("Fetching takes as many map times as on OMO's test bed.", f"OMO's maps are {length}.")
    return Calibration(f"{length}-maps", f"OMO's fetch time, {length} maps", says, mb_s_of(times), assumes)


UNFITTED = "Nothing is fitted to HaSTE's results."
AS_OMO = "The network is as fast as OMO's."
CALIBRATIONS = (
    Calibration(
        "rate",
        "OMO's rate",
        f"A reduce fetches {OMO_MB_S:.1f} MB/s, as on OMO's CloudLab. {UNFITTED}",
        OMO_MB_S,
        (AS_OMO,),
    ),
    _of_times("long"),
    _of_times("short"),
)
FIRST = CALIBRATIONS[0]
UNBOUND = FIRST._replace(
    key="any-request",
    title="FFD-DP without Hadoop's priorities",
    says="FFD-DP chooses among all requests of all jobs, maps as reduces, as HaSTE does.",
    assumes=(AS_OMO, "FFD-DP need not keep to the priorities of Hadoop's requests."),
    orders={**HADOOP_2, "ffd-dp": "ffd-dp(ties=reduces)"},
)


def readings(measure: Callable[[Calibration, Trial], Measurement]) -> tuple[Reading, ...]:
    """One for each calibration."""
    return tuple(
        Reading(
            partial(_measured, measure, calibration),
            calibration.says,
            calibration.key,
            calibration.title,
            assumes=calibration.assumes,
        )
        for calibration in (*CALIBRATIONS, UNBOUND)
    )


def _measured(
    measure: Callable[[Calibration, Trial], Measurement], calibration: Calibration, trial: Trial
) -> Measurement:
    return measure(calibration, trial.at_most(SEEDS))
