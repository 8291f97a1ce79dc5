"""How far a simulation of what a cluster did is off: fitted on a part of its record and judged on the rest,
once for a scenario and a scheduler.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from engine import Scenario, parse, predict
from engine.dashboard import Prediction
from webapp.jobs.job_manager import Cancelled, JobControl, Progress, job_manager, job_type
from webapp.messages import msg
from webapp.runs.cache import shared_cache
from webapp.runs.saved_tasks import require_task, save_task
from webapp.runs.task import Task
from webapp.runs.time_estimates import estimate_seconds

STEPS = 7  # of a prediction, each with about a run: the fit, what each part of it brings, and what is judged
REPLAY_FIELD = "x_replay"  # the key under which a fitted scenario carries how far off its answers are
BANDED_METRICS = ("makespan_s", "mean_turnaround_s", "max_turnaround_s")
MAX_SHARE, MAX_NAME_LENGTH = 1000.0, 200  # of what a scenario says
NOT_STORED = msg("jobs.prediction.result_lost_because_servers_cache_unavailabl")


def replayable_schedulers(task: Task) -> list[str]:
    """The schedulers of a task that its record can be replayed under."""
    return [name for name in task.schedulers if not parse(name).is_measured]


def find_prediction(scenario: Scenario, scheduler: str) -> Prediction | None:
    """What the record of a scenario says of its simulation under a scheduler, if that has been done."""
    return shared_cache.get(_cache_key(scenario, scheduler))


def fitted_scenario(prediction: Prediction) -> Scenario:
    """The scenario that what-ifs are asked of, which carries how far off they are (`ErrorBands`); what is
    known of its simulation is held ready.
    """
    bands = ErrorBands(
        prediction.scheduler,
        *((band.low, band.high, band.of) for band in (prediction.band, prediction.turnaround_band)),
    )
    scenario = Scenario.of({**prediction.scenario.plain(), REPLAY_FIELD: bands._asdict()})
    _store(scenario, prediction)
    return scenario


class ErrorBands(NamedTuple):
    """How far answers are off: measured over simulated, least and largest share, and of how many jobs held
    out. scheduler: it was found under.

    finish: of times from the first arrival on, as makespans; turnaround: of times from a job's own.
    """

    scheduler: str
    finish: tuple[float, float, int]
    turnaround: tuple[float, float, int]

    def around(self, metric: str, seconds: float) -> tuple[float, float] | None:
        """Between which it would be on the cluster; None for a metric whose error was not found."""
        low, high, _ = self.finish if metric == "makespan_s" else self.turnaround
        return (low * seconds, high * seconds) if metric in BANDED_METRICS and self.finish[2] else None


def error_bands_of(scenario: Scenario) -> ErrorBands | None:
    """What a scenario carries of its replay, which anybody may have written; None of one that was not
    fitted.
    """
    data = (scenario.model_extra or {}).get(REPLAY_FIELD)
    if not isinstance(data, dict) or not isinstance(data.get("scheduler"), str):
        return None
    finish, turnaround = _parse_band(data.get("finish")), _parse_band(data.get("turnaround"))
    if finish is None or turnaround is None:
        return None
    return ErrorBands(data["scheduler"][:MAX_NAME_LENGTH], finish, turnaround)


def _parse_band(data: Any) -> tuple[float, float, int] | None:
    """[least, largest share, jobs]; None of what is none."""
    if (
        not isinstance(data, (list, tuple))
        or len(data) != 3
        or not all(isinstance(number, (int, float)) and math.isfinite(number) for number in data)
    ):
        return None
    low, high, jobs = data
    return (low, high, jobs) if 0 < low <= high <= MAX_SHARE and jobs >= 0 else None


def begin_prediction(task: Task, scheduler: str, timeout_s: float) -> tuple[str, Progress]:
    """Fit and judge, as a piece of work, unless that has been done; its id and how far it is."""
    arguments = {"key": task.key, "scheduler": scheduler}
    return job_manager.start(
        "prediction",
        arguments,
        STEPS,
        estimate_seconds(task.scenario, STEPS),
        timeout_s,
        after=save_task(task),
    )


@job_type("prediction")
def _do_predict(arguments: dict, control: JobControl) -> None:
    require_prediction(require_task(arguments["key"]).scenario, arguments["scheduler"], control)


def require_prediction(scenario: Scenario, scheduler: str, control: JobControl) -> Prediction:
    """What `find_prediction` has, or will have from now on, as the first STEPS steps of a piece of work.
    Raises Cancelled where that is to end.
    """
    if prediction := find_prediction(scenario, scheduler):
        return prediction
    steps = iter(range(STEPS))
    prediction = predict(
        scenario,
        scheduler,
        cancel_token=control.cancel_token,
        report=lambda now: control.step(next(steps, STEPS - 1), now),
    )
    if control.cancelled():
        raise Cancelled
    _store(scenario, prediction)
    return prediction


def _store(scenario: Scenario, prediction: Prediction) -> None:
    shared_cache.put(_cache_key(scenario, prediction.scheduler), prediction)


def _cache_key(scenario: Scenario, scheduler: str) -> str:
    return f"prediction:{scenario.digest}:{scheduler}"
