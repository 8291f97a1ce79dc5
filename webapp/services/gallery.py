"""Experiments of the papers, run in the background, once for everybody who looks: their numbers don't depend on who asks."""

from __future__ import annotations

import hashlib
import threading
from functools import cache

from engine import Result, paper_experiments, reproduce
from webapp.services.cache import shared
from webapp.services.tasks import Progress, TaskControl, works

STEPS = 100
_own: dict[str, Result] = {}
_lock = threading.Lock()


def found(name: str) -> Result | None:
    """The result of an experiment, if it is there. KeyError where no experiment has this name."""
    experiment = paper_experiments()[name]
    if name not in _own and (parts := shared.get(f"paper:{name}:{fingerprint(name)}")):
        _own[name] = Result(experiment, *parts)
    return _own.get(name)


@cache
def fingerprint(name: str) -> str:
    """Of an experiment's claims and readings: a result is kept for these, and none other is read where they have changed."""
    one = paper_experiments()[name]
    return hashlib.sha256(repr((one.claims, [(reading.key, reading.says) for reading in one.readings])).encode()).hexdigest()[:16]


def follow(name: str, patience_s: float) -> Progress:
    """How far an experiment is; begun if nobody has, and waited for a little."""
    with _lock:
        known = shared.get(f"paper-work:{name}")
        if isinstance(known, str) and (progress := works.progress(known)).state == "running":
            return progress
        work, progress = works.start(lambda control: _reproduce(name, control), STEPS, patience_s)
        shared.put(f"paper-work:{name}", work)
        return progress


def _reproduce(name: str, control: TaskControl) -> None:
    last = -1

    def report(done: int, of: int) -> None:
        nonlocal last
        step = STEPS * done // max(of, 1)
        if step != last:
            last = step
            control.report(step, "running")

    result = reproduce(paper_experiments()[name], report)
    _own[name] = result
    shared.put(f"paper:{name}:{fingerprint(name)}", tuple(result)[1:])
