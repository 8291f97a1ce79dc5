"""Figures 4.1 and 4.2, Tables 4.1 and 4.3: AutoAdmin against every static reservation."""

from __future__ import annotations

from collections.abc import Mapping

from engine.papers.autoadmin.optima import SETTINGS
from engine.papers.autoadmin.static import PLATEAU, curve
from engine.papers.autoadmin.sweep import AUTOADMIN, RESERVATIONS, optimum, perf_score, reserved, sweep, worst
from engine.papers.autoadmin.times import TIMES
from engine.papers.autoadmin.workloads import HETEROGENEOUS, OURS, PI_MAPS, SCORED_JOBS, cell, heterogeneous, terasort
from engine.papers.measuring import in_turn, makespan_s, series
from engine.papers.records import Claim, Experiment, Measured, Ordered, Picture, Printed, Series, Show, Tell
from engine.scenario import Scenario
from engine.simulate import simulate

TABLE_4_1 = {1: (90.4, 99.6, 89.3, 91.4), 2: (99.3, 95.6, 99.4, 91.7), 3: (97.6, 99.2, 96.9, 97.4), 4: (88.5, 90.5, 99.7, 98.5)}  # by TC, over AMC
TABLE_4_3 = {"Exp1": 100.0, "Exp2": 85.9, "Exp3": 94.2, "Exp4": 99.1, "Exp5": 90.6, "Exp6": 95.8}
SCORES_4_1 = {cell(task, master): TABLE_4_1[task][master - 1] for task, master in SETTINGS}
BEST = 100.0  # Perf. Score of the best static reservation, from which scores are judged
HALF_A_TENTH = 0.05


def measure(scenarios: Mapping[str, Scenario], printed: Mapping[str, float], tell: Tell) -> Measured:
    """Each scenario under every static reservation and under AutoAdmin."""

    def run(name: str) -> tuple[list[float], float]:
        return sweep(scenarios[name]), makespan_s(simulate(scenarios[name], AUTOADMIN))

    found = dict(zip(scenarios, in_turn(run, list(scenarios), tell)))
    samples: dict[str, list[float]] = {}
    for name, (makespans, dynamic) in found.items():
        samples[f"{name}/score"] = [perf_score(dynamic, makespans)]
        samples[f"{name}/optimum"] = [optimum(makespans)]
        samples[f"{name}/autoadmin"] = [dynamic]
        samples[f"{name}/shortest"] = [min(makespans)]
        samples[f"{name}/longest"] = [worst(makespans)]
    scores = sorted((samples[f"{name}/score"][0] for name in scenarios), reverse=True)
    samples["more than half"] = [scores[len(scores) // 2]]
    names = list(scenarios)
    paper = Series("paper", tuple(names), tuple(printed.values()), paper=True)
    bars = Picture("Perf. Score", "bars", "", "Perf. Score (%)", (series("ours", names, samples, [f"{name}/score" for name in names]), paper))
    best = sum(dynamic <= min(makespans) for makespans, dynamic in found.values())
    note = f"In {best} of {len(found)} batches AutoAdmin is as fast as the best static reservation or faster."
    return Measured(samples, (bars, *(_picture(name, *both) for name, both in found.items())), (note,))


def _picture(name: str, makespans: list[float], dynamic: float) -> Picture:
    ends = (RESERVATIONS[0], RESERVATIONS[-1])
    return Picture(name, "lines", "Reserved (vcores)", "Makespan (s)", (curve("static", makespans), Series("AutoAdmin", ends, (dynamic, dynamic))))


def score(name: str, number: float, where: str) -> Printed:
    """A Perf. Score, judged on its distance from the best static reservation's 100 %."""
    return Printed(f"Perf. Score, {name}", f"{name}/score", number, "%", where, of=BEST, off=HALF_A_TENTH)


def degraded(name: str, where: str) -> Claim:
    return Ordered(f"{name}: AutoAdmin is faster than an inappropriate reservation", (f"{name}/autoadmin", f"{name}/longest"), where)


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
    measure=lambda tell: measure({cell(*one): terasort(*one, SCORED_JOBS, TIMES.found) for one in SETTINGS}, SCORES_4_1, tell),
    claims=(
        *(score(name, number, "Table 4.1") for name, number in SCORES_4_1.items()),
        Printed("Perf. Score exceeded in more than half of the cases", "more than half", 95.0, "%", "section 4.2.1", least=True, of=BEST),
        Ordered("Other requirements need another reservation", ("TC=1, AMC=4/optimum", "TC=1, AMC=1/optimum", "TC=4, AMC=1/optimum"), "section 4.2.1"),
    ),
    ours=(*OURS, PLATEAU),
    conflicts=(
        "Section 4.2.1 says that AutoAdmin \"always obtains the best performance compared to the results under the static resource reservations\" in almost "
        "all settings. By Eq. 4.1 that is a Perf. Score of 100 %; the highest of Table 4.1's 16 is 99.7 %, the lowest 88.5 %. The table is judged.",
    ),
    fit=TIMES,
    thousands=125,
)
FIG_4_2 = Experiment(
    key="fig-4-2",
    title="AutoAdmin, mixed jobs",
    where="Fig. 4.2, Tables 4.2 and 4.3",
    setting="Six batches of 60 jobs of two to four benchmarks, whose masters, maps and reduces ask for different numbers of vcores (Table 4.2): under every "
    "static reservation, and under AutoAdmin.",
    notice="One static reservation has to serve masters and tasks of all sizes at once; AutoAdmin computes its own from the means of those that run.",
    shows=lambda: tuple(Show(f"Table 4.2, {name}", heterogeneous(name, TIMES.found), (reserved(32), AUTOADMIN)) for name in HETEROGENEOUS),
    measure=lambda tell: measure({name: heterogeneous(name, TIMES.found) for name in HETEROGENEOUS}, TABLE_4_3, tell),
    claims=(
        *(score(name, number, "Table 4.3") for name, number in TABLE_4_3.items()),
        *(degraded(name, "section 4.2.2") for name in HETEROGENEOUS),
    ),
    ours=(
        *OURS,
        PLATEAU,
        f"A map takes one time a split of 128 MB, whatever the benchmark; the paper gives no times. Pi has {PI_MAPS} maps. Every job has one reduce. Terasort's "
        "takes as much longer as there is input, since it writes all of it; the others' reduces get next to nothing, and take the time of 100 MB.",
        "The jobs are submitted in the order of Table 4.2's rows, all at once.",
    ),
    fit=TIMES,
    thousands=100,
)
