"""Fig. 1 and 9: which containers run maps, shuffle and reduce, over time."""

from __future__ import annotations

import numpy as np

from engine.papers.judge import mean
from engine.papers.measuring import change_pct, series, simulated
from engine.papers.omo.beds import cases
from engine.papers.omo.fits import AWS_BED, CLOUDLAB, CLOUDLAB_BED, TAIL_FAIR_005, TAIL_FAIR_1
from engine.papers.omo.simulations import FRESH, MAP_ONLY, MAPS, OMO, TAIL, Case, Samples, dynamic, native, side_by_side, spans
from engine.papers.omo.tried import contentions
from engine.papers.omo.workloads import CONTAINERS, GB, SHUFFLE_GB, aws, cloudlab, simple
from engine.papers.schema import Experiment, Measured, Picture, Printed, Reading, Series, Show
from engine.papers.trial import Trial
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import Run

POINTS = 300  # of a curve
HELD = "maps hold_pct"
SAYS = "section V-D1"
NINE = ("Fair-1", "Fair-0.05", "FRESH", "OMO")
CHANGES = {
    "FRESH after Fair-1": ("Fair-1", "FRESH"),
    "OMO after Fair-1": ("Fair-1", "OMO"),
    "OMO after FRESH": ("FRESH", "OMO"),
}
MORE_MAPS = "Fair-0.05 after Fair-1/map phase_s"


def containers_over_time(run: Run) -> tuple[Series, ...]:
    """How many containers run maps, shuffle (or wait for maps) and reduce, at POINTS moments of the run."""
    c = run.containers
    at = np.linspace(run.first_ms, run.until_ms, POINTS)
    parts = {
        "map": (c.start[c.kind == MAP], c.end[c.kind == MAP]),
        "shuffle": (c.start[c.kind == REDUCE], c.shuffle_end[c.kind == REDUCE]),
        "reduce": (c.shuffle_end[c.kind == REDUCE], c.end[c.kind == REDUCE]),
    }
    made = []
    for name, (start, end) in parts.items():
        held = np.searchsorted(np.sort(start), at, "right") - np.searchsorted(np.sort(end), at, "right")
        made.append(Series(name, tuple(((at - run.first_ms) / 1000).round(1).tolist()), tuple(held.tolist())))
    return tuple(made)


def over_time(title: str, case: Case) -> Picture:
    """The picture of one run."""
    return Picture(title, "steps", "Time (s)", "Containers", containers_over_time(simulated(*case)))


def one_job() -> Case:
    """One Terasort job on two nodes of four containers that take either kind, as in Table 3."""
    return Case(aws("one Terasort job, dynamic containers", 1, 2, AWS_BED, 1), dynamic(0.5))


def release(run: Run) -> dict[str, float]:
    """How often maps end before the first reduce starts and after the last one has, and that for each container with a map; up to the last map's end."""
    c = run.containers
    maps, reduces = c.kind == MAP, c.kind == REDUCE
    parts = {"before": (run.first_ms, c.start[reduces].min()), "after": (c.start[reduces].max(), run.jobs.maps_end.max())}
    found = {}
    for name, (begin, end) in parts.items():
        ended = ((c.end[maps] > begin) & (c.end[maps] <= end)).sum() * 1000
        held = (np.clip(c.end[maps], begin, end) - np.clip(c.start[maps], begin, end)).sum()
        found |= {f"{name}, frequency": ended / (end - begin), f"{name}, for each available": ended / held}
    return found


def measure_one(trial: Trial) -> Measured:
    found = side_by_side({"Terasort": one_job()}, release, trial=trial)
    held = [mean(found[f"Terasort/{name}, frequency"]).mean / mean(found[f"Terasort/{name}, for each available"]).mean for name in ("before", "after")]
    often = [mean(found[f"Terasort/{name}, frequency"]).mean for name in ("before", "after")]
    notes = (
        f"Of the eight containers maps hold {held[0]:.1f} on average before the reduces start and {held[1]:.1f} after it.",
        f"Containers are released {often[0]:.2f} times a second before, {often[1]:.2f} times after it.",
    )
    return Measured(found, lambda: (over_time("Containers of one Terasort job (seed 1)", one_job()),), lambda: notes)


def eight(values: dict[str, float] = CLOUDLAB_BED) -> dict[str, Case]:
    """Eight Terasort jobs of 20 GB under the four schedulers of Fig. 9."""
    return cases("eight Terasort jobs", simple("Terasort"), NINE, values=values)


def changes(found: Samples) -> Samples:
    """The map phases against each other, as the text does."""
    made = {f"{name}/map phase_pct": change_pct(found[f"{old}/{MAPS}"], found[f"{new}/{MAPS}"]) for name, (old, new) in CHANGES.items()}
    return {**made, MORE_MAPS: [late - early for late, early in zip(found[f"Fair-0.05/{MAPS}"], found[f"Fair-1/{MAPS}"])]}


def spans_and_maps(run: Run) -> dict[str, float]:
    """The spans, and the share of all containers' time in the map phase that maps hold, in percent."""
    c, found = run.containers, spans(run)
    held = (c.end - c.start)[c.kind == MAP].sum() / 1000
    return {**found, HELD: 100 * held / (found[MAPS] * CONTAINERS * len(run.workload.node_names))}


def measure_eight(trial: Trial) -> Measured:
    found = side_by_side(eight(), spans_and_maps, trial=trial)
    found |= changes(found)
    bars = [series(phase, NINE, found, [f"{name}/{key}" for name in NINE]) for phase, key in (("map phase", MAPS), ("shuffle after it", TAIL))]
    pictures = [Picture("Map phase, and the shuffle after it", "stacked", "", "Time (s)", tuple(bars))]
    pictures += [over_time(f"Containers under {name} (seed 1)", case) for name, case in eight().items()]
    return Measured(found, lambda: tuple(pictures), lambda: _notes(found))


def _notes(found: Samples) -> tuple[str, ...]:
    ours = {key: mean(found[key]).mean for key in (f"FRESH/{HELD}", f"OMO/{MAPS}", f"OMO/{MAP_ONLY}")}
    fetch = SHUFFLE_GB["Terasort"] * GB / 2 / CLOUDLAB_BED["mb_s"]
    return (
        f"In FRESH's map phase maps hold {ours[f'FRESH/{HELD}']:.0f} % of all containers' time: if no container ever waited for a heartbeat or for the last "
        f"maps, it would be {100 - ours[f'FRESH/{HELD}']:.0f} % shorter.",
        f"A reduce takes {fetch:.0f} s to fetch its input, the map phase of OMO {ours[f'OMO/{MAPS}']:.0f} s in all; OMO's first reduce starts after "
        f"{ours[f'OMO/{MAP_ONLY}']:.0f} s.",
        contentions("Terasort"),
    )


def _shows() -> tuple[Show, ...]:
    jobs = simple("Terasort")
    return (
        Show("Eight Terasort jobs, dynamic containers", cloudlab("eight Terasort jobs, dynamic containers", jobs, CLOUDLAB_BED, 1), (FRESH, OMO)),
        Show(
            "Eight Terasort jobs, fixed slots",
            cloudlab("eight Terasort jobs, fixed slots", jobs, CLOUDLAB_BED, 1, typed=True),
            (native(1), native(0.05)),
        ),
    )


FIGURE_1 = Experiment(
    key="figure-1",
    title="Containers of one Terasort job",
    where="Fig. 1",
    setting="One Terasort job of 8 GB (80 maps, 4 reduces) on two nodes of four containers that take either kind, with slow start 0.5.",
    notice="When half of the maps have ended the four reduces take half of the containers, and wait there for maps. Fewer containers are released then, but "
    "not half as few: a node is given one container a report, every 3 s, and maps as short as these leave some empty before and after.",
    shows=lambda: (Show("One Terasort job, dynamic containers", one_job().scenario, (dynamic(0.5), dynamic(1), OMO)),),
    readings=(Reading(measure_one, "Nothing is fitted."),),
    claims=(),
    ours=(
        "The paper prints no number on this figure and says nothing of it, so there is nothing to judge. Job and cluster are those of Table 3, slow start is "
        "the smallest there, 0.5.",
        "Before is until the first reduce starts, after is from the last reduce's start to the last map's end; available is a container while it runs a map.",
    ),
)
FIGURE_9 = Experiment(
    key="figure-9",
    title="Containers of eight Terasort jobs",
    where="Fig. 9, section V-D1",
    setting="Eight Terasort jobs of 20 GB (80 maps, 2 reduces each) on 20 nodes: Fair with 2 slots for maps and 2 for reduces a node, and slow start 1 and "
    "0.05; FRESH (slow start 1) and OMO with four containers a node that take either kind.",
    notice="Under Fair-1 the whole shuffle comes after the maps; under Fair-0.05 it runs beside them. FRESH gives the maps all containers first. By "
    "the paper OMO starts the reduces just before the maps end, so that little shuffle is left: see how early they start here, and how much is left.",
    shows=_shows,
    readings=(Reading(measure_eight, "Fitted to named cells of the paper; everything else is a prediction with these unchanged.", fit=CLOUDLAB),),
    claims=(
        Printed("Shuffle after the map phase, Fair-1", TAIL_FAIR_1, 293, "s", SAYS),
        Printed("Shuffle after the map phase, Fair-0.05", TAIL_FAIR_005, 36, "s", SAYS),
        Printed("Map phase, Fair-0.05 longer than Fair-1 by", MORE_MAPS, 75, "s", SAYS, side=True),
        Printed("Map phase, OMO against Fair-1", "OMO after Fair-1/map phase_pct", -34.9, "%", SAYS, side=True),
        Printed("Shuffle after the map phase, OMO", f"OMO/{TAIL}", 43, "s", SAYS, against=(TAIL_FAIR_1, 293)),
        Printed("Map phase, FRESH against Fair-1", "FRESH after Fair-1/map phase_pct", -17.8, "%", SAYS, side=True),
        Printed("Map phase, OMO against FRESH", "OMO after FRESH/map phase_pct", -20.8, "%", SAYS, side=True),
    ),
    ours=(
        "Map and reduce time and what a reduce fetches in a second are fixed from 293 s, 36 s and Table 7's Fair-1. The 75 s are not used: no setting of the "
        "parameters brings them about, for here a reduce that fetches slows no map.",
        "How much tasks on a node slow each other is taken from the fit to Table 2: Fair never has more than two maps on a node, so its runs here can't tell.",
        "The map phase runs from the first arrival to the end of the last map of all jobs, the shuffle after it to the end of the last shuffle.",
    ),
    why="A reduce that fetches slows no map here, while on a real node it takes disk and processor from them; this is a rule of the model, so nothing can be "
    "tried against the 75 s. The 36 s make maps short, so that a reduce needs more time to fetch its input than the maps need in all: OMO starts reduces as "
    "soon as it has seen a window, is late all the same, and its reduces hold containers that FRESH gives to maps. FRESH's containers run maps for most of "
    "its map phase, which bounds what a better order of the same maps can gain on it. How much FRESH gains depends on how four maps on a node slow each "
    "other, which is taken from other machines.",
    thousands=300,
)
