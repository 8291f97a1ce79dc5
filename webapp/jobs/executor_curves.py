"""One Spark application of a task over the number of its executors, beside what the others feel, as a piece
of work: with the band of its record's replay where it has one, else over several seeds.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated

from msgspec import Meta

from engine import Study, run_study
from engine.dashboard import (
    ExecutorCurve,
    StudyResult,
    TooLarge,
    bands_of,
    executor_curve,
    executor_study,
    has_record,
    validated_baseline,
)
from webapp.jobs import prediction, studies
from webapp.jobs.job_manager import Cancelled, JobControl, Progress, job_manager, job_type
from webapp.jobs.page_request import PageRequest
from webapp.messages import msg
from webapp.runs.cache import shared_cache
from webapp.runs.saved_tasks import load_task, require_task, save_task
from webapp.runs.task import Task
from webapp.runs.time_estimates import estimate_seconds

SEEDS = 10


class ExecutorsRequest(PageRequest, frozen=True):
    """Which application of the task `key`, by its place in the scenario's file, under which scheduler."""

    key: Annotated[str, Meta(max_length=400)]
    application: Annotated[int, Meta(ge=0)]
    scheduler: Annotated[str, Meta(max_length=400)]

    @property
    def id(self) -> str:
        """Of the curve, whoever asks for it."""
        text = json.dumps(self.plain(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


def find_curve(request: ExecutorsRequest) -> ExecutorCurve | None:
    """The curve, if it is there."""
    return shared_cache.get(f"executors:{request.id}") if load_task(request.key) else None


def begin_curve(task: Task, request: ExecutorsRequest, timeout_s: float) -> tuple[str, Progress]:
    """Measure it, as a piece of work; its id and how far it is. TooLarge for more than this server does."""
    study = _unfitted_study(task, request)
    if find_curve(request):
        return "", Progress(study.runs, study.runs, "", "finished")
    fits = has_record(task.scenario) and not prediction.find_prediction(task.scenario, request.scheduler)
    seconds = studies.estimate_study_seconds(study)
    if fits:
        seconds += estimate_seconds(task.scenario, prediction.STEPS)
    if excess := studies.excess_words(seconds):
        raise TooLarge(msg("jobs.studies.runs_about_s_server_lets_work", runs=study.runs, **excess))
    total = study.runs + prediction.STEPS * fits
    return job_manager.start("executors", request.plain(), total, seconds, timeout_s, after=save_task(task))


def _unfitted_study(task: Task, request: ExecutorsRequest) -> Study:
    """What is run where nothing is fitted, and as much of it as may be where something is."""
    return executor_study(task.scenario, (request.scheduler,), request.application, usual_seeds=SEEDS)


@job_type("executors")
def _do_curve(arguments: dict, control: JobControl) -> None:
    """Unless it is done; what is cancelled keeps nothing."""
    request = ExecutorsRequest.of(arguments)
    if find_curve(request):
        return
    task = require_task(request.key)
    scenario, bands, says = task.scenario, {}, ""
    study = _unfitted_study(task, request)
    begun = control.total - study.runs
    if has_record(scenario):
        baseline = validated_baseline(prediction.require_prediction(scenario, request.scheduler, control))
        scenario, says = baseline.scenario, baseline.says
        bands = bands_of(baseline.turnaround, baseline.finish)
        study = executor_study(
            scenario,
            (request.scheduler,),
            request.application,
            usual_seeds=SEEDS,
            is_fitted=bool(bands),
        )

    def progress(_: StudyResult, done: int) -> None:
        if control.cancelled():
            raise Cancelled
        steps = begun + done * (control.total - begun) // study.runs
        control.report(steps, msg("jobs.executor_curves.runs", done=done, runs=study.runs))

    with studies.runner_for(control) as runner:
        result = run_study(study, runner, progress, control.cancel_token)
    shared_cache.put(f"executors:{request.id}", executor_curve(result, scenario, bands, says))
