"""Fig. 1 and 9: which containers run maps, shuffle and reduce, over time."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine import quantities
from engine.papers.judge import average
from engine.papers.measuring import change_pct, run_trial, series
from engine.papers.omo.cloudlab import cases, readings, shown
from engine.papers.omo.fits import (
    AWS,
    AWS_VALUES,
    FRESH_SHORTER,
    LONG_VALUES,
    LONGER,
    SHORT_VALUES,
    TAIL_005,
    TAIL_1,
    TAIL_FAIR_1,
    noise_of,
    noise_of_change,
    with_map_phases,
)
from engine.papers.omo.makespans import changes_picture
from engine.papers.omo.simulations import (
    MAP_ONLY,
    MAPS,
    OMO,
    SEEDS,
    TAIL,
    Case,
    Samples,
    dynamic,
    run_cases,
    spans,
)
from engine.papers.omo.workloads import CONTAINERS, GB, SHUFFLE_GB, Values, aws, simple
from engine.papers.schema import (
    CONTRADICTION,
    READING,
    UNKNOWN,
    Experiment,
    Measurement,
    Picture,
    Printed,
    Reading,
    Reason,
    Series,
    Show,
)
from engine.papers.trial import Trial
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import Run

POINTS = 300  # of a curve
HELD = "maps hold_pct"
SAYS = "section V-D1"
NINE = ("Fair-1", "Fair-0.05", "FRESH", "OMO")
PAPER_TAILS = {"Fair-1": 293.0, "Fair-0.05": 36.0, "OMO": 43.0}
ESTIMATES = (("pending", "observed"), ("running", "nominal"), ("pending", "nominal"))
TRIED_SEEDS = range(1, 11)
LAZY_ALONE = "Lazy Start"
JOB_MAPS, BED = 8 * 80, 20 * CONTAINERS  # of Fig. 9


def containers_over_time(run: Run) -> tuple[Series, ...]:
    """How many containers run maps, shuffle (or wait for maps) and reduce, at POINTS moments of the run."""
    c = run.containers
    at = np.linspace(run.first_ms, run.until_ms, POINTS)
    parts = {
        "map": (c.start[c.kind == MAP], c.end[c.kind == MAP]),
        "shuffle": (c.start[c.kind == REDUCE], c.shuffle_end[c.kind == REDUCE]),
        "reduce": (c.shuffle_end[c.kind == REDUCE], c.end[c.kind == REDUCE]),
    }
    curves = []
    for name, (start, end) in parts.items():
        held = np.searchsorted(np.sort(start), at, "right") - np.searchsorted(np.sort(end), at, "right")
        curves.append(
            Series(name, tuple(((at - run.first_ms) / 1000).round(1).tolist()), tuple(held.tolist()))
        )
    return tuple(curves)


def over_time(title: str, case: Case) -> Picture:
    """The picture of one run."""
    return Picture(title, "steps", "Time (s)", "Containers", containers_over_time(run_trial(*case)))


def one_job() -> Case:
    """One Terasort job on two nodes of four containers that take either kind, as in Table 3."""
    return Case(aws("one Terasort job, dynamic containers", 1, 2, AWS_VALUES, 1), dynamic(0.5))


def release(run: Run) -> dict[str, float]:
    """How often maps end before the first reduce starts and after the last one has, and that for each
    container with a map; up to the last map's end.
    """
    c = run.containers
    maps, reduces = c.kind == MAP, c.kind == REDUCE
    parts = {
        "before": (run.first_ms, c.start[reduces].min()),
        "after": (c.start[reduces].max(), run.jobs.maps_end.max()),
    }
    rates: dict[str, float] = {}
    for name, (begin, end) in parts.items():
        ended = ((c.end[maps] > begin) & (c.end[maps] <= end)).sum() * 1000
        held = (np.clip(c.end[maps], begin, end) - np.clip(c.start[maps], begin, end)).sum()
        rates |= {f"{name}, frequency": ended / (end - begin), f"{name}, for each available": ended / held}
    return rates


def measure_one(trial: Trial) -> Measurement:
    samples = run_cases({"Terasort": one_job()}, release, trial.at_most(SEEDS))
    held = [
        average(samples[f"Terasort/{name}, frequency"])
        / average(samples[f"Terasort/{name}, for each available"])
        for name in ("before", "after")
    ]
    often = [average(samples[f"Terasort/{name}, frequency"]) for name in ("before", "after")]
    notes = {
        "held": f"Of the eight containers maps hold {held[0]:.1f} on average before the reduces start and "
        f"{held[1]:.1f} after it.",
        "released": f"Containers are released {often[0]:.2f} times a second before, {often[1]:.2f} times "
        "after it.",
    }
    return Measurement(
        samples, lambda: (over_time("Containers of one Terasort job (seed 1)", one_job()),), lambda: notes
    )


def eight(calibration: Values) -> dict[str, Case]:
    """Eight Terasort jobs of 20 GB under the four schedulers of Fig. 9."""
    return cases("eight Terasort jobs", simple("Terasort"), NINE, calibration)


def spans_and_maps(run: Run) -> dict[str, float]:
    """The spans, and the share of all containers' time in the map phase that maps hold, in percent."""
    c, values = run.containers, spans(run)
    held = (c.end - c.start)[c.kind == MAP].sum() / 1000
    return {**values, HELD: 100 * held / (values[MAPS] * CONTAINERS * len(run.workload.node_names))}


def measure_eight(calibration: Values, trial: Trial) -> Measurement:
    samples = with_map_phases(run_cases(eight(calibration), spans_and_maps, trial))
    samples |= {
        f"OMO after {old}/map phase_pct": change_pct(samples[f"{old}/{MAPS}"], samples[f"OMO/{MAPS}"])
        for old in ("Fair-1", "FRESH")
    }

    def pictures() -> tuple[Picture, ...]:
        bars = [
            series(phase, NINE, samples, [f"{name}/{key}" for name in NINE])
            for phase, key in (("map phase", MAPS), ("shuffle after it", TAIL))
        ]
        stacked = Picture("Map phase, and the shuffle after it", "stacked", "", "Time (s)", tuple(bars))
        times = Picture(
            "Shuffle after the map phase",
            "bars",
            "",
            "Time (s)",
            (
                series("ours", NINE, samples, [f"{name}/{TAIL}" for name in NINE]),
                Series("paper", tuple(PAPER_TAILS), tuple(PAPER_TAILS.values()), paper=True),
            ),
        )
        return (
            times,
            changes_picture(FIGURE_9.claims, samples),
            stacked,
            *(
                over_time(f"Containers under {name} (seed 1)", case)
                for name, case in eight(calibration).items()
            ),
        )

    return Measurement(samples, pictures, lambda: _notes(samples, calibration))


def _notes(samples: Samples, calibration: Values) -> dict[str, str]:
    """Why FRESH's map phase can't be so much shorter, and what OMO's estimate makes of the other readings of
    its two numbers.
    """
    held, maps, only = (average(samples[key]) for key in (f"FRESH/{HELD}", f"OMO/{MAPS}", f"OMO/{MAP_ONLY}"))
    other = {
        f"jobs={jobs}, bandwidth={seen}": Case(
            eight(calibration)["OMO"].scenario, f"omo(jobs={jobs}, bandwidth={seen})+admit-all"
        )
        for jobs, seen in ESTIMATES
    }
    tails = run_cases(other, spans, seeds=TRIED_SEEDS)
    lazy = run_cases(
        cases("eight Terasort jobs", simple("Terasort"), [LAZY_ALONE], calibration), spans, seeds=TRIED_SEEDS
    )
    rounds = math.ceil(JOB_MAPS / BED)
    others = "; ".join(
        f"{name}: map phase {average(tails[f'{name}/{MAPS}']):.0f} s, then "
        f"{average(tails[f'{name}/{TAIL}']):.0f} s"
        for name in other
    )
    return {
        "rounds": f"{JOB_MAPS} maps on {BED} containers are at least {rounds} rounds, and while FRESH gives "
        "maps all containers none is idle for longer than one map: no order gains more than one round, "
        f"{quantities.percent(1 / rounds)}. Here maps hold {quantities.percent(held / 100)} of all "
        "containers' time in FRESH's map phase.",
        "short": _short_note(),
        "fetching": "A reduce alone takes "
        f"{SHUFFLE_GB['Terasort'] * GB / 2 / calibration['mb_s']:.0f} s to fetch its input, the map phase "
        f"of OMO {maps:.0f} s in all; OMO's first reduce starts after {only:.0f} s.",
        "estimate": f"OMO leaves {average(samples[f'OMO/{TAIL}']):.0f} s to shuffle, Lazy Start alone "
        f"{average(lazy[f'{LAZY_ALONE}/{TAIL}']):.0f} s. OMO with the other readings of its estimate: "
        f"{others}.",
    }


def _short_note() -> str:
    """What Fair-0.05 leaves to shuffle on both beds."""
    left = []
    for values in (LONG_VALUES, SHORT_VALUES):
        found = run_cases(
            cases("eight Terasort jobs", simple("Terasort"), NINE[1:2], values), spans, seeds=TRIED_SEEDS
        )
        left.append(average(found[f"Fair-0.05/{TAIL}"]))
    return f"Fair-0.05 leaves {left[0]:.0f} s to shuffle with long maps and {left[1]:.0f} s with short ones."


FIGURE_1 = Experiment(
    key="figure-1",
    title="Containers of one Terasort job",
    where="Fig. 1",
    setting=(
        "One Terasort job of 8 GB (80 maps, 4 reduces) on two nodes of four containers that take either "
        "kind, with slow start 0.5."
    ),
    notice="When half of the maps have ended the four reduces take half of the containers, and wait there "
    "for maps. Fewer containers are released then, but "
    "not half as few: a node is given one container a report, every 3 s, and maps as short as these leave "
    "some empty before and after.",
    shows=lambda: (
        Show("One Terasort job, dynamic containers", one_job().scenario, (dynamic(0.5), dynamic(1), OMO)),
    ),
    readings=(Reading(measure_one, "Times and bandwidth of the AWS bed, fitted to Table 2.", fit=AWS),),
    claims=(),
    assumptions=(
        "The paper prints no number on this figure and says nothing of it, so there is nothing to judge. "
        "Job and cluster are those of Table 3, slow start is "
        "the smallest there, 0.5.",
        "Before is until the first reduce starts, after is from the last reduce's start to the last map's "
        "end; available is a container while it runs a map.",
    ),
)
FIGURE_9 = Experiment(
    key="figure-9",
    title="Containers of eight Terasort jobs",
    where="Fig. 9, section V-D1",
    setting="Eight Terasort jobs of 20 GB (80 maps, 2 reduces each) on 20 nodes: Fair with 2 slots for "
    "maps and 2 for reduces a node, and slow start 1 and "
    "0.05; FRESH (slow start 1) and OMO with four containers a node that take either kind.",
    notice="Under Fair-1 the whole shuffle comes after the maps; under Fair-0.05 it runs beside them. "
    "FRESH gives the maps all containers first. By "
    "the paper OMO holds the reduces back as long as their shuffle allows, so that little of it is left: "
    "see how early they start here, and how much is left.",
    shows=lambda: shown("Eight Terasort jobs", simple("Terasort"), ("FRESH", "OMO"), ("Fair-1", "Fair-0.05")),
    readings=readings(measure_eight),
    claims=(
        TAIL_1,
        replace(TAIL_005, reason="short"),
        LONGER,
        Printed(
            "Map phase, OMO against Fair-1",
            "OMO after Fair-1/map phase_pct",
            -34.9,
            "%",
            SAYS,
            side=True,
            noise=noise_of_change(-34.9),
            reason="rounds",
            theme="omo",
        ),
        Printed(
            "Shuffle after the map phase, OMO",
            f"OMO/{TAIL}",
            43,
            "s",
            SAYS,
            against=(TAIL_FAIR_1, 293),
            noise=noise_of(43),
            reason="estimate",
        ),
        FRESH_SHORTER,
        Printed(
            "Map phase, OMO against FRESH",
            "OMO after FRESH/map phase_pct",
            -20.8,
            "%",
            SAYS,
            side=True,
            noise=noise_of_change(-20.8),
            reason="rounds",
            theme="batch",
        ),
    ),
    assumptions=(
        "The map phase runs from the first arrival to the end of the last map of all jobs, the shuffle "
        "after it to the end of the last shuffle.",
        "The 34.9 % follow from the other two: 1 - (1 - 0.178) x (1 - 0.208) = 34.9 %.",
    ),
    reasons={
        "rounds": Reason(
            CONTRADICTION,
            "FRESH gives maps all containers until the last round, and one round is less than OMO is said to "
            "gain.",
            "rounds",
        ),
        "estimate": Reason(
            UNKNOWN,
            "The batches end a job's maps sooner than its reduces expect, so that more is left to shuffle "
            "than under Lazy Start alone.",
            "estimate",
        ),
        "short": Reason(
            READING,
            "What Fair-0.05 leaves to shuffle hangs on how long a map takes: short maps give the 36 s, long "
            "ones don't.",
            "short",
        ),
    },
    thousand_containers=100,
)
