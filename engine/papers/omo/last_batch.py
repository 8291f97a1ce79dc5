"""Fig. 8: how many of a job's maps end together with its last one."""

from __future__ import annotations

import numpy as np

from engine.papers.judge import average
from engine.papers.measuring import series
from engine.papers.omo.cloudlab import cases, readings, shown
from engine.papers.omo.fits import LONG_VALUES, SHORT_VALUES
from engine.papers.omo.simulations import ends_of_maps, run_cases
from engine.papers.omo.workloads import Values, mixed
from engine.papers.schema import READING, Experiment, Measurement, Ordered, Picture, Reason
from engine.papers.trial import Trial
from engine.simulation.run import Run

TOGETHER_MS = 10_000
TRIED_SEEDS = range(1, 11)
FAIR, OMO = "Fair-0.05", "OMO"
SAYS = "section V-C"
BY_MAP_TIME = (
    "how many maps end within 10 s hangs on how long a map takes, which the paper does not say and the "
    "two beds put at different times"
)
JOBS = tuple(range(1, len(mixed("A")) + 1))


def last_batches(run: Run) -> dict[str, float]:
    """By job number: its maps that end within 10 s up to the end of its last map."""
    counts: dict[str, float] = {}
    for job in JOBS:
        ends = ends_of_maps(run, job - 1)
        counts[f"job {job}"] = sum(end >= max(ends) - TOGETHER_MS for end in ends)
    return counts


def measure(calibration: Values, trial: Trial) -> Measurement:
    samples = run_cases(cases("Set A", mixed("A"), (FAIR, OMO), calibration), last_batches, trial)
    fair, omo = (np.array([samples[f"{name}/job {job}"] for job in JOBS]) for name in (FAIR, OMO))
    samples |= {
        "Fair/largest": fair.max(axis=0).tolist(),
        "Fair/sixth smallest": np.sort(fair, axis=0)[len(JOBS) // 2 - 1].tolist(),
        "Fair/mean": fair.mean(axis=0).tolist(),
        "OMO/mean": omo.mean(axis=0).tolist(),
        "OMO larger": (omo > fair).mean(axis=0).tolist(),
        "OMO smaller": (omo < fair).mean(axis=0).tolist(),
    }
    samples |= {
        name: [limit] * fair.shape[1]
        for name, limit in (("10 tasks", 10.0), ("5 tasks", 5.0), ("half", 0.5), ("none", 0.0))
    }

    def pictures() -> tuple[Picture, ...]:
        bars = [series(name, JOBS, samples, [f"{name}/job {job}" for job in JOBS]) for name in (FAIR, OMO)]
        return (Picture("Last batch of maps", "bars", "Job", "Maps", tuple(bars)),)

    return Measurement(samples, pictures, lambda: {"map time": _note()})


def _note() -> str:
    """The mean last batch on both beds."""
    rows = []
    for maps, values in (("long", LONG_VALUES), ("short", SHORT_VALUES)):
        found = run_cases(cases("Set A", mixed("A"), (FAIR, OMO), values), last_batches, seeds=TRIED_SEEDS)
        fair, omo = (
            sum(average(found[f"{name}/job {job}"]) for job in JOBS) / len(JOBS) for name in (FAIR, OMO)
        )
        rows.append(f"with {maps} maps {fair:.1f} under Fair and {omo:.1f} under OMO")
    return f"Maps in a job's last batch, on average: {', '.join(rows)}."


FIGURE_8 = Experiment(
    key="figure-8",
    title="The last batch of maps",
    where="Fig. 8, section V-C",
    setting=(
        "The 12 mixed jobs of Set A on 20 nodes under Fair and under OMO. A job's last batch is those of "
        "its maps that end within 10 s before its last."
    ),
    notice="Under Fair a job gets its share of the containers that become free, one now and one then, so "
    "its last maps end one after another. OMO gives one "
    "job all of them, so by the paper its last maps start, and end, close together.",
    shows=lambda: shown("Set A", mixed("A"), (OMO,), (FAIR,)),
    readings=readings(measure),
    claims=(
        Ordered(
            "Under Fair no last batch has more than 10 maps",
            ("Fair/largest", "10 tasks"),
            SAYS,
            ties=True,
            unit="maps",
            untestable=BY_MAP_TIME,
        ),
        Ordered(
            "Under Fair half of the jobs have fewer than 5 maps in their last batch",
            ("Fair/sixth smallest", "5 tasks"),
            SAYS,
            unit="maps",
            untestable=BY_MAP_TIME,
        ),
        Ordered(
            "Under OMO the last batch is usually larger: on average over the jobs",
            ("Fair/mean", "OMO/mean"),
            SAYS,
            unit="maps",
            reason="map time",
            theme="batch",
        ),
        Ordered(
            "Under OMO the last batch is usually larger: for more than half of the jobs",
            ("half", "OMO larger"),
            SAYS,
            unit="of the jobs",
            reason="map time",
            theme="batch",
        ),
        Ordered(
            "There are jobs whose last batch is smaller under OMO",
            ("none", "OMO smaller"),
            SAYS,
            unit="of the jobs",
            untestable="of twelve jobs some have fewer in any two schedules whose times are drawn",
        ),
    ),
    assumptions=(
        "Set A is the set with 12 mixed jobs for 20 nodes; Fair has its default slow start, "
        "0.05. All maps take the same time on average here, so that "
        "what the text says of jobs with short maps can't be looked at.",
        "Usually much bigger is read as bigger, on average and for more than half of the jobs: how much "
        "is not said.",
    ),
    reasons={
        "map time": Reason(
            READING,
            "Long maps spread over so many seconds that one or two of a job end within its last 10 s under "
            "any scheduler; short ones that start together end together.",
            "map time",
        ),
    },
    thousand_containers=45,
)
