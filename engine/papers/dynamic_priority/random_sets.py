"""The two charts of other sets of six jobs, which are pictures without numbers: sets drawn in the manner of
Table 1.
"""

from __future__ import annotations

import random
from functools import cache

from engine.papers.columns import full_names
from engine.papers.dynamic_priority.worked_examples import FIFO, JOBS, METRICS, SCORE, SCORE_03, one_by_one
from engine.papers.measuring import metrics as measured
from engine.papers.measuring import over_seeds, series
from engine.papers.schema import ALGORITHM, Experiment, Measurement, Ordered, Picture, Reading, Show
from engine.papers.trial import Trial
from engine.scenario.model import Scenario

SCHEDULERS = {FIFO: "FIFO", SCORE: "proposed, k1 = 1", SCORE_03: "proposed, k1 = 0.3"}
SAYS = "section 5.1, Figures 1 and 2"
AGAIN = "the claim on waiting again: turnaround is waiting and run time, and no order changes the run times"
SETS_SHOWN = 5  # as many as the paper's charts have beside Table 1


@cache
def ranges() -> tuple[int, tuple[int, int]]:
    """Table 1's last arrival, and its shortest and longest run time, in seconds."""
    arrivals, runs = zip(*JOBS.values())
    return max(arrivals), (min(runs), max(runs))


def random_six_jobs(seed: int) -> Scenario:
    """Six jobs in the manner of Table 1: whole seconds, uniform in its ranges, the first at 0."""
    rng, (last, (shortest, longest)) = random.Random(seed), ranges()
    arrivals = [0, *(rng.randint(0, last) for _ in range(len(JOBS) - 1))]
    jobs = {
        f"J{number}": (arrival, rng.randint(shortest, longest))
        for number, arrival in enumerate(arrivals, start=1)
    }
    return one_by_one(f"Dynamic priority: set {seed}", jobs)


def measure(trial: Trial) -> Measurement:
    samples = over_seeds(random_six_jobs, tuple(SCHEDULERS), measured(*METRICS), trial)
    return Measurement(
        samples,
        lambda: _pictures(samples),
        lambda: {scheduler: _counted(samples, scheduler) for scheduler in (SCORE, SCORE_03)},
    )


def _pictures(samples: dict[str, list[float]]) -> tuple[Picture, ...]:
    pictures = []
    for key, title in METRICS.items():
        lines = []
        for scheduler, name in SCHEDULERS.items():
            first_sets = {
                f"set {number}": [value]
                for number, value in enumerate(samples[f"{scheduler}/{key}"][:SETS_SHOWN], start=1)
            }
            lines.append(series(name, list(first_sets), first_sets, list(first_sets)))
        pictures.append(Picture(f"{title}, the first sets", "bars", "", f"{title} (s)", tuple(lines)))
    return tuple(pictures)


def _counted(samples: dict[str, list[float]], scheduler: str) -> str:
    """In how many sets the score waits less than FIFO, as long, and longer."""
    pairs = list(zip(samples[f"{scheduler}/mean_wait_s"], samples[f"{FIFO}/mean_wait_s"]))
    less, same = sum(new < old for new, old in pairs), sum(new == old for new, old in pairs)
    longer = len(pairs) - less - same
    return (
        f"With {SCHEDULERS[scheduler]}, the average waiting time is shorter in {less} of {len(pairs)} "
        f"sets, as long in {same}, longer in {longer}."
    )


SETS = Experiment(
    key="sets",
    title="Other sets of six jobs",
    where="Figures 1 and 2",
    setting="100 sets of six jobs that run one at a time, drawn in the ranges of Table 1, under FIFO and "
    "under the proposed score with k1 = 1 and with k1 = "
    "0.3. The paper draws two charts of five further sets and gives no numbers.",
    notice="A job that has waited long for its short run time overtakes. Jobs run one at a time without a "
    "break, so the average turnaround is the average "
    "waiting time and the average run time, whoever goes first: both charts say the same.",
    shows=lambda: (Show("Six jobs drawn like Table 1", random_six_jobs(1), full_names(tuple(SCHEDULERS))),),
    readings=(
        Reading(
            measure,
            "One job runs at a time, so it follows from the rules, and nothing of a test bed plays a part.",
        ),
    ),
    claims=tuple(
        Ordered(
            f"{title} is shorter than under FIFO, {SCHEDULERS[one].split(', ')[1]}",
            (f"{one}/{key}", f"{FIFO}/{key}"),
            SAYS,
            basis=ALGORITHM,
            gain_not_given="both charts' values are lost",
            untestable=again,
            theme="by-hand",
        )
        for one in (SCORE, SCORE_03)
        for (key, title), again in zip(METRICS.items(), ("", AGAIN))
    ),
    assumptions=(
        "The sets: arrivals and run times are whole seconds, uniform in the ranges of Table 1, and one "
        "job arrives at 0; splits are half the run time.",
        "Table 1 takes k1 = 1 for simplicity, Algorithm 1 says 0.3; the paper doesn't say which one the "
        "charts take. Both are run.",
    ),
    thousand_containers=2,
)
