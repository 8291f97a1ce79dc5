"""What each decision of a run cost, as a piece of work: kept by scenario and scheduler, so that whoever asks
for the same finds it.
"""

from __future__ import annotations

import time
from typing import Annotated, Any

from msgspec import Meta

from engine import costly_decisions
from engine.dashboard import Regret
from webapp import settings
from webapp.jobs.job_manager import Cancelled, JobControl, Progress, job_manager, job_type
from webapp.jobs.page_request import PageRequest
from webapp.messages import msg
from webapp.runs import saved_tasks
from webapp.runs.cache import shared_cache
from webapp.runs.saved_tasks import require_task, save_task
from webapp.runs.task import ShownRun
from webapp.runs.time_estimates import RUN_S, estimate_seconds

MAX_DECISIONS = 10  # decisions that are listed
SECONDS = 20.0  # that the decisions of one run are tried for
DECISION_S = 0.0004  # that one is thought to take, besides half a run
KEEP_PARTIAL_S = 3600


class RegretRequest(PageRequest, frozen=True):
    """Of which run it is wanted: of the task `key` the one at this place of those it shows."""

    key: str
    place: Annotated[int, Meta(ge=0)]


def shown_run(request: RegretRequest) -> ShownRun | None:
    """The run that is meant; None where its task is no longer known, has no such run, or no scheduler made
    that.
    """
    task = saved_tasks.load_task(request.key)
    if task is None or request.place >= len(task.shown) or not task.shown[request.place].is_scheduled:
        return None
    return task.shown[request.place]


def find_regret(shown_run: ShownRun) -> Regret | None:
    """What was found, if it was tried to the end of its time."""
    return shared_cache.get(_cache_key(shown_run))


def find_last_regret(shown_run: ShownRun) -> Regret | None:
    """The same, or what had been found when it was ended."""
    return find_regret(shown_run) or shared_cache.get(f"{_cache_key(shown_run)}:partial", changes=True)


def begin_regret(request: RegretRequest, shown: ShownRun, timeout_s: float) -> tuple[str, Progress]:
    """Try the decisions, one step each, unless that is done; the work's id and how far it is."""
    steps = len(shown.outcome.run.containers.job)
    if find_regret(shown):
        return "", Progress(steps, steps, "", "finished")
    half = (estimate_seconds(shown.task.scenario) - RUN_S) / 2
    seconds, saved = min(_budget_s(), steps * (DECISION_S + half)), save_task(require_task(request.key))
    return job_manager.start("regret", request.plain(), steps, seconds, timeout_s, after=saved)


@job_type("regret")
def _do_regret(arguments: dict, control: JobControl) -> None:
    """Unless it is done. Ended before, it keeps what it has found."""
    request = RegretRequest.of(arguments)
    require_task(request.key)
    run_shown = shown_run(request)
    scheduler = run_shown and run_shown.scheduler
    if run_shown is None or scheduler is None or find_regret(run_shown):
        return
    run = run_shown.task.outcome(run_shown.name, control.cancel_token).run

    started_at = time.monotonic()

    def progress(regret: Any) -> None:
        # it ends when that is over, with however many were tried
        time_share = min((time.monotonic() - started_at) / _budget_s(), 1.0)
        tried, placed, sooner = regret.tried, regret.placed, regret.sooner
        text = msg(
            "jobs.regrets.decisions_tried_with_better_choice", tried=tried, placed=placed, sooner=sooner
        )
        control.report(max(tried, int(time_share * placed)), text)

    regret_ = costly_decisions(run, scheduler, MAX_DECISIONS, _budget_s(), control.cancel_token, progress)
    if regret_.is_ended:
        shared_cache.put(f"{_cache_key(run_shown)}:partial", regret_, KEEP_PARTIAL_S, changes=True)
        raise Cancelled
    shared_cache.put(_cache_key(run_shown), regret_)


def _budget_s() -> float:
    """Some of the time that work may take is for the run, and for what has to be compiled."""
    return min(SECONDS, settings.max_seconds() / 2)


def _cache_key(shown_run: ShownRun) -> str:
    return f"regret:{shown_run.task.scenario.digest}:{shown_run.name}"
