"""Figure 3.1, Tables 3.1 and 3.2: the optimal reservation of 16 settings against Eq. 3.1."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from statistics import fmean

from engine import quantities
from engine.papers.autoadmin.ablations import on_one_node, with_contention
from engine.papers.autoadmin.reserve_sweep import (
    ABLATION_SEEDS,
    AUTOADMIN,
    NEAR_BEST,
    SEEDS,
    Sweep,
    near_best,
    optimum,
    reserved,
    sweep_each,
)
from engine.papers.autoadmin.static_reservations import (
    ON_ONE_NODE,
    ONE_SYSTEM,
    PLATEAU,
    curve,
    printed_optimum,
)
from engine.papers.autoadmin.task_times import FITTED, SAYS, TIMES, measured
from engine.papers.autoadmin.workloads import ASSUMPTIONS, SIZES, STATIC_JOBS, VCORES, cell, terasort
from engine.papers.judge import TOLERANCE
from engine.papers.measuring import series
from engine.papers.schema import (
    CONTRADICTION,
    FORMULA,
    NOISE,
    PHYSICS,
    Experiment,
    Measurement,
    Ordered,
    Picture,
    Printed,
    Reading,
    Reason,
    Samples,
    Series,
    Show,
)
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.admission.autoadmin import reserve

SETTINGS = tuple(product(SIZES, SIZES))  # (TC, AMC), row by row
JUDGED = tuple(one for one in SETTINGS if one not in FITTED)
# Table 3.1, PDI
PREDICTED = {
    1: (32, 22, 16, 13),
    2: (43, 32, 26, 22),
    3: (48, 39, 32, 31),
    4: (52, 43, 37, 32),
}
# Table 3.2, PDI
WITH_FLOOR = {
    1: (32, 26, 26, 26),
    2: (43, 32, 26, 26),
    3: (48, 39, 32, 31),
    4: (52, 43, 37, 32),
}
FLOOR = 0.4  # section 3.2
RAISED = tuple(
    (task, master) for task, master in JUDGED if WITH_FLOOR[task][master - 1] != PREDICTED[task][master - 1]
)
# a setting whose master is much larger than its task, beside the corner that served in the fit
LARGE_MASTER = (
    1,
    3,
)
FLAT = ((1, 2), (2, 1), (2, 3), (4, 2))
# settings of Table 3.1 that do not hold in all they say, by the reason
WHY = {
    **dict.fromkeys(FLAT, "flat"),
    **dict.fromkeys(((3, 1), (3, 2), (3, 4), (4, 3)), "one-system"),
    LARGE_MASTER: "large-master",
}
FLAT_OPTIMUM = (4, 1)  # the setting with most room for one optimum or another


def predicted(task: int, master: int, floor: float = 0.0) -> int:
    """Eq. 3.1, as the policy computes it of one master and one task, rounded up as Table 3.1 is; with the
    floor Table 3.2.
    """
    return math.ceil(reserve(VCORES, 1, master, 1, task, floor))


def batches(files: int = 2) -> dict[tuple[int, int], Scenario]:
    """The 16 batches by setting; files: of a Terasort's input, a map each."""
    return {setting: terasort(*setting, STATIC_JOBS, TIMES.values, files) for setting in SETTINGS}


def cost(setting: tuple[int, int], makespans: Sequence[float]) -> float:
    """How much longer than the shortest the makespan is with Table 3.1's optimum reserved, percent."""
    return 100 * (makespans[printed_optimum(*setting)] / min(makespans) - 1)


def measure(trial: Trial) -> Measurement:
    curves = sweep_each(batches(), trial.at_most(SEEDS))
    samples: dict[str, list[float]] = {}
    for pair in SETTINGS:
        samples[f"{cell(*pair)}/optimum"] = [optimum(curves[pair].mean)]
        samples[f"{cell(*pair)}/Eq. 3.1"] = [predicted(*pair)]
        samples[f"{cell(*pair)}/with floor"] = [predicted(*pair, FLOOR)]
    for prediction in ("Eq. 3.1", "with floor"):
        samples[f"distance/{prediction}"] = [
            fmean(
                abs(samples[f"{cell(*setting)}/{prediction}"][0] - samples[f"{cell(*setting)}/optimum"][0])
                for setting in RAISED
            )
        ]
    costly = sum(cost(setting, curves[setting].mean) > 100 * (NEAR_BEST - 1) for setting in JUDGED)
    samples["costs above 5 %"], samples["costs within 5 %"] = [costly], [len(JUDGED) - costly]
    near_count = sum(
        abs(predicted(*setting) - samples[f"{cell(*setting)}/optimum"][0])
        <= TOLERANCE * samples[f"{cell(*setting)}/optimum"][0]
        for setting in JUDGED
    )
    samples["predictions away"], samples["predictions near"] = [len(JUDGED) - near_count], [near_count]
    return Measurement(samples, lambda: _pictures(curves, samples), lambda: _notes(curves))


def _one_system(curves: Mapping[tuple[int, int], Sweep]) -> str:
    """What one makespan for each number of masters makes of two optima, whatever the physics."""
    printed = printed_optimum(4, 4)
    masters = (VCORES - printed) // 4
    # as many masters of 3 fit while this much is reserved
    most, fewest = VCORES - 3 * masters, VCORES - 3 * (masters + 1) + 1
    of_three = printed_optimum(3, 3)
    return (
        f"Best with {printed} reserved for TC=4, AMC=4 are {masters} masters; of masters of 3 that many run "
        f"with {fewest} to {most} reserved. Table 3.1 prints {of_three} for TC=3, AMC=3, "
        f"{(VCORES - of_three) // 3} masters, which costs {cost((3, 3), curves[3, 3].mean):.1f} %; and "
        f"{printed_optimum(4, 3)} for TC=4, AMC=3. For TC=3, AMC=4 Eq. 3.1 gives "
        f"{reserve(VCORES, 1, 4, 1, 3, 0.0):.2f}, so {predicted(3, 4)}; printed is {PREDICTED[3][3]}."
    )


def _flat(curves: Mapping[tuple[int, int], Sweep]) -> str:
    """Of the settings whose optimum can't be told: the reservations within 5 % of the shortest."""
    ranges = "; ".join(
        "{}: {} to {}, printed {}, which costs {:.1f} %".format(
            cell(*setting),
            *near_best(curves[setting].mean),
            printed_optimum(*setting),
            cost(setting, curves[setting].mean),
        )
        for setting in FLAT
    )
    return f"Within 5 % of the shortest makespan lie reservations of {ranges}."


def _large_master(curves: Mapping[tuple[int, int], Sweep], without: Mapping[tuple[int, int], Sweep]) -> str:
    """The setting with a large master as it is and without contention, and the floor without it."""
    others = [one for one in RAISED if one != LARGE_MASTER]
    distances = [
        fmean(abs(predicted(*one, floor) - optimum(curves[one].mean)) for one in others)
        for floor in (FLOOR, 0.0)
    ]
    return (
        f"{cell(*LARGE_MASTER)}: ours is {optimum(curves[LARGE_MASTER].mean):g}, without contention "
        f"{optimum(without[LARGE_MASTER].mean):g} ({ABLATION_SEEDS} seeds), which Eq. 3.1's "
        f"{predicted(*LARGE_MASTER)} underestimates; the paper's is {printed_optimum(*LARGE_MASTER)}. "
        f"Without this setting the floor's predictions lie {distances[0]:.1f} vcores from our optima "
        f"on the mean, Eq. 3.1's {distances[1]:.1f}."
    )


def _notes(curves: Mapping[tuple[int, int], Sweep]) -> dict[str, str]:
    changed = {
        ("one-node", ON_ONE_NODE): {setting: on_one_node(batch) for setting, batch in batches().items()},
        ("no-contention", "Without contention,"): {
            setting: with_contention(batch, 0.0) for setting, batch in batches().items()
        },
        ("one-map", "With one map a job instead of two,"): batches(files=1),
    }
    tried = {named: sweep_each(batch, Trial().at_most(ABLATION_SEEDS)) for named, batch in changed.items()}
    single_run_optima = {setting: [optimum(run) for run in sweeps.runs] for setting, sweeps in curves.items()}
    widest = max(
        single_run_optima,
        key=lambda setting: max(single_run_optima[setting]) - min(single_run_optima[setting]),
    )
    low, high = near_best(curves[FLAT_OPTIMUM].mean)
    costs = ", ".join(
        f"{cell(*setting)} {quantities.percent(cost(setting, curves[setting].mean) / 100)}"
        for setting in SETTINGS
    )
    no_contention = next(sweeps for (key, _), sweeps in tried.items() if key == "no-contention")
    return {
        "one-system": _one_system(curves),
        "flat": _flat(curves),
        "large-master": _large_master(curves, no_contention),
        "costs": f"With Table 3.1's optimum reserved the makespan is longer than our shortest by: {costs}.",
        "distance": f"Our optima beside the fit's lie {_off(curves)} from the paper's on the mean.",
        **{
            key: f"{description} {_off(sweeps)} ({ABLATION_SEEDS} seeds): {_rows(sweeps)}."
            for (key, description), sweeps in tried.items()
        },
        "widest-plateau": f"For {cell(*FLAT_OPTIMUM)} reservations of {low} to {high}, "
        f"{VCORES - high} to {VCORES - low} masters, lie within 5 % of the shortest makespan; in "
        f"{sum(_is_sharp(setting, curves) for setting in SETTINGS)} of 16 settings no more than {NARROW} "
        "vcores do.",
        "single-runs": f"Read from single runs the optimum of {cell(*widest)} is "
        f"{min(single_run_optima[widest]):g} to {max(single_run_optima[widest]):g} over {SEEDS} seeds; "
        f"the range is {fmean(max(sweeps) - min(sweeps) for sweeps in single_run_optima.values()):.1f} "
        "vcores on the mean of the 16.",
    }


NARROW = 5  # vcores: less than Table 3.1's optimum moves from one setting to the next but one


def _is_sharp(setting: tuple[int, int], curves: Mapping[tuple[int, int], Sweep]) -> bool:
    low, high = near_best(curves[setting].mean)
    return high - low <= NARROW


def distance(curves: Mapping[tuple[int, int], Sweep]) -> float:
    """Mean distance from Table 3.1's of the optima that did not serve in the fit, as a share of them."""
    return fmean(
        abs(optimum(curves[setting].mean) - printed_optimum(*setting)) / printed_optimum(*setting)
        for setting in JUDGED
    )


def _off(curves: Mapping[tuple[int, int], Sweep]) -> str:
    return quantities.percent(distance(curves))


def _rows(curves: Mapping[tuple[int, int], Sweep]) -> str:
    return "; ".join(
        f"TC={task}: " + ", ".join(f"{optimum(curves[task, master].mean):g}" for master in SIZES)
        for task in SIZES
    )


def _pictures(curves: Mapping[tuple[int, int], Sweep], samples: Samples) -> tuple[Picture, ...]:
    names = [cell(*setting) for setting in SETTINGS]
    paper = Series(
        "Table 3.1, by experiment",
        tuple(names),
        tuple(printed_optimum(*setting) for setting in SETTINGS),
        paper=True,
    )
    table_3_2 = Series(
        "Table 3.2, predicted",
        tuple(names),
        tuple(WITH_FLOOR[task][master - 1] for task, master in SETTINGS),
        paper=True,
    )
    bars = (
        series("ours", names, samples, [f"{name}/optimum" for name in names]),
        paper,
        table_3_2,
        series("Eq. 3.1 with the floor", names, samples, [f"{name}/with floor" for name in names]),
    )
    by_task = (
        Picture(
            f"Makespan, TC={task}",
            "lines",
            "Reserved (vcores)",
            "Makespan (s)",
            tuple(curve(f"AMC={size}", curves[task, size].mean) for size in SIZES),
        )
        for task in SIZES
    )
    return (Picture("Optimal reservation", "bars", "", "Reserved (vcores)", bars), *by_task)


def _printed(task: int, master: int) -> Printed:
    number = PREDICTED[task][master - 1]
    return Printed(
        f"Eq. 3.1's prediction, {cell(task, master)}",
        f"{cell(task, master)}/Eq. 3.1",
        number,
        "vcores",
        "Table 3.1",
        basis=FORMULA,
        reason="one-system" if (task, master) == (3, 4) else "",
        theme="formula",
    )


def _floored(task: int, master: int) -> Printed:
    number = WITH_FLOOR[task][master - 1]
    return Printed(
        f"Prediction with the floor, {cell(task, master)}",
        f"{cell(task, master)}/with floor",
        number,
        "vcores",
        "Table 3.2",
        basis=FORMULA,
        theme="formula",
    )


def _ordered(
    what: str,
    smaller: str,
    larger: str,
    unit: str = "vcores",
    where: str = "section 3.2",
    reason: str = "",
) -> Ordered:
    return Ordered(what, (smaller, larger), where, unit=unit, reason=reason, theme="optimum")


FIG_3_1 = Experiment(
    key="fig-3-1",
    title="The optimal reservation and its prediction",
    where="Fig. 3.1, Tables 3.1 and 3.2",
    setting="Sixteen batches of 66 equal Terasort jobs: masters (AMC) of 1 to 4 vcores, tasks (TC) of 1 "
    "to 4. Each runs under every static reservation; the "
    "one with the shortest makespan is compared with Eq. 3.1, 64 TC / (AMC + TC), and with the same under "
    "a floor of 40 % of the cluster.",
    notice=(
        "Eq. 3.1 keeps room for one task of each running job. On the diagonal, where a master is as large "
        "as a task, that is half of the cluster."
    ),
    shows=lambda: (
        Show(
            "TC=3, AMC=1 at its prediction and beside it",
            terasort(3, 1, STATIC_JOBS, TIMES.values),
            (reserved(32), reserved(48), AUTOADMIN),
        ),
    ),
    readings=(Reading(measure, SAYS, fit=TIMES),),
    claims=(
        *(measured(*setting, WHY.get(setting, "")) for setting in SETTINGS),
        _ordered(
            f"In most of the {len(JUDGED)} settings beside the fit's, Table 3.1's optimum costs at most 5 "
            "% on our curve",
            "costs above 5 %",
            "costs within 5 %",
            "settings",
            "Table 3.1",
        ),
        *(_printed(*setting) for setting in SETTINGS),
        *(
            _floored(task, master)
            for task, master in SETTINGS
            if WITH_FLOOR[task][master - 1] != PREDICTED[task][master - 1]
        ),
        _ordered(
            "Eq. 3.1 is close to the optimum in most cases (within 15 %, beside the fit's)",
            "predictions away",
            "predictions near",
            "settings",
        ),
        _ordered(
            "Eq. 3.1 underestimates where the master is much larger than the task",
            f"{cell(*LARGE_MASTER)}/Eq. 3.1",
            f"{cell(*LARGE_MASTER)}/optimum",
            reason="large-master",
        ),
        _ordered(
            "The floor brings the predictions that it raises closer to the optima, by their mean distance "
            "(beside the fit's)",
            "distance/with floor",
            "distance/Eq. 3.1",
            reason="large-master",
        ),
    ),
    assumptions=(
        *ASSUMPTIONS,
        PLATEAU,
        "The number of jobs behind Fig. 3.1 is not given: the 66 of section 2.3.",
        "How close is close the paper does not say: 15 % of the optimum for Eq. 3.1, and 5 % of makespan "
        "for Table 3.1's optimum, are ours.",
    ),
    conflicts=(
        "Tables 3.1 and 3.2 print 31 as predicted for TC = 3, AMC = 4. Eq. 3.1 gives 64 x 3 / (4 + 3) = "
        "27.43, so 28; the other 15 cells follow from it.",
        f"{ONE_SYSTEM}: TC = AMC = 3 and TC = AMC = 4 have one makespan for each number of masters. Table "
        "3.1 prints 32 for both: 10 masters of 3 vcores and 8 "
        "of 4 fit beside it. The table doesn't fit the cluster that section 4.1 describes.",
        "Sections 2.3 and 3.2 call the optimum proportional to TC / AMC: with AMC = 4 a quarter of that "
        "with AMC = 1. For TC = 1 Table 3.1's falls from 32 to "
        "26, and Eq. 3.1's from 32 to 12.8.",
    ),
    reasons={
        "one-system": Reason(
            CONTRADICTION,
            "Containers of 3 and of 4 vcores are one system on nodes of 8, so Table 3.1's optima for them "
            "exclude each other, and the prediction of 31 is not what Eq. 3.1 gives.",
            "one-system",
        ),
        "flat": Reason(
            NOISE,
            "The curves are so flat that the printed optimum costs less than 5 % where ours lies elsewhere.",
            "flat",
        ),
        "large-master": Reason(
            PHYSICS,
            "For TC=1, AMC=3 our contention makes few tasks on a node fast, and that alone moves the optimum "
            "below Eq. 3.1 and away from the floor; that masters slow tasks too is not in our model.",
            "large-master",
        ),
    },
    unattainable=(
        "Table 3.1's 32 for TC = AMC = 3 and for TC = AMC = 4: with one makespan for each number of "
        "masters the two optima lie one vcore apart for each "
        "master that runs, here 8.5 in all, for every physics on nodes of 8 vcores. That is nearly all of "
        "the fit's residual of 10 %.",
        "Most of Table 3.1's optima: the curves are so flat that single runs of one batch give optima "
        "several vcores apart. The notes give the reservations "
        "within 5 % of the shortest makespan, and the range over single runs.",
    ),
    thousand_containers=1550,
)
