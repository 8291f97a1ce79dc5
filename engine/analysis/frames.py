"""A Run as pandas tables, for notebooks: names instead of indices, seconds instead of milliseconds.

Not imported by the engine's other files, because importing pandas takes longer than most runs.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from engine.codes import JOB_OUTCOMES, KINDS, NONE, OUTCOMES, TAKEN
from engine.simulation.run import Run


def containers(run: Run) -> pd.DataFrame:
    """One row a container attempt, columns as in the contract's result; NaN where there is no such time."""
    c, work = run.containers, run.workload
    return pd.DataFrame(
        {
            "job": pd.Categorical.from_codes(c.job, work.job_names),
            "stage": c.stage,
            "kind": pd.Categorical.from_codes(c.kind, KINDS),
            "index": c.index,
            "attempt": c.attempt,
            "node": pd.Categorical.from_codes(c.node, work.node_names),
            "requested_s": _seconds(c.requested),
            "start_s": _seconds(c.start),
            "shuffle_end_s": _seconds(c.shuffle_end),
            "end_s": _seconds(c.end),
            "outcome": pd.Categorical.from_codes(c.outcome, OUTCOMES),
            "begin_s": _seconds(c.begin),
        }
    )


def jobs(run: Run) -> pd.DataFrame:
    """One row a job, by its name, with its user and queue; NaN where there is no such time."""
    work = run.workload
    labels = {
        "user": work.job_users,
        "queue": [work.queues.names[queue] for queue in work.job_queue.tolist()],
    }
    times = {
        f"{name}_s": _seconds(column) for name, column in zip(run.jobs._fields, run.jobs[:5], strict=False)
    }
    outcome = np.where(run.jobs.finish == NONE, NONE, run.jobs.failed)
    outcome = np.where(run.jobs.refused == TAKEN, outcome, JOB_OUTCOMES.index("refused"))
    ends = {"outcome": pd.Categorical.from_codes(outcome, JOB_OUTCOMES)}
    return pd.DataFrame(labels | times | ends, index=pd.Index(work.job_names, name="job"))


def _seconds(times: np.ndarray) -> np.ndarray:
    return np.where(times == NONE, np.nan, times / 1000)
