"""How well what a run did is predicted: each batch fitted on one run and judged on others, beside the difference of two real runs of it.

The table goes to engine/prediction/how_well.json, from where the page and the README have it. No figure in it is written by hand.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from engine.prediction.against_measured import Errors
from engine.prediction.prediction import predict
from engine.scenario.formats.batch import Imported
from engine.scenario.formats.together import read_together
from engine.scenario.model import Scenario
from engine.simulation.measured_run import measured_run
from engine.simulation.run import Run
from tests.conftest import ROOT
from tests.hadoop.cluster.configuration import SCHEDULERS

TABLE = ROOT / "engine" / "prediction" / "how_well.json"
RECORDED = Path(__file__).parent / "recorded"
BATCHES = ("mixed", "equal")
COVERED = (
    "One cluster of four nodes on one machine of two cores, Hadoop 3.4.1, two queues of one user each; nothing else ran on it.",
    "WordCount, TeraSort, Grep and its second job, and SleepJob, on data of a few MB a job; a run is two minutes and a half.",
)
NOT_COVERED = (
    "Large clusters, several racks and HDFS: here all data are local files, so no map waits for a place near its data.",
    "Other tenants, failures, speculation, preemption, node labels and several users in a queue.",
    "Jobs of hours: an error of seconds in launching weighs more in a short batch than in a night's.",
)


def opened(name: str, folder: Path = RECORDED) -> Imported:
    """A recorded run, such as "fair-mixed-1"."""
    path = folder / f"{name}.tar.gz"
    return read_together([(path.name, io.BytesIO(path.read_bytes()))], title=name)


def table(folder: Path = RECORDED) -> dict[str, Any]:
    """The whole table, as JSON has it; shares, not per cent."""
    rows = [row(scheduler, batch, folder) for scheduler in SCHEDULERS for kind in BATCHES for batch in (kind, f"{kind}-b")]
    return {"hadoop": "3.4.1", "nodes": 4, "covered": COVERED, "rows": rows, "not_covered": NOT_COVERED}


def row(scheduler: str, batch: str, folder: Path) -> dict[str, Any]:
    """One scheduler and batch, judged on each of its runs and fitted on the first run of the other batch of its kind."""
    runs = [opened(path.name.removesuffix(".tar.gz"), folder) for path in sorted(folder.glob(f"{scheduler}-{batch}-[0-9].tar.gz"))]
    fitted_on = batch.removesuffix("-b") if batch.endswith("-b") else f"{batch}-b"
    training = opened(f"{scheduler}-{fitted_on}-1", folder).scenario
    predictions = [predict(one.scenario, one.scheduler or scheduler, training=training) for one in runs]
    again = [_again(one, other, training) for one in runs for other in runs if one is not other]
    return {
        "scheduler": scheduler,
        "batch": batch,
        "runs": len(runs),
        "jobs": len(predictions[0].held_out.rows),
        "tasks": sum(job.maps.count + (job.reduces.count if job.reduces else 0) for job in runs[0].scenario.jobs),
        "fitted_on": fitted_on,
        **_shares("noise", (_between(measured_run(one.scenario), measured_run(other.scenario)) for one, other in zip(runs, runs[1:]))),
        **_shares("", (_of(one.held_out) for one in predictions)),
        **_shares("replay", (_of(one.replay) for one in predictions)),
        **_shares("again", again),
        "makespan": float(np.mean([abs(one.held_out.makespan_error) for one in predictions])),
        "bias": float(np.mean([one.held_out.bias for one in predictions])),
    }


def _again(one: Imported, other: Imported, training: Scenario) -> np.ndarray:
    """One run's own jobs, arrivals and durations alone, as a prediction of another run of the batch."""
    simulated = predict(one.scenario, one.scheduler, training=training).variants[-1]
    finishes = {error.name: error.simulated_s for error in simulated.all_jobs.rows}
    arrivals = {error.name: error.arrival_s for error in simulated.all_jobs.rows}
    return _shares_of(finishes, arrivals, measured_run(other.scenario))


def _shares_of(finish: dict[str, float], arrival: dict[str, float], measured: Run) -> np.ndarray:
    rows = []
    for name, came, ended in zip(measured.workload.job_names, measured.jobs.arrival / 1000, measured.jobs.finish / 1000):
        if name in finish:
            off = abs(finish[name] - ended)
            rows.append((off / ended, abs(finish[name] - arrival[name] - (ended - came)) / (ended - came)))
    return np.array(rows)


def _between(one: Run, other: Run) -> np.ndarray:
    """Of each job of two real runs of a batch, by name: how far apart its finishes, and its turnarounds, are as shares of their mean."""
    found = [dict(zip(run.workload.job_names, zip(run.jobs.finish.tolist(), (run.jobs.finish - run.jobs.arrival).tolist()))) for run in (one, other)]
    pairs = [np.array((found[0][name], found[1][name]), float) for name in found[0] if name in found[1]]
    return np.array([np.abs(pair[0] - pair[1]) / pair.mean(0) for pair in pairs])


def _of(errors: Errors) -> np.ndarray:
    return np.array([(abs(one.error), abs(one.turnaround_error)) for one in errors.rows])


def _shares(name: str, parts: Iterable[np.ndarray]) -> dict[str, float | None]:
    """Median and 90 % of the errors of finishes and of turnarounds, all jobs of these runs together."""
    parts = list(parts)
    begin = f"{name}_" if name else ""
    keys = [f"{begin}{what}{share}" for what in ("", "turnaround_") for share in ("median", "p90")]
    if not parts:
        return dict.fromkeys(keys)
    of = np.concatenate(parts)
    return dict(zip(keys, (float(value) for column in of.T for value in np.percentile(column, [50, 90]))))


def write() -> dict[str, Any]:
    found = table()
    TABLE.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return found
