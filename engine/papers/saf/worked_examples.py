"""Fig. 2 and Table 4: the paper's two examples that are worked by hand, and the two ratios of section 2."""

from __future__ import annotations

import numpy as np

from engine import quantities
from engine.explanation.observed_run import rerun
from engine.papers.columns import FULL_NAMES, full_names
from engine.papers.measuring import over_seeds, run_trial, series
from engine.papers.schema import (
    ALGORITHM,
    FORMULA,
    Experiment,
    Measurement,
    Ordered,
    Picture,
    Printed,
    Reading,
    Series,
    Show,
)
from engine.papers.trial import Trial
from engine.resource_types import MEMORY, RESOURCE_COUNT
from engine.scenario.model import Scenario
from engine.schedulers.hadoop.shares import drf_rank, ratio
from engine.schedulers.legacy_names import parse_in_full
from engine.schedulers.order.saf import SAF as SAF_ORDER
from engine.schedulers.policy import ORDER_AT
from engine.schedulers.terms.fitness import fitness as fitness_by_shares
from engine.simulation.policy_binding import Answer
from engine.simulation.run import Run

DRF, SAF = "drf", "saf"
UNIT_MB = 1024  # Fig. 2 has one resource, counted in units; here a unit is 1 GB of memory
UNITS = {"A": 1, "B": 2, "C": 3}  # Fig. 2: what a task of each asks for
FREE = {"node1": 2, "node2": 3}  # Fig. 2: what is left
# section 5: CPUs and GB of a task, and of the minimum share; B won the opening tie
USERS = {
    "B": (20, 40, (10, 20)),
    "A": (30, 10, (15, 2)),
}
CLUSTER_SIZE = 100  # section 5: CPUs, and GB
# tenths: totals, and dominant shares, after each step
TABLE_4 = {
    "CPU": (2, 5, 8, 10),
    "RAM": (4, 5, 6, 10),
    "A": (0, 3, 6, 6),
    "B": (4, 4, 4, 8),
}
STEP = 3  # the one in which SAF departs
WHERE_2, WHERE_5 = "section 2, Fig. 2", "section 5"
FORCED = {  # steps that say nothing of the order
    1: "both hold nothing at first, so the order of the list decides, which we took from the table",
    4: "after four steps all four tasks are placed, whatever the order",
}


def figure_2(seed: int = 0, weight: float = 1.0) -> Scenario:
    """Each of A, B and C holds one task's share already, on a third node that they fill. weight: of C; 2 puts
    it before B.
    """
    nodes = [
        {"name": name, "count": 1, "memory_mb": units * UNIT_MB, "vcores": 16}
        for name, units in {"full": sum(UNITS.values()), **FREE}.items()
    ]
    jobs = []
    for name, units in UNITS.items():
        maps = {"count": 2, "memory_mb": units * UNIT_MB, "vcores": 1, "duration_s": 60}
        jobs.append(
            {
                "name": name,
                "weight": weight if name == "C" else 1.0,
                "min_share": {"memory_mb": units * UNIT_MB},
                "maps": maps,
            }
        )
    cluster = {"nodes": nodes, "heartbeat_ms": 0, "containers_per_heartbeat": None}
    return Scenario.of(
        {
            "version": 1,
            "name": "SAF: two nodes with 2 and 3 units left",
            "seed": seed,
            "cluster": cluster,
            "jobs": jobs,
        }
    )


def units_left(run: Run) -> dict[str, float]:
    """Units free on the two nodes once every request that fits has been served, and whether C got one of
    them.
    """
    c, work = run.containers, run.workload
    placed_jobs = [
        int(job)
        for job, start, node in zip(c.job, c.start, c.node)
        if start == 0 and work.node_names[node] in FREE
    ]
    placed_names = [work.job_names[job] for job in placed_jobs]
    return {
        "left": sum(FREE.values()) - sum(UNITS[name] for name in placed_names),
        "c": float("C" in placed_names),
    }


def measure_figure_2(trial: Trial) -> Measurement:
    samples = over_seeds(figure_2, (DRF, SAF), units_left, trial)
    samples |= {
        f"other/{key}": [value]
        for key, value in units_left(run_trial(figure_2(weight=2.0), FULL_NAMES[DRF])).items()
    }
    names = ("DRF", "not DRF", "SAF")
    our_series = series("ours", names, samples, [f"{scheduler}/left" for scheduler in (DRF, "other", SAF)])
    picture = Picture(
        "Units left",
        "bars",
        "",
        "Free units of both nodes",
        (our_series, Series("paper", names, (2, 1, None), paper=True)),
    )
    served = 100 * sum(samples[f"{SAF}/c"]) / len(trial.seeds)
    return Measurement(
        samples,
        lambda: (picture,),
        lambda: {
            "served": f"SAF gives C a node in {quantities.percent(served / 100)} of the "
            f"{len(trial.seeds)} seeds."
        },
    )


def table_4(seed: int = 0) -> Scenario:
    """Users A and B on a cluster of 100 CPUs and 100 GB, two tasks each."""
    jobs = []
    for name, (cpu, ram, min_share) in USERS.items():
        maps = {"count": 2, "vcores": cpu, "memory_mb": 1024 * ram, "duration_s": 60}
        jobs.append(
            {
                "name": name,
                "min_share": {"vcores": min_share[0], "memory_mb": 1024 * min_share[1]},
                "maps": maps,
            }
        )
    node = {"name": "cluster", "count": 1, "vcores": CLUSTER_SIZE, "memory_mb": 1024 * CLUSTER_SIZE}
    cluster = {"nodes": [node], "heartbeat_ms": 0, "containers_per_heartbeat": None}
    return Scenario.of({"version": 1, "name": "SAF: Table 4", "seed": seed, "cluster": cluster, "jobs": jobs})


def steps(run: Run) -> dict[str, float]:
    """Tenths of the cluster after each step: in all of both resources, and each user's dominant share; and
    whether step 3 was B's.
    """
    samples: dict[str, float] = {}
    held = {name: [0, 0] for name in USERS}
    order = [run.workload.job_names[job] for job in run.containers.job]
    for step, name in enumerate(order, start=1):
        cpus, gb, _ = USERS[name]
        held[name][0] += cpus
        held[name][1] += gb
        for index, resource in enumerate(("CPU", "RAM")):
            samples[f"{resource}/{step}"] = sum(amounts[index] for amounts in held.values()) / 10
        samples |= {f"{user}/{step}": max(shares) / 10 for user, shares in held.items()}
    return samples | {"third": float(order[STEP - 1] == "B")}


def measure_table_4(trial: Trial) -> Measurement:
    samples = {f"{DRF}/{key}": [value] for key, value in steps(run_trial(table_4(), FULL_NAMES[DRF])).items()}
    samples |= over_seeds(table_4, (SAF,), steps, trial)
    samples |= {f"fitness/{name}": [fitness(name)] for name in USERS}
    facts = third_decision()
    samples |= {key: [facts[key]] for key in ("entropy", "chance")}
    samples["minshare_ratio"] = [ratio(10, 5)]  # section 2: 10 MB used, 5 MB of minimum share
    mb = np.arange(RESOURCE_COUNT)[:, None] == MEMORY
    samples["fairshare_ratio"] = [
        drf_rank(np.full_like(mb, 100, int), 10 * mb, 0, 5 * mb, 0, 2)[1]
    ]  # of 100 MB, weight 2
    numbers = tuple(range(1, 5))
    pictures = []
    for resource in ("CPU", "RAM"):
        our_series = [
            series(name, numbers, samples, [f"{key}/{resource}/{step}" for step in numbers])
            for key, name in ((DRF, "DRF"), (SAF, "SAF"))
        ]
        paper = Series("DRF, paper", numbers, TABLE_4[resource], paper=True)
        pictures.append(
            Picture(
                f"{resource} allocated",
                "bars",
                "Step",
                f"{resource} (tenths of the cluster)",
                (paper, *our_series),
            )
        )
    picked = 100 * sum(samples[f"{SAF}/third"]) / len(trial.seeds)
    total = tuple(sum(samples[f"{SAF}/{key}/{STEP}"]) / len(trial.seeds) for key in ("CPU", "RAM"))
    note = (
        f"SAF picks B in step 3 in {quantities.percent(picked / 100)} of the {len(trial.seeds)} seeds; "
        f"{total[0]:.2g} tenths of the CPU and {total[1]:.2g} of the RAM are given."
    )
    return Measurement(samples, lambda: tuple(pictures), lambda: {"chance": note})


def fitness(name: str) -> float:
    """Eq. 1 of a task of the user with 50 CPUs and 50 GB left and weights 1; the engine counts in shares of
    the cluster.
    """
    cpu, ram, _ = USERS[name]
    left = CLUSTER_SIZE / 2
    return sum(fitness_by_shares(asked, left, CLUSTER_SIZE, 1.0) for asked in (ram, cpu)) * CLUSTER_SIZE**2


def third_decision() -> dict[str, float]:
    """What SAF computed in step 3."""
    facts: dict[str, float] = {}

    def on_answer(answer: Answer) -> None:
        if answer.place == ORDER_AT and answer.placed == STEP - 1:
            facts.update({term.name: float(getattr(answer.view, term.name)[0]) for term in SAF_ORDER.facts})

    rerun(table_4(), parse_in_full(FULL_NAMES[SAF]), on_answer)
    return facts


def _rows() -> tuple[Printed, ...]:
    names = {"CPU": "CPU in all", "RAM": "RAM in all", "A": "dominant share of A", "B": "dominant share of B"}
    return tuple(
        Printed(
            f"Step {step}, {names[key]}",
            f"{DRF}/{key}/{step}",
            number,
            "tenths",
            "Table 4",
            basis=ALGORITHM,
            theme="by-hand",
            untestable=FORCED.get(step, ""),
        )
        for step in range(1, 5)
        for key, numbers in TABLE_4.items()
        for number in (numbers[step - 1],)
    )


FIGURE_2 = Experiment(
    key="figure-2",
    title="What a strict DRF leaves",
    where="Fig. 2",
    setting="Two nodes have 2 and 3 units of the one resource left. A, B and C ask for 1, 2 and 3 units, "
    "and none of them is needy. DRF serves them by their"
    " share; the paper compares that with serving C in place of B, which SAF's chance allows.",
    notice="DRF puts A on the first node and B on the second: one unit is left on each, and C fits "
    "nowhere. With C in place of B the second node is full. SAF"
    " takes the runner-up nearly always at the paper's temperature, so it begins with B, which fits the "
    "first node exactly, and C fits the second.",
    shows=lambda: (
        Show("Fig. 2: two nodes with 2 and 3 units left", figure_2(), full_names((DRF, SAF))),
        Show(
            "Fig. 2 (b): C weighs twice, so that it stands before B", figure_2(weight=2.0), full_names((DRF,))
        ),
    ),
    readings=(
        Reading(
            measure_figure_2,
            "Worked by hand: it follows from the rules, and nothing of a test bed plays a part.",
        ),
    ),
    claims=(
        Printed("Units left under DRF", f"{DRF}/left", 2, "units", WHERE_2, basis=ALGORITHM, theme="by-hand"),
        Printed(
            "Units left with C in place of B",
            "other/left",
            1,
            "units",
            WHERE_2,
            against=(f"{DRF}/left", 2),
            basis=ALGORITHM,
            theme="by-hand",
        ),
        Ordered(
            "SAF gives C a chance and leaves less than DRF",
            (f"{SAF}/left", f"{DRF}/left"),
            WHERE_2,
            basis=ALGORITHM,
            theme="by-hand",
        ),
    ),
    assumptions=(
        "Each of the three holds one task's share already, on a third node of 6 units that they fill: "
        "their shares are then as 1 : 2 : 3, as in the paper,"
        " and each is at its minimum share, so none is needy.",
        "The paper does not say how DRF would come to choose C before B; here C weighs twice, which makes "
        "its share 3/2 units against B's 2.",
        "A unit is 1 GB; every node has vcores enough.",
    ),
    conflicts=(
        "Fig. 2's shares 1/5, 2/5 and 3/5 are the requests over what is left (5 units). By section 2 a "
        "dominant fairshare ratio is usage over capacity and"
        " weight. A task that waits and holds nothing has the share 0 by the definition, and one like "
        "these by the figure.",
    ),
)

TABLE_4_STEPS = Experiment(
    key="table-4",
    title="Two users, step by step",
    where="Table 4, the worked example of section 5, and the ratios of section 2",
    setting="A asks for 30 CPUs and 10 GB a task, B for 20 CPUs and 40 GB, on a cluster of 100 CPUs and "
    "100 GB. DRF's four steps are Table 4; then the paper"
    " works out what SAF does in the third, with B's and A's fitness, the temperature and the chance.",
    notice="After two steps both have more than their minimum shares, and A's dominant share 3/10 is less "
    "than B's 4/10: DRF takes A. SAF draws between the two"
    " with a chance of nearly 1 for the runner-up, because T is hundreds and a difference of shares is at "
    "most 1: it takes B.",
    shows=lambda: (Show("Table 4", table_4(), full_names((DRF, SAF))),),
    readings=(
        Reading(
            measure_table_4,
            "Worked by hand: it follows from the rules, and nothing of a test bed plays a part.",
        ),
    ),
    claims=(
        Printed("Minshare ratio of the example", "minshare_ratio", 2, "", "section 2", basis=FORMULA),
        Printed(
            "Dominant fairshare ratio of the example", "fairshare_ratio", 0.05, "", "section 2", basis=FORMULA
        ),
        *_rows(),
        Printed(
            "SAF's step 2 as DRF's, dominant share of A",
            f"{SAF}/A/2",
            3,
            "tenths",
            f"{WHERE_5}, Table 4",
            basis=ALGORITHM,
            theme="by-hand",
        ),
        Printed("Fitness of B in step 3", "fitness/B", 3000, "", WHERE_5, basis=FORMULA),
        Printed("Fitness of A in step 3", "fitness/A", 2000, "", WHERE_5, basis=FORMULA),
        Printed("Temperature T0 in step 3", "entropy", 301, "", WHERE_5, basis=ALGORITHM, theme="by-hand"),
        Printed(
            "Chance of B in step 3 (the paper: about 1)",
            "chance",
            1,
            "",
            WHERE_5,
            rounding=0.005,
            basis=ALGORITHM,
            theme="by-hand",
        ),
        Printed(
            "Share of runs in which SAF picks B in step 3 (the paper: definitely)",
            f"{SAF}/third",
            1,
            "",
            WHERE_5,
            rounding=0.005,
            basis=ALGORITHM,
            theme="by-hand",
        ),
    ),
    assumptions=(
        "Both users' shares are 0 at first; B stands first in the list, as Table 4's opening step has it.",
        "Each user has two tasks, as many as Table 4 places.",
    ),
    conflicts=(
        "The printed exponent is (0.4 − 0.3)/301, without the minus of Eq. 2: it would give a chance "
        "above 1. With the minus it is slightly below 1, and still"
        " “≃ 1”; so B is nearly certain, not “definitely” picked.",
        "Section 5 says that the temperature is measured anew when it “reaches cooling_rate”; Algorithm 1 "
        "says cold_temperature, for which no value is given.",
        "By Eq. 2 with K = 1000 and shares between 0 and 1 the chance of the runner-up stays near 1 until "
        "T has cooled below 10: fairness then decides hardly"
        " anything, against section 4.3, where a higher share is to win only now and then.",
    ),
)
