"""When reduces have something to hide: OMO against the best Fair over the time of a map and how fast a reduce
fetches.
"""

from __future__ import annotations

from engine.papers.omo.cloudlab import FAIRS
from engine.papers.omo.fits import LONG_VALUES
from engine.papers.omo.makespans import BEST, change, makespans, with_best, with_changes
from engine.papers.omo.overlaps import ALL_BEST
from engine.papers.schema import Axis, ClaimMap, Samples
from engine.papers.trial import Trial

MAP_S = (5.0, 10.0, 16.0, 25.0, 40.0, 60.0, 74.9, 100.0, 120.0)
MB_S = (5.0, 10.0, 20.0, 37.1, 60.0, 90.0, 125.0)
SEEDS = 3


def measure(map_s: float, mb_s: float, trial: Trial) -> Samples:
    """The five workloads under Fair and OMO; reduces and contention as on the bed with long maps."""
    samples = with_best(
        makespans((*FAIRS, "OMO"), {**LONG_VALUES, "map_s": map_s, "mb_s": mb_s}, trial.at_most(SEEDS))
    )
    return with_changes(samples, ((BEST, "OMO"),))


HEADLINE = ClaimMap(
    title="OMO shorter than the best Fair, by the time of a map and of fetching",
    says="OMO lets maps have all containers and yet hides the shuffle behind them; Fair hides it too with "
    "an early slow start, on slots of their own that maps "
    "can't use. So OMO gains where fetching is short beside the maps, and nothing where it takes as long "
    "as all maps do, for then its reduces hold the "
    "containers. Reduces and contention are those of the bed with long maps.",
    experiment="omo/figure-12",
    claim=ALL_BEST,
    x=Axis("Time of a map alone", "s", MAP_S, LONG_VALUES["map_s"], log=True),
    y=Axis("What a reduce fetches alone", "MB/s", MB_S, LONG_VALUES["mb_s"], log=True),
    measure=measure,
    key=change("all", "OMO", BEST),
    name="makespan, OMO against the best Fair",
)
