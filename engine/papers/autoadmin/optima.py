"""Figure 3.1, Tables 3.1 and 3.2: the optimal reservation of 16 settings against Eq. 3.1."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from itertools import product

from engine.experiments.replications import in_parallel
from engine.papers.autoadmin.reasons import contended, undivided
from engine.papers.autoadmin.reserve_sweep import AUTOADMIN, optimum, reserved, sweep_each
from engine.papers.autoadmin.static import PLATEAU, UNDIVIDED, curve
from engine.papers.autoadmin.times import EXPERIMENT, TIMES, measured
from engine.papers.autoadmin.workloads import OURS, SIZES, STATIC_JOBS, VCORES, cell, terasort
from engine.papers.fitting import residual
from engine.papers.judge import NEAR
from engine.papers.measuring import series
from engine.papers.schema import Experiment, Measured, Ordered, Picture, Printed, Reading, Samples, Series, Show
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.admission.autoadmin import reserve

SETTINGS = tuple(product(SIZES, SIZES))  # (TC, AMC), row by row
PREDICTED = {1: (32, 22, 16, 13), 2: (43, 32, 26, 22), 3: (48, 39, 32, 31), 4: (52, 43, 37, 32)}  # Table 3.1, PDI
FLOORED = {1: (32, 26, 26, 26), 2: (43, 32, 26, 26), 3: (48, 39, 32, 31), 4: (52, 43, 37, 32)}  # Table 3.2, PDI
FLOOR = 0.4  # section 3.2
CORNER = (1, 4)  # the setting whose optimum the paper says Eq. 3.1 underestimates
CONTENTION = 0.3
A_POINT = 0.01
TIMES_TRIED = ((1.0, 2.0, 4.0, 8.0, 16.0), (5.0, 10.0, 20.0, 30.0, 40.0, 60.0))  # s: start-up, a task


def predicted(task: int, master: int, floor: float = 0.0) -> int:
    """Eq. 3.1, as the policy computes it of one master and one task, rounded up as Table 3.1 is; with the floor Table 3.2."""
    return math.ceil(reserve(VCORES, 1, master, 1, task, floor))


def scenarios() -> dict[Hashable, Scenario]:
    """The 16 batches by setting, and by (change, setting) with something changed to test a reason."""
    batches: dict[Hashable, Scenario] = {setting: terasort(*setting, STATIC_JOBS, TIMES.found) for setting in SETTINGS}
    changed: dict[Hashable, Scenario] = {("undivided", setting): undivided(batch) for setting, batch in batches.items()}
    return batches | changed | {("contended", setting): contended(batch, CONTENTION) for setting, batch in batches.items()}


def measure(trial: Trial) -> Measured:
    times = [{"startup_s": startup, "task_s": task} for startup, task in product(*TIMES_TRIED)]
    curves = sweep_each(scenarios() | {("times", number): terasort(*CORNER, STATIC_JOBS, one) for number, one in enumerate(times)}, trial)
    off = in_parallel(partial(residual, TIMES), times)
    samples: dict[str, list[float]] = {}
    for setting in SETTINGS:
        samples[f"{cell(*setting)}/optimum"] = [optimum(curves[setting])]
        samples[f"{cell(*setting)}/Eq. 3.1"] = [predicted(*setting)]
        samples[f"{cell(*setting)}/with floor"] = [predicted(*setting, FLOOR)]
    for what in ("Eq. 3.1", "with floor"):
        away = [abs(samples[f"{cell(*one)}/{what}"][0] - samples[f"{cell(*one)}/optimum"][0]) for one in SETTINGS]
        samples[f"distance/{what}"] = [sum(away) / len(away)]
    return Measured(samples, lambda: _pictures(curves, samples), lambda: (*_notes(curves, samples), *_times_notes(curves, times, off)))


def _notes(curves: Mapping[Hashable, Sequence[float]], samples: Samples) -> tuple[str, ...]:
    pairs = [(samples[f"{cell(*one)}/optimum"][0], samples[f"{cell(*one)}/with floor"][0]) for one in SETTINGS]
    close = sum(abs(floored - found) <= NEAR * found for found, floored in pairs)
    return (
        f"As they are, our cells off the diagonal lie {_off(curves)} from the paper's.",
        f"{UNDIVIDED} they lie {_off(curves, 'undivided')} from them: {_rows(curves, 'undivided')}.",
        f"With contention of {CONTENTION:g}, each further task on a node slowing the others by so much, {_off(curves, 'contended')}: "
        f"{_rows(curves, 'contended')}.",
        f"Of our 16 optima {close} lie within 15 % of the prediction with the floor.",
    )


def _times_notes(curves: Mapping[Hashable, Sequence[float]], times: Sequence[Mapping[str, float]], off: Sequence[float]) -> tuple[str, ...]:
    corner = [optimum(curves["times", number]) for number in range(len(times))]
    best = residual(TIMES, TIMES.found)
    near = "; ".join(f"{one['startup_s']:g} s and {one['task_s']:g} s" for one, error in zip(times, off) if error <= best + A_POINT)
    tried = f"{len(times)} other pairs of times ({_range(TIMES_TRIED[0])} s of start-up, {_range(TIMES_TRIED[1])} s a task)"
    return (
        f"{cell(*CORNER)} with {tried}: an optimum from {min(corner):g} to {max(corner):g} vcores.",
        f"Of these pairs, those that fit the diagonal to within a percentage point as well as the fit's: {near or 'none'}.",
    )


def distance(curves: Mapping[Hashable, Sequence[float]], sizes: Sequence[int], tried: str = "") -> float:
    """Mean distance of the optima off the diagonal from Table 3.1's, as a share of them. sizes: of tasks; tried: a change, as in the keys of the curves."""
    rows = [(task, master) for task, master in SETTINGS if task in sizes and task != master]
    found = [(optimum(curves[(tried, one) if tried else one]), EXPERIMENT[one[0]][one[1] - 1]) for one in rows]
    return sum(abs(ours - paper) / paper for ours, paper in found) / len(found)


def _off(curves: Mapping[Hashable, Sequence[float]], tried: str = "") -> str:
    return f"{100 * distance(curves, (1, 2), tried):.1f} % (TC 1 and 2) and {100 * distance(curves, (3, 4), tried):.1f} % (TC 3 and 4)"


def _rows(curves: Mapping[Hashable, Sequence[float]], tried: str) -> str:
    return "; ".join(f"TC={task}: " + ", ".join(f"{optimum(curves[tried, (task, master)]):g}" for master in SIZES) for task in SIZES)


def _range(values: Sequence[float]) -> str:
    return f"{values[0]:g} to {values[-1]:g}"


def _pictures(curves: Mapping[Hashable, Sequence[float]], samples: Samples) -> tuple[Picture, ...]:
    names = [cell(*setting) for setting in SETTINGS]
    paper = Series("Table 3.1, by experiment", tuple(names), tuple(EXPERIMENT[task][master - 1] for task, master in SETTINGS), paper=True)
    bars = (series("ours", names, samples, [f"{name}/optimum" for name in names]), paper)
    bars += (series("Eq. 3.1 with the floor", names, samples, [f"{name}/with floor" for name in names]),)
    by_task = (
        Picture(f"Makespan, TC={task}", "lines", "Reserved (vcores)", "Makespan (s)", tuple(curve(f"AMC={size}", curves[task, size]) for size in SIZES))
        for task in SIZES
    )
    return (Picture("Optimal reservation", "bars", "", "Reserved (vcores)", bars), *by_task)


def _printed(task: int, master: int) -> Printed:
    return Printed(f"Eq. 3.1's prediction, {cell(task, master)}", f"{cell(task, master)}/Eq. 3.1", PREDICTED[task][master - 1], "vcores", "Table 3.1")


def _floored(task: int, master: int) -> Printed:
    return Printed(f"Prediction with the floor, {cell(task, master)}", f"{cell(task, master)}/with floor", FLOORED[task][master - 1], "vcores", "Table 3.2")


def _ordered(what: str, less: str, more: str) -> Ordered:
    return Ordered(what, (less, more), "section 3.2", unit="vcores")


FIG_3_1 = Experiment(
    key="fig-3-1",
    title="The optimal reservation and its prediction",
    where="Fig. 3.1, Tables 3.1 and 3.2",
    setting="Sixteen batches of 66 equal Terasort jobs: masters (AMC) of 1 to 4 vcores, tasks (TC) of 1 to 4. Each runs under every static reservation; the "
    "one with the shortest makespan is compared with Eq. 3.1, 64 TC / (AMC + TC), and with the same under a floor of 40 % of the cluster.",
    notice="Eq. 3.1 keeps room for one task of each running job. On the diagonal, where a master is as large as a task, that is half of the cluster.",
    shows=lambda: (Show("TC=3, AMC=1 at its prediction and beside it", terasort(3, 1, STATIC_JOBS, TIMES.found), (reserved(32), reserved(48), AUTOADMIN)),),
    readings=(Reading(measure, "Fitted to named cells of the paper; everything else is a prediction with these unchanged.", fit=TIMES),),
    claims=(
        *(measured(*setting) for setting in SETTINGS),
        *(_printed(*setting) for setting in SETTINGS),
        *(_floored(task, master) for task, master in SETTINGS if FLOORED[task][master - 1] != PREDICTED[task][master - 1]),
        _ordered("Eq. 3.1 underestimates where the master is much larger than the task", "TC=1, AMC=4/Eq. 3.1", "TC=1, AMC=4/optimum"),
        _ordered("The floor brings the predictions closer to the optima, by their mean distance", "distance/with floor", "distance/Eq. 3.1"),
    ),
    ours=(*OURS, PLATEAU, "The number of jobs behind Fig. 3.1 is not given: the 66 of section 2.3."),
    conflicts=(
        "Tables 3.1 and 3.2 print 31 as predicted for TC = 3, AMC = 4. Eq. 3.1 gives 64 x 3 / (4 + 3) = 27.43, so 28; the other 15 cells follow from it.",
    ),
    why="Two things, we think. Where tasks of 3 or 4 vcores don't fill nodes of 8 beside the masters, room is left over that no container fits. On one "
    "undivided node the rows TC=3 and TC=4 come to the paper's optima, the rows TC=1 and TC=2 do not. And for small tasks beside large masters the paper "
    "finds it best to run few jobs at once, although room for more tasks then stands idle: something must slow jobs that run together. No times that we "
    "tried bring the corner TC=1, AMC=4 there. Contention between tasks, as we tried it, moves the corner up, yet other cells of its row away; what it is in "
    "the paper's cluster we don't know.",
    thousands=1200,
)
