"""Figure 3.1, Tables 3.1 and 3.2: the optimal reservation of 16 settings against Eq. 3.1."""

from __future__ import annotations

import math
from itertools import product

from engine.papers.autoadmin.static import PLATEAU, curve
from engine.papers.autoadmin.sweep import AUTOADMIN, optimum, reserved, sweep
from engine.papers.autoadmin.times import EXPERIMENT, TIMES, measured
from engine.papers.autoadmin.workloads import OURS, SIZES, STATIC_JOBS, VCORES, cell, terasort
from engine.papers.measuring import in_turn, series
from engine.papers.records import Experiment, Measured, Ordered, Picture, Printed, Series, Show, Tell
from engine.policies.admission.autoadmin import reserve

SETTINGS = tuple(product(SIZES, SIZES))  # (TC, AMC), row by row
PREDICTED = {1: (32, 22, 16, 13), 2: (43, 32, 26, 22), 3: (48, 39, 32, 31), 4: (52, 43, 37, 32)}  # Table 3.1, PDI
FLOORED = {1: (32, 26, 26, 26), 2: (43, 32, 26, 26), 3: (48, 39, 32, 31), 4: (52, 43, 37, 32)}  # Table 3.2, PDI
FLOOR = 0.4  # section 3.2


def predicted(task: int, master: int, floor: float = 0.0) -> int:
    """Eq. 3.1, as the policy computes it of one master and one task, rounded up as Table 3.1 is; with the floor Table 3.2."""
    return math.ceil(reserve(VCORES, 1, master, 1, task, floor))


def measure(tell: Tell) -> Measured:
    curves = dict(zip(SETTINGS, in_turn(lambda setting: sweep(terasort(*setting, STATIC_JOBS, TIMES.found)), SETTINGS, tell)))
    samples: dict[str, list[float]] = {}
    for setting, makespans in curves.items():
        samples[f"{cell(*setting)}/optimum"] = [optimum(makespans)]
        samples[f"{cell(*setting)}/Eq. 3.1"] = [predicted(*setting)]
        samples[f"{cell(*setting)}/with floor"] = [predicted(*setting, FLOOR)]
    for what in ("Eq. 3.1", "with floor"):
        samples[f"error/{what}"] = [sum(abs(samples[f"{cell(*one)}/{what}"][0] - samples[f"{cell(*one)}/optimum"][0]) for one in SETTINGS) / len(SETTINGS)]
    return Measured(samples, _pictures(curves, samples))


def _pictures(curves, samples) -> tuple[Picture, ...]:
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


FIG_3_1 = Experiment(
    key="fig-3-1",
    title="The optimal reservation and its prediction",
    where="Fig. 3.1, Tables 3.1 and 3.2",
    setting="Sixteen batches of 66 equal Terasort jobs: masters (AMC) of 1 to 4 vcores, tasks (TC) of 1 to 4. Each runs under every static reservation; the "
    "one with the shortest makespan is compared with Eq. 3.1, 64 TC / (AMC + TC), and with the same under a floor of 40 % of the cluster.",
    notice="Eq. 3.1 keeps room for one task of each running job. On the diagonal, where a master is as large as a task, that is half of the cluster.",
    shows=lambda: (Show("TC=3, AMC=1 at its prediction and beside it", terasort(3, 1, STATIC_JOBS, TIMES.found), (reserved(32), reserved(48), AUTOADMIN)),),
    measure=measure,
    claims=(
        *(measured(*setting) for setting in SETTINGS),
        *(_printed(*setting) for setting in SETTINGS),
        *(_floored(task, master) for task, master in SETTINGS if FLOORED[task][master - 1] != PREDICTED[task][master - 1]),
        Ordered("Eq. 3.1 underestimates where the master is much larger than the task", ("TC=1, AMC=4/Eq. 3.1", "TC=1, AMC=4/optimum"), "section 3.2"),
        Ordered("The floor brings the predictions closer to the optima, by their mean distance", ("error/with floor", "error/Eq. 3.1"), "section 3.2"),
    ),
    ours=(*OURS, PLATEAU, "The number of jobs behind Fig. 3.1 is not given: the 66 of section 2.3."),
    conflicts=(
        "Tables 3.1 and 3.2 print 31 as predicted for TC = 3, AMC = 4. Eq. 3.1 gives 64 x 3 / (4 + 3) = 27.43, so 28; the other 15 cells follow from it.",
    ),
    fit=TIMES,
    thousands=110,
)
