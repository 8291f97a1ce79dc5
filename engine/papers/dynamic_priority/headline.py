"""Under which conditions the paper's 45 % less waiting comes: over the reduces of a job and the mean gap
between submissions.
"""

from __future__ import annotations

from functools import partial

from engine.papers.dynamic_priority.lab import MEAN_GAP_S, REDUCES, random_test
from engine.papers.dynamic_priority.sending import SCHEDULERS
from engine.papers.dynamic_priority.sets import REDUCTIONS, pooled
from engine.papers.dynamic_priority.waits import FIRST_CONTAINER, run_uncached
from engine.papers.schema import Axis, ClaimMap, Printed, Samples
from engine.papers.trial import Trial

CLAIM = REDUCTIONS.claims[0]
assert isinstance(CLAIM, Printed)


def measure(reduces: float, mean_gap_s: float, trial: Trial) -> Samples:
    """The tests with so many reduces a job, and submissions so many seconds apart on average; half of the
    jobs come with the one before, as ever.
    """
    make = partial(random_test, reduces=round(reduces), mean_gap_s=mean_gap_s)
    return pooled(FIRST_CONTAINER.of(run_uncached(make, SCHEDULERS, trial)))


HEADLINE = ClaimMap(
    title="45 % less waiting",
    says="The score saves a few percent of the waiting to a job's start where jobs stand in line for a "
    "master, and hardly anything where they come minutes apart. Nowhere does it come near the printed 45 %: "
    "at k1 = 0.3 a place in the queue outweighs waiting, and the order stays near that of arrival.",
    experiment="dynamic-priority/reductions",
    claim=CLAIM,
    x=Axis("Reduces a job", "", (1, 2, 4, 6, 9, 12, 18, 24, 36), REDUCES, log=True),
    y=Axis("Mean time between submissions", "s", (0.0, 5.0, 15.0, 30.0, 60.0, 120.0, 240.0), MEAN_GAP_S),
    measure=measure,
    key=CLAIM.key,
    name="reduction of the average waiting time",
    better="larger",
)
