"""HaSTE's test bed: what the paper leaves open of it. All of it was decided before a scheduler ran on it, and nothing is fitted to a result of the paper.

Hadoop     YARN 2.2.0 (the authors' project page): Fair, DRF and Capacity reserve nodes, Fair and DRF see demand at updates 500 ms apart, and no limit on
           masters is known there. Thresholds of reservations are Hadoop 3.4.1's, the only ones that the engine has. Where a job's map and reduce are
           equal, FFD-DP and HaSTE take the reduce: Hadoop lists requests by priority, reduces (10) before maps (20), and the paper names no other rule.
Masters    start up in 4 to 10 s, drawn for each job, and the order of a batch is drawn for each seed: submission and start of masters take seconds
           and differ.
Fetching   The paper gives no rate. Of the five papers' test beds OMO's alone has its fetching measured, on CloudLab. Two ways to take it from there:
           the rate itself, r MB/s; or the time that it takes. There a reduce of a TeraSort has I MB of input and a map takes M s, so it fetches for
           I / r / M map times, and a reduce here fetches for as many, at i / (I / r / M x m) MB/s, i being its input and m the time of a map here.
           Both times are of a task alone: what else runs on a node slows maps and fetches by the same factor.
Reduces    The paper names a configured share of finished maps (slow start, 5 % by default), and then describes Hadoop's master, which raises the limit
           of reduces with the progress of maps. Two ways again: all reduces at 5 %, as SAF and the textbooks have it, or ramped up from 5 % on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from engine.papers.haste.workloads import MAP_S, TERASORT_REDUCE_MB
from engine.papers.omo.fits import CLOUDLAB_BED
from engine.papers.omo.workloads import GB, REDUCE_GB
from engine.papers.schema import Measured, Reading
from engine.papers.trial import Trial

SEEDS = 50  # of the 100: four readings are run
OMO_MB_S = CLOUDLAB_BED["mb_s"]
OMO_MAP_TIMES = REDUCE_GB * GB / OMO_MB_S / CLOUDLAB_BED["map_s"]
AT_ONCE, RAMPED_UP = "slowstart", "ramp-up"
HADOOP_2 = {
    "fifo": "fifo",
    "fair": "fair(reservations=yes, update_ms=500)",
    "drf": "drf(reservations=yes, update_ms=500)",
    "capacity": "capacity(reservations=yes, user_limits=yes)",
    "ffd-dp": "ffd-dp(ties=reduces)",
    "haste": "haste(ties=reduces)",
    "haste-a": "haste-a(ties=reduces)",
}


def mb_s_of(map_times: float) -> float:
    """The rate at which a reduce of our TeraSort fetches its input in so many map times, MB/s."""
    return TERASORT_REDUCE_MB / (map_times * MAP_S)


class Bed(NamedTuple):
    """One way to read the test bed. mb_s: what a reduce fetches; reduces: the rule by which they are asked for."""

    key: str
    title: str
    says: str
    mb_s: float
    reduces: str

    def scheduler(self, order: str) -> str:
        """An order, written in full."""
        return f"{order}+{self.reduces}+admit-all"

    def columns(self, *labels: str) -> dict[str, str]:
        """The schedulers by label."""
        return {label: self.scheduler(HADOOP_2[label]) for label in labels}

    def in_full(self, *labels: str) -> tuple[str, ...]:
        """The schedulers of these columns."""
        return tuple(self.columns(*labels).values())


RATE = f"A reduce fetches {OMO_MB_S:.3g} MB/s, as on OMO's CloudLab"
TIMES = f"A reduce of a TeraSort fetches for {OMO_MAP_TIMES:.3g} map times, as on OMO's CloudLab: {mb_s_of(OMO_MAP_TIMES):.3g} MB/s"
ALL_AT, LITTLE_BY_LITTLE = "all reduces of a job are asked for when 5 % of its maps have finished", "reduces are ramped up from 5 % of the maps on"
UNFITTED = "Nothing is fitted to HaSTE's results."
BEDS = (
    Bed("rate", "OMO's rate", f"{RATE}; {ALL_AT}. {UNFITTED}", OMO_MB_S, AT_ONCE),
    Bed("map-times", "OMO's fetch time in map times", f"{TIMES}; {ALL_AT}. {UNFITTED}", mb_s_of(OMO_MAP_TIMES), AT_ONCE),
    Bed("rate-ramp-up", "OMO's rate, ramp-up", f"{RATE}; {LITTLE_BY_LITTLE}. {UNFITTED}", OMO_MB_S, RAMPED_UP),
    Bed("map-times-ramp-up", "OMO's fetch time, ramp-up", f"{TIMES}; {LITTLE_BY_LITTLE}. {UNFITTED}", mb_s_of(OMO_MAP_TIMES), RAMPED_UP),
)
FIRST = BEDS[0]


def readings(measure: Callable[[Bed, Trial], Measured]) -> tuple[Reading, ...]:
    """One for each way to read the test bed."""
    return tuple(Reading(partial(_measured, measure, bed), bed.says, bed.key, bed.title) for bed in BEDS)


def _measured(measure: Callable[[Bed, Trial], Measured], bed: Bed, trial: Trial) -> Measured:
    return measure(bed, trial.at_most(SEEDS))
