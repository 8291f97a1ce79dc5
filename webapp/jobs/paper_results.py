"""Experiments of the papers, run in the background, once for everybody who looks: their numbers don't depend
on who asks.
"""

from __future__ import annotations

import hashlib
from functools import cache

from engine import paper_experiments, reproduce
from engine.dashboard import Result
from webapp.jobs.job_manager import (
    Cancelled,
    JobControl,
    Progress,
    job_manager,
    job_type,
)
from webapp.runs.cache import shared_cache

STEPS = 100
SECONDS_PER_THOUSAND = 0.004  # that a thousand containers of an experiment are thought to take


def find_result(name: str) -> Result | None:
    """The result of an experiment, if it is there. KeyError where no experiment has this name."""
    experiment = paper_experiments()[name]
    parts = shared_cache.get(_cache_key(name))
    return Result(experiment, *parts) if parts else None


@cache
def experiment_fingerprint(name: str) -> str:
    """Of an experiment's claims and readings: a result is kept for these, and none other is read where they
    have changed.
    """
    experiment = paper_experiments()[name]
    readings = [(reading.key, reading.says) for reading in experiment.readings]
    return hashlib.sha256(repr((experiment.claims, readings)).encode()).hexdigest()[:16]


def begin_experiment(name: str, timeout_s: float) -> tuple[str, Progress]:
    """Run an experiment, unless that is done or under way for anybody; the work's id and how far it is."""
    if find_result(name):
        return "", Progress(STEPS, STEPS, "", "finished")
    seconds = SECONDS_PER_THOUSAND * paper_experiments()[name].thousand_containers
    return job_manager.start("experiment", {"name": name}, STEPS, seconds, timeout_s)


@job_type("experiment")
def _do_experiment(arguments: dict, control: JobControl) -> None:
    name = arguments["name"]
    if find_result(name):
        return

    def report(done: int, total: int) -> None:
        if control.cancelled():
            raise Cancelled
        control.report(STEPS * done // max(total, 1), "running")

    result = reproduce(paper_experiments()[name], report, control.cancel_token)
    shared_cache.put(_cache_key(name), tuple(result)[1:])


def _cache_key(name: str) -> str:
    return f"paper:{name}:{experiment_fingerprint(name)}"
