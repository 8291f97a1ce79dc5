"""How well what a run did is predicted: each batch fitted on a run of another, of Spark on the other run of
the same, and judged, beside the difference of two real runs of it.

The table goes to engine/prediction/prediction_accuracy.json, from where the page has it, and into
engine/docs/numbers/predictions.md. No figure in it is written by hand.
"""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.prediction.prediction import Prediction, predict
from engine.prediction.replay_errors import ReplayErrors
from engine.scenario.formats.combined_files import read_files
from engine.scenario.formats.scenario_builder import ImportedScenario
from engine.simulation.measured_run import measured_run
from engine.simulation.run import Run
from tests.conftest import ROOT
from tests.gallery import between
from tests.hadoop.cluster.configuration import SCHEDULERS

DOCUMENT = Path(__file__).parents[3] / "engine" / "docs" / "numbers" / "predictions.md"
MARKS = "<!-- predictions: written by make cluster RECORD=1 -->\n", "<!-- end of predictions -->\n"
TABLE = ROOT / "engine" / "prediction" / "prediction_accuracy.json"
RECORDED = Path(__file__).parent / "recorded"
SAMPLES = ("fair-equal-1", "capacity-equal-1")
SPARK = ("spark", "spark-mixed")
BATCHES = ("mixed", "mixed-b", "equal", "equal-b", *SPARK)
COVERED = (
    "Hadoop 3.4.1 under FairScheduler and CapacityScheduler: four NodeManagers of 4,096 MB and 4 vcores "
    "on a machine of two cores, two queues of a user each.",
    "WordCount, TeraSort, Grep with its second job, and SleepJob, on a few MB a job; containers of 512 to "
    "2,048 MB (mixed) or of 1,024 MB (equal).",
    "Spark 3.5.6: applications of two to four stages, in one job or in two with the driver alone between "
    "them, with two to four executors or as many as dynamic allocation asks for; executors of one core and "
    "1,024 MB; alone (spark) and beside MapReduce (spark-mixed).",
)
NOT_COVERED = (
    "Clusters of more than four nodes, several racks, HDFS: all data are local files, so no map waits for "
    "a node that holds its data.",
    "Tasks of Spark that compute, hold memory or read much: here they sleep; its external shuffle service.",
    "Other tenants, failures, speculation, preemption, node labels, several users in a queue.",
    "Jobs of hours: these batches last two minutes and a half, so that seconds of starting weigh more, "
    "and errors are shares of a short time.",
    "Cores that are not shared between nodes: here all nodes' JVMs start on the same two, which slow each "
    "other beyond what a model of single nodes knows.",
)
# column and percentile
ERRORS = {
    "median": (0, 50),
    "p90": (0, 90),
    "turnaround_median": (1, 50),
    "turnaround_p90": (1, 90),
}


@cache
def opened(name: str) -> ImportedScenario:
    """A recorded run, such as "fair-mixed-1", as gantry-collect brought it."""
    path = RECORDED / f"{name}.tar.gz"
    return read_files([(path.name, io.BytesIO(path.read_bytes()))], title=name)


def table() -> dict[str, Any]:
    """The whole table, as JSON has it; errors are shares, not per cent."""
    rows = [row(scheduler, batch) for scheduler in SCHEDULERS for batch in BATCHES]
    return {"hadoop": "3.4.1", "nodes": 4, "covered": [*COVERED], "rows": rows, "not_covered": [*NOT_COVERED]}


def row(scheduler: str, batch: str) -> dict[str, Any]:
    """One scheduler and batch, judged on each of its runs, fitted on the first run of the other batch of its
    kind; one of Spark on its other run.

    median …: of a job's finish, its own tasks' durations known, all else from the fit. noise_…: two real
    runs, each error as share of their mean. again_…: one real run of the batch simulated so, as a prediction
    of the other real run, of Spark without anything of that one. replay_…: each job's own start-up known too.
    held_out_…: of the second half of the jobs, fitted on the first half of the same run. alone_…: of Spark's
    applications, each simulated by itself with its executors as they came.
    """
    paths = sorted(RECORDED.glob(f"{scheduler}-{batch}-[0-9].tar.gz"))
    runs = [opened(path.name.removesuffix(".tar.gz")) for path in paths]
    fitted_on, trainings = _trainings(scheduler, batch, runs)
    predictions = [_predicted(*pair) for pair in zip(runs, trainings)]
    ignorant = [_predicted(run, run) for run in runs] if batch in SPARK else predictions
    within = [predict(run.scenario, run.scheduler) for run in runs]
    measured = [measured_run(run.scenario) for run in runs]
    others = zip(ignorant, measured[1:] + measured[:1]) if len(runs) > 1 else ()
    return {
        "scheduler": scheduler,
        "batch": batch,
        "runs": len(runs),
        "jobs": len(predictions[0].held_out.rows),
        "tasks": sum(job.task_count for job in runs[0].scenario.jobs),
        "fitted_on": fitted_on,
        **_errors("", (_absolute_errors(one.held_out) for one in predictions)),
        **_errors("noise_", (_difference_between(one, other) for one, other in zip(measured, measured[1:]))),
        **_errors("again_", (_errors_against(here.held_out, there) for here, there in others)),
        **_errors("replay_", (_absolute_errors(one.replay) for one in predictions)),
        **_errors("held_out_", (_absolute_errors(one.held_out) for one in within)),
        **_errors("alone_", (_absolute_errors(one.alone) for one in predictions if one.alone)),
        "bias": float(np.mean([one.held_out.bias for one in predictions])),
        "makespan": float(np.mean([one.held_out.makespan_error for one in predictions])),
    }


def _trainings(
    scheduler: str, batch: str, runs: list[ImportedScenario]
) -> tuple[str, list[ImportedScenario]]:
    """What a batch is fitted on: the name, and the run for each of its own."""
    if batch in SPARK:
        return "its other run", runs[1:] + runs[:1]
    other = batch.removesuffix("-b") if batch.endswith("-b") else f"{batch}-b"
    return other, [opened(f"{scheduler}-{other}-1")] * len(runs)


def _predicted(run: ImportedScenario, training: ImportedScenario) -> Prediction:
    return predict(run.scenario, run.scheduler, training=training.scenario)


def _times(run: Run) -> dict[str, np.ndarray]:
    """Of each job its finish and its turnaround, ms, by name."""
    finish = run.jobs.finish - run.first_ms
    return dict(
        zip(
            run.workload.job_names,
            np.stack([finish, run.jobs.finish - run.jobs.arrival], axis=1).astype(float),
        )
    )


def _difference_between(one: Run, other: Run) -> np.ndarray:
    first, second = _times(one), _times(other)
    return np.array(
        [
            2 * np.abs(first[name] - second[name]) / (first[name] + second[name])
            for name in first
            if name in second
        ]
    )


def _errors_against(errors: ReplayErrors, measured: Run) -> np.ndarray:
    real = _times(measured)
    simulated = {
        one.name: 1000 * np.array([one.simulated_s, one.simulated_s - one.arrival_s]) for one in errors.rows
    }
    return np.array([np.abs(simulated[name] - real[name]) / real[name] for name in simulated if name in real])


def _absolute_errors(errors: ReplayErrors) -> np.ndarray:
    return np.array([(abs(one.error), abs(one.turnaround_error)) for one in errors.rows])


def _errors(begin: str, parts: Iterable[np.ndarray]) -> dict[str, float | None]:
    """Percentiles over the jobs of all these runs; None without any."""
    arrays = list(parts)
    of = np.concatenate(arrays) if arrays else None
    return {
        begin + name: None if of is None else float(np.percentile(of[:, column], percentile))
        for name, (column, percentile) in ERRORS.items()
    }


def record(runs: Path, names: Iterable[str]) -> None:
    """Keeps what the servers answered of these runs, with event logs, and of SAMPLES the job history files
    too.
    """
    for name in names:
        _keep(runs / name / "rest.tar.gz", RECORDED / f"{name}.tar.gz")
        if name in SAMPLES:
            shutil.copy(runs / name / "history.tar.gz", RECORDED / f"{name}-history.tar.gz")
    opened.cache_clear()


def _keep(archive: Path, to: Path) -> None:
    """Copies an archive; of what event logs say of their environment Spark's properties alone, for the rest
    is of this machine.
    """
    with tarfile.open(archive) as brought, tarfile.open(to, "w:gz") as kept:
        for entry in brought:
            content = brought.extractfile(entry).read()
            if "/spark/" in entry.name:
                content = b"".join(map(_without_machine, content.splitlines(keepends=True)))
                entry.size = len(content)
            kept.addfile(entry, io.BytesIO(content))


def _without_machine(line: bytes) -> bytes:
    event = json.loads(line)
    if event["Event"] != "SparkListenerEnvironmentUpdate":
        return line
    return json.dumps({key: event[key] for key in ("Event", "Spark Properties")}).encode() + b"\n"


def write() -> str:
    """Makes the table anew, for the page and between the document's marks, and returns it as lines of
    text.
    """
    accuracy = table()
    TABLE.write_text(json.dumps(accuracy, indent=1) + "\n", "utf-8")
    DOCUMENT.write_text(between(DOCUMENT.read_text("utf-8"), *MARKS, as_markdown(accuracy)), "utf-8")
    return as_text(accuracy)


def as_markdown(accuracy: dict[str, Any]) -> str:
    """A row a batch and scheduler, and what is covered and what is not."""
    heads = (
        "finish",
        "its turnaround",
        "finish in another run",
        "two real runs",
        "start-up known",
        "held out",
        "executors known",
    )
    begins = ("", "turnaround_", "again_", "noise_", "replay_", "held_out_", "alone_turnaround_")
    lines = [
        f"| scheduler, batch | {' | '.join(heads)} | fitted on | jobs |",
        f"|---|{'---:|' * len(heads)}---|---:|",
    ]
    for one in accuracy["rows"]:
        cells = (_both(one, begin) for begin in begins)
        lines.append(
            f"| `{one['scheduler']}`, {one['batch']} | {' | '.join(cells)} | {one['fitted_on']} | "
            f"{one['jobs']} |"
        )
    parts = (("Covered", accuracy["covered"]), ("Not covered", accuracy["not_covered"]))
    return (
        "\n".join(lines)
        + "\n"
        + "".join(f"\n{head}:\n\n" + "".join(f"- {line}\n" for line in points) for head, points in parts)
    )


def _both(one: dict[str, Any], begin: str) -> str:
    return (
        ""
        if one[f"{begin}median"] is None
        else f"{100 * one[f'{begin}median']:.1f}; {100 * one[f'{begin}p90']:.1f} %"
    )


def as_text(accuracy: dict[str, Any]) -> str:
    heading = (
        f"{'':22}{'finish: median, 90 %':>22}{'turnaround':>16}{'two real runs':>16}{'a run for another':>20} "  # noqa: E501
        " fitted on"
    )
    lines = [heading]
    for one in accuracy["rows"]:
        pairs = (
            ("median", "p90"),
            ("turnaround_median", "turnaround_p90"),
            ("noise_median", "noise_p90"),
            ("again_median", "again_p90"),
        )
        cells = ["-" if one[a] is None else f"{100 * one[a]:.1f} % {100 * one[b]:.1f} %" for a, b in pairs]
        lines.append(
            f"{one['scheduler']:10}{one['batch']:12}{cells[0]:>22}{cells[1]:>16}{cells[2]:>16}{cells[3]:>20} "
            f" {one['fitted_on']}"
        )
    return "\n".join(lines)
