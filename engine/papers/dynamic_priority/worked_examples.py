"""Table 1 and its two charts: six jobs one after another, worked by hand in the paper."""

from __future__ import annotations

from engine.analysis.metrics import wait_ms
from engine.explanation.observed_run import rerun
from engine.papers.columns import FULL_NAMES, full_names
from engine.papers.measuring import DEFAULT_TRIAL, metrics, run_each, series
from engine.papers.schema import (
    ALGORITHM,
    Experiment,
    Measurement,
    Picture,
    Printed,
    Reading,
    Samples,
    Series,
    Show,
)
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.legacy_names import parse_in_full
from engine.schedulers.policy import ORDER_AT
from engine.simulation.policy_binding import Answer
from engine.simulation.run import Run

SAYS = "section 5.1, Table 1"
# Table 1: arrival and run time, seconds
JOBS = {
    "J1": (6, 2),
    "J2": (10, 30),
    "J3": (3, 20),
    "J4": (0, 10),
    "J5": (12, 15),
    "J6": (11, 2),
}
SPLIT_MB = 128
MB_PER_S = 64  # J1, J2 and J3 have 1, 15 and 10 splits in the text: half their run time
FIFO, SCORE = "fifo", "priority-fifo(k1=1)"  # section 5.1 takes k1 = 1 "for simplicity"
SCORE_03 = "priority-fifo"  # k1 = 0.3, which Algorithm 1 takes
METRICS = {"mean_wait_s": "Average waiting time", "mean_turnaround_s": "Average turnaround time"}
PRINTED = {"mean_wait_s": (26, 18.33), "mean_turnaround_s": (39.16, 31.5)}
# section 5.1: the terms of the averages, seconds, J1 to J6
WAITS = {
    FIFO: (24, 22, 7, 0, 52, 51),
    SCORE: (4, 24, 9, 0, 52, 21),
}
SCORES = {"J1": 4, "J2": 0.066, "J3": 2.135}  # section 5.1, at 10 s
FIRST = "J4"  # alone when it comes, so it waits under no order


def table_1() -> Scenario:
    """The paper's six jobs."""
    return one_by_one("Dynamic priority: Table 1", JOBS)


def one_by_one(name: str, jobs_given: dict[str, tuple[int, int]]) -> Scenario:
    """Jobs of one task each on a machine that runs one at a time; of: arrival and run time in seconds, by
    name.
    """
    jobs = []
    for job, (arrival, run) in jobs_given.items():
        task = {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": run}
        jobs.append(
            {"name": job, "arrival_s": arrival, "estimate_s": run, "input_mb": MB_PER_S * run, "maps": task}
        )
    cluster = {"nodes": [{"name": "machine", "count": 1, "memory_mb": 1024, "vcores": 1}], "heartbeat_ms": 0}
    return Scenario.of({"version": 1, "name": name, "cluster": cluster, "jobs": jobs})


def measured(run: Run) -> dict[str, float]:
    """Both averages, and each job's waiting time, s."""
    waits = {f"wait_s/{name}": float(wait) / 1000 for name, wait in zip(run.workload.job_names, wait_ms(run))}
    return {**metrics(*METRICS)(run), **waits}


def second_decision(trial: Trial = DEFAULT_TRIAL) -> dict[str, float]:
    """The scores by which the second job is chosen, when the first has ended."""
    scores: list[float] = []

    def on_answer(answer: Answer) -> None:
        if answer.place == ORDER_AT and answer.placed == 1:
            scores[:] = answer.view.score.tolist()

    run = rerun(
        trial.conditions.apply_to(table_1()),
        trial.conditions.apply_to_scheduler(parse_in_full(FULL_NAMES[SCORE])),
        on_answer,
    )
    return {name: score for name, score in zip(run.workload.job_names, scores) if name in SCORES}


def measure(trial: Trial) -> Measurement:
    samples = run_each(table_1(), (FIFO, SCORE), measured, trial)
    samples |= {f"score/{name}": [score] for name, score in second_decision(trial).items()}
    return Measurement(samples, lambda: _pictures(samples), _notes)


def _pictures(samples: Samples) -> tuple[Picture, ...]:
    names, pictures = ("FIFO", "proposed"), []
    for key, title in METRICS.items():
        our_series = series("ours", names, samples, [f"{scheduler}/{key}" for scheduler in (FIFO, SCORE)])
        pictures.append(
            Picture(
                title,
                "bars",
                "",
                f"{title} (s)",
                (Series("paper", names, PRINTED[key], paper=True), our_series),
            )
        )
    return tuple(pictures)


def _notes() -> dict[str, str]:
    other = run_each(table_1(), (SCORE_03,), metrics(*METRICS))
    wait, turnaround = (other[f"{SCORE_03}/{key}"][0] for key in METRICS)
    return {
        "other-k1": (
            f"With k1 = 0.3 the order is another one, and the averages are {wait:.2f} s of waiting and "
            f"{turnaround:.2f} s of turnaround."
        )
    }


TABLE_1 = Experiment(
    key="table-1",
    title="Six jobs, by hand",
    where="Table 1 and the two Gantt charts of section 5.1",
    setting=(
        "Six jobs that run one at a time, under FIFO and under the proposed score with k1 = 1, as the "
        "paper works them by hand."
    ),
    notice=(
        "FIFO lets the long J2 go before the short J6. The score lets J1 and J6 pass: their run time is "
        "short, so waiting soon weighs more than place."
    ),
    shows=lambda: (Show("Table 1 under FIFO and the proposed score", table_1(), full_names((FIFO, SCORE))),),
    readings=(
        Reading(
            measure,
            "Worked by hand: it follows from the rules. Both readings of waiting are one here, as a job "
            "that runs has the machine for itself.",
        ),
    ),
    claims=(
        Printed("Average waiting time under FIFO", f"{FIFO}/mean_wait_s", 26, "s", SAYS, basis=ALGORITHM),
        Printed(
            "Average waiting time under the score",
            f"{SCORE}/mean_wait_s",
            18.33,
            "s",
            SAYS,
            against=(f"{FIFO}/mean_wait_s", 26),
            basis=ALGORITHM,
            theme="by-hand",
        ),
        Printed(
            "Average turnaround time under FIFO",
            f"{FIFO}/mean_turnaround_s",
            39.16,
            "s",
            SAYS,
            basis=ALGORITHM,
        ),
        Printed(
            "Average turnaround time under the score",
            f"{SCORE}/mean_turnaround_s",
            31.5,
            "s",
            SAYS,
            against=(f"{FIFO}/mean_turnaround_s", 39.16),
            basis=ALGORITHM,
            theme="by-hand",
        ),
        *(
            Printed(
                f"Waiting time of {job} under {name}",
                f"{one}/wait_s/{job}",
                wait,
                "s",
                "section 5.1",
                basis=ALGORITHM,
            )
            for one, name in ((FIFO, "FIFO"), (SCORE, "the score"))
            for job, wait in zip(JOBS, WAITS[one])
            if job != FIRST
        ),
        *(
            Printed(f"Score of {job} at 10 s", f"score/{job}", score, "", "section 5.1", basis=ALGORITHM)
            for job, score in SCORES.items()
        ),
    ),
    assumptions=(
        "The splits of J4, J5 and J6 follow those of the text: half of the run time in seconds, 64 MB for "
        "each.",
    ),
)
