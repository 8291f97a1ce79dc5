"""A task over many seeds: begun, and found again once it has been done."""

from __future__ import annotations

from engine import replicate
from engine.dashboard import Replications
from webapp.jobs.job_manager import Cancelled, JobControl, Progress, job_type
from webapp.jobs.run_job import start_runs
from webapp.messages import msg
from webapp.runs.cache import shared_cache
from webapp.runs.saved_tasks import require_task
from webapp.runs.task import Task

SEEDS = 30
NOT_STORED = msg("jobs.seed_replications.result_lost_because_servers_cache_unavailabl")


def find_replications(task: Task) -> Replications | None:
    """What of the task is simulated, over SEEDS seeds, from its own on, if that has been done."""
    return shared_cache.get(_cache_key(task))


def begin_replications(task: Task, timeout_s: float) -> tuple[str, Progress]:
    """Run the task over SEEDS seeds, as a piece of work of one step a run, unless that has been done; its id
    and how far it is.
    """
    times = SEEDS * len(task.simulated)
    return start_runs("repeat", task, {"key": task.key}, times, timeout_s)


@job_type("repeat")
def _do_repeat(arguments: dict, control: JobControl) -> None:
    task = require_task(arguments["key"])
    if find_replications(task):
        return
    seeds = range(task.scenario.seed, task.scenario.seed + SEEDS)
    if seeds[-1] >= 2**63:
        seeds = range(SEEDS)
    replications = replicate(
        task.scenario,
        task.simulated,
        seeds,
        lambda done, _: control.report(done, "runs"),
        control.cancelled,
        control.cancel_token,
    )
    if control.cancelled():
        raise Cancelled
    shared_cache.put(_cache_key(task), replications)


def _cache_key(task: Task) -> str:
    return f"repeat:{task.key}:{SEEDS}"
