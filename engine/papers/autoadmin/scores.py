"""Figures 4.1 and 4.2, Tables 4.1 and 4.3: AutoAdmin against every static reservation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from statistics import fmean, median

from engine.experiments.replications import in_parallel
from engine.papers.autoadmin.optima import SETTINGS
from engine.papers.autoadmin.reasons import DRAWN, SPREAD, reduces_last, spread, undivided
from engine.papers.autoadmin.reserve_sweep import AUTOADMIN, RESERVATIONS, optimum, perf_score, reserved, sweep, worst
from engine.papers.autoadmin.static import PLATEAU, UNDIVIDED, curve
from engine.papers.autoadmin.times import TIMES
from engine.papers.autoadmin.workloads import HETEROGENEOUS, OURS, PI_MAPS, SCORED_JOBS, cell, heterogeneous, terasort
from engine.papers.measuring import makespan_s, series, simulated
from engine.papers.schema import Claim, Experiment, Measured, Ordered, Picture, Printed, Reading, Series, Show
from engine.papers.trial import Trial
from engine.scenario.model import Scenario

TABLE_4_1 = {1: (90.4, 99.6, 89.3, 91.4), 2: (99.3, 95.6, 99.4, 91.7), 3: (97.6, 99.2, 96.9, 97.4), 4: (88.5, 90.5, 99.7, 98.5)}  # by TC, over AMC
TABLE_4_3 = {"Exp1": 100.0, "Exp2": 85.9, "Exp3": 94.2, "Exp4": 99.1, "Exp5": 90.6, "Exp6": 95.8}
SCORES_4_1 = {cell(task, master): TABLE_4_1[task][master - 1] for task, master in SETTINGS}
BEST = 100.0  # Perf. Score of the best static reservation, from which scores are judged
Change = Callable[[Scenario], Scenario]
HALF_A_TENTH = 0.05  # of the print's last digit
CLOSE = 95.0  # section 4.2.1
AS_IS = "As they are,"
LAST = {
    "With reduces that start after all maps (slowstart 1),": reduces_last,
    "With such reduces on one node of 64 vcores,": lambda scenario: undivided(reduces_last(scenario)),
}
LOW_FLOOR = "fair(reservations=no, update_ms=0)+slowstart+autoadmin(floor=0.2)"


def measure(scenarios: Mapping[str, Scenario], printed: Mapping[str, float], changes: Mapping[str, Change], trial: Trial) -> Measured:
    """Each scenario under every static reservation and under AutoAdmin, as it is and with changes that test a reason, by what a sentence calls them."""
    drawn = {f"With task times that spread by {100 * SPREAD:g} % (seed {seed})": partial(spread, seed=seed) for seed in DRAWN}
    batches = {(change, name): make(one) for change, make in ({AS_IS: lambda one: one} | changes | drawn).items() for name, one in scenarios.items()}
    found = dict(zip(batches, in_parallel(partial(_both, trial=trial), list(batches.values()), trial.progress)))
    scores = {change: {name: perf_score(*found[change, name]) for name in scenarios} for change, _ in batches}
    samples: dict[str, list[float]] = {}
    for name in scenarios:
        dynamic, makespans = found[AS_IS, name]
        samples[f"{name}/score"] = [scores[AS_IS][name]]
        samples[f"{name}/optimum"] = [optimum(makespans)]
        samples[f"{name}/autoadmin"] = [dynamic]
        samples[f"{name}/shortest"] = [min(makespans)]
        samples[f"{name}/longest"] = [worst(makespans)]
    samples["more than half"] = [sorted(scores[AS_IS].values(), reverse=True)[len(scenarios) // 2]]
    names = tuple(scenarios)
    bars = (series("ours", names, samples, [f"{name}/score" for name in names]), Series("paper", names, tuple(printed.values()), paper=True))
    pictures = (Picture("Perf. Score", "bars", "", "Perf. Score (%)", bars), *(_picture(name, *found[AS_IS, name]) for name in names))
    spread_out = {name: fmean(scores[change][name] for change in drawn) for name in names}
    notes = (
        f"In {sum(score >= BEST for score in scores[AS_IS].values())} of {len(names)} batches AutoAdmin is as fast as the best static reservation or faster.",
        *(f"{change} {_told(scores[change])}." for change in (AS_IS, *changes)),
        f"With task times that spread by {100 * SPREAD:g} %, mean of {len(drawn)} seeds, {_told(spread_out)}.",
    )
    return Measured(samples, lambda: pictures, lambda: notes)


def homogeneous(trial: Trial) -> Measured:
    """Table 4.1, and its worst corner with a lower floor."""
    scenarios = {cell(*one): terasort(*one, SCORED_JOBS, TIMES.found) for one in SETTINGS}
    found = measure(scenarios, SCORES_4_1, {UNDIVIDED: undivided}, trial)
    low = cell(1, 4)
    score, shortest = found.samples[f"{low}/score"][0], found.samples[f"{low}/shortest"]
    lowered = perf_score(makespan_s(simulated(scenarios[low], LOW_FLOOR)), shortest)
    return found._replace(notes=(*found.notes, f"{low} with a floor of 20 % instead of 40 %: a score of {lowered:.1f} % instead of {score:.1f} %."))


def mixed(trial: Trial) -> Measured:
    """Table 4.3, and with reduces that start last."""
    found = measure({name: heterogeneous(name, TIMES.found) for name in HETEROGENEOUS}, TABLE_4_3, LAST, trial)
    optima = ", ".join(f"{name} {found.samples[f'{name}/optimum'][0]:g}" for name in HETEROGENEOUS)
    return found._replace(notes=(f"The optimal static reservations, in vcores: {optima}.", *found.notes))


def _both(scenario: Scenario, trial: Trial) -> tuple[float, list[float]]:
    """The makespan under AutoAdmin, and those under every static reservation."""
    return makespan_s(simulated(scenario, AUTOADMIN, trial)), sweep(scenario, trial)


def _told(scores: Mapping[str, float]) -> str:
    above = sum(score > CLOSE for score in scores.values())
    return f"AutoAdmin's Perf. Score is above 95 % in {above} of {len(scores)} batches, its median {median(scores.values()):.1f} %"


def _picture(name: str, dynamic: float, makespans: list[float]) -> Picture:
    ends = (RESERVATIONS[0], RESERVATIONS[-1])
    return Picture(name, "lines", "Reserved (vcores)", "Makespan (s)", (curve("static", makespans), Series("AutoAdmin", ends, (dynamic, dynamic))))


def score(name: str, number: float, where: str) -> Printed:
    """A Perf. Score, judged on its distance from the best static reservation's 100 %."""
    return Printed(f"Perf. Score, {name}", f"{name}/score", number, "%", where, of=BEST, off=HALF_A_TENTH)


def degraded(name: str, where: str) -> Claim:
    return Ordered(f"{name}: AutoAdmin is faster than an inappropriate reservation", (f"{name}/autoadmin", f"{name}/longest"), where, unit="s")


RISING = ("TC=1, AMC=4", "TC=1, AMC=1", "TC=4, AMC=1")
FIG_4_1 = Experiment(
    key="fig-4-1",
    title="AutoAdmin, equal jobs",
    where="Fig. 4.1, Table 4.1",
    setting="72 equal Terasort jobs of 100 MB submitted at once, in 16 settings of masters and tasks of 1 to 4 vcores: under every static reservation, and "
    "under AutoAdmin. Perf. Score is 100 % when AutoAdmin's makespan is that of the best static reservation, and less by as much as it is longer.",
    notice="AutoAdmin does not know the best reservation; it follows Eq. 3.1 with what runs now. A score of 90 % is a makespan 10 % longer than the best.",
    shows=lambda: (
        Show("72 Terasort jobs, TC=1, AMC=1", terasort(1, 1, SCORED_JOBS, TIMES.found), (reserved(32), AUTOADMIN)),
        Show("72 Terasort jobs, TC=4, AMC=1", terasort(4, 1, SCORED_JOBS, TIMES.found), (reserved(48), AUTOADMIN)),
    ),
    readings=(Reading(homogeneous, "Fitted to named cells of the paper; everything else is a prediction with these unchanged.", fit=TIMES),),
    claims=(
        *(score(name, number, "Table 4.1") for name, number in SCORES_4_1.items()),
        Printed("Perf. Score exceeded in more than half of the cases", "more than half", CLOSE, "%", "section 4.2.1", least=True, of=BEST),
        Ordered("Other requirements need another reservation", tuple(f"{one}/optimum" for one in RISING), "section 4.2.1", unit="vcores"),
    ),
    ours=(*OURS, PLATEAU),
    conflicts=(
        'Section 4.2.1 says that AutoAdmin "always obtains the best performance compared to the results under the static resource reservations" in almost '
        "all settings. By Eq. 4.1 that is a Perf. Score of 100 %; the highest of Table 4.1's 16 is 99.7 %, the lowest 88.5 %. The table is judged.",
    ),
    why="Three things, we think. Nodes of 8 vcores that masters and tasks don't fill: AutoAdmin counts the vcores of the whole cluster, so that what it keeps "
    "for tasks may lie in pieces too small for one; the notes give the scores on one undivided node. The floor of 40 %, 25.6 vcores, which for small tasks "
    "beside large masters is more than the best reservation in our runs (the paper's own optimum there is 26); the last note lowers it for one of them. And "
    "equal times, with which jobs end in step, so that a little less room can cost a whole round; the notes give scores with times that spread.",
    thousands=1000,
)
FIG_4_2 = Experiment(
    key="fig-4-2",
    title="AutoAdmin, mixed jobs",
    where="Fig. 4.2, Tables 4.2 and 4.3",
    setting="Six batches of 60 jobs of two to four benchmarks, whose masters, maps and reduces ask for different numbers of vcores (Table 4.2): under every "
    "static reservation, and under AutoAdmin.",
    notice="One static reservation has to serve masters and tasks of all sizes at once; AutoAdmin computes its own from the means of those that run.",
    shows=lambda: tuple(Show(f"Table 4.2, {name}", heterogeneous(name, TIMES.found), (reserved(32), AUTOADMIN)) for name in HETEROGENEOUS),
    readings=(Reading(mixed, "Fitted to named cells of the paper; everything else is a prediction with these unchanged.", fit=TIMES),),
    claims=(
        *(score(name, number, "Table 4.3") for name, number in TABLE_4_3.items()),
        *(degraded(name, "section 4.2.2") for name in HETEROGENEOUS),
    ),
    ours=(
        *OURS,
        PLATEAU,
        f"A map takes one time a split of 128 MB, whatever the benchmark; the paper gives no times. Pi has {PI_MAPS} maps. Every job has one reduce. "
        "Terasort's takes as much longer as there is input, since it writes all of it; the others' reduces get next to nothing, and take the time of 100 MB.",
        "The jobs are submitted in the order of Table 4.2's rows, all at once.",
    ),
    why="In part, we think, how early reduces start. With slowstart 0.05 a job of several maps asks for its reduce after the first of them, and that reduce "
    "holds its vcores while it waits for the others, in a reserve that was computed as if every task worked. The notes give the scores with reduces that "
    "start last, on the eight nodes and on an undivided one. Neither brings all six to the paper's; how long its benchmarks' tasks ran it does not say.",
    thousands=700,
)
