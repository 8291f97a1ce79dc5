"""Long work: every run that a task shows, a step each."""

from __future__ import annotations

from concurrent.futures import Future

from engine.dashboard import display_name
from webapp.jobs.job_manager import JobControl, Progress, job_manager, job_type
from webapp.messages import msg
from webapp.runs import warm_up
from webapp.runs.parallel_map import submit
from webapp.runs.saved_tasks import require_task, save_task
from webapp.runs.task import Task
from webapp.runs.time_estimates import estimate_seconds


def start(
    task: Task, timeout_s: float, saved: Future | None = None, is_local: bool = False
) -> tuple[str, Progress]:
    """Begin to run a task, as JobManager.start does. saved: done when every process can load the task."""
    return job_manager.start(
        "run", {"key": task.key}, len(task.shown), task.seconds, timeout_s, after=saved, is_local=is_local
    )


def start_runs(kind: str, task: Task, what: dict, runs: int, timeout_s: float) -> tuple[str, Progress]:
    """Begin work of so many runs of a task, a step each, as JobManager.start does."""
    seconds = estimate_seconds(task.scenario, runs)
    return job_manager.start(kind, what, runs, seconds, timeout_s, after=save_task(task))


@job_type("run")
def _do_run(arguments: dict, control: JobControl) -> None:
    do_task(require_task(arguments["key"]), control)


def do_task(task: Task, control: JobControl) -> None:
    """Run what is not there yet; what this process draws is made ready while the next one runs."""
    futures = []
    for number, (shown, name) in enumerate(task.shown):
        text = display_name(name)
        if not warm_up.ready.is_set():
            text = msg("jobs.run_job.simulator_being_compiled_about_minute_once", name=text)
        control.step(number, text)
        outcome = shown.outcome(name, control.cancel_token)
        if control.is_local:
            futures.append(submit(outcome.ready))
    for future in futures:
        future.result()
