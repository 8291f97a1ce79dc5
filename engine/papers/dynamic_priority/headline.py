"""Under which conditions the paper's 45 % less waiting comes: over the reduces of a job and the mean gap
between submissions.
"""

from __future__ import annotations

from functools import partial

from engine.papers.columns import columns
from engine.papers.dynamic_priority.lab import MEAN_GAP_S, REDUCES, random_test
from engine.papers.dynamic_priority.sets import REDUCTIONS, SCHEDULERS, pooled
from engine.papers.dynamic_priority.waits import LESS_RUN_TIME, run_uncached
from engine.papers.schema import Axis, ClaimMap, Printed, Samples
from engine.papers.trial import Trial

CLAIM = REDUCTIONS.claims[0]
assert isinstance(CLAIM, Printed)


def measure(reduces: float, mean_gap_s: float, trial: Trial) -> Samples:
    """The tests with so many reduces a job, and submissions so many seconds apart on average; half of the
    jobs come with the one before, as ever.
    """
    make = partial(random_test, reduces=round(reduces), mean_gap_s=mean_gap_s)
    return pooled(LESS_RUN_TIME.of(run_uncached(make, columns(*SCHEDULERS), trial)))


HEADLINE = ClaimMap(
    title="45 % less waiting",
    says="Waiting is turnaround less run time here. The score saves where a job has many reduces: under "
    "Fair every job's reduces then hold containers while "
    "they wait for maps, and one queue in order of arrival spares that, with the score or without. With "
    "one reduce a job, Hadoop's default, nearly nothing is "
    "saved, or it waits longer; where submissions are minutes apart more than the printed 45 % may come.",
    experiment="dynamic-priority/reductions",
    claim=CLAIM,
    x=Axis("Reduces a job", "", (1, 2, 4, 6, 9, 12, 18, 24, 36), REDUCES, log=True),
    y=Axis("Mean time between submissions", "s", (0.0, 5.0, 15.0, 30.0, 60.0, 120.0, 240.0), MEAN_GAP_S),
    measure=measure,
    key=CLAIM.key,
    name="reduction of the average waiting time",
    better="larger",
)
