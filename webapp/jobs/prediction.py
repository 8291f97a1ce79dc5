"""How far a simulation of what a cluster did is off: fitted on a part of its record and judged on the rest,
once for a scenario and a scheduler.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from engine import Scenario, predict
from engine.dashboard import Prediction, names_of
from webapp.jobs.job_manager import Cancelled, JobControl, Progress, job_type
from webapp.jobs.page_request import PageRequest
from webapp.jobs.run_job import start_runs
from webapp.messages import msg
from webapp.runs.cache import shared_cache
from webapp.runs.saved_tasks import require_task
from webapp.runs.task import Task

STEPS = 7  # of a prediction, each with about a run: the fit, what each part of it brings, and what is judged
REPLAY_FIELD = "x_replay"  # the key under which a fitted scenario carries how far off its answers are
BANDED_METRICS = ("makespan_s", "mean_turnaround_s", "max_turnaround_s")
MAX_SHARE, MAX_NAME_LENGTH = 1000.0, 300  # of what a scenario says
Share = Annotated[float, Meta(gt=0, le=MAX_SHARE)]
Band = tuple[Share, Share, Annotated[int, Meta(ge=0)]]
NOT_STORED = msg("jobs.prediction.result_lost_because_servers_cache_unavailabl")


def replayable_schedulers(task: Task) -> list[str]:
    """The schedulers of a task that its record can be replayed under."""
    return list(names_of(task.simulated))


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
    scenario = Scenario.of({**prediction.scenario.plain(), REPLAY_FIELD: bands.plain()})
    _store(scenario, prediction)
    return scenario


class ErrorBands(PageRequest, frozen=True):
    """How far answers are off: measured over simulated, least and largest share, and of how many jobs held
    out. scheduler: it was found under.

    finish: of times from the first arrival on, as makespans; turnaround: of times from a job's own.
    """

    scheduler: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)]
    finish: Band
    turnaround: Band

    def __post_init__(self) -> None:
        if any(low > high for low, high, _ in (self.finish, self.turnaround)):
            raise ValueError

    def around(self, metric: str, seconds: float) -> tuple[float, float] | None:
        """Between which it would be on the cluster; None for a metric whose error was not found."""
        low, high, _ = self.finish if metric == "makespan_s" else self.turnaround
        return (low * seconds, high * seconds) if metric in BANDED_METRICS and self.finish[2] else None


def error_bands_of(scenario: Scenario) -> ErrorBands | None:
    """What a scenario carries of its replay, which anybody may have written; None of one that was not
    fitted.
    """
    return ErrorBands.find((scenario.model_extra or {}).get(REPLAY_FIELD))


def begin_prediction(task: Task, scheduler: str, timeout_s: float) -> tuple[str, Progress]:
    """Fit and judge, as a piece of work, unless that has been done; its id and how far it is."""
    return start_runs("prediction", task, {"key": task.key, "scheduler": scheduler}, STEPS, timeout_s)


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
