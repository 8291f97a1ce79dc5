"""What it takes: experiments of the papers judged under moved physics, while somebody moves it, and single
points of the papers' maps.

Over few seeds while something moves, so that a lamp follows a hand, and over more once it rests. What takes
longer is followed, and ended once its asker wants something else.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from engine import paper_experiments
from engine.dashboard import (
    SEEDS,
    Conditions,
    Finding,
    Point,
    experiment_conditions,
    headline_maps,
    judge_at_point,
    judge_under,
    sensitivity_parameters,
)
from webapp.jobs.job_manager import Cancelled, JobControl, Progress, job_manager, job_type
from webapp.jobs.paper_results import SECONDS_PER_THOUSAND, experiment_fingerprint
from webapp.runs.cache import shared_cache

MOVING, RESTING = 5, 20  # seeds
STEPS = 100
MAX_KEPT = 512  # of a process
KEEP_S = 3600
CANCEL_POLL_S = 0.05  # between two looks whether it is to end
SHARE_AFTER_S = 0.2  # what takes longer is kept for the other processes too
Findings = tuple[Finding, ...]  # of every claim

Key = tuple[str, Conditions, int]  # experiment, conditions, seeds


def conditions_of(name: str, data: Any) -> Conditions | None:
    """The conditions that a page sent, which may be anything: only stops of the experiment's own knobs; None
    for what is none.
    """
    if not isinstance(data, Mapping):
        return None
    stops = {knob.key: knob.values for knob in sensitivity_parameters(name)}
    changed: dict[str, Any] = {}
    for key, value in data.items():
        matches = [
            stop
            for stop in stops.get(key, ())
            if isinstance(value, bool) == isinstance(stop, bool) and stop == value
        ]
        if not matches:
            return None
        if matches[0] != experiment_conditions(name)[key]:
            changed[key] = matches[0]
    return Conditions(**changed)


def find_judged(key: Key) -> Findings | None:
    """Every claim, if that has been computed."""
    return shared_cache.get(_cache_key(key))


def start(key: Key, timeout_s: float) -> tuple[str, Progress]:
    """Begin to compute them: the work's id, and how far it is after at most `timeout_s`."""
    name, conditions, seeds = key
    moved = {knob: value for knob, value in asdict(conditions).items() if value is not None}
    thousands = paper_experiments()[name].thousand_containers * min(seeds / len(SEEDS), 1)
    what = {"name": name, "conditions": moved, "seeds": seeds}
    return job_manager.start("bench", what, STEPS, SECONDS_PER_THOUSAND * thousands, timeout_s)


@lru_cache(MAX_KEPT)
def map_point(paper: str, x: float, y: float) -> Point:
    """The headline of a paper at one point of its map, run now. KeyError for a paper without one; else raises
    as the runs do.
    """
    return judge_at_point(headline_maps()[paper], x, y)


@job_type("bench")
def _do_judge(arguments: dict, control: JobControl) -> None:
    key = arguments["name"], Conditions(**arguments["conditions"]), arguments["seeds"]
    started_at = last_poll = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal last_poll
        if (now := time.monotonic()) - last_poll < CANCEL_POLL_S:
            return
        last_poll = now
        if control.cancelled():
            raise Cancelled
        control.report(STEPS * done // max(total, 1), "running")

    judged = judge_under(*key, report, control.cancel_token)
    if control.is_local and time.monotonic() - started_at <= SHARE_AFTER_S:
        shared_cache.hold(_cache_key(key), judged)
    else:
        shared_cache.put(_cache_key(key), judged, KEEP_S)


def _cache_key(key: Key) -> str:
    return f"bench:{hashlib.sha256(repr((key, experiment_fingerprint(key[0]))).encode()).hexdigest()[:24]}"
