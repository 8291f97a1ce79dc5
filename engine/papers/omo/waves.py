"""Fig. 4 and 5: maps that end in waves, and maps that don't."""

from __future__ import annotations

import numpy as np

from engine.papers.measuring import change_pct, run_each, series
from engine.papers.omo.fits import AWS, AWS_VALUES
from engine.papers.omo.simulations import SEEDS, Case, native, run_cases
from engine.papers.omo.workloads import (
    GAP_S,
    GB,
    SHUFFLE_GB,
    WIKI_GB,
    WIKI_MAPS,
    WIKI_REDUCES,
    cluster,
    scenario,
    task,
)
from engine.papers.schema import ALGORITHM, Experiment, Measurement, Ordered, Picture, Printed, Reading, Show
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.view import MAP
from engine.simulation.run import Run

UNIT_S = 60
FIG_4_JOBS = (12, 13)  # maps
SLOTS = (3, 1)  # Fig. 5, for maps and reduces of a node
NODES = 4
# maps, shuffle / input
THREE = {
    "terasort": (50, SHUFFLE_GB["Terasort"] / 20),
    "wordcount": (32, SHUFFLE_GB["WordCount"] / 20),
    "kmeans": (32, 0.0),
}
WAVES_AT = 0.6
ROUNDS = (
    "it is arithmetic: 12 / 3 rounds and one for the reduce, 13 / 3 rounded up and one; every scheduler "
    "that leaves no slot idle gives it"
)
HOW_WELL = (
    "the paper says not well aligned and gives no measure; that maps whose times differ fall out of step "
    "at all follows from the spread of the times, and "
    "that the first wave is better aligned is our comparison, which a container a report decides: one "
    "job's maps need several reports to start"
)


def one_more(maps: int) -> Scenario:
    """Fig. 4: so many maps of one time unit on 3 slots, and a reduce of one unit after them."""
    node = {
        "name": "cluster",
        "count": 1,
        "vcores": 4,
        "memory_mb": 4 * GB,
        "map_slots": SLOTS[0],
        "reduce_slots": SLOTS[1],
    }
    unit = {"vcores": 1, "memory_mb": GB, "duration_s": UNIT_S}
    job = {"name": "job", "maps": {"count": maps, **unit}, "reduces": {"count": 1, **unit}}
    return scenario(f"{maps} maps on 3 slots", {"nodes": [node], "heartbeat_ms": 0}, [job], 0)


def measure_4(trial: Trial) -> Measurement:
    samples = {}
    for done, maps in enumerate(FIG_4_JOBS):
        samples[f"{maps} maps/time"] = run_each(
            one_more(maps), {"Fair": native(0.05)}, _units, Trial(conditions=trial.conditions)
        )["Fair/units"]
        trial.progress(done + 1, len(FIG_4_JOBS))
    samples["13 after 12 maps/time_pct"] = change_pct(*(samples[f"{maps} maps/time"] for maps in FIG_4_JOBS))
    names = tuple(f"{maps} maps" for maps in FIG_4_JOBS)
    picture = Picture(
        "Execution time of the job",
        "bars",
        "",
        "Time (units)",
        (series("ours", names, samples, [f"{name}/time" for name in names]),),
    )
    return Measurement(samples, lambda: (picture,))


def _units(run: Run) -> dict[str, float]:
    return {"units": run.until_ms / 1000 / UNIT_S}


def three_jobs() -> Scenario:
    """Fig. 5: Terasort, WordCount and k-means of 8 GB on four nodes. Times follow what a task reads or
    fetches, from the fit to Table 2.
    """
    jobs = []
    for number, (name, (maps, ratio)) in enumerate(THREE.items()):
        times = AWS_VALUES["map_s"] * WIKI_MAPS / maps, AWS_VALUES["reduce_s"] * WIKI_REDUCES * ratio
        tasks = {
            "maps": task(maps, times[0]),
            "reduces": task(1, times[1]),
            "shuffle_mb_per_map": ratio * WIKI_GB * GB / maps,
        }
        jobs.append({"name": name, "arrival_s": number * GAP_S, "input_mb": WIKI_GB * GB, **tasks})
    return scenario("three jobs of Fig. 5", cluster(NODES, AWS_VALUES, True, SLOTS), jobs, 1)


def misalignment(run: Run) -> dict[str, float]:
    """How far apart a job's maps of one wave start, in seconds: of the first wave, and the mean over the
    later ones.

    As many maps as there are map slots, in the order of their starts, are a wave; a job's maps in it are
    spread by last start - first start.
    """
    c, slots = run.containers, SLOTS[0] * NODES
    maps = np.flatnonzero(c.kind == MAP)
    maps = maps[np.argsort(c.start[maps], kind="stable")]
    spreads: dict[str, float] = {}
    for job, name in enumerate(run.workload.job_names):
        waves = [c.start[wave[c.job[wave] == job]] for wave in np.split(maps, range(slots, len(maps), slots))]
        apart = [float(np.ptp(starts)) / 1000 for starts in waves if len(starts) > 1]
        spreads |= {
            f"{name}/first wave_s": apart[0],
            f"{name}/later waves_s": sum(apart[1:]) / len(apart[1:]),
        }
    return spreads


def measure_5(trial: Trial) -> Measurement:
    samples = run_cases({"Fair": Case(three_jobs(), native(WAVES_AT))}, misalignment, trial.at_most(SEEDS))
    samples = {key.removeprefix("Fair/"): values for key, values in samples.items()}

    def pictures() -> tuple[Picture, ...]:
        bars = [
            series(wave, tuple(THREE), samples, [f"{name}/{wave}_s" for name in THREE])
            for wave in ("first wave", "later waves")
        ]
        return (
            Picture(
                "Between the first and the last start of a job's maps in a wave",
                "bars",
                "",
                "Time (s)",
                tuple(bars),
            ),
        )

    return Measurement(samples, pictures)


FIGURE_4 = Experiment(
    key="figure-4",
    title="One map more, one round more",
    where="Fig. 4, section IV-D1",
    setting=(
        "One job on three slots for maps and one for reduces; each map takes one time unit, and so does "
        "the reduce once the maps have ended."
    ),
    notice=(
        "12 maps are four rounds of three. The 13th runs alone in a fifth round, and the reduce waits for it."
    ),
    shows=lambda: tuple(
        Show(f"{maps} maps on 3 slots", one_more(maps), (native(0.05),)) for maps in reversed(FIG_4_JOBS)
    ),
    readings=(Reading(measure_4, "Drawn by hand in the paper: one time unit a task."),),
    claims=(
        Printed(
            "Execution time with 12 maps",
            "12 maps/time",
            5,
            "units",
            "Fig. 4a, section IV-D1",
            basis=ALGORITHM,
            untestable=ROUNDS,
        ),
        Printed(
            "Execution time with 13 maps",
            "13 maps/time",
            6,
            "units",
            "Fig. 4b, section IV-D1",
            against=("12 maps/time", 5),
            basis=ALGORITHM,
            untestable=ROUNDS,
        ),
        Printed(
            "13 maps against 12",
            "13 after 12 maps/time_pct",
            20,
            "%",
            "section IV-D1",
            side=True,
            basis=ALGORITHM,
            untestable=ROUNDS,
        ),
    ),
    assumptions=(
        "The figure shows three slots for maps and one for reduces; a time unit is one minute here, and a "
        "node takes a task at once.",
    ),
)
FIGURE_5 = Experiment(
    key="figure-5",
    title="Three jobs whose maps fall out of step",
    where="Fig. 5, section IV-D1",
    setting="Terasort (50 maps), WordCount and k-means (32 each), 8 GB and one reduce each, on four nodes "
    "with 3 slots for maps and 1 for reduces, under Fair "
    "with slow start 0.6.",
    notice="In the first wave all slots are free, and a job's maps start as fast as reports come, one a "
    "node every 3 s. Later a slot becomes free when some "
    "map of some job ends, and a job's maps start whenever that is.",
    shows=lambda: (Show("Three jobs under Fair", three_jobs(), (native(WAVES_AT),)),),
    readings=(Reading(measure_5, "Times and bandwidth of the AWS bed, fitted to Table 2.", fit=AWS),),
    claims=tuple(
        Ordered(
            f"Maps of {name} are less well aligned after the first wave",
            (f"{name}/first wave_s", f"{name}/later waves_s"),
            "section IV-D1",
            untestable=HOW_WELL,
        )
        for name in THREE
    ),
    assumptions=(
        "Aligned is read as: the maps that a job has in one wave start together. A wave is 12 maps, as "
        "many as there are slots, in the order of their starts.",
        "The paper doesn't say on which machines this ran; times are those fixed from Table 2, in "
        "proportion to what a task reads or fetches. WordCount's "
        "shuffle is Table 4's share of its input, that of k-means, which Table 4 lacks, is none.",
    ),
    thousand_containers=12,
)
