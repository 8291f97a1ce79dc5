"""Figures 2.2 and 2.3: 66 Terasort jobs under static reservations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from engine.papers.autoadmin.ablations import on_one_node
from engine.papers.autoadmin.reserve_sweep import (
    ABLATION_SEEDS,
    AUTOADMIN,
    RESERVATIONS,
    SEEDS,
    Sweep,
    near_best,
    optimum,
    reserved,
    sweep_each,
    under,
)
from engine.papers.autoadmin.task_times import EXPERIMENT, SAYS, TIMES
from engine.papers.autoadmin.workloads import ASSUMPTIONS, SIZES, STATIC_JOBS, VCORES, cell, terasort
from engine.papers.columns import FULL_NAMES
from engine.papers.measuring import series
from engine.papers.schema import (
    ALGORITHM,
    CONTRADICTION,
    NOISE,
    Claim,
    Experiment,
    Measurement,
    Ordered,
    Picture,
    Reading,
    Reason,
    Series,
    Show,
)
from engine.papers.trial import Trial

CASE_1 = tuple((4, master) for master in SIZES)  # (TC, AMC)
CASE_2 = tuple((task, 4) for task in SIZES)
PLATEAU = (
    "Single runs of the same batch differ by about 2 %, and a makespan has plateaus, since only whole "
    "masters count: the optimal reservation is the median of "
    f"all whose makespan is within 1 % of the shortest, on the curve of means over {SEEDS} seeds. The "
    "paper tells of no repeated runs."
)
Shown = Callable[[Mapping[str, Sweep]], str]  # the note that shows why the order does not hold
ON_ONE_NODE = "On one node of 64 vcores, where nothing is left over on a node,"
ONE_SYSTEM = (
    "A node of 8 vcores holds two containers of 3 vcores as of 4, and beside a master of 3 or 4 one task "
    "of 3 or 4"
)


def curve(name: str, makespans: Sequence[float]) -> Series:
    """Makespan over the reservation; a deadlock is a gap."""
    return Series(
        name,
        tuple(RESERVATIONS),
        tuple(makespan if math.isfinite(makespan) else None for makespan in makespans),
    )


def printed_optimum(task: int, master: int) -> int:
    """Table 3.1's, by experiment."""
    return EXPERIMENT[task][master - 1]


def shown(task: int, master: int) -> tuple[Show, ...]:
    """One setting under Fair alone, at the reservation that the paper found best, with too much reserved, and
    with AutoAdmin.
    """
    scenario = terasort(task, master, STATIC_JOBS, TIMES.values)
    return (
        Show(
            f"66 Terasort jobs, {cell(task, master)}",
            scenario,
            (FULL_NAMES["fair"], reserved(printed_optimum(task, master)), reserved(56), AUTOADMIN),
        ),
    )


def measure(settings: Sequence[tuple[int, int]], axis: str, trial: Trial, shows: Shown) -> Measurement:
    """Sweep these settings. In the samples: optimum, vcores; else makespans, s, one a seed: with Table 3.1's
    optimum reserved, with the least reserved that is no deadlock, with the most that lets one job run, with
    that of those that end which takes longest, and under Fair alone. shows: the note on the order."""
    limited = trial.at_most(SEEDS)
    names = [cell(*setting) for setting in settings]
    scenarios = {
        name: terasort(*setting, STATIC_JOBS, TIMES.values) for name, setting in zip(names, settings)
    }
    curves = sweep_each(scenarios, limited)
    samples: dict[str, list[float]] = {}
    for name, (task, master) in zip(names, settings):
        sweep_result = curves[name]
        longest = max(
            RESERVATIONS,
            key=lambda vcores: sweep_result.mean[vcores] if math.isfinite(sweep_result.mean[vcores]) else -1,
        )
        samples[f"{name}/optimum"] = [optimum(sweep_result.mean)]
        samples[f"{name}/printed optimum"] = sweep_result.at(printed_optimum(task, master))
        samples[f"{name}/least reserved"] = sweep_result.at(sweep_result.min_feasible)
        samples[f"{name}/most reserved"] = sweep_result.at(VCORES - master)
        samples[f"{name}/longest"] = sweep_result.at(longest)
        samples[f"{name}/fair"] = under(scenarios[name], FULL_NAMES["fair"], limited)
    optima = series("ours", SIZES, samples, [f"{name}/optimum" for name in names])
    paper = Series("Table 3.1", SIZES, tuple(printed_optimum(*setting) for setting in settings), paper=True)
    lower = Picture("Optimal reservation", "lines", axis, "Reserved (vcores)", (optima, paper))
    upper = Picture(
        "Makespan",
        "lines",
        "Reserved (vcores)",
        "Makespan (s)",
        tuple(curve(name, curves[name].mean) for name in names),
    )
    return Measurement(samples, lambda: (upper, lower), lambda: _notes(names, curves, scenarios, shows))


def _flat(curves: Mapping[str, Sweep]) -> str:
    """The optima of masters of 2 and of 3 vcores, which the paper has the other way round."""
    two, three = cell(4, 2), cell(4, 3)
    low, high = near_best(curves[two].mean)
    printed, means = printed_optimum(4, 2), curves[two].mean
    singles = [optimum(run) for run in curves[two].runs]
    longer = 100 * (means[printed] / min(means) - 1)
    run_spread = 100 * max(
        max(values) / min(values) - 1 for values in zip(*(run[low : high + 1] for run in curves[two].runs))
    )
    return (
        f"{two}: {low} to {high} reserved lie within 5 % of the shortest makespan, and the printed "
        f"{printed} costs {longer:.1f} %; single runs of one reservation in this range differ by up to "
        f"{run_spread:.1f} %, and their optima go from {min(singles):g} to {max(singles):g}. {three}: "
        f"ours is {optimum(curves[three].mean):g}."
    )


def _same_curve(curves: Mapping[str, Sweep]) -> str:
    """The largest difference between the makespans of tasks of 3 and of 4 vcores beside masters of 4."""
    three, four = cell(3, 4), cell(4, 4)
    largest = max(
        (
            abs(one - other) if one != other else 0.0
            for run, same in zip(curves[three].runs, curves[four].runs)
            for one, other in zip(run, same)
        ),
    )
    first, second = printed_optimum(3, 4), printed_optimum(4, 4)
    return (
        f"{three} and {four}: the makespans differ by {largest:g} s at most, over all {len(RESERVATIONS)} "
        f"reservations and {len(curves[three].runs)} seeds. The printed {first} and {second} reserved both "
        f"leave room for {(VCORES - first) // 4} and {(VCORES - second) // 4} masters of 4 vcores."
    )


def _notes(names: Sequence[str], curves: dict[str, Sweep], scenarios: dict, shows: Shown) -> dict[str, str]:
    ranges = "; ".join("{} to {} ({})".format(*near_best(curves[name].mean), name) for name in names)
    undivided_curves = sweep_each(
        {name: on_one_node(scenario) for name, scenario in scenarios.items()}, Trial().at_most(ABLATION_SEEDS)
    )
    best = ", ".join(f"{optimum(undivided_curves[name].mean):g} for {name}" for name in names)
    return {
        "order": shows(curves),
        "near-best": f"Within 5 % of the shortest makespan lie reservations of {ranges}.",
        "one-node": f"{ON_ONE_NODE} the optimal reservations are {best} ({ABLATION_SEEDS} seeds).",
    }


def claims(
    settings: Sequence[tuple[int, int]], what: str, rising: Sequence[tuple[int, int]], where: str
) -> tuple[Claim, ...]:
    """The order of the optima, and what too much, too little and nothing reserved does."""
    names = [cell(*setting) for setting in settings]
    order = Ordered(
        what,
        tuple(f"{cell(*setting)}/optimum" for setting in rising),
        f"{where}, lower plot; section 2.3",
        unit="vcores",
        reason="order",
        theme="optimum",
    )
    printed, max_reserved = (
        tuple(f"{name}/printed optimum" for name in names),
        tuple(f"{name}/most reserved" for name in names),
    )
    too_much = Ordered(
        "Reserving so much that one job runs at a time sacrifices concurrency",
        (printed, max_reserved),
        "section 1; section 2.3",
        unit="s",
        basis=ALGORITHM,
        theme="reserve",
    )
    longest, fair = tuple(f"{name}/longest" for name in names), tuple(f"{name}/fair" for name in names)
    none = Ordered(
        "Under Fair alone the masters take every vcore, and none of the jobs ends",
        (longest, fair),
        "section 2.2",
        unit="s",
        basis=ALGORITHM,
        theme="reserve",
    )
    return (order, too_much, *(_too_little(name, where) for name in names), none)


def _too_little(name: str, where: str) -> Ordered:
    what = f"{name}: with the least reserved that is no deadlock, jobs wait for room and are delayed"
    return Ordered(
        what,
        (f"{name}/printed optimum", f"{name}/least reserved"),
        f"section 1; {where}",
        unit="s",
        theme="reserve",
    )


STATIC_ASSUMPTIONS = (
    *ASSUMPTIONS,
    PLATEAU,
    "Section 1 gives no reservation for too many or too few: the most that lets a job run, and the least "
    "that is no deadlock.",
)
FIG_2_2 = Experiment(
    key="fig-2-2",
    title="Static reservations, masters of 1 to 4 vcores",
    where="Fig. 2.2",
    setting="66 Terasort jobs of 100 MB, submitted at once to 64 vcores. Maps and reduces ask for 4 "
    "vcores, ApplicationMasters for 1 to 4. The Fair scheduler "
    "keeps a fixed number of vcores free of masters, from 0 to 63: the makespan over this number, and the "
    "number with the shortest makespan.",
    notice="Left of the curves' beginnings the jobs' masters fill the cluster and wait for each other for "
    "ever: a deadlock. Right of the lowest point few "
    "masters run, and the vcores kept for tasks stand idle. The smaller a master, the more vcores are "
    "left for tasks while as many jobs run.",
    shows=lambda: shown(4, 1),
    readings=(Reading(lambda trial: measure(CASE_1, "Master (vcores)", trial, _flat), SAYS, fit=TIMES),),
    claims=claims(CASE_1, "The optimal reservation falls as masters grow", CASE_1[::-1], "Fig. 2.2"),
    assumptions=STATIC_ASSUMPTIONS,
    reasons={
        "order": Reason(
            NOISE,
            "The curve for masters of 2 vcores is so flat that its lowest point can be left or right of the "
            "one for masters of 3.",
            "order",
        ),
    },
    unattainable=(
        f"{ONE_SYSTEM}. With tasks of 4 vcores masters of 3 and of 4 have the same makespan for the same "
        "number of masters, whatever the physics; Table 3.1 "
        "prints 36 and 32, which are 9 masters and 8.",
    ),
    thousand_containers=250,
)
FIG_2_3 = Experiment(
    key="fig-2-3",
    title="Static reservations, tasks of 1 to 4 vcores",
    where="Fig. 2.3",
    setting="The same 66 Terasort jobs. ApplicationMasters ask for 4 vcores, maps and reduces for 1 to 4.",
    notice="The larger a task, the more vcores must be kept so that the running jobs find room for one each.",
    shows=lambda: shown(1, 4),
    readings=(Reading(lambda trial: measure(CASE_2, "Task (vcores)", trial, _same_curve), SAYS, fit=TIMES),),
    claims=claims(CASE_2, "The optimal reservation rises as tasks grow", CASE_2, "Fig. 2.3"),
    assumptions=STATIC_ASSUMPTIONS,
    reasons={
        "order": Reason(
            CONTRADICTION,
            "Beside masters of 4 vcores a node of 8 holds one task of 3 or one of 4, so the two curves are "
            "the same and no optimum can rise between them.",
            "order",
        ),
    },
    unattainable=(
        f"{ONE_SYSTEM}. With masters of 4 vcores the two curves are the same, whatever the physics: the "
        "optimum can't rise from 29 to 32 between them.",
    ),
    thousand_containers=120,
)
