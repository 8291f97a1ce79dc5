"""Figures 2.2 and 2.3: 66 Terasort jobs under static reservations."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.papers.autoadmin.reasons import undivided
from engine.papers.autoadmin.reserve_sweep import AUTOADMIN, RESERVATIONS, optimum, reserved, sweep_each
from engine.papers.autoadmin.times import EXPERIMENT, TIMES
from engine.papers.autoadmin.workloads import OURS, SIZES, STATIC_JOBS, VCORES, cell, terasort
from engine.papers.columns import WRITTEN
from engine.papers.measuring import makespan_s, series, simulated
from engine.papers.schema import Claim, Experiment, Measured, Ordered, Picture, Reading, Series, Show
from engine.papers.trial import Trial

CASE_1 = tuple((4, master) for master in SIZES)  # (TC, AMC)
CASE_2 = tuple((task, 4) for task in SIZES)
PLATEAU = (
    "A makespan has plateaus, since only whole masters count, and a measured optimum lies anywhere on one: as the optimal reservation we take the median of "
    "all reservations whose makespan is within 1 % of the shortest, everywhere."
)
UNDIVIDED = "With the same times on one node of 64 vcores, where nothing is left over on a node,"

WHY = (
    "We think that the reason is what is left over on nodes of 8 vcores. Such a node holds two containers of 3 vcores as of 4, so that both sizes behave "
    "alike; and small masters, spread over the nodes, leave holes on each that are too small for a task. The note gives the optimal reservations on one "
    "undivided node; the paper's eight nodes are not changed for the claims."
)


def curve(name: str, makespans: Sequence[float]) -> Series:
    """Makespan over the reservation; a deadlock is a gap."""
    return Series(name, tuple(RESERVATIONS), tuple(makespan if math.isfinite(makespan) else None for makespan in makespans))


def shown(task: int, master: int) -> tuple[Show, ...]:
    """One setting under Fair alone, at the reservation that the paper found best, with too much reserved, and with AutoAdmin."""
    best = EXPERIMENT[task][master - 1]
    scenario = terasort(task, master, STATIC_JOBS, TIMES.found)
    return (Show(f"66 Terasort jobs, {cell(task, master)}", scenario, (WRITTEN["fair"], reserved(best), reserved(56), AUTOADMIN)),)


def measure(settings: Sequence[tuple[int, int]], axis: str, trial: Trial) -> Measured:
    """Sweep these settings. In the samples: optimum, vcores; the shortest makespan; with the most reserved that lets one job run; under Fair alone."""
    names = [cell(*setting) for setting in settings]
    scenarios = {name: terasort(*setting, STATIC_JOBS, TIMES.found) for name, setting in zip(names, settings)}
    curves = sweep_each({**scenarios, **{(name, "undivided"): undivided(scenario) for name, scenario in scenarios.items()}}, trial)
    samples: dict[str, list[float]] = {}
    for name, (_, master) in zip(names, settings):
        makespans = curves[name]
        samples[f"{name}/optimum"] = [optimum(makespans)]
        samples[f"{name}/shortest"] = [min(makespans)]
        samples[f"{name}/most reserved"] = [makespans[VCORES - master]]
        samples[f"{name}/fair"] = [makespan_s(simulated(scenarios[name], WRITTEN["fair"], trial))]
    optima = series("ours", SIZES, samples, [f"{name}/optimum" for name in names])
    paper = Series("Table 3.1", SIZES, tuple(EXPERIMENT[task][master - 1] for task, master in settings), paper=True)
    lower = Picture("Optimal reservation", "lines", axis, "Reserved (vcores)", (optima, paper))
    upper = Picture("Makespan", "lines", "Reserved (vcores)", "Makespan (s)", tuple(curve(name, curves[name]) for name in names))
    whole = ", ".join(f"{optimum(curves[name, 'undivided']):g} for {name}" for name in names)
    return Measured(samples, lambda: (upper, lower), lambda: (f"{UNDIVIDED} the optimal reservations are {whole}.",))


def claims(settings: Sequence[tuple[int, int]], what: str, rising: Sequence[tuple[int, int]], where: str) -> tuple[Claim, ...]:
    """The order of the optima, and what too much and nothing reserved does."""
    names = [cell(*setting) for setting in settings]
    order = Ordered(what, tuple(f"{cell(*setting)}/optimum" for setting in rising), f"{where}, lower plot; section 2.3", unit="vcores")
    shortest = tuple(f"{name}/shortest" for name in names)
    most = tuple(f"{name}/most reserved" for name in names)
    too_much = Ordered("Reserving too much sacrifices concurrency", (shortest, most), "section 1; section 2.3", unit="s")
    none = (shortest, tuple(f"{name}/fair" for name in names))
    return (order, too_much, Ordered("Under Fair alone the masters of 66 jobs take every vcore and none ever ends", none, "section 2.2", unit="s"))


FIG_2_2 = Experiment(
    key="fig-2-2",
    title="Static reservations, masters of 1 to 4 vcores",
    where="Fig. 2.2",
    setting="66 Terasort jobs of 100 MB, submitted at once to 64 vcores. Maps and reduces ask for 4 vcores, ApplicationMasters for 1 to 4. The Fair scheduler "
    "keeps a fixed number of vcores free of masters, from 0 to 63: the makespan over this number, and the number with the shortest makespan.",
    notice="Left of the curves' beginnings the jobs' masters fill the cluster and wait for each other for ever: a deadlock. Right of the lowest point few "
    "masters run, and the vcores kept for tasks stand idle. The smaller a master, the more vcores are left for tasks while as many jobs run.",
    shows=lambda: shown(4, 1),
    readings=(
        Reading(
            lambda trial: measure(CASE_1, "Master (vcores)", trial),
            "Fitted to named cells of the paper; everything else is a prediction with these unchanged.",
            fit=TIMES,
        ),
    ),
    claims=claims(CASE_1, "The optimal reservation falls as masters grow", CASE_1[::-1], "Fig. 2.2"),
    ours=(*OURS, PLATEAU),
    why=WHY,
    thousands=53,
)
FIG_2_3 = Experiment(
    key="fig-2-3",
    title="Static reservations, tasks of 1 to 4 vcores",
    where="Fig. 2.3",
    setting="The same 66 Terasort jobs. ApplicationMasters ask for 4 vcores, maps and reduces for 1 to 4.",
    notice="The larger a task, the more vcores must be kept so that the running jobs find room for one each.",
    shows=lambda: shown(1, 4),
    readings=(
        Reading(
            lambda trial: measure(CASE_2, "Task (vcores)", trial),
            "Fitted to named cells of the paper; everything else is a prediction with these unchanged.",
            fit=TIMES,
        ),
    ),
    claims=claims(CASE_2, "The optimal reservation rises as tasks grow", CASE_2, "Fig. 2.3"),
    ours=(*OURS, PLATEAU),
    why=WHY,
    thousands=25,
)
