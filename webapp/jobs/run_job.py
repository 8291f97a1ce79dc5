"""Long work: every run that a task shows, a step each."""

from __future__ import annotations

from concurrent.futures import Future

from engine.dashboard import display_name
from webapp.jobs.job_manager import JobControl, Progress, job_manager, job_type
from webapp.messages import msg
from webapp.runs import warm_up
from webapp.runs.parallel_map import submit
from webapp.runs.saved_tasks import require_task
from webapp.runs.task import Task


def start(
    task: Task, timeout_s: float, saved: Future | None = None, is_local: bool = False
) -> tuple[str, Progress]:
    """Begin to run a task, as JobManager.start does. saved: done when every process can load the task."""
    return job_manager.start(
        "run", {"key": task.key}, len(task.shown), task.seconds, timeout_s, after=saved, is_local=is_local
    )


@job_type("run")
def _do_run(arguments: dict, control: JobControl) -> None:
    do_task(require_task(arguments["key"]), control)


def do_task(task: Task, control: JobControl) -> None:
    """Run what is not there yet; what this process draws is made ready while the next one runs."""
    futures = []
    for number, (shown, name) in enumerate(task.shown):
        control.step(
            number,
            display_name(name)
            if warm_up.ready.is_set()
            else msg("jobs.run_job.simulator_being_compiled_about_minute_once", name=display_name(name)),
        )
        outcome = shown.outcome(name, control.cancel_token)
        if control.is_local:
            futures.append(submit(outcome.ready))
    for future in futures:
        future.result()
